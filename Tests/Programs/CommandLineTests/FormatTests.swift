import Foundation
import JSON
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The forms that machines read, each parsed again: SARIF 2.1.0 by its required members, JUnit as XML.
@Suite(.blocking) struct FormatTests {
    /// A folder with an error, a warning, advice, a suppressed finding, and names that need escaping.
    private func write(to tool: Tool) throws {
        try tool.write(
            """
            { "appId": "Your_Application_Id_Here", "signInAudience": "AzureADMyOrg",
              "web": { "redirectUris": [ "https://app.contoso.example", "https://a.example/x#y&<\\">'" ] } }
            """, to: "a & \"b\" <c>/app 1.json")
        try tool.write(
            "{ \"appId\": \"Your_Application_Id_Here\", \"signInAudience\": \"AzureADMyOrg\", \"web\": {} }",
            to: "old/app.json")
        try tool.write(
            """
            { "suppress": [ { "rule": "B2C-REG-001", "file": "old/*", "reason": "kept for the \\"museum\\" & more" } ] }
            """, to: "b2c-validate.json")
    }

    private func withReport(_ format: String, _ isBad: Bool, _ body: (Tool.Outcome) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        if isBad { try write(to: tool) } else { try tool.write("import Foundation\n", to: "A.swift") }
        let one = try tool.run("validate", ".", "--format", format)
        #expect(one.status == (isBad ? 4 : 0), "\(one.error)")
        #expect(try tool.run("validate", ".", "--format", format).out == one.out, "two runs differ")
        try tool.write(one.out, to: ".expected")
        let file = try tool.run("validate", ".", "--format", format, "--output", ".report")
        #expect(file.status == one.status && file.out.isEmpty)
        #expect(try tool.read(".report") == one.out)
        try body(one)
    }

    // MARK: SARIF

