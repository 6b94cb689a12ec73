import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import TrustFramework

extension Authority {
    /// Finds the endpoint that a request is for.
    mutating func respond(to call: Call) -> Reply {
        let request = call.request
        if request.url.host == GraphAPI.host { return graphReply(call) }
        guard let address = addresses.address(of: request.url) else {
            return notFound(call, why: "\(request.url.path) is not an address of the service")
        }
        guard Self.methods.contains(request.method) else { return methodNotAllowed(call) }
        if case .staticAsset(let name) = address.endpoint { return staticAsset(name, call) }
        guard servesAnyAddress || isOwn(call) else {
            return notFound(call, why: "host \(call.host) is none of the tenant's")
        }
        if let reply = throttled(call) ?? tooLong(call) { return reply }
        if let reply = directoryReply(call, address) { return reply }
        guard configuration.isTenant(address.tenantSegment) else {
            return notFound(call, why: "\(address.tenantSegment) is not tenant \(configuration.tenant.name)")
        }
        if case .authResponse = address.endpoint { return authorizationResponse(call, address) }
        guard let name = address.policy else {
            return notFound(call, why: "the address names no policy")
        }
        guard let policy = configuration.policy(name) else {
            return notFound(
                call,
                why: "the tenant has no policy \(name); it has "
                    + configuration.resolved.map(\.id).joined(separator: ", "))
        }
        let target = PolicyAddress(
            configuration: configuration, policy: policy, scheme: call.scheme, host: call.host,
            tenantSegment: address.tenantSegment,
            form: address.form)
        if request.method == "OPTIONS" { return preflight(call, target, address.endpoint) }
        if let refusal = orders.refusal(exchange: call.exchange.number) {
            return refuse(call, target, address.endpoint, as: refusal)
        }
        if let fault = policy.resolved.fault, address.endpoint != .discovery, address.endpoint != .keys {
            return refuse(call, target, address.endpoint, fault: fault)
        }
        return dispatch(call, target, address.endpoint)
    }

    /// What the service's `Allow` fields name, and answers.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "OPTIONS"]

    /// What `Allow` does not name is not served (RFC 9110, 15.5.6; the field was recorded, the answer is inferred).
    private mutating func methodNotAllowed(_ call: Call) -> Reply {
        let why = "the service takes GET, HEAD, POST and OPTIONS, not \(call.request.method)"
        refuse(call, why)
        return .send(
            Draft(status: 405, headers: .service(gatewayRequestID: gatewayID()), refusal: why), after: .zero)
    }

    /// What the web server in front of the service says to a request whose line and fields are too long; cookies of
    /// sign-ins that were begun and left pile up until they are (AzureAD/microsoft-authentication-library-for-js#6884; the
    /// limit of 16 KB is HTTP.sys's `MaxRequestBytes`).
    private mutating func tooLong(_ call: Call) -> Reply? {
        let limit = configuration.tenant.authority.headerLimit
        guard limit > 0 else { return nil }
        let request = call.request
        let line = request.method.utf8.count + request.url.description.utf8.count + "  HTTP/1.1\r\n".utf8.count
        let size = request.headers.fields.reduce(line) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard size > limit else { return nil }
        let why = "the request's line and header fields have \(size) bytes of \(limit) (authority.headerLimit)"
        refuse(call, why)
        return .send(
            Draft(
                status: 400, headers: .service(gatewayRequestID: gatewayID()),
                body: .text(
                    "<!DOCTYPE html><html><head><title>Bad Request</title></head><body><h2>Bad Request - Request Too Long</h2>"
                        + "<hr><p>HTTP Error 400. The size of the request headers is too long.</p></body></html>",
                    contentType: htmlContentType), refusal: why), after: .zero)
    }

    /// Whether the request is for a host of the tenant.
    func isOwn(_ call: Call) -> Bool {
        configuration.serves(host: call.request.url.host ?? "") || configuration.serves(host: call.host)
    }

    private mutating func dispatch(_ call: Call, _ target: PolicyAddress, _ endpoint: AuthorityEndpoint) -> Reply {
        if case .saml = endpoint {
            return notSimulated(
                JourneyFailure(.notSimulated(what: "SAML", location: nil), detail: "the address is one of SAML"), call)
        }
        if case .discovery = endpoint, let foreign = target.policy.resolved.foreignParty {
            return notSimulated(
                JourneyFailure(
                    .notSimulated(what: foreign.what, location: foreign.location),
                    detail: "the policy has no OpenID Connect metadata"), call)
        }
        switch endpoint {
        case .discovery: return discovery(call, target)
        case .keys: return keys(call, target)
        case .authorize: return authorize(call, target)
        case .token: return token(call, target)
        case .logout: return logout(call, target)
        case .userinfo: return userInfo(call, target)
        case .selfAsserted: return pagePost(call, target, .selfAsserted)
        case .phoneFactorVerify: return pagePost(call, target, .phoneFactor)
        case .displayControlAction(let control, let action):
            return pagePost(call, target, .displayControl(control: control, action: action))
        case .pageAction(let api, let action): return pageNavigation(call, target, api: api, action: action)
        case .clientTrace: return .send(Draft(headers: .service(gatewayRequestID: gatewayID())), after: .zero)
        default: return notFound(call, why: "\(call.request.url.path) is not an endpoint of a B2C policy")
        }
    }

    /// Unknown tenants, policies and paths: HTTP 404 (reported from live tenants). A browser that asks for a page gets
    /// one that says what is not there; the service's own has these few words only.
    mutating func notFound(_ call: Call, why: String) -> Reply {
        refuse(call, why)
        if call.request.acceptsHTML { return notFoundPage(why, call, why: why) }
        return .send(
            Draft(
                status: 404, headers: .service(gatewayRequestID: gatewayID()),
                body: .text(
                    "<!DOCTYPE html><html><head><title>404</title></head><body><h2>404 - File or directory not found.</h2>"
                        + "</body></html>", contentType: htmlContentType), refusal: why), after: .zero)
    }

    /// A fresh value for the gateway's request id.
    mutating func gatewayID() -> String { random.guid().description }

    /// Puts down why a request was refused.
    mutating func refuse(_ call: Call, _ why: String) {
        events.append(.refused(exchange: call.exchange.number, reason: why))
    }
}

extension RequestMessage {
    /// Whether the peer asks for a page: browsers name the type when they open an address, programs do not.
    var acceptsHTML: Bool {
        (headers["Accept"] ?? "").lowercased().split(separator: ",").contains { range in
            let type = range.prefix { $0 != ";" }.filter { $0 != " " }
            return type == "text/html" && !range.filter { $0 != " " }.hasSuffix(";q=0")
        }
    }
}
