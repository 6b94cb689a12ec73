import Diagnostics

/// Makes elements of a compiled policy. Their place is the setting they come from.
struct ElementBuilder {
    let location: SourceLocation

    func reference(_ id: String) -> ReferenceElement { ReferenceElement(id: id, location: location) }

    func item(_ key: String, _ value: String) -> MetadataItem {
        MetadataItem(key: key, value: value, location: location)
    }

    func claim(
        _ id: String, partner: String? = nil, required: Bool? = nil, value: String? = nil, always: Bool? = nil
    ) -> ClaimReferenceElement {
        ClaimReferenceElement(
            claim: id, partnerClaimType: partner, required: required, defaultValue: value,
            alwaysUseDefaultValue: always,
            overwriteIfExists: nil, location: location)
    }

    func shown(claim: String? = nil, control: String? = nil, required: Bool? = nil) -> DisplayClaimElement {
        DisplayClaimElement(
            claim: claim, displayControl: control, controlClaimType: nil, required: required, location: location)
    }

    func profile(_ id: String) -> TechnicalProfileElement { TechnicalProfileElement(id: id, location: location) }

    func validation(_ id: String, skip preconditions: [Condition] = []) -> ValidationProfileElement {
        ValidationProfileElement(
            profile: id, continueOnError: nil, continueOnSuccess: nil,
            preconditions: preconditions.flatMap { self.preconditions($0, .skipValidationProfile) }, location: location)
    }

    /// A reason to leave a step or a validation profile out.
    enum Condition {
        case present(String)
        case absent(String)
        case equal(String, String)
        /// A boolean claim that is absent or false.
        case notTrue(String)
    }

    func preconditions(_ condition: Condition, _ action: PreconditionAction) -> [PreconditionElement] {
        func one(_ type: PreconditionType, _ when: Bool, _ values: [String]) -> PreconditionElement {
            PreconditionElement(
                type: type, executeActionsIf: when, values: values, actions: [action], location: location)
        }
        switch condition {
        case .present(let claim): return [one(.claimsExist, true, [claim])]
        case .absent(let claim): return [one(.claimsExist, false, [claim])]
        case .equal(let claim, let value): return [one(.claimEquals, true, [claim, value])]
        case .notTrue(let claim):
            // ClaimEquals says nothing of a claim that is absent, so both are needed.
            return [one(.claimsExist, false, [claim]), one(.claimEquals, false, [claim, "True"])]
        }
    }

    func exchange(_ id: String, _ profile: String) -> ClaimsExchangeElement {
        ClaimsExchangeElement(id: id, profile: profile, location: location)
    }
}

/// Collects the steps of a journey; their order is the order of calls.
struct StepList {
    let make: ElementBuilder
    private(set) var steps: [OrchestrationStepElement] = []

    init(_ make: ElementBuilder) { self.make = make }

    mutating func add(
        _ type: StepType, content: String? = nil, skip: [ElementBuilder.Condition] = [],
        exchanges: [ClaimsExchangeElement] = [], targets: [String] = [], local: String? = nil, issuer: String? = nil,
        subJourney: String? = nil
    ) {
        var step = OrchestrationStepElement(order: steps.count + 1, location: make.location)
        step.type = type
        step.contentDefinition = content.map(make.reference)
        step.issuer = issuer.map(make.reference)
        step.preconditions = skip.flatMap { make.preconditions($0, .skipStep) }
        step.exchanges = exchanges
        step.selections =
            targets.map { .init(targetClaimsExchangeID: $0, validationClaimsExchangeID: nil, location: make.location) }
            + [local].compactMap { $0 }.map {
                .init(targetClaimsExchangeID: nil, validationClaimsExchangeID: $0, location: make.location)
            }
        step.candidates = [subJourney].compactMap { $0 }.map(make.reference)
        steps.append(step)
    }

    /// A step that runs one profile.
    mutating func run(_ id: String, _ profile: String, skip: [ElementBuilder.Condition] = []) {
        add(.claimsExchange, skip: skip, exchanges: [make.exchange(id, profile)])
    }
}
