import MockAuthority

/// Where an authority's rows are kept beyond the life of the process.
///
/// A host hands over what changed, in order and in batches, and answers no request before `commit` has returned for
/// everything that request may have seen. A store that throws ends the host: memory is then ahead of the store.
public protocol StateStore: Sendable {
    /// False for a store that keeps nothing; the host then collects no changes and never waits.
    var keepsState: Bool { get }

    /// Changes of rows that are not the authority's own, such as a clock's, since it was last asked. Asked after each
    /// decision: what the decision shows is then not newer than what is made durable before its answer.
    func drainOwnChanges() -> [RowChange]

    /// Makes changes durable.
    ///
    /// - Parameter sequence: The number of the last of them; numbers grow by one with each change.
    func commit(_ changes: [RowChange], upTo sequence: UInt64) async throws
}

extension StateStore {
    public func drainOwnChanges() -> [RowChange] { [] }
}

/// State that ends with the process.
public struct MemoryStore: StateStore {
    public init() {}

    public var keepsState: Bool { false }

    public func commit(_ changes: [RowChange], upTo sequence: UInt64) async throws {}
}
