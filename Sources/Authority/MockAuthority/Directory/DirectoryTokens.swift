import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TenantFiles

// A B2C tenant is a directory too. At the host of the cloud its apps get tokens of their own for Microsoft Graph
// (Microsoft docs: microsoft-graph-get-started, v2-oauth2-client-creds-grant-flow).

extension Authority {
    /// What the directory answers at the host of the cloud; `nil` for an address of a policy and what is not served.
    mutating func directoryReply(_ call: Call, _ address: B2CAddress) -> Reply? {
        guard address.policy == nil, call.request.url.host == InstanceDiscovery.host else { return nil }
        let asked = WorkforceCall(request: call.request, exchange: call.exchange, now: call.now, random: &random)
        let isKnown = configuration.isTenant(address.tenantSegment)
        switch address.endpoint {
        case .discovery where isKnown:
            let id = configuration.tenant.id
            return directoryDocument(
                WorkforceDocuments.discovery(
                    base: "\(call.scheme)://\(call.host)/\(id)",
                    issuer: "https://\(InstanceDiscovery.host)/\(id)/v2.0"), asked)
        case .keys where isKnown:
            return directoryDocument(WorkforceDocuments.keys(configuration.keys.ring("service")), asked)
        case .discovery, .keys:
            return refuse(call, asked, .unknownTenant(address.tenantSegment))
        case .token, .tokenV1:
            guard call.request.method != "OPTIONS" else {
                return .send(Draft(fields: WorkforceDraft.fields(asked).fields, headers: .own), after: .zero)
            }
            do throws(WorkforceError) {
                guard isKnown else { throw .unknownTenant(address.tenantSegment) }
                return .send(
                    Draft(
                        fields: WorkforceDraft.fields(asked).fields, headers: .own,
                        body: .parameters(try directoryToken(call, asked, address.endpoint), .json)), after: .zero)
            } catch {
                return refuse(call, asked, error)
            }
        default: return nil
        }
    }

    private func directoryDocument(_ document: JSONObject, _ asked: WorkforceCall) -> Reply {
        .send(
            Draft(
                fields: WorkforceDraft.documentFields(asked).fields, headers: .own,
                body: .json(document, contentType: "application/json; charset=utf-8")), after: .zero)
    }

    private mutating func refuse(_ call: Call, _ asked: WorkforceCall, _ error: WorkforceError) -> Reply {
        refuse(call, error.why)
        if let what = error.notSimulated {
            events.append(.notSimulated(exchange: call.exchange.number, what: what))
        }
        return .send(
            Draft(
                status: error.status, fields: WorkforceDraft.fields(asked).fields, headers: .own,
                body: .json(error.json(asked), contentType: "application/json; charset=utf-8"), refusal: error.why),
            after: .zero)
    }

    // MARK: client credentials

