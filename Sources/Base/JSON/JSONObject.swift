/// The members of a JSON object in the order in which they were written or added. Keys are unique, byte for byte.
///
/// Small objects are searched from the front; larger ones keep an index beside the members.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    /// The members in order.
    public private(set) var members: [(key: String, value: JSONValue)]
    /// Key to place in `members`, kept while there are more than `linearLimit` of them. Never iterated.
    private var index: [ExactText: Int]?

    /// Up to this many members a search from the front is faster than hashing the key.
    private static let linearLimit = 48

    /// An object without members.
    public init() {
        members = []
    }

    /// The given members; of equal keys the last value takes the place of the first.
    public init(_ members: [(String, JSONValue)]) {
        self.members = []
        self.members.reserveCapacity(members.count)
        for (key, value) in members { append(key, value) }
    }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }

    /// The keys in order.
    public var keys: [String] { members.map(\.key) }

    /// The keys in order, then those that only the other object has.
    public func keys(with other: JSONObject) -> [String] { keys + other.keys.filter { self[$0] == nil } }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a key. Setting an existing key keeps its place, a new one goes last, `nil` removes.
    public subscript(key: String) -> JSONValue? {
        get {
            guard let place = place(of: key) else { return nil }
            return members[place].value
        }
        set {
            guard let newValue else {
                removeMember(key)
                return
            }
            append(key, newValue)
        }
    }

    /// Adds a member at the end; where the key exists already its value is replaced instead.
    public mutating func append(_ key: String, _ value: JSONValue) {
        if let place = place(of: key) {
            members[place].value = value
            return
        }
        appendLast(key, value)
    }

    /// Adds a value to those of a key: the first is the member itself, and with the second it becomes an array of all.
    public mutating func collect(_ key: String, _ value: JSONValue) {
        guard let place = place(of: key) else { return appendLast(key, value) }
        guard case .array(var values) = members[place].value else {
            members[place].value = .array([members[place].value, value])
            return
        }
        // In place, without a copy: a form may have one name a hundred thousand times.
        members[place].value = .null
        values.append(value)
        members[place].value = .array(values)
    }

    /// Adds a member at the end; false, and nothing happens, where the key exists already.
    mutating func appendNew(_ key: String, _ value: JSONValue) -> Bool {
        guard place(of: key) == nil else { return false }
        appendLast(key, value)
        return true
    }

    /// Adds a member whose key is known to be new: nothing is searched. Two members of one key would be written both.
    public mutating func appendUnique(_ key: String, _ value: JSONValue) {
        appendLast(key, value)
    }

    private mutating func appendLast(_ key: String, _ value: JSONValue) {
        members.append((key, value))
        if index != nil {
            index?[ExactText(key)] = members.count - 1
        } else if members.count > Self.linearLimit {
            rebuildIndex()
        }
    }

    /// Replaces the value of the member at an index of ``members``; its key stays.
    public mutating func replaceValue(at index: Int, with value: JSONValue) {
        members[index].value = value
    }

    /// Makes room for so many members at once.
    public mutating func reserveCapacity(_ count: Int) {
        members.reserveCapacity(count)
    }

    /// Changes the value of a key in place, without copying what it holds; returns `nil` when there is no such key.
    mutating func withValue<Result>(of key: String, _ change: (inout JSONValue) -> Result) -> Result? {
        guard let place = place(of: key) else { return nil }
        return change(&members[place].value)
    }

    private func place(of key: String) -> Int? {
        if let index { return index[ExactText(key)] }
        // By index: iterating would copy, and so retain, every value on the way.
        for place in members.indices where sameText(members[place].key, key) { return place }
        return nil
    }

    private mutating func removeMember(_ key: String) {
        guard let place = place(of: key) else { return }
        members.remove(at: place)
        if members.count > Self.linearLimit { rebuildIndex() } else { index = nil }
    }

    private mutating func rebuildIndex() {
        var places: [ExactText: Int] = [:]
        places.reserveCapacity(members.count * 2)
        for (place, member) in members.enumerated() { places[ExactText(member.key)] = place }
        index = places
    }
}

extension JSONObject: Hashable {
    /// Same members with equal values in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        return left.sharesMembers(with: right)
            || zip(left.members, right.members).allSatisfy { sameText($0.key, $1.key) && $0.value == $1.value }
    }

    /// Whether one is a copy of the other that nothing has changed since: a merge patch leaves most of a tenant so.
    private func sharesMembers(with other: JSONObject) -> Bool {
        members.withUnsafeBufferPointer { own in
            other.members.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        for member in members {
            hasher.combine(member.key)
            hasher.combine(member.value)
        }
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as compact JSON.
    public var description: String { JSONWriter.compact(.object(self)) }
}
