import Diagnostics
import TrustFramework

/// Checks one inheritance chain as the service sees it: all files merged, includes applied.
///
/// Errors are what the upload or the sign-in surely fails of; everything else is a warning or advice (docs/policy-rules.md).
struct PolicyChecker: PolicyRuleCheck {
    let draft: PolicyDraft
    var document: PolicyDocument { draft.document }
    var findings: [Finding] = []

    private let claimTypes: [String: ClaimTypeElement]
    let contentDefinitions: [String: ContentDefinitionElement]
    private let controls: [String: DisplayControlElement]
    private let transformations: [String: ClaimsTransformationElement]
    /// Ids in upper case of the profiles that something runs, by what runs them.
    let steps: Set<String>
    /// Those that a claims exchange step runs, so that their page is their own.
    let exchanged: Set<String>
    let validators: Set<String>
    let sessions: Set<String>
    let issuers: Set<String>

    /// Checks everything that does not depend on a relying party.
    ///
    /// - Parameter chain: The files that were merged, root first.
    init(_ merged: PolicyDocument, of chain: [PolicyDocument]) {
        let draft = PolicyDraft(merged)
        self.draft = draft
        func byID<E>(_ list: [E], _ id: (E) -> String) -> [String: E] {
            Dictionary(list.map { (id($0).uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        }
        let blocks = merged.buildingBlocks
        claimTypes = byID(blocks.claimTypes, \.id)
        contentDefinitions = byID(blocks.contentDefinitions, \.id)
        controls = byID(blocks.displayControls, \.id)
        transformations = byID(blocks.claimsTransformations, \.id)
        var steps: Set<String> = []
        var exchanged: Set<String> = []
        var issuers: Set<String> = []
        for journey in merged.allJourneys {
            if let issuer = journey.defaultIssuer { issuers.insert(issuer.id.uppercased()) }
            for step in journey.steps {
                for exchange in step.exchanges {
                    steps.insert(exchange.profile.uppercased())
                    if step.type == .claimsExchange { exchanged.insert(exchange.profile.uppercased()) }
                }
                if step.type == .sendClaims, let issuer = step.issuer { issuers.insert(issuer.id.uppercased()) }
            }
        }
        self.steps = steps
        self.exchanged = exchanged
        self.issuers = issuers
        var validators = Set(
            draft.profiles.flatMap { $0.element.validationProfiles.map { $0.profile.uppercased() } })
        for control in blocks.displayControls {
            for action in control.actions { validators.formUnion(action.profiles.map { $0.profile.uppercased() }) }
        }
        self.validators = validators
        sessions = Set(draft.profiles.compactMap { $0.element.sessionProfile?.id.uppercased() })
        checkAll(chain)
    }

    private mutating func checkAll(_ chain: [PolicyDocument]) {
        let blocks = document.buildingBlocks
        for transformation in blocks.claimsTransformations { check(transformation) }
        for type in blocks.claimTypes { check(type) }
        for predicate in blocks.predicates { check(predicate) }
        for validation in blocks.predicateValidations + blocks.inputValidations { check(validation) }
        withoutProtocol()
        for profile in draft.profiles { check(profile) }
        for definition in blocks.contentDefinitions { check(definition) }
        languages()
        for control in blocks.displayControls { check(control) }
        for journey in document.allJourneys { check(journey) }
        mergeSurprises(in: chain)
    }

    func claimType(_ id: String) -> ClaimTypeElement? { claimTypes[id.uppercased()] }
    func control(_ id: String) -> DisplayControlElement? { controls[id.uppercased()] }
    func transformation(_ id: String) -> ClaimsTransformationElement? { transformations[id.uppercased()] }

    /// Whether a step, a page or another profile runs it, so that a mistake in it is met.
    func isRun(_ profile: PolicyDraft.Profile) -> Bool {
        let id = profile.element.id.uppercased()
        // What is wrongly named as a session profile is reported at the reference.
        let isSession = sessions.contains(id) && profile.handler?.isSession != false
        return steps.contains(id) || validators.contains(id) || isSession || issuers.contains(id)
    }

    /// Whether a step runs it itself.
    func isStep(_ profile: PolicyDraft.Profile) -> Bool { steps.contains(profile.element.id.uppercased()) }
}
