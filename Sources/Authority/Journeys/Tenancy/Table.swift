import Determinism

/// Rows under keys, with a limit and an expiry for each row: the only way an authority keeps what changes.
///
/// A row is *taken*, changed and *put back*, so that a row that owns large values is never copied. While it is out its
/// place is kept. Expiry is checked whenever a row is read and swept a few rows at a time in the order of expiry, so that
/// work per request is bounded and the order is the same on every run. The dictionary is never iterated.
///
/// Public and inlinable: other modules have tables of large rows, which code that is not specialized copies to read one
/// member. The compiler specializes what is public only.
///
/// A row costs its own size, about 45 bytes beside it and its key in the dictionary: places of removed rows are used again.
public struct Table<Key: Hashable & Sendable, Row: Sendable>: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var key: Key
        /// `nil` while it is out, and in a free slot.
        @usableFromInline var row: Row?
        @usableFromInline var expires: Timestamp
        /// Counts insertions: of rows that expire at the same time the first one goes first.
        @usableFromInline var arrival: UInt64
        /// The slots that came before and after this one; `after` of a free slot is the next free one.
        @usableFromInline var before: Int32
        @usableFromInline var after: Int32
        /// Its place in the queue of expiry.
        @usableFromInline var due: Int32

        @inlinable
        init(key: Key, row: Row, expires: Timestamp, arrival: UInt64, before: Int32, after: Int32, due: Int32) {
            self.key = key
            self.row = row
            self.expires = expires
            self.arrival = arrival
            self.before = before
            self.after = after
            self.due = due
        }
    }

    /// No slot.
    @inlinable static var none: Int32 { -1 }

    @usableFromInline var places: [Key: Int32] = [:]
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var free = Self.none
    @usableFromInline var oldest = Self.none
    @usableFromInline var newest = Self.none
    /// Slots as a binary heap by expiry.
    @usableFromInline var due: [Int32] = []
    @usableFromInline var arrivals: UInt64 = 0
    @usableFromInline var touchedKeys: [Key] = []

    /// The most rows kept; a further one pushes out the oldest.
    public let limit: Int
    /// Whether the keys of changed rows are collected for a state store.
    public var recordsTouched = false

    @inlinable public init(limit: Int) {
        self.limit = min(max(1, limit), Int(Int32.max) - 1)
    }

    @inlinable public var count: Int { due.count }

    /// Places in memory, free ones included.
    var slotCount: Int { slots.count }

    /// The row, unless it is absent, out, or past its expiry.
    @inlinable public func row(_ key: Key, at now: Timestamp) -> Row? {
        guard let place = place(of: key), slots[place].expires > now else { return nil }
        return slots[place].row
    }

    /// Whether the row is there and past its expiry.
    @inlinable public func isPast(_ key: Key, at now: Timestamp) -> Bool {
        place(of: key).map { slots[$0].expires <= now } ?? false
    }

    /// The row whatever the time, with the time at which it goes; `nil` when there is none.
    @inlinable public func kept(_ key: Key) -> (row: Row, expires: Timestamp)? {
        guard let place = place(of: key), let row = slots[place].row else { return nil }
        return (row, slots[place].expires)
    }

    /// Takes the row out; its place is kept for `putBack`.
    @inlinable public mutating func take(_ key: Key, at now: Timestamp) -> Row? {
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
    @inlinable public mutating func putBack(_ key: Key, _ row: Row, expires: Timestamp) {
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
    @inlinable public mutating func insert(_ key: Key, _ row: Row, expires: Timestamp) {
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
    @inlinable
    @discardableResult
    public mutating func remove(_ key: Key) -> Row? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        touch(key)
        return release(Int(place))
    }

    @inlinable public mutating func removeAll() {
        for key in keysInOrder() { touch(key) }
        places = [:]
        slots = []
        due = []
        free = Self.none
        oldest = Self.none
        newest = Self.none
    }

    /// Drops at most `most` rows whose time has passed, and returns them.
    @inlinable
    @inline(__always)
    @discardableResult
    public mutating func sweep(at now: Timestamp, most: Int = 8) -> [(key: Key, row: Row)] {
        // Asked at every request, of tables in which nearly always nothing is due.
        hasWork(at: now) ? drop(at: now, most: most) : []
    }

    @inlinable mutating func drop(at now: Timestamp, most: Int) -> [(key: Key, row: Row)] {
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

    /// Whether a row's time has passed or most slots are free.
    @inlinable
    @inline(__always)
    func hasWork(at now: Timestamp) -> Bool {
        if let first = due.first, slots[Int(first)].expires <= now { return true }
        return hasRoomToGiveBack
    }

    @inlinable
    @inline(__always)
    var hasRoomToGiveBack: Bool { slots.count > 4 * due.count + 256 }

    /// Keys of all rows in the order they came.
    @inlinable public func keysInOrder() -> [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(count)
        var place = oldest
        while place != Self.none {
            keys.append(slots[Int(place)].key)
            place = slots[Int(place)].after
        }
        return keys
    }

    /// Keys of rows for which a condition holds, in the order they came.
    @inlinable public func keysInOrder(where isWanted: (Row) -> Bool) -> [Key] {
        var keys: [Key] = []
        var place = oldest
        while place != Self.none {
            if slots[Int(place)].row.map(isWanted) ?? false { keys.append(slots[Int(place)].key) }
            place = slots[Int(place)].after
        }
        return keys
    }

    @inlinable public mutating func drainTouched() -> [Key] {
        guard !touchedKeys.isEmpty else { return [] }
        defer { touchedKeys.removeAll(keepingCapacity: true) }
        return touchedKeys
    }

    @inlinable mutating func touch(_ key: Key) {
        if recordsTouched { touchedKeys.append(key) }
    }

    @inlinable func place(of key: Key) -> Int? { places[key].map { Int($0) } }

    // MARK: slots

    /// Frees a slot. Its key has been removed from the dictionary.
    @discardableResult
    @inlinable mutating func release(_ place: Int) -> Row? {
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
    @inlinable mutating func giveBack() {
        guard hasRoomToGiveBack else { return }
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

    @inlinable func isBefore(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (Int(due[a]), Int(due[b]))
        return slots[a].expires == slots[b].expires
            ? slots[a].arrival < slots[b].arrival : slots[a].expires < slots[b].expires
    }

    @inlinable mutating func swapDue(_ a: Int, _ b: Int) {
        due.swapAt(a, b)
        slots[Int(due[a])].due = Int32(a)
        slots[Int(due[b])].due = Int32(b)
    }

    /// Moves an entry to where it belongs, towards either end.
    @inlinable mutating func settle(_ place: Int) {
        var child = place
        while child > 0, isBefore(child, (child - 1) / 2) {
            swapDue(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        sink(child)
    }

    @inlinable mutating func sink(_ place: Int) {
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
