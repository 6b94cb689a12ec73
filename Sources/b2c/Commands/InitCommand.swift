import ArgumentParser
import CommandKit
import ScenarioRunner
import Scenarios

/// `b2c init`.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a tenant file, a first scenario that passes, and b2c.json. Never overwrites a file.",
        discussion: """
            With --ci also a pipeline that installs b2c, shares the scenarios between machines, merges their results, annotates \
            failures and keeps the report.
            """)

    @Argument(help: ArgumentHelp("The folder to write to; it is made when it does not exist.", valueName: "folder"))
    var folder = "."

    @Option(name: .long, help: ArgumentHelp("Also write a pipeline: github, azure or gitlab.", valueName: "service"))
    var ci: StarterPipeline?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let folder = FilePath.normalised(folder)
        let scenarios = FilePath.join(folder, "scenarios")
        var written = 0
        for file in Self.files() + (ci.map { [($0.path, $0.text)] } ?? []) {
            let path = FilePath.join(folder, file.path)
            if FileSystem.kind(path) != nil {
                Machine.out.write("kept   \(path)\n")
                continue
            }
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(path))
                try FileSystem.write(Array(file.text.utf8), to: path)
            } catch {
                throw Failure.machine("\(path) cannot be written: \(error.text)") as any Error
            }
            written += 1
            Machine.out.write("wrote  \(path)\n")
        }
        if written == 0 { Machine.out.write("everything is there already\n") }
        Machine.out.write(Starter.next(scenarios: scenarios))
    }

    private static func files() -> [(path: String, text: String)] {
        [
            ("scenarios/tenants/contoso.json", Starter.tenant),
            ("scenarios/first-sign-in.json", Starter.scenario),
            ("scenarios/schemas/scenario.schema.json", SchemaText.text(of: SchemaText.scenario())),
            ("scenarios/schemas/tenant.schema.json", SchemaText.text(of: SchemaText.tenant())),
            ("scenarios/schemas/project.schema.json", SchemaText.text(of: ProjectSettings.schema)),
            (ProjectSettings.name, Starter.project),
        ]
    }
}
