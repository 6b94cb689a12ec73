import Diagnostics
import Exploration
import TrustFramework

/// A claim that an extension gets or returns.
package struct MigrationClaim: Hashable, Sendable {
    /// On the wire.
    package var name: String
    package var type: DataType

    package init(name: String, type: DataType) { (self.name, self.type) = (name, type) }
}

/// An element of a policy with its rule, and what of the policy shows that a path meets it.
struct FoundElement {
    var kind: String
    var id: String
    var rule: MigrationRule
    var location: SourceLocation?
    var profiles: Set<ProfileHandle> = []
    var journeys: Set<JourneyHandle> = []
    /// Every path meets it.
    var isEverywhere = false
    var isReached = true
    var inputs: [MigrationClaim] = []
    var outputs: [MigrationClaim] = []
    var notes: [String] = []
}

/// Finds the elements of a policy that a migration concerns, each once.
struct ElementFinder {
    let policy: ResolvedPolicy
    let places: CallPlaces

    init(_ policy: ResolvedPolicy) {
        self.policy = policy
        places = CallPlaces(policy)
    }

    private var reached: [TechnicalProfile] { places.reach.profiles.map { policy[$0] } }

    func all() -> [FoundElement] {
        party() + policy.profiles.flatMap(profile) + policy.displayControls.map(control) + journeys()
            + transformations() + pages() + claims() + keys()
    }

    // MARK: Technical profiles

    private func profile(_ profile: TechnicalProfile) -> [FoundElement] {
        let isReached = places.reach.profiles.contains(profile.handle)
        let isAlways = profile.handler == .rest || profile.handler.isFederation
        guard isReached || isAlways else { return [] }
        let element = FoundElement(
            kind: "technical profile", id: profile.id, rule: .otherHandler, location: profile.location,
            profiles: [profile.handle], isReached: isReached)
        if profile.handler == .rest { return call(profile, element) }
        guard let rule = rule(of: profile) else { return [] }
        var found = element
        found.rule = rule
        found.isEverywhere = profile.handler == .jwtIssuer
        return [found]
    }

    private func rule(of profile: TechnicalProfile) -> MigrationRule? {
        let operation = (profile.metadata["Operation"] ?? "").lowercased()
        switch profile.handler {
        case .selfAsserted: return places.purpose(profile)
        case .passwordSignIn: return .password
        case .openIdConnectProvider: return isBuiltIn(profile) ? .builtInProvider : .openIDProvider
        case .oauth2Provider, .oauth1Provider: return isBuiltIn(profile) ? .builtInProvider : .oauthProvider
        case .samlProvider: return .samlProvider
        case .phoneFactor: return phone
        case .azureMfa: return operation.contains("otp") || operation.contains("devices") ? .authenticatorApp : phone
        case .oneTimePassword, .aadSspr: return .oneTimeCode
        case .captcha: return .captcha
        case .conditionalAccess: return .conditionalAccess
        case .applicationInsights: return .telemetry
        case .directory:
            if operation.hasPrefix("delete") { return .deletion }
            let hasOwn = profile.persistedClaims.contains { $0.wireName.lowercased().hasPrefix("extension_") }
            return hasOwn ? .customAttributes : nil
        case .jwtIssuer:
            let settings = policy.tokenIssuer.flatMap { $0.profile == profile.handle ? $0 : nil }
            return settings.map { $0.issuerPattern == .policy || $0.addsPolicyAsAcr } ?? false
                ? .policyInToken : .tokenIssuer
        case .harness(let name):
            let name = name.lowercased()
            if name.contains("totp") { return .authenticatorApp }
            return name.contains("factor") || name.contains("phone") ? phone : nil
        case .unknown: return .otherHandler
        case .rest, .claimsTransformation, .userJourneyContext, .noopSession, .defaultSession, .externalLoginSession,
            .oauthSession, .samlSession, .samlIssuer, .jsonIssuer, .oauth2ErrorIssuer, .none, .tokenAuthorization:
            return nil
        }
    }

    /// A code by phone is a second factor where people can prove who they are by something else.
    private var phone: MigrationRule {
        let isSecond = reached.contains { $0.handler == .passwordSignIn || $0.handler.isFederation }
        return isSecond ? .secondFactorByPhone : .firstFactorByPhone
    }

