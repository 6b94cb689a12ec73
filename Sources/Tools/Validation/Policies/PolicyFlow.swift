import Diagnostics
import TrustFramework

/// Follows claims through the journeys of one relying party: who writes them before they are read
/// (B2C-POL-037, 038, 051, 053, 070 to 072), and which are read after the page that they end with (B2C-POL-098).
///
/// What a step may write counts as written whether or not the step is skipped: only what nothing can write is found.
struct PolicyFlow: PolicyRuleCheck {
    /// What has been written when a step begins.
    struct Bag {
        /// Everything that a step before may have written.
        var written: Set<ClaimTypeHandle>
        /// The part of it that goes on from step to step.
        var goesOn: Set<ClaimTypeHandle>
        /// The page of a claim that only something inside a page writes.
        var pages: [ClaimTypeHandle: ProfileHandle] = [:]

        init(_ start: Set<ClaimTypeHandle>) {
            written = start
            goesOn = start
        }

        mutating func add(_ claims: Set<ClaimTypeHandle>) {
            written.formUnion(claims)
            goesOn.formUnion(claims)
        }
    }

    let policy: ResolvedPolicy
    var findings: [Finding] = []
    private let constants: [ClaimTypeHandle: [String]?]

    init(_ policy: ResolvedPolicy) {
        self.policy = policy
        constants = Self.constants(policy)
        checkAll()
    }

    private mutating func checkAll() {
        let party = policy.relyingParty
        var start = Set(party.inputClaims.map(\.claim))
        for claim in party.outputClaims where claim.defaultValue != nil { start.insert(claim.claim) }
        // What a session remembers is there before the profile that put it there comes up.
        for profile in policy.profiles where profile.handler.isSession {
            start.formUnion(remembered(by: profile.handle))
        }
        var bag = Bag(start)
        var running: Set<JourneyHandle> = []
        walk(party.defaultJourney, &bag, &running, passwords: passwordClaims, isInteractive: true)
        outputs(bag)
        for endpoint in party.endpoints {
            var other = Bag(start.union(refreshed))
            var running: Set<JourneyHandle> = []
            walk(endpoint.journey, &other, &running, passwords: [], isInteractive: false)
        }
        behaviors()
        issuers()
    }

    /// What ends the journey makes tokens that the apps of the relying party read.
    private mutating func issuers() {
        let party = policy.relyingParty
        let isForeign = party.protocolName.isForeignToOAuth
        let (wrong, tokens): (ProfileHandler, String) =
            isForeign ? (.jwtIssuer, "JWTs") : (.samlIssuer, "SAML assertions")
        for issuer in policy[party.defaultJourney].steps.compactMap(\.issuer) where policy[issuer].handler == wrong {
            // The step may be in a base that is built in, of which nothing is reported.
            report(
                "B2C-POL-067",
                "the relying party speaks \(party.protocolName.rawValue), and its issuer \(policy[issuer].id) makes \(tokens)",
                remedy: isForeign
                    ? "Name an issuer of SAML assertions in CpimIssuerTechnicalProfileReferenceId."
                    : "Name a token issuer such as JwtIssuer, or write <Protocol Name=\"SAML2\" />.",
                at: party.location)
        }
    }

    /// What a refresh token brings back.
    private var refreshed: Set<ClaimTypeHandle> {
        guard let issuer = policy.tokenIssuer else { return [] }
        let name = policy[issuer.profile].metadata["issuer_refresh_token_user_identity_claim_type"] ?? "objectId"
        return Set([policy.claimType(name), policy.claimType("objectId"), policy.claimType("sub")].compactMap(\.self))
    }

    private var passwordClaims: Set<ClaimTypeHandle> {
        Set(policy.claimTypes.filter { $0.userInputType == .password }.map(\.handle))
    }

    // MARK: What a profile writes

