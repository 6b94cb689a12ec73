import Testing
import Validation

/// `JourneyInsights` of a relying party, and the metadata of Application Insights: B2C-POL-099 and B2C-POL-100.
struct JourneyInsightsTests {
    private static let key = "0f0e0d0c-0000-4000-8000-000000000001"
    private static let connection =
        "InstrumentationKey=\(key);IngestionEndpoint=https://westeurope-5.in.applicationinsights.azure.com/"

    private static func rules(_ attributes: String, mode: String? = nil) -> [(rule: String?, text: String)] {
        let files = PolicySample.files.map { name, text in
            guard name == "susi.xml" else { return (name, text) }
            return (
                name,
                text.replacing(
                    "</SessionExpiryInSeconds>",
                    with:
                        "</SessionExpiryInSeconds><JourneyInsights \(attributes) ServerEnabled=\"true\" TelemetryVersion=\"1.0.0\" />"
                ).replacing(
                    "PolicyId=\"B2C_1A_susi\"",
                    with: "PolicyId=\"B2C_1A_susi\"" + (mode.map { " DeploymentMode=\"\($0)\"" } ?? ""))
            )
        }
        let project = Project(files: files.map { ProjectFile(path: $0.0, bytes: Array($0.1.utf8)) }, now: noon)
        return Validator.validate(project).findings.map(\.diagnostic).filter {
            ["003", "012", "078", "099", "100"].map { "B2C-POL-" + $0 }.contains($0.rule)
        }.map { ($0.rule, $0.description) }
    }

    @Test(
        arguments: [
            ("TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"\(key)\"", nil, [], ""),
            ("TelemetryEngine='ApplicationInsights' InstrumentationKey = '\(key)'", "Production", [], ""),
            ("TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"#{Insights}#\"", nil, [], ""),
            (
                "TelemetryEngine=\"ApplicationInsights\" ConnectionString=\"\(connection)\"", nil, ["099"],
                "Write InstrumentationKey=\"\(key)\"."
            ),
            (
                "TelemetryEngine=\"ApplicationInsights\" ConnectionString=\"{0}\"", nil, ["099"],
                "a ConnectionString and no"
            ),
            ("TelemetryEngine=\"ApplicationInsights\"", nil, ["099"], "JourneyInsights has no InstrumentationKey"),
            (
                "TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"\(connection)\"", nil, ["099"],
                "Write only its key: \(key)."
            ),
            ("TelemetryEngine=\"Splunk\" InstrumentationKey=\"\(key)\"", nil, ["099"], "Write ApplicationInsights."),
            (
                "TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"\(key)\" DeveloperMode=\"true\"",
                "Production", ["100"], "Write DeveloperMode=\"false\""
            ),
            (
                "TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"\(key)\" DeveloperMode=\"false\"",
                "Production", [], ""
            ),
            // What is not decided yet has the general rule.
            (
                "TelemetryEngine=\"ApplicationInsights\" InstrumentationKey=\"\(key)\" DeveloperMode=\"true\"", nil,
                ["078"], "DeveloperMode is on"
            ),
        ] as [(String, String?, [String], String)])
    func `attributes of JourneyInsights`(
        _ attributes: String, _ mode: String?, _ rules: [String], _ text: String
    ) {
        let found = Self.rules(attributes, mode: mode)
        #expect(found.map(\.rule) == rules.map { "B2C-POL-" + $0 }, "\(found)")
        if !text.isEmpty { #expect(found.first?.text.contains(text) == true, "\(found)") }
    }

    @Test func `metadata with a connection string names its key`() {
        let files = PolicySample.files.map { name, text in
            ProjectFile(
                path: name,
                bytes: Array(
                    text.replacing(
                        "<Item Key=\"client_id\">123</Item>",
                        with:
                            "<Item Key=\"client_id\">123</Item><Item Key=\"InstrumentationKey\">\(Self.connection)</Item>"
                    ).utf8))
        }
        let found = Validator.validate(Project(files: files, now: noon)).findings.map(\.diagnostic)
            .filter { $0.rule == "B2C-POL-099" }
        #expect(found.map(\.message) == ["InstrumentationKey contains a connection string"])
    }
}