    private func isBuiltIn(_ provider: TechnicalProfile) -> Bool {
        let addresses = ["authorization_endpoint", "METADATA", "ClaimsEndpoint", "issuer"]
            .compactMap { provider.metadata[$0]?.lowercased() }
        return ["google.com", "googleapis.com", "facebook.com", "appleid.apple.com"].contains { host in
            addresses.contains { $0.contains(host) }
        }
    }

    private func call(_ profile: TechnicalProfile, _ element: FoundElement) -> [FoundElement] {
        var found = element
        (found.rule, found.notes) = places.rule(of: profile)
        found.inputs = profile.inputClaims.map(named)
        found.outputs = profile.outputClaims.map(named)
        guard found.rule == .callForToken else { return [found] }
        let others = profile.outputClaims.filter { claim in
            let type = policy[claim.claim].dataType
            return places.tokenClaims.contains(claim.claim) && type != .string && type != .stringCollection
        }
        return [found]
            + others.map { claim in
                FoundElement(
                    kind: "claim", id: "\(claim.wireName) (\(policy[claim.claim].dataType.rawValue)) of \(profile.id)",
                    rule: .claimIsNotText, location: claim.location, profiles: [profile.handle],
                    isReached: element.isReached)
            }
    }

    private func named(_ claim: ProfileClaim) -> MigrationClaim {
        MigrationClaim(name: claim.wireName, type: policy[claim.claim].dataType)
    }

    // MARK: Controls, journeys, transformations

    private func control(_ control: DisplayControl) -> FoundElement {
        let rule: MigrationRule
        switch control.type {
        case .captcha: rule = .captcha
        case .qrCode, .authenticatorInfo, .authenticatorAppIcon: rule = .authenticatorApp
        case .verification: rule = places.isPhone(control) ? .phoneVerification : .emailVerification
        }
        let pages = policy.profiles.filter { page in
            page.displayClaims.contains { if case .control(control.handle) = $0.target { true } else { false } }
        }
        return FoundElement(
            kind: "display control", id: control.id, rule: rule, location: control.location,
            profiles: Set(pages.map(\.handle)), isReached: places.reach.controls.contains(control.handle))
    }

    private func journeys() -> [FoundElement] {
        let party = policy.relyingParty
        var found = policy.journeys.filter { $0.subJourneyType != nil }.map { journey in
            FoundElement(
                kind: "sub journey", id: journey.id, rule: .subJourney, location: journey.location,
                journeys: [journey.handle], isReached: places.reach.journeys.contains(journey.handle))
        }
        let refresh = policy.tokenIssuer?.refreshJourney.flatMap { policy.journey($0) }
        for (handle, rule) in [
            (party.journey(endpoint: "Token") ?? refresh, MigrationRule.refreshJourney),
            (party.journey(endpoint: "UserInfo"), .userInfo),
        ] {
            guard let journey = handle.map({ policy[$0] }), journey.handle != party.defaultJourney else { continue }
            found.append(
                FoundElement(
                    kind: "user journey", id: journey.id, rule: rule, location: journey.location, isEverywhere: true))
        }
        for step in policy[party.defaultJourney].steps where step.type == .getClaims {
            found.append(
                FoundElement(
                    kind: "orchestration step", id: "\(policy[party.defaultJourney].id) \(step.order)",
                    rule: .tokenHint, location: step.location, isEverywhere: true))
        }
        return found
    }

    /// Those that change tokens or decide how a journey goes on; the others are details of what is built in.
    private func transformations() -> [FoundElement] {
        let asked = Set(places.reach.preconditions(policy).flatMap(\.claims))
        return places.reach.transformations.map { policy[$0] }.compactMap { transformation in
            let outputs = Set(transformation.outputClaims.map(\.claim))
            let rule: MigrationRule
            if transformation.method.lowercased().contains("agegroup") {
                rule = .ageGating
            } else if transformation.inputClaims.contains(where: { sameID(policy[$0.claim].id, "accountEnabled") }) {
                // The service refuses disabled accounts by itself.
                return nil
            } else if outputs.isEmpty || !outputs.isDisjoint(with: asked) {
                rule = .decidingTransformation
            } else if !outputs.isDisjoint(with: places.tokenClaims) {
                rule = .tokenTransformation
            } else {
                return nil
            }
            let users = reached.filter {
                ($0.inputTransformations + $0.outputTransformations).contains(transformation.handle)
            }
            var found = FoundElement(
                kind: "claims transformation", id: transformation.id, rule: rule, location: transformation.location,
                profiles: Set(users.map(\.handle)))
            found.inputs = transformation.inputClaims.map { claim in
                MigrationClaim(name: policy[claim.claim].id, type: policy[claim.claim].dataType)
            }
            found.outputs = policy.relyingParty.outputClaims.filter { outputs.contains($0.claim) }.map(named)
            return found
        }
    }

