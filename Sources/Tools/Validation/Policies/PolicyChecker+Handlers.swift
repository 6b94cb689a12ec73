import Diagnostics
import TrustFramework

extension PolicyChecker {
    // MARK: Self-asserted pages

    mutating func contentDefinition(_ profile: PolicyDraft.Profile) {
        guard profile.text("ContentDefinitionReferenceId") == nil else { return }
        reportMissing(
            "ContentDefinitionReferenceId", "B2C-POL-055",
            message: "\(profile.element.id) shows a page and names no ContentDefinitionReferenceId",
            writtenAs: profile.slip(of: "ContentDefinitionReferenceId"), remedy: "Add it to the metadata.",
            at: profile.element.location)
    }

    mutating func page(_ profile: PolicyDraft.Profile) {
        let element = profile.element
        guard isStep(profile) else { return }
        // The page of a combined step is named by the step.
        if exchanged.contains(element.id.uppercased()) { contentDefinition(profile) }
        let sources = sources(of: element)
        let shown = Set(element.displayClaims.compactMap { $0.claim?.uppercased() })
        let isCollected = Set(
            controls(of: element).flatMap { $0.displayClaims.compactMap(\.claim) + $0.outputClaims.map(\.claim) }
                .map { $0.uppercased() })
        for claim in element.outputClaims {
            let id = claim.claim.uppercased()
            guard let type = claimType(claim.claim), claim.defaultValue == nil, !sources.contains(id) else { continue }
            let isInput = element.inputClaims.contains { sameID($0.claim, claim.claim) }
            if type.userInputType == nil {
                // A page with DisplayClaims collects those alone.
                guard element.displayClaims.isEmpty else { continue }
                // What comes in as an input claim has a value without the page's asking for it.
                report(
                    "B2C-POL-055",
                    "\(claim.claim) of \(element.id) has no UserInputType, no default, and no validation profile gives it",
                    remedy: "Give the claim type a UserInputType, or take it out.", at: claim.location,
                    severity: isInput ? .warning : .error)
            } else if !element.displayClaims.isEmpty, !shown.contains(id), !isCollected.contains(id), !isInput {
                report(
                    "B2C-POL-056", "\(claim.claim) is an output of \(element.id) and not among its DisplayClaims",
                    remedy: "The page never asks for it: add a DisplayClaim.", at: claim.location, severity: .advice)
            }
            if sameID(claim.partnerClaimType ?? "", "Verified.Email"),
                type.userInputType == .readonly || type.userInputType == .paragraph, !isInput
            {
                report(
                    "B2C-POL-085", "\(claim.claim) is to be verified, but nobody can type into it and nothing fills it",
                    remedy: "Use TextBox or EmailBox, or leave Verified.Email out.", at: claim.location)
            }
        }
        controls(profile)
        unverified(profile)
    }

    private func controls(of element: TechnicalProfileElement) -> [DisplayControlElement] {
        element.displayClaims.compactMap(\.displayControl).compactMap(control)
    }

    /// Claims that the profiles behind a page give: validation profiles, actions of display controls, transformations.
    private func sources(of element: TechnicalProfileElement) -> Set<String> {
        var names: Set<String> = []
        var pending = element.validationProfiles.map(\.profile)
        for action in controls(of: element).flatMap(\.actions) { pending += action.profiles.map(\.profile) }
        var seen: Set<String> = []
        func transformed(_ profile: TechnicalProfileElement) {
            for reference in profile.inputTransformations + profile.outputTransformations {
                for claim in transformation(reference.id)?.outputClaims ?? [] { names.insert(claim.claim.uppercased()) }
            }
        }
        while let id = pending.popLast() {
            guard seen.insert(id.uppercased()).inserted, let profile = draft.profile(id)?.element else { continue }
            for claim in profile.outputClaims { names.insert(claim.claim.uppercased()) }
            transformed(profile)
            pending += profile.validationProfiles.map(\.profile)
        }
        transformed(element)
        return names
    }

