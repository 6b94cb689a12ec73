import Determinism
import JSON
import Journeys

/// What a state store is to write: the difference that one decision made.
public enum RowChange: Sendable {
    /// A row is there from now on, or has another content.
    case put(TableName, key: String, KeptRow)
    /// A row is gone.
    case remove(TableName, key: String)
    /// All rows of all tables are gone: everything is as it was at the beginning.
    case clear

    /// The name of a table. Others than the authority have tables of their own.
    public struct TableName: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Accounts that were made, changed or removed at run time, by object id.
        public static let accounts = TableName(rawValue: "accounts")
        /// Wrong passwords of accounts, by object id.
        public static let lockouts = TableName(rawValue: "lockouts")
        /// Single sign-on sessions, by id.
        public static let sessions = TableName(rawValue: "sessions")
        /// Authorization codes, by the id that their text stands for.
        public static let codes = TableName(rawValue: "codes")
        /// Refresh tokens, by the id that their text stands for.
        public static let refreshTokens = TableName(rawValue: "refreshTokens")
        /// Messages that went out, by number.
        public static let messages = TableName(rawValue: "messages")
        /// One row: since when keys are published.
        public static let keys = TableName(rawValue: "keys")
        /// Plain directory: what people have allowed apps, by app and account.
        public static let consents = TableName(rawValue: "consents")
        /// Plain directory: failed sign-ins and revocations, by person.
        public static let standings = TableName(rawValue: "standings")
    }
}

/// The content of a row. It is turned into JSON when it is written, not while requests are decided.
public struct KeptRow: Sendable {
    enum Content: Sendable {
        case account(Account)
        /// The account was removed.
        case removedAccount
        case lockout(SmartLockout)
        case session(Session)
        case code(CodeGrant, issuer: String)
        case spentCode(SpentCode)
        case refreshToken(RefreshGrant, until: Timestamp)
        case message(OutboxMessage)
        case keys([String: [String: Int64]])
        case json(JSONValue)
    }

    private let content: Content

    init(_ content: Content) { self.content = content }

    /// A row of a table that is not the authority's.
    public init(_ json: JSONValue) { content = .json(json) }

    /// The row as a document.
    public var json: JSONValue {
        switch content {
        case .account(let account): .object(account.json)
        case .removedAccount: .null
        case .lockout(let lockout): .object(lockout.json)
        case .session(let session): .object(session.json)
        case .code(let grant, let issuer): .object(grant.json(issuer: issuer))
        case .spentCode(let code): .object(code.json)
        case .refreshToken(let grant, let until): .object(grant.json(until: until))
        case .message(let message): .object(message.json)
        case .keys(let ages):
            .object(
                JSONObject(
                    ages.sorted { $0.key < $1.key }.map { set, keys in
                        (set, .object(JSONObject(keys.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })))
                    }))
        case .json(let json): json
        }
    }
}
