import Testing

@testable import Diagnosis

/// Families of messages lead to their causes. The values are made up; words of messages are those that identify them.
enum Families {
    static let cases: [(text: String, id: String)] =
        middleware + servers + clients + devices + transport + journeys + codes

    /// ASP.NET Core, OWIN and Microsoft.Identity.Web.
    static let middleware: [(text: String, id: String)] = [
        ("IDX21324: The 'nonce' has expired: '1'. NonceLifetime is: '01:00:00'.", "nonce-expired"),
        ("IDX21349: RequireNonce is 'True'. The nonce of the token was null or empty.", "nonce-missing-in-the-token"),
        ("IDX21323: RequireNonce is 'True'. Nonce was null.", "nonce-cookie-missing"),
        ("IDX21321: The 'nonce' found in the jwt token did not match the expected nonce.", "R08"),
        ("IDX21330: the Response does not contain 'state'.", "IDX21330"),
        ("IDX21331: The 'state' parameter does not equal the 'state' in the context", "state-of-another-request"),
        ("IDX21336: Both 'id_token' and 'access_token' should be present", "no-id-token-in-the-answer"),
        ("IDX21337: UserInfoEndpointResponse is null or empty", "IDX21337"),
        ("IDX21340: 'azp' claim is not equal to Client Id.", "IDX21340"),
        ("IDX40002: a B2C issuer with 'tfp' in the URI", "issuer-with-tfp-not-supported"),
        ("IDW10304: a B2C issuer with 'tfp' in the URI", "issuer-with-tfp-not-supported"),
        ("IDX40005: Token issuer: 'a', does not match the signing key issuer: 'b'.", "IDX40005"),
        ("IDX10222: The token is not yet valid. ValidFrom: '1'", "B93"),
        ("IDX10223: The token is expired. ValidTo: '1'", "token-expired"),
        ("IDX10253: RequireSignedTokens is true, but the issuer signing key is null.", "IDX10253"),
        ("IDX14107: Token string does not match the token formats", "IDX14107"),
        ("IDX20108: The address 'http://a.test' is not valid as per HTTPS scheme.", "authority-not-https"),
        ("IDX20809: Unable to retrieve document from: 'https://a.test'. Status code: '500'.", "metadata-not-fetched"),
        ("IDW10203: The 'scope' or 'scp' claim does not contain scopes 'read'", "scope-missing-in-the-token"),
        ("IDW10104: Both client secret and client certificate are null", "client-credential-missing"),
        ("IDW10204: The user is unauthenticated.", "token-not-sent"),
        ("IDW10404: 'scope' parameter should end in /.default", "IDW10404"),
        (
            "Provide Authority, MetadataAddress, Configuration, or ConfigurationManager to JwtBearerOptions",
            "authority-setting-missing"
        ),
        (
            "Unable to resolve service for type 'Microsoft.Identity.Web.ITokenAcquisition'",
            "token-services-not-registered"
        ),
    ]

    /// Passport, NextAuth, Spring, API Management.
    static let servers: [(text: String, id: String)] = [
        ("id_token not present in TokenSet, providerId: 'azure-ad-b2c'", "no-id-token-in-the-answer"),
        ("ClientError: discovered metadata issuer does not match the expected issuer", "B21"),
        ("InternalOAuthError: Failed to obtain access token", "code-exchange-failed"),
        ("authentication failed due to: jwt audience is invalid", "B76"),
        ("[invalid_nonce]", "R08"),
        ("[invalid_id_token] The ID Token contains invalid claims: {aud=[1]}", "id-token-claims-refused"),
        ("Couldn't retrieve remote JWK set: I/O error", "remote-keys-not-fetched"),
        ("JWT not present.", "token-not-sent"),
        ("JWT Validation Failed: Claim value mismatch: aud=1.", "gateway-claim-differs"),
        ("validate-jwt: TokenSignatureKeyNotFound", "gateway-key-unknown"),
        ("validate-jwt: TokenAudienceNotAllowed", "gateway-claim-differs"),
    ]

