import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON

/// Microsoft Graph as far as the profile of the signed-in person: `https://graph.microsoft.com/v1.0/me`, with or
/// without a slash at its end.
///
/// Graph belongs to the directory and needs no discovery document to check a token: it knows the keys.
public actor GraphStub: Responder {
    /// The host it answers at.
    public static let host = "graph.microsoft.com"
    /// What the audience of its tokens may be: the application id or the address, with or without a slash.
    public static let audiences = [
        "00000003-0000-0000-c000-000000000000", "https://graph.microsoft.com", "https://graph.microsoft.com/",
    ]

    private var tenant: Tenant
    private var keys: JWKSet
    private var random: SeededGenerator
    private let clock: any WallClock

    public init(tenant: Tenant, seed: SeededGenerator, clock: any WallClock) {
        self.tenant = tenant
        self.clock = clock
        keys = Self.keys(tenant)
        random = seed.stream("graph")
    }

    public func configure(tenant: Tenant) {
        self.tenant = tenant
        keys = Self.keys(tenant)
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
        guard request.url.path == "/v1.0/me" || request.url.path == "/v1.0/me/" else {
            return error(
                404, "ResourceNotFound", "Resource not found for the segment.", requestID,
                refusal: "not simulated: Graph \(request.url.path)")
        }
        guard request.method == "GET" else {
            return error(
                405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.", requestID,
                refusal: "not simulated: \(request.method) on Graph /v1.0/me")
        }
        let claims: JSONObject
        switch check(request.headers["Authorization"]) {
        case .failure(let problem):
            return error(401, "InvalidAuthenticationToken", problem.message, requestID, refusal: problem.why)
        case .success(let good): claims = good
        }
        let scopes = (claims["scp"]?.stringValue ?? "").split(separator: " ").map { $0.lowercased() }
        guard scopes.contains(where: { Self.readingScopes.contains($0) }) else {
            return error(
                403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.", requestID,
                refusal: "the token has none of the scopes User.Read, User.ReadWrite, User.ReadBasic.All, User.Read.All"
            )
        }
        guard let profile = profile(claims) else {
            return error(
                404, "Request_ResourceNotFound", "The account of the token does not exist in the directory.", requestID,
                refusal: "nobody in the tenant file has the object id \(claims["oid"]?.stringValue ?? "(none)")")
        }
        var response = ResponseMessage.json(200, .object(profile))
        decorate(&response, requestID)
        return response
    }

    private static let readingScopes = ["user.read", "user.readwrite", "user.readbasic.all", "user.read.all"]

    // MARK: token

    private struct Refused: Error {
        var message: String
        var why: String
    }

    private func check(_ authorization: String?) -> Result<JSONObject, Refused> {
        func refused(_ message: String, _ why: String? = nil) -> Result<JSONObject, Refused> {
            .failure(Refused(message: message, why: why ?? message))
        }
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
            return refused("Access token is empty.", "the request has no bearer token")
        }
        let text = String(authorization.dropFirst(7).drop { $0 == " " })
        guard !text.isEmpty else { return refused("Access token is empty.") }
        guard let token = JWS(compact: text), let claims = token.claims else {
            return refused("CompactToken parsing failed with error code: 80049217", "the token is not a JSON web token")
        }
        let audience = claims["aud"]?.stringValue ?? ""
        guard Self.audiences.contains(audience) else {
            return refused(
                "Access token validation failure. Invalid audience.", "the audience \(audience) is not Graph")
        }
        if case .failure(let problem) = token.verify(in: keys) {
            return refused("Access token validation failure. Invalid signature.", "\(problem)")
        }
        let now = clock.now().secondsSinceEpoch
        guard let expiry = claims["exp"]?.intValue, now < expiry, (claims["nbf"]?.intValue ?? 0) <= now + 300 else {
            return refused(
                "Lifetime validation failed, the token is expired.",
                "the token expires at \(claims["exp"]?.intValue.map { Timestamp(seconds: $0).rfc3339 } ?? "no time")")
        }
        return .success(claims)
    }

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

    // MARK: answers

    private func error(
        _ status: Int, _ code: String, _ message: String, _ requestID: String, refusal: String
    ) -> ResponseMessage {
        let now = clock.now().rfc3339.prefix(19)
        var response = ResponseMessage.json(
            status,
            [
                "error": [
                    "code": .string(code), "message": .string(message),
                    "innerError": [
                        "date": .string(String(now)), "request-id": .string(requestID),
                        "client-request-id": .string(requestID),
                    ],
                ]
            ])
        if status == 401 {
            response.headers.append(
                "WWW-Authenticate",
                "Bearer realm=\"\", authorization_uri=\"https://login.microsoftonline.com/common/oauth2/authorize\", "
                    + "client_id=\"00000003-0000-0000-c000-000000000000\"")
        }
        response.refusal = refusal
        decorate(&response, requestID)
        return response
    }

    private func decorate(_ response: inout ResponseMessage, _ requestID: String) {
        response.headers.append("request-id", requestID)
        response.headers.append("client-request-id", requestID)
        response.headers.append("Cache-Control", "no-cache")
    }
}
