import ArgumentParser
import CommandFiles
import CommandKit
import Explanations
import ScenarioRunner
import Scenarios
import TenantFiles

/// `b2c schema`.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of scenario, tenant, target or project files, for editors.",
        discussion: """
            With --tenant the names of that file (policies, apps, people, APIs, providers) are filled in, so that an \
            editor completes them too.
            """)

    /// The kinds of files.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case scenario, tenant, target, project
    }

    @Argument(help: "scenario, tenant, target or project (b2c.json).")
    var kind: Kind

    @Option(name: .long, help: ArgumentHelp("A tenant file whose names are filled in.", valueName: "file"))
    var tenant: String?

    @Flag(name: .long, help: "The same as Markdown, for reading.")
    var markdown = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        if markdown {
            Machine.out.write(data: Self.reference(kind).text)
            return
        }
        let names = try tenant.map { try TenantArgument.read($0).outline }
        let schema =
            switch kind {
            case .scenario: SchemaText.scenario(namesOf: names)
            case .tenant: SchemaText.tenant(namesOf: names)
            case .target: SchemaText.target()
            case .project: ProjectSettings.schema
            }
        Machine.out.write(data: SchemaText.text(of: schema))
    }

    private static func reference(_ kind: Kind) -> ReferenceText {
        let tenant = ShapeCatalog(root: TenantShapes.root, named: TenantShapes.named)
        return switch kind {
        case .scenario:
            ReferenceText(
                title: "Scenario files, key by key",
                lead: """
                    Made by `b2c schema scenario --markdown` from the table that the reader and the schema come from. Every \
                    value may also be a text `{{...}}`; `configure` takes what a tenant file holds. `b2c explain KEY` \
                    prints one key with all its choices.
                    """,
                catalog: ShapeCatalog(root: ScenarioShapes.root, named: ScenarioShapes.named, without: tenant))
        case .tenant:
            ReferenceText(
                title: "Tenant files, key by key",
                lead: """
                    Made by `b2c schema tenant --markdown` from the table that the reader and the schema come from. Only \
                    `name` is required; everything else has a default that is derived from it. `b2c explain KEY` prints one key with all \
                    its choices.
                    """,
                catalog: tenant)
        case .target:
            ReferenceText(
                title: "Target files, key by key",
                lead: """
                    Made by `b2c schema target --markdown` from the table that the reader and the schema come from. \
                    `b2c run --target FILE` runs scenarios there instead of in its own process; a file of this folder is \
                    also known by its name. Texts may hold `{{env/NAME}}` and `{{secret/NAME}}`; paths are relative to the \
                    file.
                    """,
                catalog: ShapeCatalog(root: TargetShapes.root, named: TargetShapes.named))
        case .project:
            ReferenceText(
                title: "b2c.json, key by key",
                lead: """
                    Made by `b2c schema project --markdown` from the table that the reader and the schema come from. The file \
                    is in the folder where `b2c run` and `b2c merge` are called. Precedence: option, \
                    environment variable, file.
                    """,
                catalog: ShapeCatalog(root: ProjectSettings.shape, named: [:]))
        }
    }
}
