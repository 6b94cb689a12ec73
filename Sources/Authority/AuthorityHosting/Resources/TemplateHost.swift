import HTTPMessages
import TenantFiles
import TrustFramework

/// The web server that keeps the page templates of a tenant's policies (Microsoft docs: customize-ui-with-html).
public struct TemplateHost: Responder {
    /// The addresses to attach it at.
    public let addresses: [WebURL]
    /// Addresses that hold claims resolvers or placeholders, so that only a sign-in says what they are.
    public let patterns: [AddressPattern]
    /// Templates by origin and path; of two at one address the first.
    private let templates: [String: TemplateSettings]

    /// - Parameters:
    ///   - policies: Custom policies among them name templates in their content definitions. Those that the tenant file says
    ///     nothing about are there, and may be loaded from other origins.
    ///   - files: Has the templates at other addresses.
    public init(tenant: Tenant, policies: [ResolvedPolicy] = [], files: PageFiles = .none) {
        var templates = tenant.policies.compactMap(\.template)
            .filter { $0.html != nil || $0.status >= 400 || files.path(for: $0.url) == nil }
        var known = Set(templates.map(\.url))
        var patterns: [AddressPattern] = []
        var knownPatterns: Set<AddressPattern> = []
        for policy in policies where !policy.personality.isUserFlow {
            for definition in policy.contentDefinitions where definition.loadURI.lowercased().hasPrefix("http") {
                guard files.path(for: definition.loadURI) == nil, known.insert(definition.loadURI).inserted else {
                    continue
                }
                if let pattern = AddressPattern(definition.loadURI) {
                    if knownPatterns.insert(pattern).inserted { patterns.append(pattern) }
                } else {
                    templates.append(TemplateSettings { $0.url = definition.loadURI })
                }
            }
        }
        var addresses: [WebURL] = []
        var byAddress: [String: TemplateSettings] = [:]
        for template in templates {
            guard let address = WebURL(template.url) else { continue }
            addresses.append(address)
            let place = address.origin + address.path
            if byAddress[place] == nil { byAddress[place] = template }
        }
        self.addresses = addresses
        self.patterns = patterns
        self.templates = byAddress
    }

    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        guard
            let template = templates[request.url.origin + request.url.path]
                ?? (patterns.contains { $0.matches(request.url) }
                    ? TemplateSettings { $0.url = request.url.description } : nil)
        else {
            return .text(404, "Not Found")
        }
        var response =
            template.status < 400
            ? ResponseMessage.html(template.status, template.html ?? Self.page)
            : .text(template.status, "The template is not available.")
        if template.cors {
            response.headers.append("Access-Control-Allow-Origin", request.headers["Origin"] ?? "*")
            response.headers.append("Access-Control-Allow-Methods", "GET, OPTIONS")
        } else {
            response.refusal = "the template is served without CORS headers, so a browser may not load it"
        }
        return response
    }

    /// The least a template needs: the element that the service fills.
    private static let page = """
        <!DOCTYPE html><html lang="en"><head><title>Template</title></head><body><div id="api"></div></body></html>
        """
}
