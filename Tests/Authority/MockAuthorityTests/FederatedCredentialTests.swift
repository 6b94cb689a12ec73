import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

/// Tokens of other issuers in place of a client secret, at the token endpoint of the directory.
@Suite struct FederatedCredentialTests {
    private static let issuer = "https://token.actions.githubusercontent.com"
    private static let subject = "repo:contoso/policies:ref:refs/heads/main"

    private static func world() throws -> TestWorld {
        try TestWorld.graph(patch: [
            "apps": [
                "web": [
                    "registration": [
                        "federatedCredentials": [
                            ["issuer": .string(issuer), "subject": .string(subject)],
                            ["issuer": "https://devops.test/", "subject": "sc://a/b/c", "audience": "api://Own"],
                        ]
                    ]
                ]
            ]
        ])
    }

    /// A token request with an assertion that the issuer signed; `nil` takes a claim away.
    private static func send(
        _ claims: [(String, JSONValue?)] = [], form: [(String, String?)] = []
    ) throws -> (response: ResponseMessage, claims: JSONObject?) {
        var world = try world()
        let now = world.now.secondsSinceEpoch
        var own: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject), "aud": "api://AzureADTokenExchange",
            "nbf": .integer(now), "exp": .integer(now + 300),
        ]
        for (name, value) in claims { own[name] = value }
        let assertion = JWS.sign(header: ["alg": "RS256"], claims: own, key: TestKeys.named("of the issuer"))
        let response = try world.directoryToken(
            [
                ("client_secret", nil), ("client_assertion", assertion),
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            ] + form)
        return (response, response.json?["access_token"]?.stringValue.flatMap { JWS(compact: $0)?.claims })
    }

    @Test(
        arguments: [
            [], [("aud", ["api://AzureADTokenExchange", "other"])],
            [("iss", "https://devops.test/"), ("sub", "sc://a/b/c"), ("aud", "api://Own")],
        ] as [[(String, JSONValue?)]])
    func `a token that a credential is for is taken`(_ claims: [(String, JSONValue?)]) throws {
        let (response, claims) = try Self.send(claims)
        #expect(response.status == 200, "\(response.text)")
        #expect(claims?["appidacr"] == "2" && claims?["roles"] == ["User.ReadWrite.All"])
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var what: String
        var claims: [(String, JSONValue?)] = []
        var form: [(String, String?)] = []
        var status = 401
        var number: Int64

        var testDescription: String { what }
    }

    @Test(arguments: [
        Refused(what: "another issuer", claims: [("iss", "https://else.test")], number: 700_211),
        Refused(what: "no issuer", claims: [("iss", nil)], number: 700_211),
        Refused(what: "another branch", claims: [("sub", "repo:contoso/policies:ref:refs/heads/x")], number: 700_213),
        Refused(
            what: "letter case", claims: [("sub", "repo:Contoso/policies:ref:refs/heads/main")], number: 700_213),
        Refused(what: "the subject of another issuer", claims: [("sub", "sc://a/b/c")], number: 700_213),
        Refused(what: "another audience", claims: [("aud", "api://Own")], number: 700_212),
        Refused(what: "no audience", claims: [("aud", nil)], number: 700_212),
        Refused(what: "expired", claims: [("exp", 1)], number: 700_024),
        Refused(what: "no end", claims: [("exp", nil)], number: 700_024),
        Refused(what: "not yet valid", claims: [("nbf", 4_000_000_000)], number: 700_024),
        Refused(
            what: "signed by the app itself", claims: [("iss", .string((try? TestWorld().clientID("web")) ?? ""))],
            status: 400, number: 700_027),
        Refused(
            what: "no type", form: [("client_assertion_type", nil)], status: 400, number: 900_144),
        Refused(
            what: "another type", form: [("client_assertion_type", "saml2-bearer")], status: 400, number: 50027),
        Refused(what: "no JWT", form: [("client_assertion", "a")], status: 400, number: 50027),
    ])
    func `others are refused with their code`(_ refused: Refused) throws {
        let (response, _) = try Self.send(refused.claims, form: refused.form)
        #expect(response.status == refused.status, "\(response.text)")
        #expect(response.json?["error_codes"] == [.integer(refused.number)])
        #expect(response.refusal?.isEmpty == false)
    }

    @Test func `an app without credentials stays refused`() throws {
        var world = try TestWorld.graph()
        let response = try world.directoryToken([("client_secret", nil), ("client_assertion", "a.b.c")])
        #expect(response.json?["error_codes"] == [700_027])
    }
}
