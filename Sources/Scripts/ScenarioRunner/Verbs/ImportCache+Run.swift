import Clients
import Diagnostics
import JSON
import Scenarios
import Verbs

extension ImportCache: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        var document = unified ?? .object(items)
        if let file {
            let path = ScenarioPath.resolve(file, from: call.world.variant.scenario.file)
            guard let bytes = call.world.options.readFile(path) else {
                throw StepProblem("importCache: there is no file \(path)")
            }
            document = try JSONDocument(file: path, bytes: bytes).root
        }
        let client = try await call.client()
        do throws(InvalidInput) {
            return StepResult(try await client.importCache(document, replacing: replace))
        } catch {
            throw StepProblem("importCache: " + error.diagnostics.map(\.message).joined(separator: "; "))
        }
    }
}