    private mutating func controls(_ profile: PolicyDraft.Profile) {
        guard let use = profile.element.displayClaims.first(where: { $0.displayControl != nil }),
            let id = profile.text("ContentDefinitionReferenceId"),
            let uri = contentDefinitions[id.uppercased()]?.dataURI, let page = PageVersion(uri),
            page.type == "selfasserted", page.version.lexicographicallyPrecedes([2, 0, 0])
        else { return }
        report(
            "B2C-POL-056",
            "\(profile.element.id) has a display control, and its page \(id) is selfasserted \(page.text)",
            remedy: "Display controls need selfasserted 2.0.0 or later.", at: use.location)
    }

    /// An address that becomes a sign-in name without anybody having shown that it is his.
    private mutating func unverified(_ profile: PolicyDraft.Profile) {
        guard profile.item("EnforceEmailVerification") == nil else { return }
        let controlled = Set(
            controls(of: profile.element).flatMap { $0.displayClaims.compactMap { $0.claim?.uppercased() } })
        let given = Set(profile.element.inputClaims.map { $0.claim.uppercased() })
        let typed = profile.element.outputClaims.filter { claim in
            let id = claim.claim.uppercased()
            let input = claimType(claim.claim)?.userInputType
            let isTyped = input == .textBox || input == .emailBox
            return isTyped && claim.defaultValue == nil && !controlled.contains(id) && !given.contains(id)
                && !(claim.partnerClaimType ?? "").lowercased().hasPrefix("verified.")
        }
        guard !typed.isEmpty else { return }
        for reference in profile.element.validationProfiles {
            guard let writer = draft.profile(reference.profile), writer.handler == .directory,
                sameID(writer.text("Operation") ?? "", "Write")
            else { continue }
            let names = writer.element.persistedClaims.filter {
                sameID($0.partnerClaimType ?? $0.claim, "signInNames.emailAddress")
            }
            for claim in typed where names.contains(where: { sameID($0.claim, claim.claim) }) {
                report(
                    "B2C-POL-084", "\(claim.claim) becomes a sign-in name and is not verified (\(profile.element.id))",
                    remedy: "Add PartnerClaimType=\"Verified.Email\", or a VerificationControl.", at: claim.location)
            }
        }
    }

    // MARK: Directory

    mutating func directory(_ profile: PolicyDraft.Profile) {
        guard isRun(profile) else { return }
        let element = profile.element
        operation(profile, "B2C-POL-057")
        if element.inputClaims.count != 1 {
            let place = element.inputClaims.dropFirst().first?.location ?? element.location
            report(
                "B2C-POL-057",
                "\(element.id) has \(element.inputClaims.count) input claims; the user is found by exactly one",
                remedy: "Name the one key, such as objectId.", at: place,
                severity: element.inputClaims.isEmpty ? .error : .warning)
        }
        for claim in element.inputClaims {
            let name = attribute(claim)
            guard !name.lowercased().hasPrefix("extension_"), !Self.isAttribute(name) else { continue }
            let near = Self.meant(name)
            report(
                "B2C-POL-058", "users cannot be found by \"\(name)\" (\(element.id))",
                remedy: didYouMean(near) ?? "Use objectId, a sign-in name or alternativeSecurityId.",
                at: claim.location, severity: near == nil ? .warning : .error, corrected: near)
        }
        let operation = profile.text("Operation")?.lowercased() ?? ""
        for claim in operation == "read" || operation == "write" ? element.outputClaims : [] {
            attribute(claim, profile, isOutput: true)
        }
        for claim in element.persistedClaims { attribute(claim, profile, isOutput: false) }
        if operation == "write" { written(profile) }
    }

    /// The attribute that a claim stands for.
    private func attribute(_ claim: ClaimReferenceElement) -> String {
        claim.partnerClaimType.flatMap { $0.isEmpty ? nil : $0 } ?? claim.claim
    }

