import Bundles
import CommandFiles
import CommandKit
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
        let bytes = try InputFile.read(path, limit: 1 << 30)
        do throws(BundleProblem) {
            let allowAltered = command.manner.bundling.allowAltered || EnvironmentOption.isOn("B2C_ALLOW_ALTERED")
            let opened = try ReproductionBundle.open(bytes, allowAltered: allowAltered)
            bundle = opened.bundle
            altered = opened.altered
        } catch {
            throw Failure.input("\(path) cannot be run: \(error)")
        }
        self.path = path
        files = BundleFiles(bundle)
    }

    /// A bundle that was just made.
    init(_ bundle: ReproductionBundle) {
        self.bundle = bundle
        path = "the bundle"
        altered = []
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
            ("--bail", command.manner.bail), ("--seeds", command.manner.seeds != nil),
            ("--bundle", command.manner.bundling.bundle != nil),
            ("--keep-secrets", command.manner.bundling.keepSecrets),
            ("--redact-people", command.manner.bundling.redactPeople),
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
        throw Failure.input(
            "\(path) leaves out \(missing.count == 1 ? "the secret" : "the secrets") "
                + "\(namesList(missing)): give \(missing.count == 1 ? "it" : "them") with \(options) or in the environment"
        )
    }

    /// What is printed when it has run: that it went as the first time, or where it differs.
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
    static var own: ReproductionBundle.Producer {
        ReproductionBundle.Producer(tool: ToolVersion.text, swift: ToolVersion.swift, system: Machine.system)
    }
}
