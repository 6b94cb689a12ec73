import ArgumentParser
import Scenarios

/// `b2c init`.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a tenant file and a first scenario that passes. Never overwrites a file.")

    @Argument(help: ArgumentHelp("The folder to write to; it is made when it does not exist.", valueName: "folder"))
    var folder = "."

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let scenarios = FilePath.join(FilePath.normalised(folder), "scenarios")
        var written = 0
        for file in Self.files() {
            let path = FilePath.join(scenarios, file.path)
            if FileSystem.kind(path) != nil {
                Machine.out.write("kept   \(path)\n")
                continue
            }
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(path))
                try FileSystem.write(Array(file.text.utf8), to: path)
            } catch {
                throw Failure(status: .machine, text: "b2c: \(path) cannot be written: \(error.text)") as any Error
            }
            written += 1
            Machine.out.write("wrote  \(path)\n")
        }
        if written == 0 { Machine.out.write("everything is there already\n") }
        Machine.out.write(Starter.next(scenarios: scenarios))
    }

    private static func files() -> [(path: String, text: String)] {
        [
            ("tenants/contoso.json", Starter.tenant),
            ("first-sign-in.json", Starter.scenario),
            ("schemas/scenario.schema.json", SchemaText.text(of: SchemaText.scenario())),
            ("schemas/tenant.schema.json", SchemaText.text(of: SchemaText.tenant())),
        ]
    }
}
