import Exchanges
import Foundation
import JSON
import Records
import TestSupport
import Testing
import Verbs

/// The records of the verbs: what they read, what they write, what they refuse.
@Suite struct VerbRecordTests {
    /// Steps of every shipped script.
    private static let shipped: [Step] = {
        let root = TestFiles.root().appendingPathComponent("scenarios")
        let paths = (FileManager.default.enumerator(atPath: root.path)?.allObjects ?? []).compactMap { $0 as? String }
        return paths.filter { $0.hasSuffix(".json") && !$0.contains("schemas/") }.sorted().flatMap { path -> [Step] in
            guard let bytes = try? TestFiles.bytes("scenarios/\(path)"),
                let root = try? JSONParser.parse(bytes), root["steps"] != nil
            else { return [] }
            return StepBuilder.steps(root["steps"], at: "/steps").flatMap(\.withInner)
        }
    }()

    private static func trip<Record: VerbRecord>(_ type: Record.Type, _ value: JSONValue) -> String? {
        let cursor = SettingsCursor(allowsTemplates: true)
        let record = Record.decode(value, cursor)
        guard cursor.findings.all.isEmpty else { return cursor.findings.all.map(\.message).joined(separator: "; ") }
        guard let record, !Interpolation.isNeeded(in: value) else { return nil }
        return Record.decode(record.parameters, SettingsCursor()) == record ? nil : "is written as \(record.parameters)"
    }

    @Test func `every step of a shipped script is read, and written so that it is read the same`() {
        #expect(Self.shipped.count > 1000)
        #expect(Set(Verb.allCases).subtracting(Self.shipped.map(\.verb)) == [.barrier])
        let wrong = Self.shipped.compactMap { step in
            Self.trip(step.verb.record, step.parameters).map { "\(step.verb.rawValue) \(step.parameters): \($0)" }
        }
        #expect(wrong == [])
    }

    @Test func `what is a default is not written`() {
        var call = AcquireToken()
        call.target.policy = "susi"
        call.account = .none
        #expect(call.parameters == ["policy": "susi", "account": nil])
        var look = Inspect()
        look.what = .users
        #expect(look.parameters == "users")
        look.file = "users.json"
        #expect(look.parameters == ["what": "users", "file": "users.json"])
        #expect(SignOut().parameters == [:])
        let written: JSONValue = ["url": "https://e.test/", "event": "emailOtpSend", "token": nil]
        #expect(CallExtension.decode(written, SettingsCursor())?.parameters == written)
    }

    /// What a `{{...}}` may turn into when a step runs, and what is said of it.
    static let filled: [(verb: Verb, value: JSONValue, findings: [String])] = [
        (.acquireToken, ["loginHint": nil, "scopes": "a b"], []),
        (.acquireToken, ["scopes": ["a", 1]], ["/scopes/1: expected a text, found 1"]),
        (.acquireToken, ["correlationId": "x"], ["/correlationId: `x` is not a GUID"]),
        (.acquireTokenSilent, ["forceRefresh": "yes"], ["/forceRefresh: expected true or false, found \"yes\""]),
        (
            .acquireTokenSilent, ["account": 5],
            [
                "/account: expected an account, its identifier, a selection or null, found 5"
            ]
        ),
        (.callApi, ["token": ["raw": "t"], "json": nil], []),
        (.callApi, ["token": 1], ["/token: expected a token or its text, found 1"]),
        (.deliver, "app://callback", []),
        (.deliver, [:], [": call of `deliver` lacks \"url\""]),
        (.http, ["url": "https://a/", "methode": "GET"], ["/methode: unknown key \"methode\" in call of `http`"]),
        (
            .inspect, "cash",
            [
                ": expected one of \"cache\", \"cookies\", \"storage\", \"users\", \"inbox\", \"keys\", found \"cash\""
            ]
        ),
        (
            .mintToken, ["lifetime": "soon"],
            [
                "/lifetime: expected an ISO 8601 duration such as \"PT5M\", found \"soon\""
            ]
        ),
        (
            .callExtension, ["url": "https://e.test/", "event": "emailSend", "token": nil],
            [
                "/event: expected one of \"tokenIssuanceStart\", \"attributeCollectionStart\", "
                    + "\"attributeCollectionSubmit\", \"emailOtpSend\", \"passwordSubmit\", "
                    + "\"verifiedIdClaimValidation\", found \"emailSend\""
            ]
        ),
        (
            .callExtension, ["url": "https://e.test/", "event": "emailOtpSend", "token": ["age": "old"]],
            ["/token/age: expected an ISO 8601 duration such as \"PT5M\", found \"old\""]
        ),
        (.importCache, ["Account": [:], "AccessToken": [:]], []),
        (.importCache, "{", [": expected an object or its JSON text, found \"{\""]),
    ]

    @Test(arguments: filled.indices) func `values are checked when they are filled in`(_ index: Int) {
        let row = Self.filled[index]
        let cursor = SettingsCursor()
        _ = row.verb.record.decode(row.value, cursor)
        #expect(cursor.findings.all.map { "\($0.pointer): \($0.message)" } == row.findings)
    }

    @Test func `a value that only a run shows is neither a finding nor a default`() {
        let cursor = SettingsCursor(allowsTemplates: true)
        let call = SignOut.decode(["fromBrowser": "{{value}}", "wipeCache": "{{value}}"], cursor)
        #expect(cursor.findings.all.isEmpty)
        #expect(call?.fromBrowser == nil)
    }
}
