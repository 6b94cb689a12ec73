import JSON
import Scenarios

extension MintToken: RunnableVerb {
    func run(_ call: StepCall) async throws -> Yield {
        switch await call.world.command(.mint(value)) {
        case .value(let value): return .result(value)
        case .refused(let reason): throw StepProblem("mintToken: \(reason)")
        case .done: return .result([:])
        }
    }
}
