import Bundles
import Diagnostics
import JSON
import Reports
import ScenarioRunner
import Scenarios
import TrustFramework

/// A bundle that is run again.
struct Replay {
    /// The bundle's file as the user named it.
    let path: String
    let bundle: ReproductionBundle
    let files: BundleFiles
    /// Entries that were changed since it was made.
    private let altered: [String]

    /// The bundle that the arguments name; `nil` where they name scripts and folders.
    init?(_ command: RunCommand) throws {
        guard let path = command.paths.first(where: Self.isBundle) else { return nil }
        guard command.paths.count == 1 else {
            throw Failure.usage("\(path) is a bundle, and a bundle is run alone: leave the other paths out")
        }
        try Self.check(command, path)
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(path, limit: 1 << 30)
        } catch {
            throw Failure(status: .input, text: "b2c: \(path) cannot be read: \(error.text)")
        }
        do throws(BundleProblem) {
            let allowAltered = command.manner.bundling.allowAltered || Twin.isOn("B2C_ALLOW_ALTERED")
            let opened = try ReproductionBundle.open(bytes, allowAltered: allowAltered)
            bundle = opened.bundle
            altered = opened.altered
        } catch {
            throw Failure(status: .input, text: "b2c: \(path) cannot be run: \(error)")
        }
        self.path = path
        files = BundleFiles(bundle)
    }

    private static func isBundle(_ path: String) -> Bool {
        guard FileSystem.kind(path) == .file else { return false }
        if path.lowercased().hasSuffix(".zip") { return true }
        return (try? FileSystem.read(path, limit: 4)).map { ZIPReader.looksLikeArchive($0) } ?? false
    }

    /// What a bundle brings itself cannot be given beside it. Twins in the environment do not count: the same bundle is
    /// the same run, whatever is set where it is run.
    private static func check(_ command: RunCommand, _ path: String) throws {
        let running = command.manner.running
        let given: [(String, Bool)] = [
            ("--seed", running.seed != nil), ("--variable", !running.variable.isEmpty),
            ("--target", command.manner.target != nil), ("--tags", !command.filter.tags.isEmpty),
            ("--name", command.filter.name != nil), ("--case", !command.filter.cases.isEmpty),
            ("--bail", command.manner.bail), ("--bundle", command.manner.bundling.bundle != nil),
            ("--browser", running.browser || running.browserWindow || running.browserDriver != nil),
            ("--allow-real-services", command.manner.services.allowRealServices),
        ]
        guard let option = given.first(where: \.1)?.0 else { return }
        throw Failure.usage(
            "\(path) is a bundle, which repeats one run as it was: leave \(option) out, or unpack it and run the script"
        )
    }

    /// The policies in it.
    var policies: PolicyFiles {
        let files = files
        return PolicyFiles(read: { files.read($0) }, list: { files.names(in: $0) })
    }

    /// The scripts as if they had been found in folders.
    var found: [FoundFile] {
        bundle.scripts.map { script in
            FoundFile(
                path: script.path, content: .scenario, bytes: files.read(script.path) ?? [], step: script.step)
        }
    }

    /// Stops where a secret is missing that the run was given.
    func checkSecrets(_ given: [String]) throws {
        let missing = bundle.secrets.filter { !given.contains($0) }
        guard !missing.isEmpty else { return }
        let options = missing.map { "--secret \($0)=VALUE" }.joined(separator: " ")
        throw Failure(
            status: .input,
            text: "b2c: \(path) leaves out \(missing.count == 1 ? "the secret" : "the secrets") "
                + "\(namesList(missing)): give \(missing.count == 1 ? "it" : "them") with \(options) or in the environment"
        )
    }

    /// What is told when it has run: that it went as the first time, or where it differs.
    func verdict(on report: RunReport) -> (text: String, isGood: Bool) {
        if !altered.isEmpty {
            return (
                "not compared with the run in \(path), since these entries were altered: \(namesList(altered))\n", true
            )
        }
        guard
            let difference = bundle.difference(
                report: Array(JSONReport.text(report).utf8),
                trace: Array(JSONReport.text(report, outcomes: .all).utf8))
        else { return ("repeated byte for byte: report and trace are those in \(path)\n", true) }
        let own = Maker.own
        let makers = own == bundle.maker ? "" : "; it was made by \(bundle.maker.text), and this is \(own.text)"
        return ("differs from the run in \(path): \(difference)\(makers)\n", false)
    }
}

/// What this program is, for bundles.
enum Maker {
    static var own: ReproductionBundle.Maker {
        ReproductionBundle.Maker(tool: Version.text, swift: Version.swift, system: Machine.system)
    }
}

/// Puts a run into a bundle.
struct BundleOutput {
    /// The file to write.
    let path: String
    let recorder = FileRecorder { try? FileSystem.read($0) }

    /// The file that is asked for; `nil`: none.
    init?(_ command: RunCommand) {
        guard let path = command.manner.bundling.bundle ?? Machine.environment("B2C_BUNDLE") else { return nil }
        self.path = path
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

    /// Writes the bundle and says so.
    ///
    /// - Parameter report: the report without secrets, every step's outcome in it.
    func write(_ scenarios: [Scenario], _ options: RunOptions, cases: [String], report: RunReport) throws -> String {
        let asked = AskedNames(scenarios)
        let environment = options.environment.filter {
            asked.environment.contains($0.key) && !asked.secrets.contains($0.key)
        }
        let bundle = ReproductionBundle(
            maker: Maker.own, seed: options.seed,
            scripts: scenarios.map { scenario in
                let started = report.scenarios.first { $0.file == scenario.file }?.started ?? Scenario.usualClock
                return ReproductionBundle.Script(
                    path: scenario.file, step: scenario.lastStep, clock: started.rfc3339)
            },
            cases: cases, bail: options.bail,
            variables: options.variables.map { ReproductionBundle.Named($0.name, $0.value) },
            environment: environment.sorted { $0.key < $1.key }.map { ReproductionBundle.Named($0.key, $0.value) },
            secrets: asked.secrets, files: recorder.files, report: Array(JSONReport.text(report).utf8),
            trace: Array(JSONReport.text(report, outcomes: .all).utf8))
        var secrets = options.secrets.map { ReproductionBundle.Named($0.name, $0.value) }
        for name in asked.secrets {
            if let value = options.environment[name] { secrets.append(ReproductionBundle.Named(name, value)) }
        }
        if let leak = bundle.leak(of: secrets) {
            throw Failure(
                status: .machine,
                text: "b2c: \(path) is not written: \(leak.place) holds the value of the secret \(leak.secret); "
                    + "write {{secret/\(leak.secret)}} in its place")
        }
        let bytes: [UInt8]
        do throws(BundleProblem) {
            bytes = try bundle.archive()
        } catch {
            throw Failure(status: .machine, text: "b2c: \(path) is not written: \(error)")
        }
        do throws(FileSystem.Problem) {
            try FileSystem.write(bytes, to: path)
        } catch {
            throw Failure(status: .machine, text: "b2c: \(path) cannot be written: \(error.text)")
        }
        let count = bundle.files.count
        let left = bundle.secrets.isEmpty ? "" : "; left out: \(namesList(bundle.secrets))"
        return "wrote \(path): \(count) \(count == 1 ? "file" : "files"), report and trace\(left)\n"
    }
}