    private mutating func attribute(_ claim: ClaimReferenceElement, _ profile: PolicyDraft.Profile, isOutput: Bool) {
        let name = attribute(claim)
        if name.lowercased().hasPrefix("extension_") {
            let missing = ["ApplicationObjectId", "ClientId"].filter { profile.text($0) == nil }
            guard !missing.isEmpty else { return }
            // The service's own text names ApplicationObjectId alone.
            return report(
                "B2C-POL-059", "\(name) needs the metadata \(namesList(missing)) in \(profile.element.id)",
                remedy: "Put the ids of the b2c-extensions-app into AAD-Common.", at: claim.location,
                severity: missing == ["ClientId"] ? .warning : .error)
        }
        // A default stands for what the directory does not have.
        if isOutput, claim.alwaysUseDefaultValue == true || claim.defaultValue != nil { return }
        guard !Self.isAttribute(name) else { return }
        let near = Self.meant(name)
        report(
            "B2C-POL-058", "the directory has no attribute \"\(name)\" (\(profile.element.id))",
            remedy: didYouMean(near) ?? "Extension attributes begin with extension_.", at: claim.location,
            severity: near == nil ? .warning : .error, corrected: near)
    }

    private mutating func written(_ profile: PolicyDraft.Profile) {
        let element = profile.element
        let names = Set(element.persistedClaims.map { attribute($0).lowercased() })
        if let key = element.inputClaims.first, element.inputClaims.count == 1 {
            let name = attribute(key).lowercased()
            if !names.contains(name), name != "signinnames" {
                report(
                    "B2C-POL-060", "the key \(key.claim) of \(element.id) is not among its PersistedClaims",
                    remedy: "Repeat it there.", at: key.location)
            }
            if name != "objectid", name != "userprincipalname", !names.contains("displayname"),
                profile.flag("RaiseErrorIfClaimsPrincipalAlreadyExists")
            {
                report(
                    "B2C-POL-060", "\(element.id) creates users without displayName",
                    remedy: "Add it to PersistedClaims, with a DefaultValue.", at: element.location)
            }
            if name.hasPrefix("signinnames"), let item = profile.item("RaiseErrorIfClaimsPrincipalAlreadyExists"),
                sameID(item.value, "false"), names.contains("password")
            {
                report(
                    "B2C-POL-084", "\(element.id) overwrites the password of the account that has the sign-in name",
                    remedy: "Write true.", at: item.location, corrected: "true")
            }
        }
        guard let claim = element.persistedClaims.first(where: { attribute($0).lowercased() == "password" }),
            isWeak(claim.claim)
        else { return }
        let policies = element.persistedClaims.first { attribute($0).lowercased() == "passwordpolicies" }
        if policies?.defaultValue?.lowercased().contains("disablestrongpassword") != true,
            policies == nil || policies?.defaultValue != nil
        {
            report(
                "B2C-POL-060",
                "\(claim.claim) may be weaker than the directory allows, and passwordPolicies does not say so",
                remedy: "Persist passwordPolicies with DisablePasswordExpiration, DisableStrongPassword.",
                at: claim.location)
        }
    }

    /// Whether a predicate allows passwords of fewer than eight characters.
    private func isWeak(_ claim: String) -> Bool {
        guard let id = claimType(claim)?.predicateValidation?.id,
            let validation = document.buildingBlocks.predicateValidations.first(where: { sameID($0.id, id) })
        else { return false }
        let ids = validation.groups.flatMap { $0.predicates.map(\.id) }
        return document.buildingBlocks.predicates.contains { predicate in
            predicate.method == .isLengthRange && ids.contains { sameID($0, predicate.id) }
                && predicate.parameters.contains { $0.key == "Minimum" && Int($0.value).map { $0 < 8 } ?? false }
        }
    }