    /// Everything a run of a profile may leave in the bag.
    private func written(_ handle: ProfileHandle, _ seen: inout Set<ProfileHandle>) -> Set<ClaimTypeHandle> {
        guard seen.insert(handle).inserted else { return [] }
        let profile = policy[handle]
        var claims = transformed(by: profile.inputTransformations + profile.outputTransformations)
        claims.formUnion(profile.outputClaims.map(\.claim))
        for item in profile.displayClaims {
            switch item.target {
            case .claim(let claim): claims.insert(claim)
            case .control(let control):
                let control = policy[control]
                claims.formUnion(control.outputClaims.map(\.claim))
                claims.formUnion(control.displayClaims.map(\.claim))
                for action in control.actions {
                    for validation in action.profiles { claims.formUnion(written(validation.profile, &seen)) }
                }
            }
        }
        for validation in profile.validationProfiles { claims.formUnion(written(validation.profile, &seen)) }
        claims.formUnion(remembered(by: profile.sessionProfile))
        return claims
    }

    /// What transformations write.
    func transformed(by list: [TransformationHandle]) -> Set<ClaimTypeHandle> {
        Set(list.flatMap { policy[$0].outputClaims.map(\.claim) })
    }

    /// What a session profile brings back.
    func remembered(by session: ProfileHandle?) -> Set<ClaimTypeHandle> {
        guard let profile = session.map({ policy[$0] }) else { return [] }
        return Set((profile.outputClaims + profile.persistedClaims).map(\.claim))
    }

    func written(_ handle: ProfileHandle) -> Set<ClaimTypeHandle> {
        var seen: Set<ProfileHandle> = []
        return written(handle, &seen)
    }

    // MARK: Steps

    /// A step with its journey; as text, how findings name it.
    struct StepPlace: CustomStringConvertible {
        let step: OrchestrationStep
        let journey: UserJourney

        var description: String { "step \(step.order) of \(journey.id)" }
    }

    private mutating func walk(
        _ handle: JourneyHandle, _ bag: inout Bag, _ running: inout Set<JourneyHandle>,
        passwords: Set<ClaimTypeHandle>, isInteractive: Bool
    ) {
        guard running.insert(handle).inserted else { return }
        defer { running.remove(handle) }
        let journey = policy[handle]
        for step in journey.steps {
            let place = StepPlace(step: step, journey: journey)
            for condition in step.preconditions {
                unmet(condition, in: bag.written, at: place)
                hidden(
                    condition.claims.map { ($0, condition.location) }, in: bag,
                    reader: "read by a precondition of \(place)")
            }
            var after = bag
            if let issuer = step.issuer, step.type == .getClaims { after.add(written(issuer)) }
            for exchange in step.exchanges {
                let profile = policy[exchange.profile]
                unread(profile, in: bag.written, at: place)
                hidden(profile, in: bag, at: place)
                if isInteractive { assertions(profile) }
                latePasswords(profile, bag.written.intersection(passwords), step)
                leave(exchange.profile, &after)
            }
            bag = after
            for sub in step.subJourneys {
                walk(sub, &bag, &running, passwords: passwords, isInteractive: isInteractive)
            }
        }
    }

    /// A precondition about a claim that no step before can have written (B2C-POL-037).
    private mutating func unmet(_ condition: Precondition, in bag: Set<ClaimTypeHandle>, at place: StepPlace) {
        guard let claim = condition.claims.first(where: { !bag.contains($0) }) else {
            return neverEqual(condition, at: place)
        }
        let name = policy[claim].id
        // Session claims and those of the identity provider's own making are not always declared as outputs.
        let isAlways = condition.type == .claimsExist && !condition.executeActionsIf
        // What calls a sub journey may differ from policy to policy.
        report(
            "B2C-POL-037",
            isAlways
                ? "\(place) is always skipped: nothing before it writes \(name)"
                : "nothing before \(place) writes \(name), so this never holds",
            remedy: "Name a claim that an earlier step writes.", at: condition.location,
            severity: place.journey.subJourneyType == nil ? .warning : .advice)
    }

