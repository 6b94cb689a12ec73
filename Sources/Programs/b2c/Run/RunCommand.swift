import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import JOSE
import Reports
import ScenarioRunner
import Scenarios

/// `b2c run`.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs scenarios.",
        discussion: """
              b2c run                                   everything in the folder scenarios
              b2c run scenarios/first-sign-in.json -v   one file, with each step
              b2c run --report-html report.html --open  everything, then shows the report

            A path is a file, a folder, file.json#step, which ends after that step, or a bundle that --bundle wrote. All files \
            are checked first: if one has an error, nothing runs. The file of one report may be -, the standard output.
            """)

    @Argument(help: "Files, folders, file.json#step, or one bundle. (default: the folder scenarios, else this folder)")
    var paths: [String] = []

    @OptionGroup(title: "Which scenarios") var filter: FilterOptions
    @OptionGroup(title: "How") var manner: ExecutionOptions
    @OptionGroup(title: "Reports") var reports: ReportOptions
    @OptionGroup(title: "Output") var common: CommonOptions

    /// The file `b2c.json` of this folder; `nil`: there is none.
    var project: ProjectSettings?

    private enum CodingKeys: CodingKey {
        case paths, filter, manner, reports, common
    }

    mutating func run() async throws {
        let (profile, common) = (manner.profile, common)
        project = try await reports.reporting(common) { try ProjectSettings.use(profile: profile, common) }
        let command = self
        guard manner.watch else {
            return try await reports.reporting(common) { try RunSession(command) }.perform()
        }
        try await WatchMode(command).perform()
    }
}

/// Which scenarios run.
struct FilterOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only scenarios with one of these tags. A+B requires both, !TAG excludes a tag. (B2C_TAGS)",
            valueName: "tag,tag"))
    var tags: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only scenarios whose name contains this text, in any letter case. (B2C_NAME)", valueName: "text"))
    var name: String?

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Only this case of scenarios that have cases. Repeatable. (B2C_CASE)", valueName: "case"))
    var cases: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only one of several equal parts: 2/5, or auto, which asks the variables of the CI service. (B2C_SHARD)",
            valueName: "index/count"))
    var shard: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write what `b2c merge` needs to put all shards together. (B2C_PART)", valueName: "file"))
    var part: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Wall times of scenarios, by which --shard divides them evenly. A run without --shard and `b2c merge` write the "
                + "file. (B2C_TIMINGS)", valueName: "file"))
    var timings: String?

    @Flag(
        name: .long,
        help: "Only what failed in the last run of this folder, else everything. (B2C_LAST_FAILED)")
    var lastFailed = false

    @Flag(name: .long, help: "List what would run, and run nothing; with --json as JSON.")
    var list = false
}

/// How scenarios run.
struct ExecutionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where scenarios run: the address of a mock-server, a target file, or the name of one in scenarios/targets. "
                + "(B2C_TARGET; default: in this process)", valueName: "url|file"))
    var target: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run as this profile of b2c.json says, see docs/run-in-ci.md. (B2C_PROFILE)", valueName: "name"))
    var profile: String?

    @Flag(name: .long, help: "Run nothing when a script has a warning; see `b2c check`. (B2C_STRICT)")
    var strict = false

    @Flag(name: .long, help: "Stop after the first failure, as --max-failures 1. (B2C_BAIL)")
    var bail = false

    @Option(
        name: .long,
        help: ArgumentHelp("Stop after so many failures. (B2C_MAX_FAILURES)", valueName: "number"))
    var maxFailures: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run once for each seed, with the order of parallel branches drawn from it, and stop at the first seed that "
                + "fails: 1..1000, or 3,8. (B2C_SEEDS)", valueName: "list"))
    var seeds: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run N times, each with its own seed, and count the runs that pass. (B2C_REPEAT)", valueName: "number"))
    var `repeat`: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run what failed at a network target again, up to so many times; what passes then is flaky. (B2C_RETRIES)",
            valueName: "number"))
    var retries: Int?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "After a run that is as expected, also run every scenario with one line changed at a time, and fail when no "
                + "run notices a line. In this process. (B2C_PROVE)"))
    var prove = false

    @OptionGroup var proving: ProvingOptions

    @OptionGroup var flaky: FlakyOptions

    @Flag(
        name: .long,
        help: "Pause before each step, at a terminal: look around, repeat, change values. One job. (B2C_STEP)")
    var step = false

    @Flag(
        name: .long,
        help: "Show tokens, codes, passwords and cookies as they are. Never where others read along. (B2C_SHOW_SECRETS)"
    )
    var showSecrets = false

    @Flag(name: .long, help: "Keep watching: run what a change of scripts, tenants, policies or templates touches.")
    var watch = false

    @OptionGroup var bundling: BundleOptions

    @OptionGroup var services: ServiceOptions

    @OptionGroup var running: RunningOptions
}

