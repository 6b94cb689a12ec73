import B2CProtocol
import Diagnostics
import JSON
import Testing
import TrustFramework

@Suite struct UserFlowTests {
    static let settings: [JSONValue] = {
        let types = ["signUpOrSignIn", "signIn", "signUp", "profileEditing", "passwordReset", "ropc"]
        let variations: [JSONValue] = [
            [:], ["signInName": "username"], ["signInName": "either"], ["emailVerification": "legacy"],
            ["emailVerification": "off"], ["forgotPassword": "inFlow"], ["forgotPassword": "off"],
            ["mfa": ["when": "always"]], ["mfa": ["when": "always", "method": "call"]],
            ["mfa": ["when": "always", "method": "email"]],
            ["mfa": ["when": "always", "method": "email"], "emailVerification": "legacy"],
            ["mfa": ["when": "always", "method": "totp"]], ["mfa": ["when": "conditional"]],
            ["mfa": ["when": "conditional", "method": "totp", "session": false]],
            ["providers": ["facebook"]], ["providers": ["facebook", "contosoid"], "forgotPassword": "inFlow"],
            ["keepSignedIn": "P7D", "forcedReset": true], ["languages": ["de", "en", "fr"]],
            [
                "attributes": ["givenName", "surname", "city", "extension_Role"],
                "claims": ["extension_Role", "newUser", "idp"],
            ],
            ["session": ["scope": "policy", "lifetime": "PT15M", "rolling": false, "requireIdTokenInLogout": true]],
            ["tokens": ["accessToken": "PT5M", "issuer": "policy", "policyClaim": "acr", "subject": "notSupported"]],
            [
                "template": ["url": "https://pages.contoso.test/page.html"], "signInName": "username",
                "forgotPassword": "inFlow",
            ],
        ]
        return types.flatMap { type in variations.map { $0.merging(patch: ["type": .string(type)]) } }
    }()

    @Test(arguments: settings) func compilesWithoutFindings(_ settings: JSONValue) throws {
        let policy = try compile(settings)
        #expect(policy.findings.isEmpty)
        #expect(policy.id == "B2C_1_flow")
        #expect(policy.tokenIssuer != nil)
        #expect(policy.relyingParty.journey(endpoint: "Token") != nil)
        #expect(policy[policy.relyingParty.defaultJourney].steps.last?.type == .sendClaims)
    }
}
