import Foundation
import TestSupport
import Testing

/// Every secret of real runs, held against everything that is printed and written without `--show-secrets`.
@Suite(.blocking) struct SecretsTests {
    /// Scripts of every kind of page, grant and report, some made to fail.
    static let scripts = [
        "scenarios/sign-up", "scenarios/mfa", "scenarios/password-reset", "scenarios/tokens", "scenarios/providers",
        "scenarios/sign-out", "scenarios/sign-in/wrong-password.json",
        "scenarios/errors/90211-90212-cookies-incomplete.json",
        "scenarios/tutorials/S0-R30-work-and-personal-accounts.json",
        "scenarios/tutorials/S2-K01-cache-as-msal-python-writes-it.json",
    ]

    /// What one run prints and writes.
    private func outputs(_ more: String...) throws -> [(name: String, text: String)] {
        let tool = try Tool()
        defer { tool.remove() }
        let root = TestFiles.root()
        let paths = Self.scripts.map { root.appendingPathComponent($0).path }
        let run = try tool.run(
            [
                "run", "-v", "--seed", "7", "--report-junit", "j.xml", "--report-json", "r.json", "--trace-json",
                "t.json", "--trace-har", "t.har", "--report-html", "r.html",
            ]
                + more + paths + [try failing(root)])
        #expect(run.status == 4, "\(run.error)")
        return [
            ("console", run.out), ("errors", run.error), ("junit", try tool.read("j.xml")),
            ("json", try tool.read("r.json")), ("page", try tool.read("r.html")), ("archive", try tool.read("t.har")),
            ("trace", try tool.read("t.json")),
        ]
    }

    /// A script whose failure prints exchanges with everything in them.
    private func failing(_ root: URL) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("b2c-secrets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tenant = root.appendingPathComponent("scenarios/tenants/contoso.json").path
        let script = """
            { "name": "Fails", "tenant": "\(tenant)", "app": "ios", "steps": [
              { "id": "signIn", "acquireToken": {}, "user": "ada",
                "expect": { "result": { "accessToken": { "raw": "x" } }, "requests": { "token": 7, "page": 0 } } } ] }
            """
        let file = folder.appendingPathComponent("fails.json")
        try Data(script.utf8).write(to: file)
        return file.path
    }

    /// Secrets by what they are, found in the trace that shows everything: independent of how the reports find them.
    private func secrets(in trace: Any) -> Set<String> {
        var found: Set<String> = []
        func add(_ text: String?) {
            if let text, text.utf8.count >= 8, !text.allSatisfy({ $0.isLetter || "-_.@ ".contains($0) }) {
                found.insert(text)
            }
        }
        let names: Set<String> = [
            "access_token", "refresh_token", "id_token", "id_token_hint", "password", "newPassword", "reenterPassword",
            "client_secret", "code_verifier", "raw", "secret", "x-csrf-token", "csrf_token", "totpSecret", "ctx",
        ]
        func walk(_ value: Any, _ name: String, _ above: String) {
            switch value {
            case let object as [String: Any]: for (key, member) in object { walk(member, key, name) }
            case let elements as [Any]: for element in elements { walk(element, name, above) }
            case let text as String:
                if names.contains(name) { add(text) }
                if name == "code", above == "messages" || above == "form" { add(text) }
                if name == "set-cookie", let pair = text.split(separator: ";").first {
                    add(pair.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init))
                }
                for piece in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || "-_.".contains($0)) })
                where piece.hasPrefix("m1.") || (piece.hasPrefix("eyJ") && piece.contains(".")) {
                    add(String(piece))
                }
            default: break
            }
        }
        walk(trace, "", "")
        return found
    }

    @Test func `no secret of a run is printed or written`() throws {
        let open = try outputs("--show-secrets")
        let trace = try #require(open.last?.text)
        let found = secrets(in: try JSONSerialization.jsonObject(with: Data(trace.utf8)))
        // Guards the search itself: tokens, grants, cookies, passwords and state must all have been found.
        #expect(found.count > 500, "\(found.count)")
        for beginning in ["eyJ", "m1.", "Analytical-1843", "Newcomer-2026"] {
            #expect(found.contains { $0.hasPrefix(beginning) }, "nothing begins with \(beginning)")
        }
        for (name, text) in try outputs() {
            let index = Pieces(text)
            for secret in found {
                #expect(!index.contains(secret), "\(name) holds \(secret)")
            }
        }
    }
}

