import JSON
import Scenarios
import Testing

@testable import ScenarioRunner

/// What the experiments of `b2c check --prove` take for scripts of twice the length.
struct ProofGrowthTests {
    private static func signIn(expecting name: String, _ rest: String = "") -> String {
        #""steps":[{"acquireToken":{},"user":"ada","expect":{"result":{"idToken":{"claims":{"name":\#(name)}}}}}]\#(rest)"#
    }

    private static let place = "/steps/0/expect/result/idToken/claims/name"

    /// Alternatives of which each decides something, and one that is in the list twice.
    @Test func `many alternatives are proved one by one`() async throws {
        let names = (["Ada"] + (0..<600).map { "Name \($0)" } + ["Name 3"]).map { "\"\($0)\"" }
        let tried = Tried(Self.signIn(expecting: #"{"$any":[\#(names.joined(separator: ","))]}"#))
        let report = try await tried.report()
        #expect(report.findings.map { $0.location?.pointer } == ["\(Self.place)/$any/4", "\(Self.place)/$any/601"])
    }

    @Test func `single values are found without a look at the others`() {
        var looks = 0
        let index = AlternativeIndex((0..<500).map { .integer($0) } + ["a", 7.0, ["$startsWith": "a"]])
        func first(_ value: JSONValue?) -> [Int] {
            index.first(2, matching: value) {
                looks += 1
                return $0
            }
        }
        #expect(first(12) == [12])
        #expect(first(7) == [7, 501])
        #expect(first("a") == [500, 502])
        #expect(first("abc") == [502])
        #expect(first(nil) == [] && first(1000) == [])
        // Each time the one that is more than a value, if it is needed.
        #expect(looks == 5)
    }

    /// Each case has a value that the others do not have: only it is read again and run when that is changed.
    @Test(arguments: [
        #"{"requests":[{"endpoint":"authorize","query":{"login_hint":"{{hint}}"}}]}"#,
        // Nothing notices a value, so each of its alternatives is tried.
        #"{"requests":{"token":1}}"#,
    ])
    func `twice the cases make twice the changed cases`(_ expected: String) async throws {
        func changed(_ count: Int) async throws -> Int {
            let cases = (0..<count).map { #""c\#($0)":{"set":{"hint":"h\#($0)@example.com"}}"# }
            let script =
                #""cases":{\#(cases.joined(separator: ","))},"steps":[{"acquireToken":{"loginHint":"{{hint}}"},"user":"ada","expect":\#(expected)}]"#
            let report = try await Tried(script).report()
            #expect(!report.hasFailures)
            return report.changedCases
        }
        let few = try await changed(8)
        #expect(few >= 8)
        let twice = try await changed(16)
        #expect(twice <= few * 2)
    }

    @Test(arguments: [
        (ScriptEdit(["a", "b"], 2), #"{"a":{"b":2},"c":[1,{"d":1}]}"#),
        (ScriptEdit(removing: [["a", "b"]], floor: 2), #"{"a":{},"c":[1,{"d":1}]}"#),
        (ScriptEdit(removing: [["a", "b"]], floor: 0), #"{"c":[1,{"d":1}]}"#),
        (ScriptEdit(removing: [["c", "1", "d"], ["a", "b"]], floor: 1), #"{"a":{},"c":[1]}"#),
    ])
    func `a script is changed where the edit says`(_ edit: ScriptEdit, _ expected: String) throws {
        let root = try JSONParser.parse(#"{"a":{"b":1},"c":[1,{"d":1}]}"#)
        #expect(JSONWriter.compact(edit.applied(to: root)) == expected)
    }

    @Test func `outcomes that differ in time alone are the same where time does not count`() throws {
        func seen(_ text: String) throws -> JSONValue { try JSONParser.parse(text) }
        let outcome = try seen(
            #"{"elapsed":1,"requests":[{"number":1,"at":"2026-01-15T12:00:00Z","status":200,"url":"https://a.test/?x=1"}],"result":{"iat":1768478400,"raw":"eyJhbGciOiJSUzI1NiJ9.x","at_hash":"Ab3xYz0_pQrStUvWx-12kL"}}"#
        )
        let later = try seen(
            #"{"elapsed":61,"requests":[{"number":1,"at":"2026-01-15T12:01:00Z","status":200,"url":"https://a.test/?x=1"}],"result":{"iat":1768478460,"raw":"eyJhbGciOiJSUzI1NiJ9.y","at_hash":"Cd4xYz0_pQrStUvWx-34kL"}}"#
        )
        var other = later
        other.set(503, at: JSONPointer(tokens: ["requests", "0", "status"]))
        let mark = SeenOutcome(outcome, keepsAll: false, marksTime: true)
        #expect(mark.isSameAtAnotherTime(as: later) && !mark.isSameAtAnotherTime(as: other))
        #expect(!mark.isSame(as: later, carrying: nil, numbersCount: true))
    }

    @Test func `outcomes are compared without being kept`() throws {
        let outcome = try JSONParser.parse(#"{"requests":[{"number":1,"url":"https://a.test/?x=1"}],"events":[]}"#)
        let shifted = try JSONParser.parse(#"{"requests":[{"number":2,"url":"https://a.test/?x=1"}],"events":[]}"#)
        let other = try JSONParser.parse(#"{"requests":[{"number":1,"url":"https://a.test/?x=2"}],"events":[]}"#)
        let seen = SeenOutcome(outcome, keepsAll: false)
        #expect(seen.isSame(as: outcome, carrying: nil, numbersCount: true))
        #expect(!seen.isSame(as: shifted, carrying: nil, numbersCount: true))
        #expect(seen.isSame(as: shifted, carrying: nil, numbersCount: false))
        #expect(!seen.isSame(as: other, carrying: nil, numbersCount: true))
        #expect(!seen.isSame(as: other, carrying: nil, numbersCount: false))
        #expect(seen.counts == (requests: 1, pages: 0, events: 0))
        #expect(SeenOutcome(outcome, keepsAll: true).isSame(as: other, carrying: "x", numbersCount: true))
        #expect(!SeenOutcome(outcome, keepsAll: true).isSame(as: shifted, carrying: "x", numbersCount: true))
    }
}
