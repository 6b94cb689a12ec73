import Determinism
import HTTPMessages
import JSON

/// What a journey may know of the request that began it. It is established once, by the endpoint that received the
/// request, and handed to every `advance`; a journey never sees the request itself.
public struct RequestFacts: Sendable, Codable {
    /// Transaction id: the correlation id of error texts, `TID` of the page state.
    public var correlationID: GUID
    /// Host of the request as the caller spelled it, lower case, without port.
    public var host: String
    /// Scheme of the URLs that lead back here: `https`, or `http` for a mock that was asked in the clear.
    public var scheme: String
    /// Tenant segment of the request's path as the caller spelled it: name, GUID or custom domain.
    public var tenantSegment: String
    /// The policy's id in its registered letter case.
    public var policyID: String
    public var clientID: String
    public var redirectURI: String
    /// `response_type` as sent.
    public var responseType: String
    public var scopes: [String]
    /// `prompt` as sent: `none`, `login`, `consent`, `select_account`.
    public var prompt: String?
    public var loginHint: String?
    public var domainHint: String?
    /// `ui_locales` as sent: language tags, space separated, most wanted first.
    public var uiLocales: String?
    /// The `Accept-Language` header as sent.
    public var acceptLanguage: String?
    public var nonce: String?
    /// `max_age` in seconds.
    public var maxAge: Int?
    /// Address of the caller, for the `{Context:IPAddress}` resolver and smart lockout.
    public var ipAddress: String
    public var userAgent: String
    /// The single sign-on session that a cookie of the policy's scope named, whether or not it still lives.
    public var ssoCookieSession: SessionID?
    /// Password grant: the credentials sent to the token endpoint.
    public var username: String?
    public var password: String?
    /// Refresh grant and user info: what the presented token stands for.
    public var refresh: RefreshIdentity?

    private var parameters: CodableForm
    private var hint: CodableObject?

    /// All parameters of the request, for `{OAUTH-KV:...}` resolvers.
    public var query: FormItems {
        get { parameters.items }
        set { parameters.items = newValue }
    }

    /// Claims of a verified `id_token_hint`.
    public var idTokenHint: JSONObject? {
        get { hint?.object }
        set { hint = newValue.map(CodableObject.init(object:)) }
    }

    public init(
        correlationID: GUID,
        host: String,
        scheme: String = "https",
        tenantSegment: String,
        policyID: String,
        clientID: String = "",
        redirectURI: String = "",
        responseType: String = "code",
        scopes: [String] = ["openid"],
        query: FormItems = FormItems()
    ) {
        self.correlationID = correlationID
        self.host = host
        self.scheme = scheme
        self.tenantSegment = tenantSegment
        self.policyID = policyID
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.responseType = responseType
        self.scopes = scopes
        self.ipAddress = "127.0.0.1"
        self.userAgent = ""
        self.parameters = CodableForm(items: query)
    }
}

/// Who a refresh token or an access token stands for, and what of the first sign-in is kept in it.
public struct RefreshIdentity: Sendable, Codable, Hashable {
    /// Value of the claim that the issuer names in `issuer_refresh_token_user_identity_claim_type`: an object id or `sub`.
    public var identity: String
    /// The claim type that `identity` belongs to.
    public var claimType: String
    /// When the token was issued: `refreshTokenIssuedOnDateTime` of a refresh journey.
    public var issuedAt: Timestamp
    /// Time of the sign-in: `auth_time` stays the same over refreshes.
    public var authTime: Timestamp
    /// How often the account's older tokens had been revoked when this one was issued. It decides between events of
    /// the same instant, since virtual time may stand still between a sign-in and a change of password.
    public var revision: Int
    /// Claims of the sign-in by claim type id, in the order they were issued. A policy without a refresh journey issues
    /// them again unchanged; a refresh journey sees only those that its set-up profile lists.
    public var claims: [KeptClaim]

    public init(
        identity: String, claimType: String, issuedAt: Timestamp, authTime: Timestamp, revision: Int = 0,
        claims: [KeptClaim] = []
    ) {
        self.identity = identity
        self.claimType = claimType
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.revision = revision
        self.claims = claims
    }
}

/// A claim outside a journey's bag: in a session or a refresh token, which outlive the journey and its policy's handles.
public struct KeptClaim: Sendable, Codable, Hashable {
    /// Claim type id.
    public var id: String
    public var value: ClaimValue

    public init(_ id: String, _ value: ClaimValue) {
        self.id = id
        self.value = value
    }
}

/// Form parameters written as one text, since an ordered list with repeated names is what the form encoding is for.
struct CodableForm: Sendable, Codable {
    var items: FormItems

    init(items: FormItems) { self.items = items }

    init(from decoder: any Decoder) throws {
        items = FormItems(parsing: try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(items.encoded)
    }
}

/// A JSON object written as its text.
struct CodableObject: Sendable, Codable {
    var object: JSONObject

    init(object: JSONObject) { self.object = object }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let parsed = try? JSONParser.parse(text), let object = parsed.objectValue else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a JSON object is expected"))
        }
        self.object = object
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(JSONWriter.compact(.object(object)))
    }
}
