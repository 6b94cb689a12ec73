import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON

/// One of the requests of a call, with its answer or why there is none.
public struct ExtensionAttempt: Sendable {
    public var response: ResponseMessage?
    public var failure: TransportError?
    public var milliseconds: Int64

    /// Sends a request. An answer after the limit does not count.
    init(_ request: RequestMessage, over transport: any Transport, clock: any WallClock, limit: TimeSpan) async {
        let start = clock.now()
        do throws(TransportError) {
            response = try await transport.send(request, ExchangeContext(timeout: limit))
        } catch {
            failure = error
        }
        let taken = clock.now() - start
        milliseconds = taken.milliseconds
        if taken > limit { (response, failure) = (nil, .timeout) }
    }
}

/// What is wrong with an answer.
public struct ExtensionFinding: Hashable, Sendable {
    /// Our name, such as `content-type`.
    public var id: String
    /// The rule that finds it, such as `B2C-EXT-012`.
    public var rule: String
    /// The row of the service's table, such as 1003006; `nil` for a remark of ours, with which the service goes on.
    public var code: Int?
    /// The service's name of the row; ours if there is none.
    public var name: String
    public var message: String
    public var remedy: String
    public var severity: Severity
    /// The place in the body of the answer.
    public var pointer: JSONPointer?
    /// The documents do not say that the service does this.
    public var isInferred: Bool

    /// The service's table of errors, by number. Some rows are about the set-up in the tenant, not about an answer.
    public static let serviceTable: [(code: Int, name: String, meaning: String)] =
        ExtensionTableRow.table["service"].map { (Int($0.id) ?? 0, $0.name ?? "", $0.title) }

    /// What is wrong with our own tables.
    package static var tableProblems: [String] {
        let rows = ExtensionTableRow.table["answers"]
        let unknown = rows.compactMap(\.code).filter { code in !serviceTable.contains { "\($0.code)" == code } }
        let codeless = rows.filter { ($0.code == nil) != $0.warning }.map(\.id)
        let ids = ExtensionRule.all.map(\.id)
        let repeated = ids.filter { id in !id.hasPrefix("B2C-EXT-") || ids.count { $0 == id } > 1 }
        return ExtensionTableRow.table.problems + unknown + codeless + repeated
    }
}

/// What came back from an extension, and what the service does with it.
public struct ExtensionOutcome: Sendable {
    public internal(set) var attempts: [ExtensionAttempt]
    /// The body that was sent.
    public internal(set) var body: JSONObject
    /// The action that the service carries out; `nil` if it does not accept the answer.
    public internal(set) var action: ExtensionAction?
    /// The members of the answer's action, as they were sent: they can hold what was typed.
    public internal(set) var members = JSONObject()
    public internal(set) var findings: [ExtensionFinding] = []
    let secrets: [String]

    /// The claims or attributes of the action.
    public var claims: JSONObject {
        ["claims", "inputs", "attributes"].compactMap { members[$0]?.objectValue }.first ?? [:]
    }

    /// The last answer.
    public var response: ResponseMessage? { attempts.last?.response }

    /// The findings with which the service does not go on.
    public var errors: [ExtensionFinding] { findings.filter { $0.severity == .error } }

    /// What the service does, in a sentence or two (Microsoft docs: custom-extension-troubleshoot).
    public var whatServiceDoes: String {
        guard let error = errors.first else { return action?.row.does ?? "" }
        let code = "\(error.code ?? 0) \(error.name)\(error.isInferred ? " (inferred)" : "")"
        return "It ends the sign-in. The app gets AADSTS1100001 or AADSTS1100000 without the reason."
            + " The sign-in log has \(code)."
    }

    /// What the person sees, in a sentence or two.
    public var whatPersonSees: String {
        guard errors.isEmpty else { return "The app's own error page. For a SAML app it is a page of the service." }
        var text = action?.row.sees ?? ""
        for name in ["title", "message"] {
            text = text.replacing("{\(name)}", with: members[name]?.stringValue ?? "")
        }
        return masked(text)
    }

    /// A text without the passwords, the code and the token that were sent.
    public func masked(_ text: String) -> String {
        let patterns = secrets.flatMap { SecretSpelling.all(of: $0) }.flatMap { SecretSpelling.cases(of: $0) }
        return TextMask(patterns.map { TextMask.Spelling(exactly: $0, label: "***") }, isExact: true).masked(text)
    }

    /// Adds findings without secrets in them.
    mutating func note(_ found: [ExtensionFinding]) {
        let shown = found.map { finding in
            var finding = finding
            finding.message = masked(finding.message)
            finding.remedy = masked(finding.remedy)
            finding.pointer = finding.pointer.map { JSONPointer(tokens: $0.tokens.map(masked)) }
            return finding
        }
        findings += shown
    }
}
