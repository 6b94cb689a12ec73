import B2CProtocol
import Browser
import Clients
import Determinism
import Exchanges
import HTTPMessages
import JSON
import Scenarios
import TenantFiles

/// The verbs of the app.
extension Executor {
    func client(_ step: Step, _ context: StepContext) async throws(StepProblem) -> PublicClient {
        try await world.client(try await world.clientName(step, inherited: context.client))
    }

    static func yield(_ outcome: ClientOutcome) -> Yield {
        var yield = Yield()
        switch outcome.ending {
        case .success(let value): yield.members["result"] = value
        case .failure(let error): yield.members["error"] = .object(error.json)
        case .pending(let pending): yield.members["pending"] = pending.json
        }
        yield.events = outcome.events
        return yield
    }

    func createClient(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws(StepProblem) -> Yield
    {
        let name = try await world.clientName(step, inherited: context.client)
        return Self.yield(try await world.createClient(name, settings: parameters))
    }

    // MARK: Parameters

    private func authority(_ parameters: JSONValue) -> AuthorityChoice {
        AuthorityChoice(
            policy: parameters["policy"]?.stringValue, host: parameters["host"]?.stringValue,
            url: parameters["authority"]?.stringValue)
    }

    private func scopes(_ value: JSONValue?) -> [String]? {
        switch value {
        case .array(let items)?: items.compactMap(\.stringValue)
        case .string(let text)?: text.split(separator: " ").map(String.init)
        default: nil
        }
    }

    private func pairs(_ value: JSONValue?) -> [(name: String, value: String)] {
        (value?.objectValue?.members ?? []).map { ($0.key, Interpolation.text(of: $0.value)) }
    }

    private func claims(_ value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        return Interpolation.text(of: value)
    }

    private func correlation(_ value: JSONValue?) throws(StepProblem) -> GUID? {
        guard let text = value?.stringValue else { return nil }
        guard let guid = GUID(text) else { throw StepProblem("correlationId: `\(text)` is not a GUID") }
        return guid
    }

    /// The account that a parameter means.
    private func account(_ parameters: JSONValue) async throws(StepProblem) -> AccountChoice {
        guard let object = parameters.objectValue, let value = object["account"] else { return .unsaid }
        switch value {
        case .null: return .none
        case .string(let identifier): return .identifier(identifier)
        case .object(let selection):
            if let account = MSALAccount(json: value) { return .object(account) }
            var objectID: String?
            if let name = selection["person"]?.stringValue {
                objectID = try await world.person(name).record.objectId.description
            }
            return .selected(
                policy: selection["policy"]?.stringValue, username: selection["username"]?.stringValue,
                objectID: objectID)
        default: throw StepProblem("`account` is an account, its identifier, a selection or null")
        }
    }

    // MARK: Tokens

    func acquireToken(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let client = try await world.client(name)
        let settings = try await world.app(of: name).client
        let kind = settings.kind
        if parameters["signIn"] == true, kind != .msalAndroid || settings.accountMode != .single {
            throw StepProblem("`signIn` of acquireToken belongs to msal-android with `accountMode` single")
        }
        if parameters["interaction"] != nil, kind != .msalBrowser {
            throw StepProblem("`interaction` of acquireToken belongs to the client kind msal-browser")
        }
        if parameters["state"] != nil, kind.isApple || kind == .msalAndroid {
            throw StepProblem("`state` of acquireToken: MSAL for phones and macOS takes none from its caller")
        }
        let begun = try await client.acquireToken(
            InteractiveParameters(
                scopes: scopes(parameters["scopes"]), authority: authority(parameters),
                prompt: parameters["prompt"]?.stringValue.flatMap(PromptKind.init(rawValue:)),
                account: try await account(parameters), loginHint: parameters["loginHint"]?.stringValue,
                domainHint: parameters["domainHint"]?.stringValue,
                extraQueryParameters: pairs(parameters["extraQueryParameters"]),
                extraScopesToConsent: scopes(parameters["extraScopesToConsent"]) ?? [],
                claimsRequest: claims(parameters["claimsRequest"]),
                correlationID: try correlation(parameters["correlationId"]),
                state: parameters["state"]?.stringValue,
                interaction: parameters["interaction"]?.stringValue.flatMap(InteractionKind.init(rawValue:)),
                isSignIn: parameters["signIn"]?.boolValue ?? false),
            lane: context.lane)
        let yield = try await interact(begun, client: name, step, context)
        await remember(yield, client: name)
        return yield
    }

    func acquireTokenSilent(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let client = try await world.client(name)
        let kind = try await world.app(of: name).client.kind
        for key in ["via", "loginHint"] where parameters[key] != nil && kind != .msalBrowser {
            throw StepProblem("`\(key)` of acquireTokenSilent belongs to the client kind msal-browser")
        }
        let silent = SilentParameters(
            scopes: scopes(parameters["scopes"]), authority: authority(parameters),
            account: try await account(parameters),
            forceRefresh: parameters["forceRefresh"]?.boolValue ?? false,
            claimsRequest: claims(parameters["claimsRequest"]),
            correlationID: try correlation(parameters["correlationId"]),
            source: parameters["via"]?.stringValue.flatMap(TokenSource.init(rawValue:)),
            loginHint: parameters["loginHint"]?.stringValue)
        var yield = Yield()
        var first: ClientError?
        if silent.source != .iframe {
            let outcome = try await client.acquireTokenSilent(silent, lane: context.lane)
            yield = Self.yield(outcome)
            first = outcome.error
            guard let first, await client.mayTryFrame(first, silent) else {
                await remember(yield, client: name)
                return yield
            }
        }
        let framed = try await inFrame(silent, after: first, client: name, context)
        yield.members = framed.members
        yield.events += framed.events
        yield.pages += framed.pages
        await remember(yield, client: name)
        return yield
    }

    /// The part of a silent call that a hidden frame does.
    private func inFrame(
        _ parameters: SilentParameters, after first: ClientError?, client name: String, _ context: StepContext
    ) async throws -> Yield {
        let client = try await world.client(name)
        switch try await client.acquireTokenInFrame(parameters, lane: context.lane) {
        case .finished(let outcome): return Self.yield(outcome)
        case .browse(let request, let session):
            let browser = try await world.browser(of: name)
            let tab = await browser.start(request)
            var end = try await browser.run(tab, user: nil, lane: context.lane)
            var callbacks: [JSONObject] = []
            if case .callback(let url, let form) = end {
                let delivery = await world.hub.handOver(url: url, form: form, client: name, lane: context.lane.id)
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
            let seen = await browser.takeLogs(of: tab).events
            await browser.close(tab)
            let logs = await browser.takeLogs(of: tab)
            var yield = Self.yield(try await client.finishFrame(session, end, after: first, lane: context.lane))
            yield.pages = logs.pages
            yield.events = seen + callbacks + logs.events + yield.events
            return yield
        }
    }

    /// What `callApi` sends when a step names no token.
    func remember(_ yield: Yield, client: String) async {
        if let raw = yield.members["result"]?["accessToken"]?["raw"]?.stringValue, !raw.isEmpty {
            await world.note(token: raw, of: client)
        }
    }

    // MARK: Interaction

    func userScript(_ step: Step, _ context: StepContext) async throws(StepProblem) -> UserScript? {
        guard let user = step.user else { return nil }
        let scope = await world.scope(index: context.index)
        let plan: UserPlan
        do throws(UserPlanError) {
            plan = try await UserPlan.read(user, in: scope)
        } catch {
            switch error {
            case .value(let value): throw StepProblem("user\(value.pointer): \(value.description)")
            case .malformed(let malformed): throw StepProblem("user\(malformed.pointer): \(malformed.message)")
            }
        }
        var entries: [UserScript.Entry] = []
        for move in plan.actions {
            switch move {
            case .person(let name): entries.append(.person(try await world.person(name)))
            case .action(let action):
                let person: Person?
                if let name = action.person { person = try await world.person(name) } else { person = nil }
                entries.append(.action(self.action(action, person, index: context.index)))
            }
        }
        return UserScript(entries)
    }

    private func action(_ action: PageAction, _ person: Person?, index: Int) -> UserAction {
        let world = world
        return action.userAction(as: person) {
            guard !action.fill.isEmpty else { return .values([]) }
            do throws(ValueError) {
                let filled = try await Interpolation.resolve(.object(action.fill), in: await world.scope(index: index))
                return .values((filled.objectValue?.members ?? []).map { ($0.key, $0.value) })
            } catch {
                return .problem("fill\(error.pointer): \(error.description)")
            }
        }
    }

    /// The actions that the person had to do and did not, each with its place and how the flow ended instead. A person's
    /// name is not an action: it says who sits there.
    ///
    /// - Parameter ending: What kept the flow from coming to them.
    func undone(
        _ user: UserScript?, _ progress: UserProgress, _ step: Step, because ending: String
    ) -> [String] {
        var found: [String] = []
        for (index, entry) in (user?.entries ?? []).enumerated() {
            guard case .action(let action) = entry, !action.optional else { continue }
            let done = progress[index]
            let wanted = max(1, action.repeatCount)
            guard done.rounds < wanted else { continue }
            let pointer = step.pointer.appending("user").appending(index)
            var what = "the action at \(world.variant.scenario.location(of: pointer))"
            if let page = action.onText { what += " (on \(page))" }
            if done.endedBeforeWindow {
                what += " did not come to its `window`"
            } else if done.rounds > 0 {
                what += " was done \(done.rounds) of \(wanted) times"
            } else {
                what += " was not reached"
            }
            found.append("\(what): \(ending); mark it \"optional\": true if it need not be")
        }
        return found
    }

    /// How a visit ended, for a person who still had something to do.
    ///
    /// - Parameter page: The last that showed.
    private static func ending(_ end: BrowseEnd, after page: PageRecord?) -> String {
        let last = page.map { "after the page \"\($0.name)\"" } ?? "without showing a page"
        switch end {
        case .callback(var url, _):
            url.query = nil
            url.fragment = nil
            return "the flow ended \(last), at the redirect URI \(url)"
        case .userClosed: return "the window was closed \(last)"
        case .pending(let pending): return "the flow stopped \(last) (\(pending.reason))"
        case .failed(let error): return "the flow ended \(last), as a page could not be loaded (\(error.word))"
        case .nonHTTPS(let url): return "the flow ended \(last), as the web view does not go to \(url.origin)"
        case .blocked(let reason): return "the flow ended \(last), as the browser does not show the answer (\(reason))"
        case .scriptDoesNotFit(let text): return text
        }
    }

    /// Goes on from the first half of an interactive call.
    func interact(
        _ begun: InteractiveStep, client: String, _ step: Step, _ context: StepContext
    ) async throws -> Yield {
        // Before anything can go wrong with what the person does.
        if case .browse(_, let session) = begun {
            await world.begin(OpenCall(client: client, session: session), on: context.lane.id)
        }
        let user = try await userScript(step, context)
        switch begun {
        case .finished(let outcome):
            var yield = Self.yield(outcome)
            let how = outcome.error.map { " with the error \($0.kind.rawValue)" } ?? ""
            yield.undone = undone(user, UserProgress(), step, because: "the call ended\(how) before a browser opened")
            return yield
        case .browse(let request, let session):
            let browser = try await world.browser(of: client)
            // The app's own web view needs no browser of the system's.
            let isAvailable = await browser.isAvailable
            guard isAvailable || request.webview == .wkWebView else {
                let outcome = try await (try await world.client(client)).finish(
                    session, .blocked("no browser is available"), lane: context.lane)
                var yield = Self.yield(outcome)
                yield.undone = undone(user, UserProgress(), step, because: "no browser is available")
                return yield
            }
            let tab = await browser.start(request)
            await world.begin(OpenCall(client: client, session: session, tab: tab), on: context.lane.id)
            let interaction = Interaction(client: client, tab: tab, kind: .library(session))
            let before = await (try await world.client(client)).takeEvents(of: session)
            var yield = try await goOn(interaction, user, step, context)
            yield.events.insert(contentsOf: before, at: 0)
            return yield
        }
    }

    /// Lets the person act until the visit ends, then finishes the call or leaves it waiting.
    func goOn(_ interaction: Interaction, _ user: UserScript?, _ step: Step, _ context: StepContext) async throws
        -> Yield
    {
        let browser = try await world.browser(of: interaction.client)
        let before = await browser.currentPage(interaction.tab)
        let end: BrowseEnd
        if let delivered = interaction.delivered {
            end = .callback(delivered, form: nil)
        } else {
            end = try await browser.run(interaction.tab, user: user, lane: context.lane)
        }
        await world.follow(await browser.takeRecordChanges())
        let signOuts = try await signOutElsewhere(await browser.takeFrames(of: interaction.tab), interaction, context)
        let logs = await browser.takeLogs(of: interaction.tab)
        var yield = try await settle(interaction, end, step, context)
        // A window that nobody answers stays open: whoever sits there closes it.
        if yield.members["pending"] == nil, await !world.isWaiting(interaction) { await browser.close(interaction.tab) }
        yield.pages += logs.pages
        let progress = await browser.takeProgress(of: interaction.tab)
        yield.undone += undone(user, progress, step, because: Self.ending(end, after: yield.pages.last ?? before))
        // What the browser saw lies before what the library made of it.
        let closing = await browser.takeLogs(of: interaction.tab).events
        yield.events.insert(contentsOf: logs.events + signOuts + yield.callbacks + closing, at: 0)
        return yield
    }

    /// Hidden frames with the sign-out pages of apps: each is handed to the app whose address it is, as the browser of
    /// this visit has it.
    private func signOutElsewhere(
        _ frames: [HiddenFrame], _ interaction: Interaction, _ context: StepContext
    ) async throws -> [JSONObject] {
        var events: [JSONObject] = []
        for frame in frames {
            guard let name = try await world.client(withLogoutURL: frame.url, besides: interaction.client) else {
                continue
            }
            let delivery = await world.hub.handOver(
                url: frame.url, form: nil, client: name, frame: true, lane: context.lane.id)
            guard delivery.copies > 0 else { continue }
            let other = try await world.client(delivery.client)
            let outcome = await other.signedOutElsewhere(seesStorage: frame.seesStorage)
            events += outcome.events
            events.append(
                Self.callbackEvent(
                    delivery.url, client: delivery.client, isHandled: outcome.result?["handled"]?.boolValue ?? false))
        }
        return events
    }

    private func settle(
        _ interaction: Interaction, _ end: BrowseEnd, _ step: Step, _ context: StepContext
    ) async throws -> Yield {
        if case .scriptDoesNotFit(let text) = end { throw StepProblem(text) }
        switch interaction.kind {
        case .open(let opened): return try await settleOpen(interaction, opened, end, step, context)
        case .library(let session):
            let client = try await world.client(interaction.client)
            var callback: JSONObject?
            var end = end
            var again: CallbackDelivery?
            if case .callback(let sent, let form) = end {
                let delivery = await world.hub.handOver(
                    url: sent, form: form, client: interaction.client, lane: context.lane.id)
                let url = delivery.url
                if let id = resumeID(step), let start = WebURL(session.url) {
                    // What the browser brought, whatever the app makes of it: an `http` step may redeem the code too.
                    await world.keep(
                        opened: OpenedRequest(
                            url: start, state: session.state, codeVerifier: session.codeVerifier,
                            redirectURI: session.redirectURI, response: OpenedRequest.response(sent, form)), as: id)
                }
                if delivery.copies == 0 || delivery.client != interaction.client {
                    return try await lost(delivery, of: interaction, step)
                }
                end = .callback(url, form: delivery.form)
                if delivery.copies > 1 { again = delivery }
                callback = Self.callback(url, delivery.form)
                let platform = try await world.app(of: interaction.client).platform
                if platform.webview == .safariViewController, !platform.forwardsOpenUrl, interaction.delivered == nil {
                    var yield = Yield()
                    yield.callbacks = [
                        Self.callbackEvent(
                            url, client: interaction.client, isHandled: false, reason: "callbackNotForwarded")
                    ]
                    yield.members["pending"] = Pending(reason: "callbackNotForwarded", url: url).json
                    yield.members["callback"] = callback.map { .object($0) }
                    await world.wait(interaction, step: resumeID(step))
                    return yield
                }
            }
            let cancelled = await client.isCancelled(session)
            if case .pending = end, !cancelled {
                await world.wait(interaction, step: resumeID(step))
            } else {
                await world.done(interaction)
            }
            let isInNewTab = await (try world.browser(of: interaction.client)).isInNewTab(interaction.tab)
            let outcome = try await client.finish(session, end, inNewTab: isInNewTab, lane: context.lane)
            var yield = Self.yield(outcome)
            if let callback { yield.members["callback"] = .object(callback) }
            if case .callback(let url, _) = end {
                let reason = yield.members["pending"]?["reason"]?.stringValue
                yield.callbacks = [
                    Self.callbackEvent(url, client: interaction.client, isHandled: reason == nil, reason: reason)
                ]
            }
            if let again {
                for _ in 1..<again.copies { yield.events.append(try await handOverByHand(again)) }
            }
            return yield
        }
    }

    /// A callback that the app which asked never sees: lost, or handed to another.
    private func lost(
        _ delivery: CallbackDelivery, of interaction: Interaction, _ step: Step
    ) async throws(StepProblem) -> Yield {
        var yield = Yield()
        for _ in 0..<delivery.copies { yield.callbacks.append(try await handOverByHand(delivery)) }
        if delivery.copies == 0 {
            yield.callbacks = [
                Self.callbackEvent(
                    delivery.url, client: delivery.client, isHandled: false, reason: "callbackLost")
            ]
        }
        yield.members["pending"] = Pending(reason: "callbackLost", url: delivery.url).json
        await world.wait(interaction, step: resumeID(step))
        return yield
    }

    /// Gives a URL to an app as the system would, and notes what the app made of it.
    func handOverByHand(_ delivery: CallbackDelivery) async throws(StepProblem) -> JSONObject {
        let (outcome, session) = await (try await world.client(delivery.client)).deliver(delivery.url)
        if let session { await world.deliver(delivery.url, to: session, client: delivery.client) }
        var handled = false
        if case .success(let value) = outcome.ending { handled = value["handled"]?.boolValue ?? false }
        return Self.callbackEvent(delivery.url, client: delivery.client, isHandled: handled)
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
    func resumeID(_ step: Step) -> String? {
        step.verb == .resume ? step.parameters.stringValue ?? step.parameters["id"]?.stringValue : step.id
    }

    static func callback(_ url: WebURL, _ form: FormItems?) -> JSONObject {
        var object = JSONObject()
        object["url"] = .string(url.description)
        object["query"] = .object(url.queryItems.json)
        object["fragment"] = .object(url.fragmentItems.json)
        if let form { object["form"] = .object(form.json) }
        return object
    }

    func resume(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        guard let id = parameters.stringValue ?? parameters["id"]?.stringValue else {
            throw StepProblem("`resume` takes the id of a step that ended pending")
        }
        guard let interaction = await world.pendingStep(id) else {
            throw StepProblem("the step `\(id)` is not pending: there is nothing to resume")
        }
        if let own = step.id { await world.name(own, for: id) }
        if case .library(let session) = interaction.kind {
            let call = OpenCall(client: interaction.client, session: session, tab: interaction.tab)
            await world.begin(call, on: context.lane.id)
        }
        let user = try await userScript(step, context)
        if case .library(let session) = interaction.kind {
            let client = try await world.client(interaction.client)
            if await client.isCancelled(session) {
                await world.done(interaction)
                var yield = Self.yield(try await client.finish(session, .userClosed, lane: context.lane))
                yield.undone = undone(user, UserProgress(), step, because: "the app has ended the call")
                return yield
            }
        }
        let yield = try await goOn(interaction, user, step, context)
        await remember(yield, client: interaction.client)
        return yield
    }

    func cancelInteraction(_ step: Step, _ context: StepContext) async throws(StepProblem) -> Yield {
        let client = try await client(step, context)
        return Self.yield(await client.cancelInteraction().outcome)
    }

    func deliver(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let text = parameters.stringValue ?? parameters["url"]?.stringValue ?? ""
        guard let url = WebURL(text) else { throw StepProblem("deliver: `\(text)` is not a URL") }
        let client = try await world.client(name)
        let delivery = await world.hub.handOver(url: url, form: nil, client: name, lane: context.lane.id)
        guard delivery.copies > 0, delivery.client == name else {
            var yield = Self.yield(ClientOutcome(.success(.object(["handled": false]))))
            for _ in 0..<delivery.copies { yield.events.append(try await handOverByHand(delivery)) }
            return yield
        }
        let (outcome, session) = await client.deliver(delivery.url)
        if let session { await world.deliver(delivery.url, to: session, client: name) }
        var yield = Self.yield(outcome)
        for _ in 1..<max(2, delivery.copies) where delivery.copies > 1 {
            yield.events.append(try await handOverByHand(delivery))
        }
        return yield
    }

    // MARK: Accounts

    func accounts(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws(StepProblem) -> Yield {
        let client = try await client(step, context)
        return Self.yield(
            await client.accounts(
                AccountFilter(
                    identifier: parameters["identifier"]?.stringValue, username: parameters["username"]?.stringValue,
                    policy: parameters["policy"]?.stringValue)))
    }

    func removeAccount(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws(StepProblem) -> Yield
    {
        let client = try await client(step, context)
        return Self.yield(await client.removeAccount(try await account(parameters)))
    }

    func signOut(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let client = try await world.client(name)
        if parameters["policy"] != nil {
            throw StepProblem(
                "`policy` of signOut: MSAL for iOS and macOS signs out at the authority of the client, no other")
        }
        let begun = try await client.signOut(
            SignOutParameters(
                account: try await account(parameters), fromBrowser: parameters["fromBrowser"]?.boolValue ?? false,
                wipeAccount: parameters["wipeAccount"]?.boolValue ?? false,
                wipeCache: parameters["wipeCache"]?.boolValue ?? false,
                extraQueryParameters: pairs(parameters["extraQueryParameters"])),
            lane: context.lane)
        return try await interact(begun, client: name, step, context)
    }
}

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