    /// MSAL.js, MSAL.NET, Python and Java.
    static let clients: [(text: String, id: String)] = [
        ("ClientAuthError: login_progress_error", "B144"),
        ("BrowserAuthError: silent_logout_unsupported", "silent_logout_unsupported"),
        ("BrowserAuthError: native_connection_not_established", "native_connection_not_established"),
        ("NullInjectorError: No provider for InjectionToken MSAL_GUARD_CONFIG!", "angular-settings-missing"),
        ("Cross-Origin-Opener-Policy policy would block the window.closed call.", "opener-policy-cuts-the-window"),
        ("user_mismatch: Returned user identifier does not match", "another-person-signed-in"),
        ("One client credential type required either: ClientSecret or Certificate", "client-credential-missing"),
        ("The authority must be in a well-formed URI format.", "authority-without-tenant-or-policy"),
        ("ErrorCode: linux_xdg_open_failed", "desktop-browser-not-opened"),
        ("The authority you provided, https://a.test/x/y, is not whitelisted.", "custom-host-not-known"),
        ("RuntimeError: 6. The nonce must be the same value as the one that was sent", "R08"),
        ("an https url with a minimum of one segment in a path", "authority-without-tenant-or-policy"),
        (
            """
            B2C 'authority' Uri should have at least 3 segments in the path
            https://fjord.b2clogin.com/fjord.onmicrosoft.com/B2C_1_susi/
            """,
            "authority-without-tfp"
        ),
        ("B2C 'authority' Uri should have at least 3 segments in the path", "authority-needs-three-parts"),
        (
            "GET https://fjord.b2clogin.com/fjord.onmicrosoft.com/undefined/v2.0/.well-known/openid-configuration",
            "setting-undefined"
        ),
        (
            "AADB2C90057: not configured to allow the OAuth Implicit flow.\n   AcquireTokenByUsernamePassword",
            "B102"
        ),
    ]

    /// MSAL for iOS, macOS and Android, AppAuth and wrappers.
    static let devices: [(text: String, id: String)] = [
        ("Different account was returned from the server, MSALInternalErrorCodeKey=-42101", "another-person-signed-in"),
        ("MSALInternalErrorCodeKey=-42001, LSApplicationQueriesSchemes lacks msauthv2", "query-schemes-missing"),
        ("MSALErrorDomain Code=-50000, MSALInternalErrorCodeKey=-42010", "authority-validation-failed"),
        ("MSALErrorDomain Code=-50000, MSALInternalErrorCodeKey=-42602", "page-goes-to-http"),
        ("User cancelled the authorization session. error: -51700", "closed-or-cancelled-by-the-system"),
        ("MsalDeclinedScopeException", "scopes-declined"),
        ("more than one app is listening for the URL scheme of BrowserTabActivity", "several-apps-take-the-redirect"),
        (
            "requires a placeholder substitution but no value for <appAuthRedirectScheme> is provided",
            "manifest-of-the-redirect"
        ),
        ("TypeError: Cannot read property 'authorize' of null", "native-module-not-linked"),
        ("MissingPluginException(No implementation found for method authorize)", "native-module-not-linked"),
        (
            "AuthorizationException: {\"type\":0,\"code\":3,\"errorDescription\":\"Network error\"}",
            "appauth-network-error"
        ),
    ]

    /// Browser console, TLS, names and proxies.
    static let transport: [(text: String, id: String)] = [
        (
            """
            Access to fetch at 'https://pages.test/unified.html' from origin 'https://fjord.b2clogin.com' has been blocked \
            by CORS policy
            """,
            "B130"
        ),
        (
            "Access to fetch at 'https://api.test/hello' from origin 'http://localhost:6420' has been blocked by CORS policy",
            "cors-of-the-api"
        ),
        ("unable to get local issuer certificate", "certificate-not-trusted"),
        ("PKIX path building failed", "certificate-not-trusted"),
        ("ERR_TLS_CERT_ALTNAME_INVALID", "certificate-of-another-host"),
        ("CERT_HAS_EXPIRED", "certificate-expired"),
        ("Could not create SSL/TLS secure channel.", "tls-version-or-cipher"),
        ("net::ERR_TUNNEL_CONNECTION_FAILED", "proxy-in-the-way"),
        ("getaddrinfo ENOTFOUND fjrod.b2clogin.com", "host-name-not-found"),
        ("No such host is known. (fjrod.b2clogin.com:443)", "host-name-not-found"),
        ("read ECONNRESET", "connection-cut-or-timed-out"),
        ("upstream sent too big header while reading", "headers-too-big-for-the-proxy"),
        ("net::ERR_BLOCKED_BY_CLIENT", "blocked-by-a-content-blocker"),
        ("Bad Request - Invalid Hostname", "host-not-bound"),
    ]