    /// Attributes of users ("Microsoft docs: user-profile-attributes"), and what else a profile may read.
    private static let attributeNames: [String] = [
        "objectId", "userPrincipalName", "signInNames", "signInNames.emailAddress", "signInNames.userName",
        "signInNames.phoneNumber", "signInNamesInfo.emailAddress", "alternativeSecurityId", "alternativeSecurityIds",
        "userIdentities", "identities", "password", "passwordPolicies", "displayName", "givenName", "surname",
        "jobTitle", "department", "city", "state", "country", "postalCode", "streetAddress",
        "physicalDeliveryOfficeName", "mobile", "telephoneNumber", "facsimileTelephoneNumber", "preferredLanguage",
        "usageLocation", "otherMails", "mailNickName", "mail", "email", "companyName", "employeeId", "immutableId",
        "netId", "tenantId", "strongAuthenticationPhoneNumber", "strongAuthenticationAlternativePhoneNumber",
        "strongAuthenticationEmailAddress", "strongAuthenticationAppSecretKey", "accountEnabled", "createdDateTime",
        "creationType", "refreshTokensValidFromDateTime", "userType", "ageGroup", "legalAgeGroupClassification",
        "consentProvidedForMinor", "legalCountry", "dateOfBirth", "newClaimsPrincipalCreated", "authenticationSource",
        "identityProvider", "upn", "newUser", "termsOfUseConsentChoice", "termsOfUseConsentDateTime",
        "termsOfUseConsentVersion", "forceChangePasswordNextLogin", "alternateEmail", "lastPasswordChangeDateTime",
    ]

    private static let attributes = Set(attributeNames.map { $0.lowercased() })

    /// Whether the directory has the attribute. Sign-in names may be of a type of the policy's own, unless that is one
    /// letter off a known one.
    private static func isAttribute(_ name: String) -> Bool {
        let lower = name.lowercased()
        if attributes.contains(lower) || lower == "logonidentifier" { return true }
        // Older policies have logonIdentifier for signInNames, also with a type.
        guard let prefix = ["signinnames.", "logonidentifier."].first(where: { lower.hasPrefix($0) }) else {
            return false
        }
        let type = String(name.dropFirst(prefix.count))
        return !type.isEmpty && !signInTypes.contains { isSlip(type, of: $0) }
    }

    private static let signInTypes = ["emailAddress", "userName", "phoneNumber"]

    /// The attribute that a name stands for with a slip of the finger. One that is further away may be an attribute that
    /// the documentation does not list.
    private static func meant(_ name: String) -> String? { attributeNames.first { isSlip(name, of: $0) } }

    // MARK: REST

    mutating func rest(_ profile: PolicyDraft.Profile) {
        guard isRun(profile) else { return }
        let element = profile.element
        if profile.text("ServiceUrl") == nil {
            reportMissing(
                "ServiceUrl", "B2C-POL-063", message: "\(element.id) has no ServiceUrl",
                writtenAs: profile.slip(of: "ServiceUrl"), remedy: "Add it to the metadata.", at: element.location)
        }
        let type = profile.item("AuthenticationType")
        var keys: [String] = []
        switch type?.value.lowercased() {
        case "basic": keys = ["BasicAuthenticationUsername", "BasicAuthenticationPassword"]
        case "clientcertificate": keys = ["ClientCertificate"]
        case "bearer" where profile.text("UseClaimAsBearerToken") == nil: keys = ["BearerAuthenticationToken"]
        case "apikeyheader" where element.cryptographicKeys.isEmpty:
            report(
                "B2C-POL-063", "AuthenticationType of \(element.id) is ApiKeyHeader, but it has no key",
                remedy: "Add one whose Id is the header's name.", at: type?.location ?? element.location)
        case "none", nil:
            let isProduction = document.deploymentMode == .production
            if !profile.flag("AllowInsecureAuthInProduction"), document.deploymentMode == nil || isProduction {
                report(
                    "B2C-POL-064", "\(element.id) needs AllowInsecureAuthInProduction in a production policy",
                    remedy: "Authenticate the call, or add the key with the value true.",
                    at: type?.location ?? element.location, severity: isProduction ? .error : .warning)
            }
        default: break
        }
        for key in keys where !profile.hasKey(key) {
            report(
                "B2C-POL-063",
                "AuthenticationType of \(element.id) is \(type?.value ?? ""), but there is no key \(key)",
                remedy: "Add it to CryptographicKeys (AADB2C90025).", at: type?.location ?? element.location)
        }
        for key in ["UseClaimAsBearerToken", "ClaimUsedForRequestPayload"] { claimType(namedBy: key, of: profile) }
    }

