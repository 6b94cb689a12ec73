import Diagnostics
import TrustFramework

extension PolicyChecker {
    /// A technical profile as merged (B2C-POL-026, B2C-POL-042, B2C-POL-051 to B2C-POL-068).
    mutating func check(_ profile: PolicyDraft.Profile) {
        let element = profile.element
        defaults(element.inputClaims + element.persistedClaims + element.outputClaims)
        keys(profile)
        guard let handler = profile.handler else { return }
        if handler != .applicationInsights, !handler.isSession {
            for claim in element.inputClaims + element.outputClaims { resolver(of: claim, in: profile) }
        }
        booleanTexts(element.validationProfiles.flatMap(\.preconditions))
        values(profile, handler)
        enabling(profile)
        session(profile, handler)
        listedTwice(profile)
        switch handler {
        case .directory: directory(profile)
        case .selfAsserted: page(profile)
        case .phoneFactor where isStep(profile): contentDefinition(profile)
        case .rest: rest(profile)
        case .openIdConnectProvider: openID(profile)
        case .oauth2Provider: oauth2(profile)
        case .passwordSignIn: passwordSignIn(profile)
        case .jwtIssuer: issuer(profile)
        case .samlProvider, .samlIssuer: saml(profile, handler)
        case .oneTimePassword:
            operation(profile, "B2C-POL-065")
            legacyMessages(profile)
        case .azureMfa, .aadSspr, .captcha: operation(profile, "B2C-POL-065")
        case .unknown(let name): unknownHandler(profile, name)
        default: break
        }
    }

    // MARK: Any profile

    /// Profiles that something runs and that have no protocol, reported at the profile where their includes end.
    mutating func withoutProtocol() {
        let bare = draft.profiles.filter { $0.handler == nil && isRun($0) }
        var seen: Set<String> = []
        for profile in bare where seen.insert(profile.root.uppercased()).inserted {
            let others = bare.filter { sameID($0.root, profile.root) && !sameID($0.element.id, profile.root) }
            let who = others.isEmpty ? "" : "; \(namesList(others.map(\.element.id), limit: 4)) include it"
            report(
                "B2C-POL-054", "technical profile \"\(profile.root)\" has no Protocol\(who)",
                remedy: "Add <Protocol Name=\"Proprietary\" Handler=\"...\" />, or fix the include.",
                at: profile.rootLocation, severity: .error)
        }
    }

    private mutating func unknownHandler(_ profile: PolicyDraft.Profile, _ name: String) {
        guard let element = profile.element.protocol, element.name == .proprietary, element.handler?.isEmpty == false,
            !isFilledLater(name)
        else { return }
        let near = ProfileHandler.nearestClass(to: name)
        report(
            "B2C-POL-054", "there is no handler \"\(name)\"",
            remedy: didYouMean(near)
                ?? "Write a handler of the service, such as Web.TPEngine.Providers.SelfAssertedAttributeProvider.",
            at: element.location, severity: .error, corrected: near.flatMap { isSlip(name, of: $0) ? $0 : nil })
    }

    private mutating func keys(_ profile: PolicyDraft.Profile) {
        for key in profile.element.cryptographicKeys where !Self.isKeyName(key.storageReferenceID) {
            let name = key.storageReferenceID
            report(
                "B2C-POL-026",
                name.isEmpty ? "the key \(key.id) names no policy key" : "\"\(name)\" is not the name of a policy key",
                remedy: "Names of policy keys begin with B2C_1A_.", at: key.location)
        }
    }

    private mutating func values(_ profile: PolicyDraft.Profile, _ handler: ProfileHandler) {
        for key in MetadataKeys.keys(of: handler) {
            guard let item = profile.item(key.name), let problem = MetadataKeys.problem(item.value, key.value) else {
                continue
            }
            report(
                key.rule, "\(key.name) is \"\(item.value)\"; \(problem.message)",
                remedy: didYouMean(problem.corrected), at: item.location, severity: key.isFatal ? .error : .warning,
                corrected: problem.corrected)
        }
    }

    /// `Operation` of a profile that something runs.
    mutating func operation(_ profile: PolicyDraft.Profile, _ rule: String) {
        guard isRun(profile), profile.item("Operation") == nil else { return }
        reportMissing(
            "Operation", rule, message: "\(profile.element.id) has no Operation",
            writtenAs: profile.slip(of: "Operation"), remedy: "Add <Item Key=\"Operation\">...</Item>.",
            at: profile.element.location, severity: .error)
    }

    private mutating func enabling(_ profile: PolicyDraft.Profile) {
        let needsValue: Bool
        switch profile.element.enabledForUserJourneys {
        case .onClaimsExistence: needsValue = false
        case .onItemExistence, .onItemAbsence: needsValue = true
        default: return
        }
        let wanted = ["ClaimTypeOnWhichToEnable"] + (needsValue ? ["ClaimValueOnWhichToEnable"] : [])
        for key in wanted where profile.item(key) == nil {
            report(
                "B2C-POL-068",
                "EnabledForUserJourneys of \(profile.element.id) is \(profile.element.enabledForUserJourneys?.rawValue ?? ""), but there is no \(key)",
                remedy: "Add it to the metadata.", at: profile.element.location)
        }
    }

