import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON

/// Tries what the service, or somebody else, can surprise an extension with: each trap is a case with a name.
public struct ExtensionTrial: Sendable {
    /// What is expected of an extension.
    public enum Demand: Sendable {
        /// An action without further findings.
        case accepted
        /// A status between 400 and 499.
        case refused
        /// Anything except the migration of the password.
        case notMigrated
        /// An action, or a status below 500.
        case answered
        /// GET answers 200.
        case probed
        /// The same action as before.
        case repeated
        /// The answer to the good call does not have this finding.
        case answer
    }

    /// A trap, or a property of the answer to the good call.
    public struct Case: Sendable {
        /// In kebab-case: `wrong-caller`.
        public let name: String
        /// What holds if the case passes, one sentence.
        public let title: String
        public let demand: Demand
        /// Of a failure.
        public let severity: Severity
        let row: ExtensionTableRow

        /// The rule that a failure breaks, such as `B2C-EXT-105`.
        public var rule: String { row.rule }
    }

    /// What a case shows.
    public enum Conclusion: Hashable, Sendable {
        case passed, failed
        case notTried(reason: String)
    }

    /// A case with what it shows.
    public struct Result: Sendable {
        public let trial: Case
        public internal(set) var conclusion: Conclusion
        /// What is wrong; empty if the case passed.
        public internal(set) var finding = ""
        /// The finding about the answer, with row and place.
        public internal(set) var answer: ExtensionFinding?
        public internal(set) var whatServiceDoes = ""
        public internal(set) var whatPersonSees = ""
        public internal(set) var remedy = ""

        /// Failed because the function accepts what it must not, not because it ends with an error.
        var isAsTheCaseSays: Bool {
            conclusion == .failed && (trial.demand != .refused || finding == trial.row.message)
        }
    }

    /// The good call.
    public let call: ExtensionCall

    public init(_ call: ExtensionCall) {
        var call = call
        call.method = "POST"
        self.call = call
    }

    // MARK: the cases

    private static let stranger = "00000003-0000-0000-c000-000000000000"

    /// What is sent in each case: the changes of the good call, whose token both hosts' keys verify.
    private static let attempts: [(name: String, demand: Demand, change: @Sendable (inout ExtensionCall) -> Void)] = [
        ("good-token", .accepted, { _ in }),
        ("key-on-ciamlogin-host", .accepted, { $0.token?.key = .own }),
        ("no-token", .refused, { $0.token = nil }),
        ("version-1-token", .accepted, { $0.token?.version = 1 }),
        ("wrong-caller", .refused, { $0.token?.become(stranger, version: 2) }),
        ("wrong-appid", .refused, { $0.token?.become(stranger, version: 1) }),
        ("wrong-audience", .refused, { $0.token?.audience = stranger }),
        ("wrong-issuer", .refused, { $0.useOtherTenant() }),
        ("expired-token", .refused, { $0.token?.age = .hours(-2) }),
        ("bad-signature", .refused, { $0.token?.key = .wrong }),
        ("unsigned-token", .refused, { $0.token?.key = ExtensionToken.Key.none }),
        ("get-probe", .probed, { ($0.method, $0.token) = ("GET", nil) }),
        ("minimal-body", .accepted, { $0.form = .minimal }),
        ("client-ip-spelling", .accepted, { $0.form = .otherSpelling }),
        ("unknown-extra-member", .accepted, { $0.form = .unknownMembers }),
        ("locale", .accepted, { $0.locale = "de-de" }),
        ("repeated-call", .repeated, { _ in }),
        ("wrong-password", .notMigrated, { $0.password += "-wrong" }),
        ("wrong-password-context", .notMigrated, { $0.useOtherKey() }),
        ("plain-context", .answered, { $0.encryption?.isNested.toggle() }),
    ]

    /// Cases whose failure says what the case shows: it is not tried then.
    private static let coveredBy = [
        "wrong-appid": ["wrong-caller", "version-1-token"], "unsigned-token": ["bad-signature"],
        "wrong-password-context": ["wrong-password"],
    ]

    /// The cases of an event, in the order in which they are tried; those about the answer to the good call are last.
    public static func cases(for event: ExtensionEvent, host: ExtensionIssuer.Host = .external) -> [Case] {
        let tried = attempts.map { ($0.demand, ExtensionTableRow.row($0.name, of: "trials")) }
        let answers = ExtensionTableRow.table["answers"].map { (Demand.answer, $0) }
        return (tried + answers).compactMap { demand, row in
            guard row.events.isEmpty || row.events.contains(event.rawValue),
                host == .external || row.id != "key-on-ciamlogin-host", row.id != "unauthorized"
            else { return nil }
            return Case(name: row.id, title: row.title, demand: demand, severity: row.severity, row: row)
        }
    }

    // MARK: a run

    /// Tries all cases.
    ///
    /// - Parameters:
    ///   - only: The names of cases; none: all.
    ///   - report: Gets each result when it is known.
    /// - Throws: ``JOSEError/unsupportedKey(_:)`` if a password cannot be encrypted.
    public func run(
        _ only: [String] = [], over transport: any Transport, clock: any WallClock, using generator: SeededGenerator,
        report: (Result) -> Void = { _ in }
    ) async throws(JOSEError) -> [Result] {
        var good = call
        if good.token?.host == .external { good.token?.key = .shared }
        let first = try await good.send(over: transport, clock: clock, using: generator.stream("good-token"))
        var results: [Result] = []
        for trial in Self.cases(for: call.event, host: call.token?.host ?? .external)
        where only.isEmpty || only.contains(trial.name) {
            var result = Result(trial: trial, conclusion: .passed)
            if trial.demand == .answer {
                Self.check(answer: first, in: &result)
            } else if trial.name == "good-token" {
                Self.check(goodToken: first, in: &result)
            } else if let reason = Self.obstacle(trial, good: first, before: results) {
                result.conclusion = .notTried(reason: reason)
            } else {
                let outcome = try await attempt(
                    trial, of: good, over: transport, clock: clock, using: generator.stream(trial.name))
                Self.check(outcome, beside: first, in: &result)
            }
            report(result)
            results.append(result)
        }
        return results
    }

