import JSON
import TrustFramework

/// One thing a journey did. Entries are handed out by `advance` and not kept in the journey.
public enum TraceEntry: Sendable {
    case step(StepTrace)
    case profile(ProfileTrace)
    case transformation(TransformationTrace)

    /// An orchestration step that ran or was skipped. Written when the step is left, or when it is skipped.
    public struct StepTrace: Sendable {
        public var journey: String
        /// The same journey or sub-journey in the policy of the claims.
        public var handle: JourneyHandle
        /// Order of the step, 1-based.
        public var step: Int
        public var stepType: String
        public var ran: Bool
        /// What its preconditions decided, by their places in the step.
        public var decision: PreconditionDecision
        /// The precondition, or the choice, that made it run or not, in words; empty when there was nothing to decide.
        public var because: String
        /// The bag after it.
        public var claims: TracedClaims
    }

    /// A technical profile that ran.
    public struct ProfileTrace: Sendable {
        public var step: Int
        public var profile: String
        /// `SelfAsserted`, `AzureActiveDirectory`, `ClaimsTransformation`, `OpenIdConnect` ...
        public var handler: String
        /// Whether a page or a display control called it.
        public var validation: Bool
        /// Claims handed to the handler by claim type id.
        public var `in`: TracedClaims
        /// Claims it put into the bag by claim type id.
        public var out: TracedClaims
        /// Why it failed.
        public var error: String?
        /// Why it was left out or short-cut: `session`, `disabled`.
        public var skipped: String?
    }

    /// A claims transformation that ran.
    public struct TransformationTrace: Sendable {
        public var profile: String
        public var transformation: String
        public var method: String
        public var `in`: TracedClaims
        public var out: TracedClaims
    }

    /// The record of the trace log.
    public var json: JSONObject {
        var object = JSONObject()
        switch self {
        case .step(let step):
            object["journey"] = .string(step.journey)
            object["step"] = .integer(Int64(step.step))
            object["stepType"] = .string(step.stepType)
            object["ran"] = .bool(step.ran)
            if !step.because.isEmpty { object["because"] = .string(step.because) }
            object["claims"] = .object(step.claims.json)
        case .profile(let profile):
            object["step"] = .integer(Int64(profile.step))
            object["profile"] = .string(profile.profile)
            object["handler"] = .string(profile.handler)
            object["validation"] = .bool(profile.validation)
            object["in"] = .object(profile.in.json)
            object["out"] = .object(profile.out.json)
            if let error = profile.error { object["error"] = .string(error) }
            if let skipped = profile.skipped { object["skipped"] = .string(skipped) }
        case .transformation(let transformation):
            object["profile"] = .string(transformation.profile)
            object["transformation"] = .string(transformation.transformation)
            object["method"] = .string(transformation.method)
            object["in"] = .object(transformation.in.json)
            object["out"] = .object(transformation.out.json)
        }
        return object
    }
}

/// Claims as they were at a moment of a journey. They become JSON only when somebody looks.
public struct TracedClaims: Sendable {
    private enum Held: Sendable {
        case bag(ClaimsBag)
        case list([(claim: ClaimTypeHandle, value: ClaimValue)])
    }

    /// The policy that the claims belong to.
    public let policy: ResolvedPolicy
    private let held: Held

    init(_ bag: ClaimsBag, in policy: ResolvedPolicy) {
        self.policy = policy
        self.held = .bag(bag)
    }

    init(_ claims: [(claim: ClaimTypeHandle, value: ClaimValue)], in policy: ResolvedPolicy) {
        self.policy = policy
        self.held = .list(claims)
    }

    /// The claims by their types.
    public var claims: [(claim: ClaimTypeHandle, value: ClaimValue)] {
        switch held {
        case .bag(let bag): bag.claims
        case .list(let claims): claims
        }
    }

    /// The claims by claim type id.
    public var json: JSONObject {
        switch held {
        case .bag(let bag):
            return bag.json(in: policy)
        case .list(let claims):
            var object = JSONObject()
            for (claim, value) in claims {
                let type = policy[claim]
                object.append(type.id, value.json(as: type.dataType))
            }
            return object
        }
    }
}
