import B2CProtocol
import JSON

/// What an app's completion handler is given when a call fails, with every member a script can match.
///
/// `kind` means the same for every client library; all other members are as that library reports them, absent when it
/// does not.
public struct ClientError: Error, Sendable, Hashable {
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
    /// Of declined scopes: those that were granted, reserved ones left out.
    public var grantedScopes: [String]?
    /// Of declined scopes: those that were asked for and not granted.
    public var declinedScopes: [String]?
    /// Of declined scopes: the token result the app may still use.
    public var partialResult: JSONValue?
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

    /// This error as a call throws it.
    func asThrown() -> ClientError {
        var error = self
        error.thrown = true
        return error
    }

    /// A call that the app's library does not have, or not in its configuration.
    static func notOffered(by library: String, _ reason: String) -> ClientError {
        ClientError(.configuration, domain: "b2c", code: "notOffered", description: "\(library): \(reason).")
    }

    /// The first AADB2C code in the description, else down the chain of underlying errors.
    public var b2cCode: String? {
        if let description, let code = Self.firstB2CCode(in: description) { return code }
        return underlying?.b2cCode
    }

    /// The members that are there, in the order of the language reference.
    public var json: JSONObject {
        var object = JSONObject()
        object["kind"] = .string(kind.rawValue)
        object["domain"] = .string(domain)
        object["code"] = code.json
        object["name"] = name.map { .string($0) }
        object["internalCode"] = internalCode.map { .integer(Int64($0)) }
        object["internalName"] = internalName.map { .string($0) }
        object["oauthError"] = oauthError.map { .string($0) }
        object["subError"] = subError.map { .string($0) }
        object["description"] = description.map { .string($0) }
        object["b2cCode"] = b2cCode.map { .string($0) }
        object["correlationId"] = correlationId.map { .string($0) }
        object["stsCodes"] = stsCodes.map { .array($0.map { .integer($0) }) }
        object["httpStatus"] = httpStatus.map { .integer(Int64($0)) }
        object["retryAfter"] = retryAfter.map { .integer($0) }
        object["throttled"] = throttled.map { .bool($0) }
        object["thrown"] = thrown.map { .bool($0) }
        object["grantedScopes"] = grantedScopes.map { .array($0.map { .string($0) }) }
        object["declinedScopes"] = declinedScopes.map { .array($0.map { .string($0) }) }
        object["partialResult"] = partialResult
        object["displayableUserId"] = displayableUserId.map { .string($0) }
        object["homeAccountId"] = homeAccountId.map { .string($0) }
        object["underlying"] = underlying.map { .object($0.json) }
        return object
    }

    private static func firstB2CCode(in text: String) -> String? {
        let mark = Array("AADB2C".utf8)
        let bytes = Array(text.utf8)
        guard bytes.count > mark.count else { return nil }
        for start in 0..<(bytes.count - mark.count) where bytes[start..<start + mark.count].elementsEqual(mark) {
            let digits = bytes[(start + mark.count)...].prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { continue }
            return String(decoding: mark + digits, as: UTF8.self)
        }
        return nil
    }
}
