import ArgumentParser
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

              b2c compare --target in-process --target live.json scenarios/happy-sign-in.json

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

    @Option(name: .long, help: ArgumentHelp("As for b2c run.", valueName: "n"))
    var seed: UInt64?

    @Option(name: .long, help: ArgumentHelp("As for b2c run.", valueName: "n"))
    var jobs: Int?

    @Option(name: .long, help: ArgumentHelp("As for b2c run. Repeatable.", valueName: "NAME=VALUE"))
    var variable: [String] = []

    @Option(name: .long, help: ArgumentHelp("As for b2c run. Repeatable.", valueName: "NAME=VALUE"))
    var secret: [String] = []

    @Option(name: .long, help: ArgumentHelp("As for b2c run.", valueName: "file"))
    var secretsFile: String?

    @Flag(name: .long, help: "As for b2c run.")
    var allowLiveChanges = false

    @Flag(name: .long, help: "Print the comparison as JSON.")
    var json = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard target.count == 2 else {
            throw Failure.usage("compare takes --target twice, such as --target in-process --target live.json")
        }
        guard !paths.isEmpty else { throw Failure.usage("compare takes the scripts to run") }
        let known = try expectedDifferences()
        let seed = seed ?? Machine.drawSeed()
        let first = try await report(on: target[0], seed)
        let second = try await report(on: target[1], seed)
        let comparison = Comparison(first, second, expected: known)
        Machine.out.write(json ? JSONWriter.pretty(comparison.json) + "\n" : comparison.text)
        if let writeExpected {
            do throws(FileSystem.Problem) {
                try FileSystem.write(Array((JSONWriter.pretty(comparison.asExpected) + "\n").utf8), to: writeExpected)
            } catch {
                throw Failure(status: .machine, text: "b2c: \(writeExpected) cannot be written: \(error.text)")
            }
        }
        guard !comparison.isGood else { return }
        throw Failure.silent(comparison.unexpected.isEmpty ? .machine : .expectation)
    }

    private func report(on target: String, _ seed: UInt64) async throws -> RunReport {
        var arguments = ["--target", target, "--seed", String(seed), "--json"]
        if let jobs { arguments += ["--jobs", String(jobs)] }
        for value in variable { arguments += ["--variable", value] }
        for value in secret { arguments += ["--secret", value] }
        if let secretsFile { arguments += ["--secrets-file", secretsFile] }
        if allowLiveChanges { arguments.append("--allow-live-changes") }
        return try await Run(try RunCommand.parse(arguments + ["--"] + paths)).report()
    }

    private func expectedDifferences() throws -> [ExpectedDifference] {
        guard let expected else { return [] }
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(expected)
        } catch {
            throw Failure(status: .input, text: "b2c: \(expected) cannot be read: \(error.text)")
        }
        guard let json = try? JSONParser.parse(bytes) else {
            throw Failure(status: .input, text: "b2c: \(expected) is no JSON")
        }
        do throws(TargetProblem) {
            return try ExpectedDifference.read(json)
        } catch {
            throw Failure(status: .input, text: "b2c: \(expected): \(error.text)")
        }
    }
}
