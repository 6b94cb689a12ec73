import CommandKit
import Synchronization
import Testing

/// Work that is spread over the cores.
struct ParallelTests {
    @Test(arguments: [0, 1, 2, 7, 1000], [1, 2, 8])
    func `results are in the order of the elements, each made once`(count: Int, workers: Int) {
        let calls = Mutex<[Int]>([])
        let made = Parallel.map(Array(0..<count), workers: workers) { element in
            calls.withLock { $0.append(element) }
            return "\(element)"
        }
        #expect(made == (0..<count).map { "\($0)" })
        #expect(calls.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test func `results that are absent keep their places`() {
        let made = Parallel.map(Array(0..<100), workers: 4) { $0 % 3 == 0 ? nil : $0 }
        #expect(made == (0..<100).map { $0 % 3 == 0 ? nil : $0 })
    }
}
