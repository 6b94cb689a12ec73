import B2CProtocol
import Browser
import Clients
import Determinism
import Exchanges
import HTTPMessages
import JSON
import TenantFiles
import Verbs

/// Visits of a browser: from what a library or `open` begins to what the step makes of its end.
extension StepCall {
    /// Goes on from the first half of an interactive call.
    func interact(_ begun: InteractiveStep, client: String) async throws -> StepResult {
        // Before anything can go wrong with what the person does.
        if case .browse(_, let session) = begun {
            await world.begin(OpenCall(client: client, session: session), on: lane.id)
        }
        let user = try await userScript()
        switch begun {
        case .finished(let outcome):
            var yield = StepResult(outcome)
            let how = outcome.error.map { " with the error \($0.kind.rawValue)" } ?? ""
            yield.undone = undone(user, UserProgress(), because: "the call ended\(how) before a browser opened")
            return yield
        case .browse(let request, let session):
            let browser = try await world.browser(of: client)
            // The app's own web view needs no browser of the system's.
            let isAvailable = await browser.isAvailable
            guard isAvailable || request.webview == .wkWebView else {
                let outcome = try await (try await world.client(client)).finish(
                    session, .blocked("no browser is available"), lane: lane)
                var yield = StepResult(outcome)
                yield.undone = undone(user, UserProgress(), because: "no browser is available")
                return yield
            }
            let tab = await browser.start(request)
            await world.begin(OpenCall(client: client, session: session, tab: tab), on: lane.id)
            let interaction = Interaction(client: client, tab: tab, kind: .library(session))
            let before = await (try await world.client(client)).drainEvents(of: session)
            var yield = try await goOn(interaction, user)
            yield.events.insert(contentsOf: before, at: 0)
            return yield
        }
    }

    /// Lets the person act until the visit ends, then finishes the call or leaves it waiting.
    func goOn(_ interaction: Interaction, _ user: UserScript?) async throws -> StepResult {
        let browser = try await world.browser(of: interaction.client)
        let before = await browser.currentPage(interaction.tab)
        let end: BrowseEnd
        if let delivered = interaction.delivered {
            end = .callback(delivered, form: nil)
        } else {
            end = try await browser.run(interaction.tab, user: user, lane: lane)
        }
        await world.follow(await browser.drainRecordChanges())
        let signOuts = try await signOutElsewhere(await browser.drainFrames(of: interaction.tab), interaction)
        let logs = await browser.drainLogs(of: interaction.tab)
        var yield = try await settle(interaction, end)
        // A window that nobody answers stays open: the person closes it.
        if yield.pending == nil, await !world.isWaiting(interaction) { await browser.close(interaction.tab) }
        yield.pages += logs.pages
        let progress = await browser.drainProgress(of: interaction.tab)
        yield.undone += undone(user, progress, because: Self.ending(end, after: yield.pages.last ?? before))
        // The browser's events come before the library's.
        let closing = await browser.drainLogs(of: interaction.tab).events
        yield.events.insert(contentsOf: logs.events + signOuts + yield.callbacks + closing, at: 0)
        return yield
    }

    /// Hidden frames with the sign-out pages of apps: each is handed to the app whose address it is, as the browser of
    /// this visit has it.
    private func signOutElsewhere(
        _ frames: [HiddenFrame], _ interaction: Interaction
    ) async throws -> [JSONObject] {
        var events: [JSONObject] = []
        for frame in frames {
            guard let name = try await world.client(withLogoutURL: frame.url, besides: interaction.client) else {
                continue
            }
            let delivery = await world.hub.handOver(
                url: frame.url, form: nil, client: name, frame: true, lane: lane.id)
            guard delivery.copies > 0 else { continue }
            let other = try await world.client(delivery.client)
            let outcome = await other.signedOutElsewhere(seesStorage: frame.seesStorage)
            events += outcome.events
            events.append(
                Self.callbackEvent(
                    delivery.url, client: delivery.client,
                    isHandled: outcome.returned(Deliver.Returned.self)?.handled ?? false))
        }
        return events
    }

