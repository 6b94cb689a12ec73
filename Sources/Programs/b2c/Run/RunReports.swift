import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JSON
import Reports
import ScenarioRunner
import Validation

/// What is written about a run: the text for people, reports, annotations. `b2c run` and `b2c merge` share it.
struct RunReports {
    let printsJSON: Bool
    let isQuiet: Bool
    /// What part of custom policies has to run for the run to succeed; `nil`: any.
    let gate: CoverageGate?
    private let common: CommonOptions
    private let junitFile: String?
    private let htmlFile: String?
    private let htmlDetails: HTMLReport.Details
    private let jsonFile: String?
    private let traceFile: String?
    private let archiveFile: String?
    private let gitLabFile: String?
    private let markdownFile: String?
    /// Whether the HTML report is shown in the browser.
    private let opens: Bool
    /// The HTML report of `--open` without `--report-html`.
    private static let usualPage = FilePath.join(LocalFolder.name, "report.html")
    private let coverageText: String?
    private let coverageJSON: String?
    private let coverageCobertura: String?
    private let isForGitHub: Bool
    private let isForAzure: Bool
    /// Options with the files that they name.
    private let files: [(option: String, file: String?)]
    /// A report goes to the standard output, and what people read to the other one.
    private let pipes: Bool

    /// - Parameters:
    ///   - isSilent: Nothing is written for CI services.
    ///   - others: Further options that name files to write, none of which may be the standard output.
    init(
        _ options: ReportOptions, _ common: CommonOptions, isSilent: Bool,
        others: [(option: String, file: String?)] = []
    ) throws {
        self.common = common
        printsJSON = options.json || EnvironmentOption.isOn("B2C_JSON")
        junitFile = options.reportJunit ?? Machine.environment("B2C_REPORT_JUNIT")
        opens = !isSilent && (options.open || EnvironmentOption.isOn("B2C_OPEN"))
        htmlFile = options.reportHtml ?? Machine.environment("B2C_REPORT_HTML") ?? (opens ? Self.usualPage : nil)
        if opens, htmlFile == OutputFile.standardOutput {
            throw Failure.usage("--open shows a file, and --report-html - writes none: name a file")
        }
        let htmlHasAll = options.reportHtmlAll || EnvironmentOption.isOn("B2C_REPORT_HTML_ALL")
        htmlDetails = htmlHasAll ? .all : .failed
        if options.reportHtmlAll, htmlFile == nil {
            throw Failure.usage("--report-html-all is about the page of --report-html FILE, which is not asked for")
        }
        jsonFile = options.reportJson ?? Machine.environment("B2C_REPORT_JSON")
        (traceFile, archiveFile) = try options.traceFiles()
        let services = options.services
        gitLabFile = services.reportGitlab ?? Machine.environment("B2C_REPORT_GITLAB")
        markdownFile = services.reportMarkdown ?? Machine.environment("B2C_REPORT_MARKDOWN")
        isForGitHub = !isSilent && services.isForGitHub
        isForAzure = !isSilent && services.isForAzure
        isQuiet = options.quiet || EnvironmentOption.isOn("B2C_QUIET")
        if isQuiet, common.isVerbose {
            throw Failure.usage("--quiet says less and --verbose more: use one of them")
        }
        coverageText = options.coverageText ?? Machine.environment("B2C_COVERAGE_TEXT")
        coverageJSON = options.coverageJson ?? Machine.environment("B2C_COVERAGE_JSON")
        coverageCobertura = options.coverageCobertura ?? Machine.environment("B2C_COVERAGE_COBERTURA")
        gate = try CoverageGate(options)
        let reports: [(option: String, file: String?)] = [
            ("--report-junit", junitFile), ("--report-json", jsonFile), ("--report-gitlab", gitLabFile),
            ("--report-markdown", markdownFile), ("--trace-json", traceFile), ("--trace-har", archiveFile),
            ("--coverage-text", coverageText), ("--coverage-json", coverageJSON),
            ("--coverage-cobertura", coverageCobertura), ("--report-html", htmlFile),
        ]
        files = reports + others
        pipes = try Self.pipes(printsJSON, reports, others)
    }

    // MARK: What reports need

    /// Whether a report has the outcome of every step.
    var needsTrace: Bool { traceFile != nil || htmlFile != nil && htmlDetails == .all }

    /// Whether a report has the requests of every scenario.
    var needsRequests: Bool { archiveFile != nil || htmlFile != nil && htmlDetails == .all }

    /// Whether a report or a gate needs to know what ran of custom policies.
    var countsCoverage: Bool {
        gate != nil || [coverageText, coverageJSON, coverageCobertura].contains { $0 != nil }
    }

    /// Where people read.
    var human: Output { pipes ? Machine.error : Machine.out }

