import ArgumentParser
import B2CProtocol
import Scenarios

/// `b2c schema`.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of scenario or tenant files, for editors.",
        discussion: """
            With --tenant the names of that file (policies, apps, people, APIs, providers) are filled in, so that an \
            editor completes them too.
            """)

    /// The two kinds of files.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case scenario, tenant
    }

    @Argument(help: "scenario or tenant.")
    var kind: Kind

    @Option(name: .long, help: ArgumentHelp("A tenant file whose names are filled in.", valueName: "file"))
    var tenant: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let names = try tenant.map { try TenantArgument.read($0, common).outline }
        let schema =
            switch kind {
            case .scenario: SchemaText.scenario(namesOf: names)
            case .tenant: SchemaText.tenant(namesOf: names)
            }
        Machine.out.write(SchemaText.text(of: schema))
    }
}
