import JSON
import TrustFramework

/// The claims of a running journey, by the handles of its policy. Copying is cheap until a copy is changed.
public struct ClaimsBag: Sendable, Hashable, Codable {
    /// One place for each claim type of the policy that has been needed so far.
    private var values: [ClaimValue?] = []

    public init() {}

    /// The value of a claim; `nil` is absence. A handle that is not the policy's has no value.
    public subscript(claim: ClaimTypeHandle) -> ClaimValue? {
        get {
            let place = Int(claim.index)
            return values.indices.contains(place) ? values[place] : nil
        }
        set {
            let place = Int(claim.index)
            guard place >= 0 else { return }
            if place >= values.count {
                guard newValue != nil else { return }
                values.append(contentsOf: repeatElement(nil, count: place + 1 - values.count))
            }
            values[place] = newValue
        }
    }

    /// Claims that have a value, in the order in which the policy declares their types.
    public var claims: [(claim: ClaimTypeHandle, value: ClaimValue)] {
        values.indices.compactMap { place in
            values[place].map { (ClaimTypeHandle(index: Int32(place)), $0) }
        }
    }

    /// The claims by id.
    public func json(in policy: ResolvedPolicy) -> JSONObject {
        var object = JSONObject()
        for (claim, value) in claims where Int(claim.index) < policy.claimTypes.count {
            let type = policy[claim]
            object.append(type.id, value.json(as: type.dataType))
        }
        return object
    }
}

/// Claims handed to or from a handler, by the claim type and by the name on the other side.
public struct PartnerClaims: Sendable {
    /// One claim under its partner name.
    public struct Entry: Sendable {
        /// `PartnerClaimType`, else the claim type's id.
        public var name: String
        public var claim: ClaimTypeHandle?
        public var value: ClaimValue
    }

    public private(set) var entries: [Entry] = []

    public init() {}

    /// Values under partner names, as a handler returns them.
    public init(_ values: [(String, ClaimValue)]) {
        entries = values.map { Entry(name: $0.0, claim: nil, value: $0.1) }
    }

    public mutating func append(_ name: String, _ value: ClaimValue, claim: ClaimTypeHandle? = nil) {
        entries.append(Entry(name: name, claim: claim, value: value))
    }

    /// The first value under a partner name, ignoring case.
    public subscript(name: String) -> ClaimValue? {
        for place in entries.indices where sameID(entries[place].name, name) { return entries[place].value }
        return nil
    }

    /// The text under a partner name, ignoring case.
    public func text(_ name: String) -> String? { self[name]?.text }
}
