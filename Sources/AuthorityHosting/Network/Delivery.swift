import Determinism
import HTTPMessages

/// What came of one exchange, and how much later than at once it arrives.
///
/// Nothing here waits: whoever sent the request lets `delay` pass in base time and compares it with its own timeout.
public struct Delivery: Sendable {
    public var outcome: Result<ResponseMessage, TransportError>
    /// Base time between the departure of the request and the arrival of the outcome.
    public var delay: TimeSpan

    public init(_ outcome: Result<ResponseMessage, TransportError>, delay: TimeSpan = .zero) {
        self.outcome = outcome
        self.delay = delay
    }

    public static func response(_ response: ResponseMessage, delay: TimeSpan = .zero) -> Delivery {
        Delivery(.success(response), delay: delay)
    }

    public static func failure(_ error: TransportError, delay: TimeSpan = .zero) -> Delivery {
        Delivery(.failure(error), delay: delay)
    }
}

/// A responder whose answers may take their time.
public protocol DelayingResponder: Responder {
    func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery
}

extension DelayingResponder {
    /// The outcome without its delay.
    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        try await delivery(of: request, context).outcome.get()
    }
}
