/// How much a finding matters. Only an error keeps a command from going on.
public enum Severity: String, Comparable, Sendable, CaseIterable {
    /// A hint that something could be better; nothing is wrong.
    case advice
    /// Something that is probably a mistake.
    case warning
    /// Something that cannot be used as it stands.
    case error

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .advice: 0
        case .warning: 1
        case .error: 2
        }
    }
}
