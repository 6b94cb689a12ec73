import B2CProtocol
import HTTPMessages

extension Authority {
    /// Answers a browser's preflight: documents may be read by anybody, the token endpoint by the origins of registered
    /// single-page apps. Elsewhere the answer carries no permission and the browser gives up (reported in MSAL.js issues).
    mutating func preflight(_ call: Call, _ target: PolicyAddress, _ endpoint: AuthorityEndpoint) -> Reply {
        var fields: [HeaderField] = []
        switch endpoint {
        case .discovery, .keys:
            fields = [
                HeaderField(name: "Access-Control-Allow-Origin", value: "*"),
                HeaderField(name: "Access-Control-Allow-Methods", value: "GET, OPTIONS"),
                HeaderField(name: "Access-Control-Allow-Headers", value: "*"),
            ]
        case .token:
            if let origin = call.request.headers["Origin"], isSinglePageOrigin(origin, target.configuration) {
                fields = [
                    HeaderField(name: "Access-Control-Allow-Origin", value: origin),
                    HeaderField(name: "Access-Control-Allow-Methods", value: "POST, OPTIONS"),
                    HeaderField(
                        name: "Access-Control-Allow-Headers",
                        value: call.request.headers["Access-Control-Request-Headers"] ?? "content-type"),
                    HeaderField(name: "Access-Control-Max-Age", value: "86400"),
                ]
            }
        default: break
        }
        return .send(
            Draft(status: 200, fields: fields, headers: .service(gatewayRequestID: gatewayID())), after: .zero)
    }

    /// Whether any app of the tenant has a redirect URI of type `spa` at this origin.
    private func isSinglePageOrigin(_ origin: String, _ configuration: Configuration) -> Bool {
        configuration.apps.contains { $0.isSinglePageOrigin(origin) }
    }
}

extension RegisteredApp {
    func isSinglePageOrigin(_ origin: String) -> Bool {
        redirectURIs.contains { $0.platform == .spa && WebURL($0.uri)?.origin == origin }
    }
}
