import Testing

@testable import Validation

struct ConfigurationTests {
    private let id = "11111111-2222-3333-4444-555555555555"

    private func judge(_ files: (String, String)...) -> [String] {
        let named = files.map { name, text in
            ProjectFile(path: name, bytes: Array(text.split(separator: "ID").joined(separator: id).utf8))
        }
        return placed(Validator.validate(Project(files: named, now: noon)))
    }

    private func android(_ uri: String, _ authorities: String) -> String {
        "{ \"client_id\": \"ID\", \"redirect_uri\": \"\(uri)\",\n\"authorities\": [\(authorities)] }"
    }
    private let good = """
        { "type": "B2C", "authority_url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", "default": true }
        """

    @Test func `MSAL for Android`() {
        let uri = "msauth://com.contoso.app/ab%2Bc%2Fd%3D"
        #expect(judge(("auth_config.json", android(uri, good))).isEmpty)
        #expect(judge(("auth_config.json", android("msauth://com.contoso.app/ab+c/d=", good))) == ["B2C-CFG-002@1"])
        #expect(judge(("auth_config.json", android("https://a.example/", good))) == ["B2C-CFG-002@1"])
        let own = "msal11111111-2222-3333-4444-555555555555://auth"
        #expect(judge(("auth_config.json", android(own, good))).isEmpty)
        let broker = android(own, good).replacing(
            ascii: "\"authorities\"", with: "\"broker_redirect_uri_registered\": true, \"authorities\"")
        #expect(judge(("auth_config.json", broker)) == ["B2C-CFG-002@1"])
        let untyped = good.replacing(ascii: "\"type\": \"B2C\", ", with: "")
        #expect(judge(("auth_config.json", android(uri, untyped))) == ["B2C-CFG-004@2"])
        let short = good.replacing(ascii: "/B2C_1_susi", with: "")
        #expect(judge(("auth_config.json", android(uri, short))) == ["B2C-CFG-005@2"])
        let manifest = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android">
            <activity android:name="com.microsoft.identity.client.BrowserTabActivity"><data
                android:host="com.contoso.other"
                android:path="/ab%2Bc%2Fd%3D" android:scheme="msauth" /></activity>
            </manifest>
            """
        #expect(
            judge(("auth_config.json", android(uri, good)), ("AndroidManifest.xml", manifest)) == [
                "B2C-CFG-003@3", "B2C-CFG-003@4",
            ])
    }

    @Test(arguments: [
        ("\"knownAuthorities\": [\"contoso.b2clogin.com\"]", [] as [String]),
        ("\"knownAuthorities\": [\"https://contoso.b2clogin.com\"]", []),
        ("\"knownAuthorities\": []", ["B2C-CFG-006@3"]),
        (
            "\"knownAuthorities\": [\"contoso.b2clogin.com\"], \"redirectUri\": \"msauth.a://auth\"",
            ["B2C-URI-007@3"]
        ),
        ("\"knownAuthorities\": [\"contoso.b2clogin.com\"], \"clientSecret\": \"x\"", ["B2C-CFG-008@3"]),
    ])
    func `a configuration of MSAL.js has its findings`(members: String, wanted: [String]) {
        let text = """
            { "auth": { "clientId": "ID",
              "authority": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi",
              \(members) } }
            """
        #expect(judge(("authConfig.json", text)) == wanted)
    }

    @Test(arguments: [
        ("\"Instance\": \"https://contoso.b2clogin.com\"", [] as [String]),
        ("\"Instance\": \"contoso.b2clogin.com\"", ["B2C-CFG-007@3"]),
        ("\"Instance\": \"https://contoso.b2clogin.com/contoso.onmicrosoft.com\"", ["B2C-CFG-007@3"]),
        ("\"Instace\": \"https://contoso.b2clogin.com\"", ["B2C-CFG-007@1"]),
        ("\"Authority\": \"https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0\"", []),
        ("\"Instance\": \"https://contoso.b2clogin.com\", \"CallbackPath\": \"signin\"", ["B2C-CFG-009@3"]),
        ("\"Instance\": \"https://contoso.b2clogin.com\", \"ClientSecret\": \"abcdef\"", ["B2C-CFG-008@3"]),
    ])
    func `a configuration of ASP.NET has its findings`(members: String, wanted: [String]) {
        let text = """
            { "AzureAdB2C": { "ClientId": "ID", "Domain": "contoso.onmicrosoft.com",
              "SignUpSignInPolicyId": "B2C_1_susi",
              \(members) } }
            """
        #expect(judge(("appsettings.json", text)) == wanted)
    }

    /// Members of a user flow, and the lines at which a lifetime is one that B2C does not take.
    @Test(
        arguments: [
            ("\"tokens\": { \"refreshToken\": \"P200D\" }", ["B2C-CFG-011@2"]),
            ("\"tokens\": { \"refreshToken\": \"PT23H\" }", ["B2C-CFG-011@2"]),
            ("\"tokens\": { \"refreshToken\": \"P90D\" }", []),
            ("\"tokens\": { \"refreshToken\": \"P60D\",\n\"slidingWindow\": \"P30D\" }", ["B2C-CFG-011@2"]),
            ("\"tokens\": { \"slidingWindow\": \"P10D\" }", ["B2C-CFG-011@2"]),
            ("\"tokens\": { \"refreshToken\": \"P30D\", \"slidingWindow\": \"P30D\" }", []),
            ("\"tokens\": { \"refreshToken\": \"P90D\", \"slidingWindow\": \"off\" }", []),
            ("\"tokens\": { \"slidingWindow\": \"P366D\" }", ["B2C-CFG-011@2"]),
            ("\"tokens\": { \"slidingWindow\": \"P365D\" }", []),
            (
                "\"tokens\": { \"accessToken\": \"PT4M59S\",\n\"idToken\": \"PT25H\" }",
                ["B2C-CFG-011@2", "B2C-CFG-011@3"]
            ),
            ("\"tokens\": { \"accessToken\": \"PT5M\", \"idToken\": \"PT24H\" }", []),
            ("\"session\": { \"lifetime\": \"PT14M\" }", ["B2C-CFG-011@2"]),
            ("\"session\": { \"lifetime\": \"PT15M\" }", []),
            ("\"session\": { \"lifetime\": \"P2D\" }", ["B2C-CFG-011@2"]),
        ] as [(String, [String])])
    func `lifetimes of a tenant file`(members: String, wanted: [String]) {
        let text = """
            { "name": "contoso", "policies": { "susi": { "type": "signUpOrSignIn",
            \(members) } } }
            """
        #expect(judge(("tenant.json", text)) == wanted)
    }
}
