import Exchanges
import JSON
import ScenarioRunner
import TestSupport
import Testing

@testable import Reports

@Suite struct CoverageFormatTests {
    private let report = CoverageReport(files: [
        .init(
            path: "policies/Base.xml",
            items: [
                .init(kind: .step, id: "J 1 ClaimsExchange", line: 10, hits: 2),
                .init(
                    kind: .precondition, id: "a & \"b\" exists", line: 12, hits: 2,
                    branches: .init(skipped: 0, passed: 2)),
                .init(kind: .precondition, id: "c exists", line: 13, hits: 3, branches: .init(skipped: 1, passed: 2)),
            ]),
        .init(
            path: "policies/A&B.xml",
            items: [
                .init(kind: .profile, id: "P", line: 5, hits: 0),
                .init(kind: .transformation, id: "T", line: 5, hits: 1),
            ]),
    ])

    @Test func `coverage is written as text`() throws { try matchGolden(CoverageText.text(report), "coverage.txt") }
    @Test func `coverage is written as JSON`() throws {
        let text = CoverageJSON.text(report)
        try matchGolden(text, "coverage.json")
        #expect(try JSONParser.parse(text)["totals", "precondition", "covered"] == 1)
    }
    @Test func `coverage is written as Cobertura XML`() throws {
        try matchGolden(CoberturaReport.text(report), "coverage.xml")
    }
    @Test func `a report without policies says so`() {
        #expect(CoverageText.text(CoverageReport(files: [])) == "no custom policy was played\n")
    }
}

@Suite struct TraceModelTests {
    private let outcome: JSONValue = [
        "requests": [
            [
                "number": "2.1", "endpoint": "rest", "method": "POST", "url": "https://a.test/x",
                "response": ["status": 409, "json": ["userMessage": "no"]],
            ]
        ],
        "trace": [
            [
                "step": 1, "profile": "Login", "handler": "OpenIdConnect", "validation": true, "in": ["name": "ada"],
                "out": ["id": "1"],
            ],
            [
                "step": 1, "profile": "Page", "handler": "SelfAsserted", "validation": false, "in": [:],
                "out": ["id": "1", "name": "ada"], "origins": ["id": "bag", "name": "page"],
            ],
            [
                "journey": "J", "step": 1, "stepType": "ClaimsExchange", "ran": true,
                "claims": ["id": "1", "name": "ada"],
            ],
            [
                "step": 2, "profile": "Api", "handler": "RestfulProvider", "validation": false, "in": ["id": "1"],
                "out": [:], "exchange": "2.1", "error": "no <b>",
            ],
        ],
    ]