    /// The claim type that a metadata key names.
    private mutating func claimType(namedBy key: String, of profile: PolicyDraft.Profile) {
        guard let name = profile.text(key), !isFilledLater(name), claimType(name) == nil else { return }
        report(
            "B2C-POL-020", "\(key) names the claim type \"\(name)\", which there is not",
            remedy: didYouMean(nearestName(name, among: document.buildingBlocks.claimTypes.map(\.id)), quoted: true),
            at: profile.item(key)?.location)
    }

    // MARK: Identity providers

    private mutating func needs(_ keys: [String], _ profile: PolicyDraft.Profile, _ rule: String) {
        for key in keys where profile.text(key) == nil {
            let near = profile.slip(of: key, except: key)
            let isKnown = near.map { FeatureTable.metadata($0.name, of: profile.handler?.tableName ?? "") != nil }
            reportMissing(
                key, rule, message: "\(profile.element.id) has no \(key)",
                writtenAs: isKnown == false ? near : nil, remedy: "Add it to the metadata (AADB2C90023).",
                at: profile.item(key)?.location ?? profile.element.location, severity: .error)
        }
    }

    private mutating func clientID(_ profile: PolicyDraft.Profile) {
        let isInput = profile.element.inputClaims.contains {
            sameID($0.partnerClaimType ?? $0.claim, "client_id") && $0.defaultValue?.isEmpty == false
        }
        if !isInput { needs(["client_id"], profile, "B2C-POL-061") }
    }

    mutating func passwordSignIn(_ profile: PolicyDraft.Profile) {
        if isRun(profile) { clientID(profile) }
    }

    mutating func openID(_ profile: PolicyDraft.Profile) {
        guard isStep(profile) else { return }
        clientID(profile)
        if profile.text("authorization_endpoint") == nil { needs(["METADATA"], profile, "B2C-POL-061") }
        let types = (profile.text("response_types") ?? "code").lowercased()
        let hasKey =
            profile.hasKey("client_secret") || profile.hasKey("assertion_signing_key")
            || !profile.element.cryptographicKeys.isEmpty
        if types.contains("code"), !hasKey {
            report(
                "B2C-POL-061", "\(profile.element.id) redeems a code and has no key client_secret",
                remedy: "Add it to CryptographicKeys (AADB2C90025).", at: profile.element.location,
                severity: profile.text("response_types") == nil ? .warning : .error)
        }
        if types == "id_token", let item = profile.item("response_types") {
            report(
                "B2C-POL-062", "\(profile.element.id) takes the token out of the browser's redirect",
                remedy: "Use response_types code with a client_secret.", at: item.location, severity: .warning)
        }
    }

    mutating func oauth2(_ profile: PolicyDraft.Profile) {
        guard isStep(profile) else { return }
        clientID(profile)
        needs(["authorization_endpoint", "AccessTokenEndpoint"], profile, "B2C-POL-061")
        if profile.element.cryptographicKeys.isEmpty {
            report(
                "B2C-POL-061", "\(profile.element.id) redeems a code and has no key client_secret",
                remedy: "Add it to CryptographicKeys (AADB2C90025).", at: profile.element.location)
        }
    }

    // MARK: Issuers

