import ArgumentParser
import AzureSignIn
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JourneyLogs
import PolicyTools

/// Options of `b2c policy log` that ask the service for a log.
struct LogFetchOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Ask this Log Analytics workspace.", valueName: "id"))
    var workspace: String?

    @Option(name: .long, help: ArgumentHelp("Ask this Application Insights resource.", valueName: "id"))
    var app: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "From when: 30m, 1h, 2d ago, or a time such as 2026-11-02T09:00:00Z. (default: \(LogRange.standard))",
            valueName: "time"))
    var since: String?

    @Option(name: .long, help: ArgumentHelp("To when, likewise. (default: now)", valueName: "time"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Address of the API, for other clouds or a server of your own such as http://localhost:9400. (B2C_LOG_API)",
            valueName: "url"))
    var api: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the service's answer there as it is, with personal data, readable only by you.",
            valueName: "file"))
    var save: String?

    /// What is asked; `nil`: files are read.
    ///
    /// - Throws: ``Failure`` if the options do not fit together.
    func source(files: [String]) throws -> LogSource? {
        let named = [("--workspace", workspace), ("--app", app)].filter { $0.1 != nil }.map(\.0)
        guard let first = named.first else {
            let lost = [("--since", since), ("--until", until), ("--api", api), ("--save", save)].first { $0.1 != nil }
            if let lost {
                throw Failure.usage("\(lost.0) needs --workspace ID or --app ID: it is about a log of the service")
            }
            guard !files.isEmpty else {
                throw Failure.usage("name a log: FILE, --workspace ID or --app ID")
            }
            return nil
        }
        guard named.count == 1, files.isEmpty else {
            let other = named.count == 2 ? named[1] : files.first ?? ""
            throw Failure.usage("\(first) and \(other) exclude each other: name one log")
        }
        guard save != OutputFile.standardOutput else {
            throw Failure.usage("--save needs a file: the standard output shows the log without personal data")
        }
        do throws(AzureProblem) {
            return try LogSource(
                workspace == nil ? .app : .workspace, id: workspace ?? app ?? "",
                api: api ?? Machine.environment("B2C_LOG_API"))
        } catch {
            throw error.failure as any Error
        }
    }

    /// What is asked, for titles.
    var shown: String? { workspace.map { "workspace \($0)" } ?? app.map { "app \($0)" } }

    /// Asks the service.
    ///
    /// - Returns: The name that findings have for the answer, and its bytes.
    func fetch(
        _ source: LogSource, correlation: String?, policy: String?
    ) async throws -> (file: String, bytes: [UInt8]) {
        let found: LogFetch.Result
        do throws(AzureProblem) {
            let range = try LogRange(since: since, until: until, now: Machine.clock.now())
            var fetch = try LogFetch(
                source, range, correlation: correlation, policy: policy, surroundings: .machine)
            found = try await fetch.run()
        } catch {
            throw error.failure as any Error
        }
        LogReading.report(found.findings)
        guard let save else { return (source.shown, found.bytes) }
        do throws(FileSystem.Problem) {
            try FileSystem.write(found.bytes, to: save, mode: 0o600)
        } catch {
            throw Failure.machine("\(save) cannot be written: \(error.text)") as any Error
        }
        Machine.error.write("wrote \(save) with \(found.rows) rows. It contains personal data.\n")
        return (save, found.bytes)
    }
}
