import Determinism
import ExtensionCalls
import HTTPMessages
import JOSE
import JSON
import Testing

/// What is sent: bodies, tokens, and times.
struct ExtensionCallTests {
    private func body(_ event: ExtensionEvent, form: ExtensionCall.BodyForm = .full) throws -> JSONValue {
        var call = Sample.call(event)
        call.form = form
        var generator = SeededGenerator(seed: 3)
        return .object(try call.body(using: &generator))
    }

    private static let tenant = "00000000-0000-aaaa-0000-000000000001"

    private static func context(_ name: String = "ip", rest: JSONObject) -> JSONValue {
        let app = "22222222-0000-4000-8000-000000000002"
        let principal: JSONValue = [
            "id": .string(GUID.derived(from: "service principal/\(app)").description), "appId": .string(app),
            "appDisplayName": "shop", "displayName": "shop",
        ]
        var context: JSONObject = [
            "correlationId": "00000000-0000-0001-0000-000000000001",
            "client": [name: "127.0.0.1", "locale": "en-us", "market": "en-us"],
            "protocol": name == "ip" ? "OAUTH2.0" : "OAUTH2", "clientServicePrincipal": principal,
            "resourceServicePrincipal": name == "ip" ? principal : .null,
        ]
        for (key, value) in rest.members { context.append(key, value) }
        return .object(context)
    }

    private static let user: JSONValue = [
        "displayName": "Ada", "givenName": "Ada", "id": "00000000-0000-bbbb-0000-000000000002",
        "mail": "ada@contoso.test", "surname": "Lovelace",
        "userPrincipalName": "00000000-0000-bbbb-0000-000000000002@contoso.onmicrosoft.com", "userType": "Member",
    ]

    private static func call(_ type: String, _ data: String, context: JSONValue, _ rest: JSONObject) -> JSONValue {
        var all: JSONObject = [
            "@odata.type": .string("microsoft.graph.\(data)CalloutData"), "tenantId": .string(tenant),
            "authenticationEventListenerId": "00000000-0000-0002-0000-000000000002",
            "customAuthenticationExtensionId": "00000000-0000-0003-0000-000000000003",
            "authenticationContext": context,
        ]
        for (key, value) in rest.members { all.append(key, value) }
        return [
            "type": .string("microsoft.graph.authenticationEvent.\(type)"),
            "source": .string("/tenants/\(tenant)/applications/22222222-0000-4000-8000-000000000002"),
            "data": .object(all),
        ]
    }

    private static func attribute(_ type: String, _ value: JSONValue, _ kind: String = "builtIn") -> JSONValue {
        [
            "@odata.type": .string("microsoft.graph.\(type)DirectoryAttributeValue"), "value": value,
            "attributeType": .string(kind),
        ]
    }

    private static let identities: JSONValue = [
        ["signInType": "email", "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": "ada@contoso.test"]
    ]

    @Test func `the token event has the user`() throws {
        let expected = Self.call(
            "tokenIssuanceStart", "onTokenIssuanceStart", context: Self.context(rest: ["user": Self.user]), [:])
        #expect(try body(.tokenIssuanceStart) == expected)
    }

    @Test(arguments: [
        (ExtensionEvent.attributeCollectionStart, "onAttributeCollectionStart"),
        (.attributeCollectionSubmit, "onAttributeCollectionSubmit"),
    ])
    func `the attribute events have typed attributes and no user`(_ event: ExtensionEvent, _ data: String) throws {
        let attributes: JSONValue = [
            "displayName": Self.attribute("string", "Ada"), "givenName": Self.attribute("string", "Ada"),
            "surname": Self.attribute("string", "Lovelace"), "age": Self.attribute("int64", 36),
            "newsletter": Self.attribute("boolean", true),
            "extension_000000000000cccc0000000000000003_points": Self.attribute(
                "int64", 7, "directorySchemaExtension"),
        ]
        let expected = Self.call(
            event.rawValue, data, context: Self.context(rest: [:]),
            ["userSignUpInfo": ["attributes": attributes, "identities": Self.identities]])
        #expect(try body(event) == expected)
    }

    @Test func `the code event has address and code`() throws {
        let expected = Self.call(
            "emailOtpSend", "onOtpSend", context: Self.context(rest: ["requestType": "signUp", "user": Self.user]),
            ["otpContext": ["identifier": "ada@contoso.test", "oneTimeCode": "12345678"]])
        #expect(try body(.emailOtpSend) == expected)
    }

    @Test func `the claim validation has the spelling of its sample`() throws {
        let claims = JSONValue.object(Sample.person.attributes)
        let expected = Self.call(
            "verifiedIdClaimValidation", "onVerifiedIdClaimValidation",
            context: Self.context("clientIp", rest: ["user": Self.user]),
            [
                "verifiedIdClaimsContext": [
                    "identities": Self.identities, "additionalInfo": .object([:]), "claims": claims,
                ]
            ])
        #expect(try body(.verifiedIdClaimValidation) == expected)
    }

