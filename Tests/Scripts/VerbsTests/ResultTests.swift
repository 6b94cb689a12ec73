import Exchanges
import HTTPMessages
import JOSE
import JSON
import Testing
import Verbs

/// What verbs return: the records, and what they are written as.
@Suite struct ResultTests {
    @Test func `each verb says what its result has`() {
        let documented: [Verb: [String]] = [
            .acquireToken: [
                "accessToken", "idToken", "scopes", "expiresOn", "extendedLifeTimeToken", "account", "tenantProfile",
                "authority", "correlationId", "state", "fromCache",
            ],
            .currentAccount: ["current", "previous"],
            .callApi: ["status", "headers", "body", "json", "location", "b2cCode", "b2cMessage", "reason"],
            .open: ["url", "status", "page", "request", "response", "delivered"],
            .advanceClock: ["now"], .barrier: [], .removeAccount: [],
        ]
        for (verb, members) in documented {
            #expect(verb.record.results.flatMap { $0.fields.map(\.name) } == members, "\(verb.rawValue)")
        }
        let docs = Verb.allCases.flatMap { verb in verb.record.results.flatMap { $0.fields } }.map(\.doc)
        #expect(docs.count > 60 && !docs.contains(""))
    }

    @Test func `a look has the members of what it looks at`() {
        let members = Inspect.Store.allCases.map { store in Inspect { $0.what = store }.resultMembers ?? [] }
        #expect(
            members == [
                [
                    "accounts", "accessTokens", "refreshTokens", "idTokens", "appMetadata", "accountMetadata",
                    "unified",
                ], ["cookies"], ["local", "session", "url"], ["users"], ["messages"], ["keySets"],
            ])
        #expect(Inspect().resultMembers == nil)
        #expect(Resume().resultMembers == nil)
    }

    private static func jwt(_ claims: JSONValue) -> String {
        let parts: [JSONValue] = [["alg": "RS256", "kid": "k"], claims]
        return parts.map { Base64URL.encode(Array(JSONWriter.compact($0).utf8)) }.joined(separator: ".") + ".c2ln"
    }

    private static func result(_ idToken: String, isHome: Bool) -> TokenResult {
        TokenResult(
            accessToken: TokenText("opaque"), idToken: TokenText(idToken), scopes: ["openid"], expiresOn: nil,
            extendedLifeTimeToken: false,
            account: AccountResult(
                identifier: "a.t", objectId: "a", tenantId: "t", username: nil, environment: "login.test",
                policy: "susi",
                claims: nil),
            tenantProfile: TenantProfile(identifier: "a", environment: "login.test", isHomeTenantProfile: isHome),
            authority: "https://login.test/t", correlationId: "ID", fromCache: false)
    }

    @Test(arguments: [true, false])
    func `the claims of the ID token are those of the account in its own tenant`(isHome: Bool) {
        let claims: JSONValue = ["tid": "t", "name": "Ada"]
        let json = Self.result(Self.jwt(claims), isHome: isHome).json
        #expect(json["accessToken"] == ["raw": "opaque"])
        #expect(json["idToken", "claims"] == claims && json["idToken", "header", "kid"] == "k")
        #expect(json["account", "claims"] == (isHome ? claims : JSONValue?.none))
        #expect(
            json["tenantProfile"] == [
                "identifier": "a", "tenantId": "t", "environment": "login.test", "isHomeTenantProfile": .bool(isHome),
                "claims": claims,
            ])
        #expect(json["expiresOn"] == nil && json["state"] == nil)
    }

    @Test func `an ID token that is not a JWT is a text`() {
        let json = Self.result("opaque", isHome: true).json
        #expect(json["idToken"] == ["raw": "opaque"])
        #expect(json["account", "claims"] == nil && json["tenantProfile", "tenantId"] == nil)
    }

    @Test func `the members of a token result come in one order, and the caller's state last`() {
        var result = Self.result("x", isHome: false)
        result.state = "mine"
        #expect(
            result.json.objectValue?.keys == [
                "accessToken", "idToken", "scopes", "extendedLifeTimeToken", "account", "tenantProfile", "authority",
                "correlationId", "fromCache", "state",
            ])
    }

    @Test func `an error has the members that its library reports`() {
        var error = ClientError(.server, domain: "d", code: -50000, description: "Refused.")
        #expect(error.json == ["kind": "server", "domain": "d", "code": -50000, "description": "Refused."])
        error.underlying = ClientError(.other, domain: "inner", code: "word", description: "AADB2C90118: Forgotten.")
        error.correlationId = "ID"
        error.stsCodes = [1]
        #expect(
            error.json.objectValue?.keys == [
                "kind", "domain", "code", "description", "b2cCode", "correlationId", "stsCodes", "underlying",
            ])
        #expect(error.json["b2cCode"] == "AADB2C90118" && error.json["underlying", "code"] == "word")
        #expect(ClientError(.other, domain: "d", code: "c", description: "AADB2C, AADB2Cx").b2cCode == nil)
        // No expectation compares these; a later step may read them.
        let others = ClientError.members.filter { !$0.isCompared }.map(\.field.name)
        #expect(others == ["stsCodes", "partialResult", "displayableUserId", "homeAccountId"])
        #expect(!ClientError.fields.contains { others.contains($0.name) })
    }

    @Test func `nobody in use is null, not absent`() {
        #expect(CurrentAccount.Returned(current: nil, previous: nil).json == ["current": nil, "previous": nil])
        #expect(NoResult().json == [:])
    }

    @Test(
        arguments: [
            (
                ResponseMessage.redirect(
                    "app://x#error=server_error&error_description=AADB2C90037%3A%20Busy.%0D%0ATimestamp%3A%20x"),
                "AADB2C90037", "Busy."
            ),
            (
                .json(400, ["error_description": "AADB2C90080: The grant has expired.\r\nCorrelation ID: 1"]),
                "AADB2C90080", "The grant has expired."
            ),
            (.json(200, ["error_description": "nothing"]), nil, nil),
        ] as [(ResponseMessage, String?, String?)])
    func `the error of an answer is read wherever it is`(response: ResponseMessage, code: String?, message: String?) {
        let json = HTTPAnswer(response).json
        #expect(json["status"] == .integer(Int64(response.status)))
        #expect(json["b2cCode"]?.stringValue == code && json["b2cMessage"]?.stringValue == message)
        let returned = CallAPI.Returned(answer: HTTPAnswer(response)).json
        #expect(returned == json, "an API that refuses nothing gives no reason")
    }
}
