import CommandFiles
import CommandKit
import JSON
import JourneyLogs
import TenantFiles
import TrustFramework

/// Which switches of `authority.defaults` a session settles: those where one value gives what the log has and another does
/// not.
package struct InferredSettings {
    /// A switch that the session settles.
    package struct Settled {
        package var name: String
        /// What the switch does, of the tenant file's reference.
        package var meaning: String
        /// The value that gives what the log has.
        package var value: JSONValue
        /// The first difference with the other value.
        var otherwise: StoryComparison.Difference
        /// Whether the simulator has this value by default.
        var isDefault: Bool
    }

    private(set) var settled: [Settled] = []
    /// How many switches were tried.
    package private(set) var tried = 0

    /// Nothing was tried.
    package static let none = InferredSettings()

    private init() {}

    /// Runs the session with other values of each switch.
    ///
    /// - Parameter difference: The first difference with the values that the simulator has by default.
    package init(
        _ story: LoggedSession, _ inputs: LogInputs, _ policy: ResolvedPolicy, source: PolicySource,
        difference: StoryComparison.Difference?
    ) async throws {
        let person = JSONWriter.compact(.object(inputs.person))
        for setting in PolicyDefaults.settings {
            guard let value = setting.write(PolicyDefaults()) else { continue }
            tried += 1
            let (name, meaning) = (setting.field.name, setting.field.doc)
            for turned in Self.others(than: value, story) {
                var changed = inputs.inputs(as: "user")
                changed[.configure] = (changed[.configure] ?? [:]).merging(
                    patch: ["authority": ["defaults": .object(JSONObject([(name, turned)]))]])
                let outcome = try await LogPlay.prepared(changed, person: person, press: inputs.press, source)
                    .perform().outcome
                let other = LogPlay.difference(story, outcome, policy)
                guard (difference == nil) != (other == nil), let otherwise = difference ?? other else {
                    continue
                }
                settled.append(
                    Settled(
                        name: name, meaning: meaning, value: difference == nil ? value : turned, otherwise: otherwise,
                        isDefault: difference == nil))
                break
            }
        }
    }

    /// Other values of a switch: for attempts and for time those before April 2025, and for time also what the log names.
    private static func others(than value: JSONValue, _ story: LoggedSession) -> [JSONValue] {
        switch value {
        case .bool(let isOn): return [.bool(!isOn)]
        case .integer(let number): return [.integer(number + 1)]
        case .string:
            // The text of an exception has the limit of a call that was not answered (public thread azure-docs#79137).
            let named = story.raised.flatMap(\.exception.texts).compactMap { text in
                text.firstMatch(of: /timeout limit of ([0-9]{1,4}) seconds/).map { "PT\($0.1)S" }
            }
            return (named + ["PT30S"]).filter { .string($0) != value }.map { .string($0) }
        default: return []
        }
    }

    /// For the tenant file.
    package var json: JSONValue {
        ["authority": ["defaults": .object(JSONObject(settled.map { ($0.name, $0.value) }))]]
    }

    /// Switches that documents or hosted pages mention. The others are inferred (docs/parity.md).
    private static let documented: Set<String> = [
        "innerClaimsEndWithPage", "resetSharesVerificationControl", "restAttempts", "restTimeout",
    ]

    package func text(_ mask: LogMask) -> String {
        guard tried > 0 else {
            return "no switch is tried: the log is of another version of the policy\n"
        }
        guard !settled.isEmpty else {
            return "this session settles none of \(tried) switches: it ends the same with either value\n"
        }
        var lines = ["this session settles \(settled.count) of \(tried) switches:"]
        for item in settled {
            lines.append("  \(item.name) = \(JSONWriter.compact(item.value))  \(item.meaning)")
            lines.append("    with the other value: \(mask.masked(item.otherwise.message))")
        }
        lines.append("for the tenant file:")
        lines.append("  \"authority\": " + JSONWriter.compact(json["authority"] ?? .null))
        lines.append("rows of docs/parity.md, Settings of the policy engine:")
        for item in settled {
            let change =
                Self.documented.contains(item.name)
                ? "recorded beside what is documented" : "recorded instead of inferred"
            lines.append(
                "  `\(item.name)`: \(change)"
                    + (item.isDefault ? "" : "; the service differs from the default of the simulator"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
