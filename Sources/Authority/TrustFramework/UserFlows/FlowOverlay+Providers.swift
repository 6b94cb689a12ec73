import Diagnostics
import TenantFiles

/// Identity providers. The stub provider answers at the provider's own host; an OpenID Connect provider says in its
/// discovery document where, the endpoints of an OAuth 2.0 provider are named here.
extension FlowOverlay {
    static func profileID(_ provider: ProviderSettings) -> String {
        "\(title(provider))-\(provider.type == .oidc ? "OIDC" : "OAUTH2")"
    }

    /// `Facebook` for a provider named `facebook`; also the text of its button.
    static func title(_ provider: ProviderSettings) -> String {
        provider.name.prefix(1).uppercased() + provider.name.dropFirst()
    }

    mutating func addProviders() {
        for (place, provider) in providers.enumerated() {
            let setting = "providers/\(place)"
            guard provider.type != .saml else {
                refuse("provider \"\(provider.name)\": SAML is not built yet", at: setting)
                continue
            }
            let make = make(setting)
            var element = ClaimsProviderElement(location: make.location)
            element.domains = [provider.domain]
            element.displayName = Self.title(provider)
            element.technicalProfiles = [profile(of: provider, make)]
            document.claimsProviders.append(element)
        }
        guard !providers.isEmpty, !attributes.isEmpty, hasSignUpPage else { return }
        addAttributes(to: "SelfAsserted-Social", required: true)
    }

    private func profile(of provider: ProviderSettings, _ make: ElementBuilder) -> TechnicalProfileElement {
        let isOIDC = provider.type == .oidc
        var profile = make.profile(Self.profileID(provider))
        profile.displayName = Self.title(provider)
        profile.protocol = ProtocolElement(
            name: isOIDC ? .openIdConnect : .oauth2, handler: nil, location: make.location)
        profile.metadata = [
            make.item("ProviderName", provider.domain), make.item("client_id", provider.clientId(tenant: tenant.name)),
        ]
        if isOIDC {
            profile.metadata += [
                make.item("METADATA", provider.endpoint(.discovery)),
                make.item("response_types", "code"), make.item("response_mode", "form_post"),
                make.item("scope", "openid profile email"), make.item("HttpBinding", "POST"),
            ]
        } else {
            profile.metadata += [
                make.item("authorization_endpoint", provider.endpoint(.authorize)),
                make.item("AccessTokenEndpoint", provider.endpoint(.token)),
                make.item("ClaimsEndpoint", provider.endpoint(.userinfo)), make.item("scope", "email profile"),
                make.item("HttpBinding", "POST"), make.item("AccessTokenResponseFormat", "json"),
                make.item("BearerTokenTransmissionMethod", "AuthorizationHeader"),
            ]
        }
        profile.metadata += [
            make.item("UsePolicyInRedirectUri", "false"), make.item("IncludeClaimResolvingInClaimsHandling", "true"),
        ]
        profile.cryptographicKeys = [
            CryptographicKeyElement(
                id: "client_secret", storageReferenceID: provider.secretName, location: make.location
            )
        ]
        profile.inputClaims = []
        profile.outputClaims = [
            make.claim("issuerUserId", partner: isOIDC ? "sub" : "id"),
            make.claim("givenName", partner: isOIDC ? "given_name" : "first_name"),
            make.claim("surname", partner: isOIDC ? "family_name" : "last_name"),
            make.claim("displayName", partner: "name"), make.claim("email", partner: "email"),
            make.claim("identityProvider", value: provider.domain, always: true),
            make.claim("authenticationSource", value: "socialIdpAuthentication", always: true),
        ]
        if claims.contains("identityProviderAccessToken") {
            profile.outputClaims.append(
                make.claim("identityProviderAccessToken", partner: "{oauth2:access_token}"))
        }
        profile.outputTransformations = [
            "CreateRandomUPNUserName", "CreateUserPrincipalName", "CreateAlternativeSecurityId",
        ].map(make.reference)
        profile.sessionProfile = make.reference("SM-SocialLogin")
        return profile
    }
}
