import Determinism
import HTTPMessages

/// Sends requests to an API of Azure and for its tokens, again if the service is busy, within limits.
public struct AzureSender: Sendable {
    /// How long one answer may take. The query APIs end a query after three minutes (Microsoft docs: timeouts).
    private static let patience = TimeSpan.seconds(190)
    /// How long all waits together may take.
    private static let mostWaiting = TimeSpan.minutes(5)
    /// How often a request is sent again because the service or the network failed.
    private static let mostFailures = 3

    private let resource: any AzureResource
    private let surroundings: AzureSurroundings
    /// What its requests carried.
    public private(set) var secrets = SentSecrets()
    private var waited = TimeSpan.zero

    /// - Parameter resource: What its remedies are about.
    public init(_ resource: any AzureResource, _ surroundings: AzureSurroundings) {
        self.resource = resource
        self.surroundings = surroundings
    }

    /// The answer, whatever its status is: not 429, and 5xx only after several attempts.
    ///
    /// - Parameters:
    ///   - what: Who answers, for messages.
    ///   - isRepeatable: Whether the request may reach the service twice. One that may not is sent again only after 429,
    ///     because the service has not acted then; ``AzureProblem/Kind/lost`` says that it may have acted.
    public mutating func send(
        _ request: RequestMessage, to what: String, isRepeatable: Bool = true
    ) async throws(AzureProblem) -> ResponseMessage {
        secrets.note(request)
        // To stop between two writes is worse than to wait, so each has the whole time.
        if !isRepeatable { waited = .zero }
        var failures = 0
        var busy: Int64 = 0
        while true {
            let response: ResponseMessage
            do throws(TransportError) {
                response = try await surroundings.transport.send(request, ExchangeContext(timeout: Self.patience))
            } catch {
                guard isRepeatable else { throw unrepeated(error, request.url, what) }
                failures += 1
                guard [.reset, .truncated].contains(error), failures <= Self.mostFailures else {
                    throw problem(error, request.url, what)
                }
                try await wait(Self.pause(failures), "\(what) broke the connection")
                continue
            }
            switch response.status {
            case 429:
                busy += 1
                let asked = response.retryAfter(at: surroundings.now())
                try await wait(max(asked ?? Self.pause(Int(busy) + 1), .seconds(1)), "\(what) is busy (HTTP 429)")
            // 504 is a query that takes too long; asked again it takes as long.
            case 500..<504 where isRepeatable, 505..<600 where isRepeatable:
                failures += 1
                guard failures <= Self.mostFailures else { return response }
                let asked = response.retryAfter(at: surroundings.now())
                try await wait(asked ?? Self.pause(failures), "\(what) failed (HTTP \(response.status))")
            default: return response
            }
        }
    }

    /// 1, 2, 4 ... seconds.
    private static func pause(_ number: Int) -> TimeSpan { .seconds(Int64(1) << Int64(min(max(number - 1, 0), 5))) }

    /// Remembers a secret of a request's body, so that it is masked wherever a service repeats it.
    public mutating func hide(_ secret: String) { secrets.note(secret) }

    /// Waits before a request is sent again, within the limit of all waits.
    ///
    /// - Parameter reason: Why, for messages.
    public mutating func wait(_ span: TimeSpan, _ reason: String) async throws(AzureProblem) {
        guard waited + span <= Self.mostWaiting else {
            throw AzureProblem(
                .service, "\(reason) and asks for a wait of \(span.wholeSeconds) seconds",
                remedy: resource.busyRemedy)
        }
        waited = waited + span
        surroundings.say("\(reason): waiting \(span.wholeSeconds) s")
        await surroundings.wait(surroundings.now() + span)
    }

    /// The problem of a request that is not sent again.
    private func unrepeated(_ error: TransportError, _ url: WebURL, _ what: String) -> AzureProblem {
        var problem = problem(error, url, what)
        switch error {
        // The request has not left.
        case .dns, .tls, .refused, .offline: break
        case .reset, .truncated, .timeout, .cancelled, .other:
            problem.kind = .lost
            problem.remedy = "The service may have acted. Check what it has before you repeat the command."
        }
        return problem
    }

    private func problem(_ error: TransportError, _ url: WebURL, _ what: String) -> AzureProblem {
        let host = url.authority
        switch error {
        case .dns:
            return AzureProblem(
                .service, "\(what): the name \(host) cannot be resolved",
                remedy:
                    "Check \(resource.addressOption) and AZURE_AUTHORITY_HOST, the network and the DNS server; behind a "
                    + "proxy set https_proxy.")
        case .tls:
            return AzureProblem(
                .service, "\(what): there is no secure connection to \(host), because its certificate is not trusted",
                remedy:
                    "If a proxy of your company reads the traffic, or for `b2c serve --tls`, name the certificate authority's "
                    + "PEM file in B2C_CA_FILE.")
        case .timeout:
            return AzureProblem(
                .service, "\(what): \(host) did not answer in time", remedy: resource.slowRemedy)
        case .refused, .offline:
            return AzureProblem(
                .service, "\(what): \(host) cannot be reached (\(error.word))",
                remedy:
                    url.isLoopback
                    ? "Start the server there." : "Check the network, firewall and proxy (https_proxy).")
        case .reset, .truncated:
            return AzureProblem(
                .service, "\(what): \(host) breaks the connection", remedy: "Check firewall and proxy, and try again.")
        case .cancelled, .other:
            return AzureProblem(
                .service, "\(what): \(host): \(secrets.shown("\(error)"))",
                remedy: "Check \(resource.addressOption), the network and the proxy.")
        }
    }
}
