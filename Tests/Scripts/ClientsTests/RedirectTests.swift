import B2CProtocol
import Clients
import HTTPMessages
import JOSE
import JSON
import Testing

/// An app of MSAL.js that leaves its page: what waits in which storage, what is read when the page is loaded again.
@Suite struct RedirectTests {
    private func stage(_ more: JSONValue = [:], cors: Bool = false) throws -> Stage {
        let client: JSONValue = ["kind": "msal-browser", "interaction": "redirect", "checks": ["nonce": "off"]]
        return try Stage(
            patch: Stage.client(client.merging(patch: more)).merging(patch: ["browser": ["cors": .bool(cors)]]))
    }

    private func leave(
        _ stage: Stage, _ parameters: InteractiveParameters = InteractiveParameters()
    ) async throws -> InteractiveSession {
        guard case .browse(_, let session) = try await stage.client.acquireToken(parameters, lane: stage.lane) else {
            throw StageError.noBrowser
        }
        return session
    }

    private func answer(_ session: InteractiveSession, _ text: String) throws -> BrowseEnd {
        let state = PercentCoding.encodeComponent(session.state)
        return .callback(
            try #require(WebURL(session.redirectURI + "#" + text.replacing("{state}", with: state))), form: nil)
    }

    private func status(_ stage: Stage) async throws -> JSONValue? {
        let storage = try #require(await stage.client.storageContents())
        return storage.session["msal.interaction.status"] ?? storage.local["msal.interaction.status"]
    }

    @Test func `the request waits in the session storage, and the answer is read out of the address`() async throws {
        let stage = try stage()
        let session = try await leave(stage, InteractiveParameters(state: "a;b|c"))
        let parts = session.state.split(separator: "|", maxSplits: 1)
        let own = try #require(Base64.decode(String(parts[0])))
        #expect(try JSONParser.parse(String(decoding: own, as: UTF8.self))["meta", "interactionType"] == "redirect")
        #expect(parts[1] == "a;b|c")
        #expect(try await status(stage) == .string(stage.tenant.app(named: "app")?.client.clientId ?? ""))
        let outcome = try await stage.client.finish(
            session, try answer(session, "code=x&state={state}"), lane: stage.lane)
        #expect(outcome.result?["state"] == "a;b|c")
        #expect(outcome.count("browserOpened") == 1)
        let storage = try #require(await stage.client.storageContents())
        #expect(storage.url == "https://app.contoso.test/")
        #expect(try await status(stage) == nil)
        #expect(storage.session.keys.contains { $0.contains("-accesstoken-") })
        #expect(try await stage.silent().result?["fromCache"] == true)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var client: JSONValue = [:]
        /// The fragment of the address when the page is loaded again; `nil` for a reload of the app's own page.
        var fragment: String?
        var inNewTab = false
        /// `result`, an error's code, or what the call waits for.
        var ends: String
        /// Whether the mark of the interaction is still there.
        var marked = false

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "answer", fragment: "code=x&state={state}", ends: "result"),
        Row(name: "refusal", fragment: "error=access_denied&state={state}", ends: "access_denied"),
        Row(name: "no state", fragment: "code=x", ends: "no_state_in_hash"),
        Row(name: "another state", fragment: "code=x&state=other", ends: "state_mismatch"),
        Row(
            name: "new tab, session storage", fragment: "code=x&state={state}", inNewTab: true,
            ends: "callbackNotRecognised"),
        Row(
            name: "new tab, local storage", client: ["temporaryStorage": "local"], fragment: "code=x&state={state}",
            inNewTab: true, ends: "result"),
        Row(
            name: "new tab, cookie", client: ["temporaryStorage": "cookie"], fragment: "code=x&state={state}",
            inNewTab: true, ends: "result"),
        Row(
            name: "nobody reads it", client: ["handlesRedirect": false], fragment: "code=x&state={state}",
            ends: "callbackNotForwarded", marked: true),
    ]

    @Test(arguments: rows)
    func `a page that is loaded again reads the answer`(row: Row) async throws {
        let stage = try stage(row.client)
        let session = try await leave(stage)
        let outcome = try await stage.client.finish(
            session, try answer(session, row.fragment ?? ""), inNewTab: row.inNewTab, lane: stage.lane)
        switch outcome.ending {
        case .success: #expect(row.ends == "result")
        case .failure(let error): #expect(error.code == .text(row.ends))
        case .pending(let pending): #expect(pending.reason == row.ends)
        }
        #expect((try await status(stage) != nil) == row.marked)
    }

