import Diagnostics
import TrustFramework

extension PolicyChecker {
    /// A journey as merged (B2C-POL-024, B2C-POL-028, B2C-POL-036, B2C-POL-041, B2C-POL-066, B2C-POL-095).
    mutating func check(_ journey: JourneyElement) {
        clientDefinition(of: journey)
        let steps = journey.steps.sorted { $0.order < $1.order }
        for (place, step) in steps.enumerated() {
            localPage(step, next: place + 1 < steps.count ? steps[place + 1] : nil, of: journey)
            issuer(step)
            neverRuns(step)
            booleanTexts(step.preconditions)
            if journey.subJourneyType != nil, step.type == .invokeSubJourney {
                report(
                    "B2C-POL-041", "sub journey \(journey.id) calls another one",
                    remedy: "Nested sub journeys are discouraged: call it from the user journey.", at: step.location,
                    severity: .advice)
            }
        }
        if journey.subJourneyType == .transfer,
            !steps.contains(where: { $0.type == .sendClaims || $0.type == .invokeSubJourney })
        {
            report(
                "B2C-POL-041", "sub journey \(journey.id) is a Transfer and never sends claims",
                remedy: "End it with SendClaims, or make it a Call.", at: journey.location, severity: .warning)
        }
    }

    /// Boolean claims compared with a text in the wrong letter case.
    mutating func booleanTexts(_ conditions: [PreconditionElement]) {
        for condition in conditions where condition.type == .claimEquals && condition.values.count == 2 {
            guard let right = ["true": "True", "false": "False"][condition.values[1]],
                claimType(condition.values[0])?.dataType == .boolean
            else { continue }
            report(
                "B2C-POL-036", "a boolean claim never equals \"\(condition.values[1])\": its text is True or False",
                remedy: "Write \(right).", at: condition.place(ofValue: 1), corrected: right)
        }
    }

    /// Links of a combined page: where do sign-up and password reset lead?
    private mutating func localPage(
        _ step: OrchestrationStepElement, next: OrchestrationStepElement?, of journey: JourneyElement
    ) {
        guard step.type == .combinedSignInAndSignUp else { return }
        let local = step.selections.compactMap(\.validationClaimsExchangeID).first
        guard let exchange = step.exchanges.first(where: { sameID($0.id, local ?? "") }),
            let profile = draft.profile(exchange.profile)
        else { return }
        // What follows the last step of a sub journey is a step of its caller.
        guard next != nil || journey.subJourneyType == nil else { return }
        let there = next?.exchanges.map(\.id) ?? []
        for key in ["SignUpTarget", "setting.forgotPasswordLinkOverride"] {
            guard let item = profile.item(key), !item.value.isEmpty, !isFilledLater(item.value) else { continue }
            if key == "SignUpTarget", !profile.flag("setting.showSignupLink", default: true) { continue }
            if key != "SignUpTarget", sameID(profile.text("setting.forgotPasswordLinkLocation") ?? "", "None") {
                continue
            }
            if !there.contains(where: { sameID($0, item.value) }) {
                // A journey without sign-up often keeps the inherited key: the link is not drawn then.
                // So does a page of several journeys, of which each has the exchange under a name of its own.
                let near = isExchange(item.value) ? nil : there.first { isSlip(item.value, of: $0) }
                report(
                    "B2C-POL-028",
                    "\(key) names \"\(item.value)\", which is not a claims exchange of the step after the sign-in page of \(journey.id)",
                    remedy: didYouMean(near, quoted: true) ?? "Add the exchange, or hide the link.", at: item.location,
                    severity: near == nil ? .warning : .error, corrected: near)
            } else if key != "SignUpTarget",
                !step.selections.contains(where: { sameID($0.targetClaimsExchangeID ?? "", item.value) })
            {
                report(
                    "B2C-POL-028",
                    "\"\(item.value)\" of \(key) is not among the selections of the sign-in step of \(journey.id)",
                    remedy: "Add <ClaimsProviderSelection TargetClaimsExchangeId=\"\(item.value)\" />.",
                    at: item.location, severity: .warning)
            }
        }
    }

    /// Whether any journey has a claims exchange of that id.
    private func isExchange(_ id: String) -> Bool {
        document.allJourneys.contains { journey in
            journey.steps.contains { step in step.exchanges.contains { sameID($0.id, id) } }
        }
    }

    /// What sends the claims is an issuer.
    private mutating func issuer(_ step: OrchestrationStepElement) {
        guard step.type == .sendClaims, let reference = step.issuer, let profile = draft.profile(reference.id),
            let handler = profile.handler, !handler.isIssuer
        else { return }
        if case .unknown = handler { return }
        if handler == .selfAsserted, !profile.hasKey("issuer_refresh_token_key") {
            // Published policies end so for people who are blocked.
            return report(
                "B2C-POL-066", "\(profile.element.id) is a page: the journey ends there and sends no token",
                remedy: "Name the token issuer, such as JwtIssuer, unless the page is to be the end.",
                at: reference.location, severity: .warning)
        }
        // A profile with the keys of an issuer was meant to be one.
        report(
            "B2C-POL-066", "\(profile.element.id) issues no tokens: it has no OutputTokenFormat",
            remedy: "Name the token issuer, such as JwtIssuer, or give the profile its OutputTokenFormat.",
            at: profile.hasKey("issuer_refresh_token_key") ? profile.element.location : reference.location)
    }

    /// Preconditions of which one always holds.
    private mutating func neverRuns(_ step: OrchestrationStepElement) {
        for (place, condition) in step.preconditions.enumerated() where condition.type == .claimsExist {
            guard condition.values.count == 1, let claim = condition.values.first else { continue }
            let opposite = step.preconditions[..<place].contains {
                $0.type == .claimsExist && $0.executeActionsIf != condition.executeActionsIf && $0.values.count == 1
                    && sameID($0.values.first ?? "", claim)
            }
            if opposite {
                return report(
                    "B2C-POL-095",
                    "step \(step.order) never runs: it is skipped when \(claim) is there and when it is not",
                    remedy: "Take one of the preconditions out.", at: condition.location)
            }
        }
    }

    /// Journeys of a child file that change the type of an inherited step: exchanges stay where they were (B2C-POL-040).
    mutating func mergeSurprises(in chain: [PolicyDocument]) {
        var types: [String: StepType] = [:]
        for document in chain {
            for journey in document.allJourneys {
                for step in journey.steps {
                    guard let type = step.type else { continue }
                    let key = "\(journey.subJourneyType == nil)|\(journey.id.uppercased())|\(step.order)"
                    if let inherited = types[key], inherited != type {
                        report(
                            "B2C-POL-040",
                            "step \(step.order) of \(journey.id) is a \(type.rawValue) here and a \(inherited.rawValue) in a base policy",
                            remedy: "Steps merge by their Order: give the journey an Id of its own.", at: step.location)
                    }
                    types[key] = type
                }
            }
        }
    }
}
