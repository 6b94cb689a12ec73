import Determinism
import Diagnostics
import TenantFiles

/// Builds the policy file of one user flow. Each part of the settings has its own file of this type's extensions.
struct FlowOverlay {
    let settings: PolicySettings
    let tenant: FlowSurroundings
    var document: PolicyDocument
    var findings: [Diagnostic] = []
    /// Attributes and claims that exist, as claim type ids.
    var attributes: [String] = []
    var claims: [String] = []
    var providers: [ProviderSettings] = []
    /// What the files of `texts` hold.
    var packs: [TextPack] = []
    private var profiles: [TechnicalProfileElement] = []

    init(_ settings: PolicySettings, tenant: FlowSurroundings) {
        self.settings = settings
        self.tenant = tenant
        document = PolicyDocument(
            policyID: settings.id, location: Self.location(settings, "", tenant))
    }

    static func location(_ settings: PolicySettings, _ path: String, _ tenant: FlowSurroundings) -> SourceLocation {
        SourceLocation(file: "tenant \(tenant.name)", pointer: "/policies/\(settings.name)\(path)")
    }

    /// Makes elements that come from one setting.
    func make(_ setting: String = "") -> ElementBuilder {
        ElementBuilder(location: Self.location(settings, setting.isEmpty ? "" : "/\(setting)", tenant))
    }

    mutating func refuse(_ message: String, remedy: String? = nil, at setting: String) {
        findings.append(
            Diagnostic(rule: "B2C-FLOW-001", message, remedy: remedy, at: make(setting).location))
    }

    mutating func build() {
        guard settings.type != .custom else {
            refuse("custom policy \"\(settings.id)\" is a file, not a user flow", at: "type")
            return
        }
        resolveNames()
        document.schemaVersion = "0.3.0.0"
        document.tenantID = tenant.domain
        document.publicPolicyURI = "http://\(tenant.domain)/\(settings.id)"
        document.deploymentMode = .production
        document.basePolicy = BasePolicyElement(
            location: make().location, tenantID: tenant.domain,
            policyID: asksForCaptcha ? BuiltInPolicy.captcha.policyID : BuiltInPolicy.texts.policyID)
        addCustomAttributes()
        addDirectoryProfiles()
        addPages()
        addProviders()
        addSecondFactor()
        addIssuer()
        addJourneys()
        addRelyingParty()
        addContentDefinitions()
        var provider = ClaimsProviderElement(location: make().location)
        provider.displayName = "User flow \(settings.id)"
        provider.technicalProfiles = profiles
        document.claimsProviders.append(provider)
    }

    /// Changes a profile of this file, declaring it first if need be.
    mutating func profile(
        _ id: String, from setting: String = "", _ change: (inout TechnicalProfileElement, ElementBuilder) -> Void
    ) {
        let make = make(setting)
        if let place = profiles.firstIndex(where: { $0.id == id }) {
            change(&profiles[place], make)
        } else {
            var profile = make.profile(id)
            change(&profile, make)
            profiles.append(profile)
        }
    }

    // MARK: Names

    private mutating func resolveNames() {
        var known: Set<String> = []
        for (place, name) in settings.attributes.enumerated() {
            if sameID(name, "email") || sameID(name, "emails") {
                // The address that names the account is asked for anyway.
                continue
            }
            if let claim = AttributeCatalog.attribute(name) {
                if known.insert(claim).inserted { attributes.append(claim) }
            } else {
                let near = nearestName(name, among: AttributeCatalog.builtIn)
                refuse(
                    "there is no attribute \"\(name)\"",
                    remedy: near.map { "Did you mean \"\($0)\"?" }
                        ?? "Attributes are \(namesList(AttributeCatalog.builtIn, limit: 30)); your own begin with extension_.",
                    at: "attributes/\(place)")
            }
        }
        known = []
        for (place, name) in settings.claims.enumerated() {
            if let claim = AttributeCatalog.claim(name) {
                if known.insert(claim).inserted { claims.append(claim) }
            } else {
                let names = AttributeCatalog.builtIn + AttributeCatalog.journeyClaims.map(\.name)
                refuse(
                    "there is no claim \"\(name)\"",
                    remedy: nearestName(name, among: names).map { "Did you mean \"\($0)\"?" }
                        ?? "Claims are \(namesList(names, limit: 40)); attributes of your own begin with extension_.",
                    at: "claims/\(place)")
            }
        }
        guard settings.type != .passwordReset, settings.type != .ropc else { return }
        for (place, name) in settings.providers.enumerated() {
            if let provider = tenant.provider(named: name) {
                providers.append(provider)
            } else {
                let near = nearestName(name, among: tenant.providers.map(\.name))
                refuse(
                    "there is no provider \"\(name)\"", remedy: near.map { "Did you mean \"\($0)\"?" },
                    at: "providers/\(place)")
            }
        }
    }

