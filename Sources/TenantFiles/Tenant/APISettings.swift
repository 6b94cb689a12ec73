import Determinism
import JSON
import Records

/// One path of an API.
public struct APIRoute: TenantRecord {
    /// The path.
    public var path: String
    /// Short scope names of which a token must have one.
    public var scopes: [String]?
    /// The path needs no token.
    public var anonymous: Bool
    /// The body of the answer.
    public var json: JSONValue

    public init(
        path: String = "",
        scopes: [String]? = nil,
        anonymous: Bool = false,
        json: JSONValue = JSONValue.object(JSONObject())
    ) {
        self.path = path
        self.scopes = scopes
        self.anonymous = anonymous
        self.json = json
    }

    package static let title = "route"
    package static let summary = "One path of an API."
    package static let initial = APIRoute()
    package static let settings: [Setting<APIRoute>] = {
        var table = SettingsTable<APIRoute>()
        table.add(
            "scopes", \.scopes, .optionalTexts,
            "Short scope names of which a token must have one.",
            default: "any scope of the API")
        table.add(
            "anonymous", \.anonymous, .bool,
            "The path needs no token.")
        table.add(
            "json", \.json, .json,
            "The body of the answer.",
            default: "an empty object")
        return table.rows
    }()
}

/// How an API checks the tokens it gets.
public struct APIValidation: TenantRecord {
    /// Policies whose discovery documents the API reads.
    public var metadata: [String]
    /// Accepted issuers.
    public var issuers: [String]?
    /// Accepted audiences.
    public var audiences: [String]
    /// The signature is verified.
    public var signature: Bool
    /// The issuer is verified.
    public var issuer: Bool
    /// The audience is verified.
    public var audience: Bool
    /// `exp` and `nbf` are verified.
    public var expiry: Bool
    /// Policies that `tfp` or `acr` may name.
    public var policyClaim: [String]?
    /// Accepted signature algorithms.
    public var algorithms: [String]
    /// Tolerance of the clock checks.
    public var skew: TimeSpan
    /// When keys are read.
    public var keys: KeyReading
    /// Time after which keys are read again.
    public var keysLifetime: TimeSpan
    /// Required claims.
    public var requireClaims: [String]

    public init(
        metadata: [String] = [],
        issuers: [String]? = nil,
        audiences: [String] = [],
        signature: Bool = true,
        issuer: Bool = true,
        audience: Bool = true,
        expiry: Bool = true,
        policyClaim: [String]? = nil,
        algorithms: [String] = ["RS256"],
        skew: TimeSpan = .minutes(5),
        keys: KeyReading = .onUnknown,
        keysLifetime: TimeSpan = .days(1),
        requireClaims: [String] = []
    ) {
        self.metadata = metadata
        self.issuers = issuers
        self.audiences = audiences
        self.signature = signature
        self.issuer = issuer
        self.audience = audience
        self.expiry = expiry
        self.policyClaim = policyClaim
        self.algorithms = algorithms
        self.skew = skew
        self.keys = keys
        self.keysLifetime = keysLifetime
        self.requireClaims = requireClaims
    }

    package static let title = "validation"
    package static let summary = "How an API checks the tokens it gets."
    package static let initial = APIValidation()
    package static let settings: [Setting<APIValidation>] = {
        var table = SettingsTable<APIValidation>()
        table.add(
            "metadata", \.metadata, .names(.policy),
            "Policies whose discovery documents the API reads.",
            default: "all policies that can run")
        table.add(
            "issuers", \.issuers, .optionalTexts,
            "Accepted issuers.",
            default: "those of the documents")
        table.add(
            "audiences", \.audiences, .texts,
            "Accepted audiences.",
            default: "client id of the API")
        table.add(
            "signature", \.signature, .bool,
            "The signature is verified.")
        table.add(
            "issuer", \.issuer, .bool,
            "The issuer is verified.")
        table.add(
            "audience", \.audience, .bool,
            "The audience is verified.")
        table.add(
            "expiry", \.expiry, .bool,
            "`exp` and `nbf` are verified.")
        table.add(
            "policyClaim", \.policyClaim, .optionalNames(.policy),
            "Policies that `tfp` or `acr` may name.",
            default: "not checked")
        table.add(
            "algorithms", \.algorithms, .texts,
            "Accepted signature algorithms.")
        table.add(
            "skew", \.skew, .span,
            "Tolerance of the clock checks.")
        table.add(
            "keys", \.keys, .word(),
            "When keys are read.")
        table.add(
            "keysLifetime", \.keysLifetime, .span,
            "Time after which keys are read again.")
        table.add(
            "requireClaims", \.requireClaims, .texts,
            "Required claims.")
        return table.rows
    }()
}

/// A web API that accepts tokens of the tenant.
public struct APISettings: TenantRecord {
    /// The name in the tenant file.
    public var name: String
    /// Address at which the API answers.
    public var baseUrl: String
    /// Application ID URI, the prefix of its scopes.
    public var appIdUri: String
    /// Application (client) id, the audience of its tokens.
    public var clientId: String
    /// Short names of its scopes.
    public var scopes: [String]
    /// The clock of the API.
    public var clock: ClockSettings
    /// Paths the API knows; without any it answers every path with an empty object.
    public var routes: [APIRoute]
    /// How tokens are checked.
    public var validation: APIValidation
    /// Origins whose pages may read its answers; `*` for all.
    public var allowedOrigins: [String]

    public init(
        name: String = "",
        baseUrl: String = "",
        appIdUri: String = "",
        clientId: String = "",
        scopes: [String] = ["read"],
        clock: ClockSettings = ClockSettings(),
        routes: [APIRoute] = [],
        validation: APIValidation = APIValidation(),
        allowedOrigins: [String] = []
    ) {
        self.name = name
        self.baseUrl = baseUrl
        self.appIdUri = appIdUri
        self.clientId = clientId
        self.scopes = scopes
        self.clock = clock
        self.routes = routes
        self.validation = validation
        self.allowedOrigins = allowedOrigins
    }

    package static let title = "API"
    package static let summary = "A web API that accepts tokens of the tenant."
    package static let initial = APISettings()
    package static let settings: [Setting<APISettings>] = {
        var table = SettingsTable<APISettings>()
        table.add(
            "baseUrl", \.baseUrl, .url,
            "Address at which the API answers.",
            default: "`https://API.api.TENANT.test`")
        table.add(
            "appIdUri", \.appIdUri, .nonEmpty,
            "Application ID URI, the prefix of its scopes.",
            default: "`https://DOMAIN/API`")
        table.add(
            "clientId", \.clientId, .nonEmpty,
            "Application (client) id, the audience of its tokens.",
            default: "derived from the names of tenant and API")
        table.add(
            "scopes", \.scopes, .texts,
            "Short names of its scopes.")
        table.add(
            "allowedOrigins", \.allowedOrigins, .texts,
            "Origins whose pages may read its answers (CORS), such as `https://app.contoso.test`; `*` for all.")
        table.add(
            "clock", \.clock, .record(),
            "The clock of the API.")
        table.add(
            "routes", \.routes, .keyed("path", \.path),
            "Paths the API knows; without any it answers every path with an empty object.",
            default: "every path, any scope of the API")
        table.add(
            "validation", \.validation, .record(),
            "How tokens are checked.")
        return table.rows
    }()
}
