import B2CProtocol
import Determinism
import JSON
import Testing

struct ScopeTests {
    @Test func `reading keeps the order and drops repeats`() {
        let list = ScopeList(parsing: "  openid  https://c.test/tasks/read openid offline_access ")
        #expect(list.scopes == ["openid", "https://c.test/tasks/read", "offline_access"])
        #expect(list.text == "openid https://c.test/tasks/read offline_access")
        #expect(list.withoutReserved == ["https://c.test/tasks/read"])
        #expect(ScopeList(parsing: "").isEmpty && ScopeList(parsing: "   ").isEmpty)
    }

    @Test func `scopes are compared`() {
        let granted: ScopeList = ["https://C.test/Tasks/Read", "openid"]
        #expect(granted.covers(["https://c.test/tasks/read"]))
        #expect(!granted.covers(["https://c.test/tasks/write", "openid"]))
        #expect(granted.contains("openid") && !granted.contains("OpenID"))
        #expect(granted.containsIgnoringCase("OPENID"))
        #expect(granted.union(["openid", "profile"]).scopes == ["https://C.test/Tasks/Read", "openid", "profile"])
        #expect(ScopeList.reserved == ["openid", "profile", "offline_access"])
        #expect(ScopeList.isReserved("Offline_Access") && !ScopeList.isReserved("email"))
    }

    @Test(
        arguments: [("openid a/b", nil), ("a\"b", "\""), ("a\\b", "\\"), ("a\tb", "\t"), ("ä", "ä")]
            as [(String, Character?)])
    func `illegal characters are refused`(_ text: String, _ found: Character?) {
        #expect(ScopeList.illegalCharacter(in: text) == found)
    }
}

struct ResponseTypeTests {
    @Test(arguments: ResponseType.discoveryNames)
    func `every advertised type is read`(_ name: String) throws {
        let type = try #require(ResponseType(parsing: name))
        #expect(Set(type.text.split(separator: " ")) == Set(name.split(separator: " ")))
        #expect(type.defaultMode == (name == "code" ? .query : .fragment))
        let backwards = name.split(separator: " ").reversed().joined(separator: " ")
        #expect(ResponseType(parsing: backwards) == type)
    }

    @Test(arguments: ["", " ", "none", "code code", "Code", "code id_tokens", "id_token,code"])
    func `other types are not read`(_ text: String) {
        #expect(ResponseType(parsing: text) == nil)
    }

    @Test func `words are written as on the wire`() {
        #expect(ResponseMode.allCases.map(\.rawValue) == ["query", "fragment", "form_post"])
        #expect(Prompt.allCases.map(\.rawValue) == ["none", "login", "consent", "select_account"])
        #expect(Prompt(rawValue: "create") == nil)
    }
}

struct PKCETests {
    /// RFC 7636 appendix B.
    @Test func `the example of RFC 7636 holds`() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(PKCE.challenge(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(PKCE.isWellFormed(verifier: verifier))
        #expect(PKCE.matches(verifier: verifier, challenge: PKCE.challenge(verifier), method: .s256))
        #expect(!PKCE.matches(verifier: verifier + "A", challenge: PKCE.challenge(verifier), method: .s256))
        #expect(PKCE.matches(verifier: verifier, challenge: verifier, method: .plain))
    }

    @Test func `verifiers are fresh and well-formed`() {
        var random = SeededGenerator(seed: 7)
        let verifiers = (0..<200).map { _ in PKCE.verifier(&random) }
        #expect(Set(verifiers).count == 200)
        #expect(verifiers.allSatisfy { $0.utf8.count == 43 && PKCE.isWellFormed(verifier: $0) })
    }

    @Test(arguments: [(42, false), (43, true), (128, true), (129, false)])
    func `a verifier has 43 to 128 characters`(_ count: Int, _ expected: Bool) {
        #expect(PKCE.isWellFormed(verifier: String(repeating: "a", count: count)) == expected)
        #expect(!PKCE.isWellFormed(verifier: String(repeating: "a", count: 50) + " "))
    }
}

struct ClientInfoTests {
    @Test func `client_info is read as it was written`() throws {
        let info = ClientInfo(uid: "0d9f-b2c_1_susi", utid: "775527ff")
        #expect(ClientInfo(encoded: info.encoded) == info)
        #expect(info.homeAccountID == "0d9f-b2c_1_susi.775527ff")
        #expect(info.encoded == "eyJ1aWQiOiIwZDlmLWIyY18xX3N1c2kiLCJ1dGlkIjoiNzc1NTI3ZmYifQ")
    }

    @Test(arguments: ["", "*", "bnVsbA", "eyJ1aWQiOiJ4In0", "eyJ1aWQiOjEsInV0aWQiOiJ4In0"])
    func `malformed client_info is refused`(_ text: String) {
        #expect(ClientInfo(encoded: text) == nil)
    }

    @Test func `profile_info is read`() throws {
        let encoded = ProfileInfo.encoded(tenantID: "t", name: "David", idp: "LocalAccount")
        let object = try #require(ProfileInfo.decode(encoded))
        #expect(object.keys == ["ver", "tid", "sub", "name", "preferred_username", "idp"])
        #expect(object["name"] == "David" && object["sub"] == .null)
    }

    @Test func `Basic credentials are read`() throws {
        let credentials = BasicCredentials(user: "id:1", password: "s ecret%")
        #expect(BasicCredentials(credentials.header) == credentials)
        #expect(BasicCredentials("Basic Og==") == BasicCredentials(user: "", password: ""))
        #expect(
            BasicCredentials("Bearer x") == nil && BasicCredentials(nil) == nil && BasicCredentials("Basic ?") == nil)
    }
}

struct DiscoveryTests {
    static let document = DiscoveryDocument(
        issuer: "https://h/t/v2.0/", authorizationEndpoint: "https://h/a", tokenEndpoint: "https://h/t",
        endSessionEndpoint: "https://h/l", jwksURI: "https://h/k", claimsSupported: ["oid", "tfp"])

    @Test func `a discovery document is read as it was written, in B2C's order`() throws {
        let json = Self.document.json
        #expect(
            json.keys == [
                "issuer", "authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri",
                "response_modes_supported", "response_types_supported", "scopes_supported", "subject_types_supported",
                "id_token_signing_alg_values_supported", "token_endpoint_auth_methods_supported", "claims_supported",
            ])
        #expect(DiscoveryDocument(json: .object(json)) == Self.document)
    }

    @Test(arguments: ["issuer", "authorization_endpoint", "token_endpoint"])
    func `a document without a required member is refused`(_ member: String) {
        var json = Self.document.json
        json[member] = nil
        #expect(DiscoveryDocument(json: .object(json)) == nil)
        json[member] = 1
        #expect(DiscoveryDocument(json: .object(json)) == nil)
    }

    @Test func `the end-session endpoint is optional`() {
        var json = Self.document.json
        json["end_session_endpoint"] = nil
        #expect(DiscoveryDocument(json: .object(json))?.endSessionEndpoint == nil)
        #expect(DiscoveryDocument(json: .object(json)) != nil)
        json["end_session_endpoint"] = .null
        #expect(DiscoveryDocument(json: .object(json)) == nil)
        #expect(DiscoveryDocument(json: "text") == nil)
    }

    @Test(.timeLimit(.minutes(2))) func `a list of many scopes stays quick`() {
        let list = ScopeList(parsing: (0..<200_000).map { "s\($0) s\($0)" }.joined(separator: " "))
        #expect(list.scopes.count == 200_000)
        #expect(list.covers(list))
    }
}
