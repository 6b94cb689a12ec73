import Diagnostics

enum JourneyLinker {
    static func link(_ document: PolicyDocument, into tables: inout PolicyTables, _ context: inout LinkContext) {
        for (place, element) in document.allJourneys.enumerated() {
            tables.journeys.append(journey(element, JourneyHandle(index: Int32(clamping: place)), &context))
        }
    }

    private static func journey(
        _ element: JourneyElement, _ handle: JourneyHandle, _ context: inout LinkContext
    ) -> UserJourney {
        let steps = element.steps.sorted { $0.order < $1.order }
        var linked: [OrchestrationStep] = []
        for (place, step) in steps.enumerated() {
            let next = place + 1 < steps.count ? steps[place + 1] : nil
            linked.append(self.step(step, next: next, &context))
        }
        var authorizations: [ProfileHandle] = []
        for reference in element.authorizationProfiles {
            if let handle = context.profile(reference.id, at: reference.location) { authorizations.append(handle) }
        }
        return UserJourney(
            handle: handle, id: element.id, subJourneyType: element.subJourneyType,
            nonInteractive: element.nonInteractive ?? false,
            defaultIssuer: element.defaultIssuer.flatMap { context.profile($0.id, at: $0.location) },
            authorizationProfiles: authorizations, steps: linked, location: element.location)
    }

    private static func step(
        _ element: OrchestrationStepElement, next: OrchestrationStepElement?, _ context: inout LinkContext
    ) -> OrchestrationStep {
        var exchanges: [OrchestrationStep.ClaimsExchange] = []
        for exchange in element.exchanges {
            guard let profile = context.profile(exchange.profile, at: exchange.location) else { continue }
            exchanges.append(.init(id: exchange.id, profile: profile, location: exchange.location))
        }
        let candidates = element.candidates.compactMap { reference in
            context.found(
                context.index.subJourneys[reference.id.uppercased()], reference.id, kind: "sub journey",
                rule: "B2C-POL-025", at: reference.location
            ) { $0.subJourneys.map(\.id) }
        }
        return OrchestrationStep(
            order: element.order, type: element.type ?? .noop,
            contentDefinition: element.contentDefinition.flatMap { context.contentDefinition($0.id, at: $0.location) },
            issuer: element.issuer.flatMap { context.profile($0.id, at: $0.location) },
            preconditions: ProfileLinker.preconditions(element.preconditions, &context),
            displayOption: element.displayOption ?? .doNotShowSingleProvider,
            selections: selections(element, next: next, &context), exchanges: exchanges, subJourneys: candidates,
            location: element.location)
    }

    private static func selections(
        _ element: OrchestrationStepElement, next: OrchestrationStepElement?, _ context: inout LinkContext
    ) -> [OrchestrationStep.SelectionEntry] {
        var selections: [OrchestrationStep.SelectionEntry] = []
        for item in element.selections {
            switch (item.targetClaimsExchangeID, item.validationClaimsExchangeID) {
            case (let id?, nil):
                guard let exchange = next?.exchanges.first(where: { sameID($0.id, id) }) else {
                    context.dangling(
                        "claims exchange of the next step", id, rule: "B2C-POL-027",
                        among: next?.exchanges.map(\.id) ?? [], at: item.location)
                    continue
                }
                guard let profile = context.index.profiles[exchange.profile.uppercased()] else { continue }
                selections.append(.init(target: .exchange(id: exchange.id, profile: profile), location: item.location))
            case (nil, let id?):
                guard let exchange = element.exchanges.first(where: { sameID($0.id, id) }) else {
                    context.dangling(
                        "claims exchange of this step", id, rule: "B2C-POL-027", among: element.exchanges.map(\.id),
                        at: item.location)
                    continue
                }
                guard let profile = context.index.profiles[exchange.profile.uppercased()] else { continue }
                selections.append(
                    .init(target: .validation(id: exchange.id, profile: profile), location: item.location))
            default:
                context.report(
                    "B2C-POL-027",
                    "a ClaimsProviderSelection names exactly one of TargetClaimsExchangeId and ValidationClaimsExchangeId",
                    at: item.location)
            }
        }
        return selections
    }
}
