import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// A browser as the person at it sees it: tabs with pages, and buttons. Each browser loads pages and presses buttons in
/// its own way: ``Browser`` makes the requests that a page's script would make, ``RealBrowser`` lets a real browser
/// make them.
protocol PageWorker: Actor {
    var tabs: [Int: PageTab] { get set }
    var logs: PageLogs { get set }
    var mailbox: any Mailbox { get }
    /// A person who watches the browser solves captchas.
    nonisolated var leavesCaptchas: Bool { get }
    /// What people do where their record does not say it; `nil`: they stop there.
    nonisolated var answers: (any PageAnswers)? { get }

    /// Loads an address until a page shows (nil) or the visit ends.
    func load(
        _ first: RequestMessage, in tab: TabID, initiator: WebURL?, lane: Lane
    ) async throws(WorldError) -> BrowseEnd?

    /// The challenge of the picture that the page shows; `nil` where none can be known.
    func captchaChallenge(in tab: TabID, lane: Lane) async -> String?

    /// Presses what the page has under this name.
    func press(_ name: String, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep
}

/// One tab: what shows and what was typed there.
struct PageTab: Sendable {
    var request: BrowseRequest
    /// Not yet sent: the first run does.
    var next: RequestMessage?
    var page: ShownPage?
    var typed: [String: String] = [:]
    /// Fields the script itself has filled on this page.
    var filled: [String] = []
    var verified: [String] = []
    /// What this page has sent a code for.
    var sent: Set<String> = []
    /// What this page requires and the person's record does not have.
    var missing: [String] = []
    /// Whose record filled the page, to know which password was accepted.
    var actor: Person?
    var chosenPassword: String?
    /// The key of an authenticator app that the page shows to somebody who has none yet.
    var scannedSecret: String?
    var captcha: CaptchaState?
}

/// A captcha on the page that shows.
struct CaptchaState: Sendable {
    /// The challenge of the picture.
    var challenge: String
    /// What the script sends along with an answer.
    var region: String
    var isSolved = false
}

/// What tabs have shown, what happened in them, and what their pages accepted.
struct PageLogs: Sendable {
    private var lastPage = 0
    private var pages: [(tab: Int, record: PageRecord)] = []
    private var events: [(tab: Int, event: JSONObject)] = []
    var accepted: [RecordChange] = []
    /// Hidden frames of other apps that pages have loaded.
    private var frames: [(tab: Int, frame: HiddenFrame)] = []

    /// How far visits have come in their scripts.
    var progress: [Int: UserProgress] = [:]

    mutating func drainProgress(of tab: TabID) -> UserProgress {
        progress.removeValue(forKey: tab.number) ?? UserProgress()
    }

    /// A page loads a hidden frame.
    mutating func put(_ frame: HiddenFrame, in tab: TabID) { frames.append((tab.number, frame)) }

    mutating func drainFrames(of tab: TabID) -> [HiddenFrame] {
        defer { frames.removeAll { $0.tab == tab.number } }
        return frames.filter { $0.tab == tab.number }.map(\.frame)
    }

    /// A page comes up and gets its number.
    mutating func put(_ record: inout PageRecord, in tab: TabID) {
        lastPage += 1
        record.number = lastPage
        pages.append((tab.number, record))
    }

    mutating func put(_ event: JSONObject, in tab: TabID) { events.append((tab.number, event)) }

    mutating func take(of tab: TabID) -> (pages: [PageRecord], events: [JSONObject]) {
        let mine = (
            pages.filter { $0.tab == tab.number }.map(\.record), events.filter { $0.tab == tab.number }.map(\.event)
        )
        pages.removeAll { $0.tab == tab.number }
        events.removeAll { $0.tab == tab.number }
        return mine
    }

    mutating func drainAccepted() -> [RecordChange] {
        defer { accepted = [] }
        return accepted
    }
}

extension PageWorker {
    nonisolated var leavesCaptchas: Bool { false }
    nonisolated var answers: (any PageAnswers)? { nil }

    func record(_ type: String, _ members: JSONObject = JSONObject(), in tab: TabID) {
        var event = JSONObject()
        event["type"] = .string(type)
        for member in members.members { event[member.key] = member.value }
        logs.put(event, in: tab)
    }

    /// A page comes up: it gets its number and goes to the log; what was typed on the one before is gone.
    func show(_ page: ShownPage, in tab: TabID) {
        var page = page
        logs.put(&page.record, in: tab)
        tabs[tab.number]?.page = page
        tabs[tab.number]?.typed = [:]
        tabs[tab.number]?.filled = []
        tabs[tab.number]?.verified = []
        tabs[tab.number]?.sent = []
        tabs[tab.number]?.missing = []
        tabs[tab.number]?.captcha = nil
    }

    /// The same page with a message: the person sees it, so it is a record of its own.
    func showError(_ message: String, code: String?, in tab: TabID) {
        guard var page = tabs[tab.number]?.page else { return }
        page.record.error = message
        page.record.b2cCode = code
        logs.put(&page.record, in: tab)
        tabs[tab.number]?.page = page
    }

    func clearError(in tab: TabID) {
        tabs[tab.number]?.page?.record.error = nil
        tabs[tab.number]?.page?.record.b2cCode = nil
        tabs[tab.number]?.page?.failure = nil
    }

    /// The page has accepted what the person set there: the record will follow.
    func pageAccepted(in tab: TabID) {
        guard let person = tabs[tab.number]?.actor else { return }
        if let password = tabs[tab.number]?.chosenPassword {
            logs.accepted.append(RecordChange(person: person.name, member: "password", value: password))
            tabs[tab.number]?.chosenPassword = nil
        }
        if let secret = tabs[tab.number]?.scannedSecret {
            logs.accepted.append(RecordChange(person: person.name, member: "totpSecret", value: secret))
            tabs[tab.number]?.actor?.record.totpSecret = secret
            tabs[tab.number]?.scannedSecret = nil
        }
    }
}
