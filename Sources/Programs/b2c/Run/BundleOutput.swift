import Bundles
import CommandFiles
import CommandKit
import Diagnostics
import Reports
import ScenarioRunner
import Scenarios
import TrustFramework

/// Puts a run into a bundle.
struct BundleOutput {
    /// The file to write.
    let path: String
    let recorder = FileRecorder { try? FileSystem.read($0) }
    private let command: RunCommand
    private let keepsSecrets: Bool
    private let redactsPeople: Bool

    /// The file that is asked for; `nil`: none.
    init?(_ command: RunCommand) throws {
        let options = command.manner.bundling
        keepsSecrets = options.keepSecrets || EnvironmentOption.isOn("B2C_KEEP_SECRETS")
        redactsPeople = options.redactPeople || EnvironmentOption.isOn("B2C_REDACT_PEOPLE")
        guard let path = options.bundle ?? Machine.environment("B2C_BUNDLE") else {
            if options.keepSecrets || options.redactPeople {
                let option = options.keepSecrets ? "--keep-secrets" : "--redact-people"
                throw Failure.usage("\(option) is about a bundle: name one by --bundle FILE.zip, or leave it out")
            }
            return nil
        }
        if keepsSecrets, redactsPeople {
            throw Failure.usage("--keep-secrets leaves everything as it is written: leave --redact-people out")
        }
        self.path = path
        self.command = command
    }

    /// Policies through the recorder.
    var policies: PolicyFiles {
        let recorder = recorder
        return PolicyFiles(read: { recorder.read($0) }, list: { try? FileSystem.names(in: $0) })
    }

    /// Notes what scripts and tenants were read from.
    func keep(_ scenarios: [Scenario]) {
        for scenario in scenarios {
            recorder.keep(scenario.document.source.bytes, as: scenario.file)
            let tenant = scenario.tenant.document.source
            recorder.keep(tenant.bytes, as: tenant.file)
        }
    }

    /// The run as it was, with everything that is written in its files.
    ///
    /// - Parameter report: the report without secrets, every step's outcome in it.
    func made(
        _ scenarios: [Scenario], _ options: RunOptions, cases: [String], report: RunReport
    ) -> ReproductionBundle {
        let asked = AskedNames(scenarios)
        // Of several seeds the bundle repeats one.
        var report = report
        report.seeds = nil
        let started = Dictionary(
            report.scenarios.map { ($0.file, $0.started) }, uniquingKeysWith: { first, _ in first })
        let environment = options.environment.filter {
            asked.environment.contains($0.key) && !asked.secrets.contains($0.key)
        }
        return ReproductionBundle(
            maker: Maker.own, seed: options.seed, drawsOrder: options.drawsOrder,
            scripts: scenarios.map { scenario in
                ReproductionBundle.Script(
                    path: scenario.file, step: scenario.lastStep,
                    clock: (started[scenario.file] ?? Scenario.usualClock).rfc3339)
            },
            cases: cases, bail: options.maxFailures == 1,
            variables: options.variables.map { ReproductionBundle.Named($0.name, $0.value) },
            environment: environment.sorted { $0.key < $1.key }.map { ReproductionBundle.Named($0.key, $0.value) },
            secrets: asked.secrets, keepsSecrets: keepsSecrets, files: recorder.files,
            report: Self.text(report, .failed), trace: Self.text(report, .all))
    }

    private static func text(_ report: RunReport, _ outcomes: JSONReport.Outcomes) -> [UInt8] {
        Array(JSONReport.text(report, outcomes: outcomes).utf8)
    }

    // MARK: Writing

    /// Writes the bundle and says so.
    ///
    /// - Parameter made: the run as it was.
    func write(_ made: ReproductionBundle, _ options: RunOptions, _ scenarios: [Scenario]) async throws -> String {
        try check(made, options, scenarios)
        var bundle = made
        var remark = keepsSecrets ? "; passwords and keys in its files are as they are written" : ""
        if !keepsSecrets { (bundle, remark) = try await redacted(made) }
        let bytes: [UInt8]
        do throws(BundleProblem) {
            bytes = try bundle.archive()
        } catch {
            throw notWritten("\(error)")
        }
        do throws(FileSystem.Problem) {
            try FileSystem.write(bytes, to: path)
        } catch {
            throw Failure.machine("\(path) cannot be written: \(error.text)")
        }
        let count = bundle.files.count
        let left = bundle.secrets.isEmpty ? "" : "; omitted: \(namesList(bundle.secrets))"
        return "wrote \(path): \(count) \(count == 1 ? "file" : "files"), report and trace\(left)\(remark)\n"
    }

