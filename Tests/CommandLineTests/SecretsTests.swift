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
                "t.json", "--trace-har", "t.har",
            ]
                + more + paths + [try failing(root)])
        #expect(run.status == 4, "\(run.error)")
        return [
            ("console", run.out), ("errors", run.error), ("junit", try tool.read("j.xml")),
            ("json", try tool.read("r.json")), ("archive", try tool.read("t.har")), ("trace", try tool.read("t.json")),
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
