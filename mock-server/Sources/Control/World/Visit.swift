import AuthorityHosting
import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Synchronization
import TenantFiles

/// One visit of a person to the world's pages, in a browser inside the server.
struct Visit {
    let world: ServerWorld
    /// What the app opens.
    let url: WebURL
    /// Where the app takes the answer; `nil`: at any address that is not the server's.
    let redirect: String?
    /// Name of a browser that is kept; `nil`: a new one.
    let browser: String?
    let person: UserRecord?
    let actions: [UserScript.Entry]
    let cancels: Bool
    let provider: String?

    /// How it ended.
    enum End: Sendable {
        case callback(WebURL, form: FormItems?)
        case page(PageRecord?)
        case closed
        case failed(String)
    }

    /// The result.
    struct Outcome: Sendable {
        var end: End
        /// The last page that showed, where the answer did not reach the app.
        var page: PageRecord?
        /// What the page requires and the record does not have.
        var missing: [String] = []
        /// What pages have taken from the person.
        var accepted: [RecordChange] = []
    }

    func play() async -> Outcome {
        let tenant = world.tenant.tenant
        let providers = tenant.providers.map { (name: $0.name, exchange: $0.exchange) }
        let mailbox = InboxMailbox(environment: world.environment)
        let browser = world.visitors.browser(named: browser) {
            Browser(
                name: "browser", settings: tenant.browser, locale: tenant.device.locale, providers: providers,
                mailbox: mailbox)
        }
        await browser.configure(tenant.browser, locale: tenant.device.locale, providers: providers)
        let time = VirtualTime(world.time.now())
        let way = VisitTransport(world: world, start: url, time: time)
        let lane = Lane(id: .main, transport: way, turnstile: Turnstile(time: time), time: time)
        let tab = await browser.start(BrowseRequest(url: url, callback: callbackRule, client: "app"))
        let end: End
        do throws(WorldError) {
            end = try await act(in: tab, of: browser, lane: lane, way: way)
        } catch {
            end = .failed("\(error)")
        }
        var outcome = Outcome(end: end, accepted: await browser.drainRecordChanges())
        world.visitors.keep(outcome.accepted)
        if case .callback = end {} else { outcome.page = await browser.currentPage(tab) }
        outcome.missing = await browser.missing(in: tab)
        await browser.close(tab)
        // Nobody reads them, and a browser that is kept would gather them.
        _ = await browser.drainLogs(of: tab)
        _ = await browser.drainFrames(of: tab)
        _ = await browser.drainProgress(of: tab)
        return outcome
    }

    private var callbackRule: CallbackRule? {
        redirect.map { redirect in
            guard let target = WebURL(redirect), !["http", "https"].contains(target.scheme) else {
                return .exact(redirect)
            }
            return .scheme(target.scheme)
        }
    }

    private func act(
        in tab: TabID, of browser: Browser, lane: Lane, way: VisitTransport
    ) async throws(WorldError) -> End {
        var end = way.end(try await browser.run(tab, user: nil, lane: lane))
        if cancels, case .page = end { end = way.end(try await browser.cancel(tab, lane: lane)) }
        if !actions.isEmpty, case .page = end {
            end = way.end(try await browser.run(tab, user: UserScript(actions), lane: lane))
        }
        if let provider, case .page(let page) = end {
            let choices = await browser.choices(in: tab)
            guard let choice = choice(provider, of: choices) else {
                let known = choices.isEmpty ? "none" : choices.joined(separator: ", ")
                return .failed("the page \(page?.name ?? "") has no provider \(provider); it has \(known)")
            }
            let press = UserScript([.action(UserAction(press: choice))])
            end = way.end(try await browser.run(tab, user: press, lane: lane))
        }
        guard let person else { return end }
        if !person.registered, case .page(let page?) = end, page.name == "signIn",
            page.buttons.contains("createAccount")
        {
            let press = UserScript([.action(UserAction(press: "signUp"))])
            end = way.end(try await browser.run(tab, user: press, lane: lane))
        }
        guard case .page = end else { return end }
        return way.end(try await browser.run(tab, user: UserScript([.person(Person(record: person))]), lane: lane))
    }

