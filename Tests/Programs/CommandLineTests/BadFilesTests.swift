import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that cannot be checked: each is one finding, and a good file beside it is checked all the same.
@Suite(.blocking) struct BadFilesTests {
    private let registration = """
        { "appId": "11111111-2222-3333-4444-555555555555", "signInAudience": "AzureADMyOrg", "web": {} }
        """

    /// Checks a folder that `make` filled, and returns the lines of the findings without the good file's own.
    private func judge(_ arguments: [String] = ["."], make: (Tool) throws -> Void) throws -> [String] {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(registration, to: "good.json")
        try make(tool)
        let outcome = try tool.run(["validate", "good.json"] + arguments + ["--format", "github"])
        #expect(
            outcome.out.contains("title=B2C-REG-002"), "the good file was not checked: \(outcome.out)\(outcome.error)")
        #expect(outcome.error.isEmpty)
        return outcome.out.split(separator: "\n").map(String.init).filter { !$0.contains("good.json") }
            + ["status \(outcome.status)"]
    }

    /// The mock takes any lifetime, so that a test need not wait; `b2c check` says what the service does not take.
    @Test func `a lifetime that B2C does not take is a warning of check`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let tenant = """
            { "name": "contoso", "policies": { "susi": { "type": "signUpOrSignIn",
                "tokens": { "refreshToken": "P200D" } } },
              "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" } } },
              "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843" } } }
            """
        try tool.write(tenant, to: "t.json")
        try tool.write(
            #"{ "name": "s", "tenant": \#(tenant), "app": "ios", "steps": [{ "acquireToken": {}, "user": "ada" }] }"#,
            to: "s.json")
        for (file, place) in [("t.json", "t.json:2:33"), ("s.json", "s.json:2:33")] {
            let run = try tool.run("check", file)
            #expect(run.status == 0, "\(run.error)")
            #expect(run.error.contains("\(place): warning: `refreshToken` is P200D"), "\(run.error)")
            #expect(run.error.contains("P1D to P90D") && run.error.contains("B2C-CFG-011"), "\(run.error)")
            #expect(try tool.run("check", "--strict", file).status == 2)
        }
    }

    private func path(_ tool: Tool, _ name: String) -> String { tool.folder.appendingPathComponent(name).path }

    private func fill(_ name: String, _ bytes: [UInt8], times count: Int = 1, in tool: Tool) throws {
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count * count)
        for _ in 0..<count { all += bytes }
        try Data(all).write(to: tool.folder.appendingPathComponent(name))
    }

    @Test func `a file of fifty megabytes`() throws {
        let line = Array("<Item Key=\"abcdefghijklmnopqrstuvwxyz\">0123456789</Item>\n".utf8)
        let found = try judge { try fill("huge.xml", line, times: 50_000_000 / line.count, in: $0) }
        #expect(found.count == 2 && found[0].contains("title=B2C-VAL-005") && found[0].contains("8 MB"), "\(found)")
        #expect(found[1] == "status 0")
        let named = try judge(["huge.xml"]) { try fill("huge.xml", line, times: 50_000_000 / line.count, in: $0) }
        #expect(named.count == 2 && named[0].contains("title=B2C-VAL-001") && named[1] == "status 2", "\(named)")
    }

    @Test func `pipes, links that lead nowhere or round, and devices`() throws {
        let found = try judge { tool in
            #expect(mkfifo(path(tool, "pipe.xml"), 0o600) == 0)
            #expect(symlink("loop.json", path(tool, "loop.json")) == 0)
            #expect(symlink("nowhere", path(tool, "dangling.plist")) == 0)
            try tool.write("x", to: "inner/a.txt")
            #expect(symlink("..", path(tool, "inner/up")) == 0)
            #expect(symlink("/dev/zero", path(tool, "zero.swift")) == 0)
        }
        #expect(found.count == 6, "\(found)")
        for name in ["pipe.xml", "loop.json", "dangling.plist", "inner/up", "zero.swift"] {
            #expect(found.filter { $0.contains("file=\(name),") && $0.contains("B2C-VAL-005") }.count == 1, "\(name)")
        }
        let named = try judge(["pipe.xml"]) { #expect(mkfifo(path($0, "pipe.xml"), 0o600) == 0) }
        #expect(named.count == 2 && named[0].contains("B2C-VAL-001") && named[1] == "status 2", "\(named)")
    }

    /// Content that is not what the name says, and the rule that says so.
    static let contents: [(name: String, bytes: [UInt8], rules: [String])] = [
        ("Info.plist", Array("bplist00".utf8) + [0xFF, 0x00, 0x01], ["B2C-APP-001"]),
        ("Info.plist", [0x00, 0x01, 0x02, 0xFF], ["B2C-VAL-005"]),
        ("Info.plist", Array(String(repeating: "<plist><dict><array>", count: 50_000).utf8), ["B2C-APP-001"]),
        (
            "policy.xml", [0xFF, 0xFE] + Array("<TrustFrameworkPolicy".utf16).flatMap { [UInt8($0), 0] },
            ["B2C-VAL-005"]
        ),
        ("policy.xml", Array("<TrustFrameworkPolicy".utf8) + [0x00, 0xFF], ["B2C-POL-001"]),
        (
            "policy.xml",
            Array(
                "<!DOCTYPE a [<!ENTITY b \"x\"><!ENTITY c \"&b;&b;&b;\">]><TrustFrameworkPolicy>&c;</TrustFrameworkPolicy>"
                    .utf8),
            ["B2C-POL-001"]
        ),
        (
            "policy.xml",
            Array(("<TrustFrameworkPolicy>" + String(repeating: "<a>", count: 100_000)).utf8), ["B2C-POL-001"]
        ),
        ("app.json", Array("{ \"signInAudience\": \"AzureADMyOrg\", }".utf8), ["B2C-JSON-001"]),
        ("script.json", Array("{ \"tenant\": \"t.json\", \"steps\": [ { \"inspect\": } ] }".utf8), ["B2C-JSON-001"]),
        ("app.json", Array((String(repeating: "[", count: 200_000) + "\"replyUrlsWithType\"").utf8), ["B2C-JSON-003"]),
        ("A.swift", Array("import MSAL\n".utf8) + [UInt8](repeating: UInt8(ascii: "("), count: 400_000), []),
        ("A.m", Array("#import <MSAL/MSAL.h>\n\"\\".utf8), []),
        ("Podfile", Array("pod 'MSAL".utf8) + [0xC3, 0x28, 0x00], []),
        ("project.pbxproj", [UInt8](repeating: 0x0A, count: 200_000), []),
        ("other.json", Array("// a comment\n{ }".utf8), []),
    ]

    @Test(arguments: contents)
    func `content that is not what the name says`(name: String, bytes: [UInt8], rules: [String]) throws {
        let found = try judge { try fill(name, bytes, in: $0) }
        #expect(found.last?.hasPrefix("status ") == true)
        let named = found.compactMap { line in
            line.range(of: "title=").map { line[$0.upperBound...].prefix { $0 != ":" } }
        }
        #expect(named.map(String.init) == rules, "\(found)")
    }

    @Test func `a named file that is nothing to check is said to be that`() throws {
        let found = try judge(["notes.txt", "empty.json", "list.json"]) { tool in
            try tool.write("hello", to: "notes.txt")
            try tool.write("", to: "empty.json")
            try tool.write("[1]", to: "list.json")
        }
        #expect(found.filter { $0.contains("B2C-VAL-005") }.count == 3 && found.last == "status 0", "\(found)")
    }
}
