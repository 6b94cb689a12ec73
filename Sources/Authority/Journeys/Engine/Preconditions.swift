import JSON
import TrustFramework

/// What the preconditions of an orchestration step, or of a validation technical profile, decided (Microsoft docs:
/// userjourneys). Its initializer is the only place that evaluates preconditions; what counts or explains them reads this.
public struct PreconditionDecision: Sendable, Hashable, Codable {
    /// What one precondition found in the claims bag.
    public enum ClaimObservation: Sendable, Hashable, Codable {
        /// All claims have a value.
        case exist
        /// This claim has no value.
        case missing(ClaimTypeHandle)
        /// The claim has the value of the precondition, compared without the white space around that value or with it.
        case equals(trimmed: Bool)
        /// The claim has another value.
        case differs(trimmed: Bool)
    }

    /// Indices of all preconditions that hold, including those after the deciding one.
    public private(set) var holding: [Int] = []
    /// What the one that decided found: the first that holds, or the last if none holds. `nil`: the list is empty.
    public private(set) var finding: ClaimObservation?

    /// The place of the one that decided: the first that holds skips. `nil`: none holds, so nothing is skipped.
    public var skippedBy: Int? { holding.first }

    /// - Parameters:
    ///   - list: The preconditions in the order of the policy.
    ///   - claims: The bag at that moment.
    ///   - trims: The default `trimsPreconditionValues`.
    public init(_ list: [Precondition], claims: ClaimsBag, trims: Bool) {
        for (place, precondition) in list.enumerated() {
            let found = Self.finding(precondition, claims, trims)
            if holding.isEmpty { finding = found }
            if Self.holds(precondition, found) { holding.append(place) }
        }
    }

    private static func finding(_ precondition: Precondition, _ bag: ClaimsBag, _ trims: Bool) -> ClaimObservation? {
        switch precondition.type {
        case .claimsExist:
            return precondition.claims.first { bag[$0] == nil }.map { .missing($0) } ?? .exist
        case .claimEquals:
            guard let claim = precondition.claims.first else { return nil }
            guard let value = bag[claim] else { return .missing(claim) }
            let expected = precondition.value(trimmed: trims) ?? ""
            let isEqual = value.text.map { sameText($0, expected) } ?? false
            return isEqual ? .equals(trimmed: trims) : .differs(trimmed: trims)
        }
    }

    /// One about the value of a claim that has none does not hold.
    private static func holds(_ precondition: Precondition, _ finding: ClaimObservation?) -> Bool {
        switch finding {
        case nil: false
        case .exist, .equals: precondition.executeActionsIf
        case .differs: !precondition.executeActionsIf
        case .missing: precondition.type == .claimsExist && !precondition.executeActionsIf
        }
    }

    /// Why something was skipped or not, such as `objectId exists`; empty if there are no preconditions.
    ///
    /// - Parameter list: The preconditions that were evaluated.
    public func words(for list: [Precondition], in policy: ResolvedPolicy) -> String {
        let place = skippedBy ?? list.count - 1
        guard let finding, list.indices.contains(place) else { return "" }
        let precondition = list[place]
        let names = precondition.claims.map { policy[$0].id }
        switch finding {
        case .exist: return names.joined(separator: " and ") + (names.count == 1 ? " exists" : " exist")
        case .missing(let claim): return "\(policy[claim].id) does not exist"
        case .equals(let trimmed): return "\(names.first ?? "") equals \(precondition.value(trimmed: trimmed) ?? "")"
        case .differs(let trimmed):
            return "\(names.first ?? "") differs from \(precondition.value(trimmed: trimmed) ?? "")"
        }
    }
}

extension PreconditionDecision {
    init(_ list: [Precondition], _ claims: ClaimsBag, _ turn: Turn) {
        self.init(list, claims: claims, trims: turn.call.environment.switches.trimsPreconditionValues)
    }
}
