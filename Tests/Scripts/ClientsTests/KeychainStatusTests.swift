import Clients
import Determinism
import JSON
import TenantFiles
import Testing

/// What MSAL for Apple systems makes of the statuses that a keychain answers.
@Suite struct KeychainStatusTests {
    private func device(_ stage: Stage, _ keychain: KeychainSettings) async {
        guard let app = stage.tenant.app(named: "app") else { return }
        var settings = stage.tenant.device
        settings.keychain = keychain
        await stage.client.configure(
            app: app, tenant: stage.tenant,
            device: DeviceState(
                name: "device", settings: settings, clock: SkewedClock(stage.time, since: Stage.start)))
    }

    private static let statuses = [-25308, -34018, -25291, -25293, -50]

    @Test(arguments: statuses) func `reads fail with the status of the keychain`(_ status: Int) async throws {
        let stage = try Stage()
        let account = try #require(try await stage.signIn()["account"])
        await device(stage, KeychainSettings { $0.read = status })
        let outcomes = [
            await stage.client.accounts(), await stage.client.currentAccount(), try await stage.silent(),
            try await stage.silent(
                SilentParameters(account: .object(try #require(MSALAccount(json: account))))),
        ]
        // allAccounts() throws; the others have a completion handler.
        #expect(outcomes.map { $0.error?.thrown } == [true, nil, nil, nil])
        for outcome in outcomes {
            #expect(outcome.error?.kind == .storage)
            #expect(outcome.error?.domain == "NSOSStatusErrorDomain" && outcome.error?.code == .number(status))
            let event = outcome.events.first { $0["type"] == "keychainError" }
            #expect(event?["status"] == .integer(Int64(status)))
        }
        #expect(stage.authority.requests.isEmpty)
        await device(stage, KeychainSettings())
        #expect(try await stage.silent().result?["fromCache"] == true)
    }

    /// Nothing there is an empty keychain, no error.
    @Test func `an empty keychain is not an error`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        await device(
            stage,
            KeychainSettings {
                $0.read = -25300
                $0.delete = -25300
            })
        let accounts = await stage.client.accounts()
        #expect(accounts.result?["accounts"] == [] && accounts.count("keychainError") == 0)
        #expect(try await stage.silent().error?.kind == .interactionRequired)
        await device(stage, KeychainSettings())
        #expect(await stage.client.accounts().result?["accounts"]?.arrayValue?.count == 1)
    }

    /// A write that fails is logged, and the call goes on.
    @Test(arguments: [-25308, -25299, -34018, -25300]) func `a failed write is logged, and the sign-in succeeds`(
        _ status: Int
    ) async throws {
        let stage = try Stage()
        await device(stage, KeychainSettings { $0.write = status })
        let outcome = try await stage.acquire()
        #expect(outcome.result?["accessToken"] != nil && outcome.count("keychainError") > 0)
        #expect(outcome.count("cacheWrite") == 0)
        await device(stage, KeychainSettings())
        #expect(await stage.client.accounts().result?["accounts"] == [])
    }

    @Test func `a failed deletion is an error unless nothing was there`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        await device(stage, KeychainSettings { $0.delete = -25308 })
        let outcome = await stage.client.removeAccount(.unsaid)
        #expect(outcome.error?.domain == "NSOSStatusErrorDomain" && outcome.error?.code == .number(-25308))
        await device(stage, KeychainSettings { $0.delete = -25300 })
        #expect(await stage.client.removeAccount(.unsaid).error == nil)
    }

    /// Other libraries do not keep their tokens there.
    @Test func `other kinds have no keychain`() async throws {
        let stage = try Stage(
            patch: Stage.client(["kind": "msal-browser", "checks": ["nonce": "off"]]).merging(
                patch: ["browser": ["cors": false], "device": ["keychain": ["read": -25308, "write": -25308]]]))
        #expect(try await stage.acquire().error == nil)
        #expect(try await stage.silent().result?["fromCache"] == true)
    }
}
