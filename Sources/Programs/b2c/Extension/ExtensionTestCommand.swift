import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import ExtensionCalls
import JSON
import Reports
import Validation

/// `b2c extension test`.
struct ExtensionTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tries what the service, or somebody else, can send to an extension.",
        discussion: """
            Sends good and bad tokens, both spellings of the body, a repeated call and wrong passwords, and checks the \
            answers. A case that cannot show anything is not tried.

              b2c extension test http://localhost:7071/api/claims \\
                --event tokenIssuanceStart --server http://localhost:9400

            Ends with 0; with 4 when a case fails.
            """)

    @OptionGroup var options: ExtensionOptions

    @Option(
        name: .customLong("case"), help: ArgumentHelp("Try this case. Repeatable. (default: all)", valueName: "name"))
    var chosen: [String] = []

    @Option(name: .long, help: "How it is written: text, json, sarif, html ... (B2C_FORMAT)")
    var format: FindingsFormat = .text

    @Option(name: .long, help: ArgumentHelp("Write it there instead of printing.", valueName: "file"))
    var output: String?

    func run() async throws {
        let format = FindingsFormat.chosen(format)
        let event = try options.chosenEvent()
        let names = ExtensionTrial.cases(for: event, host: options.host).map(\.name)
        if let name = chosen.first(where: { !names.contains($0) }) {
            let hint = nearestName(name, among: names).map { "Did you mean \($0)?" }
            throw Failure.usage("\(event.rawValue) has no case \(name). \(hint ?? "Cases are \(namesList(names)).")")
        }
        let isPrinted = format == .text && output == nil
        let width = names.map(\.count).max() ?? 0
        try await options.withCall { call, transport, generator in
            let results = try await ExtensionTrial(call).run(
                chosen, over: transport, clock: Machine.clock, using: generator
            ) { if isPrinted { Machine.out.write($0.lines(width).joined(separator: "\n") + "\n") } }
            try write(results, format, width, isPrinted)
            if results.contains(where: { $0.conclusion == .failed }) { throw Failure.silent(.expectation) }
        }
    }

    private func write(
        _ results: [ExtensionTrial.Result], _ format: FindingsFormat, _ width: Int, _ isPrinted: Bool
    ) throws {
        let failed = results.count { $0.conclusion == .failed }
        let passed = results.count { $0.conclusion == .passed }
        let summary =
            "\(results.count) cases: \(passed) passed, \(failed) failed, \(results.count - passed - failed) not tried\n"
        if isPrinted { return Machine.out.write(summary) }
        if format == .text, let output {
            let lines = results.flatMap { $0.lines(width) }
            return try OutputFile.save((lines + [summary]).joined(separator: "\n"), to: output)
        }
        var report = FindingsReport(
            ValidationResult(findings: results.compactMap(\.diagnostic).map { Finding($0) }), sources: [],
            version: ToolVersion.text, command: .extensionTest)
        report.cases = results.map { result in
            let name = result.trial.name
            if case .notTried(let reason) = result.conclusion { return .init(name, .skipped(reason: reason)) }
            return .init(name, result.diagnostic.map { .failed($0) } ?? .passed)
        }
        report.properties = ["cases": .array(results.map { .object($0.json) })]
        try report.write(format, to: output)
    }
}

extension ExtensionTrial.Result {
    /// In the console.
    func lines(_ width: Int) -> [String] {
        let name = trial.name + String(repeating: " ", count: max(0, width - trial.name.count))
        switch conclusion {
        case .passed: return ["passed     \(name)  \(trial.title)"]
        case .notTried(let reason): return ["not tried  \(name)  \(reason)"]
        case .failed:
            let facts = [("service", whatServiceDoes), ("person", whatPersonSees), ("fix", remedy)]
            return ["FAILED     \(name)  \(finding) [\(trial.rule)]"]
                + facts.filter { !$0.1.isEmpty }.map { "    \($0.0): \($0.1)" }
        }
    }

    /// `nil`: it did not fail.
    var diagnostic: Diagnostic? {
        guard conclusion == .failed else { return nil }
        let text = finding.hasSuffix(".") ? String(finding.dropLast()) : finding
        return Diagnostic(
            trial.severity, rule: trial.rule, "\(trial.name): \(text)", remedy: remedy.isEmpty ? nil : remedy)
    }

    /// As reports have it.
    var json: JSONObject {
        var object: JSONObject = ["name": .string(trial.name), "rule": .string(trial.rule)]
        switch conclusion {
        case .passed: object["result"] = "passed"
        case .notTried(let reason): (object["result"], object["reason"]) = ("notTried", .string(reason))
        case .failed:
            object["result"] = "failed"
            object["severity"] = .string(trial.severity.rawValue)
            object["message"] = .string(finding)
            object["service"] = .string(whatServiceDoes)
            object["person"] = .string(whatPersonSees)
            object["remedy"] = .string(remedy)
            object["finding"] = answer.map { .object($0.json) }
        }
        return object
    }
}