    mutating func issuer(_ profile: PolicyDraft.Profile) {
        guard isRun(profile) else { return }
        let refreshes = issuesRefreshTokens(profile)
        let identity = "issuer_refresh_token_user_identity_claim_type"
        if refreshes { needs([identity], profile, "B2C-POL-066") }
        let keys = ["issuer_secret"] + (refreshes ? ["issuer_refresh_token_key"] : [])
        for key in keys where !profile.hasKey(key) {
            let near = profile.element.cryptographicKeys.first { given in
                !keys.contains { sameID($0, given.id) } && nearestName(given.id, among: [key]) != nil
            }
            reportMissing(
                key, "B2C-POL-066", message: "the token issuer \(profile.element.id) has no key \(key)",
                writtenAs: near.map { ($0.id, $0.location) }, remedy: "Add it to CryptographicKeys (AADB2C90025).",
                at: profile.element.location)
        }
        claimType(namedBy: identity, of: profile)
        outlivedWindow(profile)
        if profile.element.sessionProfile == nil {
            report(
                "B2C-POL-066", "the token issuer \(profile.element.id) names no session profile",
                remedy: "Add <UseTechnicalProfileForSessionManagement ReferenceId=\"SM-jwt-issuer\" />.",
                at: profile.element.location, severity: .warning)
        }
    }

    /// The sliding window is at least as long as a refresh token lives (Microsoft docs: configure-tokens).
    private mutating func outlivedWindow(_ profile: PolicyDraft.Profile) {
        let items = ["refresh_token_lifetime_secs", "rolling_refresh_token_lifetime_secs"].map { profile.item($0) }
        guard let written = items[0] ?? items[1], !profile.flag("allow_infinite_rolling_refresh_token") else {
            return
        }
        // A text that is not a number has a finding of its own.
        func seconds(_ item: MetadataItem?, else standard: Int) -> Int? { item.map { Int($0.value) } ?? standard }
        guard let refresh = seconds(items[0], else: 1_209_600), let window = seconds(items[1], else: 7_776_000),
            (86_400...7_776_000).contains(refresh), (86_400...31_536_000).contains(window), refresh > window
        else { return }
        report(
            "B2C-POL-066",
            "a refresh token lives for \(refresh) seconds, longer than the sliding window of \(window) seconds",
            remedy: "rolling_refresh_token_lifetime_secs is at least as long as refresh_token_lifetime_secs.",
            at: written.location, severity: .warning)
    }

    /// Whether an issuer gives codes or refresh tokens: not where apps alone sign in, with client credentials.
    private func issuesRefreshTokens(_ profile: PolicyDraft.Profile) -> Bool {
        guard let own = profile.text("ClientCredentialsUserJourneyId") else { return true }
        if let party = document.relyingParty, let journey = party.defaultUserJourney, party.endpoints.isEmpty {
            return !sameID(journey.id, own)
        }
        return document.userJourneys.contains { journey in
            !sameID(journey.id, own)
                && (sameID(journey.defaultIssuer?.id ?? "", profile.element.id)
                    || journey.steps.contains { sameID($0.issuer?.id ?? "", profile.element.id) })
        }
    }

    mutating func saml(_ profile: PolicyDraft.Profile, _ handler: ProfileHandler) {
        guard isRun(profile) else { return }
        let wanted = handler == .samlIssuer ? ["SamlMessageSigning", "MetadataSigning"] : ["SamlMessageSigning"]
        let isSigned = profile.flag("WantsSignedRequests", default: true)
        for key in wanted where handler == .samlIssuer || isSigned {
            guard !profile.hasKey(key) else { continue }
            report(
                "B2C-POL-067", "\(profile.element.id) has no key \(key)", remedy: "Add it to CryptographicKeys.",
                at: profile.element.location)
        }
        if handler == .samlProvider { needs(["PartnerEntity"], profile, "B2C-POL-067") }
        if let item = profile.item("IssuerUri"), !item.value.lowercased().hasPrefix("https://"),
            !isFilledLater(item.value)
        {
            report("B2C-POL-067", "IssuerUri is not https", remedy: "Use https.", at: item.location)
        }
        if let item = profile.item("XmlSignatureAlgorithm"), sameID(item.value, "Sha1") {
            report(
                "B2C-POL-067", "signatures use SHA-1", remedy: "Write Sha256.", at: item.location, corrected: "Sha256")
        }
    }
}
