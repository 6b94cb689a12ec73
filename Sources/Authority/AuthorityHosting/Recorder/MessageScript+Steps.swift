import HTTPMessages
import JSON
import JourneyLogs
import Journeys
import TrustFramework

extension MessageScript {
    mutating func play(_ item: TurnItem) {
        switch item {
        case .began(let place):
            guard let step = Self.step(place, in: policy) else { return }
            begin(step)
        case .skipped(let trace):
            guard let step = policy[trace.handle].steps.first(where: { $0.order == trace.step }) else { return }
            action(RecorderHandler.orchestrationManager, state: [(Key.step, String(step.order))])
            let count = (trace.decision?.skippedBy ?? 0) + 1
            predicate(
                "ShouldOrchestrationStepBeInvokedHandler", false,
                record: [.preconditions(preconditions(of: step, count), skipping: step.order)])
            take(trace.claims)
        case .left(let trace):
            take(trace.claims)
        case .profile(let group):
            play(group)
        }
    }

    private mutating func begin(_ step: OrchestrationStep) {
        self.step = step
        action(RecorderHandler.orchestrationManager, state: [(Key.step, String(step.order))])
        var record: [Entry] = []
        if !step.preconditions.isEmpty {
            record.append(.preconditions(preconditions(of: step, step.preconditions.count), skipping: nil))
        }
        let profiles = (step.exchanges.map(\.profile) + (step.issuer.map { [$0] } ?? [])).map { policy[$0] }
        if !profiles.isEmpty {
            record.append(.enabled(.enabled, step: step.order, profiles: profiles.map(enabled)))
        }
        predicate("ShouldOrchestrationStepBeInvokedHandler", record: record)
        if step.type.isSelection {
            predicate(
                "HomeRealmDiscoveryHandler",
                record: [
                    .enabled(
                        .selection, step: step.order, profiles: step.selections.map { enabled(policy[$0.profile]) })
                ])
        }
        if step.type == .invokeSubJourney, let journey = step.subJourneys.first {
            action("EnqueueNewJourneyHandler", record: [.subJourney(policy[journey].id)])
        }
    }

    private func enabled(_ profile: TechnicalProfile) -> Entry.Enabled {
        let rule = profile.enabled.rawValue
        return Entry.Enabled(
            technicalProfile: profile.id, rule: rule == "true" ? "Always" : rule == "false" ? "Never" : rule,
            isEnabled: profile.isEnabled(in: policy) { value($0) })
    }

    private func preconditions(of step: OrchestrationStep, _ count: Int) -> [Entry.Condition] {
        step.preconditions.prefix(count).map { precondition in
            let isEquality = precondition.type == .claimEquals
            let claims = precondition.claims.map { policy[$0].id }
            return Entry.Condition(
                isEquality: isEquality, values: claims + (isEquality ? [precondition.value ?? ""] : []),
                executeActionsIf: precondition.executeActionsIf)
        }
    }

    // MARK: Technical profiles

    private mutating func play(_ group: TurnItem.ProfileGroup) {
        guard let profile = group.profile else { return }
        guard let trace = group.trace else {
            // A page is being opened.
            if !group.inputs.isEmpty, profile.handler.showsPage { initiatePage(profile) }
            write(group.inputs, .input)
            write(group.outputs, .output)
            return
        }
        if trace.validation {
            validation.append(ProfileRecord(id: profile.id, details: details(of: group, profile, trace)))
            add(trace.out)
            for transformation in group.inputs + group.outputs { add(transformation.out) }
            return
        }
        switch trace.skipped {
        case .session?:
            // The claims of the session are in the bag when the step is left.
            action("Web.TPEngine.SSO.SSOSessionHandler", state: [(Key.currentProfile, currentProfile(profile.id))])
        case _?:
            predicate(
                "ShouldOrchestrationStepBeInvokedHandler", false,
                record: [.enabled(.disabled, step: trace.step, profiles: [enabled(profile)])])
        case nil where profile.handler.showsPage:
            add(trace.out)
            write(group.inputs, .input)
            write(group.outputs, .output)
        case nil:
            exchange(group, profile, trace)
        }
    }

    /// A claims exchange that shows no page of ours.
    private mutating func exchange(
        _ group: TurnItem.ProfileGroup, _ profile: TechnicalProfile, _ trace: TraceEntry.ProfileTrace
    ) {
        var comesBack = false
        if case .providerReturned = first.event { comesBack = profile.handler.isFederation }
        if !comesBack { initiate(profile, Self.protocolHandler(profile)) }
        write(group.inputs, .input)
        let url = takeCall(of: profile)
        let failure = trace.error.map { exception($0) }
        action(
            comesBack ? "ClaimsExchangeSubmitHandler" : "ClaimsExchangeActionHandler", failure == nil,
            record: [
                .gettingClaims(
                    technicalProfile: profile.id, provider: Self.provider(profile), url: url,
                    mappings: sent(trace, profile) + received(trace, profile))
            ], exception: failure)
        add(trace.out)
        let defaults = defaults(trace, profile)
        if !group.outputs.isEmpty || !defaults.isEmpty {
            for transformation in group.outputs { add(transformation.out) }
            action(
                "OutputClaimsTransformationHandler", failure == nil,
                record: [.transformations(.output, defaults + group.outputs.map(transformation))])
        }
    }

    /// A claims exchange begins.
    mutating func initiate(_ profile: TechnicalProfile, _ handler: String) {
        let exchange = exchange(to: profile)
        predicate(
            handler,
            record: [
                .initiatingClaimsExchange(
                    exchange, technicalProfile: profile.id, protocolType: Self.protocolType(profile),
                    provider: Self.provider(profile))
            ], state: step?.type == .claimsExchange ? [(Key.targetEntity, exchange)] : [])
    }

