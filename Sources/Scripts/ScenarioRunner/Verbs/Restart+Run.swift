import Clients
import JSON
import Verbs

extension Restart: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        // Storage is emptied while the app is not there; what a page finds when it is loaded is what was left.
        if let wipe, !wipe.isEmpty { try await world.wipe(wipe, client: try await call.clientName()) }
        switch what {
        case .api?: try await world.restartAPI(api)
        case .app?, nil:
            let name = try await call.clientName()
            await world.restartClient(name)
            if try await world.app(of: name).client.kind.traits.runsInPage {
                let yield = StepResult(try await (try await world.client(name)).load(at: nil, lane: call.lane))
                await call.remember(yield, client: name)
                return yield
            }
        case .browser?: await world.restartBrowser(of: try await call.clientName())
        case .device?:
            let name = try await call.clientName()
            for other in await world.clientNames(on: world.declaration(name).device) {
                await world.restartClient(other)
                await world.restartBrowser(of: other)
            }
        }
        return .done
    }
}