    /// A comparison with a text that no profile writes, where all that write the claim write constants (B2C-POL-037).
    private mutating func neverEqual(_ condition: Precondition, at place: StepPlace) {
        guard condition.type == .claimEquals, let claim = condition.claims.first, let value = condition.value,
            policy[claim].dataType == .string, let known = constants[claim], let texts = known, !texts.contains(value),
            !value.contains("{")
        else { return }
        report(
            "B2C-POL-037", "\(policy[claim].id) never is \"\(value)\" in \(place)",
            remedy: didYouMean(nearestName(value, among: texts), quoted: true) ?? "It is \(namesList(texts)).",
            at: condition.location)
    }

    /// The texts that profiles write into claims; `nil` for a claim that some profile gets from elsewhere.
    private static func constants(_ policy: ResolvedPolicy) -> [ClaimTypeHandle: [String]?] {
        var known: [ClaimTypeHandle: [String]?] = [:]
        for profile in policy.profiles {
            for claim in profile.outputClaims {
                let isConstant =
                    claim.alwaysUseDefaultValue || claim.partnerName == nil && profile.handler != .rest
                guard isConstant, let text = claim.defaultValue, !text.contains("{") else {
                    // A page or a directory hands on what it was given; others bring something new.
                    known[claim.claim] = .some(nil)
                    continue
                }
                if case .some(.none) = known[claim.claim] { continue }
                let texts = (known[claim.claim] ?? nil) ?? []
                if !texts.contains(text) { known[claim.claim] = texts + [text] }
            }
        }
        for transformation in policy.transformations {
            for claim in transformation.outputClaims { known[claim.claim] = .some(nil) }
        }
        for claim in policy.relyingParty.inputClaims { known[claim.claim] = .some(nil) }
        return known
    }

    /// Input claims that nothing before can have written (B2C-POL-038).
    private mutating func unread(_ profile: TechnicalProfile, in bag: Set<ClaimTypeHandle>, at place: StepPlace) {
        unreadByItself(profile, in: bag, at: place)
        // Validation profiles see what the page and those before them write, and the defaults of the page's input claims.
        let defaults = profile.inputClaims.filter { $0.defaultValue != nil }.map(\.claim)
        let page = bag.union(written(profile.handle)).union(defaults)
        for validation in profile.validationProfiles {
            unreadByItself(policy[validation.profile], in: page, at: place)
        }
    }

    private mutating func unreadByItself(
        _ profile: TechnicalProfile, in bag: Set<ClaimTypeHandle>, at place: StepPlace
    ) {
        let own = transformed(by: profile.inputTransformations)
        let given = profile.inputClaims.filter {
            $0.defaultValue != nil || bag.contains($0.claim) || own.contains($0.claim)
        }
        // Another claim under the same name on the other side may take its place, as oldPassword does for password.
        for input in profile.inputClaims where !given.contains(where: { sameID($0.wireName, input.wireName) }) {
            // What finds the user, and what is marked as required, must have a value; the rest is sent when it has one.
            let isNeeded = input.required || profile.handler == .directory
            report(
                "B2C-POL-038",
                "\(policy[input.claim].id) is an input of \(profile.id) in \(place), and nothing before writes it",
                remedy: "Write it in an earlier step, or give it a DefaultValue.", at: input.location,
                severity: isNeeded ? .error : profile.handler.showsPage ? .advice : .warning)
        }
    }

    /// A password typed into an earlier page is not there any more (B2C-POL-053).
    private mutating func latePasswords(
        _ profile: TechnicalProfile, _ typed: Set<ClaimTypeHandle>, _ step: OrchestrationStep
    ) {
        if profile.handler.showsPage { return }
        for input in profile.inputClaims + profile.persistedClaims
        where typed.contains(input.claim) && input.defaultValue == nil {
            report(
                "B2C-POL-053",
                "\(policy[input.claim].id) is a password of an earlier page: step \(step.order) does not see it",
                remedy: "Use it in a validation technical profile of the page that asks for it.", at: input.location)
        }
    }

