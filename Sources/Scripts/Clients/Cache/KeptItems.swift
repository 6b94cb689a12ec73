/// What a list of the cache finds its items by.
protocol KeptItem: Sendable, Hashable {
    /// At most one item of a list has it.
    var key: String { get }
    /// `{uid}.{utid}` in lower case.
    var homeAccountID: String { get }
}

/// Items in order of arrival, found by key and by account without a walk over all of them.
///
/// A removed item leaves a gap, so that no other item moves; at both ends gaps are passed over for good. Once more than half
/// of the slots are gaps, the items are packed again, which costs a constant amount for each item that was removed. Gaps do
/// not count when two lists are compared.
struct KeptItems<Item: KeptItem>: Sendable {
    private struct Slot: Sendable {
        var key: String
        var item: Item
    }

    private var slots: [Slot?] = []
    /// Before it there are gaps alone.
    private var start = 0
    private var placeByKey: [String: Int] = [:]
    /// Ascending: the order of arrival. An account without items has no entry.
    private var placesByHome: [String: [Int]] = [:]

    var count: Int { placeByKey.count }
    var isEmpty: Bool { placeByKey.isEmpty }

    // MARK: Reading

    subscript(key: String) -> Item? {
        OperationCounter.add()
        return placeByKey[key].flatMap { slots[$0]?.item }
    }

    /// The items of an account, in order of arrival.
    func items(of homeAccountID: String) -> [Item] {
        let places = placesByHome[homeAccountID] ?? []
        OperationCounter.add(1 + places.count)
        return places.compactMap { slots[$0]?.item }
    }

    /// The newest item that fits. Items that came early are not looked at.
    func last(where fits: (Item) -> Bool) -> Item? {
        for slot in slots[start...].reversed() {
            OperationCounter.add()
            if let slot, fits(slot.item) { return slot.item }
        }
        return nil
    }

    // MARK: Changing

    /// An item with a known key replaces the item with that key; another is added at the end.
    mutating func put(_ item: Item) {
        OperationCounter.add()
        let slot = Slot(key: item.key, item: item)
        guard let place = placeByKey[slot.key] else {
            append(slot)
            return
        }
        let before = slots[place]?.item.homeAccountID
        slots[place] = slot
        // Parts that hold dashes may make one key of two accounts.
        guard let before, before != item.homeAccountID else { return }
        unlink(place, from: before)
        var places = placesByHome[item.homeAccountID] ?? []
        places.insert(place, at: Self.position(of: place, in: places))
        placesByHome[item.homeAccountID] = places
    }

    /// - Returns: Whether there was such an item.
    @discardableResult
    mutating func remove(_ key: String) -> Bool {
        OperationCounter.add()
        guard let place = placeByKey.removeValue(forKey: key) else { return false }
        if let slot = slots[place] { unlink(place, from: slot.item.homeAccountID) }
        slots[place] = nil
        passGaps()
        return true
    }

    /// Removes those items of an account that fit.
    ///
    /// - Returns: What was removed, in order of arrival.
    @discardableResult
    mutating func remove(of homeAccountID: String, where fits: (Item) -> Bool) -> [Item] {
        var removed: [Item] = []
        var left: [Int] = []
        for place in placesByHome[homeAccountID] ?? [] {
            OperationCounter.add()
            guard let slot = slots[place], fits(slot.item) else {
                left.append(place)
                continue
            }
            removed.append(slot.item)
            placeByKey[slot.key] = nil
            slots[place] = nil
        }
        guard !removed.isEmpty else { return [] }
        placesByHome[homeAccountID] = left.isEmpty ? nil : left
        passGaps()
        return removed
    }

    // MARK: Slots

    private mutating func append(_ slot: Slot) {
        placeByKey[slot.key] = slots.count
        placesByHome[slot.item.homeAccountID, default: []].append(slots.count)
        slots.append(slot)
    }

    private mutating func unlink(_ place: Int, from homeAccountID: String) {
        guard let index = placesByHome.index(forKey: homeAccountID) else { return }
        if placesByHome.values[index].count == 1 {
            placesByHome.remove(at: index)
        } else {
            let position = Self.position(of: place, in: placesByHome.values[index])
            placesByHome.values[index].remove(at: position)
        }
    }

    /// The index at which a place is, or would be inserted, among ascending ones.
    private static func position(of place: Int, in places: [Int]) -> Int {
        var low = 0
        var high = places.count
        while low < high {
            let middle = low + (high - low) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func passGaps() {
        while let last = slots.last, last == nil {
            OperationCounter.add()
            slots.removeLast()
        }
        start = Swift.min(start, slots.count)
        while start < slots.count, slots[start] == nil {
            OperationCounter.add()
            start += 1
        }
        guard slots.count > 2 * count else { return }
        let sparse = slots
        OperationCounter.add(sparse.count)
        slots = []
        start = 0
        placeByKey = [:]
        placesByHome = [:]
        for case let slot? in sparse { append(slot) }
    }
}

extension KeptItems: Sequence {
    struct Iterator: IteratorProtocol {
        private var slots: IndexingIterator<ArraySlice<Slot?>>
        private let steps = OperationCounter.current

        fileprivate init(_ items: KeptItems) { slots = items.slots[items.start...].makeIterator() }

        mutating func next() -> Item? {
            while let slot = slots.next() {
                steps?.add(1)
                if let slot { return slot.item }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }

    var underestimatedCount: Int { count }
}

extension KeptItems: Hashable {
    static func == (a: KeptItems, b: KeptItems) -> Bool {
        a.count == b.count && a.elementsEqual(b)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for item in self { hasher.combine(item) }
    }
}

extension AccessTokenItem: KeptItem {}
extension RefreshTokenItem: KeptItem {}
extension IDTokenItem: KeptItem {}
extension AccountItem: KeptItem {}

extension AccountMetadata: KeptItem {
    /// A record of an app has one entry for each account.
    var key: String { homeAccountID }
}
