import Determinism
import JSON
import Records

/// An entry of `apis.NAME.routes`.
public struct APIRoute: TenantRecord {
    public var path = ""
    public var scopes: [String]?
    public var anonymous = false
    public var json: JSONValue = JSONValue.object(JSONObject())

    public init() {}

    package static let title = "route"
    package static let summary = "One path of an API."
    package static let settings: [Setting<APIRoute>] = {
        var table = SettingsTable<APIRoute>()
        table.add(
            "scopes", \.scopes, .optionalTexts, "Short scope names of which a token must have one.",
            default: "any scope of the API")
        table.add("anonymous", \.anonymous, .bool, "The path needs no token.")
        table.add("json", \.json, .json, "The body of the answer.", default: "an empty object")
        return table.rows
    }()
}

/// `apis.NAME.validation`.
public struct APIValidation: TenantRecord {
    public var metadata: [String] = []
    public var issuers: [String]?
    public var audiences: [String] = []
    public var signature = true
    public var issuer = true
    public var audience = true
    public var expiry = true
    public var policyClaim: [String]?
    public var algorithms: [String] = ["RS256"]
    public var skew = TimeSpan.minutes(5)
    public var keys = KeyReading.onUnknown
    public var keysLifetime = TimeSpan.days(1)
    public var requireClaims: [String] = []

    public init() {}

    package static let title = "validation"
    package static let summary = "How an API checks the tokens it gets."
    package static let settings: [Setting<APIValidation>] = {
        var table = SettingsTable<APIValidation>()
        table.add(
            "metadata", \.metadata, .names(.policy), "Policies whose discovery documents the API reads.",
            default: "all policies that can run")
        table.add("issuers", \.issuers, .optionalTexts, "Accepted issuers.", default: "those of the documents")
        table.add("audiences", \.audiences, .texts, "Accepted audiences.", default: "client id of the API")
        table.add("signature", \.signature, .bool, "The signature is verified.")
        table.add("issuer", \.issuer, .bool, "The issuer is verified.")
        table.add("audience", \.audience, .bool, "The audience is verified.")
        table.add("expiry", \.expiry, .bool, "`exp` and `nbf` are verified.")
        table.add(
            "policyClaim", \.policyClaim, .optionalNames(.policy), "Policies that `tfp` or `acr` may name.",
            default: "not checked")
        table.add("algorithms", \.algorithms, .texts, "Accepted signature algorithms.")
        table.add("skew", \.skew, .span, "Tolerance of the clock checks.")
        table.add("keys", \.keys, .word(), "When keys are read.")
        table.add("keysLifetime", \.keysLifetime, .span, "Time after which keys are read again.")
        table.add("requireClaims", \.requireClaims, .texts, "Required claims.")
        return table.rows
    }()
}

/// `apis.NAME`.
public struct APISettings: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var baseUrl = ""
    public var appIdUri = ""
    public var clientId = ""
    public var scopes: [String] = ["read"]
    public var clock = ClockSettings()
    public var routes: [APIRoute] = []
    public var validation = APIValidation()
    /// Origins whose pages may read its answers; `*` for all.
    public var allowedOrigins: [String] = []

    public init() {}

    package static let title = "API"
    package static let summary = "A web API that accepts tokens of the tenant."
    package static let settings: [Setting<APISettings>] = {
        var table = SettingsTable<APISettings>()
        table.add(
            "baseUrl", \.baseUrl, .url, "Address at which the API answers.", default: "`https://API.api.TENANT.test`")
        table.add(
            "appIdUri", \.appIdUri, .nonEmpty, "Application ID URI, the prefix of its scopes.",
            default: "`https://DOMAIN/API`")
        table.add(
            "clientId", \.clientId, .nonEmpty, "Application (client) id, the audience of its tokens.",
            default: "derived from the names of tenant and API")
        table.add("scopes", \.scopes, .texts, "Short names of its scopes.")
        table.add(
            "allowedOrigins", \.allowedOrigins, .texts,
            "Origins whose pages may read its answers (CORS), such as `https://app.contoso.test`; `*` for all.")
        table.add("clock", \.clock, .record(), "The clock of the API.")
        table.add(
            "routes", \.routes, .keyed("path", \.path),
            "Paths the API knows; without any it answers every path with an empty object.",
            default: "every path, any scope of the API")
        table.add("validation", \.validation, .record(), "How tokens are checked.")
        return table.rows
    }()
}
