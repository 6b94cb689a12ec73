import B2CProtocol
import Browser
import Clients
import Determinism
import Exchanges
import HTTPMessages
import JSON
import Scenarios
import TenantFiles

/// The verbs that speak to an endpoint directly, and the one that calls an API.
extension Executor {
    /// A request as a script describes it.
    private struct Described {
        var url: WebURL
        var endpoint: String?
        var policy: String?
        var opened: OpenedRequest?
        var form: FormItems?
    }

    private static let endpoints: [String: (path: String, isToken: Bool)] = [
        "discovery": ("/v2.0/.well-known/openid-configuration", false), "keys": ("/discovery/v2.0/keys", false),
        "authorize": ("/oauth2/v2.0/authorize", false), "token": ("/oauth2/v2.0/token", true),
        "userinfo": ("/openid/v2.0/userinfo", false), "logout": ("/oauth2/v2.0/logout", false),
    ]

    /// The address of an endpoint, in the authority form of the app.
    private func address(_ endpoint: String, _ parameters: JSONValue, app: AppSettings) async throws(StepProblem) -> (
        WebURL, String?
    ) {
        guard let known = Self.endpoints[endpoint] else {
            throw StepProblem(
                "`endpoint` is one of discovery, keys, authorize, token, userinfo, logout; not `\(endpoint)`")
        }
        let tenant = await world.tenant.tenant
        let host = parameters["host"]?.stringValue ?? tenant.host
        if tenant.kind == .workforce {
            guard let url = WebURL("https://\(host)/common\(known.path)") else {
                throw StepProblem("`\(host)` is not a host")
            }
            return (url, nil)
        }
        let wanted = parameters["policy"]?.stringValue ?? app.client.policy
        guard let name = wanted, let policy = tenant.policy(named: name) ?? tenant.policy(id: name) else {
            throw StepProblem("no policy is named for the endpoint `\(endpoint)`, and the app has no policy of its own")
        }
        let authority = AuthorityURLs.authority(
            host: host, tenantSegment: tenant.domain, policy: policy.id, form: app.client.authorityForm)
        var text = authority + known.path
        // A policy in the query moves behind the endpoint's path.
        if let mark = authority.firstIndex(of: "?") { text = authority[..<mark] + known.path + authority[mark...] }
        guard let url = WebURL(text) else { throw StepProblem("`\(text)` is not a URL") }
        return (url, policy.id)
    }

    /// Members that the app itself would send.
    private func defaults(
        _ endpoint: String, _ app: AppSettings, redirectURI: String
    ) async -> (items: [(String, String)], opened: OpenedRequest?) {
        let client = app.client
        switch endpoint {
        case "authorize":
            var random = await world.draw("open")
            let state = random.guid().description
            let nonce = random.guid().description
            let verifier = PKCE.verifier(&random)
            var scopes = client.scopes
            for scope in ["openid", "profile", "offline_access"] where !scopes.contains(scope) { scopes.append(scope) }
            let items = [
                ("client_id", client.clientId), ("redirect_uri", redirectURI), ("response_type", client.responseType),
                ("scope", scopes.joined(separator: " ")), ("state", state), ("nonce", nonce),
                ("code_challenge", PKCE.challenge(verifier)), ("code_challenge_method", "S256"),
            ]
            return (items, OpenedRequest(url: WebURL("https://localhost/") ?? Self.nowhere, codeVerifier: verifier))
        case "token":
            var items = [("client_id", client.clientId)]
            if let secret = client.clientSecret { items.append(("client_secret", secret)) }
            items.append(("redirect_uri", redirectURI))
            items.append(("scope", (client.scopes + ["openid", "offline_access"]).joined(separator: " ")))
            return (items, nil)
        case "logout":
            return ([("client_id", client.clientId), ("post_logout_redirect_uri", redirectURI)], nil)
        default: return ([], nil)
        }
    }