    // MARK: Pages and claims

    private func pages() -> [FoundElement] {
        let templates = policy.contentDefinitions.compactMap { definition -> FoundElement? in
            let users = reached.filter { $0.contentDefinition == definition.handle }
            let steps = places.reach.journeys.contains { journey in
                policy[journey].steps.contains { $0.contentDefinition == definition.handle }
            }
            guard !definition.loadURI.hasPrefix("~/"), steps || !users.isEmpty else { return nil }
            return FoundElement(
                kind: "content definition", id: definition.id, rule: .pageTemplate, location: definition.location,
                profiles: Set(users.map(\.handle)), isEverywhere: users.isEmpty)
        }
        let translated = policy.contentDefinitions.filter { !$0.resources.isEmpty }
        guard let first = translated.first else { return templates }
        let users = reached.filter { page in translated.contains { $0.handle == page.contentDefinition } }
        return templates + [
            FoundElement(
                kind: "localization", id: policy.localization.translatedLanguages.sorted().joined(separator: " "),
                rule: .localization, location: first.location, profiles: Set(users.map(\.handle)))
        ]
    }

    /// Claims of pages whose values the policy checks.
    private func claims() -> [FoundElement] {
        let pages = places.pages.filter { places.purpose($0) != .signInPage }
        return policy.claimTypes.filter { $0.validation != nil || $0.pattern != nil }.compactMap { claim in
            let users = pages.filter { $0.outputClaims.contains { $0.claim == claim.handle } }
            guard !users.isEmpty else { return nil }
            return FoundElement(
                kind: "claim type", id: claim.id,
                rule: claim.userInputType == .password ? .passwordRules : .valueRules, location: claim.location,
                profiles: Set(users.map(\.handle)), inputs: [MigrationClaim(name: claim.id, type: claim.dataType)])
        }
    }

    private func keys() -> [FoundElement] {
        var places: [String: Int] = [:]
        var found: [FoundElement] = []
        for profile in reached {
            for key in profile.cryptographicKeys where !key.storageReferenceID.isEmpty {
                let name = key.storageReferenceID.uppercased()
                if let place = places[name] {
                    found[place].profiles.insert(profile.handle)
                } else {
                    places[name] = found.count
                    found.append(
                        FoundElement(
                            kind: "policy key", id: key.storageReferenceID, rule: .policyKey, location: key.location,
                            profiles: [profile.handle]))
                }
            }
        }
        return found
    }

    // MARK: The relying party

    private func party() -> [FoundElement] {
        let party = policy.relyingParty
        func element(_ kind: String, _ rule: MigrationRule) -> FoundElement {
            FoundElement(kind: kind, id: policy.id, rule: rule, location: party.location, isEverywhere: true)
        }
        var found = [element("relying party", partyRule)]
        if party.scriptExecution == .allow { found.append(element("page scripts", .pageScripts)) }
        let session = party.sessionBehavior
        if session.scope != .tenant || session.expiryInSeconds != 86_400 || session.enforceIdTokenHintOnLogout {
            found.append(element("session settings", .session))
        }
        let asks = reached.contains { $0.metadata.bool("setting.enableRememberMe", default: false) }
        if session.keepAliveInDays > 0 || asks { found.append(element("keep me signed in", .keepSignedIn)) }
        return found
    }

    private var partyRule: MigrationRule {
        let party = policy.relyingParty
        if party.protocolName == .saml2 { return .samlApp }
        let journey = policy[party.defaultJourney]
        let direct = journey.steps.flatMap(\.exchanges).contains { policy[$0.profile].handler == .passwordSignIn }
        if journey.nonInteractive || direct { return .passwordGrant }
        let purposes = Set(places.pages.map { places.purpose($0) })
        if purposes.contains(.signUpPage) { return .userFlow }
        if purposes.contains(.editPage) { return .editPolicy }
        return purposes.contains(.resetPage) && !purposes.contains(.signInPage) ? .resetPolicy : .userFlow
    }
}
