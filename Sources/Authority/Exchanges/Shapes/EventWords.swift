import JSON

/// What the records of the events log can hold.
package enum EventWords {
    /// The title of the shape of an event, and of a trace record.
    package static let title = "event record"
    package static let traceTitle = "trace record"

    /// What the token cache holds, as `item` names it.
    package static let items: [Choice] = [
        Choice("accessToken", "An access token."),
        Choice("refreshToken", "A refresh token."),
        Choice("idToken", "An ID token."),
        Choice("account", "An account."),
        Choice("accountMetadata", "Which account is signed in where."),
        Choice("appMetadata", "What is known of the app."),
    ]

    private static let members: [String: [String]] = [
        "cacheRead": ["item", "account", "service", "found"],
        "cacheWrite": ["item", "account", "service"],
        "cacheDelete": ["item", "account", "service"],
        "keychainError": ["status", "detail"],
        "browserOpened": ["url", "webview"],
        "browserClosed": [],
        "newTab": [],
        "callback": ["url", "handled", "reason", "error"],
        "cookieBlocked": ["cookie", "reason"],
        "corsBlocked": ["url", "detail"],
        "frameBlocked": ["header", "url"],
        "retry": ["url", "reason", "after"],
        "throttled": ["kind", "secondsLeft"],
        "completion": ["queue"],
    ]

    /// The members that an event of a type has; `nil` for an unknown type.
    package static func members(of type: String) -> [String]? {
        members[type].map { ["type", "client"] + $0 }
    }

    /// The members of events of any type.
    package static let all = [
        "type", "client", "item", "account", "service", "found", "status", "detail", "url", "webview", "handled",
        "reason", "error", "cookie", "header", "after", "kind", "secondsLeft", "queue",
    ]
}