    private static let nowhere = WebURL(scheme: "https", host: "localhost", path: "/")

    /// Items with a script's members over them: a value wins, null removes.
    private static func patched(_ items: [(String, String)], _ patch: JSONValue?) -> FormItems {
        var form = FormItems()
        for (name, value) in items { form.append(name, value) }
        for member in patch?.objectValue?.members ?? [] {
            form[member.key] = member.value.isNull ? nil : Interpolation.text(of: member.value)
        }
        return form
    }

    /// What the app's own library sends: a script plays the app as it is, so that the service refuses what it would refuse.
    private func sentRedirect(of app: AppSettings) throws(StepProblem) -> String {
        do {
            return try app.sentRedirect.get().uri
        } catch {
            throw StepProblem(error.reason)
        }
    }

    private func describe(_ parameters: JSONValue, app: AppSettings) async throws(StepProblem) -> Described {
        if let text = parameters["url"]?.stringValue {
            guard var url = WebURL(text) else { throw StepProblem("`\(text)` is not a URL") }
            if let query = parameters["query"] {
                let items = Self.patched(url.queryItems.items.map { ($0.name, $0.value) }, query)
                url.queryItems = items
            }
            let form = parameters["form"].map { Self.patched([], $0) }
            return Described(url: url, form: form)
        }
        guard let endpoint = parameters["endpoint"]?.stringValue else {
            throw StepProblem("a request needs `url` or `endpoint`")
        }
        var (url, policy) = try await address(endpoint, parameters, app: app)
        let redirect = try sentRedirect(of: app)
        let wanted = parameters["defaults"]?.boolValue ?? true
        var (items, opened) = await defaults(endpoint, app, redirectURI: redirect)
        if !wanted { items = [] }
        var described = Described(url: url, endpoint: endpoint, policy: policy, opened: opened)
        if endpoint == "token" {
            if let from = parameters["from"]?.stringValue {
                guard let source = await world.opened[from], let code = source.response["code"]?.stringValue else {
                    throw StepProblem(
                        "`from`: the step `\(from)` did not receive a code; `from` needs a step whose browser came back "
                            + "with one")
                }
                var filled = [("grant_type", "authorization_code"), ("code", code)]
                if let verifier = source.codeVerifier { filled.append(("code_verifier", verifier)) }
                items = items.filter { $0.0 != "redirect_uri" }
                if let uri = source.redirectURI { filled.append(("redirect_uri", uri)) }
                items = filled + items
            }
            described.form = Self.patched(items, parameters["form"])
            items = []
        } else if let form = parameters["form"] {
            described.form = Self.patched([], form)
        }
        let query = Self.patched(url.queryItems.items.map { ($0.name, $0.value) } + items, parameters["query"])
        if !query.isEmpty { url.queryItems = query }
        described.url = url
        if var opened {
            opened.url = url
            opened.state = query["state"]
            opened.nonce = query["nonce"]
            opened.redirectURI = query["redirect_uri"]
            opened.policy = policy
            if query["code_challenge"] == nil { opened.codeVerifier = nil }
            described.opened = opened
        }
        return described
    }

    /// The header fields of a step. Only now are the values known that `{{...}}` stands for.
    private func headers(_ value: JSONValue?) throws(StepProblem) -> Headers {
        var headers = Headers()
        for member in value?.objectValue?.members ?? [] where !member.value.isNull {
            headers.append(member.key, Interpolation.text(of: member.value))
        }
        if let problem = headers.problem { throw StepProblem("headers: \(problem)") }
        return headers
    }

    // MARK: http

