import Synchronization

/// Counts what calls look at while a test asks for it: twice the accounts must take twice the steps.
final class OperationCounter: Sendable {
    enum Kind: Sendable {
        /// An item of the cache or a policy.
        case look
        /// The claims of an ID token.
        case claims
    }

    /// The counter of the task; none outside of tests.
    @TaskLocal static var current: OperationCounter?

    private let steps = Mutex<[Kind: Int]>([:])

    func total(_ kind: Kind = .look) -> Int { steps.withLock { $0[kind] ?? 0 } }

    func add(_ more: Int, _ kind: Kind = .look) { steps.withLock { $0[kind, default: 0] += more } }

    static func add(_ more: Int = 1, _ kind: Kind = .look) { current?.add(more, kind) }
}
