import ArgumentParser
import B2CProtocol
import Diagnostics
import TrustFramework

/// `b2c policy`.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Shows the policies that user flows compile to, and what they do when somebody signs in.",
        subcommands: [PolicyListCommand.self, PolicyShowCommand.self, PolicyTraceCommand.self])
}

/// `b2c policy list`.
struct PolicyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the policies of a tenant file.")

    @Option(name: .long, help: ArgumentHelp("The tenant file.", valueName: "file"))
    var tenant: String

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let policies = try TenantArgument.read(tenant, common).outline.policies
        guard !policies.isEmpty else {
            Machine.out.write("\(tenant) has no policies\n")
            return
        }
        var rows = [["NAME", "ID", "TYPE", ""]]
        for policy in policies {
            rows.append([policy.name, policy.id, policy.type.rawValue, policy.unsupported ?? ""])
        }
        Machine.out.write(Table.text(rows))
    }
}

/// `b2c policy show`.
struct PolicyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints the trust framework policy that a user flow compiles to, as XML.",
        discussion: """
            The flow's own part lies over a base that all flows share, as the files of a starter pack do; printed is \
            the whole, or with --own the part alone.
            """)

    @Argument(help: "Name of the policy in the tenant file, or its id such as B2C_1_susi.")
    var policy: String

    @Option(name: .long, help: ArgumentHelp("The tenant file.", valueName: "file"))
    var tenant: String

    @Flag(name: .long, help: "Only what this flow adds to the base.")
    var own = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let outline = try TenantArgument.read(tenant, common).outline
        let settings = try TenantArgument.policy(policy, in: outline, file: tenant)
        if let reason = settings.unsupported { throw Failure.usage(reason) }
        do throws(InvalidInput) {
            let xml =
                own
                ? PolicyWriter.xml(try UserFlowCompiler.document(settings, tenant: outline))
                : PolicyWriter.show(try UserFlowCompiler.compile(settings, tenant: outline))
            Machine.out.write(xml)
        } catch {
            FindingsPrinter(color: common.style(for: Machine.error).usesColor, sources: []).print(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }
}

/// Columns of equal width.
enum Table {
    static func text(_ rows: [[String]]) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].unicodeScalars.count : 0 }.max() ?? 0
        }
        var text = ""
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - cell.unicodeScalars.count + 2)
                }
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
