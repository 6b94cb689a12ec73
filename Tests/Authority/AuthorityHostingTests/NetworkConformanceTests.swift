import AuthorityHosting
import HTTPMessages
import TestSupport
import Testing

/// The table of exchanges over the network inside the process.
@Suite struct NetworkConformanceTests {
    @Test(arguments: TransportCase.all)
    func `an exchange comes out as the table says`(_ exchange: TransportCase) async {
        let peer = TransportPeer()
        let network = VirtualNetwork()
        network.attach(peer, hosts: [TransportCase.host])
        #expect(await exchange.problems(over: network, seen: peer) == [])
    }
}
