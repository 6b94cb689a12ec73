import Determinism
import Diagnostics
import JSON
import Scenarios
import Synchronization
import TestSupport
import Testing

@testable import Reports
@testable import ScenarioRunner

/// What CI services read.
struct ServiceReportTests {
    /// A run with so many failures, at lines 1, 2 and so on of one file.
    static func report(failures: Int, file: String = "scenarios/a.json", name: String = "Ada") -> RunReport {
        let scenarios = (0..<max(failures, 1)).map { index -> ScenarioReport in
            let place = SourceLocation(file: file, line: index + 1, column: 5, pointer: "/steps/\(index)")
            let step = StepReport(
                title: "signIn", verb: "acquireToken", location: place, status: failures > 0 ? .failed : .passed,
                mismatches: [], problems: failures > 0 ? ["the page says \"no\""] : [], at: Timestamp(seconds: 0),
                elapsed: .zero, tellingExchanges: [], steps: [])
            return ScenarioReport(
                file: file, name: name, caseName: nil, tags: [], status: failures > 0 ? .failed : .passed, reason: nil,
                steps: [step], started: Timestamp(seconds: 0), elapsed: .days(91), exchanges: 0)
        }
        return RunReport(seed: 7, target: "in process", scenarios: scenarios)
    }

    @Test(
        arguments: [
            (0, 0, nil), (1, 1, nil), (10, 10, nil), (11, 10, "1 more failure is in"),
            (25, 10, "15 more failures are in"),
        ] as [(Int, Int, String?)])
    func `ten annotations at most and the count of the rest`(_ failures: Int, _ shown: Int, _ rest: String?) {
        for (text, start) in [
            (WorkflowCommands.gitHub(Self.report(failures: failures)), "::error file=scenarios/a.json,line="),
            (WorkflowCommands.azure(Self.report(failures: failures)), "##vso[task.logissue type=error;sourcepath="),
        ] {
            let lines = text.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix(start) } == shown)
            #expect(lines.count == shown + (rest == nil ? 0 : 1))
            if let rest { #expect(lines.last?.hasPrefix(rest) == true, "\(text)") }
        }
    }

    @Test func `what a service would read as its own is escaped`() {
        let report = Self.report(failures: 1, file: "a,b:c;d]e%.json", name: "100 %: a, b; c] \"d\"")
        let gitHub = WorkflowCommands.gitHub(report)
        #expect(
            gitHub.hasPrefix(
                "::error file=a%2Cb%3Ac;d]e%25.json,line=1,col=5,title=100 %25%3A a%2C b; c] \"d\"::signIn: the page says"
            ),
            "\(gitHub)")
        let azure = WorkflowCommands.azure(report)
        #expect(
            azure.hasPrefix(
                "##vso[task.logissue type=error;sourcepath=a,b:c%3Bd%5De%AZP25.json;linenumber=1;columnnumber=5]100 %AZP25: a, b;"
            ),
            "\(azure)")
        #expect(WorkflowCommands.gitHubData("a\r\n%") == "a%0D%0A%25")
    }

    @Test func `files are named from the folder of the repository`() throws {
        let path: (String) -> String = { "tests/\($0)" }
        #expect(WorkflowCommands.gitHub(Self.report(failures: 1), path: path).contains("file=tests/scenarios/a.json,"))
        #expect(
            WorkflowCommands.azure(Self.report(failures: 1), path: path).contains("sourcepath=tests/scenarios/a.json;"))
        let gitLab = try JSONParser.parse(GitLabReport.text(Self.report(failures: 1), path: path))
        #expect(gitLab.arrayValue?.first?["location", "path"] == "tests/scenarios/a.json")
    }

    @Test func `GitLab gets an issue for each failure, with a fingerprint that stays`() throws {
        let issues = try #require(try JSONParser.parse(GitLabReport.text(Self.report(failures: 3))).arrayValue)
        #expect(issues.count == 3)
        let prints = issues.compactMap { $0["fingerprint"]?.stringValue }
        #expect(Set(prints).count == 3 && prints.allSatisfy { $0.count == 16 })
        let again = try JSONParser.parse(GitLabReport.text(Self.report(failures: 3))).arrayValue ?? []
        #expect(again.compactMap { $0["fingerprint"]?.stringValue } == prints)
        #expect(issues[1]["location", "lines", "begin"] == 2)
        #expect(GitLabReport.text(Self.report(failures: 0)) == "[]\n")
    }

    @Test func `Markdown has counts, failures with their text, and an end`() {
        let text = MarkdownReport.text(Self.report(failures: 2, name: "<b>*Ada*</b>"), wall: .milliseconds(1260))
        #expect(text.hasPrefix("## b2c: 2 scenarios in 1 file: 0 passed, 2 failed\n\nin process, seed 7, 1.3 s\n"))
        #expect(text.contains("<summary>&lt;b&gt;\\*Ada\\*&lt;/b&gt; <code>scenarios/a.json:2</code></summary>"))
        #expect(text.contains("\n```text\nstep signIn (acquireToken) at scenarios/a.json:1\n"))
        let long = MarkdownReport.text(Self.report(failures: 9000))
        #expect(long.utf8.count < 1_000_000 && long.contains(" more failures are in the job's log.\n"))
    }

    @Test func `fences are longer than those in the text`() {
        var report = Self.report(failures: 1)
        report.scenarios[0].steps[0].problems = ["the body is ````x````"]
        #expect(MarkdownReport.text(report).contains("\n`````text\n"))
    }

    @Test func `JUnit has wall time in time, and world time as a property`() {
        let now = Now()
        let times = RunTimes(now: { now.next() })
        let report = Self.report(failures: 0)
        times.take(.started(file: "scenarios/a.json", title: "Ada"))
        times.take(.finished(report.scenarios[0]))
        let text = JUnitReport.text(report, times: times)
        #expect(
            text.contains("<testcase name=\"Ada\" classname=\"scenarios.a\" file=\"scenarios/a.json\" time=\"0.25\"/>"))
        #expect(text.contains("<property name=\"elapsed\" value=\"P91D\"/>"))
        #expect(times.total == .milliseconds(750))
    }

    /// A clock that goes on a quarter of a second with each look.
    private final class Now: Sendable {
        private let time = Mutex(TimeSpan.zero)
        func next() -> TimeSpan {
            time.withLock { time in
                defer { time = time + .milliseconds(250) }
                return time
            }
        }
    }

    @Test func `a quiet console says nothing of a run that passes`() {
        let console = ConsoleReport(style: Style(usesColor: false), isQuiet: true)
        #expect(console.text(Self.report(failures: 0)) == "")
        let text = console.text(Self.report(failures: 1))
        #expect(text.hasPrefix("FAIL scenarios/a.json: Ada\n") && !text.contains("1 scenario in"))
        let usual = ConsoleReport(style: Style(usesColor: false)).text(Self.report(failures: 0), wall: .seconds(245))
        #expect(usual == "1 scenario in 1 file: 1 passed (seed 7, 4 min 5 s)\n")
    }
}
