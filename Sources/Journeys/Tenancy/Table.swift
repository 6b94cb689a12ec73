import Determinism

/// Rows under keys, with a limit and an expiry for each row: the only way an authority keeps what changes.
///
/// A row is *taken*, changed and *put back*, so that a row that owns large values is never copied. While it is out its
/// place is kept. Expiry is checked whenever a row is read and swept a few rows at a time in the order of expiry, so that
/// work per request is bounded and the order is the same on every run. The dictionary is never iterated.
///
/// A row costs its own size, about 45 bytes beside it and its key in the dictionary: places of removed rows are used again.
package struct Table<Key: Hashable & Sendable, Row: Sendable>: Sendable {
    private struct Slot: Sendable {
        var key: Key
        /// `nil` while it is out, and in a free slot.
        var row: Row?
        var expires: Timestamp
        /// Counts insertions: of rows that expire at the same time the first one goes first.
        var arrival: UInt64
        /// The slots that came before and after this one; `after` of a free slot is the next free one.
        var before: Int32
        var after: Int32
        /// Its place in the queue of expiry.
        var due: Int32
    }

    /// No slot.
    private static var none: Int32 { -1 }

    private var places: [Key: Int32] = [:]
    private var slots: [Slot] = []
    private var free = Self.none
    private var oldest = Self.none
    private var newest = Self.none
    /// Slots as a binary heap by expiry.
    private var due: [Int32] = []
    private var arrivals: UInt64 = 0
    private var touchedKeys: [Key] = []

    /// The most rows kept; a further one pushes out the oldest.
    package let limit: Int
    /// Whether the keys of changed rows are collected for a state store.
    package var recordsTouched = false

    package init(limit: Int) {
        self.limit = min(max(1, limit), Int(Int32.max) - 1)
    }

    package var count: Int { due.count }

    /// Places in memory, free ones included.
    var slotCount: Int { slots.count }

    /// The row, unless it is absent, out, or past its expiry.
    package func row(_ key: Key, at now: Timestamp) -> Row? {
        guard let place = place(of: key), slots[place].expires > now else { return nil }
        return slots[place].row
    }

    /// Whether the row is there and past its expiry.
    package func isPast(_ key: Key, at now: Timestamp) -> Bool {
        place(of: key).map { slots[$0].expires <= now } ?? false
    }

    /// The row whatever the time, with the time at which it goes; `nil` when there is none.
    package func kept(_ key: Key) -> (row: Row, expires: Timestamp)? {
        guard let place = place(of: key), let row = slots[place].row else { return nil }
        return (row, slots[place].expires)
    }

    /// Takes the row out; its place is kept for `putBack`.
    package mutating func take(_ key: Key, at now: Timestamp) -> Row? {
        guard let place = place(of: key) else { return nil }
        guard slots[place].expires > now else {
            remove(key)
            return nil
        }
        var row: Row?
        swap(&row, &slots[place].row)
        return row
    }

    /// Puts a taken or changed row into its place. A row without a place becomes the newest.
    package mutating func putBack(_ key: Key, _ row: Row, expires: Timestamp) {
        guard let place = place(of: key) else {
            insert(key, row, expires: expires)
            return
        }
        slots[place].row = row
        if slots[place].expires != expires {
            slots[place].expires = expires
            settle(Int(slots[place].due))
        }
        touch(key)
    }

    /// Inserts a row as the newest, in place of one with the same key.
    package mutating func insert(_ key: Key, _ row: Row, expires: Timestamp) {
        if let known = places.removeValue(forKey: key) {
            release(Int(known))
        } else if count >= limit {
            remove(slots[Int(oldest)].key)
        }
        arrivals += 1
        var slot = Slot(
            key: key, row: row, expires: expires, arrival: arrivals, before: newest, after: Self.none,
            due: Int32(due.count))
        let place: Int
        if free == Self.none {
            place = slots.count
            slots.append(slot)
        } else {
            place = Int(free)
            free = slots[place].after
            swap(&slot, &slots[place])
        }
        if newest == Self.none { oldest = Int32(place) } else { slots[Int(newest)].after = Int32(place) }
        newest = Int32(place)
        places[key] = Int32(place)
        due.append(Int32(place))
        settle(due.count - 1)
        touch(key)
    }

    /// Removes a row.
    ///
    /// - Returns: The row, if it was there and not out.
    @discardableResult
    package mutating func remove(_ key: Key) -> Row? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        touch(key)
        return release(Int(place))
    }

    package mutating func removeAll() {
        for key in keysInOrder() { touch(key) }
        places = [:]
        slots = []
        due = []
        free = Self.none
        oldest = Self.none
        newest = Self.none
    }

    /// Drops at most `most` rows whose time has passed, and returns them.
    @discardableResult
    package mutating func sweep(at now: Timestamp, most: Int = 8) -> [(key: Key, row: Row)] {
        var dropped: [(key: Key, row: Row)] = []
        var left = most
        while left > 0, let first = due.first, slots[Int(first)].expires <= now {
            left -= 1
            let key = slots[Int(first)].key
            if let row = remove(key) { dropped.append((key, row)) }
        }
        giveBack()
        return dropped
    }

    /// Keys of all rows in the order they came.
    package func keysInOrder() -> [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(count)
        var place = oldest
        while place != Self.none {
            keys.append(slots[Int(place)].key)
            place = slots[Int(place)].after
        }
        return keys
    }

    package mutating func drainTouched() -> [Key] {
        guard !touchedKeys.isEmpty else { return [] }
        defer { touchedKeys.removeAll(keepingCapacity: true) }
        return touchedKeys
    }

    private mutating func touch(_ key: Key) {
        if recordsTouched { touchedKeys.append(key) }
    }

    private func place(of key: Key) -> Int? { places[key].map { Int($0) } }

    // MARK: slots

    /// Frees a slot. Its key has been removed from the dictionary.
    @discardableResult
    private mutating func release(_ place: Int) -> Row? {
        let (before, after) = (slots[place].before, slots[place].after)
        if before == Self.none { oldest = after } else { slots[Int(before)].after = after }
        if after == Self.none { newest = before } else { slots[Int(after)].before = before }
        let hole = Int(slots[place].due)
        let last = due.removeLast()
        if hole < due.count {
            due[hole] = last
            slots[Int(last)].due = Int32(hole)
            settle(hole)
        }
        var row: Row?
        swap(&row, &slots[place].row)
        slots[place].after = free
        free = Int32(place)
        return row
    }

    /// Moves the rows together once most slots are free: what a load took comes back when its rows have gone. It costs a
    /// constant amount for each row that was ever inserted.
    private mutating func giveBack() {
        guard slots.count > 4 * count + 256 else { return }
        var old: [Slot] = []
        swap(&old, &slots)
        slots.reserveCapacity(count)
        places = Dictionary(minimumCapacity: count)
        due = []
        var place = oldest
        (free, oldest, newest) = (Self.none, Self.none, Self.none)
        while place != Self.none {
            var slot = old[Int(place)]
            place = slot.after
            let own = Int32(slots.count)
            (slot.before, slot.after, slot.due) = (newest, Self.none, own)
            places[slot.key] = own
            if newest == Self.none { oldest = own } else { slots[Int(newest)].after = own }
            newest = own
            slots.append(slot)
            due.append(own)
        }
        for place in stride(from: due.count / 2, through: 0, by: -1) where place < due.count { sink(place) }
    }

    // MARK: the queue of expiry, a binary heap

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (Int(due[a]), Int(due[b]))
        return slots[a].expires == slots[b].expires
            ? slots[a].arrival < slots[b].arrival : slots[a].expires < slots[b].expires
    }

    private mutating func swapDue(_ a: Int, _ b: Int) {
        due.swapAt(a, b)
        slots[Int(due[a])].due = Int32(a)
        slots[Int(due[b])].due = Int32(b)
    }

    /// Moves an entry to where it belongs, towards either end.
    private mutating func settle(_ place: Int) {
        var child = place
        while child > 0, isBefore(child, (child - 1) / 2) {
            swapDue(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        sink(child)
    }

    private mutating func sink(_ place: Int) {
        var parent = place
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < due.count && isBefore(child, least) {
                least = child
            }
            guard least != parent else { return }
            swapDue(parent, least)
            parent = least
        }
    }
}
