import AuthorityHosting
import Determinism
import Exchanges
import Foundation
import HTTPMessages
import JSON
import TestSupport
import Testing

@testable import MockServerCore

/// The control interface as programs meet it.
@Suite struct ControlTests {
    // MARK: The table

    @Test func `every call is documented and reachable`() async throws {
        let stage = try await ControlStage()
        let document = try await stage.call("GET", "/openapi.json")
        var ids: [String] = []
        for route in ControlRoutes.all {
            let operation = try #require(document["paths"]?[route.path]?[route.method.lowercased()])
            ids.append(try #require(operation["operationId"]?.stringValue))
            #expect(operation["responses"]?[String(route.answer.status)] != nil)
            #expect((operation["requestBody"] != nil) == (route.body != nil))
            for part in route.segments where part.hasPrefix("{") {
                #expect(route.parts.contains { $0.name == part.dropFirst().dropLast() })
            }
            // A method that nobody has is refused by the path, which therefore is there.
            let path = route.path.replacing("{", with: "").replacing("}", with: "")
            let message = try await stage.message("BREW", path)
            #expect(message.status == 405)
            #expect(message.headers["Allow"]?.contains(route.method) == true)
        }
        #expect(Set(ids).count == ids.count)
        let paths = try #require(document["paths"]?.objectValue)
        #expect(paths.members.flatMap { $0.value.objectValue?.keys ?? [] }.count == ControlRoutes.all.count)
    }

    @Test func `every reference of the document leads somewhere`() {
        var pointers: [String] = []
        func collect(_ value: JSONValue) {
            switch value {
            case .array(let elements): elements.forEach(collect)
            case .object(let object):
                for (name, member) in object.members {
                    if name == "$ref", let text = member.stringValue { pointers.append(text) }
                    collect(member)
                }
            default: break
            }
        }
        collect(OpenAPIDocument.json)
        #expect(pointers.count > 20)
        for pointer in Set(pointers).sorted() {
            var value: JSONValue? = OpenAPIDocument.json
            for token in pointer.split(separator: "/").dropFirst() { value = value?[String(token)] }
            #expect(value != nil, "\(pointer)")
        }
    }

    @Test func `the reference page is that of the table`() throws {
        let path = "docs/control-api.md"
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
            try Data(ControlReference.markdown.utf8).write(to: TestFiles.root().appendingPathComponent(path))
        }
        let shipped = String(decoding: try TestFiles.bytes(path), as: UTF8.self)
        #expect(
            shipped == ControlReference.markdown,
            "record it with B2C_RECORD=1: \(lineDifference(expected: shipped, found: ControlReference.markdown))")
    }

    /// What an example of the reference shows is taken.
    @Test(arguments: ControlRoutes.all.filter { $0.example != nil }.map(\.id))
    func `examples are taken`(id: String) async throws {
        let route = try #require(ControlRoutes.all.first { $0.id == id })
        let stage = try await ControlStage()
        let path = route.path.replacing("{name}", with: id == "restartAPI" ? "tasks" : "ada")
            .replacing("{set}", with: "service")
        try await stage.call(route.method, path, route.example, expect: route.answer.status)
    }

    // MARK: Bad input

    @Test func `what stays with a world is bounded, and the limit is named`() async throws {
        let stage = try await ControlStage()
        let rows: [(method: String, path: String, body: JSONValue, status: Int, words: String)] = [
            (
                "POST", "/faults/effects",
                ["exchange": "4", "claims": ["city": .string(String(repeating: "x", count: 65_536))]], 413,
                "at most 65536 (64 kB)"
            ),
            (
                "PUT", "/faults", ["rules": .array(Array(repeating: ["network": "dns"], count: 1001))], 400,
                "`rules` has 1001 rules, and at most 1000 can be in force"
            ),
            (
                "POST", "/keys/service/rotate", ["key": .string(String(repeating: "k", count: 65))], 400,
                "1 to 64 characters"
            ),
        ]
        for row in rows {
            let answer = try await stage.call(row.method, row.path, row.body, expect: row.status)
            let text = answer["error"]?["message"]?.stringValue ?? ""
            #expect(text.contains(row.words), "\(text.prefix(300))")
        }
    }

    @Test func `a key set publishes a bounded number of keys`() async throws {
        let stage = try await ControlStage()
        let names = (1...64).map { JSONValue.string("k\($0)") }
        try await stage.call("PATCH", "/tenant", ["patch": ["keySets": ["service": ["publish": .array(names)]]]])
        let answer = try await stage.call("POST", "/keys/service/rotate", [:], expect: 409)
        #expect(answer["error"]?["message"]?.stringValue?.contains("64 keys, and at most 64") == true, "\(answer)")
        try await stage.call("POST", "/keys/service/rotate", ["keepPublished": false])
        try await stage.call("POST", "/keys/service/rotate", [:])
    }

    @Test(
        arguments: [
            ("GET", "/statee", nil, 404, "did you mean /_b2c/v1/state?"),
            ("GET", "/users/adda", nil, 404, "did you mean `ada`?"),
            ("POST", "/keys/servise/rotate", "{}", 404, "did you mean `service`?"),
            ("POST", "/apis/task/restart", "{}", 404, "did you mean `tasks`?"),
            ("DELETE", "/sessions/none", nil, 404, "there is no session"),
            ("GET", "/events?sinse=1", nil, 400, "did you mean `since`?"),
            ("GET", "/events?since=-1", nil, 400, "is a number from 0"),
            ("GET", "/users?secrets=yes", nil, 400, "`show` or `mask`"),
            ("PATCH", "/clock", #"{"advanse":"PT1H"}"#, 400, "`advanse` is not a key"),
            ("PATCH", "/clock", #"{"advance":"soon"}"#, 400, "advance"),
            ("PATCH", "/clock", #"{"advance""#, 400, "closed"), ("PATCH", "/clock", "[]", 400, "must be an object"),
            ("PATCH", "/clock", #"{"freeze":true,"freeze":false}"#, 400, "occurs twice"),
            ("POST", "/worlds", #"{"tenant":{"name":"x","polices":{}}}"#, 422, "one finding"),
            ("POST", "/worlds", #"{"tenant":{"name":"x"},"seed":-1}"#, 400, "seed"),
            ("DELETE", "/worlds/default", nil, 409, "the default world stays"),
            ("POST", "/users", #"{"name":"ada","user":{}}"#, 409, "already"),
            ("PUT", "/faults", #"{"rules":[{"network":"tls"},{"network":"dns"}]}"#, 422, "one finding"),
            ("PUT", "/faults", #"{"rules":[{"match":{"endpoint":"callback"},"copies":0}]}"#, 409, "app's side"),
            ("POST", "/faults/effects", #"{"exchange":"4"}"#, 400, "no effect"),
            (
                "POST", "/faults/effects", #"{"exchange":"x","b2cError":"AADB2C90035"}"#, 400,
                "the number of an exchange"
            ),
            ("POST", "/tokens", #"{"from":"no token"}"#, 409, "not a JSON web token"),
            ("PUT", "/state", #"{"format":"other","version":1,"tenant":{}}"#, 400, "format"),
            (
                "PUT", "/state",
                #"{"format":"b2c-harness/state","version":1,"tenant":{"name":"contoso"},"accounts":[{"objectId":"x"}]}"#,
                409,
                "/accounts/0"
            ),
        ] as [(String, String, String?, Int, String)])
    func `bad input explains itself`(
        _ method: String, _ path: String, _ body: String?, _ status: Int, _ words: String
    ) async throws {
        let stage = try await ControlStage()
        let url = try #require(WebURL("http://localhost\(ControlAPI.prefix)\(path)"))
        var request = RequestMessage(method: method, url: url)
        if let body {
            request.body = Array(body.utf8)
            request.headers["Content-Type"] = "application/json"
        }
        guard case .message(let message) = await stage.api.answer(request, world: Worlds.defaultName) else {
            throw ControlStageProblem.isStream
        }
        #expect(message.status == status)
        let text = try #require(message.json?["error"]?["message"]?.stringValue)
        #expect(text.contains(words), "\(text)")
    }

    @Test func `a body must be declared as JSON`() async throws {
        let stage = try await ControlStage()
        let message = try await stage.message("PATCH", "/clock", [:], headers: ["Content-Type": "text/plain"])
        #expect(message.status == 415)
        #expect(try await stage.message("GET", "/clock", world: "w7").status == 404)
    }

    // MARK: What it does

    @Test func `clocks move as their world allows`() async throws {
        let stage = try await ControlStage()
        let made = try await stage.call(
            "POST", "/worlds",
            ["tenant": ControlStage.tenant, "seed": "18446744073709551615", "now": "2026-01-15T12:00:00Z"], expect: 201)
        let name = try #require(made["world"]?.stringValue)
        let clock = try await stage.call("PATCH", "/clock", ["advance": "PT61M"], world: name)
        #expect(clock["now"] == "2026-01-15T13:01:00Z" && clock["frozen"] == true)
        for change in [["freeze": false], ["now": "2026-01-01T00:00:00Z"], ["advance": "-PT1S"], ["skew": "PT1S"]]
            as [JSONValue]
        {
            try await stage.call("PATCH", "/clock", change, expect: 409, world: name)
        }
        let listed = try await stage.call("GET", "/worlds")
        #expect(listed["worlds"]?.arrayValue?.compactMap { $0["world"]?.stringValue } == ["default", name])
        try await stage.call("DELETE", "/worlds/\(name)", expect: 204)
        try await stage.call("GET", "/clock", expect: 404, world: name)
    }

    /// A number that cannot be counted on from is refused, and the server goes on.
    @Test(arguments: ["9223372036854775807", "-1", "9007199254740992", "1.5", "1e300"])
    func `a state with extreme numbers is refused`(number: String) async throws {
        let stage = try await ControlStage()
        try await stage.call("PATCH", "/users/ada", ["displayName": "Countess"])
        let exported = JSONWriter.compact(try await stage.call("GET", "/state"))
        let changed = exported.replacing(/"revision":\d+/, with: "\"revision\":\(number)")
        try #require(changed != exported)
        let answer = try await stage.message("PUT", "/state", try JSONParser.parse(changed))
        #expect((400..<500).contains(answer.status), "\(answer.status) \(answer.text)")
        try await stage.call("PATCH", "/users/ada", ["displayName": "Ada"])
        #expect(JSONWriter.compact(try await stage.call("GET", "/users/ada")).contains("Ada"))
    }

    /// Only the policy has the provider's address, and the log says the same about it as the runner's own log.
    @Test func `a provider that only a custom policy names is logged as one`() async throws {
        let stage = try await ControlStage()
        var policies = JSONObject()
        for name in ["Base.xml", "ProviderOidc.xml"] {
            policies[name] = .string(String(decoding: try TestFiles.bytes("scenarios/policies/\(name)"), as: UTF8.self))
        }
        let tenant: JSONValue = [
            "name": "contoso",
            "policies": ["work": ["id": "B2C_1A_ProviderOidc", "type": "custom", "file": "ProviderOidc.xml"]],
            "providers": ["work": ["type": "oidc", "domain": "work.example"]],
        ]
        try await stage.call("POST", "/worlds", ["tenant": tenant, "policies": .object(policies)], expect: 201)
        let world = try #require(stage.worlds.world(named: stage.worlds.names.last))
        let url = try #require(WebURL("https://work.example/tenant/.well-known/openid-configuration"))
        let request = RequestMessage.get(url)
        #expect(world.tenant.classifier.classify(request, from: .authority).endpoint == "provider")
        #expect(try await world.delivery(of: request, from: .authority).outcome.get().status == 200)
        #expect(world.exchangesSoFar.map(\.endpoint) == ["provider"])
        // It stays so when the tenant changes.
        try await stage.call("PATCH", "/tenant", ["patch": ["device": ["locale": "de"]]], world: world.name)
        _ = await world.delivery(of: request, from: .authority)
        #expect(world.exchangesSoFar.map(\.endpoint) == ["provider", "provider"])
    }

    @Test func `a world of a seed and path draws as the runner would`() async throws {
        let stage = try await ControlStage()
        try await stage.call(
            "POST", "/worlds", ["tenant": ControlStage.tenant, "seed": 7, "seedPath": "sign-in.json/a case"],
            expect: 201)
        let world = try #require(stage.worlds.world(named: stage.worlds.names.last))
        #expect(world.seed == SeededGenerator(seed: 7, stream: "sign-in.json/a case"))
    }

    @Test func `findings of a tenant name their place`() async throws {
        let stage = try await ControlStage()
        let error = try await stage.call(
            "PATCH", "/tenant", ["patch": ["policies": ["susi": ["typ": "x"]]]], expect: 422)
        let finding = try #require(error["error"]?["findings"]?.arrayValue?.first)
        #expect(finding["pointer"] == "/policies/susi/typ")
        #expect(finding["remedy"]?.stringValue?.contains("type") == true)
        #expect(try await stage.call("GET", "/tenant")["written"]?["policies"]?["susi"]?["typ"] == nil)
    }

    /// The kits for Python and JavaScript read it.
    @Test func `the tenant says where each app gets its answers`() async throws {
        let stage = try await ControlStage()
        let standard: JSONValue = ["redirectUri": "msauth.com.contoso.tasks://auth"]
        #expect(try await stage.call("GET", "/tenant")["apps"] == ["ios": standard])
        func patched(_ uris: JSONValue) async throws -> JSONValue? {
            try await stage.call(
                "PATCH", "/tenant", ["patch": ["apps": ["ios": ["registration": ["redirectUris": uris]]]]])["apps"]?[
                    "ios"]
        }
        #expect(try await patched(["native": ["com.contoso://done"]]) == ["redirectUri": "com.contoso://done"])
        let none = try await patched(["native": []])
        #expect(none?["redirectUri"] == .null)
        #expect(none?["problem"]?.stringValue?.contains("the app `ios` has no redirect URI") == true)
    }

    @Test func `people are added, changed and removed`() async throws {
        let stage = try await ControlStage()
        let record: JSONValue = ["email": "eve@example.test", "password": "Evening-2026"]
        let added = try await stage.call("POST", "/users", ["name": "eve", "user": record], expect: 201)
        #expect(added["registered"] == true && added["password"] != "Evening-2026")
        #expect(try await stage.call("GET", "/users/eve?secrets=show")["password"] == "Evening-2026")
        #expect(try await stage.call("PATCH", "/users/eve", ["accountEnabled": false])["accountEnabled"] == false)
        let page = try await stage.call("GET", "/users?from=1&limit=1")
        #expect(page["users"]?.objectValue?.keys == ["eve"] && page["next"] == 2)
        #expect(try await stage.call("GET", "/users?from=2&limit=1")["next"] == .null)
        try await stage.call("DELETE", "/users/eve", expect: 204)
        try await stage.call("GET", "/users/eve", expect: 404)
    }

    @Test func `a state is taken back, and a start is a new start`() async throws {
        let stage = try await ControlStage()
        try await stage.call("PATCH", "/users/ada", ["displayName": "Countess", "city": "London"])
        try await stage.call("POST", "/keys/service/rotate", [:])
        let state = try await stage.call("GET", "/state")
        try await stage.call("DELETE", "/users/ada", expect: 204)
        try await stage.call("PATCH", "/clock", ["advance": "P30D"])
        try await stage.call("PUT", "/state", state, expect: 204)
        #expect(try await stage.call("GET", "/state") == state)
        #expect(try await stage.call("GET", "/users/ada")["city"] == "London")
        #expect(try await stage.call("GET", "/keys")["keySets"]?["service"]?["use"] == "k2")
        try await stage.call("POST", "/reset", ["to": "start"], expect: 204)
        #expect(try await stage.call("GET", "/users/ada")["displayName"] == "Ada")
        #expect(try await stage.call("GET", "/keys")["keySets"]?["service"]?["use"] == "k1")
        #expect(try await stage.call("GET", "/clock")["now"] == "2026-01-15T12:00:00Z")
    }

    @Test func `rules strike requests from outside`() async throws {
        let stage = try await ControlStage()
        let keys = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys"
        try await stage.call(
            "PUT", "/faults",
            [
                "rules": [
                    ["match": ["endpoint": "keys"], "skip": 1, "times": 1, "respond": ["status": 503]],
                    ["match": ["endpoint": "token"], "network": "reset"],
                ], "counts": [["met": 1, "fired": 0]],
            ])
        #expect(try await stage.send(keys).status == 503)
        #expect(try await stage.send(keys).status == 200)
        let standing = try await stage.call("GET", "/faults")
        #expect(standing["rules"]?.arrayValue?.compactMap { $0["fired"]?.intValue } == [1, 0])
        let gone = try await stage.call("DELETE", "/faults")
        #expect(gone["unused"]?.arrayValue?.compactMap { $0["match"]?["endpoint"] } == ["token"])
        try await stage.call(
            "PUT", "/faults", ["rules": [["match": ["endpoint": "keys"], "network": "tls"]], "strikes": "own"])
        #expect(try await stage.send(keys).status == 200, "the caller sees to its own requests")
    }

    @Test func `rules that change nothing have not struck`() async throws {
        let stage = try await ControlStage()
        let keys = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys"
        try await stage.call(
            "PUT", "/faults",
            [
                "rules": [
                    [
                        "match": ["endpoint": "keys"], "times": 1,
                        "response": ["status": 200, "json": ["nope": .null]],
                    ]
                ]
            ])
        #expect(try await stage.send(keys).status == 200)
        #expect(try await stage.send(keys).status == 200)
        let rule = try await stage.call("GET", "/faults")["rules"]?.arrayValue?.first
        #expect(rule?["met"] == 2 && rule?["fired"] == 0 && rule?["held"] == [])
        #expect(
            rule?["idle"] == [
                ["part": "/response/status", "reason": "the status is 200 already"],
                ["part": "/response/json/nope", "reason": "there is no `nope` to remove"],
            ])
        let gone = try await stage.call("DELETE", "/faults")
        #expect(gone["unused"]?.arrayValue?.count == 1)
        #expect(
            gone["reasons"]?.arrayValue?.first?.stringValue?.contains(
                "matched 2 exchanges, and `response/status` changed nothing: the status is 200 already") == true)
    }

    /// The largest number that fits, and those beside it, are names as any other.
    @Test(arguments: ["9223372036854775806", "9223372036854775807", "9223372036854775808"])
    func `a number as a name is refused by its name`(key: String) async throws {
        let stage = try await ControlStage()
        let policies: JSONValue = .object([key: []])
        let calls: [(method: String, path: String, body: JSONValue)] = [
            ("POST", "/worlds", ["tenant": ["name": "c"], "policies": policies]),
            ("POST", "/worlds", ["tenant": ["name": "c", "policies": policies]]),
            ("PATCH", "/tenant", ["patch": ["policies": policies]]),
            ("PATCH", "/tenant", ["patch": ["users": .object([key: 5])]]),
        ]
        for call in calls {
            let answer = try await stage.message(call.method, call.path, call.body)
            #expect((400..<500).contains(answer.status), "\(call): \(answer.text)")
            #expect(answer.text.contains(key), "\(call): \(answer.text)")
        }
    }

    @Test func `effects are for one exchange`() async throws {
        let stage = try await ControlStage()
        let keys = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys"
        try await stage.call("POST", "/faults/effects", ["exchange": "4", "b2cError": "AADB2C90035"], expect: 204)
        #expect(try await stage.send(keys, number: "3").status == 200)
        #expect(try await stage.send(keys, number: "4").status == 400)
        #expect(try await stage.send(keys, number: "4").status == 200)
    }

    // MARK: The journal

    @Test func `the journal has what happened before the request that caused it`() async throws {
        let stage = try await ControlStage()
        _ = try await stage.send(
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=nobody",
            number: "12")
        let page = try await stage.call("GET", "/events?since=0")
        let events = try #require(page["events"]?.arrayValue)
        #expect(events.compactMap { $0["type"]?.stringValue } == ["refusal", "request"])
        #expect(events.first?["exchange"] == "12" && events.last?["request"]?["number"] == "12")
        #expect(events.last?["request"]?["endpoint"] == "authorize" && events.last?["request"]?["policy"] == "susi")
        #expect(events.last?["request"]?["refusal"]?.stringValue?.contains("nobody") == true)
        let next = try #require(page["next"]?.intValue)
        #expect(try await stage.call("GET", "/events?since=\(next)")["events"] == [])
        let requests = try await stage.call("GET", "/requests")
        #expect(requests["requests"]?.arrayValue?.count == 1)
    }

    @Test func `secrets are masked unless asked for`() async throws {
        let stage = try await ControlStage()
        _ = try await stage.send(
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize"
                + "?client_id=nobody&password=Analytical-1843&id_token_hint=eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.x")
        let masked = try await stage.message("GET", "/requests").text
        #expect(!masked.contains("Analytical-1843") && !masked.contains("eyJzdWIiOiJ4In0"))
        let shown = try await stage.message("GET", "/requests?secrets=show").text
        #expect(shown.contains("Analytical-1843") && shown.contains("eyJzdWIiOiJ4In0"))
    }

    /// A web page can send such a form without being asked; the log is read after it.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "a=" + String(repeating: "password%3D", count: 90_000), String(repeating: "pwd=x&", count: 160_000),
        ])
    func `a form of a megabyte does not stall the log`(_ body: String) async throws {
        let stage = try await ControlStage()
        let exchange = Exchange(
            number: "1", at: ControlStage.start, context: ExchangeContext(), endpoint: "keys", policy: nil,
            request: RequestMessage(
                method: "POST", url: try #require(WebURL("https://a.test/")),
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array((body + "&pwd=Canary-1").utf8)))
        try stage.world.journal.append(.exchange(exchange))
        for path in ["/requests", "/events"] {
            let text = try await stage.message("GET", path).text
            #expect(!text.contains("Canary-1"))
        }
    }
    @Test func `control calls are in the journal`() async throws {
        let stage = try await ControlStage()
        try await stage.call("PATCH", "/clock", ["advance": "PT1H"])
        let events = try await stage.call("GET", "/events")["events"]?.arrayValue
        #expect(events?.first?["type"] == "control" && events?.first?["what"] == "clock")
    }
}

extension Delivery {
    fileprivate var status: Int? { if case .success(let response) = outcome { response.status } else { nil } }
}