    /// The claims exchange of a page begins, unless it has.
    mutating func initiatePage(_ profile: TechnicalProfile) {
        guard initiated != profile.handle else { return }
        initiated = profile.handle
        initiate(profile, "IsClaimsExchangeProtocolAnApiHandler")
    }

    /// Id of the exchange or selection of the step that leads to a profile.
    private func exchange(to profile: TechnicalProfile) -> String {
        let exchanges = (step?.exchanges ?? []).filter { $0.profile == profile.handle }.map(\.id)
        if let chosen, let found = exchanges.first(where: { sameID($0, chosen) }) { return found }
        return exchanges.first ?? step?.selections.first { $0.profile == profile.handle }?.id ?? profile.id
    }

    private static func protocolHandler(_ profile: TechnicalProfile) -> String {
        profile.handler.isFederation
            ? "IsClaimsExchangeProtocolARedirectionHandler" : "IsClaimsExchangeProtocolAServiceCallHandler"
    }

    private static func protocolType(_ profile: TechnicalProfile) -> String {
        if profile.handler.isFederation { return "One Way Message Protocol" }
        return profile.handler.showsPage || profile.handler == .none ? "None" : "backend protocol"
    }

    /// Name of the class that carries out a profile.
    static func provider(_ profile: TechnicalProfile) -> String {
        switch profile.handler {
        case .passwordSignIn, .openIdConnectProvider, .oauth2Provider, .oauth1Provider, .samlProvider:
            protocolProvider(profile.protocolName)
        default: profile.handler.name
        }
    }

    // MARK: Details

    /// A validation technical profile with everything it did.
    private mutating func details(
        of group: TurnItem.ProfileGroup, _ profile: TechnicalProfile, _ trace: TraceEntry.ProfileTrace
    ) -> [Entry] {
        if trace.skipped != nil {
            var state = enabled(profile)
            state.isEnabled = false
            return [
                Entry(
                    "TechnicalProfileEnabled",
                    [
                        "EnabledRule": .string(state.rule), "EnabledResult": false,
                        "TechnicalProfile": .string(profile.id),
                    ])
            ]
        }
        var details: [Entry] = []
        if !group.inputs.isEmpty { details.append(.transformations(.input, group.inputs.map(transformation))) }
        if let url = takeCall(of: profile) { details.append(Entry("ValidationRequestUrl", .string(url))) }
        details += sent(trace, profile) + received(trace, profile)
        let outputs = defaults(trace, profile) + group.outputs.map(transformation)
        if !outputs.isEmpty { details.append(.transformations(.output, outputs)) }
        if let error = trace.error {
            details.append(Entry("ErrorResponseReceived", .string(hidden.masked(error))))
            details.append(.exception(exception(error)))
        }
        details.append(Entry("ValidationResult", .bool(trace.error == nil)))
        return details
    }

    private mutating func takeCall(of profile: TechnicalProfile) -> String? {
        // Attempts that were repeated went to the same address.
        guard let place = calls.lastIndex(where: { $0.profile == profile.id }) else { return nil }
        let url = calls[place].url
        calls.removeAll { $0.profile == profile.id }
        return hidden.masked(url)
    }

    private func sent(_ trace: TraceEntry.ProfileTrace, _ profile: TechnicalProfile) -> [Entry] {
        let given = Set(trace.in.claims.map(\.claim))
        return (profile.inputClaims + profile.persistedClaims).filter { given.contains($0.claim) }
            .map { .mappingToPartner($0.wireName, from: policy[$0.claim].id) }
    }

    private func received(_ trace: TraceEntry.ProfileTrace, _ profile: TechnicalProfile) -> [Entry] {
        outputs(trace, profile).filter { !$0.isDefault }
            .map { .mappingFromPartner($0.claim.wireName, to: policy[$0.claim.claim].id) }
    }

    private func defaults(_ trace: TraceEntry.ProfileTrace, _ profile: TechnicalProfile) -> [Entry] {
        outputs(trace, profile).filter(\.isDefault).map {
            .mappingDefault(text($0.value, of: $0.claim.claim), to: policy[$0.claim.claim].id)
        }
    }

    /// The output claims that got values. The trace does not say where one came from: a value that is the default counts
    /// as that.
    private func outputs(
        _ trace: TraceEntry.ProfileTrace, _ profile: TechnicalProfile
    ) -> [(claim: ProfileClaim, value: ClaimValue, isDefault: Bool)] {
        let values = Dictionary(trace.out.claims.map { ($0.claim, $0.value) }, uniquingKeysWith: { $1 })
        return profile.outputClaims.compactMap { output in
            values[output.claim].map { value in
                (output, value, output.defaultValue.map { output.alwaysUseDefaultValue || $0 == value.text } ?? false)
            }
        }
    }

    private mutating func write(_ list: [TraceEntry.TransformationTrace], _ key: RecorderRecord.TransformationKey) {
        guard !list.isEmpty else { return }
        for transformation in list { add(transformation.out) }
        action(
            key == .input ? "InputClaimsTransformationHandler" : "OutputClaimsTransformationHandler",
            record: [.transformations(key, list.map(transformation))])
    }

    private func transformation(_ trace: TraceEntry.TransformationTrace) -> Entry {
        func texts(_ claims: TracedClaims) -> [(claim: String, value: String)] {
            claims.claims.map { (policy[$0.claim].id, text($0.value, of: $0.claim)) }
        }
        let parameters =
            policy.transformation(trace.transformation).map { policy[$0].inputParameters }?
            .map { (id: $0.id, value: hidden.masked($0.value)) } ?? []
        return .claimsTransformation(
            trace.transformation, inputs: texts(trace.in), parameters: parameters, results: texts(trace.out))
    }
}