/// Runs that are handed on.
struct BundleOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write script, tenant, policies, seed, report and trace into one file that `b2c run FILE.zip` repeats, "
                + "without secrets: those that were given are omitted, those in files are replaced. "
                + "(B2C_BUNDLE)", valueName: "file.zip"))
    var bundle: String?

    @Flag(
        name: .long,
        help: "A bundle with passwords and keys as they are in scripts and tenant files. (B2C_KEEP_SECRETS)")
    var keepSecrets = false

    @Flag(
        name: .long,
        help: "A bundle with other names, numbers and e-mail addresses of people too. (B2C_REDACT_PEOPLE)")
    var redactPeople = false

    @Flag(
        name: .long,
        help: "Run a bundle whose entries were changed since it was made. (B2C_ALLOW_ALTERED)")
    var allowAltered = false
}

/// What CI services read.
struct ServiceReportOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Print annotations for GitHub Actions, and add to its step summary. (B2C_REPORT_GITHUB; default: on where "
                + "GITHUB_ACTIONS is set)"))
    var reportGithub: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Print issues for Azure Pipelines, and show a summary. (B2C_REPORT_AZURE; default: on where TF_BUILD is set)"
        ))
    var reportAzure: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write failures as a code quality report, as GitLab reads it. (B2C_REPORT_GITLAB)", valueName: "file"))
    var reportGitlab: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the counts and failures as Markdown. (B2C_REPORT_MARKDOWN)", valueName: "file"))
    var reportMarkdown: String?

    /// Whether annotations for GitHub Actions are printed.
    var isForGitHub: Bool {
        reportGithub ?? EnvironmentOption.setting("B2C_REPORT_GITHUB")
            ?? (Machine.environment("GITHUB_ACTIONS")?.lowercased() == "true")
    }

    /// Whether issues for Azure Pipelines are printed.
    var isForAzure: Bool {
        reportAzure ?? EnvironmentOption.setting("B2C_REPORT_AZURE")
            ?? (Machine.environment("TF_BUILD")?.lowercased() == "true")
    }
}

/// What is written about a run.
struct ReportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write a JUnit XML report, as CI servers read it. (B2C_REPORT_JUNIT)", valueName: "file"))
    var reportJunit: String?

    @OptionGroup var services: ServiceReportOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Also write a JSON report, see docs/report.md. (B2C_REPORT_JSON)", valueName: "file"))
    var reportJson: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write a report as one HTML page that opens offline, see docs/report.md. (B2C_REPORT_HTML)",
            valueName: "file"))
    var reportHtml: String?

    @Flag(name: .long, help: "Show the HTML report in the browser; without --report-html .b2c/report.html. (B2C_OPEN)")
    var open = false

    @Flag(
        name: .long,
        help:
            "That page also has requests, pages and what each policy did of scenarios that pass. (B2C_REPORT_HTML_ALL)")
    var reportHtmlAll = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write a JSON report with every step's outcome: all requests, pages, messages, events and what each "
                + "policy did. (B2C_TRACE_JSON)", valueName: "file"))
    var traceJson: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write every request as HTTP Archive 1.2, which browsers' tools open. (B2C_TRACE_HAR)",
            valueName: "file"))
    var traceHar: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Format by file extension: FILE.har as --trace-har, FILE.json as --trace-json. (B2C_TRACE)",
            valueName: "file"))
    var trace: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write which parts of custom policies ran, as text. (B2C_COVERAGE_TEXT)", valueName: "file"))
    var coverageText: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The same as JSON. (B2C_COVERAGE_JSON)", valueName: "file"))
    var coverageJson: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The same as Cobertura XML, with lines of the policy files. (B2C_COVERAGE_COBERTURA)", valueName: "file"))
    var coverageCobertura: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Fail when scenarios run less of the custom policies than this. (B2C_COVERAGE_MIN)", valueName: "percent"))
    var coverageMin: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "--coverage-min counts only what changed since this git revision. (B2C_COVERAGE_CHANGED; default of the minimum "
                + "then: 100)", valueName: "revision"))
    var coverageChanged: String?

    /// The files of `--trace-json` and `--trace-har`, with `--trace`, which is one of them.
    func traceFiles() throws -> (json: String?, har: String?) {
        var json = traceJson ?? Machine.environment("B2C_TRACE_JSON")
        var har = traceHar ?? Machine.environment("B2C_TRACE_HAR")
        guard let file = trace ?? Machine.environment("B2C_TRACE") else { return (json, har) }
        let name = file.lowercased()
        if name.hasSuffix(".har") {
            guard har == nil else { throw Failure.usage("--trace \(file) and --trace-har name two files of one kind") }
            har = file
        } else if name.hasSuffix(".json") {
            guard json == nil else {
                throw Failure.usage("--trace \(file) and --trace-json name two files of one kind")
            }
            json = file
        } else {
            throw Failure.usage("--trace \(file): the file's name must end in .har or .json, which says what to write")
        }
        return (json, har)
    }

    @Flag(name: .shortAndLong, help: "Print failures only: nothing when everything passes. (B2C_QUIET)")
    var quiet = false

    @Flag(name: .long, help: "Print the JSON report instead of text; the text goes to the error output. (B2C_JSON)")
    var json = false
}
