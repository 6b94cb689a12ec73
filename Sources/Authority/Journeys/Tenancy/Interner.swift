import JSON

/// What an ``Interner`` keeps. Texts are equal that differ in Unicode normalization alone; people get theirs byte for byte.
public protocol Internable: Hashable, Sendable {
    /// Whether all texts are the same bytes. Asked of equal values.
    func hasSameTexts(as other: Self) -> Bool
    /// The value as it is kept: appended to, a list takes up to twice the memory that it needs.
    var withoutRoomToGrow: Self { get }
}

extension Internable {
    @inlinable public var withoutRoomToGrow: Self { self }
}

extension Array {
    /// The same elements in no more memory than they need.
    @inlinable public var withoutRoomToGrow: [Element] {
        guard capacity > count else { return self }
        var exact: [Element] = []
        exact.reserveCapacity(count)
        exact += self
        return exact
    }
}

/// Values that come again and again, kept once: the claims of a person who signs in a thousand times have the same values,
/// and sessions and refresh tokens that hold them share their memory. Public and inlinable for the same reason as ``Table``.
public struct Interner<Value: Internable>: Sendable {
    @usableFromInline var known: Set<Value> = []
    @usableFromInline let limit: Int

    /// - Parameter limit: Once there are so many different values all are forgotten; an owner of one keeps it.
    @inlinable public init(limit: Int = 1024) { self.limit = limit }

    /// The value that was there first among the same ones.
    @inlinable public mutating func intern(_ value: Value) -> Value {
        if let place = known.firstIndex(of: value) {
            let first = known[place]
            return first.hasSameTexts(as: value) ? first : value.withoutRoomToGrow
        }
        if known.count >= limit { known = [] }
        return known.insert(value.withoutRoomToGrow).memberAfterInsert
    }
}

extension String: Internable {
    @inlinable public func hasSameTexts(as other: String) -> Bool { sameText(self, other) }
}

extension Array: Internable where Element: Internable {
    @inlinable public func hasSameTexts(as other: [Element]) -> Bool {
        count == other.count && indices.allSatisfy { self[$0].hasSameTexts(as: other[$0]) }
    }
}

/// Whether two lists have the same texts, byte for byte.
package func sameTexts(_ a: [String], _ b: [String]) -> Bool {
    a.count == b.count && a.indices.allSatisfy { sameText(a[$0], b[$0]) }
}

extension ClaimValue: Internable {
    @inlinable public func hasSameTexts(as other: ClaimValue) -> Bool {
        switch (self, other) {
        case (.text(let one), .text(let two)): sameText(one, two)
        case (.list(let one), .list(let two)): one.hasSameTexts(as: two)
        default: self == other
        }
    }
}
