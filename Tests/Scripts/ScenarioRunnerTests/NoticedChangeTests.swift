import Diagnostics
import JSON
import Scenarios
import Testing

@testable import ScenarioRunner

/// What people, apps, services and the directory notice of a changed policy, by the outcomes of one script with both.
struct NoticedChangeTests {
    /// The outcome of a sign-in with one page, one message, one call of an API and one write.
    private static let whole: JSONValue = [
        "pages": [
            [
                "name": "signUp", "technicalProfile": "Local-SignUp", "title": "Sign up",
                "buttons": ["continue", "cancel"],
                "fields": [
                    "city": ["label": "City", "required": false, "value": "Bonn"], "email": ["label": "Email"],
                ],
            ]
        ],
        "messages": [["kind": "email", "to": "ada@example.test", "code": "471100", "text": "Your code is 471100."]],
        "requests": [
            [
                "from": "authority", "endpoint": "rest", "method": "POST", "url": "https://api.test/check?x=1",
                "json": ["tier": "gold"], "headers": ["authorization": "Basic abc"],
            ],
            [
                "from": "client", "endpoint": "token", "method": "POST", "url": "https://c.test/token",
                "response": ["json": ["token_type": "Bearer", "expires_in": 3600]],
            ],
        ],
        "trace": [["profile": "AAD-Write", "in": ["city": "Bonn", "newPassword": "Secret-1"]]],
        "result": [
            "idToken": [
                "header": ["alg": "RS256", "kid": "k1"],
                "claims": ["name": "Ada", "iat": 1000, "exp": 4600, "nonce": "n1"],
            ]
        ],
    ]

    private static func report(_ outcomes: [JSONValue?], problem: String? = nil) -> ScenarioReport {
        let steps = outcomes.map { outcome in
            StepReport(
                id: nil, title: "signIn", verb: "acquireToken", location: SourceLocation(file: "s.json"), client: nil,
                status: problem == nil ? .passed : .failed, mismatches: [], problems: problem.map { [$0] } ?? [],
                at: Scenario.usualClock, elapsed: .zero, outcome: outcome, tellingExchanges: [], steps: [])
        }
        return ScenarioReport(
            file: "s.json", name: "Signs in", caseName: nil, tags: [], status: .passed, reason: nil, steps: steps,
            started: Scenario.usualClock, elapsed: .zero, exchanges: 0)
    }

    private static func changes(_ old: [JSONValue?], _ new: [JSONValue?]) -> [NoticedChange] {
        NoticedChange.between(report(old), report(new)) { $0 == "AAD-Write" }
    }

    /// The outcome with one value at a place changed; `nil` removes it.
    private static func whole(_ pointer: JSONPointer, _ value: JSONValue?) -> JSONValue {
        var changed = whole
        changed.set(value, at: pointer)
        return changed
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var place: JSONPointer
        var value: JSONValue?
        /// What is noticed: `PARTY PLACE: OLD -> NEW`.
        var noticed: [String]

        init(_ place: JSONPointer, _ value: JSONValue?, _ noticed: [String]) {
            self.place = place
            self.value = value
            self.noticed = noticed
        }

        var testDescription: String { "\(place)" }
    }

    static let cases: [Case] = [
        // What differs between any two runs is nothing that somebody notices.
        Case("/result/idToken/claims/nonce", "n2", []),
        Case(
            "/messages/0",
            ["kind": "email", "to": "ada@example.test", "code": "815815", "text": "Your code is 815815."], []),
        Case("/pages/0/fields/city/value", "Rome", []),
        Case("/requests/0/headers/authorization", "Basic xyz", []),
        Case("/trace/0/in/newPassword", "Secret-2", []),
        Case("/trace/0/profile", "AAD-Read", ["directory writes: [\"write\"] -> []"]),
        // A person.
        Case("/pages/0/title", "Join", ["person page signUp (Local-SignUp), title: \"Sign up\" -> \"Join\""]),
        Case(
            "/pages/0/buttons", ["continue"],
            ["person page signUp (Local-SignUp), buttons: [\"continue\",\"cancel\"] -> [\"continue\"]"]),
        Case(
            "/pages/0/fields/city/label", "Town",
            ["person page signUp (Local-SignUp), field city, label: \"City\" -> \"Town\""]),
        Case(
            "/pages/0/fields/city", nil,
            ["person page signUp (Local-SignUp), fields: [\"city\",\"email\"] -> [\"email\"]"]),
        Case("/pages", [], ["person pages: [\"signUp (Local-SignUp)\"] -> []"]),
        Case(
            "/messages/0/to", "nina@example.test",
            ["person message email, to: \"ada@example.test\" -> \"nina@example.test\""]),
        Case("/messages", [], ["person messages: [\"email\"] -> []"]),
        // A service.
        Case(
            "/requests/0/json/tier", "silver",
            ["service POST https://api.test/check, json tier: \"gold\" -> \"silver\""]),
        Case(
            "/requests/0/headers/authorization", "Bearer abc",
            ["service POST https://api.test/check, authorization: \"Basic\" -> \"Bearer\""]),
        Case("/requests/0/from", "client", ["service calls: [\"POST https://api.test/check\"] -> []"]),
        // The directory.
        Case("/trace/0/in/city", "Rome", ["directory account, attribute city: \"Bonn\" -> \"Rome\""]),
        Case("/trace/0/in/city", nil, ["directory account, attribute city: \"Bonn\" -> nothing"]),
        // An app.
        Case("/result/idToken/claims/name", "Nina", ["app ID token, claim name: \"Ada\" -> \"Nina\""]),
        Case("/result/idToken/claims/tier", "gold", ["app ID token, claim tier: nothing -> \"gold\""]),
        Case("/result/idToken/claims/exp", 2800, ["app ID token, seconds until it expires: 3600 -> 1800"]),
        Case("/result/idToken/header/kid", "k2", ["app ID token, header kid: \"k1\" -> \"k2\""]),
        Case("/requests/1/response/json/expires_in", 900, ["app token response, expires_in: 3600 -> 900"]),
        Case("/result", ["page": ["name": "error"]], ["app end: \"a token\" -> \"the page error\""]),
        Case("/result", nil, ["app end: \"a token\" -> \"no answer\""]),
    ]

