import B2CProtocol
import JSON
import TrustFramework

/// One thing a journey did. Entries are handed out by `advance` and not kept in the journey. They hold what was decided;
/// sentences are made when somebody reads them.
public enum TraceEntry: Sendable {
    case step(StepTrace)
    case profile(ProfileTrace)
    case transformation(TransformationTrace)

    /// An orchestration step that ran or was skipped. Written when the step is left, or when it is skipped.
    public struct StepTrace: Sendable {
        /// The journey or sub-journey in the policy of the claims.
        public var handle: JourneyHandle
        public var element: OrchestrationStep
        /// What its preconditions decided, by their places in the step; `nil` if none were evaluated.
        public var decision: PreconditionDecision?
        /// The claims exchange that was chosen on a page and decided what the step did.
        public var chosen: ClaimsExchangeID?
        /// The bag after it.
        public var claims: TracedClaims
        /// Claims that the step itself wrote: those of an `id_token_hint`.
        public var out: TracedClaims

        public var policy: ResolvedPolicy { claims.policy }
        public var journey: String { policy[handle].id }
        /// Order of the step, 1-based.
        public var step: Int { element.order }
        public var ran: Bool { decision?.skippedBy == nil }

        /// Why it ran or was skipped, in words; empty if there was nothing to decide.
        public var because: String {
            if let chosen { return "chose \(chosen)" }
            return decision?.words(for: element.preconditions, in: policy) ?? ""
        }
    }

    /// A technical profile that ran, or did not.
    public struct ProfileTrace: Sendable {
        /// Why a technical profile did not run.
        public enum Skip: Sendable {
            /// The session has its claims.
            case session
            /// `EnabledForUserJourneys` says so.
            case disabled
            /// The preconditions of a validation technical profile, and what they decided.
            case preconditions([Precondition], PreconditionDecision)
        }

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
        /// The number of the exchange whose answer the claims, or the failure, come from; `nil` if no request was made or
        /// nobody records exchanges.
        public var exchange: String?
        /// Why it failed.
        public var error: String?
        /// What names the failure whatever its text: its code and the name of its message. A web API's own text has neither
        /// and names itself. `nil` where it did not fail.
        public var failure: String?
        /// Why it did not run.
        public var skipped: Skip?
    }

    /// A claims transformation that ran.
    public struct TransformationTrace: Sendable {
        public var step: Int
        public var profile: String
        public var transformation: String
        public var method: String
        public var `in`: TracedClaims
        public var out: TracedClaims
    }

    /// The record of the trace log.
    public var json: JSONObject {
        switch self {
        case .step(let step): step.json
        case .profile(let profile): profile.json
        case .transformation(let transformation): transformation.json
        }
    }
}

extension TraceEntry.StepTrace {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object["journey"] = .string(journey)
        object["step"] = .integer(Int64(step))
        object["stepType"] = .string(element.type.rawValue)
        object["ran"] = .bool(ran)
        let because = because
        if !because.isEmpty { object["because"] = .string(because) }
        // bounded: a place in a list of the policy
        if let place = decision?.skippedBy { object["precondition"] = .integer(Int64(place + 1)) }
        if let chosen { object["chosen"] = .string(chosen) }
        object["claims"] = .object(claims.json)
        if !out.claims.isEmpty {
            object["out"] = .object(out.json)
            object["origins"] = out.origins
        }
        if ran, element.type == .sendClaims { object["issued"] = issued }
        return object
    }

    /// The claims of the token by their names in it, with their names in the policy.
    private var issued: JSONValue? {
        var object = JSONObject()
        for output in policy.relyingParty.outputClaims {
            object[output.wireName] = .string(policy[output.claim].id)
        }
        return object.isEmpty ? nil : .object(object)
    }
}

extension TraceEntry.ProfileTrace {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object["step"] = .integer(Int64(step))
        object["profile"] = .string(profile)
        object["handler"] = .string(handler)
        object["validation"] = .bool(validation)
        object["in"] = .object(`in`.json)
        object["out"] = .object(out.json)
        if let defaults = `in`.defaults { object["defaults"] = defaults }
        if let origins = out.origins { object["origins"] = origins }
        if let exchange { object["exchange"] = .string(exchange) }
        if let error { object["error"] = .string(error) }
        switch skipped {
        case nil: break
        case .session: object["skipped"] = "session"
        case .disabled: object["skipped"] = "disabled"
        case .preconditions(let list, let decision):
            object["skipped"] = .string(decision.words(for: list, in: out.policy))
            // bounded: a place in a list of the policy
            if let place = decision.skippedBy { object["precondition"] = .integer(Int64(place + 1)) }
        }
        return object
    }
}

extension TraceEntry.TransformationTrace {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        object["step"] = .integer(Int64(step))
        object["profile"] = .string(profile)
        object["transformation"] = .string(transformation)
        object["method"] = .string(method)
        object["in"] = .object(`in`.json)
        object["out"] = .object(out.json)
        return object
    }
}

/// A claim at a moment of a journey.
public struct TracedClaim: Sendable {
    public var claim: ClaimTypeHandle
    public var origin: ClaimOrigin
    public var value: ClaimValue

    public init(_ claim: ClaimTypeHandle, _ value: ClaimValue, from origin: ClaimOrigin) {
        self.claim = claim
        self.origin = origin
        self.value = value
    }
}

/// Claims as they were at a moment of a journey. They become JSON only when somebody looks.
public struct TracedClaims: Sendable {
    private enum Held: Sendable {
        case bag(ClaimsBag)
        case list([TracedClaim])
    }

    /// The policy that the claims belong to.
    public let policy: ResolvedPolicy
    private let held: Held

    init(_ bag: ClaimsBag, in policy: ResolvedPolicy) {
        self.policy = policy
        self.held = .bag(bag)
    }

    init(_ claims: [TracedClaim], in policy: ResolvedPolicy) {
        self.policy = policy
        self.held = .list(claims)
    }

    /// The claims by their types.
    public var claims: [TracedClaim] {
        switch held {
        case .bag(let bag): bag.claims.map { TracedClaim($0.claim, $0.value, from: .bag) }
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
            for item in claims {
                let type = policy[item.claim]
                object.append(type.id, item.value.json(as: type.dataType))
            }
            return object
        }
    }

    /// The ids of claims that have the default value of the policy; `nil` if there are none.
    var defaults: JSONValue? {
        guard case .list(let claims) = held else { return nil }
        let ids = claims.filter { $0.origin == .default }.map { JSONValue.string(policy[$0.claim].id) }
        return ids.isEmpty ? nil : .array(ids)
    }

    /// The words of the origins by claim type id, without the usual `answer`; `nil` if there are no others.
    var origins: JSONValue? {
        guard case .list(let claims) = held else { return nil }
        var object = JSONObject()
        for item in claims where item.origin != .answer {
            object[policy[item.claim].id] = .string(item.origin.rawValue)
        }
        return object.isEmpty ? nil : .object(object)
    }
}