    private mutating func session(_ profile: PolicyDraft.Profile, _ handler: ProfileHandler) {
        guard let reference = profile.element.sessionProfile else {
            guard handler == .directory, isStep(profile), sameID(profile.text("Operation") ?? "", "Write") else {
                return
            }
            return report(
                "B2C-POL-042", "\(profile.element.id) writes the user and names no session profile",
                remedy: "Add <UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />.",
                at: profile.element.location)
        }
        guard let other = draft.profile(reference.id) else { return }
        let id = other.element.id
        // A profile without any protocol is reported by itself.
        guard let kind = other.handler else { return }
        guard kind.isSession else {
            // A handler that is not known may be one for sessions.
            if case .unknown = kind { return }
            return report(
                "B2C-POL-097", "\(id) does not manage sessions", remedy: "Name a profile such as SM-Noop or SM-AAD.",
                at: reference.location)
        }
        switch (handler, kind) {
        case (.jwtIssuer, .samlSession), (.jwtIssuer, .defaultSession), (.jwtIssuer, .externalLoginSession),
            (.jwtIssuer, .noopSession):
            report(
                "B2C-POL-066", "the session profile \(id) of the token issuer is a \(kind.name)",
                remedy: "Use a profile of OAuthSSOSessionProvider, such as SM-jwt-issuer.", at: reference.location,
                severity: .warning)
        case (.samlIssuer, .oauthSession):
            report(
                "B2C-POL-097", "the session profile \(id) is for OAuth, the issuer is SAML",
                remedy: "Use a profile of SamlSSOSessionProvider.", at: reference.location, severity: .warning)
        case (.selfAsserted, .oauthSession), (.directory, .oauthSession), (.selfAsserted, .samlSession),
            (.directory, .samlSession):
            report(
                "B2C-POL-097", "the session profile \(id) is for token issuers",
                remedy: "Use a profile such as SM-AAD or SM-Noop.", at: reference.location, severity: .warning)
        default: break
        }
    }

    private mutating func listedTwice(_ profile: PolicyDraft.Profile) {
        var seen: Set<String> = []
        for validation in profile.element.validationProfiles
        where !seen.insert(validation.profile.uppercased()).inserted && validation.preconditions.isEmpty {
            report(
                "B2C-POL-086", "\(profile.element.id) runs \(validation.profile) twice",
                remedy: "A child file that repeats an inherited validation profile does not replace it.",
                at: validation.location)
        }
    }

    // MARK: Resolvers

    private mutating func resolver(of claim: ClaimReferenceElement, in profile: PolicyDraft.Profile) {
        guard let name = Self.resolver(claim.defaultValue) else { return }
        if let wanted = claimName(name), claimType(wanted) == nil {
            report(
                "B2C-POL-052", "{\(name)} names no claim type", remedy: "Declare \(wanted), or fix the name.",
                at: claim.location)
        }
        // The grant and the identity provider fill these in whatever the metadata says.
        let space = name.prefix { $0 != ":" }.lowercased()
        if space == "oauth2" || sameID(name, "OIDC:Username") || sameID(name, "OIDC:Password") { return }
        if !profile.flag("IncludeClaimResolvingInClaimsHandling") {
            report(
                "B2C-POL-052", "{\(name)} is not resolved in \(profile.element.id)",
                remedy: "Add <Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item>.", at: claim.location)
        } else if claim.alwaysUseDefaultValue != true {
            report(
                "B2C-POL-052", "{\(name)} counts only while \(claim.claim) has no value",
                remedy: "Add AlwaysUseDefaultValue=\"true\".", at: claim.location, severity: .advice)
        }
    }

    private func claimName(_ resolver: String) -> String? {
        resolver.lowercased().hasPrefix("claim:") ? String(resolver.dropFirst(6)) : nil
    }

    /// The first resolver of a text, `OIDC:LoginHint` of `{OIDC:LoginHint}`.
    static func resolver(_ text: String?) -> String? {
        guard let text, let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}") else {
            return nil
        }
        let name = text[text.index(after: open)..<close]
        guard let colon = name.firstIndex(of: ":"), colon != name.startIndex else { return nil }
        let known = ["culture", "policy", "context", "claim", "oidc", "oauth-kv", "oauth2", "saml"]
        return known.contains(name[..<colon].lowercased()) ? String(name) : nil
    }

    private mutating func legacyMessages(_ profile: PolicyDraft.Profile) {
        for item in profile.element.metadata where item.key.hasPrefix("UserMessage.") {
            report(
                "B2C-POL-065", "the key \"\(item.key)\" is of an older version and has no effect",
                remedy: "Use the UserMessageIf... keys.", at: item.location)
        }
    }
}
