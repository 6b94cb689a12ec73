import Clients
import HTTPMessages
import JSON
import Verbs

extension Deliver: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        let name = try await call.clientName()
        guard let url = WebURL(url) else { throw StepProblem("deliver: `\(self.url)` is not a URL") }
        let client = try await world.client(name)
        let delivery = await world.hub.handOver(url: url, form: nil, client: name, lane: call.lane.id)
        guard delivery.copies > 0, delivery.client == name else {
            var yield = StepResult.result(Returned(handled: false))
            for _ in 0..<delivery.copies { yield.events.append(try await call.handOverByHand(delivery)) }
            return yield
        }
        let (outcome, session) = await client.deliver(delivery.url)
        if let session { await world.deliver(delivery.url, to: session, client: name) }
        var yield = StepResult(outcome)
        for _ in 1..<max(2, delivery.copies) where delivery.copies > 1 {
            yield.events.append(try await call.handOverByHand(delivery))
        }
        return yield
    }
}
