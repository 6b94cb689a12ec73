import JSON
import Verbs

extension MintToken: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        switch await call.world.command(.mint(value)) {
        case .value(let value):
            guard let token = value["token"]?.stringValue else {
                throw StepProblem("mintToken: the answer has no token: \(JSONWriter.compact(value))")
            }
            return .result(Returned(token: token))
        case .refused(let reason): throw StepProblem("mintToken: \(reason)")
        case .done: return .done
        }
    }
}
