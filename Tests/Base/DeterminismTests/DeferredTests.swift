import Determinism
import Foundation
import Synchronization
import Testing

@Suite struct DeferredTests {
    @Test func `a value is made when it is asked for, and once`() {
        let count = Counter()
        let value = Deferred { count.next() }
        #expect(count.total == 0)
        #expect(value.value == 1)
        #expect(value.value == 1)
        #expect(count.total == 1)
    }

    @Test func `many threads that ask at once get one value`() {
        let count = Counter()
        let value = Deferred { count.next() }
        DispatchQueue.concurrentPerform(iterations: 64) { _ in #expect(value.value == 1) }
        #expect(count.total == 1)
    }

    private final class Counter: Sendable {
        private let made = Mutex(0)
        var total: Int { made.withLock { $0 } }
        func next() -> Int {
            made.withLock { made in
                made += 1
                return made
            }
        }
    }
}
