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

/// `--journey-recorder`: people sign in at a custom policy, and the file has what the recorder of the service writes.
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
    }

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

    @Test func `without the option nothing is recorded`() async throws {
        let stage = try await Stage(isRecorded: false)
        #expect(try await stage.play("ada")["end"] == "callback")
        #expect(!FileManager.default.fileExists(atPath: stage.path))
    }

    // MARK: Read again

    @Test(arguments: ["gold", String(repeating: "\u{1F600}", count: 30_000)])
    func `the reader finds what was written`(_ tier: String) async throws {
        let stage = try await Stage(["rest": ["tier": ["reply": ["json": ["tier": .string(tier)]]]]])
        try await stage.play("nina")
        try await stage.play("ada")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: stage.path)))
        let log = try RecorderLog(files: [(file: "journeys.jsonl", bytes: bytes)])
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

    @Test func `a new beginning keeps the file and goes on with it`() async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        try await #require(stage.worlds.world(named: nil)).restart()
        #expect(try stage.lines.count == 3)
        try await stage.play("ada")
        #expect(try stage.lines.count == 6)
    }
}
