import CommandKit
import Foundation
import JSON
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MockServerCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How connections begin, wait and end.
@Suite struct ListenerTests {
    // MARK: Limit

    @Test func `at the limit the next connection waits until one closes`() async throws {
        let front = EdgeFront()
        let listener = try await EdgeTests.listener(front, connections: 2)
        let (first, second) = (try await Client(listener.port), try await Client(listener.port))
        #expect(try await first.exchange("/echo") == "200 ")
        #expect(try await second.exchange("/echo") == "200 ")

        let third = try await Client(listener.port)
        try await third.send("/third")
        // The listener has every chance to read it meanwhile.
        for _ in 0..<50 { #expect(try await second.exchange("/echo") == "200 ") }
        #expect(front.seen.withLock { seen in seen.filter { $0.target == "/third" }.count } == 0)

        await first.close()
        #expect(await third.answer() == "200 ")
        await third.close()
        await second.close()
        await listener.end(within: .hours(1))
    }

    @Test func `many connections come and go under a small limit`() async throws {
        let listener = try await EdgeTests.listener(EdgeFront(), connections: 1)
        for _ in 0..<20 {
            let client = try await Client(listener.port)
            #expect(try await client.exchange("/echo") == "200 ")
            await client.close()
        }
        await listener.end(within: .hours(1))
    }

    // MARK: End

    @Test func `the end stops listening, closes idle connections and finishes answers`() async throws {
        let front = EdgeFront()
        let listener = try await EdgeTests.listener(front)
        let (idle, busy) = (try await Client(listener.port), try await Client(listener.port))
        #expect(try await idle.exchange("/echo") == "200 ")
        try await busy.send("/late")
        await front.late.arrival()

        let end = Task { await listener.end(within: .hours(1)) }
        #expect(await idle.answer() == nil)
        // Another test may listen there by now.
        if let late = try? await Client(listener.port) { _ = try? await late.exchange("/too-late") }
        front.late.open()
        #expect(await busy.answer() == "200 late")
        #expect(await busy.answer() == nil)
        await end.value
        #expect(front.seen.withLock { seen in seen.map(\.target) } == ["/echo", "/late"])
        await idle.close()
        await busy.close()
    }

    @Test func `what takes too long is closed`() async throws {
        let listener = try await EdgeTests.listener(EdgeFront())
        let client = try await Client(listener.port)
        try await client.send("/endless")
        #expect(await client.hasBytes())
        await listener.end(within: .milliseconds(1))
        #expect(await client.answer() == nil)
        await client.close()
    }

    @Test func `a cancelled end does not wait`() async throws {
        let listener = try await EdgeTests.listener(EdgeFront())
        let client = try await Client(listener.port)
        try await client.send("/endless")
        #expect(await client.hasBytes())
        let end = Task { await listener.end(within: .hours(1)) }
        end.cancel()
        await end.value
        #expect(await client.answer() == nil)
        await client.close()
    }

    // MARK: Port in use

    @Test func `a port in use is one line with advice`() async throws {
        let taken = try await EdgeTests.listener(EdgeFront())
        var options = ServerOptions()
        options.port = taken.port
        options.isQuiet = true
        let failure = await #expect(throws: Failure.self) { try await Serving(options: options).run() }
        #expect(failure?.status == .machine)
        let advice = PortAdvice(code: EADDRINUSE, host: "localhost", ports: [taken.port], control: 0)
        #expect(failure?.text == advice.text)
        #expect(advice.text.contains("\n") == false)
        await taken.end(within: .hours(1))
    }

    @Test func `a port in use is one line for the recording proxy too`() async throws {
        let taken = try await EdgeTests.listener(EdgeFront())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("listener-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tenant = folder.appendingPathComponent("tenant.json").path
        try Data(JSONWriter.compactBytes(Stage.tenant)).write(to: URL(fileURLWithPath: tenant))
        let arguments = [
            "record", "--listen", String(taken.port), "--target", "http://127.0.0.1:9", "--tenant", tenant, "--output",
            folder.path,
        ]
        let command = try #require(try MockServerCommand.parseAsRoot(arguments) as? RecordCommand)
        let failure = await #expect(throws: Failure.self) { try await command.run() }
        #expect(failure?.status == .machine)
        #expect(
            failure?.text
                == "it cannot listen at 127.0.0.1:\(taken.port): \(FileSystem.Problem(errno: EADDRINUSE).text)")
        await taken.end(within: .hours(1))
    }

    @Test func `nothing listens when one of several ports is in use`() async throws {
        let taken = try await EdgeTests.listener(EdgeFront())
        let free = try await EdgeTests.listener(EdgeFront())
        await free.end(within: .hours(1))
        let places = [free.port, taken.port].map { HTTPEdge.Place(host: "127.0.0.1", port: $0) }
        let front = EdgeFront()
        await #expect(throws: IOError.self) {
            try await HTTPEdge(front: front, limits: EdgeTests.limits).listen(places, tls: nil)
        }
        // Another test may listen there by now.
        if let client = try? await Client(free.port) { _ = try? await client.exchange("/echo") }
        #expect(front.seen.withLock { $0.isEmpty })
        await taken.end(within: .hours(1))
    }

