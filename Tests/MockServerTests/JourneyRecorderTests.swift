import AuthorityHosting
import CommandKit
import Determinism
import Exchanges
import Foundation
import HTTPMessages
import JSON
import JourneyLogs
import TestSupport
import Testing
import TrustFramework

@testable import MockServerCore

/// `--journey-recorder`: people sign in at a custom policy, the file has what the recorder of the service writes, and the
/// query API answers with it.
@Suite struct JourneyRecorderTests {
    /// A world whose log is a file of its own.
    struct Stage {
        let api: ControlAPI
        let worlds: Worlds
        let path: String
        /// It is called once the file cannot be written.
        let folder: String

        init(
            _ patch: JSONValue = [:], kept: String? = nil, isRecorded: Bool = true
        ) async throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            path = folder + "/journeys.jsonl"
            if let kept { try kept.write(toFile: path, atomically: false, encoding: .utf8) }
            var texts: [String: String] = [:]
            for name in ["Loyalty", "Base"] {
                texts["policies/\(name).xml"] = String(
                    decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self)
            }
            let tenant = try CompiledTenant.compile(
                Self.tenant.merging(patch: patch), shelf: PolicyShelf(files: .texts(texts)))
            let log = isRecorded ? try AppendedFile(path) { problem in Issue.record("\(problem.text)") } : nil
            let world = await ServerWorld(
                name: Worlds.defaultName, seed: SeededGenerator(seed: 7), tenant: tenant,
                time: WorldTime(frozenAt: ControlStage.start), journeyLog: log)
            worlds = Worlds(default: world)
            api = ControlAPI(worlds: worlds)
        }