    private mutating func addCustomAttributes() {
        let catalog = AttributeCatalog(tenant: tenant)
        var seen: Set<String> = []
        for name in attributes + claims where AttributeCatalog.isCustom(name) && seen.insert(name).inserted {
            document.buildingBlocks.claimTypes.append(catalog.claimType(ofCustom: name, make("attributes")))
        }
        if attributes.contains(Self.country) { document.buildingBlocks.claimTypes.append(countryType) }
    }

    private static let country = "country"

    /// Country/Region as pages show it: a list.
    private var countryType: ClaimTypeElement {
        let location = make("attributes").location
        var type = ClaimTypeElement(id: Self.country, location: location)
        type.userInputType = .dropdownSingleSelect
        type.restriction = RestrictionElement(
            mergeBehavior: .replaceAll, enumeration: Countries.english(location), location: location)
        return type
    }

    /// The list in German, for every page that asks for attributes.
    private var countryResources: [LocalizedResourcesElement] {
        guard attributes.contains(Self.country) else { return [] }
        let location = make("attributes").location
        return ["api.localaccountsignup", "api.socialccountsignup", "api.selfasserted.profileupdate"].map { page in
            var resources = LocalizedResourcesElement(id: "\(page).de", location: location)
            resources.collections = [
                LocalizedCollectionElement(
                    elementType: "ClaimType", elementID: Self.country, targetCollection: "Restriction",
                    items: Countries.german(location), location: location)
            ]
            return resources
        }
    }

    // MARK: Directory

    private mutating func addDirectoryProfiles() {
        let app = "extensions app of \(tenant.name)"
        let ids = (object: GUID.derived(from: "object \(app)"), client: GUID.derived(from: "client \(app)"))
        profile("AAD-Common") { profile, make in
            profile.metadata = [
                make.item("ApplicationObjectId", ids.object.description),
                make.item("ClientId", ids.client.description),
            ]
        }
        var seen: Set<String> = ["objectId"]
        let read = (claims + attributes).filter { AttributeCatalog.attribute($0) != nil && seen.insert($0).inserted }
        profile("AAD-UserReadUsingObjectId", from: "claims") { profile, make in
            profile.outputClaims = read.map { make.claim($0) }
        }
        let written = attributes
        for id in writers where !written.isEmpty {
            profile(id, from: "attributes") { profile, make in
                profile.persistedClaims = written.map { make.claim($0) }
            }
        }
    }

    /// The profiles that write the attributes of this flow.
    private var writers: [String] {
        var ids: [String] = []
        if hasSignUpPage {
            switch settings.signInName {
            case .email: ids.append("AAD-UserWriteUsingLogonEmail")
            case .username: ids.append("AAD-UserWriteUsingLogonUsername")
            case .either: ids.append("AAD-UserWriteUsingLogonUsernameAndEmail")
            }
            if !providers.isEmpty { ids.append("AAD-UserWriteUsingAlternativeSecurityId") }
        }
        if settings.type == .profileEditing { ids.append("AAD-UserWriteProfileUsingObjectId") }
        return ids
    }

    // MARK: Issuer

