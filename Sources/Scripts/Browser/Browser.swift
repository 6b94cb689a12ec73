import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Markup
import TenantFiles

/// A browser without a screen: cookie jars, redirects, hosted pages and ordinary forms, and the rules that real
/// browsers enforce where they decide whether a sign-in works.
///
/// It owns what a person's browser owns and nothing else. A ``UserScript`` says what the person does; when it runs out,
/// `run` returns ``BrowseEnd/pending(_:)`` and may be called again with more.
public actor Browser: PageWorker {
    /// The name in the scenario.
    public nonisolated let name: String
    var settings: BrowserSettings
    var locale: String
    let mailbox: any Mailbox
    nonisolated let answers: (any PageAnswers)?
    /// The tenant file's providers with their claims exchange ids: a script presses them by name.
    var providers: [(name: String, exchange: String)]

    private var jars: [JarKind: CookieJar] = [:]
    var tabs: [Int: PageTab] = [:]
    private var lastTab = 0
    /// Visits that a page has taken into another tab.
    var movedTabs: Set<Int> = []
    var logs = PageLogs()

    /// - Parameters:
    ///   - locale: Language of the device, sent as `Accept-Language` unless the settings say another.
    ///   - mailbox: Where codes arrive.
    ///   - answers: What people do where their record does not say it; `nil`: they stop there.
    public init(
        name: String, settings: BrowserSettings, locale: String = "en",
        providers: [(name: String, exchange: String)] = [],
        mailbox: any Mailbox, answers: (any PageAnswers)? = nil
    ) {
        self.name = name
        self.settings = settings
        self.locale = locale
        self.providers = providers
        self.mailbox = mailbox
        self.answers = answers
    }

    /// Whether the device has a browser at all.
    public var isAvailable: Bool { settings.available }

    /// Takes changed settings; cookies stay.
    public func configure(_ settings: BrowserSettings, locale: String, providers: [(name: String, exchange: String)]) {
        self.settings = settings
        self.locale = locale
        self.providers = providers
    }

    /// What a tab has shown and what happened in it since the last call.
    public func drainLogs(of tab: TabID) -> (pages: [PageRecord], events: [JSONObject]) {
        logs.take(of: tab)
    }

    /// The hidden frames of apps that pages have loaded since the last call.
    public func drainFrames(of tab: TabID) -> [HiddenFrame] { logs.drainFrames(of: tab) }

    /// What pages accepted from people since the last call, so that their records can follow.
    public func drainRecordChanges() -> [RecordChange] {
        logs.drainAccepted()
    }

    public func drainProgress(of tab: TabID) -> UserProgress { logs.drainProgress(of: tab) }

    // MARK: Cookies

    func jar(_ kind: JarKind) -> CookieJar {
        var jar = jars[kind] ?? CookieJar()
        jar.enabled = settings.cookies
        jar.thirdParty = settings.thirdPartyCookies == .block ? .block : .allow
        return jar
    }

    func keep(_ jar: CookieJar, _ kind: JarKind) { jars[kind] = jar }

    /// All cookies, for `inspect`.
    public func cookies() -> [JSONValue] {
        [JarKind.shared, .ephemeral, .embedded].flatMap { kind in
            (jars[kind]?.all ?? []).map { cookie in
                var object = JSONObject()
                object["jar"] = .string(kind.rawValue)
                object["name"] = .string(cookie.name)
                object["value"] = .string(cookie.value)
                object["domain"] = .string(cookie.domain)
                object["path"] = .string(cookie.path)
                object["secure"] = .bool(cookie.secure)
                object["httpOnly"] = .bool(cookie.httpOnly)
                object["sameSite"] = cookie.sameSite.map { .string($0.rawValue) } ?? .null
                object["session"] = .bool(cookie.expires == nil)
                if let expires = cookie.expires { object["expires"] = .string(expires.rfc3339) }
                return .object(object)
            }
        }
    }

    /// The `Cookie` field this browser would send, for a request that a script makes by hand.
    public func cookieHeader(for url: WebURL, at now: Timestamp) -> String? {
        jar(.shared).header(for: url, at: now, context: CookieContext(enforceSameSite: settings.sameSite)).header
    }

    /// Stores the cookies of an answer that a script fetched by hand.
    public func storeCookies(of response: ResponseMessage, from url: WebURL, at now: Timestamp) {
        var jar = jar(.shared)
        for field in response.headers.all("Set-Cookie") {
            _ = jar.store(field, from: url, at: now, context: CookieContext(enforceSameSite: settings.sameSite))
        }
        keep(jar, .shared)
    }

    /// The browser is closed and opened again: tabs and session cookies are gone.
    public func restart() {
        tabs = [:]
        for kind in [JarKind.shared, .ephemeral, .embedded] { jars[kind]?.endSession() }
        jars[.ephemeral] = nil
    }

    /// All cookies are deleted.
    public func wipeCookies() { jars = [:] }

    // MARK: Tabs

    /// Opens a tab; nothing is loaded before `run`.
    public func start(_ request: BrowseRequest) -> TabID {
        lastTab += 1
        if request.jar == .ephemeral { jars[.ephemeral] = nil }
        tabs[lastTab] = PageTab(
            request: request, next: RequestMessage(method: request.method, url: request.url, body: request.body))
        return TabID(number: lastTab)
    }

    /// Closes a tab that an app or a script gave up.
    public func close(_ tab: TabID) {
        if tabs.removeValue(forKey: tab.number) != nil { record("browserClosed", in: tab) }
    }

    /// Whether a page has taken the visit into another tab: the cookies are the same, the page that began it is elsewhere.
    public func isInNewTab(_ tab: TabID) -> Bool { movedTabs.contains(tab.number) }

    /// The page that shows, for a report.
    public func currentPage(_ tab: TabID) -> PageRecord? { tabs[tab.number]?.page?.record }

    /// What the page requires and the record of the person who tried to fill it does not have.
    public func missing(in tab: TabID) -> [String] { tabs[tab.number]?.missing ?? [] }

    /// The ids of the providers and other choices that the page offers.
    public func choices(in tab: TabID) -> [String] {
        guard case .hosted(let settings)? = tabs[tab.number]?.page?.content else { return [] }
        return settings.providers.map(\.id)
    }

    /// Goes on with a visit until it ends or nobody acts any more.
    ///
    /// - Parameter user: Who sits there from now on; nil: nobody, so a page that shows makes the visit pending.
    public func run(_ tab: TabID, user: UserScript?, lane: Lane) async throws(WorldError) -> BrowseEnd {
        guard tabs[tab.number] != nil else { return .userClosed }
        if let next = tabs[tab.number]?.next {
            tabs[tab.number]?.next = nil
            if let end = try await load(next, in: tab, initiator: nil, lane: lane) { return finish(tab, end) }
        }
        let end = try await act(user ?? UserScript([]), in: tab, lane: lane)
        return finish(tab, end)
    }

    /// What is open at the end of a callback is for the app to close, once it has the address.
    func finish(_ tab: TabID, _ end: BrowseEnd) -> BrowseEnd {
        switch end {
        case .pending, .scriptDoesNotFit, .callback: break
        default: close(tab)
        }
        return end
    }

    // MARK: Loading

    /// Follows redirects until a page shows (nil) or the visit ends.
    func load(_ first: RequestMessage, in tab: TabID, initiator: WebURL?, lane: Lane) async throws(WorldError)
        -> BrowseEnd?
    {
        guard let request = tabs[tab.number]?.request else { return .userClosed }
        var message = first
        for _ in 0..<20 {
            if let end = ending(at: message.url, of: request, in: tab) { return end }
            let response: ResponseMessage
            do throws(TransportError) {
                response = try await fetch(message, request, initiator: initiator, in: tab, lane: lane)
            } catch {
                if request.jar == .embedded { return .failed(error) }
                show(.unreachable(error, url: message.url), in: tab)
                return nil
            }
            switch await following(response, to: message, of: request, in: tab, lane: lane) {
            case .request(let next): message = next
            case .end(let end): return end
            }
        }
        return .failed(.other("more than 20 redirects"))
    }

    /// What comes after an answer.
    private enum Following {
        case request(RequestMessage)
        /// The visit ends; nil: a page shows.
        case end(BrowseEnd?)
    }

    /// How a visit ends at an address that is not loaded; nil: it is loaded.
    private func ending(at url: WebURL, of request: BrowseRequest, in tab: TabID) -> BrowseEnd? {
        if request.callback?.takes(url) ?? false { return .callback(url, form: nil) }
        guard url.scheme == "https" || url.scheme == "http" else {
            let reason = "callbackUndeliverable"
            record(
                "callback", ["url": .string(url.description), "handled": false, "reason": .string(reason)], in: tab)
            return .pending(Pending(reason: reason, page: tabs[tab.number]?.page?.record, url: url))
        }
        return request.webview == .wkWebView && url.scheme == "http" ? .nonHTTPS(url) : nil
    }

    /// What a browser does with an answer: it follows a redirect, shows the page or lets the page's script go on.
    private func following(
        _ response: ResponseMessage, to message: RequestMessage, of request: BrowseRequest, in tab: TabID, lane: Lane
    ) async -> Following {
        if response.isRedirect, let target = response.location(relativeTo: message.url) {
            let keepsMethod = response.status == 307 || response.status == 308
            return .request(
                keepsMethod
                    ? RequestMessage(method: message.method, url: target, headers: message.headers, body: message.body)
                    : .get(target))
        }
        if request.frame, settings.framing, let header = framingRefusal(response, in: request.topLevelSite) {
            record(
                "frameBlocked", ["header": .string(header), "url": .string(message.url.origin + message.url.path)],
                in: tab)
            await lane.transport.keptBack(.frame, on: lane.id)
            return .end(.blocked("frame"))
        }
        switch ShownPage.read(response, at: message.url) {
        case .page(let page):
            if case .hosted(let hosted) = page.content,
                let failure = await templateFailure(hosted, of: page, request, in: tab, lane: lane)
            {
                let driver = HostedPageDriver(page: hosted, url: page.url)
                let next = driver.navigation("error?code=\(failure)&\(driver.token)")
                return next.map { .request($0) } ?? .end(.userClosed)
            }
            if case .message = page.content,
                let next = signedOut(response, page, request, in: tab, at: lane.time.now)
            {
                return .request(.get(next))
            }
            show(page, in: tab)
            return .end(nil)
        case .autoPost(let action, let items):
            guard let target = message.url.resolving(action) else {
                return .end(
                    .scriptDoesNotFit("the page posts its response to \"\(action)\", which is not an address"))
            }
            if request.callback?.takes(target) ?? false { return .end(.callback(target, form: items)) }
            return .request(.post(target, form: items, headers: ["Origin": message.url.origin]))
        }
    }

    /// What the page after a sign-out does: it loads the sign-out pages of the session's other apps in hidden frames, then
    /// goes where the request wanted to (Microsoft docs: session-behavior, single sign-out).
    ///
    /// - Returns: Where the page's script goes; `nil` where it stays, or for any other page.
    private func signedOut(
        _ response: ResponseMessage, _ page: ShownPage, _ request: BrowseRequest, in tab: TabID, at now: Timestamp
    ) -> WebURL? {
        let tags = HTMLScanner(response.text).tags
        guard tags.contains(where: { $0["data-name"] == "SignedOut" }) else { return nil }
        for tag in tags where tag.name == "iframe" {
            guard let url = tag["src"].flatMap({ page.url.resolving($0) }) else { continue }
            // Where no cookie may be set the storage is another one too.
            let context = CookieContext(
                topLevelSite: page.url, isTopLevelNavigation: false, initiator: page.url, enforceSameSite: false)
            var probe = jar(request.jar)
            let isKept = probe.store("probe=1", from: url, at: now, context: context) == nil
            logs.put(HiddenFrame(url: url, seesStorage: isKept && request.jar == .shared), in: tab)
        }
        return tags.first { $0.name == "a" && $0["id"] == "next" }?["href"].flatMap { page.url.resolving($0) }
    }

    /// Loads the page's own template as its script does, from wherever the policy says.
    ///
    /// - Returns: What the script reports when it cannot (codes read from B2C's page script): `UX003` no answer in time,
    ///   `UX004` no answer or one it may not see, `UX005` not found, `UX017` nothing to draw into; the page then shows
    ///   nothing.
    private func templateFailure(
        _ hosted: PageSettings, of page: ShownPage, _ request: BrowseRequest, in tab: TabID, lane: Lane
    ) async -> String? {
        guard let url = page.url.resolving(hosted.remoteResource), url.origin != page.url.origin else { return nil }
        let message = RequestMessage.get(
            url, headers: ["Accept": "*/*", "Origin": page.url.origin, "Referer": page.url.origin + "/"])
        let response: ResponseMessage
        do throws(TransportError) {
            response = try await lane.transport.send(
                message, ExchangeContext(lane: lane.id, from: .browser, client: request.client, frame: request.frame))
        } catch {
            return error == .timeout ? "UX003" : "UX004"
        }
        if settings.cors, let refusal = CrossOrigin(origin: page.url.origin).refusal(toRead: response) {
            record("corsBlocked", ["url": .string(url.origin + url.path), "detail": .string(refusal)], in: tab)
            await lane.transport.keptBack(.cors, on: lane.id)
            return "UX004"
        }
        if response.status == 404 { return "UX005" }
        // The script needs a place to draw into.
        return HTMLScanner(response.text).tags.contains { $0["id"] == "api" } ? nil : "UX017"
    }

    /// What keeps an answer out of a frame of this site. `frame-ancestors` takes the place of the older field (CSP level
    /// 2, 7.7).
    private func framingRefusal(_ response: ResponseMessage, in site: WebURL?) -> String? {
        for policy in response.headers.all("Content-Security-Policy") {
            for directive in policy.split(separator: ";") {
                let words = directive.split(separator: " ").map { $0.lowercased() }
                guard words.first == "frame-ancestors" else { continue }
                let isAllowed = words.dropFirst().contains { source in
                    source == "*" || (site != nil && WebURL(source)?.origin.lowercased() == site?.origin.lowercased())
                }
                return isAllowed ? nil : "Content-Security-Policy: frame-ancestors"
            }
        }
        guard let options = response.headers["X-Frame-Options"]?.uppercased(),
            options == "DENY" || options == "SAMEORIGIN"
        else { return nil }
        return "X-Frame-Options: \(options)"
    }

    /// One request with this browser's cookies and fields.
    func fetch(
        _ message: RequestMessage, _ request: BrowseRequest, initiator: WebURL?, script: Bool = false, in tab: TabID,
        lane: Lane
    ) async throws(TransportError) -> ResponseMessage {
        var message = message
        let now = lane.time.now
        let context = CookieContext(
            topLevelSite: request.frame ? request.topLevelSite : (script ? initiator : nil),
            isTopLevelNavigation: !request.frame && !script, method: message.method, initiator: initiator,
            enforceSameSite: settings.sameSite)
        let found = jar(request.jar).header(for: message.url, at: now, context: context)
        if let header = found.header { message.headers["Cookie"] = header }
        for cookie in found.withheld { cookieBlocked(cookie.name, cookie.reason, in: tab) }
        if message.headers["Accept"] == nil { message.headers["Accept"] = "text/html,application/xhtml+xml,*/*;q=0.8" }
        let language = settings.languages(on: locale)
        if !language.isEmpty { message.headers["Accept-Language"] = language }
        let userAgent =
            request.jar == .embedded && settings.userAgent == Self.standardUserAgent
            ? Self.embeddedUserAgent : settings.userAgent
        if !userAgent.isEmpty { message.headers["User-Agent"] = userAgent }
        let response = try await lane.transport.send(
            message, ExchangeContext(lane: lane.id, from: .browser, client: request.client, frame: request.frame))
        var jar = jar(request.jar)
        let arrival = lane.time.now
        for field in response.headers.all("Set-Cookie") {
            if let reason = jar.store(field, from: message.url, at: arrival, context: context) {
                cookieBlocked(String(field.prefix { $0 != "=" }), reason, in: tab)
            }
        }
        keep(jar, request.jar)
        return response
    }

    private static let standardUserAgent = BrowserSettings().userAgent
    /// What a web view inside an app sends: unlike Safari it names neither Safari nor a version, by which providers that
    /// refuse web views know it.
    public static let embeddedUserAgent =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"

    private func cookieBlocked(_ name: String, _ reason: CookieRefusal, in tab: TabID) {
        record("cookieBlocked", ["cookie": .string(name), "reason": .string(reason.rawValue)], in: tab)
    }
}

extension BrowserSettings {
    /// The `Accept-Language` field of a browser on a device with a locale: what the settings say, else the locale and its
    /// language, `de-AT,de;q=0.9`.
    public func languages(on locale: String) -> String {
        guard acceptLanguage.isEmpty else { return acceptLanguage }
        let language = locale.prefix { $0 != "-" && $0 != "_" }
        return language == locale ? locale : "\(locale),\(language);q=0.9"
    }
}
