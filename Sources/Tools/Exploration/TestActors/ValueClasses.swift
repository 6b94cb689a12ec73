import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework

/// Which values of each claim lead to different ways through a policy.
///
/// It starts from what the policy compares, matches and looks up, and goes back from there: through claims transformations
/// to the claims that they read, and from a claim to the claims that it is compared with. Who can give a claim its value
/// (somebody who types, a web API, a provider, the directory, the request) tries each class.
struct ValueClasses: Sendable {
    /// Stands for the part of an address before the `@`: the person's own.
    static let local = "{local}"
    /// The person's own address.
    static let address = local + "@example.test"
    /// The value of an attribute, or of an answer, that the policy compares with what somebody types.
    static let kept = "kept-1843"
    /// Values of a claim at most; further ones are listed as not tried.
    static let most = 12

    let reach: ReachableElements
    private var values: [ClaimTypeHandle: [String]] = [:]
    /// The values that a claim type lists.
    private let options: [ClaimTypeHandle: [String]]
    /// Claims that the policy compares with one another.
    private(set) var partners: [ClaimTypeHandle: [ClaimTypeHandle]] = [:]
    /// Claims of which the policy asks whether they exist.
    var presence: Set<ClaimTypeHandle> = []
    /// Claims whose values are drawn at random: codes that the policy makes itself.
    var secrets: Set<ClaimTypeHandle> = []
    /// Claims with more values than are tried.
    private var overfull: Set<ClaimTypeHandle> = []
    /// What cannot be turned round, and values beyond the limit.
    var untried: [Untried] = []

    /// - Parameter trims: The default `trimsPreconditionValues`.
    init(_ policy: ResolvedPolicy, now: Timestamp, trims: Bool) {
        reach = ReachableElements(policy)
        options = Dictionary(
            uniqueKeysWithValues: policy.claimTypes.filter { $0.dataType == .string && !$0.enumeration.isEmpty }
                .map { ($0.handle, $0.enumeration.map(\.value)) })
        seed(policy, now, trims: trims)
        propagate(policy)
    }

    /// The values to try for a claim, in the order of the policy; empty where none makes a difference.
    func of(_ claim: ClaimTypeHandle) -> [String] { values[claim] ?? [] }

    /// The same with the person's own part of an address.
    func of(_ claim: ClaimTypeHandle, for person: String) -> [String] {
        of(claim).map { $0.replacing(Self.local, with: person) }
    }

    // MARK: What the policy distinguishes

    private mutating func add(_ value: String, to claim: ClaimTypeHandle) -> Bool {
        if let options = options[claim], !options.contains(value) {
            // Accounts, answers and people have one of the values that the claim type lists.
            return options.reduce(false) { add($1, to: claim) || $0 }
        }
        guard !(values[claim]?.containsText(value) ?? false) else { return false }
        guard values[claim]?.count ?? 0 < Self.most else {
            overfull.insert(claim)
            return false
        }
        values[claim, default: []].append(value)
        return true
    }

    mutating func add(_ list: [String], to claim: ClaimTypeHandle?) {
        guard let claim else { return }
        for value in list { _ = add(value, to: claim) }
    }

    mutating func link(_ a: ClaimTypeHandle?, _ b: ClaimTypeHandle?) {
        guard let a, let b, a != b else { return }
        if partners[a]?.contains(b) != true { partners[a, default: []].append(b) }
        if partners[b]?.contains(a) != true { partners[b, default: []].append(a) }
    }

    private mutating func seed(_ policy: ResolvedPolicy, _ now: Timestamp, trims: Bool) {
        for precondition in reach.preconditions(policy) {
            switch precondition.type {
            case .claimsExist: presence.formUnion(precondition.claims)
            case .claimEquals:
                if let claim = precondition.claims.first, let value = precondition.value(trimmed: trims) {
                    add([value] + Self.beside(value, policy[claim].dataType), to: claim)
                }
            }
        }
        for handle in reach.transformations { seed(policy[handle], policy, now) }
        for handle in reach.profiles {
            let profile = policy[handle]
            if let claim = profile.metadata["ClaimTypeOnWhichToEnable"].flatMap({ policy.claimType($0) }) {
                presence.insert(claim)
                add(profile.metadata["ClaimValueOnWhichToEnable"].map { [$0, "other"] } ?? [], to: claim)
            }
            if profile.handler == .oneTimePassword,
                let code = profile.outputClaims.first(where: { sameID($0.wireName, "otpGenerated") })
            {
                secrets.insert(code.claim)
            }
        }
    }

