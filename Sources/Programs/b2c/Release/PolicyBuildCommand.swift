import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyRelease
import PolicyTools
import TrustFramework

/// `b2c policy build`.
struct PolicyBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds the policies of a folder for one environment, as they are uploaded.",
        discussion: """
            Fills in {Settings:NAME}, {Settings:Tenant}, {Settings:Environment}, {Settings:Filename}, \
            {Settings:PolicyFilename} and yourtenant.onmicrosoft.com, writes UTF-8 without a byte order mark, and prints \
            in which order the policies are uploaded: parents first. `plan` and `deploy` build the folder themselves.

              b2c policy build policies --environment Test --output Environments/Test
              b2c policy build policies --environment Live --production --output live

            Ends with 2 when something is missing or wrong, and writes nothing then.
            """)

    @Argument(help: ArgumentHelp("A folder of policy files.", valueName: "folder"))
    var folder: String

    @Option(name: .long, help: ArgumentHelp("Where built files are written, under their names.", valueName: "folder"))
    var output: String

    @Flag(name: .long, help: "Fail on what is for development only: DeploymentMode Development, journey recorders.")
    var production = false

    @Flag(name: .long, help: "Write beside XML files that are not from a build of these policies.")
    var force = false

    @Flag(name: .long, help: "Print the upload order as JSON: order, id, file, parent, digest.")
    var json = false

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let built = try ReleaseFolder.build(folder, values.source, tenant: nil)
        if production {
            let findings = PolicyBuild.productionFindings(of: built)
            if !findings.isEmpty {
                PlacedPolicies.report(findings)
                throw Failure.silent(.input)
            }
        }
        let target = FilePath.relative(output, to: Machine.currentFolder)
        try checkTarget(target, built)
        do throws(FileSystem.Problem) {
            if FileSystem.kind(target) == nil { try FileSystem.makeFolder(target) }
            for policy in built.policies {
                let file = FilePath.join(target, FilePath.name(policy.file))
                if let old = try? FileSystem.read(file), old == policy.bytes { continue }
                try FileSystem.write(policy.bytes, to: file)
            }
        } catch {
            throw Failure.machine("\(target) cannot be written: \(error.text)") as any Error
        }
        guard !json else {
            Machine.out.write(data: JSONWriter.pretty(Self.list(built)) + "\n")
            return
        }
        var rows = [["ORDER", "ID", "FILE", "PARENT"]]
        for (place, policy) in built.policies.enumerated() {
            rows.append(["\(place + 1)", policy.id, FilePath.name(policy.file), policy.base ?? ""])
        }
        Machine.out.write(TextTable.text(rows))
        let count = built.policies.count
        Machine.out.write("wrote \(count) \(count == 1 ? "policy" : "policies") to \(target)\n")
    }

    /// The upload order for pipelines.
    static func list(_ built: BuiltPolicies) -> JSONValue {
        var root = JSONObject()
        root["environment"] = built.environment.map { .string($0) }
        root["tenant"] = .string(built.tenant)
        root["policies"] = .array(
            built.policies.enumerated().map { place, policy in
                [
                    "order": .integer(Int64(place + 1)), "id": .string(policy.id),
                    "file": .string(FilePath.name(policy.file)), "parent": policy.base.map { .string($0) } ?? .null,
                    "digest": .string(PolicyMeaning.digest(policy.bytes)),
                ]
            })
        return .object(root)
    }

    /// Refuses a folder where a build would replace or hide what somebody wrote.
    private func checkTarget(_ target: String, _ built: BuiltPolicies) throws {
        guard let kind = FileSystem.kind(target) else { return }
        guard kind == .folder else { throw Failure.usage("--output: \(target) is not a folder") }
        let sources = built.policies.compactMap { FileSystem.identity(FilePath.folder($0.file)) }
        if let identity = FileSystem.identity(target), sources.contains(identity) {
            throw Failure.usage("--output: \(target) has the source files; name another folder")
        }
        guard !force else { return }
        for name in (try? FileSystem.names(in: target)) ?? [] where name.lowercased().hasSuffix(".xml") {
            let policy = built.policies.first { FilePath.name($0.file) == name }
            let old = (try? FileSystem.read(FilePath.join(target, name))).flatMap { PolicyReader.peekPolicyID($0) }
            if let policy, let old, sameID(policy.id, old) { continue }
            throw Failure.usage(
                "--output: \(FilePath.join(target, name)) is not from a build of these policies. Name an empty folder, or "
                    + "add --force to write beside it.")
        }
    }
}
