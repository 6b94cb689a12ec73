import Determinism
import JOSE
import JSON
import Testing

@testable import Diagnosis

@Suite struct ReadingTests {
    private func facts(_ text: String) -> [String] { explained(text).facts.map { "\($0.label)=\($0.text)" } }

    @Test(arguments: [
        (
            "%@ TID=4035076 MSAL 1.1.16 iOS Sim 14.4 [2021-04-23 16:26:15 - D15F4740-C211-424C-8E43-3FAFB8BD25DA] [MSAL] text",
            LogHead(
                library: .msalIOS, version: "1.1.16", platform: "iOS Sim 14.4", time: "2021-04-23 16:26:15",
                correlationID: "D15F4740-C211-424C-8E43-3FAFB8BD25DA")
        ),
        (
            """
            V/OAuth2Strategy:requestToken: [2018-12-03 22:15:03 - {"thread_id":"17721",\
            "correlation_id":"0d195b9b-ba14-4d46-8036-15ee75be0533"}] Requesting token... Android 28
            """,
            LogHead(
                library: .msalAndroid, platform: "Android 28", time: "2018-12-03 22:15:03",
                correlationID: "0d195b9b-ba14-4d46-8036-15ee75be0533")
        ),
        (
            "[2024-01-31 09:00:00 - thread_id: 17, correlation_id: UNSET - Android 33] Loading the configuration",
            LogHead(library: .msalAndroid, platform: "Android 33", time: "2024-01-31 09:00:00")
        ),
        (
            "[Thu, 01 Jun 2023 09:08:58 GMT] : [b1389572-c483-4a59-aa2b-5d86388c63e3] : msal.js.browser@2.37.0 : Verbose - x",
            LogHead(
                library: .msalJS, version: "2.37.0", platform: "msal.js.browser", time: "Thu, 01 Jun 2023 09:08:58 GMT",
                correlationID: "b1389572-c483-4a59-aa2b-5d86388c63e3")
        ),
        (
            "[Wed, 09 Jun 2021 04:35:39 GMT] :  : @azure/msal-browser@2.14.2 : Info - Emitting event",
            LogHead(
                library: .msalJS, version: "2.14.2", platform: "@azure/msal-browser",
                time: "Wed, 09 Jun 2021 04:35:39 GMT")
        ),
        (
            "%@ TID = 10238 MSAL 0.1.4-dev iOS 12.1.1 [2018-12-10 18:13:41 - B6626163-BFED-471E-8717-0A94A6FEDA7B] Found 1",
            LogHead(
                library: .msalIOS, version: "0.1.4-dev", platform: "iOS 12.1.1", time: "2018-12-10 18:13:41",
                correlationID: "B6626163-BFED-471E-8717-0A94A6FEDA7B")
        ),
        (
            "Thu, 20 Aug 2020 12:07:04 GMT:6a9d9813-07a3-4ead-bfa8-57687862d968-1.3.4-Verbose LoginRedirect has been called",
            LogHead(
                library: .msalJS, version: "1.3.4", platform: "msal", time: "Thu, 20 Aug 2020 12:07:04 GMT",
                correlationID: "6a9d9813-07a3-4ead-bfa8-57687862d968")
        ),
        (
            "[MSAL] Tue, 06 Apr 2021 10:39:13 GMT:1.4.6-Verbose AcquireTokenSilent has been called",
            LogHead(library: .msalJS, version: "1.4.6", platform: "msal", time: "Tue, 06 Apr 2021 10:39:13 GMT")
        ),
        (
            """
            False MSAL 4.66.1.0 MSAL.NetCore .NET 8.0.8 Microsoft Windows 10.0.22621 \
            [2024-11-21 18:29:37Z - 7a3d7f16-3c1a-4ae0-9f5e-2a4d8a1b7c30] Exception type
            """,
            LogHead(
                library: .msalNET, version: "4.66.1.0",
                platform: "MSAL.NetCore .NET 8.0.8 Microsoft Windows 10.0.22621",
                time: "2024-11-21 18:29:37Z", correlationID: "7a3d7f16-3c1a-4ae0-9f5e-2a4d8a1b7c30")
        ),
    ])
    func `the head of a log line has library, version, time and correlation id`(_ row: (line: String, head: LogHead)) {
        #expect(LogHead.read(row.line) == row.head)
    }

