import ArgumentParser
import AzureSignIn
import CommandKit
import Diagnostics
import PolicyRelease

/// Options of commands that talk to Microsoft Graph.
package struct GraphOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Address of Microsoft Graph, for other clouds or a mock such as http://localhost:9400. (B2C_GRAPH_API)",
            valueName: "url"))
    package var api: String?

    /// The tenant that the environment's credential is for.
    ///
    /// - Throws: ``Failure`` if the address or the variables of the environment cannot be used.
    package func graph() throws -> PolicyGraph {
        do throws(AzureProblem) {
            return try PolicyGraph(try GraphSource(api: api ?? Machine.environment("B2C_GRAPH_API")), .machine)
        } catch {
            throw error.failure as any Error
        }
    }

    package init() {}
}

extension PolicyGraphProblem {
    /// The end of the command.
    package var failure: Failure {
        switch self {
        case .azure(let problem): problem.failure
        // The service's words, which may have any characters.
        case .refused: .machine(VisibleText.of(description, keeping: []))
        }
    }
}
