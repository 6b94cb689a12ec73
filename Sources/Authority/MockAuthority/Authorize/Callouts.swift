import Determinism
import HTTPMessages
import Journeys

extension Authority {
    /// Hands a call-out's result to the journey that waits for it and answers the interrupted request.
    mutating func resume(_ id: CalloutID, _ result: CalloutResult, at now: Timestamp) -> Reply {
        guard let pending = callouts.removeValue(forKey: id) else {
            let why = "no call-out waits under this id"
            return .send(
                Draft(status: 500, headers: .service(gatewayRequestID: gatewayID()), refusal: why), after: .zero)
        }
        let call = Call(
            request: pending.call.request, exchange: pending.call.exchange, now: now, address: pending.call.address)
        switch pending.shape {
        case .transaction(let transactionID):
            guard var transaction = transactions.take(transactionID, at: now) else {
                return errorPage(
                    Refusal(.c90046, delivery: .page, why: "the journey was gone when its call-out came back"), call,
                    correlationID: transactionID)
            }
            transaction.waitsForCallout = false
            return advance(transaction, .finished(result), call)
        case .token(let running): return advance(running, .finished(result), call)
        }
    }
}