        static let tenant: JSONValue = [
            "name": "contoso",
            "policies": [
                "loyalty": ["id": "B2C_1A_loyalty", "type": "custom", "file": "policies/Loyalty.xml"],
                "susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"],
            ],
            "apps": [
                "web": [
                    "registration": [
                        "clientId": "11111111-2222-4333-8444-555555555555", "secrets": ["a-secret-for-tests"],
                    ],
                    "client": [
                        "kind": "web", "policy": "loyalty", "redirectUri": "https://web.contoso.test/signin-oidc",
                    ],
                ]
            ],
            "rest": [
                "tier": [
                    "match": ["url": "https://loyalty.contoso.test/tier"],
                    "reply": ["status": 200, "json": ["tier": "gold"]], "delay": "PT3S",
                ]
            ],
            "users": [
                "ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"],
                "nina": [
                    "registered": false, "email": "nina@example.test", "password": "Newcomer-2026",
                    "displayName": "Nina",
                ],
            ],
        ]

        /// Somebody signs in.
        @discardableResult
        func play(_ person: String, policy: String = "B2C_1A_loyalty", password: String? = nil) async throws
            -> JSONValue
        {
            let items: FormItems = [
                "client_id": "11111111-2222-4333-8444-555555555555", "response_type": "code", "scope": "openid",
                "redirect_uri": "https://web.contoso.test/signin-oidc", "state": "s", "nonce": "n",
                "ui_locales": "de",
            ]
            let url = "http://localhost:9400/contoso.onmicrosoft.com/\(policy)/oauth2/v2.0/authorize?\(items.encoded)"
            var body: JSONValue = ["person": .string(person), "url": .string(url)]
            if let password { body = body.merging(patch: ["password": .string(password)]) }
            let address = try #require(WebURL("http://localhost:9400\(ControlAPI.prefix)/sign-ins"))
            var request = RequestMessage(method: "POST", url: address, headers: ["Content-Type": "application/json"])
            request.body = JSONWriter.compactBytes(body)
            guard case .message(let message) = await api.answer(request, world: Worlds.defaultName) else {
                throw ControlStageProblem.isStream
            }
            return message.json ?? .null
        }

        /// The lines of the file.
        var lines: [JSONValue] {
            get throws {
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
                    try JSONParser.parse(String($0))
                }
            }
        }

        /// The messages of the file, each an array of clips.
        var messages: [[JSONValue]] {
            get throws {
                try lines.map { line in
                    try JSONParser.parse(try #require(line["message"]?.stringValue)).arrayValue ?? []
                }
            }
        }

        var events: [String] {
            get throws { try messages.compactMap { $0.first?["Content"]?["EventInstance"]?.stringValue } }
        }

        func send(_ request: RequestMessage) async throws -> ResponseMessage {
            let world = try #require(worlds.world(named: nil))
            return try await world.delivery(of: request).outcome.get()
        }

        /// A token of the directory for an API.
        func token(for audience: String = "https://api.applicationinsights.io") async throws -> String {
            let url = try #require(
                WebURL("https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token"))
            let form: FormItems = [
                "grant_type": "client_credentials", "client_id": "11111111-2222-4333-8444-555555555555",
                "client_secret": "a-secret-for-tests", "scope": audience + "/.default",
            ]
            return try #require(try await send(.post(url, form: form))["access_token"])
        }

        /// The answer of the query API.
        func query(
            _ text: String, span: String? = nil, token: String? = nil,
            at address: String = "https://api.applicationinsights.io/v1/apps/DEMO_APP/query"
        ) async throws -> ResponseMessage {
            var token = token
            if token == nil { token = try await self.token() }
            var body: JSONObject = ["query": .string(text)]
            body["timespan"] = span.map { .string($0) }
            return try await send(
                .post(
                    try #require(WebURL(address)), json: .object(body),
                    headers: ["Authorization": "Bearer \(token ?? "")"]))
        }

        func rows(_ text: String, span: String? = nil) async throws -> [[JSONValue]] {
            let answer = try await query(text, span: span)
            #expect(answer.status == 200, "\(answer.text)")
            return answer.json?["tables"]?[0]?["rows"]?.arrayValue?.map { $0.arrayValue ?? [] } ?? []
        }
    }

    private static let documented = """
        traces
        | where customDimensions.EventName startswith 'Journey Recorder' and isnotempty(customDimensions.UserJourney)
        | order by timestamp asc, itemId asc
        """

    // MARK: The file

    @Test func `requests are lines`() async throws {
        let stage = try await Stage()
        #expect(try await stage.play("ada")["end"] == "callback")
        #expect(try stage.events == ["Event:AUTH", "Event:SELFASSERTED", "Event:API"])
        let line = try #require(try stage.lines.first)
        #expect(line["timestamp"] == "2026-01-15T12:00:00.0000000Z")
        #expect(line["customDimensions"]?["EventName"] == "Journey Recorder Event v1.0.0")
        #expect(line["customDimensions"]?["UserJourney"] == "B2C_1A_loyalty")
        #expect(line["customDimensions"]?["Tenant"] == "contoso.onmicrosoft.com")
        let ids = Set(try stage.lines.map { $0["customDimensions"]?["CorrelationId"]?.stringValue })
        #expect(ids.count == 1)
        let items = Set(try stage.lines.map { $0["itemId"]?.stringValue })
        #expect(items.count == 3)
        #expect(try stage.messages[0].contains { $0["Content"]?["Statebag"]?["JC"]?["v"] == "de" })
    }

    @Test func `a call of a web API is in the message of the request that waited for it`() async throws {
        let stage = try await Stage()
        #expect(try await stage.play("nina")["end"] == "callback")
        let post = try #require(
            try stage.messages.first { $0.description.contains("REST-Tier") && $0.description.contains("SELFASSERTED") }
        )
        let validation = post.compactMap { $0["Content"]?["RecorderRecord"]?["Values"]?[0] }
            .first { $0["Key"] == "Validation" }
        let text = validation?.description ?? ""
        #expect(text.contains("https://loyalty.contoso.test/tier"))
        #expect(text.contains(#"{"PartnerClaimType":"tier","PolicyClaimType":"tier"}"#))
        #expect(post.description.contains(#""tier":"gold""#))
    }

    @Test(arguments: ["ada", "nina"])
    func `passwords are not written`(_ person: String) async throws {
        let stage = try await Stage()
        try await stage.play(person)
        if person == "ada" { try await stage.play(person, password: "Wrong-guess-77") }
        let text = try String(contentsOfFile: stage.path, encoding: .utf8)
        for password in ["Analytical-1843", "Newcomer-2026", "Wrong-guess-77"] { #expect(!text.contains(password)) }
        #expect(text.contains("***"))
    }

    @Test func `a failed post says why, and its page goes on`() async throws {
        let stage = try await Stage()
        try await stage.play("ada", password: "Wrong-guess-77")
        let post = try #require(try stage.messages.first { $0.description.contains("Event:SELFASSERTED") })
        let result = try #require(
            post.last { $0["Kind"] == "HandlerResult" && $0["Content"]?["Exception"] != nil })
        #expect(result["Content"]?["PredicateResult"] == "False")
        #expect(result["Content"]?["Exception"]?["Data"]?["IsPolicySpecificError"] == true)
    }

    @Test func `refusals are recorded and user flows are not`() async throws {
        let stage = try await Stage()
        let address = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1A_loyalty/oauth2/v2.0/authorize"
        let url = try #require(
            WebURL(
                address + "?client_id=11111111-2222-4333-8444-555555555555&response_type=code&scope=openid"
                    + "&redirect_uri=https://elsewhere.test/"))
        _ = try await stage.send(.get(url))
        #expect(try stage.events == ["Event:AUTH"])
        #expect(try stage.messages[0].description.contains("AADB2C90006"))
        #expect(try await stage.play("ada", policy: "B2C_1_susi")["end"] == "callback")
        #expect(try stage.events == ["Event:AUTH"])
    }

    @Test func `a file that cannot be opened ends the start with one message`() async throws {
        var options = ServerOptions()
        options.journeyRecorder = "/nowhere/journeys.jsonl"
        let failure = await #expect(throws: Failure.self) { try await Serving(options: options).run() }
        #expect(failure?.text?.contains("--journey-recorder is \"/nowhere/journeys.jsonl\"") == true)
    }

    @Test func `what is in the file stays, and a torn last line ends`() async throws {
        let stage = try await Stage(kept: #"{"message":"earl"#)
        try await stage.play("ada")
        let text = try String(contentsOfFile: stage.path, encoding: .utf8)
        #expect(text.hasPrefix(#"{"message":"earl"# + "\n{\"timestamp\""))
        #expect(text.hasSuffix("}\n"))
    }

    @Test(arguments: ["x", "\u{1F600}"])
    func `long messages go on in other rows`(_ character: String) async throws {
        let tier = String(repeating: character, count: 40_000)
        let stage = try await Stage(["rest": ["tier": ["reply": ["json": ["tier": .string(tier)]]]]])
        #expect(try await stage.play("nina")["end"] == "callback")
        let lines = try stage.lines
        let texts = try lines.map { try #require($0["message"]?.stringValue) }
        #expect(texts.allSatisfy { $0.utf16.count <= 32_768 })
        let pieces = texts.indices.filter { !texts[$0].hasPrefix("[") }
        #expect(!pieces.isEmpty)
        for place in pieces {
            let (piece, before) = (lines[place], lines[place - 1])
            #expect(piece["customDimensions"] == before["customDimensions"])
            #expect(piece["cloud_RoleInstance"] == before["cloud_RoleInstance"])
        }
        // Rows are in the order of their times.
        let times = lines.compactMap { $0["timestamp"]?.stringValue }
        #expect(times == times.sorted() && Set(times).count == times.count)
        let joined = try JSONParser.parse(texts.joined(separator: "").replacing("][", with: ","))
        #expect(joined.description.contains(tier))
    }

    @Test func `the same seed writes the same bytes`() async throws {
        var texts: [String] = []
        for _ in 0..<2 {
            let stage = try await Stage()
            try await stage.play("nina")
            texts.append(try String(contentsOfFile: stage.path, encoding: .utf8))
        }
        #expect(texts[0] == texts[1])
    }

    @Test func `without the option nothing is recorded, and the query API is not there`() async throws {
        let stage = try await Stage(isRecorded: false)
        #expect(try await stage.play("ada")["end"] == "callback")
        #expect(!FileManager.default.fileExists(atPath: stage.path))
        #expect(try await stage.query(Self.documented, token: "x").status == 404)
    }

    // MARK: Read again

    @Test(arguments: ["gold", String(repeating: "\u{1F600}", count: 30_000)])
    func `the reader finds what was written`(_ tier: String) async throws {
        let stage = try await Stage(["rest": ["tier": ["reply": ["json": ["tier": .string(tier)]]]]])
        try await stage.play("nina")
        try await stage.play("ada")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: stage.path)))
        let answer = try await stage.query("traces")
        for (name, bytes) in [("journeys.jsonl", bytes), ("answer.json", answer.body)] {
            let log = try RecorderLog(files: [(file: name, bytes: bytes)])
            #expect(log.findings.map(\.description) == [])
            let sessions = log.entries.map { log.session($0) }
            #expect(sessions.map(\.policyID) == ["B2C_1A_loyalty", "B2C_1A_loyalty"])
            #expect(sessions.flatMap(\.findings).map(\.description) == [])
            let events = sessions.flatMap(\.requests).compactMap { $0.message.headers?.eventInstance }
            // Nina signs up with a code by e-mail, Ada signs in.
            #expect(events.count == 9 && events.filter { $0 == "Event:AUTH" }.count == 2)
            #expect(sessions.flatMap(\.requests).filter(\.isPartial).isEmpty)
            let last = sessions.flatMap(\.requests).flatMap(\.message.clips).compactMap { clip in
                if case .handlerResult(let result) = clip { result.statebag?.claims } else { nil }
            }
            #expect(last.contains { $0["tier"] == .string(tier) })
        }
    }

    // MARK: The query API

    @Test func `the documented query finds the rows of the file`() async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        let answer = try await stage.query(Self.documented)
        #expect(answer.status == 200)
        let table = try #require(answer.json?["tables"]?[0])
        #expect(table["name"] == "PrimaryResult")
        let names = table["columns"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        let place = try #require(names.firstIndex(of: "message"))
        let dimensions = try #require(names.firstIndex(of: "customDimensions"))
        let rows = table["rows"]?.arrayValue ?? []
        #expect(
            rows.compactMap { $0[place]?.stringValue } == (try stage.lines.compactMap { $0["message"]?.stringValue }))
        // As the service does it: a dynamic value is the text of its JSON.
        let text = try #require(rows.first?[dimensions]?.stringValue)
        #expect(try JSONParser.parse(text)["UserJourney"] == "B2C_1A_loyalty")
    }

    @Test func `a workspace has the rows under other names`() async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        let token = try await stage.token(for: "https://api.loganalytics.io")
        let answer = try await stage.query(
            "AppTraces | where Properties.UserJourney == 'B2C_1A_loyalty' | count", token: token,
            at: "https://api.loganalytics.io/v1/workspaces/11111111-2222-4333-8444-555555555556/query")
        #expect(answer.json?["tables"]?[0]?["rows"] == [[3]], "\(answer.text)")
    }

    @Test(arguments: [
        ("traces | count", "[[3]]"),
        ("traces | where message has 'Event:SELFASSERTED' | count", "[[1]]"),
        ("traces | where message contains 'event:selfASSERTED' and message !contains 'METADATA' | count", "[[1]]"),
        ("traces | where message contains_cs 'selfASSERTED' | count", "[[0]]"),
        ("traces | where tolower(customDimensions.UserJourney) in ('b2c_1a_loyalty','x') | count", "[[3]]"),
        ("traces | where customDimensions['UserJourney'] =~ 'b2c_1a_LOYALTY' | count", "[[3]]"),
        ("traces | where tostring(customDimensions.UserJourney) != \"B2C_1A_loyalty\" | count", "[[0]]"),
        ("traces | where isempty(customDimensions.Nothing) | take 2 | count", "[[2]]"),
        ("traces | where not(message has 'Event:SELFASSERTED') | count", "[[2]]"),
        ("traces | where timestamp > ago(1h) | limit 1 | count", "[[1]]"),
        ("traces | where timestamp between (datetime(2026-01-15) .. 1d) | count", "[[3]]"),
        ("traces | where timestamp < datetime(2026-01-15T12:00:00Z) | count", "[[0]]"),
        ("traces | where 1 == 0", "[]"),
        (
            "traces // all\n| project journey = customDimensions.UserJourney | distinct journey",
            #"[["B2C_1A_loyalty"]]"#
        ),
        ("traces | summarize count() by tostring(customDimensions.Tenant)", #"[["contoso.onmicrosoft.com",3]]"#),
        (
            "traces | extend event = iff_missing | count", #"SEM0100 iff_missing"#
        ),
        (
            "traces | summarize n = count(), ids = dcount(operation_Id), posts = countif(message has 'Event:SELFASSERTED')",
            "[[3,1,1]]"
        ),
        ("traces | summarize count() by bin(timestamp, 1h) | project count_", "[[3]]"),
        ("traces | top 1 by timestamp desc | project severityLevel, itemType", #"[[1,"trace"]]"#),
        ("requests | count", "SEM0100 traces"), ("traces | join x on y", "SEM0100 where, order by"),
        ("traces | where message matches regex 'a'", "SEM0100 startswith"),
        ("traces | where foo == 1", "SEM0100 columns"),
        ("traces | where message ==", "SYN0002 value"), ("traces | where message == 'a", "SYN0002 end"),
        ("traces | take x", "SYN0002 whole number"), ("", "SYN0002 table"),
    ])
    func `queries are answered`(_ query: String, _ expected: String) async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        let answer = try await stage.query(query)
        if expected.hasPrefix("S") {
            #expect(answer.status == 400)
            let inner = answer.json?["error"]?["innererror"]?["innererror"]
            let parts = expected.split(separator: " ", maxSplits: 1)
            #expect(inner?["code"]?.stringValue == String(parts[0]), "\(answer.text)")
            #expect(inner?["message"]?.stringValue?.contains(parts[1]) == true, "\(answer.text)")
            #expect(answer.json?["error"]?["code"] == "BadArgumentError")
        } else {
            let rows = answer.json?["tables"]?[0]?["rows"] ?? .null
            #expect(JSONWriter.compact(rows) == expected, "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("PT1H", 3), ("P1D", 3), ("2026-01-15T12:00:00Z/PT1M", 3), ("2026-01-14/2026-01-15", 0), ("PT0S", 3),
        ("2026-01-15/P1D", 3),
    ])
    func `a time span limits the rows`(_ span: String, _ count: Int) async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        #expect(try await stage.rows("traces | count", span: span) == [[.integer(Int64(count))]])
    }

    @Test(arguments: ["12 hours", "2026-01-15", "PT1H/PT1H", "2026-01-16/2026-01-15"])
    func `a time span of another form is refused`(_ span: String) async throws {
        let answer = try await Stage().query("traces | count", span: span)
        #expect(answer.status == 400)
        #expect(answer.json?["error"]?["innererror"]?["message"]?.stringValue?.contains("PT12H") == true)
    }

    @Test func `tokens are checked`() async throws {
        let stage = try await Stage()
        let address = try #require(WebURL("https://api.applicationinsights.io/v1/apps/DEMO_APP/query"))
        let none = try await stage.send(.post(address, json: ["query": "traces"]))
        #expect(none.status == 401)
        #expect(none.json?["error"]?["code"] == "AuthenticationFailed")
        #expect(none.headers["WWW-Authenticate"] != nil)
        let wrong = try await stage.query("traces", token: stage.token(for: "https://api.loganalytics.io"))
        #expect(wrong.status == 403)
        #expect(wrong.json?["error"]?["code"] == "InvalidAuthenticationTokenAudience")
        let bad = try await stage.query("traces", token: "not.a.token")
        #expect(bad.json?["error"]?["code"] == "InvalidAuthenticationToken")
        let token = try await stage.token()
        try #require(stage.worlds.world(named: nil)).time.advance(to: ControlStage.start + .hours(2))
        #expect(try await stage.query("traces", token: token).json?["error"]?["code"] == "InvalidAuthenticationToken")
    }

    @Test func `an app without consent may not read`() async throws {
        let stage = try await Stage(["apps": ["web": ["registration": ["consent": "adminOnly"]]]])
        let answer = try await stage.query("traces")
        #expect(answer.status == 403)
        #expect(answer.json?["error"]?["code"] == "InsufficientAccessError")
    }

    @Test func `fault rules throttle the query API as any other host`() async throws {
        let stage = try await Stage()
        let rule: JSONValue = [
            "match": ["host": "api.applicationinsights.io"], "times": 1,
            "respond": ["status": 429, "headers": ["Retry-After": "5"]],
        ]
        let address = try #require(WebURL("http://localhost:9400\(ControlAPI.prefix)/faults"))
        var request = RequestMessage(method: "PUT", url: address, headers: ["Content-Type": "application/json"])
        let rules: JSONValue = ["rules": [rule]]
        request.body = JSONWriter.compactBytes(rules)
        guard case .message(let put) = await stage.api.answer(request, world: Worlds.defaultName) else {
            throw ControlStageProblem.isStream
        }
        #expect(put.status == 200, "\(put.text)")
        let first = try await stage.query("traces | count")
        #expect(first.status == 429 && first.headers["Retry-After"] == "5")
        #expect(try await stage.query("traces | count").status == 200)
    }

    @Test func `another path or method is refused in the API's form`() async throws {
        let stage = try await Stage()
        let token = try await stage.token()
        let path = try await stage.query(
            "traces", token: token, at: "https://api.applicationinsights.io/v1/apps/DEMO_APP/metrics")
        #expect(path.status == 404 && path.json?["error"]?["code"] == "PathNotFoundError")
        let got = try await stage.send(
            .get(
                try #require(
                    WebURL("https://api.applicationinsights.io/v1/apps/DEMO_APP/query?query=traces%20%7C%20count")),
                headers: ["Authorization": "Bearer \(token)"]))
        #expect(got.json?["tables"]?[0]?["rows"] == [[0]], "\(got.text)")
    }

    @Test func `a new beginning forgets the rows and keeps the file`() async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        try await #require(stage.worlds.world(named: nil)).restart()
        #expect(try await stage.rows("traces | count") == [[0]])
        #expect(try stage.lines.count == 3)
    }
}

extension ResponseMessage {
    /// A text of the JSON body.
    fileprivate subscript(name: String) -> String? { json?[name]?.stringValue }
}
