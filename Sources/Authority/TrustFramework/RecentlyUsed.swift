/// The values asked for last, by key. One more than the limit pushes out the one whose last use is
/// the longest ago.
///
/// Each question and each value kept costs the same, however many there are.
public struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value between the one that was used before it and the one that was used after it, by their places.
    private struct Entry: Sendable {
        var key: Key
        var value: Value
        var earlier: Int?
        var later: Int?
    }

    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]
    private var oldest: Int?
    private var latest: Int?
    private var limit: Int

    /// - Parameter limit: The most values kept; at least one is.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of values kept.
    public var count: Int { entries.count }

    /// Raises the limit to this many values; a lower number changes nothing.
    public mutating func allow(_ limit: Int) {
        self.limit = max(self.limit, limit)
    }

    /// The value of a key, which counts as used now.
    public mutating func value(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        use(place)
        return entries[place].value
    }

    /// Keeps a value in the place of what the key had.
    public mutating func keep(_ value: Value, for key: Key) {
        if let place = places[key] {
            entries[place].value = value
            use(place)
        } else if entries.count >= limit, let oldest {
            places[entries[oldest].key] = nil
            entries[oldest].key = key
            entries[oldest].value = value
            places[key] = oldest
            use(oldest)
        } else {
            let place = entries.count
            entries.append(Entry(key: key, value: value, earlier: latest, later: nil))
            places[key] = place
            if let latest { entries[latest].later = place }
            latest = place
            if oldest == nil { oldest = place }
        }
    }

    /// Puts the entry at a place after all others.
    private mutating func use(_ place: Int) {
        guard place != latest else { return }
        let earlier = entries[place].earlier
        let later = entries[place].later
        if let earlier { entries[earlier].later = later } else { oldest = later }
        if let later { entries[later].earlier = earlier }
        entries[place].earlier = latest
        entries[place].later = nil
        if let latest { entries[latest].later = place }
        latest = place
    }
}
