import CommandKit
import JSON
import JourneyLogs
import TenantFiles
import TrustFramework

/// Which switches of `authority.defaults` a session settles: those where one value gives what the log has and another does
/// not.
struct LearntSwitches {
    /// A switch that the session settles.
    struct Settled {
        var name: String
        /// What the switch does, of the tenant file's reference.
        var meaning: String
        /// The value that gives what the log has.
        var value: JSONValue
        /// The first difference with the other value.
        var otherwise: StoryComparison.Difference
    }

    private(set) var settled: [Settled] = []
    /// How many switches were tried.
    private(set) var tried = 0

    /// Runs the session once for each switch, with the switch turned.
    ///
    /// - Parameter difference: The first difference without a switch turned.
    init(
        _ story: SessionStory, _ inputs: LogInputs, _ policy: ResolvedPolicy, _ place: PolicyPlace,
        _ common: CommonOptions, difference: StoryComparison.Difference?
    ) async throws {
        let person = JSONWriter.compact(.object(inputs.person))
        for setting in PolicyDefaults.settings {
            guard let value = setting.write(PolicyDefaults()), let turned = Self.turned(value) else { continue }
            tried += 1
            let name = setting.field.name
            let patch: JSONValue = ["configure": ["authority": ["defaults": .object(JSONObject([(name, turned)]))]]]
            let outcome = try await PolicyLogCommand.prepared(
                inputs.inputs.merging(patch: patch), person: person, inputs.press, place, common
            ) { try await $0.perform().outcome }
            let other = PolicyLogCommand.difference(story, outcome, policy)
            switch (difference, other) {
            case (nil, let other?):
                settled.append(Settled(name: name, meaning: setting.field.doc, value: value, otherwise: other))
            case (let difference?, nil):
                settled.append(Settled(name: name, meaning: setting.field.doc, value: turned, otherwise: difference))
            default: break
            }
        }
    }

    /// The other value of a switch; for a number of attempts the one before April 2025.
    private static func turned(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .bool(let isOn): .bool(!isOn)
        case .integer(let number): .integer(number + 1)
        default: nil
        }
    }

    /// For the tenant file.
    var json: JSONValue {
        ["authority": ["defaults": .object(JSONObject(settled.map { ($0.name, $0.value) }))]]
    }

    func text(_ mask: LogMask) -> String {
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
        lines.append("for docs/parity.md, recorded instead of inferred:")
        for item in settled {
            lines.append(
                "  | \(item.name) is \(JSONWriter.compact(item.value)): \(item.meaning) | The same. | recorded | a script |"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
