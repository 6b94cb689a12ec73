import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `b2c exec`, the server that it starts, and the script that uses both in CI.
@Suite(.blocking) struct ExecProcessTests {
    /// The server beside the command.
    private static let server = URL(fileURLWithPath: Tool.path ?? "").deletingLastPathComponent()
        .appendingPathComponent("mock-server").path

    private static let tenant = """
        { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
          "apis": { "tasks": { "appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read", "SCOPE"] } },
          "apps": { "spa": { "client": { "kind": "msal-browser", "policy": "susi" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843" } } }
        """

    /// Starters of a server that are killed, so that they cannot end it themselves. Each prints `ready: ` and perhaps the id
    /// of a process that it leaves.
    static let starters = [
        "'SERVER' serve --port 0 --control-port 0 --end-with-parent & wait",
        "exec 'B2C' exec -- sh -c 'echo \"x ready: $$\"; exec >/dev/null 2>&1; exec sleep 60'",
        "exec 'B2C' exec --log -- sh -c 'echo \"x ready: $$\"; exec >/dev/null 2>&1; exec sleep 60'",
    ]

    @Test(.enabled(if: Tool.hasServer), arguments: starters)
    func `the server ends when its parent is killed`(script: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", script.replacing("SERVER", with: Self.server).replacing("B2C", with: Tool.path ?? ""),
        ]
        process.currentDirectoryURL = tool.folder
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()
        var said = ""
        while !said.contains("ready: ") || !said.hasSuffix("\n") {
            let part = try read(pipe)
            try #require(part?.isEmpty == false, "it did not start: \(said)")
            said += part ?? ""
        }
        let left = said.split(separator: "ready: ").last.flatMap { Int32($0.prefix { $0.isNumber }) }
        kill(process.processIdentifier, SIGKILL)
        // What it left goes as well: Foundation waits until no process holds its socket, and `sleep` inherited it.
        if let left, script.contains("sleep") { kill(left, SIGKILL) }
        process.waitUntilExit()
        // The server alone still holds the other end.
        while let part = try read(pipe) {
            if part.isEmpty { return }
        }
        Issue.record("the server was still there after 30 seconds")
    }

    /// What is printed next; empty at the end, `nil` after 30 seconds of silence.
    private func read(_ pipe: Pipe) throws -> String? {
        var wait = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 30_000) > 0 else { return nil }
        return String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    }

    @Test(.enabled(if: Tool.hasServer)) func `the log contains no password`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.tenant, to: "t.json")
        let run = try tool.run("exec", "--log", "--tenant", "t.json", "--", "true")
        #expect(run.status == 0 && run.error.contains("ada@example.test"), "\(run.error)")
        #expect(!(run.out + run.error).contains("Analytical-1843"))
    }

    @Test(.enabled(if: Tool.hasServer)) func `variables are written with a NUL behind each`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.tenant, to: "t.json")
        let run = try tool.run(
            "exec", "--tenant", "t.json", "--variables-file", "v", "--", "sh", "-c", "printf %s \"$B2C_SCOPES\"")
        let entries = try tool.read("v").split(separator: "\0").map(String.init)
        #expect(run.status == 0, "\(run.error)")
        #expect(entries.contains("B2C_SCOPES=\(run.out)") && run.out.hasSuffix("/SCOPE"), "\(entries)")
        #expect(entries.contains { $0.hasPrefix("B2C_EXTENSION_ISSUER=http://localhost:") && $0.hasSuffix("/v2.0") })
        #expect(entries.allSatisfy { $0.contains("=") && $0.first?.isUppercase == true })
        let nowhere = try tool.run("exec", "--tenant", "t.json", "--variables-file", "no/such", "--", "true")
        #expect(nowhere.status == 3 && nowhere.error.contains("no/such cannot be written"))
    }

    /// A tenant file with a line end in a scope is refused, so nothing is written of it.
    @Test(.enabled(if: Tool.hasServer)) func `a scope with a line end is a finding, and sets no variable`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.tenant.replacing("SCOPE", with: "x\\nLD_PRELOAD=/tmp/x.so"), to: "t.json")
        let check = try tool.run("check", "t.json")
        #expect(
            check.status == 2 && check.error.contains("t.json:2:") && check.error.contains("control character"),
            "\(check.error)")
        let served = try serve(tool, command: Tool.path ?? "", tenant: "t.json")
        #expect(
            served.status != 0
                && !served.variables.contains { $0.value.contains("LD_PRELOAD") || $0.name == "LD_PRELOAD" })
    }

    /// Whatever values are handed over, each is one variable.
    @Test func `values of several lines stay values`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(
            """
            #!/bin/sh
            while [ "$1" != -- ]; do [ "$1" = --variables-file ] && file=$2; shift; done
            shift
            printf 'B2C_URL=http://x\\0B2C_SCOPES=a\\nLD_PRELOAD=/tmp/x.so\\nB2C_X<<E\\0B2C_LAST=1=2\\0' >"$file"
            exec "$@"
            """, to: "bin/b2c")
        _ = try tool.shell("chmod +x bin/b2c")
        let served = try serve(tool, command: tool.folder.appendingPathComponent("bin/b2c").path, tenant: "")
        #expect(served.status == 0, "\(served.said)")
        let names = served.variables.map(\.name)
        #expect(
            names == ["B2C_URL", "B2C_SCOPES", "B2C_LAST", "B2C_SERVER_PID", "B2C_SERVER_LOG"], "\(served.variables)")
        #expect(served.variables[1].value == "a\nLD_PRELOAD=/tmp/x.so\nB2C_X<<E" && served.variables[2].value == "1=2")
    }

    /// What `action.sh serve` leaves in the environment file, as GitHub reads it.
    private func serve(
        _ tool: Tool, command: String, tenant: String
    ) throws -> (status: Int32, variables: [(name: String, value: String)], said: String) {
        let script = TestFiles.root().appendingPathComponent("packaging/action.sh").path
        let folder = URL(fileURLWithPath: command).deletingLastPathComponent().path
        try tool.write("", to: "env")
        let run = try tool.shell(
            """
            export PATH='\(folder)':"$PATH" GITHUB_ENV=env RUNNER_TEMP=state B2C_ACTION_TENANT='\(tenant)'
            bash '\(script)' serve; status=$?
            bash '\(script)' stop >/dev/null 2>&1
            exit $status
            """)
        var variables: [(name: String, value: String)] = []
        var end: String?
        for line in try tool.read("env").split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let delimiter = end {
                let last = variables.count - 1
                if line == delimiter {
                    end = nil
                    variables[last].value.removeLast()
                } else {
                    variables[last].value += line + "\n"
                }
            } else if let mark = line.range(of: "<<"), !line[..<mark.lowerBound].contains("=") {
                variables.append((String(line[..<mark.lowerBound]), ""))
                end = String(line[mark.upperBound...])
                #expect((end ?? "").count > 20)
            } else if let equals = line.firstIndex(of: "=") {
                variables.append((String(line[..<equals]), String(line[line.index(after: equals)...])))
            }
        }
        return (run.status, variables, run.out + run.error)
    }
}