    private func notWritten(_ reason: String) -> Failure {
        Failure.machine("\(path) is not written: \(reason)")
    }

    /// What was given by name is omitted, so no file may have it either.
    private func check(_ bundle: ReproductionBundle, _ options: RunOptions, _ scenarios: [Scenario]) throws {
        var secrets = options.secrets.map { ReproductionBundle.Named($0.name, $0.value) }
        for name in AskedNames(scenarios).secrets {
            if let value = options.environment[name] { secrets.append(ReproductionBundle.Named(name, value)) }
        }
        guard let leak = bundle.leak(of: secrets) else { return }
        throw notWritten(
            "\(leak.place) holds the value of the secret \(leak.secret); write {{secret/\(leak.secret)}} in its place")
    }

    // MARK: Without what is written in files

    /// The bundle with stand-ins and the run of it, which must be the same except for them.
    private func redacted(_ made: ReproductionBundle) async throws -> (ReproductionBundle, String) {
        let redaction: BundleRedaction
        do throws(BundleProblem) {
            redaction = try BundleRedaction(made, redactsPeople: redactsPeople)
        } catch {
            throw notWritten("\(error). \(advice)")
        }
        guard !redaction.secrets.isEmpty else { return (made, "") }
        var tries: [BundleRedaction.Reach] = [.everywhere]
        if !redaction.words.isEmpty { tries.append(.wordsAtTheirPlaces) }
        var difference = ""
        for reach in tries {
            switch await rerun(redaction.redacted(reach), redaction) {
            case .failure(let problem): difference = problem.description
            case .success(let bundle):
                if let leak = redaction.leak(in: bundle, reach) {
                    throw notWritten(
                        "\(leak.place) holds \(leak.secret.place) in a form that is not replaced. \(advice)")
                }
                return (bundle, Self.remark(redaction, reach))
            }
        }
        throw notWritten(await blame(redaction, difference))
    }

    /// Runs a bundle in this process and puts report and trace into it.
    private func rerun(
        _ bundle: ReproductionBundle, _ redaction: BundleRedaction
    ) async -> Result<ReproductionBundle, ReplayDifference> {
        do {
            let report = try await RunSession(command, of: bundle).masked()
            var bundle = bundle
            bundle.report = Self.text(report, .failed)
            bundle.trace = Self.text(report, .all)
            if let text = redaction.difference(report: bundle.report, trace: bundle.trace) {
                return .failure(ReplayDifference(description: text))
            }
            return .success(bundle)
        } catch {
            let text = (error as? Failure)?.text ?? "\(error)"
            return .failure(ReplayDifference(description: "nothing ran: \(text)"))
        }
    }

    private struct ReplayDifference: Error, CustomStringConvertible {
        var description: String
    }

    /// Which secrets the run depends on: each is tried alone.
    private func blame(_ redaction: BundleRedaction, _ together: String) async -> String {
        var places: [String] = []
        var difference = together
        for secret in redaction.secrets.prefix(Self.mostTried) {
            for reach in [BundleRedaction.Reach.everywhere, .wordsAtTheirPlaces] {
                if case .failure(let problem) = await rerun(redaction.redacted(reach, only: secret), redaction) {
                    guard reach == .wordsAtTheirPlaces || !secret.isWord else { continue }
                    if places.isEmpty { difference = problem.description }
                    places.append(secret.place)
                }
                break
            }
        }
        if places.isEmpty { places = redaction.secrets.map(\.place) }
        return "the run differs: something else is in place of what is at \(namesList(places)): "
            + "\(difference). \(advice)"
    }

    /// So many runs at most to find what a run depends on.
    private static let mostTried = 64

    private var advice: String {
        redactsPeople
            ? "Leave --redact-people out, and people stay as they are written"
            : "Write {{secret/NAME}} there and give it by --secret, or --keep-secrets writes the file with it as it is"
    }

    private static func remark(_ redaction: BundleRedaction, _ reach: BundleRedaction.Reach) -> String {
        let count = redaction.secrets.count
        var text = "; \(count) \(count == 1 ? "secret" : "secrets") replaced"
        if reach == .wordsAtTheirPlaces {
            text += ", words only in places of secrets: \(namesList(redaction.words.map(\.place)))"
        }
        return text
    }
}
