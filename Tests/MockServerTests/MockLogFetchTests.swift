import Determinism
import Exchanges
import Foundation
import HTTPMessages
import JSON
import JourneyLogs
import Synchronization
import Testing

@testable import MockServerCore

/// A log that is fetched from mock-server's own query API: tokens of its directory, fault rules, windows of time.
@Suite struct MockLogFetchTests {
    private typealias Stage = JourneyRecorderTests.Stage

    /// The server of a stage as a network.
    private final class Network: Transport {
        private let stage: Stage
        let sent = Mutex<[String]>([])

        init(_ stage: Stage) { self.stage = stage }

        func send(
            _ request: RequestMessage, _ context: ExchangeContext
        ) async throws(TransportError) -> ResponseMessage {
            sent.withLock { $0.append(request.url.path) }
            do {
                return try await stage.send(request)
            } catch {
                throw .reset
            }
        }
    }

    private static func surroundings(
        _ network: Network, secret: String = "a-secret-for-tests"
    ) -> LogSurroundings {
        let variables = [
            "AZURE_TENANT_ID": "contoso.onmicrosoft.com", "AZURE_CLIENT_ID": "11111111-2222-4333-8444-555555555555",
            "AZURE_CLIENT_SECRET": secret,
        ]
        return LogSurroundings(
            transport: network, now: { ControlStage.start }, wait: { _ in }, variable: { variables[$0] },
            read: { _ in nil }, run: { _ in .failure(.missing) }, identifier: { "1" }, say: { _ in })
    }

    private static func fetch(
        _ stage: Stage, _ kind: LogSource.Kind = .app, id: String = "DEMO_APP", correlation: String? = nil,
        policy: String? = nil, secret: String = "a-secret-for-tests"
    ) async throws(LogFetchProblem) -> LogFetch.Result {
        let range = LogRange(since: ControlStage.start - .hours(1), until: ControlStage.start + .hours(1))
        var fetch = try LogFetch(
            try LogSource(kind, id: id), range, correlation: correlation, policy: policy,
            surroundings: surroundings(Network(stage), secret: secret))
        return try await fetch.run()
    }

    /// Puts rules in the way of the query API.
    private static func obstruct(_ stage: Stage, _ rules: [JSONValue]) async throws {
        let address = try #require(WebURL("http://localhost:9400\(ControlAPI.prefix)/faults"))
        var request = RequestMessage(method: "PUT", url: address, headers: ["Content-Type": "application/json"])
        let body: JSONValue = ["rules": .array(rules)]
        request.body = JSONWriter.compactBytes(body)
        guard case .message(let put) = await stage.api.answer(request, world: Worlds.defaultName) else {
            throw ControlStageProblem.isStream
        }
        #expect(put.status == 200, "\(put.text)")
    }

    private static func rule(_ members: JSONObject, host: String = "api.applicationinsights.io") -> JSONValue {
        var rule: JSONObject = ["match": ["host": .string(host)], "times": 1]
        for member in members.members { rule[member.key] = member.value }
        return .object(rule)
    }

    @Test(arguments: [LogSource.Kind.app, .workspace])
    func `a sign-in is fetched as it was written`(_ kind: LogSource.Kind) async throws {
        let stage = try await Stage()
        try await stage.play("nina")
        try await stage.play("ada")
        let found = try await Self.fetch(stage, kind, id: kind == .app ? "DEMO_APP" : "DEMO_WORKSPACE")
        let lines = try stage.lines
        #expect(found.rows == lines.count && found.counted == lines.count && found.findings.isEmpty)
        let log = try RecorderLog(files: [("answer", found.bytes)])
        let file = try RecorderLog(files: [("file", [UInt8](try Data(contentsOf: URL(fileURLWithPath: stage.path))))])
        #expect(log.findings.map(\.description) == [])
        #expect(log.entries.map(\.correlationID) == file.entries.map(\.correlationID))
        #expect(
            log.entries.flatMap { log.session($0).requests.map(\.message) }
                == file.entries.flatMap { file.session($0).requests.map(\.message) })
    }

    @Test func `the service narrows to a session and a policy`() async throws {
        let stage = try await Stage()
        try await stage.play("nina")
        try await stage.play("ada")
        let all = try await Self.fetch(stage)
        let id = try #require(try RecorderLog(files: [("all", all.bytes)]).entries.last?.correlationID)
        let one = try await Self.fetch(stage, correlation: String(id.prefix(8)).uppercased(), policy: "b2c_1a_LOYALTY")
        #expect(one.rows > 0 && one.rows < all.rows)
        #expect(try RecorderLog(files: [("one", one.bytes)]).entries.map(\.correlationID) == [id])
        let none = await #expect(throws: LogFetchProblem.self) { try await Self.fetch(stage, policy: "B2C_1A_other") }
        #expect(none?.kind == .empty)
    }

    /// What the service answers, and what is said of it.
    private static let refusals: [(rule: JSONObject, text: String)] = [
        (["respond": ["status": 401]], "does not accept"),
        (
            ["respond": ["status": 403, "json": ["error": ["code": "InsufficientAccessError", "message": "no"]]]],
            "may not read app DEMO_APP"
        ), (["respond": ["status": 404, "json": ["error": ["code": "PathNotFoundError"]]]], "is not found"),
        (["respond": ["status": 200, "body": "<html></html>"]], "answers with an HTML page"),
    ]

    @Test(arguments: refusals.indices)
    func `fault rules make each refusal`(_ index: Int) async throws {
        let (rule, text) = Self.refusals[index]
        let stage = try await Stage()
        try await stage.play("ada")
        // Twice, because a refused token is renewed once.
        try await Self.obstruct(stage, [Self.rule(rule).merging(patch: ["times": 2])])
        let problem = await #expect(throws: LogFetchProblem.self) { try await Self.fetch(stage) }
        #expect(problem?.text.contains(text) == true, "\(problem as Any)")
        try await Self.obstruct(stage, [])
        #expect(try await Self.fetch(stage).rows == 3)
    }

    @Test func `a busy, failing and cut-off service gives all rows in the end`() async throws {
        let stage = try await Stage()
        try await stage.play("ada")
        let partial: JSONValue = ["tables": [["name": "PrimaryResult", "columns": [], "rows": []]]]
        let cut = partial.merging(patch: [
            "error": ["code": "PartialError", "message": "E_QUERY_RESULT_SET_TOO_LARGE (0x80DA0003)"]
        ])
        try await Self.obstruct(
            stage,
            [
                Self.rule(["respond": ["status": 429, "headers": ["Retry-After": "5"]]]),
                Self.rule(["respond": ["status": 503]]),
                Self.rule(["skip": 1, "respond": ["status": 200, "json": cut]]),
            ])
        let found = try await Self.fetch(stage)
        #expect(found.rows == 3 && found.findings.isEmpty)
        #expect(try RecorderLog(files: [("answer", found.bytes)]).entries.count == 1)
    }

    @Test func `apps without permission or with a wrong secret are named`() async throws {
        let stage = try await Stage(["apps": ["web": ["registration": ["consent": "adminOnly"]]]])
        try await stage.play("ada")
        let refused = await #expect(throws: LogFetchProblem.self) { try await Self.fetch(stage) }
        #expect(refused?.text.contains("may not read app DEMO_APP") == true, "\(refused as Any)")
        let wrong = await #expect(throws: LogFetchProblem.self) {
            try await Self.fetch(stage, secret: "wrong-secret-1")
        }
        #expect(wrong?.text.contains("AADSTS7000215") == true, "\(wrong as Any)")
        #expect(wrong?.description.contains("wrong-secret-1") == false)
    }
}
