import Foundation
import TestSupport
import Testing

/// `b2c exec`, the server that it starts, and the script that uses both in CI.
@Suite(.blocking) struct ExecProcessTests {
    private static let tenant = """
        { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
          "apis": { "tasks": { "appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read", "SCOPE"] } },
          "apps": { "spa": { "client": { "kind": "msal-browser", "policy": "susi" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843" } } }
        """

    @Test(.enabled(if: Tool.hasServer)) func `variables are written with a NUL behind each`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.tenant, to: "t.json")
        let run = try tool.run(
            "exec", "--tenant", "t.json", "--variables-file", "v", "--", "sh", "-c", "printf %s \"$B2C_SCOPES\"")
        let entries = try tool.read("v").split(separator: "\0").map(String.init)
        #expect(run.status == 0, "\(run.error)")
        #expect(entries.contains("B2C_SCOPES=\(run.out)") && run.out.hasSuffix("/SCOPE"), "\(entries)")
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
