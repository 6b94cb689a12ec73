import B2CProtocol
import Exchanges
import JSON

/// What an app's completion handler is given when a call fails, with every member a script can match.
///
/// `kind` means the same for every client library; all other members are as that library reports them, absent when it
/// does not.
public struct ClientError: ResultRecord, Error, Hashable {
    /// `NSError.code` in libraries that have numbers, a word in those that have words.
    public enum Code: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
        /// MSAL for iOS and macOS, `NSURLErrorDomain` and the like.
        case number(Int)
        /// Libraries whose errors have names, such as MSAL.js.
        case text(String)

        public init(integerLiteral value: Int) { self = .number(value) }
        public init(stringLiteral value: String) { self = .text(value) }

        /// The number or the text.
        public var json: JSONValue {
            switch self {
            case .number(let number): .integer(Int64(number))
            case .text(let text): .string(text)
            }
        }
    }

    /// What it means, in one word for all clients.
    public var kind: ClientErrorKind
    /// `NSError.domain`, such as `MSALErrorDomain`.
    public var domain: String
    /// The code in that domain.
    public var code: Code
    /// The name of the code, such as `interactionRequired`.
    public var name: String?
    /// `MSALInternalErrorCodeKey`, such as -42004.
    public var internalCode: Int?
    /// The name of the internal code, such as `invalidGrant`.
    public var internalName: String?
    /// The server's `error`.
    public var oauthError: String?
    /// The server's `suberror`.
    public var subError: String?
    /// The server's `error_description`, or the library's own text.
    public var description: String?
    /// The correlation id of the call, in upper case as `NSUUID` writes it.
    public var correlationId: String?
    /// The server's `error_codes`.
    public var stsCodes: [Int64]?
    /// The HTTP status of an answer that was neither 200, 400 nor 401.
    public var httpStatus: Int?
    /// Seconds the server asked to wait.
    public var retryAfter: Int64?
    /// True when the error was served from the throttling cache.
    public var throttled: Bool?
    /// True when the call threw the error in the app's own code, so that no completion handler ran.
    public var thrown: Bool?
    /// Of declined scopes: those that were granted, without reserved ones.
    public var grantedScopes: [String]?
    /// Of declined scopes: those that were asked for and not granted.
    public var declinedScopes: [String]?
    /// Of declined scopes: the token result the app may still use.
    package var partialResult: TokenResult?
    /// Of protection policies: the user's name.
    public var displayableUserId: String?
    /// Of protection policies: the user's home account id.
    public var homeAccountId: String?
    /// The inner error.
    public var underlying: ClientError? {
        get { inner.first }
        set { inner = newValue.map { [$0] } ?? [] }
    }
    private var inner: [ClientError] = []

    /// An error with nothing but its place in the world; all other members are absent.
    public init(_ kind: ClientErrorKind, domain: String, code: Code, name: String? = nil, description: String? = nil) {
        self.kind = kind
        self.domain = domain
        self.code = code
        self.name = name
        self.description = description
    }

    /// The first AADB2C code in the description, else down the chain of underlying errors.
    public var b2cCode: String? {
        if let description, let code = AADB2C.firstCode(in: description) { return code }
        return underlying?.b2cCode
    }

    /// The name of the shape that matches it.
    package static let shapeName = "error"

    public static let members: [ResultMember<ClientError>] = {
        let texts = ResultForm<String>.text.list()
        let kind = ResultForm<ClientErrorKind>(shape: MatcherShapes.word(ClientErrorKind.choices)) {
            .string($0.rawValue)
        }
        var table = ResultTable<ClientError>()
        table.add("kind", kind, "What went wrong, in the same word for every client.") { $0.kind }
        table.add("domain", .text, "The error domain, such as `MSALErrorDomain`.") { $0.domain }
        table.add("code", .json(MatcherShapes.matcher), "The code that the client's API gives.") { $0.code.json }
        table.add("name", .text, "The code's name.") { $0.name }
        table.add("internalCode", .number, "The library's inner code.") { $0.internalCode }
        table.add("internalName", .text, "The inner code's name.") { $0.internalName }
        table.add("oauthError", .text, "The OAuth error as received.") { $0.oauthError }
        table.add("subError", .text, "The sub-error as received.") { $0.subError }
        table.add("description", .text, "The description as received.") { $0.description }
        table.add("b2cCode", .text, "The first AADB2C code in the description or the errors beneath.") { $0.b2cCode }
        table.add("correlationId", .text, "The id that ties the call to the server's logs.") { $0.correlationId }
        table.addUncompared("stsCodes") { $0.stsCodes.map { .array($0.map { .integer($0) }) } }
        table.add("httpStatus", .number, "The HTTP status.") { $0.httpStatus }
        table.add("retryAfter", .number, "Seconds after which to try again.") { $0.retryAfter.map { Int($0) } }
        table.add("throttled", .flag, "Whether the answer came from a throttling cache.") { $0.throttled }
        table.add("thrown", .flag, "Whether the call threw it, so that no completion handler ran.") { $0.thrown }
        table.add("grantedScopes", texts, "The scopes that were granted.") { $0.grantedScopes }
        table.add("declinedScopes", texts, "The scopes that were not.") { $0.declinedScopes }
        table.addUncompared("partialResult") { $0.partialResult?.json }
        table.addUncompared("displayableUserId") { $0.displayableUserId.map { .string($0) } }
        table.addUncompared("homeAccountId") { $0.homeAccountId.map { .string($0) } }
        table.add("underlying", .part(shapeName), "The inner error.") { $0.underlying }
        return table.members
    }()

    /// `correlationId` is documented before the code, and written behind it.
    public static let fields: [Field] = {
        var fields = members.filter(\.isCompared).map(\.field)
        if let place = fields.firstIndex(where: { $0.name == "correlationId" }) { fields.swapAt(place, place - 1) }
        return fields
    }()
}
