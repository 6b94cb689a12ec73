import Diagnostics
import Testing

@Suite struct SecretTextTests {
    private func masked(_ text: String) -> String { SecretText.masked(text) }

    /// A text with one secret in it, and the secret.
    static let forms: [(text: String, secret: String)] = [
        ("X-Api-Key: CanaryApiKey0001", "CanaryApiKey0001"),
        ("Ocp-Apim-Subscription-Key: CanarySubKey0002", "CanarySubKey0002"),
        ("x-functions-key=CanaryFunc0003==", "CanaryFunc0003"),
        ("https://x.test/a?sv=2&sig=CanarySig0004%3D&se=3", "CanarySig0004"),
        ("?api_key=CanaryApi0005&a=b", "CanaryApi0005"), ("?apikey=CanaryApi0006", "CanaryApi0006"),
        ("?newPassword=CanaryNew0007&x=1", "CanaryNew0007"),
        ("{\"newPassword\" : \"Canary \\\"New0008\"}", "New0008"),
        ("{\"api_key\":\"CanaryApi0009\"}", "CanaryApi0009"),
        ("{\\\"password\\\": \\\"CanaryPw0010\\\"}", "CanaryPw0010"),
        ("{'password': 'Canary Pw0011'}", "Pw0011"), ("client_secret => CanaryCs0012", "CanaryCs0012"),
        ("<password>CanaryPw0013</password>", "CanaryPw0013"),
        ("<Item Key=\"client_secret\">CanaryPw0013</Item>", "CanaryPw0013"),
        ("<InputClaim ClaimTypeReferenceId=\"password\" DefaultValue=\"CanaryPw0013\" />", "CanaryPw0013"),
        ("curl --password CanaryPw0014", "CanaryPw0014"),
        ("https://ada:CanaryPw0016@x.test/", "CanaryPw0016"),
        ("Authorization: Bearer CanaryBearer0017", "CanaryBearer0017"),
        ("sent Bearer CanaryBearer0017 to it", "CanaryBearer0017"),
        ("auth Basic Q2FuYXJ5QmFzaWMwMDE4OkNhbmFyeUJhc2ljMDAxOA==", "Q2FuYXJ5QmFz"),
        ("Cookie: a=CanaryCookie0019; b=CanaryCookie0020", "CanaryCookie0020"),
        ("Verification code: 738112", "738112"), ("client secret = CanaryCs0021", "CanaryCs0021"),
        ("API key: CanaryApi0024", "CanaryApi0024"),
        ("ConnectionString=Endpoint=https;AccountKey=CanaryKey0022==;Suffix=y", "CanaryKey0022"),
        ("otp=739113", "739113"), ("refresh_token = \"CanaryRt0023\"", "CanaryRt0023"),
        ("code_verifier: \"CanaryCv0024\"", "CanaryCv0024"), ("\"secrets\": [\"CanaryCs0034\"]", "CanaryCs0034"),
        ("\"secrets\": [  \"CanaryCs0035\"]", "CanaryCs0035"), ("secret: [CanaryCs0036]", "CanaryCs0036"),
        ("\"password\": \"optional\"", "optional"),
        ("form-data; name=\"password\"\r\n\r\nCanaryPw0025\r\n--x", "CanaryPw0025"),
        ("(\"reenterPassword\", \"CanaryPw0026\")", "CanaryPw0026"),
        ("form[oldPassword]=CanaryPw0027&b=1", "CanaryPw0027"),
        ("client_assertion=CanaryAs0028", "CanaryAs0028"), ("graphClientSecret: CanaryCs0029", "CanaryCs0029"),
        ("the key abc8Q~Canary-Entra-Secret.0030_abcdefgh.x was", "Canary-Entra-Secret"),
        ("/callback/eyJhbGciOiJSUzI1NiJ9.CanaryToken0031.sig", "CanaryToken0031"),
        ("-----BEGIN RSA PRIVATE KEY-----\\nCanaryPem0032\\n-----END RSA PRIVATE KEY-----", "CanaryPem0032"),
        ("X-Gateway: 1, access-key: CanaryAk0033", "CanaryAk0033"),
    ]

    @Test(arguments: forms) func `a secret is masked in whatever form it stands`(_ row: (text: String, secret: String))
    {
        #expect(row.text.contains(row.secret))
        #expect(!masked(row.text).contains(row.secret), "\(masked(row.text))")
        // Beside others on the same line as well.
        let line = "{\"name\":\"x\"} \(row.text)"
        #expect(!masked(line).contains(row.secret), "\(masked(line))")
    }