    func http(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let described = try await describe(parameters, app: try await world.app(of: name))
        var request = RequestMessage.get(described.url, headers: try headers(parameters["headers"]))
        if let form = described.form {
            request = .post(described.url, form: form, headers: request.headers)
        } else if let json = parameters["json"] {
            request = .post(described.url, json: json, headers: request.headers)
        } else if let body = parameters["body"]?.stringValue {
            request.method = "POST"
            request.body = Array(body.utf8)
        }
        if let method = parameters["method"]?.stringValue { request.method = method.uppercased() }
        if let problem = WrittenHeaders.clash(.http, parameters) { throw StepProblem(problem) }
        let usesCookies = parameters["cookies"]?.boolValue ?? false
        let browser = try await world.browser(of: name)
        if usesCookies, let cookies = await browser.cookieHeader(for: described.url, at: world.time.now) {
            request.headers["Cookie"] = cookies
        }
        do throws(TransportError) {
            let response = try await context.lane.transport.send(
                request, ExchangeContext(lane: context.lane.id, from: .client, client: name))
            if usesCookies { await browser.storeCookies(of: response, from: described.url, at: world.time.now) }
            return .result(.object(Self.httpResult(response)))
        } catch {
            return Self.transportFailure(error)
        }
    }

    /// An HTTP answer as a result.
    static func httpResult(_ response: ResponseMessage) -> JSONObject {
        var result = Exchange.answer(response)
        let description =
            response.json?["error_description"]?.stringValue
            ?? response.headers["Location"].flatMap { WebURL($0) }.flatMap {
                $0.fragmentItems["error_description"] ?? $0.queryItems["error_description"]
            } ?? response.text
        if let code = AADB2C.firstCode(in: description) {
            result["b2cCode"] = .string(code)
            if let text = B2CErrorText(parsing: description) { result["b2cMessage"] = .string(text.message) }
        }
        return result
    }

    /// A request that no answer came to, as the app's system reports it.
    static func transportFailure(_ error: TransportError) -> Yield {
        var failure = ClientError(.network, domain: "NSURLErrorDomain", code: .number(URLErrorTable.code(of: error)))
        failure.name = URLErrorTable.all.first { $0.code == URLErrorTable.code(of: error) }?.name
        var yield = Yield()
        yield.members["error"] = .object(failure.json)
        return yield
    }

    // MARK: open

