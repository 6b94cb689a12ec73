import Verbs

/// One row of a table from what happens to what an app sees.
public struct FailureRow: Sendable, Hashable {
    /// A stable name: `I` interactive, `Q` silent, `P` parameters, `U` unconverted, with a number.
    public let id: String
    /// What happens.
    public let input: String
    /// What the completion handler is given.
    public let outcome: FailureOutcome
    /// A remark on the outcome.
    public let note: String?
}

/// What a completion handler is given, by domain and numbers.
public enum FailureOutcome: Sendable, Hashable, CustomStringConvertible {
    /// A result.
    case success
    /// An error of `MSALErrorDomain`; the second number is the value of `MSALInternalErrorCodeKey`.
    case msal(Int, Int? = nil)
    /// An error of another domain.
    case foreign(String, Int)

    /// The numbers as people write them: `-50000/-42004`.
    public var description: String {
        switch self {
        case .success: "success"
        case .msal(let code, nil): "\(code)"
        case .msal(let code, let inner?): "\(code)/\(inner)"
        case .foreign(let domain, let code): "\(domain) \(code)"
        }
    }

    /// The outcome an error is.
    public init(_ error: ClientError) {
        guard case .number(let code) = error.code else {
            self = .foreign(error.domain, 0)
            return
        }
        self = error.domain == MSALErrorTable.domain ? .msal(code, error.internalCode) : .foreign(error.domain, code)
    }
}

func row(_ id: String, _ input: String, _ outcome: FailureOutcome, note: String? = nil) -> FailureRow {
    FailureRow(id: id, input: input, outcome: outcome, note: note)
}

/// All tables of what goes wrong, for looking an error up.
public enum FailureTables {
    /// Every row of every table.
    public static let all =
        InteractiveFailureTable.rows + SilentFailureTable.rows + DeveloperParameterTable.rows
        + UnconvertedErrorTable.rows

    /// The rows that end in a number, public or internal.
    public static func rows(endingIn number: Int) -> [FailureRow] {
        all.filter { row in
            switch row.outcome {
            case .success: false
            case .msal(let code, let inner): inner == number || (inner == nil && code == number)
            case .foreign(_, let code): code == number
            }
        }
    }
}
