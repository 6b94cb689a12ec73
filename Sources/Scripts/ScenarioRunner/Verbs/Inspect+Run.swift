import Clients
import JSON
import MockAuthority
import Scenarios
import Verbs

extension Inspect: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let yield = try await look(call)
        if let file, let result = yield.result?.json {
            let path = ScenarioPath.resolve(file, from: call.world.variant.scenario.file)
            // The unified cache is what other libraries read; everything else is written as it is shown.
            let content = what == .cache ? result["unified"] ?? result : result
            if let problem = call.world.options.writeFile(path, Array((JSONWriter.pretty(content) + "\n").utf8)) {
                throw StepProblem("inspect: \(problem)")
            }
        }
        return yield
    }

    private func look(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        switch what {
        case .cache?: return StepResult(await (try call.client()).cacheContents())
        case .cookies?:
            let browser = try await world.browser(of: try await call.clientName())
            return .result(Cookies(cookies: await browser.cookies()))
        case .users?: return .result(Users(users: try await Self.state(.users, of: world)))
        case .inbox?: return .result(Inbox(messages: try await Self.state(.inbox, of: world)))
        case .keys?: return .result(KeySets(keySets: try await Self.state(.keys, of: world)))
        case .storage?:
            guard let contents = await (try call.client()).storageContents() else {
                throw StepProblem("inspect storage: only apps of the client kind msal-browser have one")
            }
            return .result(contents)
        case nil: throw StepProblem("inspect needs `what`")
        }
    }

    private static func state(_ state: InspectedState, of world: World) async throws(StepProblem) -> JSONValue {
        switch await world.command(.inspect(state)) {
        case .value(let value): return value
        case .refused(let reason): throw StepProblem("inspect: \(reason)")
        case .done: return .null
        }
    }
}