    @Test func `the mark outlives the page and goes when a start finds no answer`() async throws {
        let stage = try stage()
        let session = try await leave(stage)
        let back = Pending(reason: "abandoned")
        let left = try await stage.client.finish(session, .pending(back), lane: stage.lane)
        guard case .pending(let pending) = left.ending else { throw StageError.noBrowser }
        #expect(pending.reason == "abandoned")
        #expect(try await stage.acquire().error?.code == "interaction_in_progress")
        await stage.client.restart()
        #expect(try await stage.acquire().error?.code == "interaction_in_progress")
        #expect(try await stage.client.load(at: nil, lane: stage.lane).result == [:])
        _ = try await leave(stage)
        // Closing the tab takes its session storage along.
        let second = try self.stage()
        let closing = try await leave(second)
        _ = try await second.client.finish(closing, .userClosed, lane: second.lane)
        _ = try await leave(second)
    }

    @Test func `a cache in memory does not outlive the page`() async throws {
        #expect(try await (try stage(["storage": "memory"])).acquire().error?.code == "in_mem_redirect_unavailable")
        let popup = InteractiveParameters(interaction: .popup)
        let stage = try stage(["storage": "memory"])
        #expect(try await stage.acquire(popup).error == nil)
    }

    @Test func `an answer that no request waits for stays in the address, except with MSAL.js 1`() async throws {
        let url = try #require(WebURL("https://app.contoso.test/#error=access_denied"))
        let right = try stage()
        #expect(try await right.client.load(at: url, lane: right.lane).result == [:])
        #expect(await right.client.storageContents()?.url == url.description)
        #expect(await right.client.createClient().error == nil)
        let old = try stage(["quirks": ["readsEveryHash"]])
        #expect(try await old.client.load(at: url, lane: old.lane).error?.code == "no_state_in_hash")
        #expect(await old.client.createClient().error?.code == "no_state_in_hash")
        #expect(try await old.acquire().error?.code == "no_state_in_hash")
        let empty = try #require(WebURL("https://app.contoso.test/"))
        #expect(try await old.client.load(at: empty, lane: old.lane).error == nil)
        #expect(await old.client.createClient().error == nil)
    }

    @Test func `a window that was opened waits for itself, not for another tab`() async throws {
        let stage = try stage()
        let session = try await leave(stage, InteractiveParameters(interaction: .popup))
        #expect(try await status(stage) != nil)
        let outcome = try await stage.client.finish(
            session, try answer(session, "code=x&state={state}"), inNewTab: true, lane: stage.lane)
        guard case .pending(let pending) = outcome.ending else { throw StageError.noBrowser }
        #expect(pending.reason == "callbackLost")
    }

    @Test func `wiping the storage takes the request along, wiping cookies only where it is in one`() async throws {
        for (kind, isCookie) in [("session", false), ("local", false), ("cookie", true)] {
            let first = try stage(["temporaryStorage": .string(kind)])
            _ = try await leave(first)
            await first.client.cookiesWiped()
            #expect((try await first.acquire().error == nil) == isCookie, "\(kind)")
            let second = try stage(["temporaryStorage": .string(kind)])
            _ = try await leave(second)
            await second.client.wipeStorage()
            #expect((try await second.acquire().error == nil) == !isCookie, "\(kind)")
        }
    }

    @Test func `what does not fit into the storage ends the call, and what was there stays`() async throws {
        let stage = try Stage(
            patch: Stage.client(["kind": "msal-browser", "checks": ["nonce": "off"]]).merging(
                patch: ["browser": ["cors": false, "storageQuota": 9_000]]))
        #expect(try await stage.acquire().error == nil)
        stage.authority.change {
            $0.tokenAnswer = .tokens(["refresh_token": .string(String(repeating: "x", count: 9_000))])
        }
        let refused = try await stage.acquire()
        #expect(refused.error?.domain == "CacheError" && refused.error?.code == "cache_quota_exceeded")
        #expect(refused.error?.kind == .storage)
        #expect(try await stage.silent().result?["fromCache"] == true)
    }

    @Test func `other libraries have no storage, and AppAuth sends the caller's state as it is`() async throws {
        let ios = try Stage()
        #expect(await ios.client.storageContents() == nil)
        let checks: JSONValue = [
            "nonce": "off", "issuer": false, "audience": false, "expiry": false, "issuedAtWindow": "P9999D",
        ]
        let stage = try Stage(patch: Stage.client(["kind": "appauth", "checks": checks]))
        #expect(try await stage.browse(InteractiveParameters(state: "mine")).url.queryItems["state"] == "mine")
    }
}