    private static func words(_ change: NoticedChange) -> String {
        func text(_ value: JSONValue?) -> String { value.map(JSONWriter.compact) ?? "nothing" }
        return "\(change.party) \(change.place.text): \(text(change.old)) -> \(text(change.new))"
    }

    @Test(arguments: cases) func `a change of the outcome is noticed by those it concerns`(_ one: Case) {
        let changed = Self.whole(one.place, one.value)
        #expect(Self.changes([Self.whole], [changed]).map(Self.words) == one.noticed)
        // In the other direction as many are noticed.
        #expect(Self.changes([changed], [Self.whole]).count == one.noticed.count)
        #expect(Self.changes([changed], [changed]).isEmpty)
    }

    /// Ends without a result, and how a change from the first to another is described.
    static let ends: [(outcome: JSONValue, end: String)] = [
        (["error": ["kind": "serverError", "b2cCode": "AADB2C90088"]], "an error"),
        (
            ["pending": ["page": ["name": "signIn", "error": "Wrong."]]],
            "no answer: the page signIn stays with the error \"Wrong.\""
        ),
        (["pending": ["page": ["name": "signIn"]]], "no answer: the page signIn stays"),
    ]

    @Test(arguments: ends) func `another end is one change, and the steps after it are not compared`(
        _ outcome: JSONValue, _ end: String
    ) throws {
        let changes = Self.changes(
            [["result": ["idToken": [:]]], Self.whole], [outcome, Self.whole("/pages/0/title", "Join")])
        let change = try #require(changes.first)
        #expect(changes.count == 1)
        #expect(change.party == .app && change.place == .end && change.step == 0)
        #expect(change.old == "a token" && change.new == .string(end))
    }

    @Test func `errors that differ are noticed by their members`() {
        let changes = Self.changes(
            [["error": ["kind": "serverError", "b2cCode": "AADB2C90088", "message": "a"]]],
            [["error": ["kind": "serverError", "b2cCode": "AADB2C90080", "message": "b"]]])
        #expect(changes.map(Self.words) == ["app error, b2cCode: \"AADB2C90088\" -> \"AADB2C90080\""])
    }

    @Test func `a step that did not run ends with nothing`() throws {
        let changes = Self.changes([Self.whole, Self.whole], [Self.whole])
        let end = try #require(changes.last?.followed.first { $0.place == .end })
        #expect(end.new == "nothing: an earlier step failed")
        #expect(end.step == 1 && changes.last?.step == 1)
    }

    @Test func `a problem is an end, with the names that the new policy has`() {
        let old = NoticedChange.between(
            Self.report([nil], problem: "the page \"signIn\" has no \"GoogleOld\" to press\nmore"),
            Self.report([nil], problem: "the page \"signIn\" has no \"GoogleNew\" to press"),
            renamed: { $0 == "GoogleOld" ? "GoogleNew" : $0 }, isWrite: { _ in false })
        #expect(old.isEmpty)
    }

    @Test func `a page of another technical profile is the same one where the profile was only renamed`() {
        let renamed = Self.whole("/pages/0/technicalProfile", "Local-SignUp-2")
        #expect(Self.changes([Self.whole], [renamed]).map(\.place) == [.pages])
        let known = NoticedChange.between(
            Self.report([Self.whole]), Self.report([renamed]),
            renamed: { $0 == "Local-SignUp" ? "Local-SignUp-2" : $0 }, isWrite: { _ in false })
        #expect(known.isEmpty)
    }

