import ExtensionCalls
import HTTPMessages
import JSON
import TenantFiles
import TrustFramework

/// The addresses and ids of a server that an app is configured with.
public struct ServedFacts: Sendable {
    /// Scheme, host and port of the server.
    public let url: String
    /// The tenant's domain.
    public let domain: String
    /// The tenant's id.
    public let tenantID: String
    /// Id of the policy on the wire; `nil` for a plain directory tenant.
    public let policy: String?
    /// Id of the policy with which people edit their profile, if there is one.
    public let editPolicy: String?
    /// Id of the policy with which people reset their password, if there is one.
    public let resetPolicy: String?
    /// What apps are configured with: server, tenant and policy.
    public let authority: String
    /// The `iss` of the policy's tokens.
    public var issuer: String
    /// The address of the published keys.
    public var keys: String
    /// The client id of the app, or of the API if there is no app.
    public let clientID: String
    /// Where the app gets its answers.
    public let redirectURI: String?
    /// Client ids by name of the app or API.
    public let clientIDs: [(name: String, id: String)]
    /// The `aud` of access tokens for the API.
    public let audience: String?
    /// The scopes of the API, as apps ask for them.
    public let scopes: [String]
    /// The PEM file of the server's certificate authority; `nil` without https.
    public var authorityFile: String?

    /// What a tenant file says. The issuer is that of a user flow.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port of the server.
    ///   - policy: `nil` for a plain directory tenant.
    public init(_ tenant: Tenant, at origin: String, app: AppSettings?, api: APISettings?, policy: PolicySettings?) {
        url = origin
        domain = tenant.domain
        tenantID = "\(tenant.id)"
        self.policy = policy?.id
        editPolicy = tenant.policies.first { $0.type == .profileEditing }?.id
        resetPolicy = tenant.policies.first { $0.type == .passwordReset }?.id
        authority = policy.map { "\(origin)/\(tenant.domain)/\($0.id)" } ?? "\(origin)/\(tenant.id)"
        issuer = TokenIssuerSettings.IssuerPattern.tenant.issuer(origin: origin, tenant: tenant.id, policy: "")
        keys = "\(origin)/\(tenant.domain)/\(policy?.id.lowercased() ?? "")/discovery/v2.0/keys"
        clientID = app?.registration.clientId ?? api?.clientId ?? ""
        redirectURI = app?.redirectURI
        clientIDs =
            tenant.apps.map { ($0.name, $0.registration.clientId) } + tenant.apis.map { ($0.name, $0.clientId) }
        audience = api?.clientId
        scopes = api?.scopeNames ?? []
    }

    /// What an app of a B2C tenant is configured with; `nil` for a tenant without policies.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port of the server.
    ///   - kind: The first app of this kind, if there is one; else the first app.
    public init?(_ compiled: CompiledTenant, at origin: String, kind: ClientKind? = nil) {
        let tenant = compiled.tenant
        let app = tenant.apps.first { $0.client.kind == kind } ?? tenant.apps.first
        let name = app?.client.policy ?? ""
        guard tenant.kind == .b2c,
            let policy = tenant.policy(named: name) ?? tenant.policy(id: name) ?? tenant.policies.first
        else { return nil }
        self.init(tenant, at: origin, app: app, api: tenant.apis.first, policy: policy)
        if let form = compiled.policies.first(where: { sameID($0.id, policy.id) })?.tokenIssuer?.issuerPattern {
            issuer = form.issuer(origin: origin, tenant: tenant.id, policy: policy.id.lowercased())
        }
    }

    /// The address of the policy's discovery document.
    public var metadata: String { authority + "/v2.0/.well-known/openid-configuration" }

