/// One key of an MSAL error's `userInfo` (MSALError.h). A key's text equals the name of its constant.
public struct ErrorUserInfoKey: Sendable, Hashable {
    /// The constant, such as `MSALOAuthErrorKey`.
    public let name: String
    /// The type of its value in Objective-C terms.
    public let type: String
    /// When it is there.
    public let filled: String
    /// The member of ``ClientError`` (and of an outcome's `error`) that carries it; `nil` when none does.
    public let member: String?
}

/// The keys of an MSAL error's `userInfo`. `NSLocalizedDescription` is never among them.
public enum ErrorUserInfoKeys {
    /// Every key.
    public static let all: [ErrorUserInfoKey] = [
        key("MSALOAuthErrorKey", "String", "the server gave an OAuth error", member: "oauthError"),
        key("MSALOAuthSubErrorKey", "String", "the server gave a suberror", member: "subError"),
        key("MSALOAuthSubErrorDescriptionKey", "String", "rare: text of the suberror", member: nil),
        key(
            "MSALErrorDescriptionKey", "String", "the server's error_description, or a text of the library",
            member: "description"),
        key(
            "MSALSTSErrorCodesKey", "[NSNumber]", "the answer's error_codes, also lifted from the underlying error",
            member: "stsCodes"),
        key("MSALInternalErrorCodeKey", "NSNumber", "only together with code -50000", member: "internalCode"),
        key("MSALHTTPHeadersKey", "NSDictionary", "HTTP answers other than 200, 400 and 401", member: nil),
        key("MSALHTTPResponseCodeKey", "String", "the same; a text such as \"503\"", member: "httpStatus"),
        key("MSALCorrelationIDKey", "String", "whenever a request had begun", member: "correlationId"),
        key("MSALDeclinedScopesKey", "[String]", "-50003", member: "declinedScopes"),
        key("MSALGrantedScopesKey", "[String]", "-50003", member: "grantedScopes"),
        key("MSALInvalidResultKey", "MSALResult", "-50003: the partial result", member: "partialResult"),
        key("MSALDisplayableUserIdKey", "String", "-50004 and broker cases", member: "displayableUserId"),
        key("MSALHomeAccountIdKey", "String", "-50004 and broker cases", member: "homeAccountId"),
        key("MSALBrokerVersionKey", "String", "broker", member: nil),
        key(
            "MSALThrottlingCacheHitKey", "NSNumber 1", "the error was served from the throttling cache",
            member: "throttled"),
        key("NSUnderlyingErrorKey", "NSError", "the inner error, converted by the same rules", member: "underlying"),
        key("MSIDServerUnavailableStatusKey", "NSNumber", "leaks through unmapped: HTTP 5xx", member: nil),
        key(
            "MSIDHTTPResponseStringKey", "String", "leaks through unmapped: first ten characters of the body",
            member: nil),
    ]

    private static func key(_ name: String, _ type: String, _ filled: String, member: String?) -> ErrorUserInfoKey {
        ErrorUserInfoKey(name: name, type: type, filled: filled, member: member)
    }
}