    /// Assertions outside of a page's validation end the journey instead of showing a message (B2C-POL-051).
    private mutating func assertions(_ profile: TechnicalProfile) {
        guard profile.handler != .selfAsserted else { return }
        for handle in profile.inputTransformations + profile.outputTransformations {
            let transformation = policy[handle]
            guard transformation.method.lowercased().hasPrefix("assert") else { continue }
            report(
                "B2C-POL-051",
                "\(transformation.id) asserts in \(profile.id), which a step runs: a failure ends the journey with an error",
                remedy: "Run the profile as a validation technical profile of a page.", at: profile.location)
        }
    }

    // MARK: Relying party

    /// Claims of the token that nothing writes (B2C-POL-070).
    private mutating func outputs(_ bag: Bag) {
        let party = policy.relyingParty
        let journey = policy[party.defaultJourney].id
        for claim in party.outputClaims {
            if claim.defaultValue == nil {
                hidden([(claim.claim, claim.location)], in: bag, reader: "an output claim of the relying party")
            }
            if claim.defaultValue == nil, !bag.written.contains(claim.claim) {
                report(
                    "B2C-POL-070",
                    "\(policy[claim.claim].id) is an output claim of the relying party, and no step of \(journey) writes it",
                    remedy: "Write it in a step, or give it a DefaultValue.", at: claim.location)
            }
            if let name = PolicyChecker.resolver(claim.defaultValue), !claim.alwaysUseDefaultValue {
                report(
                    "B2C-POL-052",
                    "{\(name)} is not resolved for \(policy[claim.claim].id): the token has the text as it stands",
                    remedy: "Add AlwaysUseDefaultValue=\"true\".", at: claim.location, severity: .warning)
            }
        }
    }

    /// The profiles that are the form of a combined page, which alone offers to keep somebody signed in (Microsoft docs:
    /// session-behavior).
    private var signInForms: [TechnicalProfile] {
        let steps = policy.journeys(from: [policy.relyingParty.defaultJourney]).flatMap(\.steps)
        return steps.flatMap(\.selections).compactMap { selection in
            if case .validation(_, let profile) = selection.target { policy[profile] } else { nil }
        }
    }

    private mutating func behaviors() {
        let party = policy.relyingParty
        let box = "setting.enableRememberMe"
        let days = party.sessionBehavior.keepAliveInDays
        if days > 0,
            !policy.profiles.contains(where: { $0.handler == .selfAsserted && $0.metadata.bool(box, default: false) })
        {
            report(
                "B2C-POL-071", "KeepAliveInDays is set, and no page has \(box)",
                remedy: "Set it to true on the sign-in page.",
                at: policy.document.relyingParty?.behaviors?.location ?? party.location, severity: .warning)
        }
        if days == 0, let form = signInForms.first(where: { $0.metadata.bool(box, default: false) }) {
            report(
                "B2C-POL-071",
                "\(box) of \(form.id) has no effect in \(policy.id): its SingleSignOn has no KeepAliveInDays",
                remedy: "Write <SingleSignOn Scope=\"Tenant\" KeepAliveInDays=\"30\" /> in the relying party of "
                    + "\(policy.id), or take \(box) out.", at: form.metadata.location(of: box) ?? form.location,
                severity: .warning)
        }
        if policy.tokenIssuer != nil, party.protocolName == .openIdConnect, party.journey(endpoint: "Token") == nil,
            policy.tokenIssuer?.refreshJourney == nil, !policy[party.defaultJourney].nonInteractive
        {
            report(
                "B2C-POL-072", "refresh tokens are redeemed without a journey of their own",
                remedy: "Add <Endpoint Id=\"Token\" UserJourneyReferenceId=\"RedeemRefreshToken\" />.",
                at: policy.document.relyingParty?.defaultUserJourney?.location ?? party.location)
        }
    }
}
