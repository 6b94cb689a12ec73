import Clients
import HTTPMessages
import JSON
import TenantFiles
import Testing

/// Each quirk does what its name says, and nothing without it.
@Suite struct QuirkTests {
    private func stage(_ quirk: ClientQuirk?) throws -> Stage {
        try Stage(patch: Stage.client(["quirks": .array(quirk.map { [.string($0.rawValue)] } ?? [])]))
    }

    @Test(arguments: [true, false])
    func `a cached token that names no reserved scope is passed over`(isOn: Bool) async throws {
        let stage = try stage(isOn ? .matchesReservedScopes : nil)
        try await stage.signIn()
        _ = try await stage.silent()
        #expect(stage.authority.requests.isEmpty == !isOn)
    }

    @Test(arguments: [true, false])
    func `the metadata is asked for before the cache is looked into`(isOn: Bool) async throws {
        let stage = try stage(isOn ? .metadataBeforeCache : nil)
        try await stage.signIn()
        #expect(try await stage.silent().result?["fromCache"] == true)
        #expect(stage.authority.requests.count == (isOn ? 1 : 0))
    }

    @Test(arguments: [true, false])
    func `an interactive call runs on until its handler has returned`(isOn: Bool) async throws {
        let stage = try stage(isOn ? .clearsInteractionLate : nil)
        _ = try await stage.acquire(InteractiveParameters(), .error("access_denied"))
        let inHandler = try await stage.acquire()
        #expect((inHandler.error?.kind == .interactionInProgress) == isOn)
        await stage.client.completionReturned()
        #expect(try await stage.acquire().row == .success)
    }

    @Test(arguments: [true, false])
    func `an identifier in another letter case is another one`(isOn: Bool) async throws {
        let stage = try stage(isOn ? .comparesIdentifierCase : nil)
        try await stage.signIn()
        func found(_ identifier: String) async -> Int {
            await stage.client.accounts(AccountFilter(identifier: identifier)).result?["accounts"]?.arrayValue?.count
                ?? -1
        }
        #expect(await found(Stage.home) == 1)
        #expect(await found(Stage.home.uppercased()) == (isOn ? 0 : 1))
    }
}
