/// A small index into one table of a `ResolvedPolicy`. Valid for the policy that gave it, and stable for its text:
/// the same files link to the same handles, so a stored journey may keep them.
public protocol PolicyHandle: Hashable, Sendable, Codable, Comparable {
    var index: Int32 { get }
    init(index: Int32)
}

extension PolicyHandle {
    public static func < (a: Self, b: Self) -> Bool { a.index < b.index }

    public init(from decoder: any Decoder) throws {
        self.init(index: try decoder.singleValueContainer().decode(Int32.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(index)
    }
}

/// Names a `ClaimType`.
public struct ClaimTypeHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `Predicate`.
public struct PredicateHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `PredicateValidation`.
public struct PredicateValidationHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `ClaimsTransformation`.
public struct TransformationHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `ContentDefinition`.
public struct ContentDefinitionHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `DisplayControl`.
public struct DisplayControlHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `TechnicalProfile`.
public struct ProfileHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names a `UserJourney`: a user journey or a sub journey, which share one table.
public struct JourneyHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}

/// Names the texts of one `LocalizedResources`.
public struct LocalizedResourcesHandle: PolicyHandle {
    public let index: Int32
    public init(index: Int32) { self.index = index }
}
