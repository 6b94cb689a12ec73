import Exchanges
import JSON
import ScenarioRunner

/// Takes secrets out of a report: tokens and grants, one-time codes, passwords, cookies, client secrets, credentials in
/// headers, and everything given by `--secret`. Done once, before any format sees the report.
///
/// In place of a secret stands a label such as `<token 2>`. Within one scenario equal secrets have equal labels, so it
/// stays visible that two requests carried the same refresh token.
public struct Redaction: Sendable {
    private let known: [KnownSecret]
    private let byFile: [String: [KnownSecret]]
    private let showsSecrets: Bool

    /// - Parameters:
    ///   - known: secrets of every scenario, such as those of `--secret`.
    ///   - byFile: those of the scenarios of one file, such as the passwords of its tenant.
    ///   - showsSecrets: leaves everything as it is (`--show-secrets`).
    public init(known: [KnownSecret] = [], byFile: [String: [KnownSecret]] = [:], showsSecrets: Bool = false) {
        self.known = known
        self.byFile = byFile
        self.showsSecrets = showsSecrets
    }

    /// The report without secrets.
    public func redacted(_ report: RunReport) -> RunReport {
        var result = report
        result.scenarios = report.scenarios.map { redacted($0) }
        return result
    }

    /// The report without secrets, made on several cores: a report with every outcome has megabytes to look through.
    ///
    /// - Parameter jobs: How many scenarios are looked through at the same time.
    public func redactedInParallel(_ report: RunReport, jobs: Int) async -> RunReport {
        if showsSecrets { return report }
        let scenarios = report.scenarios
        let workers = max(1, min(jobs, scenarios.count / Self.fewest))
        let redacted = await withTaskGroup(of: [(Int, [ScenarioReport])].self) { group in
            for worker in 0..<workers {
                group.addTask {
                    // Most texts occur in many scenarios.
                    let places = RedactionPlaces()
                    return stride(from: worker * Self.fewest, to: scenarios.count, by: workers * Self.fewest).map {
                        start in
                        let part = scenarios[start..<min(start + Self.fewest, scenarios.count)]
                        return (start, part.map { self.redacted($0, places) })
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        var result = report
        result.scenarios = redacted.sorted { $0.0 < $1.0 }.flatMap { $0.1 }
        return result
    }

    /// How many scenarios a core takes at a time.
    private static let fewest = 16

    /// One scenario without secrets. Labels are counted from 1 in each, so they do not depend on what else ran.
    public func redacted(_ scenario: ScenarioReport) -> ScenarioReport { redacted(scenario, RedactionPlaces()) }

    private func redacted(_ scenario: ScenarioReport, _ places: RedactionPlaces) -> ScenarioReport {
        if showsSecrets { return scenario }
        var walk = RedactionWalk(
            ledger: SecretLedger(known: known + (byFile[scenario.file] ?? [])), places: places)
        walk.learn(scenario)
        walk.finishLearning()
        return walk.masked(scenario)
    }

    /// A walk that knows the secrets of a file's scenarios from the start; `nil` where secrets are shown.
    func walk(for file: String) -> RedactionWalk? {
        showsSecrets ? nil : RedactionWalk(ledger: SecretLedger(known: known + (byFile[file] ?? [])))
    }

    /// A text without the secrets that are known before anything runs.
    public func redacted(_ text: String) -> String {
        if showsSecrets { return text }
        return TextMask(SecretLedger(known: known).patterns).masked(text)
    }
}
