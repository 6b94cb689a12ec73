import Diagnosis
import Testing

/// What is called certain is entailed by the text; the same code with other values, or ordinary words, is not.
@Suite struct CertaintyTests {
    private func certain(_ text: String) -> [String] {
        explained(text).causes.filter(\.isSure).map(\.cause.id)
    }

    @Test(arguments: [
        ("IDX10501: Signature validation failed. Unable to match key: kid: 'k1'", ["B97", "key-of-another-policy"]),
        ("IDX10503: Signature validation failed. Keys tried: 'k2'", ["B97", "metadata-of-another-authority"]),
        ("IDX10516: Signature validation failed. Unable to match key: kid: 'k1'", ["B97"]),
        ("IDX10205: Issuer validation failed.", ["B23"]), ("IDW10303: Issuer: 'x', does not match", ["B23"]),
        ("AADB2C90079: Clients must send a client_secret", ["B08", "B09"]), ("AADB2C90037", ["B129", "B86"]),
        ("AADB2C90129: The provided grant has been revoked", ["B106"]), ("AADB2C90085", ["B126"]),
        ("interaction_in_progress", ["B144"]), ("endpoints_resolution_error", ["B14", "B25"]),
        ("monitor_window_timeout", ["B113", "B112"]), ("-50000", []), ("-50002", ["B28"]), ("-42008", ["B59", "B15"]),
        ("AADB2C90289: We encountered an error connecting to the identity provider.", ["R14"]),
        ("AADB2C90057: not configured to allow the OAuth Implicit flow", ["B12"]),
    ])
    func `a code with several causes makes none certain`(_ row: (text: String, ids: [String])) {
        let causes = explained(row.text).causes
        #expect(certain(row.text).isEmpty, "\(certain(row.text))")
        #expect(Set(row.ids).isSubset(of: Set(causes.map(\.cause.id))), "\(causes.map(\.cause.id))")
    }