    @Test func `what a page shows besides its record is noticed, and no expectation shows it`() throws {
        let changes = NoticedChange.between(
            Self.report([Self.whole]), Self.report([Self.whole]),
            facts: (old: { _ in [(.template, "a.html")] }, new: { _ in [(.template, "b.html")] }),
            isWrite: { _ in false })
        #expect(changes.map(Self.words) == ["person page signUp (Local-SignUp), template: \"a.html\" -> \"b.html\""])
        #expect(try #require(changes.first).expectation == nil)
    }

    @Test func `the same change in a later step is reported once`() {
        let other = Self.whole("/pages/0/title", "Join")
        let changes = Self.changes([Self.whole, Self.whole], [other, other])
        #expect(changes.map(\.place.text) == ["page signUp (Local-SignUp), title"])
        #expect(changes.map(\.step) == [0])
    }

    /// What holds before and not afterwards, as an expectation of a script.
    static let expectations: [(place: JSONPointer, value: JSONValue?, expectation: JSONObject)] = [
        (
            "/pages/0/title", "Join",
            [
                "pages": [
                    ["name": "signUp", "technicalProfile": "Local-SignUp", "title": "Sign up", "$times": ["$gte": 1]]
                ]
            ]
        ),
        (
            "/pages/0/fields/city/label", "Town",
            [
                "pages": [
                    [
                        "name": "signUp", "technicalProfile": "Local-SignUp", "fields": ["city": ["label": "City"]],
                        "$times": ["$gte": 1],
                    ]
                ]
            ]
        ),
        (
            "/pages/0/fields/city", nil,
            [
                "pages": [
                    [
                        "name": "signUp", "technicalProfile": "Local-SignUp", "fields": ["city": ["$exists": true]],
                        "$times": ["$gte": 1],
                    ]
                ]
            ]
        ),
        ("/messages", [], ["messages": [["kind": "email", "$times": 1]]]),
        (
            "/requests/0/json/tier", "silver",
            [
                "requests": [
                    [
                        "from": "authority", "method": "POST", "url": ["$startsWith": "https://api.test/check"],
                        "json": ["tier": "gold"], "$times": ["$gte": 1],
                    ]
                ]
            ]
        ),
        (
            "/trace/0/in/city", "Rome",
            ["trace": [["profile": "AAD-Write", "in": ["city": "Bonn"], "$times": ["$gte": 1]]]]
        ),
    ]

    @Test(arguments: expectations) func `a change says what holds before it and not afterwards`(
        _ place: JSONPointer, _ value: JSONValue?, _ expectation: JSONObject
    ) throws {
        let changed = Self.whole(place, value)
        let change = try #require(Self.changes([Self.whole], [changed]).first)
        #expect(change.expectation == expectation)
        #expect(Expectation.mismatches(outcome: Self.whole, expected: .object(expectation)).isEmpty)
        #expect(!Expectation.mismatches(outcome: changed, expected: .object(expectation)).isEmpty)
    }

    @Test func `lists of the same entries are alike in any order, and ends only if both are the same`() {
        func list(_ old: [String], _ new: [String]) -> NoticedChange {
            NoticedChange(
                place: .calls, old: .array(old.map { .string($0) }), new: .array(new.map { .string($0) }))
        }
        let one = list(["a", "b", "c", "a"], ["c", "d"])
        #expect(one.isList)
        #expect(one.gone == ["a", "b", "a"])
        #expect(one.further == ["d"])
        #expect(one.isAlike(list(["a", "a", "b"], ["d"])))
        #expect(!one.isAlike(list(["a"], ["d"])))
        func end(_ old: String, _ new: String) -> NoticedChange {
            NoticedChange(place: .end, old: .string(old), new: .string(new))
        }
        #expect(end("a", "b").isAlike(end("a", "b")))
        #expect(!end("a", "b").isAlike(end("a", "c")))
        func claim(_ old: JSONValue?, _ new: JSONValue, of token: NoticedPlace.Owner = .idToken) -> NoticedChange {
            NoticedChange(place: .detail(.claim("x"), of: token), old: old, new: new)
        }
        #expect(claim("1", "2").isAlike(claim("3", "4")))
        #expect(!claim("1", "2").isAlike(claim(nil, "4")))
        #expect(!claim("1", "2").isAlike(claim("1", "2", of: .accessToken)))
        #expect(claim("1", "2").place.group == NoticedPlace.detail(.claim("y"), of: .idToken).group)
        #expect(claim("1", "2").place.group != claim("1", "2", of: .accessToken).place.group)
    }
}
