/// The values asked for last, by key. One more than the limit pushes out the one that nobody has asked for the longest.
public struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var lastUse: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: The most values kept; at least one is.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of values kept.
    public var count: Int { entries.count }

    /// The value of a key, which counts as used now.
    public mutating func value(_ key: Key) -> Value? {
        guard var entry = entries[key] else { return nil }
        uses += 1
        entry.lastUse = uses
        entries[key] = entry
        return entry.value
    }

    /// Keeps a value in the place of what the key had.
    public mutating func keep(_ value: Value, for key: Key) {
        uses += 1
        if entries[key] == nil, entries.count >= limit,
            // No two uses have the same number, so the order of the dictionary does not matter.
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            entries[oldest] = nil
        }
        entries[key] = Entry(value: value, lastUse: uses)
    }
}
