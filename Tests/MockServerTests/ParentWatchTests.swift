import HTTPMessages
import Synchronization
import Testing

@testable import MockServerCore

/// The server ends with the process that started it.
@Suite struct ParentWatchTests {
    /// Looks until the parent is another one, and no longer.
    @Test(arguments: [(40, [40, 40, 1]), (1, [1, 1, 7]), (40, [1])] as [(Int32, [Int32])])
    func `the server ends when its parent is another`(first: Int32, looks: [Int32]) async {
        let left = Mutex(looks)
        let rests = Mutex(0)
        let watch = ParentWatch(
            parent: first, current: { left.withLock { $0.isEmpty ? -1 : $0.removeFirst() } },
            rest: { rests.withLock { $0 += 1 } })
        await watch.wait()
        #expect(rests.withLock { $0 } == looks.count - 1)
        #expect(left.withLock { $0.isEmpty })
    }

    @Test func `a body that is too large is refused with the limit`() {
        let state = IncomingRequest(
            method: "PUT", scheme: "http", host: "localhost", target: "\(ControlAPI.prefix)/state?x=1", headers: [:],
            body: [],
            peer: "127.0.0.1", isLoopback: true)
        let text = Front.tooLarge(limit: Limits().controlBodySize, for: state)
        #expect(text.status == 413)
        #expect(
            text.text.contains("33554432 bytes (32 MB, about 50000 accounts)") && text.text.contains("--state FILE"))
        var other = state
        other.target = "/x"
        #expect(Front.tooLarge(limit: 5, for: other).text == "the body is larger than 5 bytes\n")
    }
}
