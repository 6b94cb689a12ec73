import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// A real browser driven over WebDriver by the same scripts as the stand-in.
///
/// What its pages send goes past the transport of the runner: only what a person sees is known, and the address that
/// ends a visit. Hidden frames are not driven.
public actor RealBrowser: PageWorker, PersonalBrowser {
    /// Opens a browser for one kind of web session: they share no cookies.
    public typealias SessionOpener = @Sendable (JarKind) async throws(WebDriverError) -> WebDriverSession

    /// Told while it acts, since nothing that its pages send passes the runner.
    public struct BrowserObserver: Sendable {
        /// Pages are about to send something.
        public var acts: @Sendable (LaneID) async -> Void
        /// They have come to rest.
        public var rests: @Sendable (LaneID) async -> Void
        /// The browser met something that no script gets past: why, in a sentence.
        public var blocked: @Sendable (String) async -> Void

        public init(
            acts: @escaping @Sendable (LaneID) async -> Void = { _ in },
            rests: @escaping @Sendable (LaneID) async -> Void = { _ in },
            blocked: @escaping @Sendable (String) async -> Void = { _ in }
        ) {
            self.acts = acts
            self.rests = rests
            self.blocked = blocked
        }
    }

    public nonisolated let name: String
    var settings: BrowserSettings
    let mailbox: any Mailbox
    var providers: [(name: String, exchange: String)]
    var tabs: [Int: PageTab] = [:]
    var logs = PageLogs()
    let witness: BrowserObserver
    /// Somebody can see it, and do what no script does.
    let showsWindow: Bool
    nonisolated var leavesCaptchas: Bool { true }
    /// The only hosts it may ask; nil: any.
    let onlyHosts: [String]?
    private let open: SessionOpener
    private var sessions: [JarKind: WebDriverSession] = [:]
    private var lastTab = 0
    /// Documents that have been asked for and have not come yet, by session: their numbers in Chromium's log.
    var documents: [String: Set<String>] = [:]
    /// Tabs that went on in another tab of the browser.
    private var movedTabs: Set<Int> = []
    /// How many such tabs were opened, for their names.
    var openedTabs = 0
    /// What each tab has typed into its page already.
    var entered: [Int: [String: String]] = [:]

    public init(
        name: String, settings: BrowserSettings, providers: [(name: String, exchange: String)] = [],
        mailbox: any Mailbox, onlyHosts: [String]? = nil, showsWindow: Bool = false,
        witness: BrowserObserver = BrowserObserver(), open: @escaping SessionOpener
    ) {
        self.name = name
        self.settings = settings
        self.providers = providers
        self.mailbox = mailbox
        self.onlyHosts = onlyHosts
        self.showsWindow = showsWindow
        self.witness = witness
        self.open = open
    }

    public var isAvailable: Bool { settings.available }

    public func configure(
        _ settings: BrowserSettings, locale: String, providers: [(name: String, exchange: String)]
    ) {
        self.settings = settings
        self.providers = providers
    }

    public func drainLogs(of tab: TabID) -> (pages: [PageRecord], events: [JSONObject]) { logs.take(of: tab) }

    public func drainRecordChanges() -> [RecordChange] { logs.drainAccepted() }

    public func drainProgress(of tab: TabID) -> UserProgress { logs.drainProgress(of: tab) }

    // MARK: Cookies

    public func cookies() async -> [JSONValue] {
        var all: [JSONValue] = []
        for kind in [JarKind.shared, .ephemeral, .embedded] {
            guard let session = sessions[kind], let answer = try? await session.devTools("Storage.getCookies") else {
                continue
            }
            for cookie in answer["cookies"]?.arrayValue ?? [] {
                var object = JSONObject()
                object["jar"] = .string(kind.rawValue)
                for name in ["name", "value", "domain", "path", "secure", "httpOnly"] { object[name] = cookie[name] }
                object["sameSite"] = cookie["sameSite"] ?? .null
                object["session"] = cookie["session"] ?? .bool(true)
                all.append(.object(object))
            }
        }
        return all
    }

    /// A request that is made by hand goes without this browser's cookies.
    public func cookieHeader(for url: WebURL, at now: Timestamp) -> String? { nil }

    public func storeCookies(of response: ResponseMessage, from url: WebURL, at now: Timestamp) {}

    public func restart() async {
        tabs = [:]
        for kind in [JarKind.shared, .ephemeral, .embedded] {
            guard let session = sessions[kind] else { continue }
            if kind == .shared, let cookies = try? await session.devTools("Storage.getCookies") {
                for cookie in cookies["cookies"]?.arrayValue ?? [] where cookie["session"]?.boolValue ?? false {
                    guard let name = cookie["name"], let domain = cookie["domain"], let path = cookie["path"] else {
                        continue
                    }
                    _ = try? await session.devTools(
                        "Network.deleteCookies", ["name": name, "domain": domain, "path": path])
                }
            } else {
                await end(kind)
            }
        }
    }

    public func wipeCookies() async {
        for kind in [JarKind.shared, .ephemeral, .embedded] {
            _ = try? await sessions[kind]?.devTools("Network.clearBrowserCookies")
        }
    }

    /// Closes every browser.
    public func quit() async {
        for kind in [JarKind.shared, .ephemeral, .embedded] { await end(kind) }
    }

    private func end(_ kind: JarKind) async {
        if let session = sessions.removeValue(forKey: kind) { try? await session.quit() }
    }

    // MARK: Tabs

    public func start(_ request: BrowseRequest) async -> TabID {
        lastTab += 1
        if request.jar == .ephemeral { await end(.ephemeral) }
        tabs[lastTab] = PageTab(
            request: request, next: RequestMessage(method: request.method, url: request.url, body: request.body))
        return TabID(number: lastTab)
    }

    public func close(_ tab: TabID) {
        entered[tab.number] = nil
        if tabs.removeValue(forKey: tab.number) != nil { record("browserClosed", in: tab) }
    }

    public func isInNewTab(_ tab: TabID) -> Bool { movedTabs.contains(tab.number) }

    /// What comes from now on shows in a tab of its own.
    func noteNewTab(_ tab: TabID) {
        if movedTabs.insert(tab.number).inserted { record("newTab", in: tab) }
    }

    public func currentPage(_ tab: TabID) -> PageRecord? { tabs[tab.number]?.page?.record }

    public func run(_ tab: TabID, user: UserScript?, lane: Lane) async throws(WorldError) -> BrowseEnd {
        guard let request = tabs[tab.number]?.request else { return .userClosed }
        if request.frame { return .blocked("a hidden frame is not driven in a real browser") }
        if let next = tabs[tab.number]?.next {
            tabs[tab.number]?.next = nil
            if let end = try await load(next, in: tab, initiator: nil, lane: lane) { return finish(tab, end) }
        }
        return finish(tab, try await act(user ?? UserScript([]), in: tab, lane: lane))
    }

    private func finish(_ tab: TabID, _ end: BrowseEnd) -> BrowseEnd {
        switch end {
        case .pending, .scriptDoesNotFit, .callback: break
        default: close(tab)
        }
        return end
    }

    /// The browser that a tab is in.
    func session(of tab: TabID) async throws(WebDriverError) -> WebDriverSession {
        let kind = tabs[tab.number]?.request.jar ?? .shared
        if let session = sessions[kind] { return session }
        let session = try await open(kind)
        try await session.setTimeouts(script: .seconds(20), pageLoad: .seconds(60))
        sessions[kind] = session
        return session
    }

    func load(
        _ first: RequestMessage, in tab: TabID, initiator: WebURL?, lane: Lane
    ) async throws(WorldError) -> BrowseEnd? {
        guard first.method == "GET" else {
            return .scriptDoesNotFit("a real browser opens addresses only with GET, not with \(first.method)")
        }
        await witness.acts(lane.id)
        let end = await loaded(first.url, in: tab)
        await witness.rests(lane.id)
        return end
    }

    private func loaded(_ url: WebURL, in tab: TabID) async -> BrowseEnd? {
        do throws(WebDriverError) {
            let session = try await session(of: tab)
            _ = try? await session.log("performance")
            documents[session.id] = nil
            do throws(WebDriverError) {
                try await session.navigate(to: url.description)
            } catch {
                // An address that leads to an app is none that the browser can load.
                guard error.code != nil else { throw error }
            }
            return try await settle(in: tab, session)
        } catch {
            return await gone(error)
        }
    }

    /// A browser that cannot be used is not the script's fault.
    func gone(_ error: WebDriverError) async -> BrowseEnd {
        await witness.blocked("the real browser cannot be used: \(error)")
        return .scriptDoesNotFit("the browser: \(error)")
    }
}
