import JSON

/// The words in the records of exchanges and in fault rules, each with its meaning.
public enum ExchangeWords {
    /// What requests are sent to.
    public static let endpoints: [Choice] = [
        Choice("discovery", "The OpenID Connect discovery document of a policy."),
        Choice("keys", "The published signing keys."),
        Choice("authorize", "The authorization endpoint."),
        Choice("page", "Posts and navigations of a hosted page."),
        Choice("token", "The token endpoint."),
        Choice("userinfo", "The UserInfo endpoint."),
        Choice("logout", "The end-session endpoint."),
        Choice("callback", "The handing over of a redirect URI to an app; nothing travels."),
        Choice("template", "The HTML template of a page."),
        Choice("provider", "An identity provider."),
        Choice("rest", "A REST service that a policy calls."),
        Choice("api", "A protected API."),
        Choice("graph", "Microsoft Graph."),
        Choice("instanceDiscovery", "Instance discovery of a directory tenant."),
        Choice("userRealm", "User realm discovery of a directory tenant."),
        Choice("other", "Anything else."),
    ]

    /// Endpoints that the wire verbs can address.
    public static let wireEndpoints = endpoints.filter {
        ["discovery", "keys", "authorize", "token", "userinfo", "logout"].contains($0.value)
    }

    /// Who sends a request.
    public static let parties: [Choice] = [
        Choice("client", "The app or its library."),
        Choice("browser", "The browser, for a person or a page."),
        Choice("authority", "The authority, calling a service or provider."),
        Choice("api", "A protected API, reading the authority's keys."),
    ]

    /// Ways in which a transport fails.
    public static let networkFailures: [Choice] = [
        Choice("offline", "There is no network; nothing leaves."),
        Choice("refused", "The peer refuses the connection."),
        Choice("reset", "The connection breaks before an answer."),
        Choice("dns", "The host name does not resolve."),
        Choice("timeout", "No answer comes in time."),
        Choice("tls", "The secure connection fails."),
        Choice("truncated", "The answer ends in the middle."),
    ]

    /// Why a browser keeps an answer from the page or script that asked.
    public static let blockedReasons: [Choice] = [
        Choice("cors", "The answer does not allow the origin of the script."),
        Choice("frame", "The answer refuses to be shown in a frame."),
    ]
}
