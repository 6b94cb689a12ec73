import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics

/// The command and its parts.
struct B2C: AsyncParsableCommand {
    /// The program, as it names itself.
    static let name = "b2c"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Plays Azure AD B2C sign-in flows from JSON scripts, against a mock authority inside this process.",
        discussion: """
            A scenario says what an app built on MSAL, the person at its browser and an administrator do, and \
            what to expect. No tenant, no network and no phone are needed.

              b2c init demo           writes a tenant file and a first scenario that passes
              b2c run demo            runs it
              b2c explain AADB2C90118 says what an error means and what to do

            Exit codes: 0 all as expected; 1 wrong usage; 2 a file is wrong, nothing ran; 3 it could not run; \
            4 an expectation was not met. Every option of run can be set in the environment, such as B2C_SEED for --seed.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "Write",
                subcommands: [InitCommand.self, ImportCommand.self, RecordLaunch.self, SchemaCommand.self]),
            CommandGroup(
                name: "Run",
                subcommands: [RunCommand.self, MergeCommand.self, CompareCommand.self, ExplainCommand.self]),
            CommandGroup(name: "Check", subcommands: [CheckCommand.self, ValidateCommand.self]),
            CommandGroup(name: "Policies", subcommands: [PolicyCommand.self, ExtensionCommand.self]),
            CommandGroup(
                name: "Serve",
                subcommands: [
                    ServeLaunch.self, ExecCommand.self, TokenCommand.self, CertificateLaunch.self, McpCommand.self,
                    LspCommand.self,
                ]),
        ])

    @Flag(name: .long, help: "Print the version; with -v also who signs tokens.")
    var version = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        if version {
            Machine.out.write(common.isVerbose ? Self.versionDetails : "b2c \(ToolVersion.text)\n")
            return
        }
        throw CleanExit.helpRequest(self)
    }
}
