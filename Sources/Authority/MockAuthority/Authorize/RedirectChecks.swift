import B2CProtocol
import HTTPMessages
import TrustFramework

extension AuthorizeCheck {
    static let appEnabled = AuthorizeCheck(name: "the app is enabled", codes: [.c90092]) {
        request, call throws(Refusal) in
        guard request.app.settings.enabled else {
            throw Refusal(
                .c90092, [request.app.clientID, call.configuration.tenant.domain], delivery: .page,
                why: "registration.enabled of app \(request.app.name) is false")
        }
    }

    static let appForB2C = AuthorizeCheck(name: "the app was registered for B2C", codes: [.c90068]) {
        request, _ throws(Refusal) in
        guard request.app.settings.signInAudience == .any else {
            throw Refusal(
                .c90068, [request.app.clientID], delivery: .page,
                why: "registration.signInAudience of app \(request.app.name) is "
                    + request.app.settings.signInAudience.rawValue)
        }
    }

    /// A policy may be made for one app. Where it names the app is nowhere documented; as metadata of the relying party
    /// is inferred.
    static let appOfPolicy = AuthorizeCheck(name: "the policy is not fixed to another app", codes: [.c90011]) {
        request, call throws(Refusal) in
        guard let wanted = call.policy.resolved.relyingParty.metadata["client_id"] else { return }
        guard sameID(wanted, request.app.clientID) else {
            throw Refusal(
                .c90011, [request.app.clientID, wanted],
                why: "the relying party of policy \(call.policy.id) names the client id \(wanted)")
        }
    }

    static let appHasRedirectURIs = AuthorizeCheck(name: "the app has redirect URIs", codes: [.c90007]) {
        request, _ throws(Refusal) in
        guard !request.app.redirectURIs.isEmpty else {
            throw Refusal(
                .c90007, [request.app.clientID], delivery: .page,
                why: "registration.redirectUris of app \(request.app.name) is empty")
        }
    }

    /// A request without a redirect URI uses the registered one if there is only one (RFC 6749, 3.1.2.3).
    static let redirectURIWellFormed = AuthorizeCheck(
        name: "the redirect URI is an absolute URI without fragment", codes: [.c90287]
    ) { request, _ throws(Refusal) in
        guard let uri = request.value("redirect_uri") else {
            guard request.app.redirectURIs.count == 1 else {
                throw Refusal(
                    .c90006, ["", request.app.clientID], delivery: .page,
                    why: "no redirect_uri was sent and app \(request.app.name) has several")
            }
            request.redirectURI = request.app.redirectURIs[0].uri
            return
        }
        guard let parsed = WebURL(uri), parsed.fragment == nil else {
            throw Refusal(.c90287, [uri], delivery: .page, why: "redirect_uri is not an absolute URI: \(uri)")
        }
        request.redirectURI = uri
    }

    static let redirectURIRegistered = AuthorizeCheck(name: "the redirect URI is registered", codes: [.c90006]) {
        request, call throws(Refusal) in
        if let platform = request.app.registration(of: request.redirectURI) {
            request.platform = platform
            return
        }
        let registered = request.app.redirectURIs.map(\.uri)
        let delivery: Refusal.ErrorDelivery
        switch call.configuration.tenant.authority.wrongRedirectUri {
        case .page: delivery = .page
        case .registeredUri:
            delivery = registered.first { WebURL($0) != nil }.map { .registeredURI($0) } ?? .page
        }
        throw Refusal(
            .c90006, [request.redirectURI, request.app.clientID], delivery: delivery,
            why: "redirect_uri \(request.redirectURI) is not registered for app \(request.app.name); "
                + "registered: \(registered.joined(separator: ", "))")
    }
}
