import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Programs that `b2c` starts, and the server, when what started them ends.
@Suite(.blocking) struct StoppedProgramTests {
    /// A program that runs with its error output in a pipe.
    private struct Running {
        let process: Process
        let pipe: Pipe

        init(_ tool: Tool, _ path: String, _ arguments: [String], _ environment: [String: String]) throws {
            process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.currentDirectoryURL = tool.folder
            let own = ProcessInfo.processInfo.environment.filter {
                !$0.key.hasPrefix("B2C_") && !$0.key.hasPrefix("AZURE_")
            }
            process.environment = own.merging(environment) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            pipe = Pipe()
            process.standardError = pipe
            try process.run()
            try pipe.fileHandleForWriting.close()
        }

        /// What is said up to a word; up to the end if it never comes, or 30 seconds of silence.
        func said(upTo word: String) -> String {
            var text = ""
            while !text.contains(word), let part = next(), !part.isEmpty { text += part }
            return text
        }

        /// Whether everything that has the pipe has ended.
        var hasEnded: Bool {
            while let part = next() { if part.isEmpty { return true } }
            return false
        }

        private func next() -> String? {
            var wait = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 30_000) > 0 else { return nil }
            return String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        }
    }

    private static let server = URL(fileURLWithPath: Tool.path ?? "").deletingLastPathComponent()
        .appendingPathComponent("mock-server").path

    /// `az` with a child, both of which would stay for a minute.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal ends the Azure CLI and what that has started`(number: Int32) throws {
        let tool = try Tool()
        defer { tool.remove() }
        _ = try tool.shell(
            "mkdir bin && printf '#!/bin/sh\\nsleep 60 &\\necho started >&2\\nwait\\n' >bin/az && chmod +x bin/az")
        let path = tool.folder.appendingPathComponent("bin").path + ":/usr/bin:/bin"
        let running = try Running(
            tool, try #require(Tool.path),
            ["policy", "log", "--workspace", "3f1c9a3e-0000-4000-8000-000000000001", "--api", "http://127.0.0.1:1"],
            ["PATH": path])
        #expect(running.said(upTo: "started").contains("started"))
        kill(running.process.processIdentifier, number)
        try #require(running.hasEnded, "az is still there after 30 seconds")
        running.process.waitUntilExit()
        #expect(running.process.terminationReason == .uncaughtSignal)
        #expect(running.process.terminationStatus == number)
    }

    /// The server's parent is another process by then.
    @Test(.enabled(if: Tool.hasServer)) func `the server ends when its starter had ended before it began`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write("key", to: "b2c-kit/certificates/ca.key")
        let script = """
            P=$(sh -c 'echo $$')
            B2C_PARENT=$P B2C_PARENT_FOLDER=b2c-kit exec '\(Self.server)' --port 0 --control-port 0 --end-with-parent
            """
        let running = try Running(tool, "/bin/sh", ["-c", script], [:])
        #expect(running.hasEnded, "the server is still there after 30 seconds")
        running.process.terminate()
        running.process.waitUntilExit()
        #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("b2c-kit").path))
    }

    /// Connections take all files that the server may have open, then they end.
    @Test(.enabled(if: Tool.hasServer)) func `a server without free files says so, and serves on`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write("{ \"name\": \"contoso\", \"policyFolders\": [\"p\"] }", to: "t.json")
        try tool.write("<x/>", to: "p/x.xml")
        let running = try Running(
            tool, "/bin/sh",
            ["-c", "ulimit -n 40 && exec '\(Self.server)' --port 0 --control-port 0 --tenant t.json"], [:])
        defer { running.process.terminate() }
        let banner = running.said(upTo: "inspector http")
        let port = try #require(
            banner.firstMatch(of: /http:\/\/localhost:([0-9]+)/).flatMap { Int($0.output.1) }, "\(banner)")
        let sockets = (0..<60).map { _ in Self.connection(to: port) }
        // The tenant's files are looked at while no file is free.
        let said = running.said(upTo: "looked at again")
        #expect(said.contains("no connection can be taken now: Too many open files"), "\(said)")
        #expect(said.contains("cannot be listed now: Too many open files") && !said.contains("has changed"), "\(said)")
        for socket in sockets { close(socket) }
        let answer = try tool.shell("curl -s -m 30 http://127.0.0.1:\(port)/health -o /dev/null -w '%{http_code}'")
        #expect(answer.out == "200", "\(answer)")
        #expect(running.process.isRunning)
    }

    private static func connection(to port: Int) -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }
}