/// One canary for each name under which a secret travels, sent in a form, a query and headers, and then through every
/// output.
@Suite(.blocking) struct CanaryTests {
    private static let form = [
        "refresh_token", "password", "newPassword", "oldPassword", "reenterPassword", "code", "client_secret",
        "client_assertion", "code_verifier", "api_key", "apikey", "access_key", "otp", "verificationCode",
        "id_token_hint",
    ]
    private static let query = ["sig", "subscription-key", "sasToken"]
    private static let headers = [
        "X-Api-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "X-Gateway-Token", "X-Amz-Security-Token",
    ]

    /// Its name without letters that a name of two words may lose.
    private static func canary(_ name: String, _ place: String) -> String {
        "CANARY\(name.utf8.reduce(7) { ($0 * 31 + Int($1)) % 100_000 })\(place)"
    }

    private static func members(_ names: [String], _ place: String) -> String {
        names.map { "\"\($0)\": \"\(canary($0, place))\"" }.joined(separator: ", ")
    }

    private static var all: [String] {
        form.map { canary($0, "f") } + query.map { canary($0, "q") } + headers.map { canary($0, "h") }
            + ["CANARY1b", "CANARY2c"]
    }

    /// All of it on one line, so that an excerpt that shows one member has the others beside it.
    private static func script(_ key: String) -> String {
        """
        { "name": "Canaries", "tenant": "\(TestFiles.root().appendingPathComponent("scenarios/tenants/contoso.json").path)", "app": "ios",
          "steps": [
            { "id": "wire", "http": { "endpoint": "token", "form": { \(members(form, "f")), "grant_type": "refresh_token" }, "query": { \(members(query, "q")) }, "headers": { \(members(headers, "h")), "Authorization": "Bearer CANARY1b", "Cookie": "a=CANARY2c" } }, "\(key)": { "result": { "status": 299 } } } ] }
        """
    }

    private func outputs(_ more: String...) throws -> [(name: String, text: String)] {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.script("expect"), to: "c.json")
        let run = try tool.run(
            [
                "run", "-v", "c.json", "--report-junit", "j.xml", "--report-json", "r.json", "--trace-json", "t.json",
                "--trace-har", "t.har",
            ] + more)
        #expect(run.status == 4, "\(run.out)\(run.error)")
        return [
            ("console", run.out), ("errors", run.error), ("junit", try tool.read("j.xml")),
            ("json", try tool.read("r.json")), ("archive", try tool.read("t.har")), ("trace", try tool.read("t.json")),
        ]
    }

    @Test func `no canary comes out of a run, and all do when they are asked for`() throws {
        for (name, text) in try outputs() {
            for canary in Self.all { #expect(!text.contains(canary), "\(name) holds \(canary)") }
        }
        let shown = try #require(try outputs("--show-secrets").last).text
        for canary in Self.all { #expect(shown.contains(canary), "\(canary)") }
    }

    @Test func `no canary comes out of a check of its line`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.script("expct"), to: "c.json")
        let checked = try tool.run("check", "c.json")
        #expect(checked.status == 2)
        #expect(checked.error.contains("`expct`"), "\(checked.error)")
        for canary in Self.all { #expect(!checked.error.contains(canary), "\(canary)") }
    }

    @Test func `no canary comes out of an explanation`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        for name in Self.form + Self.query + Self.headers {
            for line in [
                "\(name): CANARY77x", "\(name)=CANARY77x&a=b", "{\"\(name)\": \"CANARY77x\"}",
                "{'\(name)': 'CANARY77x'}",
            ] {
                // What a code is as a member of JSON nobody knows: most often the number of an error.
                if name == "code", !line.contains("=") { continue }
                try tool.write("AADB2C90118 the user forgot their password \(line)\n", to: "a.log")
                let told = try tool.run("explain", "--file", "a.log")
                #expect(told.status == 0, "\(told.error)")
                #expect(!told.out.contains("CANARY77x"), "\(line)\n\(told.out)")
            }
        }
    }
}

/// A text in which many others can be looked for quickly: by the places of their first eight bytes.
private struct Pieces {
    private let bytes: [UInt8]
    private var places: [UInt64: [Int]] = [:]

    init(_ text: String) {
        bytes = Array(text.utf8)
        guard bytes.count >= 8 else { return }
        var key: UInt64 = 0
        for (place, byte) in bytes.enumerated() {
            key = key << 8 | UInt64(byte)
            if place >= 7 { places[key, default: []].append(place - 7) }
        }
    }

    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        let key = wanted.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (places[key] ?? []).contains { place in
            place + wanted.count <= bytes.count && bytes[place..<(place + wanted.count)].elementsEqual(wanted)
        }
    }
}
