import Determinism
import Exchanges
import HTTPMessages
import JSON
import Journeys
import Testing

@testable import MockServerCore

/// The journal of a world, and the stream and page that show it.
@Suite struct JournalTests {
    private static func note(_ number: Int) -> Journal.Content {
        .note(type: number.isMultiple(of: 2) ? "even" : "odd", ["number": .integer(Int64(number))])
    }

    @Test func `pages follow one another`() {
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

    @Test func `the journal is bounded`() throws {
        let journal = Journal(mostBytes: 20_000)
        for number in 1...500 {
            var exchange = Exchange(
                number: "\(number)", at: Timestamp(seconds: 0), context: ExchangeContext(), endpoint: "keys",
                policy: nil, request: .get(try #require(WebURL("https://a.test/"))))
            exchange.response = ResponseMessage(status: 200, body: Array(repeating: 65, count: 1000))
            journal.append(.exchange(exchange))
        }
        let page = journal.page(since: 0)
        #expect((5...8).contains(page.entries.count), "a request takes memory beside its body")
        #expect(page.dropped && page.next == 500)
        let many = Journal(mostBytes: .max)
        for number in 1...(Journal.mostEntries + 50) { many.append(Self.note(number)) }
        #expect(many.page(since: 0, limit: .max).entries.count == Journal.mostEntries)
    }

    @Test func `a note counts for what it says`() {
        let journal = Journal(mostBytes: 20_000)
        for _ in 0..<50 {
            journal.append(.note(type: "control", ["patch": .string(String(repeating: "x", count: 5000))]))
        }
        #expect(journal.page(since: 0).entries.count == 3)
    }

    /// What a stream says, piece by piece, until the world is gone.
    private static func read(_ chunks: AsyncStream<[UInt8]>) async -> [String] {
        var pieces: [String] = []
        for await chunk in chunks { pieces.append(String(decoding: chunk, as: UTF8.self)) }
        return pieces
    }

    /// The places of the events in a text.
    private static func places(_ text: String) -> [Int] {
        text.split(separator: "\n").compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }
    }

    @Test func `a reader gets what was and what comes`() async throws {
        let stage = try await ControlStage()
        let world = try stage.world
        for number in 1...100 { world.journal.append(Self.note(number)) }
        let chunks = try #require(EventStream.chunks(world, since: 10, showsSecrets: false))
        for number in 101...103 { world.journal.append(Self.note(number)) }
        world.dissolve()
        let pieces = await Self.read(chunks)
        #expect(pieces.first == "retry: 1000\n\n")
        #expect(Self.places(pieces.joined()) == Array(11...103))
    }

    /// A server that has begun again has fewer entries than a reader remembers.
    @Test func `a reader from a place that is not there yet gets what comes`() async throws {
        let stage = try await ControlStage()
        let world = try stage.world
        world.journal.append(Self.note(1))
        let chunks = try #require(EventStream.chunks(world, since: .max, showsSecrets: false))
        world.journal.append(Self.note(2))
        world.dissolve()
        #expect(Self.places(await Self.read(chunks).joined()) == [2])
    }

    @Test func `each entry is masked once, for all readers`() async throws {
        let stage = try await ControlStage()
        let world = try stage.world
        for number in 1...500 { world.journal.append(Self.note(number)) }
        let streams = try (0..<4).map { _ in
            try #require(EventStream.chunks(world, since: 0, showsSecrets: false))
        }
        world.dissolve()
        let texts = await withTaskGroup(of: String.self) { group in
            for stream in streams { group.addTask { await Self.read(stream).joined() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(texts).count == 1 && Self.places(texts[0]) == Array(1...500))
        #expect(world.shown.masked == 500)
    }

    @Test func `a reader that takes nothing costs nothing, and one that leaves makes room`() async throws {
        let stage = try await ControlStage()
        let world = try stage.world
        for number in 1...500 { world.journal.append(Self.note(number)) }
        do {
            var streams = try (0..<Journal.mostReaders).map { _ in
                try #require(EventStream.chunks(world, since: 0, showsSecrets: false))
            }
            #expect(EventStream.chunks(world, since: 0, showsSecrets: false) == nil)
            #expect(world.shown.masked == 0)
            streams.removeLast()
            #expect(EventStream.chunks(world, since: 0, showsSecrets: false) != nil)
        }
        #expect(world.journal.signs() != nil)
    }

    @Test func `what is kept for readers is bounded`() async throws {
        let stage = try await ControlStage()
        let world = try stage.world
        for number in 1...100 { world.journal.append(Self.note(number)) }
        let shown = ShownEntries(mostBytes: 1000)
        let entries = world.journal.page(since: 0).entries
        _ = await shown.events(entries, of: world, showsSecrets: false)
        _ = await shown.events([entries[99]], of: world, showsSecrets: false)
        #expect(shown.masked == 100, "the latest is kept")
        _ = await shown.events([entries[0]], of: world, showsSecrets: false)
        #expect(shown.masked == 101, "the first is gone")
    }

    /// The message of a code is not among the requests that it comes back in.
    @Test func `a code is masked in the requests that follow its message`() async throws {
        let stage = try await ControlStage()
        let world = try stage.world
        world.journal.append(
            .event(
                .message(
                    OutboxMessage(kind: .email, to: "a@b.test", text: "738112", code: "738112", at: ControlStage.start))
            ))
        let exchange = Exchange(
            number: "1", at: ControlStage.start, context: ExchangeContext(), endpoint: "keys", policy: nil,
            request: RequestMessage(
                method: "POST", url: try #require(WebURL("https://a.test/")), body: Array("answer=738112".utf8)))
        world.journal.append(.exchange(exchange))
        for path in ["/requests", "/events"] {
            let text = try await stage.message("GET", path).text
            #expect(text.contains("answer") && !text.contains("738112"), "\(path): \(text)")
        }
    }

    @Test func `codes are those of the messages up to a place`() {
        let journal = Journal()
        for number in 1...100 {
            let code = String(1000 + number)
            journal.append(
                .event(
                    .message(
                        OutboxMessage(kind: .email, to: "a@b.test", text: code, code: code, at: ControlStage.start))))
            journal.append(Self.note(number))
        }
        #expect(journal.codes(upTo: 1) == ["1001"] && journal.codes(upTo: 4) == ["1001", "1002"])
        #expect(journal.codes(upTo: 200) == (37...100).map { String(1000 + $0) })
        #expect(journal.codes(upTo: 0) == [])
    }

    @Test func `an event is one block of lines`() {
        let bytes = EventStream.bytes(id: 7, type: "trace", data: ["text": "one\ntwo"])
        #expect(String(decoding: bytes, as: UTF8.self) == "id: 7\nevent: trace\ndata: {\"text\":\"one\\ntwo\"}\n\n")
    }

    @Test func `the stream of a control call is server-sent events`() async throws {
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
        ("/_b2c/records.js", "text/javascript; charset=utf-8"), ("/_b2c/hosted.css", "text/css; charset=utf-8"),
    ])
    func `the page brings nothing from elsewhere`(path: String, type: String) async throws {
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
    @Test func `the page calls what exists`() throws {
        let paths = InspectorFiles.script.matches(of: /call\("([A-Z]+)", "(\/[a-z]+)/).map { ($0.1, $0.2) }
        #expect(paths.count > 15)
        for (method, path) in paths {
            #expect(
                ControlRoutes.all.contains { $0.method == method && $0.path.hasPrefix(path) }, "\(method) \(path)")
        }
    }
}