    /// The choice of a page that a name means: an id on the page, or a provider of the tenant file.
    private func choice(_ name: String, of choices: [String]) -> String? {
        let wanted = name.lowercased()
        let exchange = world.tenant.tenant.providers.first { $0.name.lowercased() == wanted }?.exchange.lowercased()
        return choices.first { [wanted, exchange, wanted + "exchange"].contains($0.lowercased()) }
    }
}

/// Reads codes for people at browsers inside the server. Captchas stay unread.
private struct InboxMailbox: Mailbox {
    let environment: HostedEnvironment

    func newestCode(to addresses: [String]) async -> String? {
        guard case .value(let messages) = await environment.command(.inspect(.inbox)) else { return nil }
        let wanted = addresses.map { $0.lowercased() }
        let mine = messages.arrayValue?.last { message in
            message["code"]?.stringValue != nil && wanted.contains(message["to"]?.stringValue?.lowercased() ?? "")
        }
        return mine?["code"]?.stringValue
    }

    func captcha(of challenge: String) async -> String? { nil }
}

/// The way of a browser inside the server to its world: as from outside, except for the sockets.
private final class VisitTransport: Transport {
    /// How long a page that asks again and again waits in a world on the system's clock.
    private static let longestPause = TimeSpan.milliseconds(50)

    private let world: ServerWorld
    private let time: VirtualTime
    /// The server's addresses in this visit. Any other leads to the app.
    private let origins: Set<String>
    private let left = Mutex<RequestMessage?>(nil)

    init(world: ServerWorld, start: WebURL, time: VirtualTime) {
        self.world = world
        self.time = time
        var origins: Set = [start.origin]
        if start.isLoopback {
            for host in ["localhost", "127.0.0.1"] {
                var url = start
                url.host = host
                origins.insert(url.origin)
            }
        }
        self.origins = origins
    }

    /// What an end of the browser's means here.
    func end(_ end: BrowseEnd) -> Visit.End {
        if let request = left.withLock({ $0 }) {
            return .callback(request.url, form: request.method == "POST" ? FormItems(parsing: request.body) : nil)
        }
        switch end {
        case .callback(let url, let form): return .callback(url, form: form)
        case .pending(let pending):
            if pending.reason == "callbackUndeliverable", let url = pending.url { return .callback(url, form: nil) }
            return .page(pending.page)
        case .userClosed: return .closed
        case .failed(let error): return .failed("the address cannot be loaded: \(error)")
        case .nonHTTPS(let url): return .failed("\(url) is not an https address")
        case .blocked(let why), .scriptDoesNotFit(let why): return .failed(why)
        }
    }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        guard origins.contains(request.url.origin) || world.place(of: request.url.host ?? "") != .elsewhere else {
            // A page's template is fetched by its script; where it is not in this world, the person needs none.
            if request.headers["Origin"] != nil, request.method == "GET" { return Self.template }
            left.withLock { $0 = request }
            throw .dns
        }
        let ahead = time.now - world.time.now()
        if ahead > .zero { await world.time.pass(world.time.isFrozen ? ahead : min(ahead, Self.longestPause)) }
        var request = request
        let local = world.local(request.url)
        do throws(LocalAddress.Unknown) {
            try local?.lead(&request, in: world)
        } catch {
            return Front.problem(404, error.text)
        }
        let delivery = await world.delivery(of: request, from: .browser)
        await world.time.pass(delivery.delay)
        time.advance(to: world.time.now())
        var message = try delivery.outcome.get()
        local?.adapt(&message, of: world, from: request.url.host)
        return message
    }

    private static let template = ResponseMessage.html(
        200, "<!DOCTYPE html><html><body><div id=\"api\"></div></body></html>",
        headers: ["Access-Control-Allow-Origin": "*"])
}
