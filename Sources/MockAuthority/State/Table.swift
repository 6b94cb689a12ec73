import Determinism

/// Rows under keys, with a limit and an expiry for each row: the only way the authority keeps what changes.
///
/// A row is *taken*, changed and *put back*, so that a row that owns large values is never copied. While it is out its
/// place is kept. Expiry is checked whenever a row is read and swept a few rows at a time from a queue ordered by
/// (time, insertion), so that work per request is bounded and the order is the same on every run. The dictionary is
/// never iterated.
struct Table<Key: Hashable & Sendable, Row: Sendable>: Sendable {
    struct Slot: Sendable {
        var row: Row?
        var expires: Timestamp
        var sequence: UInt64
    }

    struct Due: Sendable {
        var expires: Timestamp
        var sequence: UInt64
        var key: Key
    }

    private var slots: [Key: Slot] = [:]
    private var due: [Due] = []
    private var arrivals: [(key: Key, sequence: UInt64)] = []
    private var firstArrival = 0
    private var nextSequence: UInt64 = 0
    private var touchedKeys: [Key] = []

    /// The most rows kept; a further one pushes out the oldest.
    let limit: Int
    /// Whether the keys of changed rows are collected for a state store.
    var recordsTouched = false

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var count: Int { slots.count }

    /// The row, unless it is absent, out, or past its expiry.
    func row(_ key: Key, at now: Timestamp) -> Row? {
        guard let slot = slots[key], slot.expires > now else { return nil }
        return slot.row
    }

    /// A row as a state store keeps it, with the time at which it goes; `nil` when there is none.
    func kept(_ key: Key) -> (row: Row, expires: Timestamp)? {
        guard let slot = slots[key], let row = slot.row else { return nil }
        return (row, slot.expires)
    }

    /// Takes the row out; its place is kept for `putBack`.
    mutating func take(_ key: Key, at now: Timestamp) -> Row? {
        guard let index = slots.index(forKey: key) else { return nil }
        guard slots.values[index].expires > now else {
            remove(key)
            return nil
        }
        var row: Row?
        swap(&row, &slots.values[index].row)
        return row
    }

    /// Puts a taken row back; a row whose place has gone meanwhile is inserted anew.
    mutating func putBack(_ key: Key, _ row: Row, expires: Timestamp) {
        guard let index = slots.index(forKey: key) else {
            insert(key, row, expires: expires)
            return
        }
        slots.values[index].row = row
        if slots.values[index].expires != expires {
            slots.values[index].expires = expires
            push(Due(expires: expires, sequence: slots.values[index].sequence, key: key))
        }
        touch(key)
    }

    mutating func insert(_ key: Key, _ row: Row, expires: Timestamp) {
        if slots[key] == nil, slots.count >= limit { evictOldest() }
        nextSequence += 1
        slots[key] = Slot(row: row, expires: expires, sequence: nextSequence)
        arrivals.append((key, nextSequence))
        push(Due(expires: expires, sequence: nextSequence, key: key))
        touch(key)
    }

    mutating func remove(_ key: Key) {
        guard slots.removeValue(forKey: key) != nil else { return }
        touch(key)
    }

    mutating func removeAll() {
        for key in keysInOrder() { touch(key) }
        slots.removeAll()
        due.removeAll()
        arrivals.removeAll()
        firstArrival = 0
    }

    /// Drops at most `most` rows whose time has passed.
    mutating func sweep(at now: Timestamp, most: Int = 8) {
        var dropped = 0
        while dropped < most, let first = due.first, first.expires <= now {
            popDue()
            // An entry whose row has gone, came anew or was prolonged is only the queue's leftover.
            guard let slot = slots[first.key], slot.sequence == first.sequence, slot.expires <= now else { continue }
            remove(first.key)
            dropped += 1
        }
        compact()
    }

    /// Keys of all rows in the order they came.
    func keysInOrder() -> [Key] {
        arrivals[firstArrival...].filter { slots[$0.key]?.sequence == $0.sequence }.map(\.key)
    }

    mutating func drainTouched() -> [Key] {
        defer { touchedKeys.removeAll(keepingCapacity: true) }
        return touchedKeys
    }

    private mutating func touch(_ key: Key) {
        if recordsTouched { touchedKeys.append(key) }
    }

    private mutating func evictOldest() {
        while firstArrival < arrivals.count {
            let oldest = arrivals[firstArrival]
            firstArrival += 1
            if slots[oldest.key]?.sequence == oldest.sequence {
                remove(oldest.key)
                return
            }
        }
    }

    /// The queues keep leftovers of removed rows; once these outnumber the rows they are filtered, which costs a
    /// constant amount for each row that was ever inserted.
    private mutating func compact() {
        let bound = 2 * slots.count + 64
        if due.count > bound {
            due = due.filter { entry in
                slots[entry.key].map { $0.sequence == entry.sequence && $0.expires == entry.expires } ?? false
            }
            due.sort(by: Self.before)
        }
        if arrivals.count - firstArrival > bound || firstArrival > bound {
            arrivals = arrivals[firstArrival...].filter { slots[$0.key]?.sequence == $0.sequence }
            firstArrival = 0
        }
    }

    // MARK: the expiry queue, a binary heap

    private static func before(_ a: Due, _ b: Due) -> Bool {
        a.expires == b.expires ? a.sequence < b.sequence : a.expires < b.expires
    }

    private mutating func push(_ entry: Due) {
        due.append(entry)
        var child = due.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.before(due[child], due[parent]) else { return }
            due.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func popDue() {
        guard let last = due.popLast(), !due.isEmpty else { return }
        due[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < due.count && Self.before(due[child], due[least]) {
                least = child
            }
            guard least != parent else { return }
            due.swapAt(parent, least)
            parent = least
        }
    }
}