    /// What programs of every stack get in their environment.
    public var variables: [(String, String)] {
        var list = [
            ("B2C_URL", url), ("B2C_CONTROL_URL", url + "/_b2c/v1"), ("B2C_AUTHORITY", authority),
            ("B2C_ISSUER", issuer), ("B2C_METADATA_URL", metadata), ("B2C_JWKS_URL", keys),
            ("B2C_TENANT_DOMAIN", domain), ("B2C_TENANT_ID", tenantID), ("B2C_CLIENT_ID", clientID),
        ]
        if let policy { list.append(("B2C_POLICY", policy)) }
        if let redirectURI { list.append(("B2C_REDIRECT_URI", redirectURI)) }
        if let audience { list.append(("B2C_AUDIENCE", audience)) }
        if !scopes.isEmpty { list.append(("B2C_SCOPES", scopes.joined(separator: " "))) }
        for (name, id) in clientIDs { list.append(("B2C_CLIENT_ID_" + Self.variable(name), id)) }
        list += extensionVariables
        if let file = authorityFile {
            list.append(("B2C_CA_FILE", file))
            // What programs of these stacks read before they trust a certificate: Node.js, Python's requests, OpenSSL.
            for name in ["NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"] { list.append((name, file)) }
        }
        return list
    }

    /// What an authentication extension checks the tokens of its calls with: names of Microsoft's package for .NET
    /// (Microsoft.Azure.WebJobs.Extensions.AuthenticationEvents), and names for others.
    private var extensionVariables: [(String, String)] {
        let caller = ExtensionIssuer(tenantID: tenantID, origin: WebURL(url))
        return [
            ("B2C_EXTENSION_ISSUER", caller.issuer(.external)), ("B2C_EXTENSION_AUDIENCE", caller.audience),
            ("AuthenticationEvents__AuthorityUrl", caller.authority(.external)),
            ("AuthenticationEvents__AudienceAppId", caller.audience),
            ("AuthenticationEvents__AuthorizedPartyAppId", ExtensionIssuer.callerID),
        ]
    }

    /// A name as a part of a variable's: capitals, digits and underscores.
    private static func variable(_ name: String) -> String {
        String(
            name.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            }
        ).uppercased()
    }

    // MARK: Stacks

    /// `appsettings.json` of ASP.NET Core: the section of Microsoft.Identity.Web (MicrosoftIdentityOptions), as its templates
    /// call it, and that of JwtBearerOptions, which is read since .NET 7. Without an issuer there JwtBearer checks none
    /// (dotnet/aspnetcore JwtBearerConfigureOptions.cs).
    var appSettings: JSONObject {
        var section: JSONObject = [
            "Instance": .string(url), "Domain": .string(domain), "TenantId": .string(tenantID),
            "ClientId": .string(clientID), "SignUpSignInPolicyId": .string(policy ?? ""),
        ]
        section["EditProfilePolicyId"] = editPolicy.map { .string($0) }
        section["ResetPasswordPolicyId"] = resetPolicy.map { .string($0) }
        var bearer: JSONObject = ["MetadataAddress": .string(metadata), "ValidIssuer": .string(issuer)]
        if let audience { bearer["ValidAudiences"] = [.string(audience)] }
        if url.hasPrefix("http:") { bearer["RequireHttpsMetadata"] = false }
        return ["AzureAdB2C": .object(section), "Authentication": ["Schemes": ["Bearer": .object(bearer)]]]
    }

    /// Properties of Spring Boot's resource server: with both addresses it takes the keys from the second and compares `iss`
    /// with the first (the issuer of B2C is not the address of its metadata). Below it Spring Cloud Azure.
    var springProperties: [(String, String)] {
        let (server, azure) = (
            "spring.security.oauth2.resourceserver.jwt.", "spring.cloud.azure.active-directory.b2c."
        )
        var list = [
            (server + "issuer-uri", issuer), (server + "jwk-set-uri", keys), (azure + "enabled", "true"),
            (azure + "base-uri", "\(url)/\(domain)/"), (azure + "profile.tenant-id", tenantID),
            (azure + "credential.client-id", clientID), (azure + "user-flows.sign-up-or-sign-in", policy ?? ""),
        ]
        if let audience { list.append((server + "audiences", audience)) }
        return list
    }

    /// What an app with MSAL for browsers is made with.
    var browserSettings: JSONObject {
        var auth: JSONObject = [
            "clientId": .string(clientID), "authority": .string(authority),
            "knownAuthorities": [.string(WebURL(url)?.authority ?? "")],
        ]
        auth["redirectUri"] = redirectURI.map { .string($0) }
        return ["auth": .object(auth)]
    }
}