    private mutating func directoryToken(
        _ call: Call, _ asked: WorkforceCall, _ endpoint: AuthorityEndpoint
    ) throws(WorkforceError) -> [Parameter] {
        guard call.request.method == "POST" else { throw .needsPost(call.request.method) }
        let form = call.form
        guard let grant = form["grant_type"], !grant.isEmpty else { throw .missing("grant_type") }
        let (clientID, secret) = ClientCredentials.read(call.request, form: form)
        guard let clientID else { throw .missing("client_id") }
        guard let app = configuration.app(clientID) else {
            throw .unknownApp(clientID, configuration.tenant.domain)
        }
        guard app.settings.enabled else { throw .disabledApp(clientID: app.clientID, name: app.name) }
        guard grant == "client_credentials" else {
            throw .unsupportedGrant(grant, "not simulated: grant type \(grant) at the directory of a B2C tenant")
        }
        let assertion = form["client_assertion"]
        if let assertion {
            try FederatedAssertion.check(assertion, form: form, of: app, at: call.now)
        } else {
            guard let secret else { throw .missingSecret(grant) }
            guard app.settings.secrets.containsText(secret) else { throw .wrongSecret(clientID: app.clientID) }
        }
        // Version 1.0 names the resource, version 2.0 its default scope.
        let isOlder = endpoint == .tokenV1
        let name = isOlder ? "resource" : "scope"
        guard let wanted = form[name], !wanted.isEmpty else { throw .missing(name) }
        let audience = try isOlder ? Self.audience(ofResource: wanted) : Self.audience(ofScope: wanted)
        guard let ring = configuration.keys.ring("service") else { throw .noKey }
        var claims = appClaims(app, audience: audience, uti: random.bytes(16), at: call.now)
        // How the app authenticated: 1 with a secret, 2 with an assertion (Microsoft docs: access-token-claims-reference).
        if assertion != nil { claims["appidacr"] = "2" }
        let token = Parameter(
            "access_token",
            .token(
                TokenDraft(
                    header: ["typ": "JWT", "alg": "RS256", "kid": .string(ring.use.kid)], claims: claims,
                    key: ring.use, signature: .rs256, hashes: [])))
        let seconds = WorkforceTokenIssuer.seconds
        guard isOlder else {
            return [
                Parameter("token_type", text: "Bearer"), Parameter("expires_in", .number(seconds)),
                Parameter("ext_expires_in", .number(seconds)), token,
            ]
        }
        // All values of version 1.0 are texts (Microsoft docs: v1-oauth2-client-creds-grant-flow).
        let now = call.now.secondsSinceEpoch
        return [
            Parameter("token_type", text: "Bearer"), Parameter("expires_in", text: String(seconds)),
            Parameter("ext_expires_in", text: String(seconds)), Parameter("expires_on", text: String(now + seconds)),
            Parameter("not_before", text: String(now)), Parameter("resource", text: wanted), token,
        ]
    }

    /// The audience that `RESOURCE/.default` asks for.
    private static func audience(ofScope text: String) throws(WorkforceError) -> String {
        let ending = "/.default"
        guard let scope = ScopeRules.withoutReserved(text), scope.lowercased().hasSuffix(ending) else {
            throw .needsDefaultScope(text)
        }
        return try audience(ofResource: String(scope.dropLast(ending.count)))
    }

    /// Graph's address may end with slashes.
    private static func audience(ofResource text: String) throws(WorkforceError) -> String {
        var resource = text
        while resource.hasSuffix("/") { resource.removeLast() }
        guard let audience = GraphToken.audiences.first(where: { $0 == resource.lowercased() }) else {
            throw .unknownResource(resource)
        }
        return audience
    }

    /// The claims of version 1.0, which Graph's tokens have (Microsoft docs: access-token-claims-reference). The
    /// permissions are in `roles`, directory roles in `wids`; an app without any has neither.
    private func appClaims(
        _ app: RegisteredApp, audience: String, uti: [UInt8], at now: Timestamp
    ) -> JSONObject {
        let tenant = configuration.tenant
        let principal = Self.servicePrincipal(of: app.clientID, in: tenant)
        let issuer = GraphToken.issuer(tenant.id)
        var claims = JSONObject()
        claims["aud"] = .string(audience)
        claims["iss"] = .string(issuer)
        WorkforceTokenIssuer.addTimes(to: &claims, at: now)
        claims["app_displayname"] = .string(app.name)
        claims["appid"] = .string(app.clientID)
        claims["appidacr"] = "1"
        claims["idp"] = .string(issuer)
        claims["idtyp"] = "app"
        claims["oid"] = .string(principal)
        if app.settings.consent == .granted, !app.settings.graph.isEmpty {
            claims["roles"] = .array(app.settings.graph.map { .string($0.rawValue) })
        }
        claims["sub"] = .string(principal)
        claims["tid"] = .string(tenant.id.description)
        claims["uti"] = .string(Base64URL.encode(uti))
        claims["ver"] = "1.0"
        if app.settings.userAdministrator { claims["wids"] = [.string(GraphToken.userAdministrator)] }
        return claims
    }

    /// The object id of an app's service principal.
    static func servicePrincipal(of clientID: String, in tenant: Tenant) -> String {
        GUID.derived(from: "service principal of \(clientID) in \(tenant.id)").description
    }
}