    @Test(arguments: ["", "[", "TID=", "TID= MSAL ", "False MSAL ", "@azure/msal-browser@", "[x thread_id", "[2024-01"])
    func `a head that was cut is none, or less`(_ line: String) {
        let head = LogHead.read(line)
        #expect(head?.correlationID == nil)
    }

    @Test func `an answer with an error is taken apart, and each library's report told`() {
        let diagnosis = explained(
            "msauth.com.contoso.app://auth?error=access_denied&error_description=AADB2C90118%3a+The+user+forgot.%0d%0a"
                + "Correlation+ID%3a+2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a%0d%0aTimestamp%3a+2026-01-15+12%3a00%3a00Z%0d%0a&state=s1"
        )
        let all = diagnosis.facts.map { "\($0.label)=\($0.text)" }
        #expect(diagnosis.kind == "an answer at a redirect URI, with an error")
        #expect(all.contains("redirect URI=msauth.com.contoso.app://auth"))
        #expect(all.contains("answers with=access_denied"))
        #expect(all.contains("description=AADB2C90118: The user forgot."))
        #expect(all.contains("correlation id=2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a"))
        #expect(all.contains("time of the service=2026-01-15 12:00:00Z"))
        #expect(all.contains("state=s1"))
        #expect(all.contains { $0.hasPrefix("MSAL iOS reports=-50005") })
        #expect(all.contains { $0.hasPrefix("MSAL.js reports=ServerError, errorCode access_denied") })
    }

    /// As the libraries' sources have it; LibraryReports names the files.
    @Test(arguments: [
        (
            "access_denied", false, "ServerError, errorCode access_denied, the description in errorMessage",
            "MsalServiceException, ErrorCode access_denied", "MsalServiceException, errorCode access_denied"
        ),
        (
            "login_required", false, "InteractionRequiredAuthError",
            "MsalUiRequiredException, ErrorCode no_prompt_failed",
            "MsalServiceException, errorCode login_required"
        ),
        (
            "interaction_required", false, "InteractionRequiredAuthError",
            "MsalServiceException, ErrorCode interaction_required",
            "MsalServiceException, errorCode interaction_required"
        ),
        (
            "consent_required", true, "InteractionRequiredAuthError",
            "MsalServiceException, ErrorCode consent_required",
            "MsalServiceException, errorCode consent_required"
        ),
        (
            "interaction_required", true, "InteractionRequiredAuthError", "MsalUiRequiredException",
            "MsalUiRequiredException"
        ),
        (
            "invalid_grant", true, "ServerError, errorCode invalid_grant, the description after \"Description:\"",
            "MsalUiRequiredException, ErrorCode invalid_grant", "MsalUiRequiredException, errorCode invalid_grant"
        ),
        (
            "invalid_request", true, "ServerError", "MsalServiceException, ErrorCode invalid_request",
            "MsalServiceException, errorCode invalid_request"
        ),
    ])
    func `each library reports an error in its own way`(
        _ row: (error: String, isBody: Bool, script: String, dotNet: String, android: String)
    ) {
        let text =
            row.isBody
            ? "{\"error\":\"\(row.error)\",\"error_description\":\"AADB2C90080: x\"}"
            : "https://app.test/cb?error=\(row.error)&error_description=AADB2C90077%3a+x&state=s"
        let all = facts(text)
        #expect(all.contains { $0.hasPrefix("MSAL.js reports=\(row.script)") }, "\(all)")
        #expect(all.contains { $0.hasPrefix("MSAL.NET reports=\(row.dotNet)") }, "\(all)")
        #expect(all.contains { $0.hasPrefix("MSAL Android reports=\(row.android)") }, "\(all)")
    }

