import Determinism
import Exchanges
import JOSE
import JSON

/// What a call returns that gets tokens.
package struct TokenResult: ResultRecord, Hashable {
    /// `nil` when the server sent none.
    package var accessToken: TokenText?
    package var idToken: TokenText
    package var scopes: [String]
    package var expiresOn: Timestamp?
    package var extendedLifeTimeToken: Bool
    /// The account. The claims of the ID token are added to it when the result is written, if its tenant issued the token.
    package var account: AccountResult
    /// The account as the tenant sees that issued the token.
    package var tenantProfile: TenantProfile
    package var authority: String
    /// The id that ties the call to the server's logs.
    package var correlationId: String
    /// The caller's state.
    package var state: String?
    package var fromCache: Bool

    package init(
        accessToken: TokenText?, idToken: TokenText, scopes: [String], expiresOn: Timestamp?,
        extendedLifeTimeToken: Bool, account: AccountResult, tenantProfile: TenantProfile, authority: String,
        correlationId: String, state: String? = nil, fromCache: Bool
    ) {
        self.accessToken = accessToken
        self.idToken = idToken
        self.scopes = scopes
        self.expiresOn = expiresOn
        self.extendedLifeTimeToken = extendedLifeTimeToken
        self.account = account
        self.tenantProfile = tenantProfile
        self.authority = authority
        self.correlationId = correlationId
        self.state = state
        self.fromCache = fromCache
    }

    package static let members: [ResultMember<TokenResult>] = {
        var table = ResultTable<TokenResult>()
        table.add("accessToken", .part(TokenText.shapeName), "The access token; absent when the server sent none.") {
            $0.accessToken
        }
        table.add("idToken", .part(TokenText.shapeName), "The ID token; absent when the server sent none.") {
            $0.idToken
        }
        table.add("scopes", ResultForm<String>.text.list(), "The granted scopes.") { $0.scopes }
        table.add("expiresOn", .json(MatcherShapes.matcher), "When the access token expires.") {
            $0.expiresOn.map { .string($0.rfc3339) }
        }
        table.add("extendedLifeTimeToken", .flag, "Whether an expired token was returned in an outage.") {
            $0.extendedLifeTimeToken
        }
        table.add("account", .part(AccountResult.shapeName), "The account that was signed in.") { $0.account }
        table.add("tenantProfile", .members, "The account as this tenant sees it.") { $0.tenantProfile.json }
        table.add("authority", .text, "The authority that answered.") { $0.authority }
        table.add("correlationId", .text, "The id that ties the call to the server's logs.") { $0.correlationId }
        table.add("fromCache", .flag, "Whether the tokens came from the cache.") { $0.fromCache }
        table.add("state", .text, "The caller's state.") { $0.state }
        return table.members
    }()

    /// `state` is documented beside the other id of the call, and written last.
    package static let fields: [Field] = {
        let all = members.map(\.field)
        return all.dropLast(2) + [all[all.count - 1], all[all.count - 2]]
    }()

    package func whole() -> TokenResult {
        var whole = self
        whole.accessToken = accessToken?.whole()
        whole.idToken = idToken.whole()
        whole.tenantProfile.claims = whole.idToken.claims
        if tenantProfile.isHomeTenantProfile { whole.account.claims = whole.idToken.claims }
        return whole
    }
}

/// A token as an app gets it. It is taken apart when it is written.
package struct TokenText: ResultRecord, Hashable {
    /// The token's text.
    package let raw: String
    private var header: JSONObject?
    fileprivate private(set) var claims: JSONObject?

    package init(_ raw: String) { self.raw = raw }

    /// The name of the shape that matches it.
    package static let shapeName = "token"
    package static let members: [ResultMember<TokenText>] = {
        var table = ResultTable<TokenText>()
        table.add("raw", .text, "The token's text.") { $0.raw }
        table.add("header", .members, "The token's header.") { $0.header }
        table.add("claims", .members, "The token's claims.") { $0.claims }
        return table.members
    }()

    /// A token that is not a JWT has a text alone.
    package func whole() -> TokenText {
        guard header == nil, let token = JWS(compact: raw), let claims = token.claims else { return self }
        var whole = self
        whole.header = token.header
        whole.claims = claims
        return whole
    }
}

/// An account as an app gets it.
package struct AccountResult: ResultRecord, Hashable {
    /// The home account id.
    package var identifier: String
    package var objectId: String
    package var tenantId: String
    package var username: String?
    /// The host that the account belongs to.
    package var environment: String
    /// The policy that the account was signed in with, by its name in the tenant file.
    package var policy: String?
    /// The claims of its ID token.
    package var claims: JSONObject?

    package init(
        identifier: String, objectId: String, tenantId: String, username: String?, environment: String, policy: String?,
        claims: JSONObject?
    ) {
        self.identifier = identifier
        self.objectId = objectId
        self.tenantId = tenantId
        self.username = username
        self.environment = environment
        self.policy = policy
        self.claims = claims
    }

    /// The name of the shape that matches it.
    package static let shapeName = "account"
    package static let members: [ResultMember<AccountResult>] = {
        var table = ResultTable<AccountResult>()
        table.add("identifier", .text, "The home account id.") { $0.identifier }
        table.add("objectId", .text, "The object id in the directory.") { $0.objectId }
        table.add("tenantId", .text, "The tenant id.") { $0.tenantId }
        table.add("username", .text, "The user name.") { $0.username }
        table.add("environment", .text, "The host that the account belongs to.") { $0.environment }
        let policy = ResultForm<String>(shape: MatcherShapes.name(.policy)) { .string($0) }
        table.add("policy", policy, "The policy that the account was signed in with.") { $0.policy }
        table.add("claims", .members, "The claims of its ID token.") { $0.claims }
        return table.members
    }()
}

/// An account as the tenant sees it that issued the ID token.
package struct TenantProfile: Hashable, Sendable {
    package var identifier: String
    package var environment: String
    /// Whether the tenant is the account's own.
    package var isHomeTenantProfile: Bool
    /// Of the ID token; filled in when the result is written.
    fileprivate var claims: JSONObject?

    package init(identifier: String, environment: String, isHomeTenantProfile: Bool) {
        self.identifier = identifier
        self.environment = environment
        self.isHomeTenantProfile = isHomeTenantProfile
    }

    fileprivate var json: JSONObject {
        var profile = JSONObject()
        profile["identifier"] = .string(identifier)
        profile["tenantId"] = claims?["tid"]
        profile["environment"] = .string(environment)
        profile["isHomeTenantProfile"] = .bool(isHomeTenantProfile)
        profile["claims"] = claims.map { .object($0) }
        return profile
    }
}
