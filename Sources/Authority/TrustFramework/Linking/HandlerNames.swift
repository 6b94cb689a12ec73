import Diagnostics

extension ProfileHandler {
    private static let known: [(name: String, handler: ProfileHandler)] = [
        ("Providers.SelfAssertedAttributeProvider", .selfAsserted),
        ("Providers.AzureActiveDirectoryProvider", .directory),
        ("Providers.ClaimsTransformationProtocolProvider", .claimsTransformation), ("Providers.RestfulProvider", .rest),
        ("Providers.PhoneFactorProtocolProvider", .phoneFactor),
        ("Providers.OneTimePasswordProtocolProvider", .oneTimePassword),
        ("Providers.AzureMfaProtocolProvider", .azureMfa),
        ("Providers.AadSsprProtocolProvider", .aadSspr), ("Providers.CaptchaProvider", .captcha),
        ("Providers.UserJourneyContextProvider", .userJourneyContext),
        ("Providers.ConditionalAccessProtocolProvider", .conditionalAccess),
        ("Providers.Insights.AzureApplicationInsightsProvider", .applicationInsights),
        ("Providers.AzureApplicationInsightsProvider", .applicationInsights),
        ("SSO.NoopSSOSessionProvider", .noopSession), ("SSO.DefaultSSOSessionProvider", .defaultSession),
        ("SSO.ExternalLoginSSOSessionProvider", .externalLoginSession), ("SSO.OAuthSSOSessionProvider", .oauthSession),
        ("SSO.SamlSSOSessionProvider", .samlSession),
    ]

    /// The handlers that are known, in full as policies write them.
    package static let qualifiedNames: [String] = known.map { item in
        let parts = item.name.split(separator: ".")
        let namespace = (["Web.TPEngine"] + parts.dropLast()).joined(separator: ".")
        return qualified(String(parts.last ?? ""), namespace: namespace)
    }

    /// Handlers by the class name in `Protocol/@Handler`, in lower case.
    private static let classes = Dictionary(
        uniqueKeysWithValues: known.map { ("web.tpengine." + $0.name.lowercased(), $0.handler) })

    /// The class that a name which is none was probably meant to be; `nil` when none is near.
    public static func nearestClass(to name: String) -> String? {
        // All names begin and end alike, so the parts between decide.
        func stem(_ name: String) -> String {
            var stem = String(name.split(separator: ".").last ?? "")
            for ending in ["provider", "protocol", "session", "sso"] where stem.lowercased().hasSuffix(ending) {
                stem.removeLast(ending.count)
            }
            return stem
        }
        let stems = known.map { stem($0.name) }
        let wanted = stem(name)
        guard wanted.count > 2,
            let near = nearestName(wanted, among: stems)
                ?? stems.first(where: { $0.lowercased().hasPrefix(wanted.lowercased()) }),
            let place = stems.firstIndex(of: near)
        else { return nil }
        return "Web.TPEngine." + known[place].name
    }

    /// Prefix of our own handlers.
    static let harnessPrefix = "B2CHarness."

    /// The assembly-qualified name of a handler class, as policies write it.
    static func qualified(_ name: String, namespace: String = "Web.TPEngine.Providers") -> String {
        "\(namespace).\(name), Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null"
    }

    /// Works out what carries out a profile, all inheritance applied. `nil`: it has no protocol, so nothing can run it.
    package static func of(_ profile: TechnicalProfileElement) -> ProfileHandler? {
        guard let element = profile.protocol else { return nil }
        switch element.name {
        case .proprietary:
            let full = trimmed(element.handler ?? "")
            let name = trimmed(String(full.prefix { $0 != "," }))
            if name.hasPrefix(harnessPrefix) { return .harness(String(name.dropFirst(harnessPrefix.count))) }
            return classes[name.lowercased()] ?? .unknown(name.isEmpty ? "Proprietary" : name)
        case .openIdConnect:
            if signsInWithPassword(profile) { return .passwordSignIn }
            return issuesTokens(profile) ? .jwtIssuer : .openIdConnectProvider
        case .oauth2:
            if profile.outputTokenFormat == .oauth2Error { return .oauth2ErrorIssuer }
            return issuesTokens(profile) ? .jwtIssuer : .oauth2Provider
        case .oauth1: return .oauth1Provider
        case .saml2: return profile.outputTokenFormat == .saml2 ? .samlIssuer : .samlProvider
        case .none:
            switch (profile.outputTokenFormat, profile.inputTokenFormat) {
            case (.jwt?, _): return .jwtIssuer
            case (.json?, _): return .jsonIssuer
            case (.oauth2Error?, _): return .oauth2ErrorIssuer
            case (.saml2?, _): return .samlIssuer
            case (_, .jwt?): return .tokenAuthorization
            default: return ProfileHandler.none
            }
        case .wsFed, .wsTrust, .uprove11: return .unknown(element.name.rawValue)
        }
    }

    /// What carries out a profile of which nothing is known but its protocol.
    package static func of(_ name: ProtocolName, handler: String?) -> ProfileHandler? {
        let place = SourceLocation(file: "")
        var profile = TechnicalProfileElement(id: "", location: place)
        profile.protocol = ProtocolElement(name: name, handler: handler, location: place)
        return of(profile)
    }

    /// Whether a profile of OpenID Connect or OAuth 2 issues JWTs. `OutputTokenFormat` alone does not say so: published
    /// profiles of identity providers have it too. What names the provider's addresses signs in there.
    private static func issuesTokens(_ profile: TechnicalProfileElement) -> Bool {
        guard profile.outputTokenFormat == .jwt else { return false }
        let keys = ["issuer_secret", "issuer_refresh_token_key"]
        if profile.cryptographicKeys.contains(where: { key in keys.contains { sameID($0, key.id) } }) { return true }
        let addresses = ["METADATA", "authorization_endpoint", "AccessTokenEndpoint", "ProviderName"]
        return !profile.metadata.contains { item in addresses.contains { sameID($0, item.key) } }
    }

    /// Whether the profile posts a password of its own accord instead of sending the browser away.
    private static func signsInWithPassword(_ profile: TechnicalProfileElement) -> Bool {
        profile.inputClaims.contains {
            sameID($0.partnerClaimType ?? $0.claim, "grant_type") && sameID($0.defaultValue ?? "", "password")
        }
    }
}
