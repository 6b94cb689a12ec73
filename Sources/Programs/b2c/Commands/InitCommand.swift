import ArgumentParser
import AuthorityHosting
import CommandFiles
import CommandKit
import Diagnostics
import ScenarioRunner
import Scenarios

/// `b2c init`.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a tenant file, a first scenario that passes, and b2c.json. Never overwrites them.",
        discussion: """
            With --ci also a pipeline that installs b2c, runs the scenarios, annotates failures and keeps the report. From \
            \(StarterPipeline.sharedFrom) scenario files on, \(StarterPipeline.shards) machines share them.
            """)

    @Argument(help: ArgumentHelp("The folder to write to; it is made when it does not exist.", valueName: "folder"))
    var folder = "."

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The apps of the tenant, the first of which signs in: \(StarterApps.words). (default: ios,spa)",
            valueName: "apps"))
    var app: StarterApps?

    @Option(name: .long, help: ArgumentHelp("Also write a pipeline: github, azure or gitlab.", valueName: "service"))
    var ci: StarterPipeline?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The repository whose releases the pipeline installs. (B2C_REPOSITORY; default: the one that built this b2c)",
            valueName: "account/name"))
    var repository: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let folder = FilePath.normalised(folder)
        let scenarios = FilePath.join(folder, "scenarios")
        var written = 0
        func save(_ text: String, to path: String) throws {
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(path))
                try FileSystem.write(Array(text.utf8), to: path)
            } catch {
                throw Failure.machine("\(path) cannot be written: \(error.text)") as any Error
            }
        }
        let repository = try chosenRepository()
        let files = Self.files(app?.apps ?? [.ios, .spa]) + (ci.map { [pipeline($0, repository, in: folder)] } ?? [])
        for file in files {
            let path = FilePath.join(folder, file.path)
            if FileSystem.kind(path) != nil {
                let isTenant = app != nil && file.path == Self.tenantPath
                Machine.out.write("kept   \(path)\(isTenant ? ", which --app does not change" : "")\n")
                continue
            }
            try save(file.text, to: path)
            written += 1
            Machine.out.write("wrote  \(path)\n")
        }
        for file in Self.schemas() { try save(file.text, to: FilePath.join(folder, file.path)) }
        Machine.out.write("wrote  \(FilePath.join(folder, ".b2c/schemas")), for editors; git ignores it\n")
        if written == 0 { Machine.out.write("everything is there already\n") }
        if let ci, repository == nil {
            Machine.out.write(
                "\nEdit \(FilePath.join(folder, ci.path)): set OWNER to the account whose releases of b2c-harness you use.\n"
                    + "`b2c init --ci \(ci.rawValue) --repository ACCOUNT/b2c-harness` writes it in.\n")
        }
        Machine.out.write(Starter.next(scenarios: scenarios))
    }

    /// `account/name`; `nil`: nobody has named one, and this program was built from a clone.
    private func chosenRepository() throws -> String? {
        guard let text = repository ?? Machine.environment("B2C_REPOSITORY") ?? ToolVersion.repository else {
            return nil
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isGood =
            parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            }
        guard isGood else {
            throw Failure.usage("--repository \(text): expected ACCOUNT/NAME, such as contoso/b2c-harness")
        }
        return text
    }

    private static let tenantPath = "scenarios/tenants/contoso.json"

    private static func files(_ apps: [StarterTenant.App]) -> [(path: String, text: String)] {
        [
            (tenantPath, StarterTenant.text(of: apps)),
            ("scenarios/first-sign-in.json", Starter.scenario(app: apps.first ?? .ios)),
            (ProjectSettings.name, Starter.project),
            // Where the profile `ci` of b2c.json writes.
            ("reports/.gitignore", "*\n"),
        ]
    }

    private func pipeline(
        _ service: StarterPipeline, _ repository: String?, in folder: String
    ) -> (path: String, text: String) {
        var finder = FileFinder()
        if FileSystem.kind(folder) == .folder { finder.add(folder) }
        let scenarios = finder.files.count { $0.content == .scenario }
        let isShared = scenarios >= StarterPipeline.sharedFrom
        return (service.path, service.text(repository: repository, isShared: isShared))
    }

    /// For editors. They belong to this version of b2c and not into a repository: git ignores their folder, and `b2c init`
    /// writes them again.
    private static func schemas() -> [(path: String, text: String)] {
        [
            (".b2c/.gitignore", "*\n"),
            (".b2c/schemas/scenario.schema.json", SchemaText.text(of: SchemaText.scenario())),
            (".b2c/schemas/tenant.schema.json", SchemaText.text(of: SchemaText.tenant())),
            (".b2c/schemas/project.schema.json", SchemaText.text(of: ProjectSettings.schema)),
        ]
    }
}

/// Apps by their names, with commas between them.
struct StarterApps: ExpressibleByArgument {
    let apps: [StarterTenant.App]

    static let words = StarterTenant.App.allCases.map(\.rawValue).joined(separator: ", ")

    init?(argument: String) {
        var apps: [StarterTenant.App] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let app = StarterTenant.App(rawValue: String(word)) else { return nil }
            if !apps.contains(app) { apps.append(app) }
        }
        self.apps = apps
    }
}