    /// Durations, numbers, words of errors, settings, names of policies and of their keys.
    @Test(arguments: [
        "access_token expires in PT1H", "token=PT24H", "access_token: 3600s", "refresh_token: 14.00:00:00",
        "token_lifetime_secs=300", "[\"password\", \"email\"]", "token: 01:00:00", "id_token=12ms",
        "access_token: missing", "\"accessToken\": \"optional\"", "\"idToken\": \"ifPresent\"",
        "\"token\": \"required\",",
        "\"secrets\": [{", "\"secrets\": [", "\"tokens\": [[1]]", "\"secrets\": []", "\"secret\": {",
        "\"token\": [ {\"a\": 1} ]",
        "client secret: provided", "code=ERR_NETWORK", "PasswordReset=B2C_1_reset",
        "<Key Id=\"client_secret\" StorageReferenceId=\"B2C_1A_Secret\" />",
        "\"ForgotPasswordLinkLocation\":\"AfterInput\"", "verification code: has expired", "Basic authentication",
        "Bearer token", "client_secret={{secret/NAME}}", "redirect to https://localhost:44321/cb",
        "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "correlation 2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a",
    ])
    func `what is not a secret stays`(_ text: String) { #expect(masked(text) == text) }

    /// A megabyte in which each name has a value up to the end of the line.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "password ", "password: ", "\"token\":\"", "-----BEGIN PRIVATE KEY-----", "eyJ.", "://a:", "code=",
            "password\\", "password                ", "cookie: ", "[password,", "name=\"otp\"\r\n\r\n", "password={{",
            "cookie: {{", "authorization: a {{", "authorization:", "sig={{;", "AccountKey=", "connectionString=a;",
        ])
    func `a long text of one thing stays quick`(_ piece: String) {
        let bytes = Array(String(repeating: piece, count: 1_000_000 / piece.utf8.count).utf8)
        #expect(SecretText.spots(in: bytes).allSatisfy { $0.range.upperBound <= bytes.count })
    }

    @Test(arguments: [
        ("authorization: Bearer {{token}}", "authorization: Bearer {{token}}"),
        ("authorization: \"Bearer {{token}}\"", "authorization: \"Bearer {{token}}\""),
        ("authorization: Digest Canary0041 x", "authorization: Digest <secret>"),
        ("password={{a}}&token=Canary0042", "password={{a}}&token=<token>"),
        ("cookie: {{jar}}; token=Canary0043", "cookie: {{jar}}; token=<token>"),
    ])
    func `a place for a value stays, and what is behind it is looked through`(_ text: String, _ shown: String) {
        #expect(masked(text) == shown)
    }

    @Test func `an excerpt shows no secret of the same line, and the caret stays in its place`() {
        let line = "{ \"password\": \"Canary-0001\", \"opne\": 1, \"apiKey\": \"Canary-0002\" }"
        let source = SourceText(file: "s.json", bytes: Array(line.utf8))
        let text = DiagnosticRenderer(color: false, sources: [source])
            .render(Diagnostic(rule: "R", "m", at: SourceLocation(file: "s.json", line: 1, column: 30, length: 6)))
        #expect(
            text == """
                s.json:1:30: error: m [R]
                  1 | { "password": "***", "opne": 1, "apiKey": "***" }
                    |                      ^^^^^^
                """)
    }

    @Test(arguments: [
        "\u{9b}31m", "\u{1b}[2J", "\u{202e}", "\u{200b}", "\u{2066}", "\u{feff}", "\u{e0041}", "\u{7f}", "\u{61c}",
    ])
    func `characters that hide or move a terminal are spelt out`(_ text: String) throws {
        let first = try #require(text.unicodeScalars.first)
        #expect(VisibleText.of("a" + text).hasPrefix("a\\u{\(String(first.value, radix: 16))}"))
        #expect(!VisibleText.forTerminal("a" + text).unicodeScalars.contains(first))
    }

    @Test func `letters of all scripts, colours of our own and line ends stay`() {
        for text in ["Zoë 中文 عربى 👍🏽", "tab\there"] { #expect(VisibleText.of(text) == text) }
        for text in ["\u{1b}[1;31mred\u{1b}[0m\n", "\r\u{1b}[Kbar"] { #expect(VisibleText.forTerminal(text) == text) }
    }
}
