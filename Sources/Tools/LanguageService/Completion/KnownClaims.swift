import TrustFramework

/// Which claims have a value when a sign-in comes to a place of a policy: what profiles of earlier steps write.
struct KnownClaims {
    /// A place that claims are read at.
    enum Place {
        /// The input of a technical profile.
        case profile(String)
        /// A step of a journey, before it runs.
        case step(journey: String, order: Int)
        /// The end of a journey.
        case end(String)
    }

    /// Sub journeys call each other; more steps are not walked.
    private static let mostSteps = 4000

    private let document: PolicyDocument
    private let profiles: ProfileTable
    private let subJourneys: [String: JourneyElement]
    private let transformations: [String: ClaimsTransformationElement]
    private let controls: [String: DisplayControlElement]
    private var outputs: [String: Set<String>] = [:]
    private var steps = 0

    init(_ document: PolicyDocument, _ profiles: ProfileTable) {
        (self.document, self.profiles) = (document, profiles)
        func table<E>(_ elements: [E], _ id: (E) -> String) -> [String: E] {
            Dictionary(elements.map { (id($0).uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        }
        subJourneys = table(document.subJourneys, \.id)
        transformations = table(document.buildingBlocks.claimsTransformations, \.id)
        controls = table(document.buildingBlocks.displayControls, \.id)
    }

    /// The claims that have a value at a place, in capitals.
    mutating func at(_ place: Place) -> Set<String> {
        var known: Set<String> = []
        var reached: Set<String> = []
        steps = 0
        for journey in document.userJourneys {
            if case .end(let id) = place, !sameID(id, journey.id) { continue }
            known = []
            walk(journey, to: place, &known, &reached, depth: 0)
            if case .end = place { return known }
        }
        if case .profile(let id) = place { reached.formUnion(written(profiles[id]?.inputTransformations ?? [])) }
        return reached
    }

    /// - Parameters:
    ///   - known: What is written so far.
    ///   - reached: What was written wherever the walk came to the place.
    private mutating func walk(
        _ journey: JourneyElement, to place: Place, _ known: inout Set<String>, _ reached: inout Set<String>, depth: Int
    ) {
        for step in journey.steps.sorted(by: { $0.order < $1.order }) {
            steps += 1
            guard steps < Self.mostSteps else { return }
            if case .step(let id, let order) = place, order == step.order, sameID(id, journey.id) {
                reached.formUnion(known)
            }
            for exchange in step.exchanges {
                guard case .profile(let id) = place else { break }
                if sameID(exchange.profile, id) { reached.formUnion(known) }
                guard let caller = profiles[exchange.profile], called(by: caller).contains(where: { sameID($0, id) })
                else { continue }
                reached.formUnion(known.union(written(by: exchange.profile)))
            }
            for candidate in step.candidates where depth < 4 {
                guard let next = subJourneys[candidate.id.uppercased()] else { continue }
                walk(next, to: place, &known, &reached, depth: depth + 1)
            }
            for exchange in step.exchanges { known.formUnion(written(by: exchange.profile)) }
        }
    }

    /// The profiles that a page calls: to validate, and from its display controls.
    private func called(by profile: TechnicalProfileElement) -> [String] {
        profile.validationProfiles.map(\.profile)
            + shownControls(of: profile).flatMap { $0.actions.flatMap(\.profiles).map(\.profile) }
    }

    private func shownControls(of profile: TechnicalProfileElement) -> [DisplayControlElement] {
        profile.displayClaims.compactMap { $0.displayControl.flatMap { controls[$0.uppercased()] } }
    }

    /// The claims that a profile writes, with those of the profiles that it calls.
    private mutating func written(by id: String) -> Set<String> {
        if let known = outputs[id.uppercased()] { return known }
        outputs[id.uppercased()] = []
        guard let profile = profiles[id] else { return [] }
        var claims = Set(profile.outputClaims.map { $0.claim.uppercased() })
        claims.formUnion(shownControls(of: profile).flatMap(\.outputClaims).map { $0.claim.uppercased() })
        claims.formUnion(written(profile.inputTransformations + profile.outputTransformations))
        // A profile that is called calls no others.
        for other in called(by: profile) {
            guard let called = profiles[other] else { continue }
            claims.formUnion(called.outputClaims.map { $0.claim.uppercased() })
            claims.formUnion(written(called.outputTransformations))
        }
        outputs[id.uppercased()] = claims
        return claims
    }

    private func written(_ references: [ReferenceElement]) -> Set<String> {
        Set(
            references.flatMap { transformations[$0.id.uppercased()]?.outputClaims ?? [] }
                .map { $0.claim.uppercased() })
    }
}
