import AuthorityHosting
import Determinism
import HTTPMessages

/// The way of the calls that a world's authority and its APIs make: to the world's own network, and into its log as 4.1,
/// 4.2 under the exchange that caused them.
final class WorldCallouts: Transport {
    private let network: VirtualNetwork
    private let log: RequestLog
    private let time: WorldTime

    init(network: VirtualNetwork, log: RequestLog, time: WorldTime) {
        self.network = network
        self.log = log
        self.time = time
    }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        let entry = log.begin(request, context, at: time.now())
        var inner = context
        inner.number = entry.number
        var delivery = await network.deliver(request, inner)
        // As long as the caller waits, and no longer.
        if let timeout = context.timeout, delivery.delay > timeout {
            delivery = .failure(.timeout, delay: timeout)
        }
        await time.pass(delivery.delay)
        log.finish(entry.position, delivery.outcome, delay: delivery.delay)
        return try delivery.outcome.get()
    }
}