    @Test func `the password is encrypted`() throws {
        let sent = try #require(try body(.passwordSubmit)["data", "encryptedPasswordContext"]?.stringValue)
        let parts = sent.split(separator: ".")
        #expect(parts.count == 5)
        let header = try JSONParser.parse(try #require(Base64URL.decode(String(parts[0]))))
        #expect(header["alg"] == "RSA-OAEP-256" && header["enc"] == "A256GCM" && header["cty"] == "JWT")
        #expect(header["kid"]?.stringValue == Sample.key.kid)
        #expect(!(try body(.passwordSubmit).description.contains("Correct-Horse-9")))
    }

    @Test func `a password without a key is refused`() throws {
        var call = Sample.call(.passwordSubmit)
        call.encryption = nil
        var generator = SeededGenerator(seed: 3)
        #expect(throws: JOSEError.self) { try call.body(using: &generator) }
    }

    @Test func `the smallest body has no optional members`() throws {
        let minimal = try body(.tokenIssuanceStart, form: .minimal)
        let context = try #require(minimal["data", "authenticationContext"])
        #expect(context.objectValue?.keys == ["correlationId", "client", "protocol", "clientServicePrincipal", "user"])
        #expect(context["client"]?.objectValue?.keys == ["ip"])
        #expect(context["user"]?.objectValue?.keys == ["id", "userPrincipalName"])
    }

    // MARK: tokens

    @Test(arguments: ExtensionIssuer.Host.allCases)
    func `tokens verify with the published keys`(_ host: ExtensionIssuer.Host) throws {
        let issuer = ExtensionIssuer(tenantID: "contoso-id", origin: Sample.origin)
        let text = issuer.signed(ExtensionToken(audience: "app", host: host), now: Sample.start)
        let token = try #require(JWS(compact: text))
        let base = "/extension-caller/\(host.rawValue)/contoso-id"
        let discovery = try #require(
            ExtensionIssuer.answer("\(base)/v2.0/.well-known/openid-configuration", origin: Sample.origin)?.json)
        #expect(token.claims?["iss"] == discovery["issuer"])
        let address = try #require(discovery["jwks_uri"]?.stringValue.flatMap { WebURL($0) })
        let keys = try #require(ExtensionIssuer.answer(address.path, origin: Sample.origin)?.json)
        let set = try #require(JWKSet(json: keys))
        #expect(throws: Never.self) { try token.verify(in: set).get() }
        #expect(token.claims?["azp"]?.stringValue == ExtensionIssuer.callerID && token.claims?["appid"] == nil)
    }

    @Test func `the key of the external host is published there alone`() throws {
        func keys(_ host: String) -> [String] {
            let path = "/extension-caller/\(host)/t/discovery/v2.0/keys"
            let json = ExtensionIssuer.answer(path, origin: Sample.origin)?.json
            return json.flatMap { JWKSet(json: $0) }?.keys.compactMap(\.kid) ?? []
        }
        let issuer = ExtensionIssuer(tenantID: "t", origin: Sample.origin)
        let token = JWS(compact: issuer.signed(ExtensionToken(audience: "app"), now: Sample.start))
        let kid = try #require(token?.header["kid"]?.stringValue)
        #expect(keys("external").contains(kid) && !keys("workforce").contains(kid))
        #expect(Set(keys("workforce")).isSubset(of: keys("external")))
    }

    @Test(arguments: [
        "/", "/extension-caller", "/extension-caller/other/t/discovery/v2.0/keys",
        "/extension-caller/external//discovery/v2.0/keys",
    ])
    func `other paths have no answer`(_ path: String) {
        #expect(ExtensionIssuer.answer(path, origin: Sample.origin) == nil)
    }

    @Test func `without a server the names are those of the service`() {
        let issuer = ExtensionIssuer(tenantID: "t")
        #expect(issuer.issuer(.external) == "https://t.ciamlogin.com/t/v2.0")
        #expect(issuer.issuer(.workforce) == "https://login.microsoftonline.com/t/v2.0")
    }

    // MARK: times

    /// Time-out, retries, delay of the receiver; requests and what is found.
    @Test(arguments: [
        (1000, 1, 10, 1, [String]()), (1000, 1, 1001, 2, ["time-out"]), (1000, 0, 1001, 1, ["time-out"]),
        (5000, 1, 2001, 2, ["time-out"]), (1, 1, 199, 1, []), (2000, 5, 2001, 2, ["time-out"]),
    ])
    func `the time limit and the retry are those of the service`(
        _ row: (limit: Int64, retries: Int, delay: Int64, requests: Int, found: [String])
    ) async throws {
        var call = Sample.call(.tokenIssuanceStart)
        (call.timeout, call.retries) = (.milliseconds(row.limit), row.retries)
        let transport = ReceiverTransport(Receiver(name: "", delay: row.delay))
        let outcome = try await call.send(
            over: transport, clock: transport.time.clock, using: SeededGenerator(seed: 4))
        #expect(outcome.attempts.map(\.milliseconds) == Array(repeating: row.delay, count: row.requests))
        #expect(outcome.findings.map(\.id) == row.found)
        let limit = TimeSpan.milliseconds(min(max(row.limit, 200), 2000))
        #expect(transport.limits == Array(repeating: limit, count: row.requests))
    }
}