    func open(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let app = try await world.app(of: name)
        let described = try await describe(parameters, app: app)
        var opened = described.opened ?? OpenedRequest(url: described.url)
        opened.url = described.url
        let redirect =
            try opened.redirectURI ?? described.url.queryItems["redirect_uri"]
            ?? described.url.queryItems["post_logout_redirect_uri"] ?? sentRedirect(of: app)
        opened.redirectURI = redirect
        let request = BrowseRequest(
            url: described.url, callback: Self.rule(redirect),
            jar: app.platform.webview == .wkWebView ? .embedded : (app.platform.ephemeral ? .ephemeral : .shared),
            frame: parameters["frame"]?.boolValue ?? false, topLevelSite: Self.site(of: app, redirect: redirect),
            client: name, webview: app.platform.webview)
        let browser = try await world.browser(of: name)
        let user = try await userScript(step, context)
        // The app's own web view needs no browser of the system's.
        let isAvailable = await browser.isAvailable
        guard isAvailable || app.platform.webview == .wkWebView else {
            var failure = ClientError(.other, domain: "b2c", code: "noBrowser")
            failure.description = "no browser is available (`browser.available` is false)"
            var yield = Yield()
            yield.members["error"] = .object(failure.json)
            yield.undone = undone(user, UserProgress(), step, because: "no browser is available")
            return yield
        }
        let tab = await browser.start(request)
        return try await goOn(Interaction(client: name, tab: tab, kind: .open(opened)), user, step, context)
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

    func settleOpen(
        _ interaction: Interaction, _ opened: OpenedRequest, _ end: BrowseEnd, _ step: Step, _ context: StepContext
    ) async throws(StepProblem) -> Yield {
        var result = JSONObject()
        var request = JSONObject()
        request["query"] = .object(opened.url.queryItems.json)
        if let state = opened.state { request["state"] = .string(state) }
        if let nonce = opened.nonce { request["nonce"] = .string(nonce) }
        if let verifier = opened.codeVerifier { request["codeVerifier"] = .string(verifier) }
        var yield = Yield()
        switch end {
        case .callback(let sent, let sentForm):
            let delivery = await world.hub.handOver(
                url: sent, form: sentForm, client: interaction.client, lane: context.lane.id)
            let (url, form) = (delivery.url, delivery.form)
            await world.done(interaction)
            let response = OpenedRequest.response(url, form)
            result["url"] = .string(url.description)
            result["request"] = .object(request)
            result["response"] = .object(response)
            result["delivered"] = delivery.copies == 0 ? .null : .string(delivery.client)
            // A page that is left for the service is this page again when the answer comes.
            let app = try await world.app(of: interaction.client)
            if delivery.client == interaction.client, delivery.copies > 0, app.client.kind == .msalBrowser,
                app.client.interaction == .redirect
            {
                yield.events.append(try await loadPage(at: url, client: interaction.client, context))
            }
            if delivery.client != interaction.client {
                for _ in 0..<delivery.copies { yield.callbacks.append(try await handOverByHand(delivery)) }
            } else if yield.events.isEmpty {
                // Nobody in the app waits for it.
                let reason = delivery.copies == 0 ? "callbackLost" : "callbackNotRecognised"
                yield.callbacks = [Self.callbackEvent(url, client: delivery.client, isHandled: false, reason: reason)]
            }
            yield.members["callback"] = .object(Self.callback(url, form))
            var kept = opened
            kept.response = response
            if let id = resumeID(step) { await world.keep(opened: kept, as: id) }
        case .pending(let pending):
            if let failure = pending.failure {
                // The tab shows that nothing answered; a later step may load it again.
                await world.wait(interaction, step: resumeID(step))
                return Self.transportFailure(failure)
            }
            // Arriving at a page is how opening an address ends when nobody acts.
            if pending.reason == "page", let page = pending.page {
                await world.wait(interaction, step: resumeID(step))
                result["url"] = .string(page.url)
                result["status"] = .integer(Int64(page.status))
                result["page"] = page.json
                result["request"] = .object(request)
                result["delivered"] = .null
                yield.members["result"] = .object(result)
                return yield
            }
            await world.wait(interaction, step: resumeID(step))
            yield.members["pending"] = pending.json
            return yield
        case .userClosed:
            await world.done(interaction)
            result["url"] = .string(opened.url.description)
            result["request"] = .object(request)
            result["delivered"] = .null
        case .failed(let error):
            await world.done(interaction)
            return Self.transportFailure(error)
        case .nonHTTPS(let url):
            await world.done(interaction)
            var failure = ClientError(.other, domain: "b2c", code: "nonHTTPS")
            failure.description = "the embedded web view does not go to \(url.origin)"
            yield.members["error"] = .object(failure.json)
            return yield
        case .blocked(let reason):
            await world.done(interaction)
            var failure = ClientError(.other, domain: "b2c", code: .text(reason))
            failure.description = "the browser does not show the answer: \(reason)"
            yield.members["error"] = .object(failure.json)
            return yield
        case .scriptDoesNotFit(let text):
            throw StepProblem(text)
        }
        yield.members["result"] = .object(result)
        return yield
    }

    /// Loads an app's page at an address that it did not ask for.
    ///
    /// - Returns: What the library made of it, as an event.
    private func loadPage(at url: WebURL, client name: String, _ context: StepContext) async throws(StepProblem)
        -> JSONObject
    {
        let app = try await world.client(name)
        let outcome: ClientOutcome
        do throws(WorldError) {
            outcome = try await app.load(at: url, lane: context.lane)
        } catch {
            throw StepProblem("the world ended while the page was loaded")
        }
        var event: JSONObject = [
            "type": "callback", "url": .string(url.description), "client": .string(name),
            "handled": .bool(outcome.result.map { $0 != .object(JSONObject()) } ?? false),
        ]
        if let error = outcome.error { event["error"] = .object(error.json) }
        return event
    }

    // MARK: callApi

    func callAPI(_ parameters: JSONValue, _ step: Step, _ context: StepContext) async throws -> Yield {
        let name = try await world.clientName(step, inherited: context.client)
        let tenant = await world.tenant.tenant
        var base: String
        if let text = parameters["url"]?.stringValue {
            base = text
        } else if let apiName = parameters["api"]?.stringValue {
            guard let api = tenant.api(named: apiName) else { throw StepProblem("there is no API `\(apiName)`") }
            base = api.baseUrl
        } else if tenant.apis.count == 1, let api = tenant.apis.first {
            base = api.baseUrl
        } else {
            throw StepProblem("callApi needs `api` or `url`: the tenant has \(tenant.apis.count) APIs")
        }
        if let path = parameters["path"]?.stringValue {
            base = (base.hasSuffix("/") ? String(base.dropLast()) : base) + (path.hasPrefix("/") ? path : "/" + path)
        }
        guard let url = WebURL(base) else { throw StepProblem("`\(base)` is not a URL") }
        let written = try headers(parameters["headers"])
        if let problem = WrittenHeaders.clash(.callApi, parameters) { throw StepProblem(problem) }
        var request = RequestMessage.get(url, headers: written)
        if let json = parameters["json"] { request = .post(url, json: json, headers: request.headers) }
        if let method = parameters["method"]?.stringValue { request.method = method.uppercased() }
        if !WrittenHeaders.writes("Authorization", parameters), let token = try await token(parameters, client: name) {
            request.headers["Authorization"] = "Bearer \(token)"
        }
        var timeout: TimeSpan?
        if let text = parameters["timeout"]?.stringValue {
            guard let span = TimeSpan(iso8601: text) else {
                throw StepProblem("timeout: `\(text)` is not an ISO 8601 duration")
            }
            timeout = span
        }
        let exchange = ExchangeContext(lane: context.lane.id, from: .client, client: name, timeout: timeout)
        let app = try await world.app(of: name)
        guard app.client.kind == .msalBrowser else {
            do throws(TransportError) {
                return Self.apiResult(try await context.lane.transport.send(request, exchange))
            } catch {
                return Self.transportFailure(error)
            }
        }
        if let field = written.fields.first(where: { CrossOrigin.isForbidden($0.name) }) {
            throw StepProblem(
                "headers: a page cannot set `\(field.name)`, because its browser sets it; remove it, or use `http`")
        }
        var fetch = PageFetch(
            origin: app.platform.origin, isEnforced: try await world.browserSettings(of: name).cors, lane: context.lane)
        var yield: Yield
        switch await fetch.send(request, exchange) {
        case .answer(let response): yield = Self.apiResult(response)
        case .failed(let error):
            yield = Yield()
            yield.members["error"] = .object(PageFetch.failure(error, hasTimeout: timeout != nil).json)
        }
        yield.events = fetch.events
        return yield
    }

    private static func apiResult(_ response: ResponseMessage) -> Yield {
        var result = httpResult(response)
        if let reason = response.refusal { result["reason"] = .string(reason) }
        return .result(.object(result))
    }

    private func token(_ parameters: JSONValue, client: String) async throws(StepProblem) -> String? {
        guard let object = parameters.objectValue, let value = object["token"] else {
            return await world.newestToken[client]
        }
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .object:
            if let raw = value["raw"]?.stringValue { return raw }
            fallthrough
        default: throw StepProblem("`token` is a token object, its text or null")
        }
    }
}

extension World {
    /// A generator for one purpose; each call gets another.
    func draw(_ purpose: String) -> SeededGenerator {
        drawn += 1
        return seed.stream("\(purpose) \(drawn)")
    }

    func keep(opened request: OpenedRequest, as id: String) { opened[id] = request }
}
