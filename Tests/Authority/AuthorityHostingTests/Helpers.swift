import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import Synchronization
import TenantFiles
import Testing

/// A responder that says its name and what it was asked.
struct Named: Responder {
    let name: String

    func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        .text(200, "\(name) \(request.url.path)")
    }
}

/// A clock that tests move.
struct TestClock: WallClock {
    let time: VirtualTime

    init(_ time: VirtualTime = VirtualTime(TestClock.start)) {
        self.time = time
    }

    static let start = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)

    func now() -> Timestamp { time.now }
}

func url(_ text: String) throws -> WebURL {
    try #require(WebURL(text))
}

func tenant(_ json: JSONValue) throws -> Tenant {
    try Tenant(json: json)
}

extension Result where Failure == TransportError {
    var error: TransportError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// Keeps every request that passes and hands it on.
final class Recorder: Transport {
    struct Exchange: Sendable {
        var request: RequestMessage
        var context: ExchangeContext
    }

    private let inner: any Transport
    private let kept = Mutex<[Exchange]>([])

    init(_ inner: any Transport) {
        self.inner = inner
    }

    var exchanges: [Exchange] { kept.withLock { $0 } }

    var urls: [String] { exchanges.map(\.request.url.description) }

    func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        kept.withLock { $0.append(Exchange(request: request, context: context)) }
        return try await inner.send(request, context)
    }
}