    /// Whether a report goes to the standard output, where one reader takes one report.
    private static func pipes(
        _ json: Bool, _ reports: [(option: String, file: String?)], _ others: [(option: String, file: String?)]
    ) throws -> Bool {
        for (option, file) in others where file == OutputFile.standardOutput {
            throw Failure.usage("\(option) -: this file is kept for another run; name a file to write")
        }
        var piped = json ? ["--json"] : []
        for report in reports where report.file == OutputFile.standardOutput { piped.append("\(report.option) -") }
        guard piped.count < 2 else {
            throw Failure.usage(
                "\(piped[0]) and \(piped[1]) both go to the standard output: give one of them a file of its own")
        }
        return !piped.isEmpty
    }

    /// A run of an hour must not end in a report that has no folder to go to.
    func checkFolders() throws {
        if htmlFile == Self.usualPage {
            do throws(FileSystem.Problem) {
                try LocalFolder.make()
            } catch {
                throw Failure.machine("\(LocalFolder.name) cannot be made: \(error.text)") as any Error
            }
        }
        for (option, file) in files {
            guard let file, file != OutputFile.standardOutput else { continue }
            let folder = FilePath.folder(file)
            if FileSystem.kind(folder) != .folder {
                throw Failure.usage("\(option) \(file): there is no folder \(folder)")
            }
            if FileSystem.kind(file) == .folder { throw Failure.usage("\(option) \(file): this is a folder") }
        }
    }

    // MARK: Writing

    /// A run that is over, with what is not part of its report.
    struct Result {
        var report: RunReport
        var times: RunTimes
        /// Where the run comes from; `nil`: not known, or the same run gives the same bytes.
        var origin: RunOrigin?
        /// `nil`: not counted.
        var coverage: CoverageReport?
        /// The bundle that was run; `nil`: files were.
        var bundle: String?
        /// Each scenario was shown when it ended.
        var isBelowLines = false
    }

    /// Writes everything.
    ///
    /// - Parameter also: Writes further files, and returns what could not be written.
    /// - Throws: ``Failure`` for files that could not be written; everything else has been written then.
    func show(_ result: Result, also: () -> [String] = { [] }) throws {
        let report = result.report
        let console = ConsoleReport(
            style: common.style(for: human), isVerbose: common.isVerbose, isQuiet: isQuiet, bundle: result.bundle)
        let wall = result.times.total
        let text = console.text(report, wall: wall)
        human.write(sentences: (report.isGood || !result.isBelowLines ? "" : "\n") + text)
        if isForGitHub {
            human.write(commands: WorkflowCommands.gitHub(report, path: LogService.gitHub.path), of: .gitHub)
        }
        if isForAzure {
            human.write(commands: WorkflowCommands.azure(report, path: LogService.azure.path), of: .azure)
        }
        if printsJSON { Machine.out.write(data: JSONReport.text(report)) }
        var files = Files()
        files.save(junitFile) { JUnitReport.text(report, times: result.times) }
        files.save(gitLabFile) { GitLabReport.text(report, path: FindingsFormat.gitlab.path) }
        let markdown = { MarkdownReport.text(report, wall: wall) }
        files.save(markdownFile, markdown)
        files.problems += addSummaries(markdown)
        files.problems += also()
        files.save(htmlFile) {
            HTMLReport.text(
                report, version: ToolVersion.text, details: htmlDetails, times: result.times, origin: result.origin)
        }
        files.save(json: jsonFile) { JSONReport.write(report, to: &$0) }
        files.save(json: traceFile) { JSONReport.write(report, outcomes: .all, to: &$0) }
        files.save(json: archiveFile) { HARReport.write(report, version: ToolVersion.text, to: &$0) }
        if let coverage = result.coverage {
            files.save(coverageText) { CoverageText.text(coverage) }
            files.save(coverageJSON) { CoverageJSON.text(coverage) }
            files.save(coverageCobertura) { CoberturaReport.text(coverage) }
        }
        if !files.problems.isEmpty { throw Failure.whole(.machine, files.problems.joined(separator: "\n")) }
    }

    /// Report files that are written, all of them whatever happens to one.
    private struct Files {
        /// What could not be written, a sentence each.
        var problems: [String] = []

        private mutating func saved(_ file: String?, _ write: (String) throws(FileSystem.Problem) -> Void) {
            guard let file else { return }
            do throws(FileSystem.Problem) {
                try write(file)
            } catch {
                problems.append("b2c: \(file) cannot be written: \(error.text)")
            }
        }

        mutating func save(_ file: String?, _ text: () -> String) {
            saved(file) { (file) throws(FileSystem.Problem) in try OutputFile.write(text(), to: file) }
        }

        mutating func save(json file: String?, _ content: (inout JSONStream) -> Void) {
            saved(file) { (file) throws(FileSystem.Problem) in try OutputFile.write(to: file, content) }
        }
    }

    // MARK: Runs that did not begin

