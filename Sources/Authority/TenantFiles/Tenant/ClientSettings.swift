import B2CProtocol
import Determinism
import JSON
import Records

/// `apps.NAME.client`.
public struct ClientSettings: TenantRecord {
    public var kind = ClientKind.msalIOS
    public var clientId = ""
    public var clientSecret: String?
    public var redirectUri = ""
    public var policy: String?
    public var authority: String?
    public var authorityForm = AuthorityForm.tfp
    public var authorityType = AuthorityType.b2c
    public var knownAuthorities = KnownAuthorities.all
    public var scopes: [String] = []
    public var prompt = PromptKind.promptIfNecessary
    public var extraQueryParameters = JSONObject()
    public var responseType = "code"
    public var responseMode: String?
    public var interaction = InteractionKind.popup
    /// How many accounts an Android app works with.
    public var accountMode = AccountMode.multiple
    public var storage = StorageKind.session
    /// What local storage holds is encrypted with a key in a session cookie.
    public var storageEncrypted = false
    public var temporaryStorage = TemporaryStorageKind.session
    public var handlesRedirect = true
    public var cacheAttached = true
    public var singleFlight = true
    public var requestState = RequestStateKind.perRequest
    public var expiryBuffer = TimeSpan.minutes(5)
    public var throttling = true
    public var extendedLifetime = false
    public var serverRetries = 1
    public var iframeTimeout = TimeSpan.seconds(10)
    public var stateCookie = StateCookieSettings()
    public var loadUserInfo = false
    public var useBroker = false
    public var checks = ClientChecks()
    public var quirks: [ClientQuirk] = []

    public init() {}

    package static let title = "client"
    package static let summary = "What the code of an app says to its library."
    package static let settings: [Setting<ClientSettings>] = {
        var table = SettingsTable<ClientSettings>()
        table.add("kind", \.kind, .word(), "The library.", default: "`msal-ios`, or that of `platform.os`")
        table.add("clientId", \.clientId, .nonEmpty, "Application (client) id.", default: "that of the registration")
        table.add(
            "clientSecret", \.clientSecret, .optionalText, "Client secret of a confidential client.",
            default: "the first of the registration",
            limit: .kinds(where: \.runsOnServer, "it is a public client, which sends no secret; an `http` step can"))
        table.add(
            "redirectUri", \.redirectUri, .nonEmpty, "Redirect URI.",
            default:
                "that of the kind: `msauth.BUNDLE://auth` for MSAL on Apple systems, on iOS `msalCLIENTID://auth` where `urlSchemes` has that scheme alone"
        )
        table.add(
            "policy", \.policy, .optionalName(.policy), "Policy of calls that name none.",
            default: "the only policy, when there is one")
        table.add("authority", \.authority, .optionalURL, "Literal authority URL instead of a policy.")
        table.add(
            "authorityForm", \.authorityForm, .word(), "Where authority URLs name the policy.",
            limit: .tenants(.b2c, "authorities of a directory tenant name no policy"))
        table.add(
            "authorityType", \.authorityType, .word(), "Class of the authority.", default: "the kind of the tenant")
        table.add(
            "knownAuthorities", \.knownAuthorities, .knownAuthorities,
            """
            Authorities the client trusts: a list of URLs, or `all` policies of the tenant in the form the \
            client uses.
            """,
            limit: .knownAuthorities)
        table.add(
            "scopes", \.scopes, .texts, "Scopes of calls that name none.",
            default: "all scopes of the first of `apis`; without any, the client id")
        table.add(
            "prompt", \.prompt, .word(), "Prompt of calls that name none.",
            default: "`promptIfNecessary`; `selectAccount` for msal-dotnet")
        table.add("extraQueryParameters", \.extraQueryParameters, .textMap, "Parameters added to every request.")
        table.add(
            "responseType", \.responseType, .nonEmpty,
            "`response_type` of authorization requests; without `code` in it the tokens of the answer itself are taken."
        )
        table.add(
            "responseMode", \.responseMode, .optionalText, "`response_mode` of authorization requests.",
            default: "left out; `fragment` for msal-browser")
        table.add(
            "interaction", \.interaction, .word(), "How a browser app leaves its page.",
            limit: .kinds(where: \.runsInPage, "only MSAL.js leaves its page or opens a window"))
        table.add(
            "accountMode", \.accountMode, .word(), "MSAL for Android: how many accounts the app works with.",
            limit: .kinds(where: \.hasAccountModes, "only MSAL for Android has account modes"))
        table.add(
            "storage", \.storage, .word(), "Where a browser app keeps its cache.",
            limit: .kinds(where: \.runsInPage, "only MSAL.js stores its cache in the browser"))
        table.add(
            "storageEncrypted", \.storageEncrypted, .bool,
            """
            MSAL.js 4: what local storage holds is encrypted with a key in a session cookie; without the cookie the cache \
            is lost.
            """,
            limit: .kinds(where: \.runsInPage, "only MSAL.js stores its cache in the browser").and(.localStorage))
        table.add(
            "temporaryStorage", \.temporaryStorage, .word(),
            "Which storage holds the request while a browser app has left its page.",
            limit: .kinds(where: \.runsInPage, "only MSAL.js leaves its page"))
        table.add(
            "handlesRedirect", \.handlesRedirect, .bool,
            "A browser app reads the answer in its address whenever its page is loaded (`handleRedirectPromise`).",
            limit: .kinds(where: \.runsInPage, "only MSAL.js reads answers in the address of its page"))
        table.add(
            "cacheAttached", \.cacheAttached, .bool, "The cache is persisted.",
            default: "true; false for msal-dotnet, whose app writes it to disk itself")
        table.add(
            "singleFlight", \.singleFlight, .bool, "Equal silent calls share one request.",
            limit: .kinds(where: \.runsInPage, "only MSAL.js shares equal silent calls"))
        table.add(
            "requestState", \.requestState, .word(), "Where a browser app keeps what belongs to a running request.")
        table.add("expiryBuffer", \.expiryBuffer, .span, "An access token counts as expired so long before its end.")
        table.add(
            "throttling", \.throttling, .bool, "Failed silent calls are answered from a cache for a while.",
            limit: .kinds(where: \.throttles, "its library does not keep failed calls"))
        table.add(
            "extendedLifetime", \.extendedLifetime, .bool, "Expired access tokens are served while the server is down.")
        table.add(
            "serverRetries", \.serverRetries, .integer(0...10), "Retries after a 5xx answer or a transport error.")
        table.add(
            "iframeTimeout", \.iframeTimeout, .span, "Time a hidden frame has for its answer.",
            limit: .kinds(where: \.runsInPage, "only MSAL.js opens hidden frames"))
        table.add(
            "stateCookie", \.stateCookie, .record(), "Web apps: cookie for state and nonce.",
            limit: .kinds(where: \.runsOnServer, "only a server app keeps its state in a cookie"))
        table.add("loadUserInfo", \.loadUserInfo, .bool, "The userinfo endpoint is asked after sign-in.")
        table.add(
            "useBroker", \.useBroker, .bool, "An authentication broker may be used.",
            limit: .kinds([.msalIOS, .msalMacOS, .msalAndroid], "its library knows no broker"))
        table.add("checks", \.checks, .record(), "What the client verifies.", default: "by kind")
        table.add("quirks", \.quirks, Codec<ClientQuirk>.word().list(), "Named defects of library versions.")
        return table.rows
    }()
}