    private func attempt(
        _ trial: Case, of good: ExtensionCall, over transport: any Transport, clock: any WallClock,
        using generator: SeededGenerator
    ) async throws(JOSEError) -> ExtensionOutcome {
        var generator = generator
        var call = good
        if trial.demand != .repeated {
            call.correlationID = generator.guid()
            call.nonce = generator.guid()
        }
        Self.attempts.first { $0.name == trial.name }?.change(&call)
        return try await call.send(over: transport, clock: clock, using: generator)
    }

    /// Why a case would show nothing.
    private static func obstacle(_ trial: Case, good: ExtensionOutcome, before: [Result]) -> String? {
        guard let status = good.response?.status else { return "the good call has no answer" }
        if [401, 403].contains(status) { return "the good token is refused, so a refusal shows nothing" }
        if status != 200 { return "the good call has the status \(status)" }
        let others = (coveredBy[trial.name] ?? []) + (trial.demand == .refused ? ["no-token"] : [])
        return others.first { name in before.contains { $0.trial.name == name && $0.isAsTheCaseSays } }
            .map { "\($0) failed, which shows the same" }
    }

    // MARK: conclusions

    private static func check(goodToken good: ExtensionOutcome, in result: inout Result) {
        guard let status = good.response?.status else {
            return result.conclusion = .notTried(reason: "the good call has no answer")
        }
        if [401, 403].contains(status) {
            fail(&result, good, "\(status)")
            result.answer = good.errors.first
        } else if status != 200 {
            result.conclusion = .notTried(reason: "the answer has the status \(status)")
        }
    }

    /// What is found is failed. What follows an error was not read.
    private static func check(answer good: ExtensionOutcome, in result: inout Result) {
        let row = result.trial.row
        let order = ExtensionTableRow.table["answers"].map(\.id)
        func rank(_ name: String) -> Int { order.firstIndex(of: name) ?? 0 }
        if let finding = good.findings.first(where: { $0.id == row.id }) {
            result.conclusion = .failed
            result.answer = finding
            result.finding = finding.message
            result.remedy = finding.remedy
            result.whatServiceDoes = good.whatServiceDoes
            result.whatPersonSees = good.whatPersonSees
        } else if let error = good.errors.first, rank(error.id) < rank(row.id) {
            let name = error.id == "unauthorized" ? "good-token" : error.id
            result.conclusion = .notTried(reason: "\(name) failed, so the rest of the answer is not read")
        }
    }

    private static func check(_ outcome: ExtensionOutcome, beside good: ExtensionOutcome, in result: inout Result) {
        let status = outcome.response?.status
        let words = status.map { "status \($0)" } ?? "no answer"
        let known = Set(good.findings.map(\.id))
        let new = outcome.errors.first { !known.contains($0.id) }
        let isMigration = outcome.action?.type.hasSuffix(".MigratePassword") ?? false
        switch result.trial.demand {
        case .refused:
            guard let status else { return result.conclusion = .notTried(reason: "the call has no answer") }
            guard !(400..<500).contains(status) else { return }
            fail(&result, nil, "\(status)")
            // A function that ends with an error does not let anyone in.
            if status >= 500 {
                result.finding = "answered \(status), expected 401"
                result.whatServiceDoes = "The service does not send such a call."
                result.whatPersonSees = "Nothing."
            }
        case .notMigrated: if isMigration { fail(&result, nil) }
        case .answered: if (status ?? 500) >= 500 { fail(&result, outcome, words) }
        case .probed: if status != 200 { fail(&result, nil, words) }
        case .repeated:
            if let new { return fail(&result, outcome, new.message) }
            let (type, before) = (outcome.action?.type, good.action?.type)
            if let before, type != before { fail(&result, outcome, "\(type ?? "no action"), before \(before)") }
        case .accepted, .answer: if let new { fail(&result, outcome, status == 200 ? new.message : words) }
        }
    }

    /// A failure in the words of the case.
    private static func fail(_ result: inout Result, _ outcome: ExtensionOutcome?, _ value: String = "") {
        let row = result.trial.row
        result.conclusion = .failed
        result.finding = row.message.replacing("{0}", with: value)
        result.remedy = row.remedy
        result.whatServiceDoes = row.does.isEmpty ? outcome?.whatServiceDoes ?? "" : row.does
        result.whatPersonSees = row.sees.isEmpty ? outcome?.whatPersonSees ?? "" : row.sees
    }
}

extension ExtensionToken {
    fileprivate mutating func become(_ caller: String, version: Int) {
        self.caller = caller
        self.version = version
    }
}

extension ExtensionCall {
    /// A token of another tenant's issuer.
    fileprivate mutating func useOtherTenant() {
        let other = ExtensionIssuer(
            tenantID: GUID.derived(from: "another tenant").description, origin: issuer.origin)
        let name = token.map { other.issuer($0.host) }
        token?.issuer = name
    }

    /// Another key under the name of the right one.
    fileprivate mutating func useOtherKey() {
        var key = ExtensionIssuer.strangeKey.jwk
        key.kid = encryption?.key.kid
        encryption?.key = key
    }
}
