import Diagnostics

extension LinkContext {
    /// What a journey relies on while it runs, checked for the journeys that a relying party can reach.
    mutating func checkJourneys(of party: RelyingParty, issuer: TokenIssuerSettings?, in tables: PolicyTables) {
        var pending = [party.defaultJourney] + party.endpoints.map(\.journey)
        for id in [issuer?.refreshJourney, issuer?.clientCredentialsJourney].compactMap({ $0 }) {
            if let handle = index.journeys[id.uppercased()] {
                pending.append(handle)
            } else if let issuer {
                let profile = tables.profiles[Int(issuer.profile.index)]
                let place = profile.metadata.items.last { $0.value == id }?.location ?? profile.location
                let journeys = document.userJourneys.map(\.id)
                guard id == issuer.refreshJourney else {
                    dangling("user journey", id, rule: "B2C-POL-025", among: journeys, at: place)
                    continue
                }
                // The service finds this when a refresh token is redeemed (AADB2C90288), so the policy loads.
                let near = nearest(id, among: journeys)
                report(
                    "B2C-POL-025",
                    "there is no user journey \"\(id)\" in this policy or its parents: a refresh ends with AADB2C90288",
                    remedy: didYouMean(near, quoted: true) ?? "Declare it, or fix the name.", at: place,
                    severity: .warning)
            }
        }
        var seen: Set<JourneyHandle> = []
        while let handle = pending.popLast() {
            guard seen.insert(handle).inserted else { continue }
            let journey = tables.journeys[Int(handle.index)]
            check(journey, in: tables)
            pending += journey.steps.flatMap(\.subJourneys)
        }
    }

    private mutating func check(_ journey: UserJourney, in tables: PolicyTables) {
        let what = "\(journey.subJourneyType == nil ? "journey" : "sub journey") \"\(journey.id)\""
        if journey.steps.isEmpty {
            report("B2C-POL-030", "\(what) has no steps", at: journey.location)
        }
        for (place, step) in journey.steps.enumerated() {
            if step.order != place + 1 {
                report(
                    "B2C-POL-030", "\(what) has no step with Order \(place + 1)",
                    remedy: "Orders run from 1 without gaps, after all files are merged.", at: step.location)
                return
            }
            let before = place > 0 ? journey.steps[place - 1] : nil
            check(step, after: before, "step \(step.order) of \(what)", in: tables)
            let next = place + 1 < journey.steps.count ? journey.steps[place + 1] : nil
            if step.type.isSelection, next?.type != .claimsExchange {
                report(
                    "B2C-POL-031",
                    "step \(step.order) of \(what) lets the person choose, so a ClaimsExchange must follow",
                    at: (next ?? step).location)
            }
        }
        if journey.subJourneyType != .call, !journey.steps.contains(where: { endsJourney($0, tables) }) {
            report(
                "B2C-POL-033", "\(what) never sends claims (AADB2C90040)",
                remedy: "End it with a step of type SendClaims.", at: journey.location)
        }
    }

    private func endsJourney(_ step: OrchestrationStep, _ tables: PolicyTables) -> Bool {
        step.type == .sendClaims
            || step.subJourneys.contains { tables.journeys[Int($0.index)].subJourneyType == .transfer }
    }

    /// - Parameter place: The step as findings name it.
    private mutating func check(
        _ step: OrchestrationStep, after previous: OrchestrationStep?, _ place: String, in tables: PolicyTables
    ) {
        switch step.type {
        case .claimsProviderSelection, .combinedSignInAndSignUp:
            checkPage(of: step, place, in: tables)
            checkChoices(of: step, place)
        case .claimsExchange: checkExchanges(of: step, after: previous, place)
        case .invokeSubJourney:
            if step.subJourneys.count != 1 {
                report(
                    "B2C-POL-041", "\(place) must name exactly one sub journey, not \(step.subJourneys.count)",
                    at: step.location, severity: step.subJourneys.isEmpty ? .error : .warning)
            }
        case .getClaims:
            if step.issuer == nil {
                report("B2C-POL-033", "\(place) names no CpimIssuerTechnicalProfileReferenceId", at: step.location)
            }
        case .sendClaims: checkIssuer(of: step, place, in: tables)
        case .noop: break
        case .consentScreen, .reviewScreen, .userDialog:
            report(
                "B2C-POL-004", "\(place) is of type \(step.type.rawValue), which is not simulated",
                remedy: "A journey that comes there fails.", at: step.location, severity: .warning)
        }
    }

    private mutating func checkPage(of step: OrchestrationStep, _ place: String, in tables: PolicyTables) {
        guard let handle = step.contentDefinition else {
            // The service uses the page of the local account's profile.
            report(
                "B2C-POL-039", "\(place) has no ContentDefinitionReferenceId (AADB2C90277)",
                remedy: "Name a content definition of type \(namesList(["unifiedssp", "providerselection"])).",
                at: step.location, severity: .warning)
            return
        }
        let type = tables.contentDefinitions[Int(handle.index)].pageType
        // A selection may be on the combined page too, as in a published policy for changing passwords.
        let combined = ["unifiedssp", "unifiedssd"]
        let expected =
            step.type == .combinedSignInAndSignUp ? combined : ["providerselection", "idpselection"] + combined
        if !expected.contains(type) {
            // Published policies show such steps on other pages, and they work.
            report(
                "B2C-POL-039", "\(place) is shown by a page of type \(type)",
                remedy: "Use a page of type \(namesList(expected)).", at: step.location, severity: .warning)
        }
    }

    private mutating func checkChoices(of step: OrchestrationStep, _ place: String) {
        let local = step.selections.filter { if case .validation = $0.target { true } else { false } }
        if local.count > 1 {
            report(
                "B2C-POL-027", "\(place) has \(local.count) local forms, and a page shows one",
                remedy: "Leave one selection with ValidationClaimsExchangeId.", at: local[1].location,
                severity: .warning)
        }
        // Selections that lead nowhere have been reported one by one.
        if step.selections.isEmpty, !findings.contains(where: { $0.rule == "B2C-POL-027" }) {
            report("B2C-POL-027", "\(place) offers nothing to choose", at: step.location)
        }
    }

    private mutating func checkExchanges(
        of step: OrchestrationStep, after previous: OrchestrationStep?, _ place: String
    ) {
        if step.exchanges.isEmpty {
            report("B2C-POL-032", "\(place) has no claims exchange", at: step.location)
        }
        if step.exchanges.count > 1, previous?.type.isSelection != true {
            report(
                "B2C-POL-032", "\(place) has \(step.exchanges.count) claims exchanges and no selection before it",
                remedy: "A step that lets the person choose must come right before.", at: step.location)
        }
    }

    private mutating func checkIssuer(of step: OrchestrationStep, _ place: String, in tables: PolicyTables) {
        // An issuer that does not exist has been reported by itself.
        let isDangling = findings.contains { $0.rule == "B2C-POL-021" }
        guard step.issuer == nil, !isDangling, !tables.journeys.contains(where: { $0.defaultIssuer != nil }) else {
            return
        }
        // The service finds this when a person comes to the step (AADB2C90108), so the policy loads.
        report(
            "B2C-POL-033", "\(place) names no CpimIssuerTechnicalProfileReferenceId (AADB2C90108)",
            remedy: "Add the attribute with the token issuer, such as JwtIssuer.", at: step.location, severity: .warning
        )
    }
}
