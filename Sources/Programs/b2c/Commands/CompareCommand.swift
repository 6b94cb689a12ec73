import ArgumentParser
import CommandFiles
import CommandKit
import JSON
import Reports
import ScenarioRunner

/// `b2c compare`.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Runs scenarios on two targets and reports where what they show differs.",
        discussion: """
            Compared are members of discovery documents, claims, errors and their codes, fields and buttons of pages, \
            status, header fields and cookies of answers. Times, ids and tokens count by their kind only.

              b2c compare --target in-process --target live.json scenarios/sign-in.json

            Exit codes: 0 nothing differs but what was expected; 3 a scenario could not run on both; 4 something differs.
            """)

    @Argument(help: "Scripts: files, folders, or file.json#step.")
    var paths: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A target file, the name of one in scenarios/targets, or in-process. Twice.", valueName: "file|name"))
    var target: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A file of differences that are known, each with its reason.", valueName: "file"))
    var expected: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the differences found as such a file; reasons that stood there stay.", valueName: "file"))
    var writeExpected: String?

    @Flag(name: .long, help: "Print the comparison as JSON.")
    var json = false

    @OptionGroup(title: "How") var running: RunningOptions

    @OptionGroup(title: "Output") var common: CommonOptions

    func run() async throws {
        guard target.count == 2 else {
            throw Failure.usage("compare takes --target twice, such as --target in-process --target live.json")
        }
        guard !paths.isEmpty else { throw Failure.usage("compare takes the scripts to run") }
        if json, writeExpected == OutputFile.standardOutput {
            throw Failure.usage(
                "--json and --write-expected - both go to the standard output: give the differences a file of their own"
            )
        }
        let known = try expectedDifferences()
        let seed = try running.seed ?? EnvironmentOption.number("B2C_SEED", as: UInt64.self) ?? Machine.drawSeed()
        let first = try await report(on: target[0], seed)
        let second = try await report(on: target[1], seed)
        let comparison = Comparison(first, second, expected: known, leavesOutBrowsers: running.realBrowser() != nil)
        // The comparison is for people where the differences go to a program.
        let text = json ? JSONWriter.pretty(comparison.json) + "\n" : comparison.text
        (writeExpected == OutputFile.standardOutput ? Machine.error : Machine.out).write(text)
        if let writeExpected { try OutputFile.save(JSONWriter.pretty(comparison.asExpected) + "\n", to: writeExpected) }
        guard !comparison.isGood else { return }
        throw Failure.silent(comparison.unexpected.isEmpty ? .machine : .expectation)
    }

    private func report(on target: String, _ seed: UInt64) async throws -> RunReport {
        var command = try RunCommand.parse(["--target", target, "--json", "--"] + paths)
        command.manner.running = running
        command.manner.running.seed = seed
        // In process there is no network for a real browser: people use the stand-in there.
        if target == TargetArgument.inProcess { command.manner.running.usesStandIn = true }
        command.common = common
        return try await RunSession(command).report()
    }

    private func expectedDifferences() throws -> [ExpectedDifference] {
        guard let expected else { return [] }
        let bytes = try InputFile.read(expected)
        guard let json = try? JSONParser.parse(bytes) else {
            throw Failure.input("\(expected) is not JSON")
        }
        do throws(TargetProblem) {
            return try ExpectedDifference.read(json)
        } catch {
            throw Failure.input("\(expected): \(error.text)")
        }
    }
}
