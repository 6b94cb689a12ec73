import ArgumentParser
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JSON
import PolicyRelease
import PolicyTools

/// `b2c policy keys list`.
struct PolicyKeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists a tenant's key sets: the active key, the next one, and when there is none.",
        discussion: """
            With FOLDER it compares the sets with what policies need: sets that are missing, that no policy uses, or whose \
            use or type does not fit the element that refers to them.

              b2c policy keys list
              b2c policy keys list policies --within 30d

            Ends with 0. With --within it ends with 4 if a set has no active key, or soon has none, or if a key that \
            policies need is missing or wrong.
            """)

    @Argument(help: "A folder of policy files.")
    var folder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "End with 4 if a set has no active key within this span, such as 30d. With FOLDER: a set that policies need.",
            valueName: "span"))
    var within: String?

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    @OptionGroup var graphOptions: GraphOptions

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let span = try within.map { text in
            guard let span = KeyManifest.span(text) else {
                throw Failure.usage("--within: expected a span such as 30d or 12h, found \"\(text)\"")
            }
            return span
        }
        let needs = try folder.map { folder in
            let built = try ReleaseFolder.build(folder, values.source, tenant: nil)
            return try PolicyNeeds.read(built, folder: folder, values.source, common).keys
        }
        var graph = try graphOptions.graph()
        let sets: [KeySet]
        do throws(PolicyGraphProblem) {
            sets = try await graph.keySets()
        } catch {
            throw error.failure as any Error
        }
        let report = KeyReport(sets: sets, needs: needs, now: Machine.clock.now())
        if json {
            Machine.out.write(data: JSONWriter.pretty(.object(report.json)) + "\n")
        } else {
            Machine.out.write(report.text(isVerbose: common.isVerbose))
        }
        if let span, report.isUrgent(within: span) { throw Failure.silent(.expectation) }
    }
}

/// What `b2c policy keys list` shows.
struct KeyReport {
    private let statuses: [(set: KeySet, status: KeyStatus)]
    /// `nil`: no policies were named.
    private let needs: [KeyNeed]?
    private let problems: [NeedProblem]
    private let now: Timestamp

    init(sets: [KeySet], needs: [KeyNeed]?, now: Timestamp) {
        statuses = sets.sorted { $0.id < $1.id }.map { ($0, KeyStatus($0, now: now)) }
        self.needs = needs
        problems = (needs ?? []).flatMap { $0.problems(among: sets, now: now) }
        self.now = now
    }

    private func need(_ set: KeySet) -> KeyNeed? { needs?.first { KeySet.isSame($0.name, set.id) } }

    /// The portal keeps a copy of a deleted set under a name with this ending (Microsoft docs: policy-keys-overview).
    private func isBackup(_ set: KeySet) -> Bool { set.id.lowercased().hasSuffix(".bak") }

    /// Whether somebody has to act.
    func isUrgent(within span: TimeSpan) -> Bool {
        if problems.contains(where: { $0.severity == .error }) { return true }
        return statuses.contains { set, status in
            guard !isBackup(set), needs == nil || need(set) != nil, let gap = status.gap else { return false }
            return gap - now < span
        }
    }

    var json: JSONObject {
        let sets = statuses.map { set, status -> JSONValue in
            var object = status.json(now: now)
            object["keys"] = .array(set.keys.map { .object($0.json) })
            if needs != nil { object["isUsed"] = .bool(need(set) != nil) }
            return .object(object)
        }
        var object: JSONObject = ["now": .string(now.rfc3339), "keySets": .array(sets)]
        if needs != nil { object["problems"] = .array(problems.map { .object($0.json) }) }
        return object
    }

    func text(isVerbose: Bool) -> String {
        var out = ReleaseText(isVerbose: isVerbose)
        if statuses.isEmpty { out.line("the tenant has no key sets") }
        for (set, status) in statuses {
            out.line(set.id)
            if let key = status.active {
                out.line("active   \(KeyText.of(key)), \(KeyText.end(key, now))", indent: 2)
            } else {
                out.line("active   none: \(status.reason)", indent: 2)
            }
            if let next = status.next {
                out.line(
                    "next     \(KeyText.of(next.key)) from \(next.begins.rfc3339), \(KeyText.end(next.key, now))",
                    indent: 2)
            }
            if let gap = status.gap, gap > now {
                let until = status.resumes.map { " until \($0.rfc3339)" } ?? ""
                out.line("gap      no active key from \(gap.rfc3339)\(until), in \((gap - now).inWords)", indent: 2)
            }
            for (word, keys) in [("expired", status.expired), ("disabled", status.disabled)] where !keys.isEmpty {
                out.line("\(word)  ".padded(9) + keys.map(\.kid).joined(separator: ", "), indent: 2)
            }
            guard needs != nil else { continue }
            if let need = need(set) {
                var elements: [String] = []
                for reference in need.references where !elements.contains(reference.element) {
                    elements.append(reference.element)
                }
                for element in elements {
                    let places = need.references.filter { $0.element == element }.map(\.location)
                    out.line("used by  \(element): \(out.places(places))", indent: 2)
                }
            } else {
                out.line(
                    "used by  no policy of the folder\(isBackup(set) ? ": a copy of a set that was deleted" : "")",
                    indent: 2)
            }
        }
        if !problems.isEmpty { out.heading("Problems") }
        for problem in problems {
            let place = problem.location.map { "\(out.places([$0])): " } ?? ""
            out.line("\(place)\(problem.severity.rawValue): \(problem.sentence)", indent: 2)
            if let remedy = problem.remedy { out.line(remedy, indent: 4) }
        }
        return out.text
    }
}

/// Words for keys.
enum KeyText {
    /// `f_pxsSMT (an RSA key for signatures)`.
    static func of(_ key: PolicyKey) -> String { "\(key.kid) (\(key.phrase))" }

    /// When a key ends.
    static func end(_ key: PolicyKey, _ now: Timestamp) -> String {
        key.expires.map { "expires \($0.rfc3339) in \(($0 - now).inWords)" } ?? "never expires"
    }
}

extension String {
    /// With spaces up to a width.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - unicodeScalars.count)) }
}
