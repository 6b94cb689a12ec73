import JSON

/// What an ``Interner`` keeps. Texts are equal that differ in Unicode normalization alone; people get theirs byte for byte.
package protocol Internable: Hashable, Sendable {
    /// Whether all texts are the same bytes. Asked of equal values.
    func hasSameTexts(as other: Self) -> Bool
}

/// Values that come again and again, kept once: the claims of a person who signs in a thousand times are the same, and
/// sessions and refresh tokens that hold them share their memory.
package struct Interner<Value: Internable>: Sendable {
    private var known: Set<Value> = []
    private let limit: Int

    /// - Parameter limit: Once there are so many different values all are forgotten; who holds one keeps it.
    package init(limit: Int = 1024) { self.limit = limit }

    /// The value that was there first among the same ones.
    package mutating func intern(_ value: Value) -> Value {
        if known.count >= limit, !known.contains(value) { known = [] }
        let first = known.insert(value).memberAfterInsert
        return first.hasSameTexts(as: value) ? first : value
    }
}

extension Interner<[KeptClaim]> {
    /// The identity with shared claims; its text is that of a claim where one has it.
    package mutating func intern(_ identity: RefreshIdentity) -> RefreshIdentity {
        var identity = identity
        identity.claims = intern(identity.claims)
        for claim in identity.claims {
            if case .text(let text) = claim.value, sameText(text, identity.identity) { identity.identity = text }
        }
        return identity
    }
}

extension String: Internable {
    package func hasSameTexts(as other: String) -> Bool { sameText(self, other) }
}

extension Array: Internable where Element: Internable {
    package func hasSameTexts(as other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.hasSameTexts(as: $1) }
    }
}

extension KeptClaim: Internable {
    package func hasSameTexts(as other: KeptClaim) -> Bool {
        guard sameText(id, other.id) else { return false }
        switch (value, other.value) {
        case (.text(let one), .text(let two)): return sameText(one, two)
        case (.list(let one), .list(let two)): return one.hasSameTexts(as: two)
        default: return value == other.value
        }
    }
}
