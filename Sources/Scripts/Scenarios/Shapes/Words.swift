import JSON
import TenantFiles
import Verbs

/// The enumerated words of the scenario language, each with its meaning. Checks, schema and messages all take them
/// from here.
public enum ScenarioWords {
    /// Kinds of messages to people.
    public static let messageKinds: [Choice] = [
        Choice("email", "An e-mail."),
        Choice("sms", "A text message."),
        Choice("call", "A phone call."),
        Choice("captcha", "No message: what a captcha's picture shows, for the person that the script plays."),
    ]

    /// Kinds of events.
    public static let events: [Choice] = [
        Choice("cacheWrite", "An item was written to the token cache."),
        Choice("cacheRead", "An item was read from the token cache."),
        Choice("cacheDelete", "An item was removed from the token cache."),
        Choice("keychainError", "The keychain refused."),
        Choice("browserOpened", "A browser, session or web view opened."),
        Choice("browserClosed", "A browser, session or web view closed."),
        Choice("newTab", "What came after a page came in a tab of its own."),
        Choice("callback", "A redirect URI reached the app, or did not; `handled` says whether the library took it."),
        Choice("cookieBlocked", "A cookie was not stored or not sent."),
        Choice("corsBlocked", "A page's request was refused by the browser's origin rules."),
        Choice("frameBlocked", "A page refused to be shown in a frame."),
        Choice("retry", "The client tried again by itself."),
        Choice("throttled", "A call was answered from a throttling cache."),
        Choice("completion", "A completion handler ran."),
    ]

    /// Kinds of errors, the same for every client.
    public static let errorKinds = ClientErrorKind.choices

    /// Why an operation waits.
    public static let pendingReasons: [Choice] = [
        Choice("page", "A page is showing and nobody acts."),
        Choice("abandoned", "The user left the page by Back."),
        Choice("callbackLost", "The redirect to the app got lost."),
        Choice("callbackUndeliverable", "No app takes the redirect URI's scheme."),
        Choice("callbackNotForwarded", "The app took the redirect URI and did not hand it to the library."),
        Choice("callbackNotRecognised", "The library says that the redirect URI is not for it."),
        Choice("noAnswer", "The peer has not answered yet."),
    ]

    /// Why a browser did not store or send a cookie: the `reason` of the event `cookieBlocked`.
    public static let cookieReasons: [Choice] = [
        Choice("thirdParty", "Cookies of another site than the page's are blocked."),
        Choice("sameSite", "The cookie's `SameSite` forbids it here."),
        Choice("secure", "A `Secure` cookie and an address without TLS."),
        Choice("disabled", "The browser keeps no cookies."),
    ]

    /// What a target must be able to do.
    public static let capabilities = Capability.allCases.map { Choice($0.rawValue, $0.doc) }

    /// Where scenarios run.
    public static let targets: [Choice] = [
        Choice("in-process", "The mock authority inside the command, without sockets."),
        Choice("mock-server", "The mock authority on the network."),
        Choice("live", "A real tenant."),
    ]
}
