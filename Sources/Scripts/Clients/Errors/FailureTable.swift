import CAssets
import Diagnostics
import JSON
import Records
import Verbs

/// One row of a table from what happens to what an app sees.
public struct FailureRow: TableRow {
    /// A stable name: `I` interactive, `Q` silent, `P` parameters, `U` unconverted, with a number.
    public private(set) var id = ""
    /// What happens.
    public private(set) var input = ""
    /// What the completion handler is given.
    public private(set) var outcome = FailureOutcome.success
    /// A remark on the outcome.
    public private(set) var note: String?

    package init() {}

    package static let title = "a failure"
    package static let summary = "What happens, and what an app sees."
    package static let settings: [Setting<FailureRow>] = {
        var table = SettingsTable<FailureRow>()
        table.add("id", \.id, .nonEmpty, "A stable name: a letter and a number.", required: true)
        table.add("input", \.input, .nonEmpty, "What happens.", required: true)
        table.add("outcome", \.outcome, FailureOutcome.codec, "What the handler is given.", required: true)
        table.add("note", \.note, .optionalText, "A remark on the outcome.")
        return table.rows
    }()
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

    /// `success`, the numbers as people write them, or a domain with its number.
    static let codec = Codec<FailureOutcome>(
        shape: .string,
        decode: { value, cursor in
            if value == .string("success") { return .success }
            let words = value.stringValue?.split(separator: " ") ?? []
            let parts = (words.last ?? "").split(separator: "/")
            let numbers = parts.compactMap { Int($0) }
            if numbers.count == parts.count {
                switch (words.count, parts.count) {
                case (1, 1): return .msal(numbers[0])
                case (1, 2): return .msal(numbers[0], numbers[1])
                case (2, 1): return .foreign(String(words[0]), numbers[0])
                default: break
                }
            }
            return cursor.expected("\"success\", -50000/-42004 or a domain with its number", value)
        },
        encode: { .string($0.description) })

    /// The outcome an error is.
    public init(_ error: ClientError) {
        guard case .number(let code) = error.code else {
            self = .foreign(error.domain, 0)
            return
        }
        self = error.domain == MSALErrorTable.domain ? .msal(code, error.internalCode) : .foreign(error.domain, code)
    }
}

/// All tables of what goes wrong, for looking an error up.
public enum FailureTables {
    package static let table = RecordTable<FailureRow>(asset_failures().data)

    /// Every row of every table.
    public static let all = table.rows
    /// What can go wrong between `acquireToken` and its completion handler.
    package static let interactive = table["interactive"]
    /// What can go wrong between `acquireTokenSilent` and its completion handler.
    package static let silent = table["silent"]
    /// What a developer can pass wrongly.
    package static let parameters = table["parameters"]
    /// Errors that reach an app without the library's converter.
    package static let unconverted = table["unconverted"]

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
