import Determinism
import HTTPMessages
import JSON
import Scenarios
import Testing

@testable import MockServerCore

/// The journal of a world, and the stream and page that show it.
@Suite struct JournalTests {
    private static func note(_ number: Int) -> Journal.Content {
        .note(type: number.isMultiple(of: 2) ? "even" : "odd", ["number": .integer(Int64(number))])
    }

    @Test func pagesFollowOneAnother() {
        let journal = Journal()
        for number in 1...10 { journal.append(Self.note(number)) }
        let first = journal.page(since: 0, limit: 4)
        #expect(first.entries.map(\.sequence) == [1, 2, 3, 4] && first.next == 4 && !first.dropped)
        #expect(journal.page(since: first.next, limit: 100).entries.map(\.sequence) == Array(5...10))
        let odd = journal.page(since: 0, limit: 2, types: ["odd"])
        #expect(odd.entries.map(\.sequence) == [1, 3] && odd.next == 3)
        #expect(journal.page(since: 3, types: ["none"]).next == 10, "what was passed over is not read again")
        #expect(journal.page(since: 999).next == 10)
    }

    @Test func itIsBounded() throws {
        let journal = Journal(mostBytes: 20_000)
        for number in 1...500 {
            var exchange = Exchange(
                number: "\(number)", at: Timestamp(seconds: 0), context: ExchangeContext(), endpoint: "keys",
                policy: nil, request: .get(try #require(WebURL("https://a.test/"))))
            exchange.response = ResponseMessage(status: 200, body: Array(repeating: 65, count: 1000))
            journal.append(.exchange(exchange))
        }
        let page = journal.page(since: 0)
        #expect(page.entries.count <= 8 && !page.entries.isEmpty)
        #expect(page.dropped && page.next == 500)
        let many = Journal(mostBytes: .max)
        for number in 1...(Journal.mostEntries + 50) { many.append(Self.note(number)) }
        #expect(many.page(since: 0, limit: .max).entries.count == Journal.mostEntries)
    }

    @Test func aReaderGetsWhatWasAndWhatComes() async throws {
        let journal = Journal()
        journal.append(Self.note(1))
        journal.append(Self.note(2))
        let stream = try #require(journal.stream(since: 1))
        journal.append(Self.note(3))
        journal.finish()
        var seen: [Int] = []
        for await entry in stream { seen.append(entry.sequence) }
        #expect(seen == [2, 3])
    }

    @Test func readersAreFew() throws {
        let journal = Journal()
        let streams = try (0..<Journal.mostReaders).map { _ in try #require(journal.stream(since: 0)) }
        #expect(journal.stream(since: 0) == nil)
        #expect(streams.count == Journal.mostReaders)
    }

    @Test func anEventIsOneBlockOfLines() {
        let bytes = EventStream.bytes(id: 7, type: "trace", data: ["text": "one\ntwo"])
        #expect(String(decoding: bytes, as: UTF8.self) == "id: 7\nevent: trace\ndata: {\"text\":\"one\\ntwo\"}\n\n")
    }

    @Test func theStreamOfAControlCallIsServerSentEvents() async throws {
        let stage = try await ControlStage()
        try stage.world.note("first")
        let url = try #require(WebURL("http://localhost\(ControlAPI.prefix)/events/stream?since=0"))
        guard
            case .stream(let status, let headers, let chunks) = await stage.api.answer(
                .get(url), world: Worlds.defaultName)
        else {
            Issue.record("no stream")
            return
        }
        #expect(status == 200 && headers["Content-Type"] == "text/event-stream; charset=utf-8")
        try stage.world.dissolve()
        var text = ""
        for await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text.contains("id: 1\nevent: control\ndata: {\"seq\":1,\"type\":\"control\",\"what\":\"first\"}\n\n"))
    }

    // MARK: the page

    @Test(arguments: [
        ("/_b2c/", "text/html; charset=utf-8"), ("/_b2c/inspector.css", "text/css; charset=utf-8"),
        ("/_b2c/inspector.js", "text/javascript; charset=utf-8"), ("/_b2c/records.css", "text/css; charset=utf-8"),
        ("/_b2c/records.js", "text/javascript; charset=utf-8"),
    ])
    func thePageBringsNothingFromElsewhere(path: String, type: String) async throws {
        let stage = try await ControlStage()
        let url = try #require(WebURL("http://localhost:9400\(path)"))
        guard case .message(let message) = await stage.api.answer(.get(url), world: "default") else {
            Issue.record("no message")
            return
        }
        #expect(message.status == 200 && message.headers["Content-Type"] == type)
        let policy = try #require(message.headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        let text = message.text
        #expect(!text.contains("http://") && !text.contains("https://") && !text.contains("innerHTML"))
        if path.hasSuffix("/") {
            #expect(!text.contains(" style=") && !text.contains(" onclick=") && text.contains("lang=\"en\""))
        }
    }

    /// The page names only calls that there are.
    @Test func thePageCallsWhatThereIs() throws {
        let paths = InspectorFiles.script.matches(of: /call\("([A-Z]+)", "(\/[a-z]+)/).map { ($0.1, $0.2) }
        #expect(paths.count > 15)
        for (method, path) in paths {
            #expect(
                ControlRoutes.all.contains { $0.method == method && $0.path.hasPrefix(path) }, "\(method) \(path)")
        }
    }
}
