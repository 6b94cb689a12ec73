import Determinism
import HTTPMessages

/// The result of one exchange, and how much later it arrives.
///
/// Nothing here waits: the sender of the request lets `delay` pass in base time and compares it with its own timeout.
public struct Delivery: Sendable {
    public var outcome: Result<ResponseMessage, TransportError>
    /// Base time between the departure of the request and the arrival of the outcome.
    public var delay: TimeSpan
    /// What a mock made of the orders that came with the request, if there were any.
    public var obeyed: ChangeEffect?

    public init(
        _ outcome: Result<ResponseMessage, TransportError>, delay: TimeSpan = .zero, obeyed: ChangeEffect? = nil
    ) {
        self.outcome = outcome
        self.delay = delay
        self.obeyed = obeyed
    }

    public static func response(
        _ response: ResponseMessage, delay: TimeSpan = .zero, obeyed: ChangeEffect? = nil
    ) -> Delivery {
        Delivery(.success(response), delay: delay, obeyed: obeyed)
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
