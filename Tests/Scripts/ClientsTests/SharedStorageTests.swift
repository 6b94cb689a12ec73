import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JSON
import Testing

/// Tabs of one browser: what each sees of the requests of the others.
@Suite struct SharedStorageTests {
    /// Tabs of one browser, with an authority each.
    private struct Tabs {
        var first: Stage
        var second: Stage
    }

    private func tabs(_ client: JSONValue = [:], second: JSONValue = [:]) throws -> Tabs {
        let keychain = Keychain()
        let settings: JSONValue = ["kind": "msal-browser", "interaction": "redirect", "checks": ["nonce": "off"]]
        func tab(_ name: String, _ more: JSONValue, seed: UInt64) throws -> Stage {
            try Stage(
                patch: Stage.client(settings.merging(patch: client).merging(patch: more)).merging(
                    patch: ["browser": ["cors": false]]), keychain: keychain, seed: seed, name: name)
        }
        return Tabs(first: try tab("tab1", [:], seed: 1), second: try tab("tab2", second, seed: 2))
    }

    private func leave(
        _ stage: Stage, _ parameters: InteractiveParameters = InteractiveParameters()
    ) async throws -> InteractiveSession {
        guard case .browse(_, let session) = try await stage.client.acquireToken(parameters, lane: stage.lane) else {
            throw StageError.noBrowser
        }
        return session
    }

    private func address(_ session: InteractiveSession, state: String? = nil) throws -> WebURL {
        let state = PercentCoding.encodeComponent(state ?? session.state)
        return try #require(WebURL(session.redirectURI + "#code=x&state=\(state)"))
    }

    @Test(arguments: [("session", false), ("local", true), ("cookie", true)])
    func `the request of another tab is seen in a shared storage`(_ storage: String, _ isShared: Bool) async throws {
        let tabs = try tabs(["temporaryStorage": .string(storage)])
        let session = try await leave(tabs.first)
        // There is one mark for all tabs that share the storage.
        let inSecond = try await tabs.second.client.acquireToken(InteractiveParameters(), lane: tabs.second.lane)
        if case .finished(let outcome) = inSecond {
            #expect(isShared && outcome.error?.code == "interaction_in_progress")
        } else {
            #expect(!isShared)
        }
        // The other tab is loaded with the answer in its address.
        let fresh = try self.tabs(["temporaryStorage": .string(storage)])
        let other = try await leave(fresh.first)
        let outcome = try await fresh.second.client.load(at: try address(other), lane: fresh.second.lane)
        #expect((outcome.result?["accessToken"] != nil) == isShared)
        if isShared {
            #expect(fresh.second.authority.tokenRequests.last?.form?["code_verifier"] == other.codeVerifier)
            // It is answered now, also for the tab that began it.
            #expect(try await fresh.first.client.load(at: nil, lane: fresh.first.lane).result == [:])
            _ = try await leave(fresh.first)
        }
        _ = session
    }

    @Test func `an open window of another tab is an interaction in progress`() async throws {
        let tabs = try tabs(["temporaryStorage": "local", "interaction": "popup"])
        let session = try await leave(tabs.first)
        #expect(try await tabs.second.acquire().error?.code == "interaction_in_progress")
        let local = await tabs.second.client.storageContents()?.local
        #expect(local?["msal.interaction.status"] != nil)
        _ = try await tabs.first.client.finish(session, .userClosed, lane: tabs.first.lane)
        #expect(try await tabs.second.acquire(InteractiveParameters(), .code("x")).error == nil)
    }

    /// The mark is the origin's, the request an app's own.
    @Test func `another app of the origin waits too, and does not read the answer`() async throws {
        let tabs = try tabs(
            ["temporaryStorage": "local"], second: ["clientId": "11111111-2222-4333-8444-555555555555"])
        let session = try await leave(tabs.first)
        #expect(try await tabs.second.acquire().error?.code == "interaction_in_progress")
        let outcome = try await tabs.second.client.load(at: try address(session), lane: tabs.second.lane)
        #expect(outcome.result == [:] && tabs.second.authority.tokenRequests.isEmpty)
    }

    @Test(arguments: [("session", true), ("local", false), ("cookie", true)])
    func `closing the browser ends all but the local storage`(_ storage: String, _ isGone: Bool) async throws {
        let tabs = try tabs(["temporaryStorage": .string(storage)])
        _ = try await leave(tabs.first)
        await tabs.first.client.browserClosed()
        await tabs.second.client.browserClosed()
        let inFirst = try await tabs.first.client.acquireToken(InteractiveParameters(), lane: tabs.first.lane)
        if case .finished(let outcome) = inFirst {
            #expect(!isGone && outcome.error?.code == "interaction_in_progress")
        } else {
            #expect(isGone)
        }
    }

    // MARK: One place for all requests

    private static let shared: JSONValue = [
        "requestState": "shared", "storage": "local", "interaction": "popup", "temporaryStorage": "session",
    ]

    @Test func `the state of the newest request is compared`() async throws {
        let tabs = try tabs(Self.shared)
        let first = try await leave(tabs.first)
        let second = try await leave(tabs.second)
        let late = try await tabs.first.client.finish(
            first, .callback(try address(first), form: nil), lane: tabs.first.lane)
        #expect(late.error?.code == "state_mismatch")
        let newest = try await tabs.second.client.finish(
            second, .callback(try address(second), form: nil), lane: tabs.second.lane)
        #expect(newest.error == nil)
    }

    /// Verifier and nonce lie in the same place as the state.
    @Test func `the verifier and the nonce of the newest request are used`() async throws {
        let tabs = try tabs(Self.shared.merging(patch: ["checks": ["state": false, "nonce": "atSignIn"]]))
        guard
            case .browse(let asked, let first) = try await tabs.first.client.acquireToken(
                InteractiveParameters(), lane: tabs.first.lane)
        else { throw StageError.noBrowser }
        let second = try await leave(tabs.second)
        let nonce = try #require(asked.url.queryItems["nonce"])
        let token = FakeAuthority.idToken(policy: "B2C_1_susi", extra: ["nonce": .string(nonce)])
        tabs.first.authority.change { $0.tokenAnswer = .tokens(["id_token": .string(token)]) }
        let outcome = try await tabs.first.client.finish(
            first, .callback(try address(first), form: nil), lane: tabs.first.lane)
        #expect(tabs.first.authority.tokenRequests.last?.form?["code_verifier"] == second.codeVerifier)
        #expect(second.codeVerifier != first.codeVerifier)
        #expect(outcome.error?.kind == .invalidResponse)
    }

    @Test func `each request has its own place`() async throws {
        let tabs = try tabs(Self.shared.merging(patch: ["requestState": "perRequest"]))
        let first = try await leave(tabs.first)
        let second = try await leave(tabs.second)
        for (stage, session) in [(tabs.first, first), (tabs.second, second)] {
            let outcome = try await stage.client.finish(
                session, .callback(try address(session), form: nil), lane: stage.lane)
            #expect(outcome.error == nil)
            #expect(stage.authority.tokenRequests.last?.form?["code_verifier"] == session.codeVerifier)
        }
    }
}
