import Diagnostics

/// One rule of `b2c validate`: what it demands, why, and what it looks like when it is met and when it is not.
public struct Rule: Sendable, Hashable {
    /// Stable id, such as `B2C-URI-003`.
    public var id: String
    /// The severity of its findings, unless one says otherwise.
    public var severity: Severity
    /// What is demanded, in one sentence with a full stop.
    public var demand: String
    /// What happens to an app, a sign-in or an upload when it is not met.
    public var reason: String
    /// Text that breaks the rule.
    public var bad: String
    /// The same text as it should be.
    public var good: String
    /// The document or standard that the rule comes from.
    public var source: String
    /// Rows of the tutorials' requirement lists that the rule checks, such as `C08`.
    public var rows: [String]
    /// What the service says when the mistake reaches it, with names replaced by «...»; empty where it says nothing.
    public var serviceTexts: [String]

    public init(
        _ id: String, _ severity: Severity, _ demand: String, why reason: String, bad: String, good: String,
        source: String, rows: [String] = [], serviceTexts: [String] = []
    ) {
        self.id = id
        self.severity = severity
        self.demand = demand
        self.reason = reason
        self.bad = bad
        self.good = good
        self.source = source
        self.rows = rows
        self.serviceTexts = serviceTexts
    }

    /// The family a rule belongs to: the middle of its id.
    public var family: Family { Family(ruleID: id) ?? .project }

    /// What a rule is about.
    public enum Family: String, Sendable, CaseIterable {
        case uri = "URI"
        case project = "APP"
        case configuration = "CFG"
        case registration = "REG"
        case discovery = "DISC"
        case token = "TOK"
        case policy = "POL"
        case validation = "VAL"

        init?(ruleID: String) {
            let parts = ruleID.split(separator: "-")
            guard parts.count == 3, let family = Family(rawValue: String(parts[1])) else { return nil }
            self = family
        }

        /// The family in words.
        public var title: String {
            switch self {
            case .uri: "Redirect URIs"
            case .project: "App projects"
            case .configuration: "Configuration files"
            case .registration: "App registrations"
            case .discovery: "Discovery documents"
            case .token: "Tokens"
            case .policy: "Custom policies"
            case .validation: "The validation itself"
            }
        }
    }
}

/// All rules, by family and number.
public enum Rules {
    /// Every rule, in the order of families and numbers.
    public static let all: [Rule] =
        uri + project + configuration + registration + discovery + token + policy + validation

    private static let byID: [String: Rule] = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

    /// A rule by its id, in any letter case.
    public static func named(_ id: String) -> Rule? { byID[id.uppercased()] }
}
