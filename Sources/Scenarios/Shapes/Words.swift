import B2CProtocol
import JSON

/// The enumerated words of the scenario language, each with its meaning. Checks, schema and messages all take them
/// from here.
public enum ScenarioWords {
    /// Names of hosted pages, as `on`, `expect.pages` and page records use them.
    public static let pages: [Choice] = [
        Choice("signIn", "The sign-in page, with or without a link to sign up."),
        Choice("signUp", "The page on which a new account is filled in."),
        Choice("editProfile", "The page of a profile-editing policy."),
        Choice("verifyEmail", "The first page of a password reset, which proves the e-mail address."),
        Choice("newPassword", "The page that asks for a new password."),
        Choice("providerSelection", "The page that lists identity providers."),
        Choice("mfa", "The second factor: phone, e-mail or authenticator."),
        Choice("consent", "The page that asks for consent to permissions."),
        Choice("selfAsserted", "Any other page of a policy."),
        Choice("provider", "The identity provider's own page."),
        Choice("signedOut", "The page after signing out."),
        Choice("document", "Any other answer: a document such as the keys, or a page of another site."),
        Choice("error", "A page that reports an error."),
    ]

    /// Purposes of fields, which find the field of that purpose under whatever id the page gives it.
    public static let fields: [Choice] = [
        Choice("username", "The name that signs in: user name or e-mail address."),
        Choice("password", "The current password."),
        Choice("newPassword", "The password to set."),
        Choice("confirmPassword", "The password to set, once more."),
        Choice("email", "An e-mail address."),
        Choice("phone", "A phone number."),
        Choice("code", "A code that was sent or that an authenticator shows."),
        Choice("keepSignedIn", "The box that keeps the session after the browser closes."),
        Choice("captcha", "The characters of a captcha picture."),
    ]

    /// What can be pressed on pages, under whatever id they give it.
    public static let buttons: [Choice] = [
        Choice("signIn", "The button that signs in."),
        Choice("signUp", "The link to create an account."),
        Choice("continue", "The button that submits the page."),
        Choice("cancel", "The button that gives up."),
        Choice("forgotPassword", "The link for a forgotten password."),
        Choice("sendCode", "Sends a code."),
        Choice("resendCode", "Sends another code."),
        Choice("verifyCode", "Has the typed code checked."),
        Choice("changeEmail", "Takes back a verified e-mail address to type another."),
        Choice("call", "Has the phone called."),
        Choice("accept", "Agrees, on a consent or provider page."),
        Choice("deny", "Refuses, on a consent or provider page."),
        Choice("none", "Nothing is pressed: the fields are filled only."),
    ]

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
    public static let errorKinds: [Choice] = [
        Choice("interactionRequired", "The user has to be asked."),
        Choice("userCanceled", "The user closed the browser or cancelled on a page."),
        Choice("declinedScopes", "The server granted less than was asked for."),
        Choice("interactionInProgress", "Another interactive call is running."),
        Choice("noAccount", "There is no such account."),
        Choice("configuration", "The app, its bundle or the call is set up wrongly."),
        Choice("invalidResponse", "The server's answer does not pass the client's checks."),
        Choice("server", "The server answered with an error."),
        Choice("throttled", "The call was not sent, as a recent equal one failed."),
        Choice("network", "The server could not be reached."),
        Choice("storage", "The token cache could not be read or written."),
        Choice("other", "Anything else."),
    ]

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

    /// Why a browser did not store or send a cookie: the `reason` of the event `cookieBlocked`.
    public static let cookieReasons: [Choice] = [
        Choice("thirdParty", "Cookies of another site than the page's are blocked."),
        Choice("sameSite", "The cookie's `SameSite` forbids it here."),
        Choice("secure", "A `Secure` cookie and an address without TLS."),
        Choice("disabled", "The browser keeps no cookies."),
    ]

    /// What can happen to a browser window.
    public static let windowMoves = WindowMove.allCases.map { Choice($0.rawValue, $0.doc) }

    /// What a target must be able to do.
    public static let capabilities = Capability.allCases.map { Choice($0.rawValue, $0.doc) }

    /// Where scenarios run.
    public static let targets: [Choice] = [
        Choice("in-process", "The mock authority inside the command, without sockets."),
        Choice("mock-server", "The mock authority on the network."),
        Choice("live", "A real tenant."),
    ]

    /// What `inspect` looks at.
    public static let inspected: [Choice] = [
        Choice("cache", "The client's token cache."),
        Choice("cookies", "The browser's cookies."),
        Choice("storage", "The browser's local and session storage of the app's origin."),
        Choice("users", "The directory."),
        Choice("inbox", "The messages sent to people."),
        Choice("keys", "The key sets."),
    ]

    /// What `restart` starts anew.
    public static let restarted: [Choice] = [
        Choice("app", "The app's process, or the page in its tab."),
        Choice("browser", "All tabs; session cookies and session storage end."),
        Choice("device", "The device with everything on it."),
        Choice("api", "An API; it forgets the keys it read."),
    ]

    /// What `restart` can wipe.
    public static let wiped: [Choice] = [
        Choice("cookies", "The browser's cookies."),
        Choice("storage", "The app's storage."),
        Choice("cache", "The token cache."),
    ]

    /// Signature algorithms of minted tokens.
    public static let mintAlgorithms: [Choice] = [
        Choice("RS256", "RSA with SHA-256, as the authority signs."),
        Choice("HS256", "HMAC with the public key's text as secret, a known attack."),
        Choice("none", "No signature."),
    ]

    /// What is changed in a minted token after it was signed.
    public static let tampered: [Choice] = [
        Choice("payload", "The claims, so that the signature no longer fits."),
        Choice("signature", "The signature itself."),
    ]

    /// The words of `prompt`.
    public static let prompts = PromptKind.allCases.map { Choice($0.rawValue, $0.doc) }
}