    /// Uploads, the portal, and journeys that run.
    static let journeys: [(text: String, id: String)] = [
        (
            "Exception Message:The user journey 'A' does not specify first step, Exception Type:PolicyException",
            "journey-without-a-first-step"
        ),
        ("AADB2C90022: Unable to return metadata for the policy 'B2C_1A_x'", "policy-cannot-be-loaded"),
        ("TenantId in the policy xml 'yourtenant.onmicrosoft.com' is not same", "placeholder-not-replaced"),
        (
            "TenantId in the policy xml 'a.onmicrosoft.com' is not same as the one in login tenant 'b.onmicrosoft.com'",
            "policy-of-another-tenant"
        ),
        ("Policy with 'policyId': B2C_1A_Base cannot be found in the directory 'x'", "parent-policy-missing"),
        (
            "makes a reference to ClaimType with id 'x' but neither the policy nor any of its base policies has it",
            "element-reference-missing"
        ),
        ("The element 'A' has invalid child element 'B'.", "element-out-of-order"),
        ("specifies more than one enabled validation claims exchange", "several-exchanges-enabled"),
        (
            "Persisted Claim 'x' is not supported in Azure Active Directory Provider technical profile 'y'",
            "claim-not-supported-by-the-directory"
        ),
        (
            "The subscription is not registered to use namespace 'Microsoft.AzureActiveDirectory'",
            "resource-provider-not-registered"
        ),
        ("Values of identifierUris property must use a verified domain", "app-id-uri-refused"),
        ("Exception Type:PolicyException", "policy-exception"),
    ]

    /// Codes of directories and OAuth errors that stand alone.
    static let codes: [(text: String, id: String)] = [
        ("AADSTS50020: the account does not exist in tenant 'x'", "AADSTS50020"),
        ("AADSTS65001: nobody has consented", "AADSTS65001"),
        ("AADSTS7000218: the body must contain client_secret", "AADSTS7000218"),
        ("AADSTS900144: The request body must contain scope", "AADSTS900144"),
        ("AADB2C90289: no connection to the provider. AADSTS7000222: the keys are expired.", "secret-at-the-provider"),
        ("AADB2C90083: The request is missing required parameter: client_id.", "AADB2C90083"),
        ("{\"error\":\"unauthorized_client\"}", "oauth-unauthorized-client"),
        ("Bearer error=\"invalid_token\"", "oauth-invalid-token"),
        ("The endpoint says invalid_scope", "oauth-invalid-scope"),
        ("{\"error\":\"unsupported_grant_type\"}", "oauth-unsupported-grant"),
    ]
}

@Suite struct FamilyTests {
    @Test(arguments: Families.cases)
    func `a message of a known family leads to its cause`(_ row: (text: String, id: String)) {
        let causes = explained(row.text).causes
        #expect(
            causes.first?.cause.id == row.id,
            "\(row.text): \(causes.map { "\($0.cause.id) \($0.certainty) \($0.score)" })")
    }
}

/// A code never decides against the words or the address beside it, and nothing follows from what is absent.
@Suite struct PrincipleTests {
    private func certainty(of id: String, in text: String) -> Diagnosis.Certainty? {
        explained(text).causes.first { $0.cause.id == id }?.certainty
    }

