import AuthorityHosting
import Determinism
import Foundation
import JSON
import TenantFiles

@testable import Journeys
@testable import MockAuthority
@testable import MockServerCore
@testable import TrustFramework

extension FuzzTarget {
    static let state = FuzzTarget(
        name: "state", meaning: "rows of a state file, and an authority that goes on with them",
        longest: 2048,
        words: [
            "accounts ", "lockouts ", "sessions ", "codes ", "refreshTokens ", "messages ", "keys ", "consents ",
            "standings ",
            "settings ", "people ", "policies ", "clock ", "default ", "01234567-89ab-cdef-0123-456789abcdef ", "\n",
            "\"2026-01-15T12:00:00.000Z\"", "\"PT5M\"", "\"P99999999999D\"", "9223372036854775807", "-1", "null",
            "\"claims\":[",
        ],
        seeds: { stateSeeds.map { Array($0.utf8) } },
        run: { bytes in
            var kept = KeptState(run: 2, started: start)
            var directory = KeptState(run: 2, kind: .workforce, started: start)
            var changes = KeptTenant()
            for line in bytes.split(separator: 10).prefix(32) {
                let parts = line.split(separator: 32, maxSplits: 2)
                guard parts.count == 3, let json = try? JSONParser.parse(Array(parts[2])) else { continue }
                let table = RowChange.TableName(rawValue: String(decoding: parts[0], as: UTF8.self))
                let key = String(decoding: parts[1], as: UTF8.self)
                if kept.add(table, key: key, json) { checkRow(table, json) }
                _ = directory.add(table, key: key, json)
                _ = changes.add(table, key: key, json)
                if table == .clock, let setting = WorldTime.Clock(json: json) {
                    check(WorldTime.Clock(json: setting.json) == setting, "a clock that is written can be read")
                    _ = WorldTime(setting, system: StandingClock()).now()
                }
            }
            guard let compiled = starter else { return }
            var authority = Authority(
                tenant: compiled.tenant, policies: compiled.policies, seed: SeededGenerator(seed: 1), now: start)
            authority.recordsChanges = true
            _ = authority.resume(kept)
            for state in InspectedState.allCases {
                _ = authority.handle(.command(.inspect(state)), at: start)
            }
            let exported = authority.handle(.command(.export), at: start)
            if case .answered(.value(let document)) = exported.reply {
                let restored = authority.handle(.command(.restore(document)), at: start)
                if case .answered(.refused(let why)) = restored.reply {
                    check(false, "what an authority exports can be restored: \(why)")
                }
            }
            var plain = WorkforceAuthority(tenant: compiled.tenant, seed: SeededGenerator(seed: 1), now: start)
            plain.resume(directory)
        })

    private static let start = Timestamp(seconds: 1_768_478_400)
    static let starter = try? StarterTenant.compiled()

    /// What a row holds can be written, and is then read as the same.
    private static func checkRow(_ table: RowChange.TableName, _ json: JSONValue) {
        func again(_ first: JSONObject?, _ read: (JSONValue) -> JSONObject?) {
            guard let first else { return }
            guard let second = read(.object(first)) else {
                check(false, "a row of \(table.rawValue) that is written can be read")
                return
            }
            check(first == second, "a row of \(table.rawValue) that is written is read as the same")
        }
        switch table {
        case .accounts: again(Account(json: json)?.json) { Account(json: $0)?.json }
        case .lockouts: again(SmartLockout(json: json)?.json) { SmartLockout(json: $0)?.json }
        case .sessions: again(Session(json: json)?.json) { Session(json: $0)?.json }
        case .messages: again(OutboxMessage(json: json)?.json) { OutboxMessage(json: $0)?.json }
        case .refreshTokens:
            again(RefreshGrant(json: json)?.json(until: start)) { RefreshGrant(json: $0)?.json(until: start) }
        case .codes:
            let issuer = ProfileHandle(index: 0)
            again(CodeGrant(json: json, issuer: issuer)?.json(issuer: "a")) {
                CodeGrant(json: $0, issuer: issuer)?.json(issuer: "a")
            }
            again(SpentCode(json: json)?.json) { SpentCode(json: $0)?.json }
        default: break
        }
    }

    /// Rows as an authority writes them.
    private static let stateSeeds: [String] = {
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        var account = Account(objectID: GUID(id) ?? GUID(high: 0, low: 0), at: start)
        account.signInNames = [SignInName(type: "emailAddress", value: "ada@example.test")]
        account.attributes = [KeptClaim("displayName", .text("Ada")), KeptClaim("age", .integer(3))]
        account.password = "Analytical-1843"
        var lockout = SmartLockout()
        lockout.failed("a", settings: LockoutSettings(), nearVariantsCountOnce: false, at: start)
        let session = Session(
            id: SessionID(account.objectID), scope: "tenant", createdAt: start, lastUsedAt: start, authTime: start,
            rolling: true, lifetime: .hours(1), keptFor: nil,
            entries: [Session.Entry(provider: "p", profile: "q", claims: account.attributes, at: start)],
            participants: ["a"], objectID: account.objectID, identityProvider: nil)
        let instant = start.rfc3339
        return [
            "accounts \(id) \(JSONWriter.compact(.object(account.json)))\naccounts \(id) null\n",
            "lockouts \(id) \(JSONWriter.compact(.object(lockout.json)))\n",
            "sessions \(id) \(JSONWriter.compact(.object(session.json)))\n",
            #"messages 0 {"kind":"email","to":"a@b.c","text":"1234","at":"\#(instant)"}"# + "\n",
            #"keys default {"tenant":{"kid":1768478400}}"# + "\n",
            #"clock default {"offset":"-PT5M","frozen":"\#(instant)"}"# + "\n",
            #"settings default {"users":null,"policies":{"susi":{"id":"B2C_1_x"}}}"# + "\n"
                + #"people ada {"email":"x@y.z"}"# + "\n" + #"policies default {"texts":{"a.xml":"<a/>"},"folder":"."}"#
                + "\n",
            #"standings ada {"failures":2,"lockedUntil":"\#(instant)"}"# + "\n"
                + #"consents a {"scopes":[{"name":"read","written":"read","resource":"graph","needsAdmin":false,"isWorkOnly":true}]}"#
                + "\n",
        ]
    }()
}

/// A clock that stands.
struct StandingClock: WallClock {
    func now() -> Timestamp { Timestamp(seconds: 1_768_478_400) }
}