    @Test func `a trace says where claims came from`() {
        let model = TraceModel(outcome: outcome)
        #expect(model.journeys.map(\.name) == ["J"])
        #expect(
            model.journeys[0].steps[0].changes.map { "\($0.claim.name) \($0.claim.from?.words ?? "")" } == [
                "id from Login, step 1", "name from page Page, step 1",
            ])
        #expect(model.unfinished.map(\.name) == ["Api"])
        #expect(model.unfinished[0].input.map { $0.from?.words } == ["from Login, step 1"])
        #expect(model.unfinished[0].call?.answer == "409")
        #expect(model.unfinished[0].call?.isGood == false)
    }

    /// A web API that was called twice, a default, a session and a hint; the token has its own names.
    private static let signIn: JSONValue = [
        "requests": [
            [
                "number": "6.1", "endpoint": "rest", "method": "POST", "url": "https://a.test/x",
                "response": ["networkError": "timeout"],
            ],
            [
                "number": "6.2", "endpoint": "rest", "method": "POST", "url": "https://a.test/x",
                "response": ["status": 200, "json": ["tier": "gold"]],
            ],
        ],
        "result": [
            "idToken": ["claims": ["loyalty": "gold", "country": "GB", "mail": "a@b.test", "tid": "x", "city": "Rome"]]
        ],
        "trace": [
            [
                "journey": "J", "step": 1, "stepType": "GetClaims", "ran": true, "claims": ["mail": "a@b.test"],
                "out": ["mail": "a@b.test"], "origins": ["mail": "hint"],
            ],
            [
                "step": 2, "profile": "REST-Tier", "handler": "RestfulProvider", "validation": false, "in": [:],
                "out": ["tier": "gold", "country": "GB"], "origins": ["country": "default"], "exchange": "6.2",
            ],
            [
                "step": 2, "profile": "Known", "handler": "Directory", "validation": false, "in": ["tier": "gold"],
                "out": ["city": "Turin"], "origins": ["city": "session"], "skipped": "session",
            ],
            [
                "step": 2, "profile": "Known", "transformation": "Upper", "method": "ChangeCase",
                "in": ["city": "Turin"],
                "out": ["big": "TURIN"],
            ],
            [
                "journey": "J", "step": 3, "stepType": "SendClaims", "ran": true,
                "claims": ["tier": "gold", "country": "GB", "mail": "a@b.test", "city": "Turin", "big": "TURIN"],
                "issued": [
                    "loyalty": "tier", "country": "country", "mail": "mail", "tid": "tenant", "city": "city",
                    "job": "title",
                ],
            ],
        ],
    ]

    @Test(
        arguments: [
            ("/result/idToken/claims/loyalty", "tier = \"gold\" from REST-Tier, step 2, exchange 6.2"),
            ("/result/idToken/claims/loyalty/0", "tier = \"gold\" from REST-Tier, step 2, exchange 6.2"),
            ("/result/idToken/claims/country", "country = \"GB\" from the default of REST-Tier, step 2"),
            ("/result/idToken/claims/mail", "mail = \"a@b.test\" from id_token_hint, step 1"),
            ("/trace/4/claims/city", "city = \"Turin\" from the session of Known, step 2"),
            ("/trace/3/out/big", "big = \"TURIN\" from Upper, step 2"),
            // The policy issues it, and it has no value.
            ("/result/idToken/claims/job", "nothing wrote title"),
            // The value is not the one of the trace; the trace does not know the claim; the place is not a claim.
            ("/result/idToken/claims/city", nil), ("/result/idToken/claims/tid", nil),
            ("/result/idToken/claims/other", nil),
            ("/result/idToken/claims", nil), ("/requests/0/url", nil), ("/trace/4/claims/job", nil),
        ] as [(String, String?)])
    func `a place in the outcome has its source`(_ place: String, _ expected: String?) throws {
        let pointer = try #require(JSONPointer(place))
        #expect(ClaimSources(outcome: Self.signIn).line(at: pointer) == expected)
    }

    @Test func `a call is that of the exchange`() {
        let model = TraceModel(outcome: Self.signIn)
        let items = model.journeys[0].steps[1].items
        #expect(items.map { $0.call?.answer } == ["200", nil, nil])
        #expect(items[1].input.map { $0.from?.words } == ["from REST-Tier, step 2, exchange 6.2"])
    }

    @Test func `a failure says where the claim is from`() {
        let mismatch = Mismatch(
            pointer: "/result/idToken/claims/loyalty", wanted: "silver", found: "gold",
            text: "expected \"silver\", actual \"gold\"")
        var step = Sample.step("sign in", line: 8, status: .failed, mismatches: [mismatch], outcome: Self.signIn)
        let line = "    claim    tier = \"gold\" from REST-Tier, step 2, exchange 6.2"
        #expect(FailureText.lines(step, Style(usesColor: false)).contains(line))
        step.outcome = nil
        #expect(!FailureText.lines(step, Style(usesColor: false)).contains { $0.contains("claim ") })
    }

    @Test func `the page holds no markup of others`() throws {
        let source = TraceHTML.ElementSource(
            kind: "TechnicalProfile", id: "Api", file: "policies/<b>.xml", line: 7,
            text: "<TechnicalProfile Id=\"Api\"/>")
        let html = TraceHTML(title: "<script>", failure: "a & b", drawing: "<svg/>", sources: [source])
            .text(outcome, version: "1.2.3")
        #expect(!html.contains("<b>") && !html.contains("<svg/>") && !html.contains("<TechnicalProfile"))
        #expect(html.contains("<title>&lt;script&gt;</title>"))
        #expect(!html.contains(" src=") && !html.contains("<link"))
        // What the page draws is its data, whole.
        let start = try #require(html.range(of: "id=\"data\">\n"))
        let end = try #require(html[start.upperBound...].range(of: "\n</script>"))
        let data = try JSONParser.parse(String(html[start.upperBound..<end.lowerBound]))
        #expect(data["outcome"] == outcome && data["failure"] == "a & b" && data["drawing"] == "<svg/>")
        #expect(data["sources"]?.arrayValue?.first?["line"] == 7)
    }
}