    private func settle(_ interaction: Interaction, _ end: BrowseEnd) async throws -> StepResult {
        switch (interaction.kind, end) {
        case (_, .scriptDoesNotFit(let text)): throw StepProblem(text)
        case (.open(let opened), _): return try await settleOpen(interaction, opened, end)
        case (.library(let session), .callback(let url, let form)):
            let delivery = await world.hub.handOver(url: url, form: form, client: interaction.client, lane: lane.id)
            if let id = resumeID, let start = WebURL(session.url) {
                // What the browser brought, whatever the app makes of it: an `http` step may redeem the code too.
                await world.keep(
                    opened: OpenedRequest(
                        url: start, state: session.state, codeVerifier: session.codeVerifier,
                        redirectURI: session.redirectURI, response: OpenedRequest.response(url, form)), as: id)
            }
            return try await handedOver(delivery, interaction, session)
        case (.library(let session), _): return try await finished(interaction, session, end)
        }
    }

    /// What an app's library makes of a redirect URI, if the app gets it and hands it on.
    private func handedOver(
        _ delivery: CallbackDelivery, _ interaction: Interaction, _ session: InteractiveSession
    ) async throws -> StepResult {
        let client = interaction.client
        if delivery.copies == 0 || delivery.client != client { return try await lost(delivery, of: interaction) }
        let url = delivery.url
        let platform = try await world.app(of: client).platform
        var yield: StepResult
        var reason: String?
        if platform.webview == .safariViewController, !platform.forwardsOpenUrl, interaction.delivered == nil {
            yield = .waiting(Pending(reason: "callbackNotForwarded", url: url))
            reason = "callbackNotForwarded"
            await world.wait(interaction, step: resumeID)
        } else {
            yield = try await finished(interaction, session, .callback(url, form: delivery.form))
            reason = yield.pending?.reason
            for _ in 1..<delivery.copies { yield.events.append(try await handOverByHand(delivery)) }
        }
        yield.callback = HandedCallback(url: url, form: delivery.form)
        yield.callbacks = [Self.callbackEvent(url, client: client, isHandled: reason == nil, reason: reason)]
        return yield
    }

    private func finished(
        _ interaction: Interaction, _ session: InteractiveSession, _ end: BrowseEnd
    ) async throws -> StepResult {
        let client = try await world.client(interaction.client)
        let cancelled = await client.isCancelled(session)
        if case .pending = end, !cancelled {
            await world.wait(interaction, step: resumeID)
        } else {
            await world.done(interaction)
        }
        let isInNewTab = await (try world.browser(of: interaction.client)).isInNewTab(interaction.tab)
        let outcome = try await client.finish(session, end, inNewTab: isInNewTab, lane: lane)
        // A library that does not see its browser close waits on, until the app cancels the call.
        if case .userClosed = end, case .pending = outcome.ending, await client.isOpen(session) {
            await world.wait(interaction, step: resumeID)
        }
        return StepResult(outcome)
    }

    /// A callback that the app which asked never sees: lost, or handed to another.
    private func lost(
        _ delivery: CallbackDelivery, of interaction: Interaction
    ) async throws(StepProblem) -> StepResult {
        var yield = StepResult.waiting(Pending(reason: "callbackLost", url: delivery.url))
        for _ in 0..<delivery.copies { yield.callbacks.append(try await handOverByHand(delivery)) }
        if delivery.copies == 0 {
            yield.callbacks = [
                Self.callbackEvent(
                    delivery.url, client: delivery.client, isHandled: false, reason: "callbackLost")
            ]
        }
        await world.wait(interaction, step: resumeID)
        return yield
    }

    /// Gives a URL to an app as the system would, and notes whether the app took it.
    func handOverByHand(_ delivery: CallbackDelivery) async throws(StepProblem) -> JSONObject {
        let (outcome, session) = await (try await world.client(delivery.client)).deliver(delivery.url)
        if let session { await world.deliver(delivery.url, to: session, client: delivery.client) }
        return Self.callbackEvent(
            delivery.url, client: delivery.client,
            isHandled: outcome.returned(Deliver.Returned.self)?.handled ?? false)
    }

    /// How a redirect URI reached an app, or did not.
    ///
    /// - Parameters:
    ///   - isHandled: Whether the library took it.
    ///   - reason: Why not, where that is known.
    static func callbackEvent(
        _ url: WebURL, client: String, isHandled: Bool, reason: String? = nil
    ) -> JSONObject {
        var event: JSONObject = [
            "type": "callback", "url": .string(url.description), "client": .string(client),
            "handled": .bool(isHandled),
        ]
        if let reason { event["reason"] = .string(reason) }
        return event
    }

    /// The id under which a pending operation can be resumed: that of the step which began it.
    var resumeID: String? { step.call(Resume.self)?.value ?? step.id }
}
