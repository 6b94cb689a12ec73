import JSON
import Verbs

extension Scenario {
    /// The same scenario as it would be read from a changed text. Nothing is checked, and places stay those of the text
    /// that was read: the change is one that an experiment makes, not one that an author wrote.
    ///
    /// - Parameter root: The changed text. Its `tenant` is not read again.
    package func changed(to root: JSONValue) -> Scenario {
        var changed = self
        changed.app = root["app"]?.stringValue ?? app
        changed.clients = ScenarioReader.clients(root["clients"], app: changed.app)
        changed.clock = root["clock"]
        changed.variables = root["variables"]?.objectValue ?? JSONObject()
        changed.configure = root["configure"]
        changed.faults = root["faults"]
        changed.cases = (root["cases"]?.objectValue?.members ?? []).map { ScenarioReader.variant($0.key, $0.value) }
        changed.steps = StepBuilder.steps(root["steps"], at: JSONPointer(tokens: ["steps"]))
        changed.finally = StepBuilder.steps(root["finally"], at: JSONPointer(tokens: ["finally"]))
        changed.skip = root["skip"]?.stringValue
        changed.expectedFailure = ScenarioReader.expectedFailure(root["expectedFailure"])
        return changed
    }
}
