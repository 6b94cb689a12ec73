import B2CProtocol
import Clients
import Exchanges
import JSON
import Verbs

extension AcquireTokenSilent: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let name = try await call.clientName()
        let client = try await call.world.client(name)
        let traits = try await call.world.app(of: name).client.kind.traits
        for (key, isSaid) in [("via", via != nil), ("loginHint", loginHint != nil)]
        where isSaid && !traits.runsInPage {
            throw StepProblem("`\(key)` of acquireTokenSilent belongs to the client kind msal-browser")
        }
        let silent = SilentParameters(
            scopes: target.scopes, authority: target.choice, account: try await call.account(account),
            forceRefresh: forceRefresh, claimsRequest: claimsRequest.map(Interpolation.text),
            correlationID: correlationId, source: via, loginHint: loginHint)
        var yield = StepResult()
        var first: ClientError?
        if silent.source != .iframe {
            let outcome = try await client.acquireTokenSilent(silent, lane: call.lane)
            yield = StepResult(outcome)
            first = outcome.error
            guard let first, await client.mayTryFrame(first, silent) else {
                await call.remember(yield, client: name)
                return yield
            }
        }
        let framed = try await call.inFrame(silent, after: first, client: name)
        yield.ending = framed.ending
        yield.events += framed.events
        yield.pages += framed.pages
        await call.remember(yield, client: name)
        return yield
    }
}

extension StepCall {
    /// The part of a silent call that a hidden frame does.
    fileprivate func inFrame(
        _ parameters: SilentParameters, after first: ClientError?, client name: String
    ) async throws -> StepResult {
        let client = try await world.client(name)
        switch try await client.acquireTokenInFrame(parameters, lane: lane) {
        case .finished(let outcome): return StepResult(outcome)
        case .browse(let request, let session):
            let browser = try await world.browser(of: name)
            let tab = await browser.start(request)
            var end = try await browser.run(tab, user: nil, lane: lane)
            var callbacks: [JSONObject] = []
            if case .callback(let url, let form) = end {
                let delivery = await world.hub.handOver(url: url, form: form, client: name, lane: lane.id)
                let arrives = delivery.copies > 0 && delivery.client == name
                end =
                    arrives
                    ? .callback(delivery.url, form: delivery.form) : .pending(Pending(reason: "callbackLost"))
                callbacks = [
                    Self.callbackEvent(
                        delivery.url, client: delivery.client, isHandled: arrives,
                        reason: arrives ? nil : "callbackLost")
                ]
            }
            let seen = await browser.drainLogs(of: tab).events
            await browser.close(tab)
            let logs = await browser.drainLogs(of: tab)
            var yield = StepResult(try await client.finishFrame(session, end, after: first, lane: lane))
            yield.pages = logs.pages
            yield.events = seen + callbacks + logs.events + yield.events
            return yield
        }
    }
}
