/// Values that come again and again, kept once: the claims of a person who signs in a thousand times are the same, and
/// sessions and refresh tokens that hold them share their memory.
package struct Shared<Value: Hashable & Sendable>: Sendable {
    private var known: Set<Value> = []
    private let limit: Int

    /// - Parameter limit: Once there are so many different values all are forgotten; who holds one keeps it.
    package init(limit: Int = 1024) { self.limit = limit }

    /// The value that was there first among equal ones.
    package mutating func one(_ value: Value) -> Value {
        if known.count >= limit, !known.contains(value) { known = [] }
        return known.insert(value).memberAfterInsert
    }
}

extension Shared<[KeptClaim]> {
    /// The identity with shared claims; its text is that of a claim where one has it.
    package mutating func one(_ identity: RefreshIdentity) -> RefreshIdentity {
        var identity = identity
        identity.claims = one(identity.claims)
        for claim in identity.claims {
            if case .text(let text) = claim.value, text == identity.identity { identity.identity = text }
        }
        return identity
    }
}
