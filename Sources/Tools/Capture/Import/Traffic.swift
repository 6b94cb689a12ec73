import B2CProtocol
import Browser
import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// The exchanges of a capture, sorted by what they are about.
struct Traffic {
    /// What one exchange is.
    enum Subject {
        case authority(B2CAddress)
        case api
        /// A host that has nothing to do with the flow as far as can be seen.
        case other
    }

    /// An exchange with what it is about.
    struct Item {
        var exchange: CapturedExchange
        var subject: Subject
        /// Id of its policy in lower case.
        var policy: String? { if case .authority(let address) = subject { address.policy?.lowercased() } else { nil } }
    }

    private(set) var items: [Item] = []
    /// Hosts at which B2C answered, in the order of their first request.
    private(set) var authorityHosts: [String] = []
    /// The tenant as addresses write it, most often written first.
    private(set) var tenantSegments: [String] = []
    /// Hosts of everything that is omitted, with the number of requests.
    private(set) var otherHosts: [String: Int] = [:]
    /// Some request shows credentials, so one without them has none.
    let showsCredentials: Bool

    var isEmpty: Bool { authorityHosts.isEmpty }
    private var seenHosts: [String] = []
    private let count: Int

    init(_ exchanges: [CapturedExchange]) {
        count = exchanges.count
        showsCredentials = exchanges.contains { $0.request.headers["Authorization"] != nil }
        let exchanges = exchanges.enumerated()
            .sorted { ($0.element.started, $0.offset) < ($1.element.started, $1.offset) }.map(\.element)
        for exchange in exchanges {
            if let host = exchange.request.url.host, seenHosts.count < 200 { seenHosts.note(host) }
        }
        let addresses = exchanges.map { B2CAddress.parse($0.request.url) }
        var segments: [String: Int] = [:]
        var authorities: Set<String> = []
        for (exchange, address) in zip(exchanges, addresses) {
            guard let address, Self.isB2C(exchange.request.url, address) else { continue }
            let host = exchange.request.url.authority.lowercased()
            if authorities.insert(host).inserted { authorityHosts.append(host) }
            if !address.tenantSegment.isEmpty { segments[address.tenantSegment.lowercased(), default: 0] += 1 }
        }
        tenantSegments = segments.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let apis = Self.apiOrigins(exchanges, authorities)
        for (exchange, address) in zip(exchanges, addresses) {
            let url = exchange.request.url
            if authorities.contains(url.authority.lowercased()) {
                if let address { items.append(Item(exchange: exchange, subject: .authority(address))) }
                continue
            }
            let isCall =
                exchange.request.method != "OPTIONS" && apis.contains(url.origin) && Self.isCall(exchange)
            items.append(Item(exchange: exchange, subject: isCall ? .api : .other))
        }
    }

    /// Notes that an exchange has no part in the script.
    mutating func leaveOut(_ exchange: CapturedExchange) {
        otherHosts[exchange.request.url.host ?? exchange.request.url.scheme, default: 0] += 1
    }

    // MARK: What belongs to B2C

    /// An address of B2C: on its own hosts, or with a policy in it wherever it is (a domain of the tenant's own).
    private static func isB2C(_ url: WebURL, _ address: B2CAddress) -> Bool {
        guard url.scheme == "https" || url.scheme == "http", let host = url.host else { return false }
        if case .staticAsset = address.endpoint { return false }
        if case .clientTrace = address.endpoint { return false }
        if host.hasSuffix(".b2clogin.com") || host.hasSuffix(".b2clogin.cn") { return true }
        return address.policy?.lowercased().hasPrefix("b2c_1") ?? false
    }

    /// Origins that got a bearer token, or that a browser asked in advance whether it may send one. Tools leave the
    /// field with the token out of what they write by default.
    private static func apiOrigins(_ exchanges: [CapturedExchange], _ authorities: Set<String>) -> Set<String> {
        var origins: Set<String> = []
        for exchange in exchanges {
            let request = exchange.request
            guard request.url.host != nil, !authorities.contains(request.url.authority.lowercased()),
                request.url.host != "graph.microsoft.com"
            else { continue }
            let asks = request.headers["Access-Control-Request-Headers"]?.lowercased() ?? ""
            if isBearer(exchange) || (request.method == "OPTIONS" && asks.contains("authorization")) {
                origins.insert(request.url.origin)
            }
        }
        return origins
    }

    private static func isBearer(_ exchange: CapturedExchange) -> Bool {
        exchange.request.headers["Authorization"]?.lowercased().hasPrefix("bearer") ?? false
    }

    /// A call of an API, as opposed to a page that lives on the same host.
    private static func isCall(_ exchange: CapturedExchange) -> Bool {
        if isBearer(exchange) { return true }
        let type = exchange.response?.headers.mediaType ?? ""
        return exchange.request.headers["Origin"] != nil || type.isEmpty || type.contains("json")
            || exchange.request.headers["Sec-Fetch-Mode"] == "cors"
    }

    /// Why there is nothing to import.
    func complaint(_ source: String) -> Diagnostic {
        let hosts = seenHosts.prefix(6).joined(separator: ", ") + (seenHosts.count > 6 ? ", ..." : "")
        return Diagnostic(
            rule: "B2C-IMPORT-006",
            "\(source) has \(HARFile.count(count, "request", "requests"))"
                + (hosts.isEmpty ? "" : " (\(hosts))") + ", and none goes to Azure AD B2C",
            remedy: "Capture the host of the sign-in too (TENANT.b2clogin.com or your own domain); a proxy has to be "
                + "trusted by the device, or it sees none of it.")
    }
}