    /// What section 3 of the standard requires of the objects that occur, and the words it allows.
    private func problems(_ log: JSONValue) -> [String] {
        var all: [String] = []
        func demand(_ isMet: Bool, _ text: String) { if !isMet { all.append(text) } }
        demand(log["version"]?.stringValue == "2.1.0", "3.13.2 version")
        demand(log["$schema"]?.stringValue?.hasPrefix("https://") == true, "3.13.3 $schema")
        let runs = log["runs"]?.arrayValue
        demand(runs != nil, "3.13.4 runs")
        for run in runs ?? [] {
            let driver = run["tool"]?["driver"]
            demand(driver?["name"]?.stringValue?.isEmpty == false, "3.19.8 tool.driver.name")
            demand(
                ["utf16CodeUnits", "unicodeCodePoints"].contains(run["columnKind"]?.stringValue ?? ""),
                "3.14.17 columnKind")
            let rules = driver?["rules"]?.arrayValue ?? []
            let ids = rules.compactMap { $0["id"]?.stringValue }
            demand(ids.count == rules.count && Set(ids).count == ids.count, "3.49.3 reportingDescriptor.id")
            for rule in rules {
                for member in ["shortDescription", "fullDescription", "help"] where rule[member] != nil {
                    demand(rule[member]?["text"]?.stringValue?.isEmpty == false, "3.12 \(member).text")
                }
                if let level = rule["defaultConfiguration"]?["level"]?.stringValue {
                    demand(Self.levels.contains(level), "3.50.3 level \(level)")
                }
            }
            demand(run["results"]?.arrayValue != nil, "3.14.23 results")
            for result in run["results"]?.arrayValue ?? [] {
                demand(result["message"]?["text"]?.stringValue?.isEmpty == false, "3.27.11 message.text")
                demand(Self.levels.contains(result["level"]?.stringValue ?? "none"), "3.27.10 level")
                let index = result["ruleIndex"]?.intValue ?? -1
                demand(
                    index >= 0 && index < ids.count && ids[Int(index)] == result["ruleId"]?.stringValue,
                    "3.27.6 ruleIndex")
                for location in result["locations"]?.arrayValue ?? [] {
                    let physical = location["physicalLocation"]
                    let uri = physical?["artifactLocation"]?["uri"]?.stringValue ?? ""
                    demand(
                        !uri.isEmpty
                            && uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"\\^`{|}".utf8.contains($0) },
                        "3.4.3 uri \(uri)")
                    guard let region = physical?["region"] else { continue }
                    let line = region["startLine"]?.intValue ?? 0
                    let start = region["startColumn"]?.intValue ?? 1
                    demand(line >= 1 && start >= 1, "3.30.5 startLine, startColumn")
                    demand((region["endColumn"]?.intValue ?? start) >= start, "3.30.8 endColumn")
                }
                for suppression in result["suppressions"]?.arrayValue ?? [] {
                    demand(
                        ["inSource", "external"].contains(suppression["kind"]?.stringValue ?? ""), "3.35.2 kind")
                }
            }
        }
        return all
    }

    private static let levels = ["none", "note", "warning", "error"]

    @Test(arguments: [false, true])
    func `SARIF has what the standard requires`(isBad: Bool) throws {
        try withReport("sarif", isBad) { outcome in
            let log = try JSONParser.parse(Array(outcome.out.utf8))
            #expect(problems(log).isEmpty, "\(problems(log))")
            let results = log["runs"]?.arrayValue?.first?["results"]?.arrayValue ?? []
            #expect(results.isEmpty != isBad)
            guard isBad else { return }
            #expect(Set(results.compactMap { $0["level"]?.stringValue }) == ["error", "warning", "note"])
            #expect(results.contains { $0["suppressions"] != nil })
            #expect(outcome.out.contains("a%20%26%20%22b%22%20%3Cc%3E/app%201.json"))
        }
    }

    @Test func `the check of SARIF finds what is wrong`() {
        #expect(problems(["version": "2.0.0", "runs": [["tool": [:], "results": [["ruleId": "x"]]]]]).count > 5)
    }

    // MARK: XML

    /// Elements with their attributes, in order.
    private final class Elements: NSObject, XMLParserDelegate {
        var all: [(name: String, attributes: [String: String])] = []
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { all.append((name, attributes)) }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    private func parsed(_ text: String) -> Elements? {
        let parser = XMLParser(data: Data(text.utf8))
        let elements = Elements()
        parser.delegate = elements
        return parser.parse() ? elements : nil
    }

    @Test(arguments: [false, true])
    func `JUnit is XML whose counts are right`(isBad: Bool) throws {
        try withReport("junit", isBad) { outcome in
            let elements = try #require(parsed(outcome.out))
            let suite = try #require(elements.all.first { $0.name == "testsuite" })
            let cases = elements.all.filter { $0.name == "testcase" }
            let failures = elements.all.filter { $0.name == "failure" }
            #expect(elements.all.first?.name == "testsuites")
            #expect(suite.attributes["tests"] == "\(cases.count)" && !cases.isEmpty)
            #expect(suite.attributes["failures"] == "\(failures.count)" && failures.isEmpty != isBad)
            if isBad {
                #expect(cases.contains { $0.attributes["name"] == "a & \"b\" <c>/app 1.json" })
                #expect(elements.text.contains("B2C-REG-001") && elements.text.contains("B2C-REG-002"))
            }
        }
    }

    // MARK: The others

    @Test func `annotations are one line each, with what would end them encoded`() throws {
        try withReport("github", false) { #expect($0.out.isEmpty) }
        try withReport("github", true) { outcome in
            let lines = outcome.out.split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(["::error ", "::warning ", "::notice "].contains { line.hasPrefix($0) }, "\(line)")
                #expect(line.contains("file=") && line.contains("title=B2C-"))
            }
        }
    }

    @Test func `JSON has findings and what was suppressed, with its reason`() throws {
        try withReport("json", true) { outcome in
            let report = try JSONParser.parse(Array(outcome.out.utf8))
            #expect(report["version"] == .integer(1))
            let suppressed = report["suppressed"]?.arrayValue ?? []
            #expect(suppressed.map { $0["reason"]?.stringValue } == ["kept for the \"museum\" & more"])
            for finding in report["findings"]?.arrayValue ?? [] {
                for member in ["rule", "severity", "message", "file"] {
                    #expect(finding[member]?.stringValue?.isEmpty == false, "\(member)")
                }
            }
        }
    }

    @Test func `the summary counts in words`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        for name in ["a", "b"] {
            try tool.write("<plist><dict></dict></plist>", to: "\(name)/Info.plist")
            try tool.write("MSAL = 1\n", to: "\(name)/x.xcconfig")
            try tool.write(
                """
                <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
                PolicySchemaVersion="0.3.0.0" TenantId="c.onmicrosoft.com" PolicyId="B2C_1A_\(name)" \
                PublicPolicyUri="http://c.onmicrosoft.com/B2C_1A_\(name)" />
                """, to: "\(name)/policy.xml")
        }
        let summary = try tool.run("validate").out.split(separator: "\n").last ?? ""
        #expect(
            summary.hasPrefix("2 custom policies, 2 Info.plist files, 2 Xcode build settings: "), "\(summary)")
    }

    @Test func `how it ends`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        try write(to: tool)
        for format in ["text", "json", "sarif", "github", "junit"] {
            #expect(try tool.run("validate", ".", "--format", format).status == 4, "\(format)")
            #expect(try tool.run("validate", "old", "nowhere", "--format", format).status == 2, "\(format)")
        }
        #expect(try tool.run("validate", "--format", "yaml").status == 1)
    }
}
