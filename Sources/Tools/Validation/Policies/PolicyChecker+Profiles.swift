import Diagnostics
import TrustFramework

extension PolicyChecker {
    /// Technical profiles as merged (B2C-POL-026, B2C-POL-042, B2C-POL-051 to B2C-POL-068).
    func profileFindings() -> [Finding] {
        var all = withoutProtocol()
        for profile in draft.profiles {
            all += defaults(
                profile.element.inputClaims + profile.element.persistedClaims + profile.element.outputClaims)
            all += keys(profile) + resolvers(profile)
            guard let handler = profile.handler else { continue }
            all += profile.element.validationProfiles.flatMap { $0.preconditions.flatMap(booleanText) }
            all += values(profile, handler) + enabling(profile) + session(profile, handler) + listedTwice(profile)
            all += byHandler(profile, handler)
        }
        return all
    }

    private func byHandler(_ profile: PolicyDraft.Profile, _ handler: ProfileHandler) -> [Finding] {
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
        case .oneTimePassword: operation(profile, "B2C-POL-065") + legacyMessages(profile)
        case .azureMfa, .aadSspr, .captcha: operation(profile, "B2C-POL-065")
        case .unknown(let name): unknownHandler(profile, name)
        default: []
        }
    }

    // MARK: Any profile

    /// Profiles that something runs and that have no protocol, told at the profile where their includes end.
    private func withoutProtocol() -> [Finding] {
        let bare = draft.profiles.filter { $0.handler == nil && isRun($0) }
        var seen: Set<String> = []
        return bare.compactMap { profile in
            guard seen.insert(profile.root.uppercased()).inserted else { return nil }
            let others = bare.filter { sameID($0.root, profile.root) && !sameID($0.element.id, profile.root) }
            let who = others.isEmpty ? "" : "; \(namesList(others.map(\.element.id), limit: 4)) include it"
            return find(
                "B2C-POL-054", "technical profile \"\(profile.root)\" has no Protocol\(who)",
                remedy: "Add <Protocol Name=\"Proprietary\" Handler=\"...\" />, or fix the include.",
                at: profile.rootLocation,
                severity: .error)
        }
    }

    private func unknownHandler(_ profile: PolicyDraft.Profile, _ name: String) -> [Finding] {
        guard let element = profile.element.protocol, element.name == .proprietary, element.handler?.isEmpty == false,
            !isFilledLater(name)
        else { return [] }
        let near = ProfileHandler.nearestClass(to: name)
        return [
            find(
                "B2C-POL-054", "there is no handler \"\(name)\"",
                remedy: near.map { "Did you mean \($0)?" }
                    ?? "Write a handler of the service, such as Web.TPEngine.Providers.SelfAssertedAttributeProvider.",
                at: element.location, severity: .error, corrected: near.flatMap { isSlip(name, of: $0) ? $0 : nil })
        ]
    }

    private func keys(_ profile: PolicyDraft.Profile) -> [Finding] {
        profile.element.cryptographicKeys.compactMap { key in
            let name = key.storageReferenceID
            guard !Self.isKeyName(name) else { return nil }
            return find(
                "B2C-POL-026",
                name.isEmpty ? "the key \(key.id) names no policy key" : "\"\(name)\" is not the name of a policy key",
                remedy: "Names of policy keys begin with B2C_1A_.", at: key.location)
        }
    }

    private func values(_ profile: PolicyDraft.Profile, _ handler: ProfileHandler) -> [Finding] {
        MetadataKeys.keys(of: handler).compactMap { key in
            guard let item = profile.item(key.name), let problem = MetadataKeys.problem(item.value, key.value) else {
                return nil
            }
            return find(
                key.rule, "\(key.name) is \"\(item.value)\"; \(problem.message)",
                remedy: problem.corrected.map { "Did you mean \($0)?" }, at: item.location,
                severity: key.isFatal ? .error : .warning, corrected: problem.corrected)
        }
    }

    /// `Operation` of a profile that something runs.
    func operation(_ profile: PolicyDraft.Profile, _ rule: String) -> [Finding] {
        guard isRun(profile), profile.item("Operation") == nil else { return [] }
        let near = profile.element.metadata.first { nearestName($0.key, among: ["Operation"]) != nil }
        return [
            find(
                rule, "\(profile.element.id) has no Operation",
                remedy: near.map { "It is written \"\($0.key)\" here." } ?? "Add <Item Key=\"Operation\">...</Item>.",
                at: near?.location ?? profile.element.location, severity: .error)
        ]
    }

    private func enabling(_ profile: PolicyDraft.Profile) -> [Finding] {
        let needsValue: Bool
        switch profile.element.enabledForUserJourneys {
        case .onClaimsExistence: needsValue = false
        case .onItemExistence, .onItemAbsence: needsValue = true
        default: return []
        }
        let wanted = ["ClaimTypeOnWhichToEnable"] + (needsValue ? ["ClaimValueOnWhichToEnable"] : [])
        return wanted.filter { profile.item($0) == nil }.map {
            find(
                "B2C-POL-068",
                "EnabledForUserJourneys of \(profile.element.id) is \(profile.element.enabledForUserJourneys?.rawValue ?? ""), but there is no \($0)",
                remedy: "Add it to the metadata.", at: profile.element.location)
        }
    }

    private func session(_ profile: PolicyDraft.Profile, _ handler: ProfileHandler) -> [Finding] {
        guard let reference = profile.element.sessionProfile else {
            guard handler == .directory, isStep(profile), sameID(profile.text("Operation") ?? "", "Write") else {
                return []
            }
            return [
                find(
                    "B2C-POL-042", "\(profile.element.id) writes the user and names no session profile",
                    remedy: "Add <UseTechnicalProfileForSessionManagement ReferenceId=\"SM-Noop\" />.",
                    at: profile.element.location)
            ]
        }
        guard let other = draft.profile(reference.id) else { return [] }
        let id = other.element.id
        // A profile without any protocol is reported by itself.
        guard let kind = other.handler else { return [] }
        guard kind.isSession else {
            // A handler that is not known may be one for sessions.
            if case .unknown = kind { return [] }
            return [
                find(
                    "B2C-POL-097", "\(id) does not manage sessions",
                    remedy: "Name a profile such as SM-Noop or SM-AAD.",
                    at: reference.location)
            ]
        }
        switch (handler, kind) {
        case (.jwtIssuer, .samlSession), (.jwtIssuer, .defaultSession), (.jwtIssuer, .externalLoginSession),
            (.jwtIssuer, .noopSession):
            return [
                find(
                    "B2C-POL-066", "the session profile \(id) of the token issuer is a \(kind.name)",
                    remedy: "Use a profile of OAuthSSOSessionProvider, such as SM-jwt-issuer.", at: reference.location,
                    severity: .warning)
            ]
        case (.samlIssuer, .oauthSession):
            return [
                find(
                    "B2C-POL-097", "the session profile \(id) is for OAuth, the issuer is SAML",
                    remedy: "Use a profile of SamlSSOSessionProvider.", at: reference.location, severity: .warning)
            ]
        case (.selfAsserted, .oauthSession), (.directory, .oauthSession), (.selfAsserted, .samlSession),
            (.directory, .samlSession):
            return [
                find(
                    "B2C-POL-097", "the session profile \(id) is for token issuers",
                    remedy: "Use a profile such as SM-AAD or SM-Noop.", at: reference.location, severity: .warning)
            ]
        default: return []
        }
    }

    private func listedTwice(_ profile: PolicyDraft.Profile) -> [Finding] {
        var seen: Set<String> = []
        return profile.element.validationProfiles.compactMap { validation in
            guard !seen.insert(validation.profile.uppercased()).inserted, validation.preconditions.isEmpty else {
                return nil
            }
            return find(
                "B2C-POL-086", "\(profile.element.id) runs \(validation.profile) twice",
                remedy: "A child file that repeats an inherited validation profile does not replace it.",
                at: validation.location)
        }
    }

    // MARK: Resolvers

    private func resolvers(_ profile: PolicyDraft.Profile) -> [Finding] {
        guard let handler = profile.handler, handler != .applicationInsights, !handler.isSession else { return [] }
        let isOn = profile.flag("IncludeClaimResolvingInClaimsHandling")
        var all: [Finding] = []
        func check(_ claims: [ClaimReferenceElement]) {
            for claim in claims {
                guard let name = Self.resolver(claim.defaultValue) else { continue }
                if let wanted = claimName(name), claimType(wanted) == nil {
                    all.append(
                        find(
                            "B2C-POL-052", "{\(name)} names no claim type",
                            remedy: "Declare \(wanted), or fix the name.",
                            at: claim.location))
                }
                // The grant and the identity provider fill these in whatever the metadata says.
                let space = name.prefix { $0 != ":" }.lowercased()
                if space == "oauth2" || sameID(name, "OIDC:Username") || sameID(name, "OIDC:Password") { continue }
                if !isOn {
                    all.append(
                        find(
                            "B2C-POL-052",
                            "{\(name)} is not resolved in \(profile.element.id)",
                            remedy: "Add <Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item>.",
                            at: claim.location))
                } else if claim.alwaysUseDefaultValue != true {
                    all.append(
                        find(
                            "B2C-POL-052", "{\(name)} counts only while \(claim.claim) has no value",
                            remedy: "Add AlwaysUseDefaultValue=\"true\".", at: claim.location, severity: .advice))
                }
            }
        }
        check(profile.element.inputClaims)
        check(profile.element.outputClaims)
        return all
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

    private func legacyMessages(_ profile: PolicyDraft.Profile) -> [Finding] {
        profile.element.metadata.filter { $0.key.hasPrefix("UserMessage.") }.map {
            find(
                "B2C-POL-065", "the key \"\($0.key)\" is of an older version and has no effect",
                remedy: "Use the UserMessageIf... keys.", at: $0.location)
        }
    }
}