    // MARK: Lifetime

    /// Runs until it is cancelled, or until a failure comes.
    private struct Probe: Watch {
        let failures = AsyncStream.makeStream(of: Failure.self)

        func run() async throws {
            for await failure in failures.stream { throw failure }
        }
    }

    @Test func `a stop ends listeners and watches`() async throws {
        let listener = try await EdgeTests.listener(EdgeFront())
        let client = try await Client(listener.port)
        #expect(try await client.exchange("/echo") == "200 ")
        try await Lifetime(listeners: [listener], watches: [Probe()]).run {}
        #expect(await client.answer() == nil)
        await client.close()
    }

    @Test func `the error of a watch ends everything at once`() async throws {
        let listener = try await EdgeTests.listener(EdgeFront())
        let client = try await Client(listener.port)
        try await client.send("/endless")
        #expect(await client.hasBytes())
        let probe = Probe()
        probe.failures.continuation.yield(.machine("full"))
        let gate = Gate()
        let failure = await #expect(throws: Failure.self) {
            try await Lifetime(listeners: [listener], watches: [Probe(), probe], grace: .hours(1)).run {
                await gate.pass()
            }
        }
        #expect(failure?.text == "full")
        #expect(await client.answer() == nil)
        await client.close()
    }

    @Test(arguments: [SIGTERM, SIGINT]) func `a signal stops`(_ number: Int32) async {
        let signals = await StopSignals()
        kill(getpid(), number)
        #expect(await signals.wait() == 128 + number)
    }
}

/// A door that somebody waits at.
final class Gate: Sendable {
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let door = AsyncStream.makeStream(of: Void.self)

    /// Waits until it is open.
    func pass() async {
        arrivals.continuation.yield()
        for await _ in door.stream {}
    }

    /// Waits until somebody waits.
    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    func open() { door.continuation.finish() }
}

/// One connection for several requests, one at a time.
final class Client: Sendable {
    private let channel: any Channel
    private let parts: AsyncStream<ByteBuffer>
    private let bytes = Mutex<[UInt8]>([])

    init(_ port: Int, host: String = "127.0.0.1") async throws {
        let (parts, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        self.parts = parts
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(continuation))
                }
            }
            .connect(host: host, port: port).get()
    }

    func send(_ target: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    func exchange(_ target: String) async throws -> String? {
        try await send(target)
        return await answer()
    }

    /// Status and body of the next answer; nil when the server closes the connection before it is whole.
    func answer() async -> String? {
        await next { bytes in
            guard let answer = Wire.answers(bytes)?.first else { return nil }
            bytes = []
            return "\(answer.status) \(answer.body)"
        }
    }

    /// Whether anything comes before the end.
    func hasBytes() async -> Bool {
        await next { bytes in bytes.isEmpty ? nil : true } ?? false
    }

    func close() async {
        try? await channel.close()
    }

    private func next<Value: Sendable>(_ read: (inout [UInt8]) -> Value?) async -> Value? {
        if let value = bytes.withLock({ read(&$0) }) { return value }
        for await part in parts {
            let value = bytes.withLock { bytes in
                bytes += part.readableBytesView
                return read(&bytes)
            }
            if let value { return value }
        }
        return nil
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let parts: AsyncStream<ByteBuffer>.Continuation

        init(_ parts: AsyncStream<ByteBuffer>.Continuation) {
            self.parts = parts
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { parts.yield(unwrapInboundIn(data)) }

        func channelInactive(context: ChannelHandlerContext) { parts.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
