import B2CProtocol
import Determinism
import HTTPMessages
import JSON

extension Authority {
    /// Finds the endpoint that a request is for.
    mutating func respond(to call: Call) -> Reply {
        let request = call.request
        guard let address = addresses.address(of: request.url) else {
            return notFound(call, why: "\(request.url.path) is no address of the service")
        }
        if case .staticAsset(let name) = address.endpoint { return staticAsset(name, call) }
        guard servesAnyAddress || isOwn(call) else {
            return notFound(call, why: "host \(call.host) is none of the tenant's")
        }
        if let reply = throttled(call) { return reply }
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
                    + configuration.policies.map(\.id).joined(separator: ", "))
        }
        let target = PolicyAddress(
            configuration: configuration, policy: policy, scheme: call.scheme, host: call.host,
            tenantSegment: address.tenantSegment,
            form: address.form)
        if request.method == "OPTIONS" { return preflight(call, target, address.endpoint) }
        if let refusal = orders.refusal(exchange: call.exchange.number) {
            return refuse(call, target, address.endpoint, as: refusal)
        }
        return dispatch(call, target, address.endpoint)
    }

    /// Whether the request is for a host of the tenant.
    func isOwn(_ call: Call) -> Bool {
        configuration.serves(host: call.request.url.host ?? "") || configuration.serves(host: call.host)
    }

    private mutating func dispatch(_ call: Call, _ target: PolicyAddress, _ endpoint: AuthorityEndpoint) -> Reply {
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

    /// Unknown tenants, policies and paths: HTTP 404 (reported from live tenants).
    mutating func notFound(_ call: Call, why: String) -> Reply {
        refuse(call, why)
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