    private mutating func addIssuer() {
        let tokens = settings.tokens
        func seconds(_ span: TimeSpan) -> String { String(span.milliseconds / 1000) }
        profile("JwtIssuer", from: "tokens") { profile, make in
            profile.metadata = [
                make.item("SendTokenResponseBodyWithJsonNumbers", tokens.jsonNumbers ? "true" : "false"),
                make.item("token_lifetime_secs", seconds(tokens.accessToken)),
                make.item("id_token_lifetime_secs", seconds(tokens.idToken)),
                make.item("refresh_token_lifetime_secs", seconds(tokens.refreshToken)),
                tokens.slidingWindow.map { make.item("rolling_refresh_token_lifetime_secs", seconds($0)) }
                    ?? make.item("allow_infinite_rolling_refresh_token", "true"),
                make.item(
                    "IssuanceClaimPattern", tokens.issuer == .policy ? "AuthorityWithTfp" : "AuthorityAndTenantGuid"),
                make.item(
                    "AuthenticationContextReferenceClaimPattern", tokens.policyClaim == .acr ? "PolicyId" : "None"),
            ]
        }
    }

    // MARK: Pages

    /// The languages of the pages, the default first: those of the settings, else English and those of the text packs.
    private var languages: [String] {
        if let languages = settings.languages, !languages.isEmpty { return languages }
        let packed = TextPackOverlay(packs: packs, location: document.location).languages
        return packed.isEmpty ? [] : ["en"] + packed.filter { $0 != "en" }
    }

    private mutating func addContentDefinitions() {
        for id in Self.contentDefinitions {
            var definition = ContentDefinitionElement(id: id, location: make("template").location)
            definition.loadURI = settings.template?.url ?? pageTemplateURI(of: id)
            if settings.emailVerification == .legacy, Self.verifyingDefinitions.contains(id) {
                // Page layout 1 verifies in the field itself; display controls came with layout 2.
                definition.dataURI = "urn:com:microsoft:aad:b2c:elements:contract:selfasserted:1.2.0"
            }
            for language in languages where !["en", "de"].contains(language.lowercased()) {
                definition.localizedResources.append(
                    LocalizedResourcesReferenceElement(
                        language: language, resources: "\(id).en", url: nil, location: make("languages").location))
            }
            if definition.loadURI != nil || definition.dataURI != nil || !definition.localizedResources.isEmpty {
                document.buildingBlocks.contentDefinitions.append(definition)
            }
        }
        // The error page has texts of its own and no other settings.
        if let template = settings.template?.url ?? pageTemplateURI(of: "api.error") {
            var definition = ContentDefinitionElement(id: "api.error", location: make("template").location)
            definition.loadURI = template
            document.buildingBlocks.contentDefinitions.append(definition)
        }
        var localization = LocalizationElement(location: make("languages").location)
        localization.enabled = !languages.isEmpty
        if let first = languages.first {
            localization.supportedLanguages = SupportedLanguagesElement(
                location: make("languages").location, defaultLanguage: first, mergeBehavior: .replaceAll,
                languages: languages)
        }
        localization.resources = countryResources
        document.buildingBlocks.localization = localization
    }

    /// Address of the file of the page template for a page; `nil` for the template that the built-in base names already.
    private func pageTemplateURI(of definition: String) -> String? {
        guard settings.pageTemplate != .oceanBlue else { return nil }
        let file =
            switch definition {
            case "api.signuporsignin": "unified.cshtml"
            case "api.idpselections", "api.idpselections.signup": "idpSelector.cshtml"
            case "api.phonefactor": "multifactor-1.0.0.cshtml"
            case "api.error": "exception.cshtml"
            default: "selfAsserted.cshtml"
            }
        return "~/tenant/\(settings.pageTemplate.folder)/\(file)"
    }

    private static let verifyingDefinitions = [
        "api.localaccountsignup", "api.localaccountpasswordreset", "api.selfasserted.emailmfa",
    ]

    static let contentDefinitions = [
        "api.idpselections", "api.idpselections.signup", "api.signuporsignin", "api.localaccountsignup",
        "api.socialccountsignup", "api.localaccountpasswordreset", "api.selfasserted", "api.selfasserted.profileupdate",
        "api.selfasserted.emailmfa", "api.selfasserted.totp", "api.phonefactor",
    ]
}
