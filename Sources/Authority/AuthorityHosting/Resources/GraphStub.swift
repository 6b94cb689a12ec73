import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles

/// Microsoft Graph as far as the profile of the signed-in person: `https://graph.microsoft.com/v1.0/me`, with or
/// without a slash at its end.
///
/// The authority of a B2C tenant answers the rest of Graph itself: it has the people.
public actor GraphStub: Responder {
    private var tenant: Tenant
    private var keys: JWKSet
    /// The tenant and the home tenants of its people.
    private var tenants: Set<GUID>
    private var random: SeededGenerator
    private let clock: any WallClock

    public init(tenant: Tenant, seed: SeededGenerator, clock: any WallClock) {
        self.tenant = tenant
        self.clock = clock
        keys = Self.keys(tenant)
        tenants = Self.tenants(tenant)
        random = seed.stream("graph")
    }

    public func configure(tenant: Tenant) {
        self.tenant = tenant
        keys = Self.keys(tenant)
        tenants = Self.tenants(tenant)
    }

    private static func tenants(_ tenant: Tenant) -> Set<GUID> {
        Set([tenant.id] + tenant.workforceIdentities.map(\.homeTenantID))
    }

    private static func keys(_ tenant: Tenant) -> JWKSet {
        JWKSet(keys: (tenant.keySet(named: "service")?.publish ?? []).map { TestKeys.named($0).jwk })
    }

    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        // Pages of every origin may call Graph (Microsoft docs: CORS support of Microsoft Graph, inferred in its details).
        let sharing = CrossOriginAnswers(origins: ["*"])
        if let answer = sharing.preflight(request, lack: "") { return answer }
        return sharing.shared(answer(request), with: request)
    }

    private func answer(_ request: RequestMessage) -> ResponseMessage {
        let requestID = random.guid().description
        let now = clock.now()
        do throws(GraphFault) {
            return ResponseMessage.json(
                200, .object(try profile(request, at: now)),
                headers: GraphFault.fields(requestID: requestID, clientRequestID: requestID))
        } catch {
            var response = ResponseMessage.json(
                error.status, .object(error.json(requestID: requestID, clientRequestID: requestID, at: now)),
                headers: GraphFault.fields(
                    requestID: requestID, clientRequestID: requestID, isUnauthorized: error.status == 401))
            response.refusal = error.why
            return response
        }
    }

    private func profile(_ request: RequestMessage, at now: Timestamp) throws(GraphFault) -> JSONObject {
        let parts = request.url.path.lowercased().split(separator: "/")
        guard ["v1.0", "beta"].contains(parts.first), parts.count > 1 else {
            throw .noSuchSegment("not simulated: Graph \(request.url.path)")
        }
        let claims = try GraphToken.claims(
            request.headers["Authorization"], keys: keys, tenants: tenants, at: now)
        if parts[1] == "me", claims["scp"] == nil { throw .needsPerson }
        guard parts == ["v1.0", "me"], request.method == "GET" else {
            throw .notSimulated("\(request.method) \(request.url.path)")
        }
        let scopes = (claims["scp"]?.stringValue ?? "").split(separator: " ").map { $0.lowercased() }
        guard scopes.contains(where: { Self.readingScopes.contains($0) }) else {
            throw .denied(
                "the token has none of the scopes User.Read, User.ReadWrite, User.ReadBasic.All, User.Read.All")
        }
        guard let profile = profile(claims) else {
            throw GraphFault(
                404, "Request_ResourceNotFound", "The account of the token does not exist in the directory.",
                why: "nobody in the tenant file has the object id \(claims["oid"]?.stringValue ?? "(none)")")
        }
        return profile
    }

    private static let readingScopes = ["user.read", "user.readwrite", "user.readbasic.all", "user.read.all"]

    // MARK: profile

    /// The properties Graph sends of a person unless asked for others (Microsoft docs: Get user). A personal account
    /// has no mail, and its id is the account number alone.
    private func profile(_ claims: JSONObject) -> JSONObject? {
        guard let objectID = claims["oid"]?.stringValue.flatMap({ GUID($0) }),
            let identity = tenant.workforceIdentity(objectID: objectID)
        else { return nil }
        let user = identity.user
        func text(_ name: String) -> JSONValue { user.attributes[name] ?? .null }
        var me = JSONObject()
        me["@odata.context"] = "https://graph.microsoft.com/v1.0/$metadata#users/$entity"
        me["businessPhones"] = .array([])
        me["displayName"] = .string(identity.displayName)
        me["givenName"] = text("givenName")
        me["jobTitle"] = text("jobTitle")
        let mail = user.attributes["mail"] ?? user.email.map { .string($0) } ?? .null
        me["mail"] = identity.isPersonal ? .null : mail
        me["mobilePhone"] = user.phone.map { .string($0) } ?? .null
        me["officeLocation"] = text("officeLocation")
        me["preferredLanguage"] = text("preferredLanguage")
        me["surname"] = text("surname")
        me["userPrincipalName"] = .string(identity.userPrincipalName)
        let id = identity.homeObjectID.description
        let number = String(id.replacing("-", with: "").suffix(16))
        me["id"] = .string(identity.isPersonal ? number : objectID.description)
        return me
    }
}
