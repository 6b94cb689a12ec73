import Browser
import Clients
import Determinism
import HTTPMessages
import Scenarios

extension World {
    func note(token: String, of client: String) { newestToken[client] = token }

    func wait(_ interaction: Interaction, step: String?) {
        interactions[interaction.client] = interaction
        if let step { pendingSteps[step] = interaction }
    }

    func done(_ interaction: Interaction) {
        interactions[interaction.client] = nil
        for id in pendingSteps.keys where pendingSteps[id]?.tab == interaction.tab { pendingSteps[id] = nil }
    }

    /// Notes the call that the step on a lane begins or goes on with.
    func begin(_ call: OpenCall, on lane: LaneID) {
        // Only a run that goes on after a failure has use for it.
        if options.goesOnAfterFailures { calls[lane] = call }
    }

    /// The call that the step on a lane has begun or gone on with; the next step has its own.
    func takeCall(on lane: LaneID) -> OpenCall? { calls.removeValue(forKey: lane) }

    /// Gives up a call that a failed step has left open, as if the person had closed the page: the library has one call
    /// at a time, so every later one would fail because of this one.
    func giveUp(_ call: OpenCall) async throws(StepProblem) {
        guard await (try client(call.client)).giveUp(call.session) else { return }
        guard let tab = call.tab else { return }
        await (try browser(of: call.client)).close(tab)
        done(Interaction(client: call.client, tab: tab, kind: .library(call.session)))
    }

    func pendingStep(_ id: String) -> Interaction? { pendingSteps[id] ?? resumedAs[id].flatMap { pendingSteps[$0] } }

    /// Lets a later `resume` name this one, which goes on with the step of the other id.
    func name(_ resume: String, for id: String) { resumedAs[resume] = resumedAs[id] ?? id }

    /// Whether somebody may go on with it: an `open` that came to a page ends well, and its tab stays open.
    func isWaiting(_ interaction: Interaction) -> Bool {
        pendingSteps.values.contains { $0.tab == interaction.tab && $0.client == interaction.client }
    }

    /// A URL handed over by hand answers the waiting operation when it is resumed.
    func deliver(_ url: WebURL, to session: InteractiveSession, client: String) {
        for id in pendingSteps.keys {
            guard case .library(let waiting)? = pendingSteps[id]?.kind, waiting == session else { continue }
            pendingSteps[id]?.delivered = url
        }
    }
}
