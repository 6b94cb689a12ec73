import Dispatch
import Synchronization

/// Work that is spread over the cores.
package enum Parallel {
    /// What a function makes of each element, in the order of the elements.
    ///
    /// - Parameter workers: The most elements that are worked on at the same time.
    package static func map<Element: Sendable, Made: Sendable>(
        _ elements: [Element], workers: Int = Machine.cores, _ transform: @Sendable (Element) -> Made
    ) -> [Made] {
        guard workers > 1, elements.count > 1 else { return elements.map(transform) }
        let next = Atomic<Int>(0)
        let results = Mutex<[Made?]>(Array(repeating: nil, count: elements.count))
        DispatchQueue.concurrentPerform(iterations: min(workers, elements.count)) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < elements.count else { return }
                let made = transform(elements[index])
                results.withLock { $0[index] = made }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
