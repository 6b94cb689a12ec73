import Determinism
import HTTPMessages
import JSON
import Testing
import TrustFramework

@testable import Journeys

/// Every claims resolver with its value (Microsoft docs: claim-resolver-overview).
@Suite struct ResolverTests {
    static let values: [(text: String, value: String)] = [
        ("{Culture:LanguageName}", "en"), ("{Culture:LCID}", "1033"), ("{Culture:RegionName}", "US"),
        ("{Culture:RFC5646}", "en-US"), ("{Policy:PolicyId}", "B2C_1A_Inline"),
        ("{Policy:RelyingPartyTenantId}", "contoso.onmicrosoft.com"),
        ("{Policy:TrustFrameworkTenantId}", "contoso.onmicrosoft.com"),
        ("{Policy:TenantObjectId}", "TENANT"), ("{Context:CorrelationId}", "CORRELATION"),
        ("{Context:DateTimeInUtc}", "1/15/2026 12:00:00 PM"), ("{Context:DeploymentMode}", "Production"),
        ("{Context:HostName}", "contoso.b2clogin.com"), ("{Context:IPAddress}", "192.0.2.7"),
        ("{Context:KMSI}", "False"), ("{Claim:text}", "of the bag"), ("{text}", "of the bag"),
        ("{OIDC:AuthenticationContextReferences}", "urn:acr"), ("{OIDC:ClientId}", "client-1"),
        ("{OIDC:DomainHint}", "facebook.com"), ("{OIDC:LoginHint}", "ada@example.test"), ("{OIDC:MaxAge}", "900"),
        ("{OIDC:Nonce}", "n-1"), ("{OIDC:Username}", "ada"), ("{OIDC:Password}", "secret"), ("{OIDC:Prompt}", "login"),
        ("{OIDC:RedirectUri}", "msauth.com.contoso://auth"), ("{OIDC:Resource}", "https://api.test/"),
        ("{OIDC:Scope}", "openid profile"), ("{OAUTH-KV:campaignId}", "Hawaii"), ("{OAUTH-KV:absent}", ""),
        ("{policy}", "B2C_1A_Inline"), ("{tenant}", "contoso.onmicrosoft.com"),
        ("{RelyingPartyTenantId}", "contoso.onmicrosoft.com"), ("{TechnicalProfileId}", "Run"),
        ("{TrustFrameworkTenantId}", "contoso.onmicrosoft.com"), ("{Context:BuildNumber}", "1.1.22.0"),
        ("{service:te}", "https://contoso.b2clogin.com/te"),
        // Letter case does not count, and a text may have several.
        ("{oidc:clientid} of {POLICY:policyid}", "client-1 of B2C_1A_Inline"), ("{Culture:", "{Culture:"),
        // What a namespace does not have is empty; braces of other text stay.
        ("{OIDC:Unknown}", ""), ("{Context:Unknown}", ""), ("{Policy:Unknown}", ""), ("{Culture:Unknown}", ""),
        ("{Claim:unknown}", ""), ("{oauth2:access_token}", ""), ("{SAML:Issuer}", ""), ("{CONTEXT:KMSI}", "False"),
        ("{OIDC:scope}", "openid profile"), (#"{"a":"b"}"#, #"{"a":"b"}"#), ("{other:thing}", "{other:thing}"),
    ]

    @Test(arguments: values.indices) func `every resolver has its value`(_ index: Int) throws {
        let (text, expected) = Self.values[index]
        let world = try World(xml: [
            Inline.policy(
                claims: ["text": "string"], profiles: Inline.constants("Run", ["text": "x"]), steps: Inline.steps("Run")
            )
        ])
        let policy = world.policy("flow")
        var request = world.request(policy)
        request.uiLocales = "en-US"
        request.ipAddress = "192.0.2.7"
        request.domainHint = "facebook.com"
        request.loginHint = "ada@example.test"
        request.maxAge = 900
        request.nonce = "n-1"
        request.username = "ada"
        request.password = "secret"
        request.prompt = "login"
        request.scopes = ["openid", "profile"]
        request.query = ["acr_values": "urn:acr", "resource": "https://api.test/", "campaignId": "Hawaii"]
        var bag = ClaimsBag()
        bag[try #require(policy.claimType("text"))] = .text("of the bag")
        let profile = try #require(policy.profile("Run"))
        let filled = Resolvers.fill(text, bag: bag, call: world.call(policy, request), profile: policy[profile])
        let known = expected.replacing("TENANT", with: world.tenant.id.description)
            .replacing("CORRELATION", with: request.correlationID.description)
        #expect(filled == known)
    }

    /// Default values of the relying party's output claims: a resolver needs `AlwaysUseDefaultValue`, a template does not.
    @Test(
        arguments: [
            ("{OIDC:ClientId}", true, "client-1"), ("{OIDC:ClientId}", false, "{OIDC:ClientId}"),
            ("{Claim:other}", false, "{Claim:other}"), ("{other}", false, "{other}"), ("{other}", true, "in the bag"),
            ("{policy}", false, "B2C_1A_Inline"), ("{policy}", true, "B2C_1A_Inline"), ("plain", false, "plain"),
            ("{Culture:Unknown}", true, nil),
        ] as [(String, Bool, String?)])
    func `the relying party has its defaults`(_ text: String, _ always: Bool, _ value: String?) throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["other": "string", "shown": "string"],
                profiles: Inline.constants("Run", ["other": "in the bag"]), steps: Inline.steps("Run"),
                outputs: ["shown"]
            ).replacing(
                "<OutputClaim ClaimTypeReferenceId=\"shown\" />",
                with: "<OutputClaim ClaimTypeReferenceId=\"shown\" DefaultValue=\"\(text)\""
                    + " AlwaysUseDefaultValue=\"\(always)\" />")
        ])
        #expect(world.begin().claims["shown"]?.stringValue == value)
    }

    /// The policy's `DeploymentMode` is what the resolver says, and nothing else changes with it.
    @Test(arguments: ["Development", "Debugging", "Production"])
    func `the deployment mode is a claim, and nothing more`(
        _ mode: String
    ) throws {
        let text = Inline.policy(
            claims: ["mode": "string"],
            profiles: Inline.constants("Run", ["mode": "{Context:DeploymentMode}"]).replacing(
                "<OutputClaims>",
                with:
                    "<Metadata><Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item></Metadata><OutputClaims>"
            ),
            steps: Inline.steps("Run"), outputs: ["mode"]
        ).replacing(
            "<TrustFrameworkPolicy xmlns", with: "<TrustFrameworkPolicy DeploymentMode=\"\(mode)\" xmlns")
        #expect(try World(xml: [text]).begin().claims["mode"] == .string(mode))
    }
}
