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

    @Test func text() throws { try matchGolden(CoverageText.text(report), "coverage.txt") }
    @Test func json() throws {
        let text = CoverageJSON.text(report)
        try matchGolden(text, "coverage.json")
        #expect(try JSONParser.parse(text)["totals", "precondition", "covered"] == 1)
    }
    @Test func cobertura() throws { try matchGolden(CoberturaReport.text(report), "coverage.xml") }
    @Test func nothingPlayed() {
        #expect(CoverageText.text(CoverageReport(files: [])) == "no custom policy was played\n")
    }
}

@Suite struct TraceModelTests {
    private let outcome: JSONValue = [
        "requests": [
            [
                "endpoint": "rest", "method": "POST", "url": "https://a.test/x",
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
                "out": ["id": "1", "name": "ada"],
            ],
            [
                "journey": "J", "step": 1, "stepType": "ClaimsExchange", "ran": true,
                "claims": ["id": "1", "name": "ada"],
            ],
            [
                "step": 2, "profile": "Api", "handler": "RestfulProvider", "validation": false, "in": ["id": "1"],
                "out": [:], "error": "no <b>",
            ],
        ],
    ]

    @Test func saysWhereClaimsCameFrom() {
        let model = TraceModel(outcome: outcome)
        #expect(model.journeys.map(\.name) == ["J"])
        #expect(
            model.journeys[0].steps[0].changes.map { "\($0.claim.name) \($0.claim.from ?? "")" } == [
                "id Login", "name Page",
            ])
        #expect(model.unfinished.map(\.name) == ["Api"])
        #expect(model.unfinished[0].input.map(\.from) == ["Login"])
        #expect(model.unfinished[0].call?.answer == "409")
        #expect(model.unfinished[0].call?.isGood == false)
    }

    @Test func thePageHoldsNoMarkupOfOthers() throws {
        let source = TraceHTML.Source(
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
