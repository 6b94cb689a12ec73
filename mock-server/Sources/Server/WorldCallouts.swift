import AuthorityHosting
import HTTPMessages

/// The way of the calls that a world's authority and its APIs make: to the world's own network, and into its journal as
/// 4.1, 4.2 under the exchange that caused them.
final class WorldCallouts: Transport {
    private let network: VirtualNetwork
    private let exchanges: WorldExchanges
    private let time: WorldTime

    init(network: VirtualNetwork, exchanges: WorldExchanges, time: WorldTime) {
        self.network = network
        self.exchanges = exchanges
        self.time = time
    }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        let network = network
        let time = time
        return try await exchanges.call(
            request, context, by: { request, context in await network.deliver(request, context) },
            pass: { span in await time.pass(span) })
    }
}
