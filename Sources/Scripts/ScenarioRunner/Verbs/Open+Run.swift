import B2CProtocol
import Browser
import Clients
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Verbs

extension Open: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let world = call.world
        let name = try await call.clientName()
        let app = try await world.app(of: name)
        let written = try await call.written(request, app: app)
        var opened = written.opened ?? OpenedRequest(url: written.url)
        opened.url = written.url
        let redirect =
            try opened.redirectURI ?? written.url.queryItems["redirect_uri"]
            ?? written.url.queryItems["post_logout_redirect_uri"] ?? StepCall.sentRedirect(of: app)
        opened.redirectURI = redirect
        let visit = BrowseRequest(
            url: written.url, callback: Self.rule(redirect),
            jar: app.platform.webview == .wkWebView ? .embedded : (app.platform.ephemeral ? .ephemeral : .shared),
            frame: frame, topLevelSite: Self.site(of: app, redirect: redirect), client: name,
            webview: app.platform.webview)
        let browser = try await world.browser(of: name)
        let user = try await call.userScript()
        // The app's own web view needs no browser of the system's.
        let isAvailable = await browser.isAvailable
        guard isAvailable || app.platform.webview == .wkWebView else {
            var failure = ClientError(.other, domain: "b2c", code: "noBrowser")
            failure.description = "no browser is available (`browser.available` is false)"
            var yield = StepResult.failure(failure)
            yield.undone = call.undone(user, UserProgress(), because: "no browser is available")
            return yield
        }
        let tab = await browser.start(visit)
        return try await call.goOn(Interaction(client: name, tab: tab, kind: .open(opened)), user)
    }

    /// The page of the app that holds a hidden frame: its redirect URI's site, where that is a web address.
    private static func site(of app: AppSettings, redirect: String) -> WebURL? {
        if let url = WebURL(redirect), url.scheme == "https" || url.scheme == "http" { return url }
        return app.platform.os == .web ? WebURL(app.platform.origin) : nil
    }

    /// The app's own address ends the visit: a custom scheme by scheme, a web address exactly.
    private static func rule(_ redirect: String) -> CallbackRule {
        guard let url = WebURL(redirect) else { return .exact(redirect) }
        return url.scheme == "https" || url.scheme == "http" ? .exact(redirect) : .scheme(url.scheme)
    }
}

extension StepCall {
    /// Makes an outcome of how a visit of `open` ended.
    func settleOpen(
        _ interaction: Interaction, _ opened: OpenedRequest, _ end: BrowseEnd
    ) async throws(StepProblem) -> StepResult {
        if case .callback(let url, let form) = end {
            return try await arrived(CallbackArrival(url: url, form: form), interaction, opened)
        }
        if case .pending(let pending) = end { return await stopped(pending, interaction, opened) }
        await world.done(interaction)
        switch end {
        case .userClosed: return .result(opened.returned(at: opened.url.description))
        case .failed(let error): return .transportFailure(error)
        case .nonHTTPS(let url):
            var failure = ClientError(.other, domain: "b2c", code: "nonHTTPS")
            failure.description = "the embedded web view does not go to \(url.origin)"
            return .failure(failure)
        case .blocked(let reason):
            var failure = ClientError(.other, domain: "b2c", code: .text(reason))
            failure.description = "the browser does not show the answer: \(reason)"
            return .failure(failure)
        case .scriptDoesNotFit(let text): throw StepProblem(text)
        case .callback, .pending: return StepResult()
        }
    }

    /// What the browser came back with.
    private struct CallbackArrival {
        var url: WebURL
        var form: FormItems?
    }

    private func arrived(
        _ sent: CallbackArrival, _ interaction: Interaction, _ opened: OpenedRequest
    ) async throws(StepProblem) -> StepResult {
        let delivery = await world.hub.handOver(
            url: sent.url, form: sent.form, client: interaction.client, lane: lane.id)
        let (url, form) = (delivery.url, delivery.form)
        await world.done(interaction)
        var yield = StepResult()
        // A page that is left for the service is this page again when the answer comes.
        let app = try await world.app(of: interaction.client)
        if delivery.client == interaction.client, delivery.copies > 0, app.client.kind.traits.runsInPage,
            app.client.interaction == .redirect
        {
            yield.events.append(try await loadPage(at: url, client: interaction.client))
        }
        if delivery.client != interaction.client {
            for _ in 0..<delivery.copies { yield.callbacks.append(try await handOverByHand(delivery)) }
        } else if yield.events.isEmpty {
            // Nobody in the app waits for it.
            let reason = delivery.copies == 0 ? "callbackLost" : "callbackNotRecognised"
            yield.callbacks = [Self.callbackEvent(url, client: delivery.client, isHandled: false, reason: reason)]
        }
        yield.callback = HandedCallback(url: url, form: form)
        var kept = opened
        kept.response = OpenedRequest.response(url, form)
        if let id = resumeID { await world.keep(opened: kept, as: id) }
        var returned = kept.returned(at: url.description)
        returned.response = kept.response
        returned.delivered = delivery.copies == 0 ? nil : delivery.client
        yield.ending = .result(returned)
        return yield
    }

    private func stopped(_ pending: Pending, _ interaction: Interaction, _ opened: OpenedRequest) async -> StepResult {
        await world.wait(interaction, step: resumeID)
        // The tab shows that nothing answered; a later step may load it again.
        if let failure = pending.failure { return .transportFailure(failure) }
        // Arriving at a page is how opening an address ends when nobody acts.
        if pending.reason == "page", let page = pending.page {
            var returned = opened.returned(at: page.url)
            returned.page = page
            return .result(returned)
        }
        return .waiting(pending)
    }

    /// Loads an app's page at an address that it did not ask for.
    ///
    /// - Returns: How the library took it, as an event.
    private func loadPage(at url: WebURL, client name: String) async throws(StepProblem) -> JSONObject {
        let app = try await world.client(name)
        let outcome: ClientOutcome
        do throws(WorldError) {
            outcome = try await app.load(at: url, lane: lane)
        } catch {
            throw StepProblem("the world ended while the page was loaded")
        }
        var event = Self.callbackEvent(
            url, client: name, isHandled: outcome.result != nil && outcome.returned(NoResult.self) == nil)
        if let error = outcome.error { event["error"] = error.json }
        return event
    }
}

extension OpenedRequest {
    /// What `open` returns, before the page or the answer is added.
    ///
    /// - Parameter address: Where the browser stopped.
    fileprivate func returned(at address: String) -> Open.Returned {
        var returned = Open.Returned(url: address, sent: url)
        returned.state = state
        returned.nonce = nonce
        returned.codeVerifier = codeVerifier
        return returned
    }
}
