import Browser
import Verbs

extension Resume: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        guard let interaction = await world.pendingStep(value) else {
            throw StepProblem("the step `\(value)` is not pending: there is nothing to resume")
        }
        if let own = call.step.id { await world.name(own, for: value) }
        if case .library(let session) = interaction.kind {
            await world.begin(
                OpenCall(client: interaction.client, session: session, tab: interaction.tab), on: call.lane.id)
        }
        let user = try await call.userScript()
        if case .library(let session) = interaction.kind {
            let client = try await world.client(interaction.client)
            if await client.isCancelled(session) {
                await world.done(interaction)
                var yield = StepResult(try await client.finish(session, .userClosed, lane: call.lane))
                yield.undone = call.undone(user, UserProgress(), because: "the app has ended the call")
                return yield
            }
        }
        let yield = try await call.goOn(interaction, user)
        await call.remember(yield, client: interaction.client)
        return yield
    }
}
