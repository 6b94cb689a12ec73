import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// A web API that protects its routes with bearer tokens of the tenant, as an API with a usual token middleware does:
/// keys and issuers come from discovery documents, the clock is its own, and refusals follow RFC 6750.
public actor ProtectedAPI: Responder {
    private var settings: APISettings
    private var validator: TokenValidator
    private var metadata: MetadataCache
    private var clock: any WallClock
    private let transport: any Transport
    private let base: String
    private let ownAddresses: OwnAddresses?

    /// - Parameters:
    ///   - clock: The API's own clock.
    ///   - transport: The way to discovery documents and keys; its requests are from `api`.
    ///   - ownAddresses: An issuer at one of them counts as the published one with the same path: tokens of a mock that
    ///     was asked as `localhost` name it so.
    public init(
        settings: APISettings, tenant: Tenant, clock: any WallClock, transport: any Transport,
        ownAddresses: OwnAddresses? = nil
    ) {
        self.ownAddresses = ownAddresses
        self.settings = settings
        self.clock = clock
        self.transport = transport
        validator = TokenValidator(
            settings: settings, tenant: tenant, ownAddresses: ownAddresses)
        metadata = MetadataCache(settings.validation, tenant: tenant)
        base = Self.base(settings)
    }

    /// Takes changed settings while the process runs: what was read of keys stays, unless other documents are to be
    /// read.
    public func configure(settings: APISettings, tenant: Tenant, clock: any WallClock) {
        self.settings = settings
        self.clock = clock
        validator = TokenValidator(
            settings: settings, tenant: tenant, ownAddresses: ownAddresses)
        metadata.configure(settings.validation, tenant: tenant)
    }

    /// Starts the process again: documents and keys are forgotten.
    public func restart() {
        metadata.forget()
    }

    private static func base(_ settings: APISettings) -> String {
        var path = WebURL(settings.baseUrl)?.path ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }

    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        let sharing = CrossOriginAnswers(origins: settings.allowedOrigins)
        let lack =
            "the API \"\(settings.name)\" sends no CORS headers to this origin; its `allowedOrigins` in the tenant file "
            + "decide that"
        if let answer = sharing.preflight(request, lack: lack) { return answer }
        return sharing.shared(await answer(request, context), with: request)
    }

    private func answer(_ request: RequestMessage, _ context: ExchangeContext) async -> ResponseMessage {
        guard let route = route(for: request.url) else {
            var response = ResponseMessage.json(404, ["error": "not_found"])
            response.refusal =
                "the API \"\(settings.name)\" has no route \(request.url.path); it has "
                + settings.routes.map(\.path).joined(separator: ", ")
            return response
        }
        if route.anonymous { return .json(200, route.json) }
        guard let token = bearer(request) else {
            // Without a token the challenge names no error (RFC 6750, section 3.1).
            return challenge(401, nil, "the request has no bearer token")
        }
        switch await validate(token, context) {
        case .success(let claims):
            if let missing = validator.missingScope(claims, of: route) {
                return challenge(403, ("insufficient_scope", missing.text, missing.scopes), missing.text)
            }
            return .json(200, route.json)
        case .failure(.invalid(let why)):
            return challenge(401, ("invalid_token", why, nil), why)
        case .failure(.noMetadata(let why)):
            var response = ResponseMessage.json(500, ["error": "internal_server_error"])
            response.refusal = why
            return response
        }
    }

    private func route(for url: WebURL) -> APIRoute? {
        func trimmed(_ path: String) -> String { path.hasSuffix("/") ? String(path.dropLast()) : path }
        guard url.path.hasPrefix(base) else { return nil }
        let path = trimmed(String(url.path.dropFirst(base.count)))
        if settings.routes.isEmpty { return APIRoute { $0.path = path } }
        return settings.routes.first { trimmed($0.path.hasPrefix("/") ? $0.path : "/" + $0.path) == path }
    }

    private func bearer(_ request: RequestMessage) -> String? {
        guard let header = request.headers["Authorization"], header.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        let token = header.dropFirst(7).drop { $0 == " " }
        return token.isEmpty ? nil : String(token)
    }

    private func challenge(
        _ status: Int, _ error: (name: String, description: String, scope: String?)?, _ refusal: String
    ) -> ResponseMessage {
        var field = "Bearer"
        if let error {
            // error_description may have no quotes and backslashes (RFC 6750, section 3).
            let text = error.description.map { $0 == "\"" || $0 == "\\" ? "'" : $0 }
            field += " error=\"\(error.name)\", error_description=\"\(String(text))\""
            if let scope = error.scope { field += ", scope=\"\(scope)\"" }
        }
        var response = ResponseMessage(status: status, headers: ["WWW-Authenticate": field])
        response.refusal = refusal
        return response
    }

    // MARK: validation

    private enum APIRefusal: Error {
        case invalid(String)
        /// The API could not read what it checks tokens with: its own failure, not the caller's.
        case noMetadata(String)
    }

    private func validate(_ token: String, _ context: ExchangeContext) async -> Result<JSONObject, APIRefusal> {
        guard let jws = JWS(compact: token), let claims = jws.claims else {
            return .failure(.invalid("the token is not a signed JSON web token"))
        }
        if let problem = validator.algorithmProblem(jws) { return .failure(.invalid(problem)) }
        if validator.needsMetadata {
            let kid = jws.header["kid"]?.stringValue
            if metadata.mustRead(kid: kid, at: clock.now()), let problem = await read(context) {
                // Keys that were read before serve on when the documents cannot be had.
                guard metadata.hasKeys else { return .failure(.noMetadata(problem)) }
            }
        }
        if let problem = validator.problem(jws, claims, metadata: metadata, at: clock.now()) {
            return .failure(.invalid(problem))
        }
        return .success(claims)
    }

    /// Reads the documents and their keys. What went wrong, in words.
    private func read(_ context: ExchangeContext) async -> String? {
        var read = MetadataCache.Documents(readAt: clock.now())
        let addresses = metadata.addresses
        guard !addresses.isEmpty else { return "the API \"\(settings.name)\" has no metadata to read" }
        // Most policies of a tenant have one issuer and the same keys.
        var issuers = Set<String>()
        var keys = Set<JWK>()
        for address in addresses {
            let document: DiscoveryDocument
            switch await fetch(address, context) {
            case .failure(let problem): return problem.why
            case .success(let json):
                guard let parsed = DiscoveryDocument(json: json) else {
                    return "\(address) is not a discovery document"
                }
                document = parsed
            }
            if issuers.insert(document.issuer).inserted { read.issuers.append(document.issuer) }
            guard let keysURI = document.jwksURI else { return "\(address) names no jwks_uri" }
            switch await fetch(keysURI, context) {
            case .failure(let problem): return problem.why
            case .success(let json):
                guard let set = JWKSet(json: json) else { return "\(keysURI) is not a key document" }
                for key in set.keys where keys.insert(key).inserted { read.keys.keys.append(key) }
            }
        }
        metadata.keep(read)
        return nil
    }

    private struct Unreadable: Error {
        var why: String
    }

    private func fetch(_ address: String, _ context: ExchangeContext) async -> Result<JSONValue, Unreadable> {
        guard let url = WebURL(address) else {
            return .failure(Unreadable(why: "\(address) is not an address"))
        }
        let own = ExchangeContext(lane: context.lane, from: .api, parent: context.number ?? context.parent)
        do throws(TransportError) {
            let response = try await transport.send(.get(url, headers: ["Accept": "application/json"]), own)
            guard response.status == 200, let json = response.json else {
                return .failure(Unreadable(why: "\(address) answered with status \(response.status)"))
            }
            return .success(json)
        } catch {
            return .failure(Unreadable(why: "\(address) could not be read: \(error)"))
        }
    }
}