    /// A value on the other side of a comparison with a constant.
    private static func beside(_ value: String, _ type: DataType) -> [String] {
        switch type {
        case .boolean: []
        case .int, .long: Int64(value).map { ["\($0 &+ 1)"] } ?? []
        default: ["other"]
        }
    }

    func outputs(_ transformation: ClaimsTransformation) -> [ClaimTypeHandle] {
        transformation.outputClaims.map(\.claim)
    }

    // MARK: Back to where values come from

    private mutating func propagate(_ policy: ResolvedPolicy) {
        var constants: [ClaimTypeHandle: [String]] = [:]
        for handle in reach.transformations {
            let transformation = policy[handle]
            if sameID(transformation.method, "CreateStringClaim"), let output = transformation.outputClaims.first,
                let value = transformation.parameter("value")
            {
                constants[output.claim, default: []].append(value)
            }
        }
        for handle in reach.profiles {
            let profile = policy[handle]
            for claim in profile.inputClaims + profile.outputClaims {
                if let value = claim.defaultValue, !value.contains("{") {
                    constants[claim.claim, default: []].append(value)
                }
            }
            // What the directory or a service gives and the policy compares with something else.
            guard profile.handler == .directory || profile.handler == .rest || profile.handler.isFederation else {
                continue
            }
            for output in profile.outputClaims
            where partners[output.claim] != nil && !TestPeople.isOwnAttribute(output.wireName, profile.handler) {
                if policy[output.claim].dataType == .string { add([Self.kept], to: output.claim) }
            }
        }
        // A chain is seldom longer than three transformations.
        for _ in 0..<6 {
            var isChanged = false
            for (claim, others) in partners.sorted(by: { $0.key < $1.key }) {
                for value in of(claim) + (constants[claim] ?? []) {
                    for other in others where !secrets.contains(other) {
                        if add(value, to: other) { isChanged = true }
                    }
                }
                // Both ways of a comparison need a value that differs.
                if !secrets.contains(claim), !of(claim).isEmpty, add("other", to: claim) { isChanged = true }
            }
            for handle in reach.transformations.reversed() {
                if propagate(policy[handle]) { isChanged = true }
            }
            if !isChanged { break }
        }
        for claim in overfull.sorted() {
            untried.append(
                Untried(
                    "claim \(policy[claim].id)", "more than \(Self.most) values that the policy distinguishes",
                    claims: [claim],
                    at: policy[claim].location))
        }
    }

    /// What the inputs of a transformation must be for its outputs to have the values that matter.
    private mutating func propagate(_ transformation: ClaimsTransformation) -> Bool {
        var isChanged = false
        var isTurned = true
        for output in transformation.outputClaims {
            let wanted = of(output.claim)
            guard !wanted.isEmpty || presence.contains(output.claim) else { continue }
            if wanted.isEmpty {
                // Whether the output exists depends on whether the input does.
                if Self.passes.contains(transformation.method.lowercased()),
                    let input = transformation.inputClaims.first,
                    presence.insert(input.claim).inserted
                {
                    isChanged = true
                }
                continue
            }
            for value in wanted {
                guard let (claim, texts) = Self.inverse(of: transformation, role: output.role, value: value) else {
                    isTurned = false
                    continue
                }
                for text in texts where add(text, to: claim) { isChanged = true }
            }
        }
        if !isTurned, Self.opaque.contains(transformation.method.lowercased()),
            !untried.contains(where: { $0.location == transformation.location })
        {
            untried.append(
                Untried(
                    "claims transformation \(transformation.id)",
                    "input for which \(transformation.method) gives the value that is compared",
                    claims: outputs(transformation), at: transformation.location))
        }
        return isChanged
    }
}
