import Determinism

/// A log of what lanes have done, in one order, with the way to what one lane and those below it have done: looking
/// through the entries of all lanes after each step takes quadratic time where very many run side by side.
struct LaneLog<Entry: Sendable>: Sendable {
    /// The entries that are there.
    private(set) var entries: [Entry] = []
    /// How often each of them was changed.
    private var changes: [Int] = []
    /// How many entries before these were dropped. The others keep their indices.
    private var dropped = 0
    /// The indices of a lane's entries and of those below it, in order. The main lane has all, and no list.
    private var byLane: [LaneID: [Int]] = [:]

    /// How many entries there have been.
    var count: Int { dropped + entries.count }

    subscript(index: Int) -> Entry {
        get { entries[index - dropped] }
        set {
            entries[index - dropped] = newValue
            changes[index - dropped] += 1
        }
    }

    /// How often an entry was changed: what was made of it holds as long as this is the same.
    func changes(of index: Int) -> Int { changes[index - dropped] }

    /// The indices of the entries that are there.
    var indices: Range<Int> { dropped..<count }

    /// Drops all entries. Only their number stays.
    mutating func dropAll() {
        dropped = count
        entries.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        byLane = [:]
    }

    /// Adds an entry. Its lane does not change later.
    mutating func append(_ entry: Entry, lane: LaneID) {
        var here = lane
        while let parent = here.parent {
            byLane[here, default: []].append(count)
            here = parent
        }
        entries.append(entry)
        changes.append(0)
    }

    /// The indices of what a lane and those below it have done since a place.
    func indices(since start: Int, lane: LaneID) -> [Int] {
        guard lane != .main else { return Array(min(max(start, dropped), count)..<count) }
        guard let own = byLane[lane] else { return [] }
        // The newest are at the end, and a step has made few of them.
        var first = own.count
        while first > 0, own[first - 1] >= start { first -= 1 }
        return Array(own[first...])
    }

    /// What a lane and those below it have done since a place.
    func since(_ start: Int, lane: LaneID) -> [Entry] { indices(since: start, lane: lane).map { self[$0] } }

    /// The index of the latest entry of a lane itself or of one below it.
    func last(of lane: LaneID, where isMeant: (Entry) -> Bool) -> Int? {
        guard lane != .main else { return entries.lastIndex(where: isMeant).map { $0 + dropped } }
        return byLane[lane]?.last { isMeant(self[$0]) }
    }
}