    @Test(arguments: [
        // The code stands for something missing, and the message says that something expired; and so on.
        ("IDX21330", "IDX21330", "The state has expired."),
        ("AADSTS90002", "AADSTS90002", "The password has expired."),
        ("IDX10253", "IDX10253", "The key was expired."),
        ("IDX21340", "IDX21340", "The claim is missing."),
    ])
    func `words beside a code that say something else lower its certainty`(
        _ row: (code: String, id: String, words: String)
    ) {
        #expect(certainty(of: row.id, in: row.code) == .certain)
        #expect(certainty(of: row.id, in: "\(row.code): \(row.words)") == .possible)
    }

    @Test func `words behind the next code belong to that one`() {
        #expect(certainty(of: "IDX21330", in: "IDX21330: x. AADSTS50055: The password has expired.") == .certain)
    }

    @Test func `an address that contradicts the usual cause lowers the certainty`() {
        let message = "B2C 'authority' Uri should have at least 3 segments in the path"
        let address = "https://fjord.b2clogin.com/fjord.onmicrosoft.com/B2C_1_susi"
        #expect(certainty(of: "authority-needs-three-parts", in: message) == .likely)
        #expect(certainty(of: "authority-needs-three-parts", in: "\(message)\n\(address)") == .possible)
        #expect(explained("\(message)\n\(address)").causes.first?.cause.id == "authority-without-tfp")
        let withoutPolicy = "IDX20803: Unable to obtain configuration"
        #expect(explained("\(withoutPolicy)\n\(address)").causes.allSatisfy { $0.cause.id != "B18" })
    }

    private static let texts: [String] =
        SymptomTable.cases.map(\.text) + PublicReports.cases.map(\.text) + Families.cases.map(\.text)

    @Test func `a text becomes certain of nothing by losing a line`() {
        // Each text behind another one too, so that there are lines to lose.
        let paired = stride(from: 7, to: Self.texts.count, by: 4).map { "\(Self.texts[$0 - 7])\n\(Self.texts[$0])" }
        for text in Self.texts + paired {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count > 1, lines.count <= 12 else { continue }
            let known = Set(explained(text).causes.filter(\.isSure).map(\.cause.id))
            for index in lines.indices {
                var rest = lines
                rest.remove(at: index)
                let diagnosis = explained(rest.joined(separator: "\n"))
                for cause in diagnosis.causes where cause.isSure && !known.contains(cause.cause.id) {
                    Issue.record("\(cause.cause.id) becomes certain without line \(index + 1) of: \(text)")
                }
            }
        }
    }

    @Test func `what is absent makes nothing certain, and a cause with objections is certain by values alone`() {
        for cause in Cause.all {
            let hasObjection = cause.signs.contains { $0.weight < 0 }
            for sign in cause.signs where sign.isCertain {
                for alternative in sign.alternatives {
                    let wantsAbsence = alternative.contains { $0.isAbsence }
                    #expect(!wantsAbsence, "\(cause.id): \(sign.text)")
                    let isCompared = alternative.allSatisfy { clue in if case .trait = clue { true } else { false } }
                    #expect(!hasObjection || isCompared, "\(cause.id): \(sign.text)")
                }
            }
        }
    }

    @Test func `a bare error and an address that breaks off do not show an answer without state`() {
        #expect(certainty(of: "B53", in: "WWW-Authenticate: Bearer error=\"invalid_token\"") == nil)
        #expect(certainty(of: "B53", in: "error=invalid_scope") == nil)
        #expect(certainty(of: "B53", in: "https://app.test/cb?error=x&error_description=AADB2C90091...") == nil)
        #expect(certainty(of: "B53", in: "https://app.test/cb?error=x&error_description=y") != nil)
    }

    @Test func `a phrase that is not there makes a cause no more than possible`() {
        // B63 wants "no refresh token" without another word; B93 wants "not yet valid" without "certificate".
        #expect(certainty(of: "B63", in: "no refresh token") == .possible)
    }

    @Test(arguments: [
        ("IDX10241: Security token validated.", "IDX10241"), ("IDX21304: Validating 'c_hash'", "IDX21304"),
        ("IDX10235: ValidateIssuer is set to false.", "IDX10235"),
    ])
    func `what libraries log for information is not an error`(_ row: (text: String, id: String)) {
        #expect(!explained(row.text).codes.contains(row.id))
    }
}
