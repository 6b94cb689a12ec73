import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// A person's browser as a runner uses it: the stand-in ``Browser``, or a ``RealBrowser``.
public protocol PersonalBrowser: Actor {
    /// The name in the scenario.
    nonisolated var name: String { get }
    /// Whether the device has a browser at all.
    var isAvailable: Bool { get }

    /// Takes changed settings; cookies stay.
    func configure(
        _ settings: BrowserSettings, locale: String, providers: [(name: String, exchange: String)]) async
    /// What a tab has shown and what happened in it since the last call.
    func drainLogs(of tab: TabID) async -> (pages: [PageRecord], events: [JSONObject])
    /// The hidden frames of apps that pages have loaded since the last call. A real browser loads them itself, and what
    /// becomes of them there no script sees.
    func drainFrames(of tab: TabID) async -> [HiddenFrame]
    /// What pages accepted from people since the last call, so that their records can follow.
    func drainRecordChanges() async -> [RecordChange]

    /// What the person has done of the script since the last call.
    func drainProgress(of tab: TabID) async -> UserProgress

    /// All cookies, for `inspect`.
    func cookies() async -> [JSONValue]
    /// The `Cookie` field this browser would send, for a request that a script makes by hand.
    func cookieHeader(for url: WebURL, at now: Timestamp) async -> String?
    /// Stores the cookies of an answer that a script fetched by hand.
    func storeCookies(of response: ResponseMessage, from url: WebURL, at now: Timestamp) async
    /// The browser is closed and opened again: tabs and session cookies are gone.
    func restart() async
    /// All cookies are deleted.
    func wipeCookies() async
    /// It is not needed any more: what it holds of the machine is given back.
    func quit() async

    /// Opens a tab; nothing is loaded before `run`.
    func start(_ request: BrowseRequest) async -> TabID
    /// Closes a tab that an app or a script gave up.
    func close(_ tab: TabID) async
    /// Whether a page has taken the visit into another tab.
    func isInNewTab(_ tab: TabID) async -> Bool
    /// The page that shows, for a report.
    func currentPage(_ tab: TabID) async -> PageRecord?
    /// Goes on with a visit until it ends or nobody acts any more.
    func run(_ tab: TabID, user: UserScript?, lane: Lane) async throws(WorldError) -> BrowseEnd
}

extension PersonalBrowser {
    public func drainFrames(of tab: TabID) async -> [HiddenFrame] { [] }
}

extension Browser: PersonalBrowser {
    /// It holds nothing but memory.
    public func quit() {}
}