    @Test(arguments: [
        ("?error=access_denied&state=1", "answers with=access_denied"),
        ("#error=server_error&state=1", "answers with=server_error"),
        ("error=interaction_required&error_description=AADB2C90077%3a+x", "answers with=interaction_required"),
    ])
    func `a query or fragment alone is enough`(_ row: (text: String, fact: String)) {
        #expect(facts(row.text).contains(row.fact))
    }

    @Test func `a request has policy, client, redirect URI, scopes and mode`() {
        let all = facts(
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?client_id=c1&redirect_uri="
                + "https%3A%2F%2Fapp.test%2Fcb&response_type=code&response_mode=form_post&scope=openid%20https%3A%2F%2Fx%2Fread&prompt=none"
        )
        for fact in [
            "policy=B2C_1_susi", "client=c1", "redirect URI=https://app.test/cb", "response_type=code",
            "response_mode=form_post", "scopes=openid https://x/read", "prompt=none",
        ] { #expect(all.contains(fact), "\(fact) is not in \(all)") }
    }

    @Test(arguments: [
        ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration", "B18"),
        ("https://contoso.b2clogin.com/ftp/contoso.onmicrosoft.com/B2C_1_x/oauth2/v2.0/token", "B104"),
        (
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x/oauth2/v2.0/authorize?client_id=1&response_type=id_token%20token&scope=openid",
            "B64"
        ),
        (
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x/oauth2/v2.0/authorize?client_id=1&response_type=code&scope=https%3A%2F%2Fa%2Fr%20https%3A%2F%2Fb%2Fr",
            "B66"
        ),
        (
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x/oauth2/v2.0/authorize?client_id=1&response_type=code&scope=openid&redirect_uri=http%3A%2F%2Fshop.test",
            "B01"
        ),
    ])
    func `an address alone leads to a cause`(_ row: (address: String, id: String)) {
        #expect(explained(row.address).causes.first?.cause.id == row.id)
    }

    // MARK: Tokens

    static func token(_ claims: JSONObject, header: JSONObject = ["alg": "RS256", "kid": "k1"]) -> String {
        JWS.compact(header, JSONWriter.compactBytes(claims)) { _ in Array(repeating: 7, count: 32) }
    }

    static let claims: JSONObject = [
        "iss": "https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/", "aud": "c1",
        "tfp": "B2C_1_susi",
        "sub": "s1", "nonce": "n", "iat": 1_768_474_800, "nbf": 1_768_474_800, "exp": 1_768_478_400,
    ]

    @Test func `a token is described by its claims and never shown`() {
        let token = Self.token(Self.claims)
        let diagnosis = explained(token)
        let all = diagnosis.facts.map { "\($0.label)=\($0.text)" }
        #expect(diagnosis.kind == "a token")
        #expect(all.contains("policy=B2C_1_susi") && all.contains("aud=c1") && all.contains("key=k1"))
        #expect(all.contains { $0.hasPrefix("token=an ID token") })
        #expect(all.contains("issued=2026-01-15T11:00:00Z, 1 h ago"))
        #expect(all.contains("expires=2026-01-15T12:00:00Z, 0 s ago"))
        #expect(!JSONWriter.compact(.object(diagnosis.json)).contains(token.suffix(30)))
        #expect(diagnosis.tokens.first?["claims", "tfp"] == "B2C_1_susi")
    }

    static let wrongTokens: [(changes: JSONObject, id: String)] = [
        (["sub": "Not supported currently. Use oid claim."], "B73"), (["tfp": "B2C_1_reset"], "B45"),
        (["exp": 1_768_475_100], "B94"), (["nbf": 1_768_479_000, "iat": 1_768_479_000, "exp": 1_768_482_000], "B93"),
    ]

    @Test(arguments: wrongTokens)
    func `a token that is wrong leads to a cause`(_ row: (changes: JSONObject, id: String)) {
        var claims = Self.claims
        for (name, value) in row.changes.members { claims[name] = value }
        #expect(explained(Self.token(claims)).causes.prefix(2).contains { $0.cause.id == row.id })
    }

    @Test func `a token without a signature is reported`() {
        let unsigned = JWS.unsigned(header: ["alg": "none"], claims: Self.claims)
        #expect(explained(unsigned).causes.first?.cause.id == "B156")
    }

    @Test func `a token that is cut anywhere is described as far as it goes, and no part of it shown`() {
        let token = Self.token(Self.claims)
        for length in stride(from: 3, to: token.utf8.count, by: 5) {
            let diagnosis = explained("token: " + token.prefix(length))
            let shown = JSONWriter.compact(.object(diagnosis.json)) + diagnosis.sections.map { "\($0)" }.joined()
            if length > 60 { #expect(!shown.contains(token.dropFirst(30).prefix(24)), "cut at \(length)") }
        }
        #expect(explained(String(token.prefix(120))).notes.contains { $0.contains("breaks off in its payload") })
    }

    // MARK: Answers

    @Test(arguments: [
        (
            #"{"id_token":"x","token_type":"Bearer","scope":"/","access_token":"y","refresh_token":"z","client_info":"c"}"#,
            "B39"
        ),
        (
            #"{"access_token":"y","token_type":"Bearer","expires_in":300,"refresh_token":"z","client_info":"c","id_token":"x"}"#,
            "B94"
        ),
        (
            #"{"error":"invalid_grant","error_description":"AADB2C90129: revoked\r\nCorrelation ID: 2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a"}"#,
            "B106"
        ),
    ])
    func `a JSON answer leads to a cause`(_ row: (text: String, id: String)) {
        #expect(explained(row.text).causes.first?.cause.id == row.id)
    }

    // MARK: Secrets

    @Test(arguments: [
        "POST /token grant_type=authorization_code&code=SEKRET123456&client_id=a AADB2C90079",
        "AADB2C90079 client_secret=SEKRET123456&grant_type=x", "AADB2C90118 password: SEKRET123456",
        "AADB2C90118 Cookie: x-ms-cpim-sso:contoso=SEKRET123456", "AADB2C90118 \"refresh_token\":\"SEKRET123456\"",
        "AADB2C90118 Authorization: Basic SEKRET123456",
        "myapp://auth?code=SEKRET123456&state=1&error=access_denied AADB2C90118",
        "AADB2C90088 clientSecret = 'SEKRET123456'", "AADB2C90118 Set-Cookie: a=SEKRET123456; path=/",
    ])
    func `secrets are masked, unless they are asked for`(_ text: String) {
        let masked = explained(text)
        let shown = explained(text, showsSecrets: true)
        #expect(!JSONWriter.compact(.object(masked.json)).contains("SEKRET"))
        #expect(!masked.sections.contains { "\($0)".contains("SEKRET") })
        #expect(shown.sections.contains { "\($0)".contains("SEKRET") })
    }

    // MARK: Bad input

    @Test(arguments: [
        ([0x1F, 0x8B, 8, 0] as [UInt8], "gzip"), ([0x50, 0x4B, 3, 4], "zip"), (Array("bplist00".utf8), "property list"),
        ([65, 0, 66, 0, 67, 0], "zero bytes"), (Array(repeating: 2, count: 200), "control characters"),
        ([0x89, 0x50, 0x4E, 0x47, 13, 10], "picture"),
    ])
    func `what is not text is refused by what it looks like`(_ row: (bytes: [UInt8], word: String)) {
        let diagnosis = Diagnosis(row.bytes, now: noon)
        #expect(diagnosis.refusal?.contains(row.word) == true, "\(diagnosis.refusal ?? "read")")
    }

    @Test func `bytes that are not UTF-8 are read around`() {
        let bytes: [UInt8] = [0xFF, 0x41, 0xC0] + Array(" AADB2C90118: x".utf8) + [0xE2, 0x80]
        #expect(Diagnosis(bytes, now: noon).causes.first?.cause.id == "B47")
    }

    @Test func `UTF-16, as PowerShell writes it, is read`() {
        let units = Array("AADB2C90118: The user".utf16)
        let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        #expect(Diagnosis(little, now: noon).causes.first?.cause.id == "B47")
        #expect(Diagnosis(big, now: noon).causes.first?.cause.id == "B47")
    }

    @Test func `a text beyond the limit is read up to it, and that is said`() {
        let line = "2026-01-15 12:00:00 nothing of interest happened here\n"
        let text = "AADB2C90118\n" + String(repeating: line, count: 400) + "AADB2C90091\n"
        let diagnosis = Diagnosis(Array(text.utf8), limit: 10_000, now: noon)
        #expect(diagnosis.codes == ["AADB2C90118"])
        #expect(diagnosis.notes.contains { $0.contains("tail -c") })
        #expect(Diagnosis(Array(text.utf8), now: noon).codes == ["AADB2C90118", "AADB2C90091"])
        #expect(
            Diagnosis(Array(text.utf8), isCut: true, now: noon).notes.contains { $0.contains("there are more of them") }
        )
    }

    @Test func `one endless line and many addresses are bounded`() {
        let line = (0..<3000).map {
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x\($0)/oauth2/v2.0/token "
        }.joined()
        let diagnosis = explained(line + "AADB2C90118")
        #expect(diagnosis.notes.contains { $0.contains("only its first") })
        #expect(diagnosis.notes.contains { $0.contains("were taken apart") })
        #expect(diagnosis.causes.contains { $0.cause.id == "B47" })
    }

    @Test(arguments: [
        "myapp://auth?error=access_denied&error_description=AADB2C901",
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x/oauth2/v2.0/authorize?client_id=%4",
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x/oauth2/v2.0/authorize?client_id=a&redir...",
    ])
    func `an address that was cut is reported as cut`(_ text: String) {
        let diagnosis = explained(text)
        #expect(diagnosis.hasFound && !diagnosis.notes.isEmpty, "\(diagnosis.notes)")
    }

    @Test func `every beginning of a symptom is read without harm`() {
        for row in SymptomTable.cases where row.text.utf8.count < 600 {
            let bytes = Array(row.text.utf8)
            for length in stride(from: 0, through: bytes.count, by: 61) {
                let diagnosis = Diagnosis(Array(bytes[..<length]), now: noon)
                #expect(diagnosis.causes.count <= Diagnosis.mostCauses)
            }
        }
    }

    @Test func `escapes of JSON, percent-encoding and entities make no difference`() {
        for text in [
            #"{\"error_description\":\"AADB2C90079:\r\nClients must send a client_secret\"}"#,
            "Clients%20must+send%20a%20client_secret",
            "Clients\u{00A0}must\nsend a\tclient_secret".replacing("\u{00A0}", with: " "),
            "&quot;Clients must send a client_secret&quot;",
            "&#34;Clients&nbsp;must&#x20;send a client&#95;secret&#33;",
        ] { #expect(explained(text).causes.contains { $0.cause.id == "B08" }, "\(text)") }
    }

    /// Forty thousand different things of a kind, each of which is kept once.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "AADB2C#\n", "AADSTS# ", "\"error\": \"a_#\"\n", "error=a_# \n", "error=access_denied&a=#\n",
            "https://x.test/#?error=a_#\n", "correlation id 00000000-0000-0000-0000-0000#\n", "password=#=",
            "AccountKey=",
            "eyJ#.", "Policy '#' in ", "scope=a_#+b_#&client_id=x&",
        ])
    func `a text with many different things stays quick`(_ piece: String) {
        let text = (0..<40_000).map { piece.replacing("#", with: String(100_000_000_000 + $0).suffix(8)) }.joined()
        let codes = explained(text).codes
        if piece.hasPrefix("AADB2C#") { #expect(codes.count == 40_000) }
    }
}
