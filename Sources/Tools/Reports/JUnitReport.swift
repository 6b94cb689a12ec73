import Determinism
import JSON
import ScenarioRunner

/// The report as JUnit XML, in the dialect that Jenkins, GitLab, GitHub actions, Azure DevOps and CircleCI read: a suite
/// a file, a test case for each of its cases.
///
/// `time` is wall time in seconds, which servers plot. World time, which may be days, is in the properties `elapsed`.
public enum JUnitReport {
    /// The report as a text that ends in a line feed.
    ///
    /// - Parameter times: The wall time of the scenarios; `nil`: each took none.
    public static func text(_ report: RunReport, times: RunTimes? = nil) -> String {
        let suites = suites(report.scenarios)
        let whole = Counts(report.scenarios, times)
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"b2c\"\(whole.attributes)>",
        ]
        for suite in suites { lines += self.suite(suite, report, times) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private struct Suite {
        var file: String
        var scenarios: [ScenarioReport]
    }

    private struct Counts {
        var attributes: String

        init(_ scenarios: [ScenarioReport], _ times: RunTimes?) {
            let failures = scenarios.count { !$0.status.isGood && $0.status != .notRun }
            let skipped = scenarios.count { [.skipped, .expectedFailure, .notRun].contains($0.status) }
            attributes =
                " tests=\"\(scenarios.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
                + " time=\"\(JUnitReport.seconds(scenarios.reduce(.zero) { $0 + (times?.time(of: $1) ?? .zero) }))\""
        }
    }

    /// Seconds with as many of three digits behind the point as there are: `1.5`, `1209600`.
    static func seconds(_ span: TimeSpan) -> String {
        let milliseconds = max(0, span.milliseconds)
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return String(whole) }
        var digits = String(1000 + rest).dropFirst()
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    /// Runs of one file are neighbours, as in the report.
    private static func suites(_ scenarios: [ScenarioReport]) -> [Suite] {
        var suites: [Suite] = []
        for scenario in scenarios {
            if let last = suites.indices.last, suites[last].file == scenario.file {
                suites[last].scenarios.append(scenario)
            } else {
                suites.append(Suite(file: scenario.file, scenarios: [scenario]))
            }
        }
        return suites
    }

    private static func suite(_ suite: Suite, _ report: RunReport, _ times: RunTimes?) -> [String] {
        let counts = Counts(suite.scenarios, times).attributes
        var lines = ["  <testsuite name=\"\(ReportXML.attribute(suite.file))\"\(counts)>"]
        lines.append("    <properties>")
        var properties = [("seed", String(report.seed)), ("target", report.target)]
        if report.drawsOrder { properties.append(("order", "drawn")) }
        if let seeds = report.seeds {
            properties += [("seeds given", String(seeds.given)), ("seeds passed", String(seeds.passed))]
        }
        for (name, value) in properties {
            lines.append("      <property name=\"\(name)\" value=\"\(ReportXML.attribute(value))\"/>")
        }
        for scenario in suite.scenarios {
            let name = scenario.caseName.map { "elapsed \($0)" } ?? "elapsed"
            lines.append(
                "      <property name=\"\(ReportXML.attribute(name))\" value=\"\(scenario.elapsed.iso8601)\"/>")
        }
        lines.append("    </properties>")
        for scenario in suite.scenarios { lines += testCase(scenario, report, times) }
        lines.append("  </testsuite>")
        return lines
    }

    private static func testCase(
        _ scenario: ScenarioReport, _ report: RunReport, _ times: RunTimes?
    ) -> [String] {
        let head =
            "    <testcase name=\"\(ReportXML.attribute(scenario.title))\" classname=\"\(ReportXML.attribute(className(scenario.file)))\""
            + " file=\"\(ReportXML.attribute(scenario.file))\" time=\"\(seconds(times?.time(of: scenario) ?? .zero))\""
        switch scenario.status {
        case .passed:
            return [head + "/>"]
        case .flaky:
            let reason = ReportXML.content("flaky: " + (scenario.reason ?? ""))
            return [head + ">", "      <system-out>\(reason)</system-out>", "    </testcase>"]
        case .skipped, .expectedFailure, .notRun:
            let reason = skipReason(scenario)
            return [head + ">", "      <skipped message=\"\(ReportXML.attribute(reason))\"/>", "    </testcase>"]
        case .failed, .unexpectedPass, .blocked:
            let failure = FailureText(scenario, option: report.seedOption)
            return [
                head + ">",
                "      <failure type=\"\(scenario.status.rawValue)\" message=\"\(ReportXML.attribute(failure.headline))\">"
                    + ReportXML.content(failure.text) + "</failure>",
                "    </testcase>",
            ]
        }
    }

    private static func skipReason(_ scenario: ScenarioReport) -> String {
        switch scenario.status {
        case .expectedFailure: "failed as expected" + (scenario.reason.map { ": \($0)" } ?? "")
        case .notRun: "not run" + (scenario.reason.map { ": \($0)" } ?? "")
        default: scenario.reason ?? "skipped"
        }
    }

    /// `scenarios/sign-in/happy.json` as servers group it: `scenarios.sign-in.happy`.
    private static func className(_ file: String) -> String {
        var path = Substring(file)
        while path.hasPrefix("../") { path = path.dropFirst(3) }
        if path.hasSuffix(".json") { path = path.dropLast(5) }
        return path.split(separator: "/").joined(separator: ".")
    }
}