    @Test(arguments: [
        "two calls of acquireTokenSilent with several scopes", "500 when the sign-in page opens, it never ends",
        "okta logout works, facebook sign out does not", "the state is lost when two tabs are open",
        "revoked yesterday, and it still works for one hour", "edit profile asks for the credentials of the user",
        "invite link opens, bookmarks do not", "CORS and 400 and parallel token requests",
    ])
    func `ordinary words make nothing more than possible`(_ text: String) {
        for cause in explained(text).causes { #expect(cause.certainty == .possible, "\(cause.cause.id)") }
    }

    /// The same message with other values in it.
    @Test(arguments: [
        (
            "Issuer: 'https://a.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'. Did not match: validationParameters.ValidIssuer: 'https://login.contoso.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/' or validationParameters.ValidIssuers: 'null'.",
            "R07"
        ),
        (
            "Issuer: 'https://a.b2clogin.com/tfp/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_edit/v2.0/'. Did not match: validationParameters.ValidIssuer: 'null' or validationParameters.ValidIssuers: 'https://a.b2clogin.com/tfp/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_susi/v2.0/'.",
            "B22"
        ),
        (
            "Issuer: 'https://sts.windows.net/775527ff-9a37-4307-8b3d-cc311f58d925/'. Did not match: validationParameters.ValidIssuer: 'https://a.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'",
            "token-of-a-directory"
        ),
        (
            "Issuer: 'https://a.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'. Did not match: validationParameters.ValidIssuer: 'https://login.microsoftonline.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0'",
            "B23"
        ),
        (
            "Issuer: 'https://a.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'. Did not match: validationParameters.ValidIssuer: 'https://a.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0'",
            "issuer-differs-in-a-slash"
        ),
        (
            "Issuer: 'https://a.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'. Did not match: validationParameters.ValidIssuer: 'https://a.b2clogin.com/11111111-9a37-4307-8b3d-cc311f58d925/v2.0/'",
            "token-of-another-tenant"
        ),
    ])
    func `issuers that a message quotes are compared`(_ row: (text: String, id: String)) {
        #expect(certain("IDX10205: Issuer validation failed. " + row.text) == [row.id])
        #expect(explained("IDX10205: Issuer validation failed. " + row.text).causes.first?.cause.id == row.id)
    }

    @Test(arguments: [
        (
            "'a1' . Did not match: validationParameters.ValidAudience: 'b2' or validationParameters.ValidAudiences: 'null'",
            "B76"
        ),
        (
            "'a1'. Did not match: validationParameters.ValidAudience: 'a1 ' or validationParameters.ValidAudiences: 'null'",
            "audience-has-space"
        ),
        ("'api://a1'. Did not match: validationParameters.ValidAudience: 'a1'", "audience-in-another-form"),
        (
            "'00000003-0000-0000-c000-000000000000'. Did not match: validationParameters.ValidAudience: 'a1'",
            "token-for-microsoft-graph"
        ),
    ])
    func `audiences that a message quotes are compared`(_ row: (values: String, id: String)) {
        let text = "IDX10214: Audience validation failed. Audiences: \(row.values)"
        #expect(certain(text) == [row.id], "\(explained(text).causes.map(\.cause.id))")
    }

    @Test func `a key that is not found with a wrong issuer is about another authority, not about a roll-over`() {
        let text = """
            IDX10516: Signature validation failed. Unable to match key: kid: 'k1'. Valid Lifetime: 'True'. Valid Issuer: 'False'
            """
        #expect(certain(text) == ["metadata-of-another-authority"])
        #expect(!explained(text).causes.contains { $0.cause.id == "B97" && $0.certainty != .possible })
        let expired = text.replacing("Issuer: 'False'", with: "Issuer: 'True'").replacing(
            "Lifetime: 'True'", with: "Lifetime: 'False'")
        #expect(certain(expired) == ["token-expired"])
    }

    @Test func `values that a message hides are asked for`() {
        let diagnosis = explained(
            "IDX10205: Issuer validation failed. Issuer: '[PII is hidden]'. Did not match: validationParameters.ValidIssuer: '[PII is hidden]'"
        )
        #expect(diagnosis.notes.contains { $0.contains("ShowPII") })
        #expect(diagnosis.causes.allSatisfy { !$0.isSure })
    }

    @Test(arguments: [
        (86_400, "@azure/msal-browser", Diagnosis.Certainty.certain), (86_400, "oidc-client-ts", .certain),
        (86_400, "", .likely), (1_209_600, "", .possible),
        // A native app or a server has no such grant, whatever its lifetime.
        (86_400, "com.microsoft.identity.client", nil), (86_400, "MSALErrorDomain", nil),
        (86_400, "Microsoft.Identity.Client.MsalUiRequiredException", nil), (86_400, "@azure/msal-node", nil),
    ])
    func `a grant that has expired is one of a single-page app for certain only when it lived a day in one`(
        _ row: (lifetime: Int, library: String, certainty: Diagnosis.Certainty?)
    ) {
        let text =
            "AADB2C90080: The provided grant has expired. Please re-authenticate and try again. Current time: 1612268065, Grant issued time: 1610972065, Grant expiration time: \(1_610_972_065 + row.lifetime) \(row.library)"
        let causes = explained(text).causes
        #expect(causes.first { $0.cause.id == "B105" }?.certainty == row.certainty)
        #expect(row.certainty != nil || causes.first?.cause.id == "grant-expired")
    }

    @Test func `only a doubled name of the tenant is certain to be wrong`() {
        let path = "/tide.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"
        #expect(certain("https://tide.b2clogin.com\(path)").isEmpty)
        let doubled = path.replacing("microsoft.com", with: "microsoft.com.onmicrosoft.com")
        for address in ["https://tide.onmicrosoft.com.b2clogin.com\(path)", "https://tide.b2clogin.com\(doubled)"] {
            #expect(certain(address) == ["policy-or-tenant-not-found"], "\(address)")
        }
        let loopback = "Only loopback redirect uri is supported, but msal1://auth was found. MAUI on Android"
        #expect(certain(loopback).isEmpty && explained(loopback).causes.first?.certainty == .likely)
    }

    @Test(arguments: [
        ("https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token", "B110"),
        (
            "https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=1",
            "login-page-fetched-by-script"
        ),
        (
            "https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration",
            "metadata-blocked-by-cors"
        ),
    ])
    func `where a call was blocked decides why`(_ row: (address: String, id: String)) {
        let text =
            "Access to fetch at '\(row.address)' from origin 'http://localhost:3000' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present"
        #expect(explained(text).causes.first?.cause.id == row.id, "\(explained(text).causes.map(\.cause.id))")
    }
}

/// Reports outside of the catalogue lead to what their threads found.
@Suite struct PublicReportTests {
    @Test(arguments: PublicReports.cases)
    func `a public report leads to the cause its thread settled on`(
        _ row: (thread: String, text: String, id: String, certainty: Diagnosis.Certainty)
    ) {
        let causes = explained(row.text).causes
        let first = causes.first
        #expect(
            first?.cause.id == row.id && first?.certainty == row.certainty,
            "\(row.thread): \(causes.map { "\($0.cause.id) \($0.certainty) \($0.score)" })")
    }
}