    /// Annotates findings where a CI service reads the log.
    func annotate(_ findings: [Diagnostic]) {
        if isForGitHub { LogService.gitHub.annotate(findings, on: human) }
        if isForAzure { LogService.azure.annotate(findings, on: human) }
    }

    /// Writes what kept a run from beginning into every report that shows results. There is no coverage of it.
    func show(notRun failure: Failure) {
        let findings = failure.reported.shown
        guard !findings.isEmpty else { return }
        annotate(findings)
        let report = FindingsReport(
            ValidationResult(findings: findings.map { Finding($0) }),
            sources: Scripts.sources(of: findings, known: []).map { FileSystem.shown($0) }, version: ToolVersion.text,
            command: .run)
        let json = { JSONReport.text(notRunBecauseOf: findings) }
        if printsJSON { Machine.out.write(data: json()) }
        var files = Files()
        for (file, format) in [
            (junitFile, FindingsFormat.junit), (gitLabFile, .gitlab), (markdownFile, .markdown), (htmlFile, .html),
        ] { files.save(file) { report.text(format, path: format.path) } }
        for file in [jsonFile, traceFile] { files.save(file, json) }
        files.save(archiveFile) {
            HARReport.text(RunReport(seed: 0, target: "", scenarios: []), version: ToolVersion.text)
        }
        files.problems += addSummaries { report.text(.markdown) }
        for problem in files.problems { Machine.error.write(problem + "\n") }
        finish()
    }

    /// What to do with a run that failed, in lines of 80 columns.
    var hint: String {
        (htmlFile == nil ? "-v shows whole requests; --open shows pages and policies in the browser;\n" : "")
            + "--bundle FILE.zip puts such a run into one file that repeats it elsewhere"
    }

    /// Names the written reports, and shows the HTML report where that was asked for.
    func finish() {
        let reports = [htmlFile, junitFile, jsonFile, gitLabFile, markdownFile, traceFile, archiveFile]
        let written = (reports + [coverageText, coverageJSON, coverageCobertura]).compactMap { $0 }
            .filter { $0 != OutputFile.standardOutput && FileSystem.kind($0) == .file }
        if !isQuiet, !written.isEmpty {
            human.write(common.style(for: human).label("report") + "  \(written.joined(separator: ", "))\n")
        }
        guard opens, let htmlFile, FileSystem.kind(htmlFile) == .file else { return }
        if let problem = Opener.show(htmlFile) { Machine.error.write("\(problem): open \(htmlFile) in a browser\n") }
    }

    /// Shows whether enough of custom policies ran; true where nobody asked.
    func checkGate(on coverage: CoverageReport?) async throws -> Bool {
        guard let gate, let coverage else { return true }
        let verdict = try await gate.verdict(on: coverage)
        if !isQuiet || !verdict.isGood { human.write(verdict.text) }
        return verdict.isGood
    }

    /// Puts the Markdown report where the CI service shows it, and says what went wrong.
    private func addSummaries(_ markdown: () -> String) -> [String] {
        var problems: [String] = []
        if isForGitHub, let file = Machine.environment("GITHUB_STEP_SUMMARY") {
            do throws(FileSystem.Problem) {
                let before = FileSystem.kind(file) == .file ? try FileSystem.read(file) : []
                try FileSystem.write(before + Array(markdown().utf8), to: file)
            } catch {
                problems.append("b2c: GITHUB_STEP_SUMMARY: \(file) cannot be written: \(error.text)")
            }
        }
        guard isForAzure else { return problems }
        let own = markdownFile.flatMap { $0 == OutputFile.standardOutput ? nil : $0 }
        guard let file = own ?? Machine.environment("AGENT_TEMPDIRECTORY").map({ FilePath.join($0, "b2c-summary.md") })
        else { return problems }
        do throws(FileSystem.Problem) {
            if own == nil { try FileSystem.write(Array(markdown().utf8), to: file) }
            human.write(
                commands: WorkflowCommands.azureSummary(
                    path: file.hasPrefix("/") ? file : FilePath.join(Machine.currentFolder, file)),
                of: .azure)
        } catch {
            problems.append("b2c: \(file) cannot be written: \(error.text)")
        }
        return problems
    }
}

extension ReportOptions {
    /// Does what comes before a run, and writes what ends it there into the reports, which would be empty.
    func reporting<Result>(_ common: CommonOptions, _ prepare: () async throws -> Result) async throws -> Result {
        do {
            return try await prepare()
        } catch let failure as Failure {
            // Options that contradict each other name no reports.
            (try? RunReports(self, common, isSilent: false))?.show(notRun: failure)
            throw failure
        }
    }
}

extension Failure {
    /// What reports show of it: what was found in files, or its text.
    var reported: [Diagnostic] {
        guard findings.isEmpty, let text else { return findings }
        let rule = status == .machine ? "B2C-CLI-006" : status == .usage ? "B2C-CLI-005" : "B2C-CLI-001"
        return [Diagnostic(rule: rule, text)]
    }
}
