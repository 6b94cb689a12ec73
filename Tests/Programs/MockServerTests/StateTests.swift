import AuthorityHosting
import CommandKit
import Determinism
import Foundation
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles
import Testing

@testable import MockServerCore

/// What a state file keeps over restarts.
@Suite struct StateTests {
    private func error(_ answer: JSONValue) -> String { answer["error_description"]?.stringValue ?? "" }

    @Test func `codes and refresh tokens are kept, redeemed or not`() async throws {
        let stage = try await StateStage()
        let open = try await stage.signIn()
        let spent = try await stage.signIn()
        let first = try StateStage.refreshToken(try await stage.redeem(spent))
        let second = try StateStage.refreshToken(try await stage.refresh(first))
        for _ in 0..<2 {
            try await stage.restart()
            #expect(error(try await stage.redeem(spent)).contains("AADB2C90080"))
            #expect(error(try await stage.refresh(first)).contains("AADB2C90129"))
        }
        let third = try StateStage.refreshToken(try await stage.refresh(second))
        let fourth = try StateStage.refreshToken(try await stage.redeem(open))
        #expect(Set([first, second, third, fourth]).count == 4)
        try await stage.restart()
        #expect(error(try await stage.refresh(second)).contains("AADB2C90129"))
        #expect(error(try await stage.redeem(open)).contains("AADB2C90080"))
        // A restart does not change when a token expires.
        stage.clock.time.advance(by: .days(14) + .seconds(1))
        #expect(error(try await stage.refresh(third)).contains("AADB2C90080"))
    }

    @Test func `a later start revokes nothing that people of the tenant file were given`() async throws {
        let stage = try await StateStage()
        let before = try #require(try await stage.users()["ada"]?["refreshTokensValidFrom"]?.stringValue)
        var token = try StateStage.refreshToken(try await stage.redeem(try await stage.signIn()))
        for _ in 0..<3 {
            stage.clock.time.advance(by: .days(4))
            try await stage.restart()
            token = try StateStage.refreshToken(try await stage.refresh(token))
            #expect(try await stage.users()["ada"]?["refreshTokensValidFrom"]?.stringValue == before)
        }
    }

    @Test(arguments: ["12:00:00", "23:59:59"])
    func `at the end of time what is written can be read again`(hour: String) async throws {
        let stage = try await StateStage()
        try await stage.control("PATCH", "/clock", ["now": .string("9999-12-31T\(hour)Z")])
        if hour == "12:00:00" {
            _ = try await stage.redeem(try await stage.signIn())
        } else {
            _ = try await stage.authorize()
        }
        try await stage.restart()
        #expect(try await stage.control("GET", "/clock")["now"]?.stringValue?.hasPrefix("9999-12-31T") == true)
        try await stage.control("PATCH", "/clock", ["advance": "P10000D"])
        try await stage.restart()
        try await stage.control("PATCH", "/clock", ["now": "2026-01-15T12:00:00Z"])
        _ = try await stage.signIn()
    }

    @Test(arguments: ["", ".copy", "-wal"])
    func `nothing is acknowledged once the file is gone or another has its name`(by suffix: String) async throws {
        let stage = try await StateStage()
        try await stage.control("DELETE", "/users/bob", expect: 204)
        switch suffix {
        case ".copy":
            try FileManager.default.copyItem(atPath: stage.path, toPath: stage.path + suffix)
            try FileManager.default.removeItem(atPath: stage.path)
            try FileManager.default.moveItem(atPath: stage.path + suffix, toPath: stage.path)
        default: try FileManager.default.removeItem(atPath: stage.path + suffix)
        }
        #expect(await stage.send("DELETE", ControlAPI.prefix + "/users/ada", host: "localhost") == nil)
        var failures: [Failure] = []
        stage.file.close()
        for await failure in stage.file.failures { failures.append(failure) }
        #expect(failures.count == 1 && failures[0].status == .machine)
        #expect(failures.first?.text?.contains("removed or replaced") == true)
    }

    @Test func `sessions are kept until they end`() async throws {
        let stage = try await StateStage()
        _ = try await stage.signIn()
        try await stage.restart()
        #expect(try await stage.authorize(prompt: "none").location?.queryItems["code"] != nil)
        #expect(try await stage.control("GET", "/sessions")["sessions"]?.arrayValue?.count == 1)
        try await stage.control("DELETE", "/sessions")
        try await stage.restart()
        let refused = try await stage.authorize(prompt: "none").location?.queryItems["error"]
        #expect(refused == "login_required" || refused == "interaction_required", "\(refused ?? "")")
    }

    @Test func `accounts that people made are kept, with their messages`() async throws {
        let stage = try await StateStage()
        _ = try await stage.signUp("new@example.test", "Newcomer-2026")
        let before = try await stage.users()
        let inbox = try await stage.control("GET", "/inbox")
        #expect(inbox["messages"]?.arrayValue?.count == 1)
        try await stage.restart()
        #expect(try await stage.users() == before)
        #expect(try await stage.control("GET", "/inbox") == inbox)
        _ = try await stage.signIn("new@example.test", "Newcomer-2026")
        // The numbers of messages go on.
        _ = try await stage.signUp("other@example.test", "Newcomer-2026")
        try await stage.restart()
        #expect(try await stage.control("GET", "/inbox")["messages"]?.arrayValue?.count == 2)
        try await stage.control("DELETE", "/inbox", expect: 204)
        try await stage.restart()
        #expect(try await stage.control("GET", "/inbox")["messages"]?.arrayValue?.count == 0)
    }

    @Test func `people are kept as an administrator changed them`() async throws {
        let stage = try await StateStage()
        let eve: JSONValue = ["email": "eve@example.test", "password": "Evening-2026", "city": "Paris"]
        try await stage.control("POST", "/users", ["name": "eve", "user": eve], expect: 201)
        try await stage.control("PATCH", "/users/ada", ["password": "Difference-1822"])
        try await stage.control("DELETE", "/users/bob", expect: 204)
        _ = try await stage.signUp("new@example.test", "Newcomer-2026")
        try await stage.control("PATCH", "/users/new@example.test", ["accountEnabled": false])
        let before = try await stage.users()
        let settings = try await stage.control("GET", "/tenant?secrets=show")
        try await stage.restart()
        #expect(try await stage.users() == before)
        #expect(before.keys == ["ada", "eve", "new@example.test"])
        #expect(try await stage.control("GET", "/tenant?secrets=show")["tenant"] == settings["tenant"])
        _ = try await stage.signIn("ada@example.test", "Difference-1822")
        _ = try await stage.signIn("eve@example.test", "Evening-2026")
        #expect(try await stage.type("bob@example.test", "Builder-1999").answer["status"] != "200")
        try await stage.control("DELETE", "/users/eve", expect: 204)
        try await stage.restart()
        #expect(try await stage.users()["eve"] == nil)
    }

    @Test func `wrong passwords are kept, and the record does not count as changed`() async throws {
        var tenant = StateStage.tenant
        tenant = tenant.merging(patch: ["authority": ["lockout": ["threshold": 3, "duration": "PT1M"]]])
        let stage = try await StateStage(tenant: tenant)
        for attempt in 1...3 {
            #expect(try await stage.type("ada@example.test", "wrong-\(attempt)").answer["status"] != "200")
            try await stage.restart()
        }
        let locked = try await stage.type("ada@example.test", "Analytical-1843").answer
        #expect(locked["errorCode"] == "AADB2C90114", "\(locked)")
        stage.tenant = tenant.merging(patch: ["users": ["ada": ["password": "Another-1900"]]])
        try await stage.restart()
        stage.clock.time.advance(by: .minutes(2))
        _ = try await stage.signIn("ada@example.test", "Another-1900")
        try await stage.restart()
        #expect(try await stage.users()["ada"]?["locked"] == false)
    }

    @Test func `keys with their ages, other settings and the clock are kept`() async throws {
        let stage = try await StateStage()
        try await stage.control("POST", "/keys/service/rotate", [:])
        stage.clock.time.advance(by: .hours(1))
        let keys = try await stage.control("POST", "/keys/service/rotate", ["key": "k9", "keepPublished": true])
        #expect(keys["keySets"]?["service"]?["use"] == "k9")
        try await stage.control(
            "PATCH", "/tenant", ["patch": ["policies": ["susi": ["tokens": ["accessToken": "PT5M"]]]]])
        try await stage.control("PATCH", "/clock", ["skew": "PT3H"])
        let settings = try await stage.control("GET", "/tenant")
        try await stage.restart()
        #expect(try await stage.control("GET", "/keys") == keys)
        #expect(try await stage.control("GET", "/tenant") == settings)
        #expect(try await stage.control("GET", "/clock")["skew"] == "PT3H")
        let frozen = try await stage.control("PATCH", "/clock", ["freeze": true, "now": "2030-01-01T00:00:00Z"])
        stage.clock.time.advance(by: .hours(5))
        try await stage.restart()
        #expect(try await stage.control("GET", "/clock") == frozen)
        let answer = try await stage.redeem(try await stage.signIn())
        #expect(answer["not_before"]?.intValue == Timestamp(rfc3339: "2030-01-01T00:00:00Z")?.secondsSinceEpoch)
        #expect(answer["expires_in"] == 300)
        try await stage.control("PATCH", "/clock", ["freeze": false])
        try await stage.control("PATCH", "/clock", ["skew": "PT0S"])
        try await stage.restart()
        #expect(stage.world.time.offset == .zero && !stage.world.time.isFrozen)
    }

    @Test func `custom policies of the control API are kept`() async throws {
        let stage = try await StateStage()
        let text = """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
            PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_none" \
            PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_none"/>
            """
        try await stage.control("PATCH", "/tenant", ["patch": [:], "policies": ["a.xml": .string(text)]])
        try await stage.restart()
        let kept = try #require(try rows(stage.path)["policies/default"])
        #expect(try JSONParser.parse(kept)["texts"]?["a.xml"] == .string(text))
    }

    @Test func `a reset and a new start are kept`() async throws {
        let stage = try await StateStage()
        let token = try StateStage.refreshToken(
            try await stage.redeem(try await stage.signUp("n@example.test", "Newcomer-2026")))
        try await stage.control("POST", "/reset", [:], expect: 204)
        try await stage.restart()
        #expect(error(try await stage.refresh(token)).contains("AADB2C90080"))
        #expect(try await stage.control("GET", "/inbox")["messages"]?.arrayValue?.isEmpty == true)
        #expect(try await stage.users()["n@example.test"] != nil, "the directory stays")
        try await stage.control("DELETE", "/users/ada", expect: 204)
        try await stage.control("POST", "/keys/service/rotate", [:])
        try await stage.control("PATCH", "/clock", ["advance": "P1D"])
        try await stage.control("POST", "/reset", ["to": "start"], expect: 204)
        for _ in 0..<2 {
            #expect(try await stage.users().keys == ["ada", "bob"])
            #expect(try await stage.control("GET", "/keys")["keySets"]?["service"]?["use"] == "k1")
            #expect(stage.world.time.offset == .zero)
            #expect(try rows(stage.path).isEmpty)
            try await stage.restart()
        }
    }

    /// Documents that cannot be taken, each with what is changed in a good one.
    static let badImports: [(name: String, change: @Sendable (inout JSONObject) -> Void)] = [
        (
            "an account twice",
            { $0["accounts"] = .array(($0["accounts"]?.arrayValue ?? []) + ($0["accounts"]?.arrayValue ?? [])) }
        ),
        (
            "an account that is none",
            { $0["accounts"] = .array(($0["accounts"]?.arrayValue ?? []) + [["objectId": 5]]) }
        ),
        ("a message that is none", { $0["messages"] = [["to": 5]] }),
        ("a policy that is none", { $0["tenant"] = ["name": "contoso", "policies": ["susi": ["type": "x"]]] }),
    ]

    @Test(arguments: badImports.indices)
    func `an import that is refused changes nothing`(index: Int) async throws {
        let stage = try await StateStage()
        var document = try #require(try await stage.control("GET", "/state").objectValue)
        let token = try StateStage.refreshToken(try await stage.redeem(try await stage.signIn()))
        try await stage.control("PATCH", "/users/bob", ["displayName": "Robert"])
        let before = try await stage.control("GET", "/state")
        let clock = try await stage.control("GET", "/clock")
        document["clock"] = ["now": "2031-02-03T04:05:06Z", "frozen": true]
        document["tenant"] = [
            "name": "contoso", "policies": ["other": ["id": "B2C_1_other", "type": "signUpOrSignIn"]],
        ]
        Self.badImports[index].change(&document)
        let answer = try #require(
            await stage.send(
                "PUT", "\(ControlAPI.prefix)/state", host: "localhost", body: JSONWriter.compact(.object(document)),
                type: "application/json"))
        #expect((400..<500).contains(answer.status), "\(Self.badImports[index].name): \(answer.text)")
        #expect(try await stage.control("GET", "/state") == before)
        #expect(try await stage.control("GET", "/clock") == clock)
        let next = try StateStage.refreshToken(try await stage.refresh(token))
        try await stage.restart()
        #expect(try await stage.control("GET", "/state").sameValue(as: before))
        _ = try StateStage.refreshToken(try await stage.refresh(next))
    }

    @Test func `an import replaces what was kept`() async throws {
        let stage = try await StateStage()
        _ = try await stage.signUp("new@example.test", "Newcomer-2026")
        try await stage.control("PATCH", "/clock", ["freeze": true, "advance": "P3D"])
        try await stage.control("POST", "/keys/service/rotate", [:])
        try await stage.control("DELETE", "/users/bob", expect: 204)
        let exported = try await stage.control("GET", "/state")
        try await stage.control("POST", "/reset", ["to": "start"], expect: 204)
        let other = try await stage.signUp("other@example.test", "Newcomer-2026")
        try await stage.control(
            "PATCH", "/tenant", ["patch": ["apps": ["second": ["client": ["kind": "appauth", "policy": "susi"]]]]])
        try await stage.control("PUT", "/state", exported, expect: 204)
        #expect(try await stage.control("GET", "/state") == exported)
        try await stage.restart()
        #expect(try await stage.control("GET", "/state").sameValue(as: exported))
        #expect(try await stage.redeem(other)["error"] != nil)
        _ = try await stage.signIn("new@example.test", "Newcomer-2026")
    }

    @Test func `the tenant file may change between runs: what was changed at run time wins`() async throws {
        let stage = try await StateStage()
        try await stage.control("PATCH", "/users/ada", ["displayName": "Countess"])
        try await stage.control("DELETE", "/users/bob", expect: 204)
        try await stage.control(
            "PATCH", "/tenant", ["patch": ["policies": ["susi": ["tokens": ["accessToken": "PT5M"]]]]])
        _ = try await stage.signUp("taken@example.test", "Newcomer-2026")
        stage.tenant = stage.tenant.merging(
            patch: [
                "policies": ["susi": ["tokens": ["idToken": "PT7M", "accessToken": "PT9M"]]],
                "users": [
                    "ada": ["displayName": "Lady", "password": "Not-This-1"], "bob": ["displayName": "Robert"],
                    "carol": ["email": "carol@example.test", "password": "Carols-1999"],
                    "thief": ["email": "taken@example.test", "password": "Thieves-1999"],
                ],
            ])
        for _ in 0..<2 {
            try await stage.restart()
            let users = try await stage.users()
            #expect(users.keys == ["ada", "carol", "taken@example.test"])
            #expect(users["ada"]?["displayName"] == "Countess")
            _ = try await stage.signIn()
            _ = try await stage.signIn("carol@example.test", "Carols-1999")
            _ = try await stage.signIn("taken@example.test", "Newcomer-2026")
            let tokens = stage.world.tenant.tenant.policies[0].tokens
            #expect(tokens.accessToken == .minutes(5))
            #expect(tokens.idToken == .minutes(7))
        }
    }

    @Test func `settings that no longer fit the tenant file are reported, not dropped`() async throws {
        let stage = try await StateStage(
            tenant: StateStage.tenant.merging(
                patch: ["authority": ["throttle": ["requests": 100, "per": "PT1M"]]]))
        try await stage.control("PATCH", "/tenant", ["patch": ["authority": ["throttle": ["per": "PT2M"]]]])
        stage.tenant = StateStage.tenant
        let failure = await #expect(throws: Failure.self) { try await stage.restart() }
        #expect(failure?.status == .input)
    }

    @Test func `nothing is drawn twice, and other worlds leave no trace`() async throws {
        let stage = try await StateStage()
        var codes: Set<String> = []
        for _ in 0..<4 {
            codes.insert(try await stage.signIn())
            try await stage.restart()
        }
        #expect(codes.count == 4)
        let before = try rows(stage.path)
        let made = try await stage.control(
            "POST", "/worlds", ["tenant": StateStage.tenant, "seed": 3, "now": "2026-01-15T12:00:00Z"], expect: 201)
        let world = try #require(made["world"]?.stringValue)
        let other = try #require(stage.front.worlds.world(named: world))
        #expect(!other.keepsState)
        try await other.configure(["users": ["eve": ["email": "eve@example.test", "password": "Evening-2026"]]])
        #expect(await other.settle())
        #expect(try rows(stage.path) == before)
        try await stage.restart()
        #expect(stage.front.worlds.names == [Worlds.defaultName])
    }

    /// The rows of a file that a server may have open, read from a copy.
    private func rows(_ path: String) throws -> [String: String] {
        let copy = path + ".copy-" + UUID().uuidString
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
            try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
        }
        let database = try Database(path: copy)
        let found = try database.run { db in try db.rows(sql: "SELECT kind, key, value FROM rows") }
        database.close()
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0[0])/\($0[1])", $0[2]) })
    }
}

/// State files that cannot be used.
@Suite struct StateFileTests {
    /// A folder that goes when the test ends.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "b2c-state-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func open(
        _ path: String, tenant: JSONValue = StateStage.tenant, seed: UInt64? = nil, schema: StateSchema = .current
    ) throws -> StateFile {
        try StateFile.open(
            path, for: try Tenant(json: tenant), seed: seed, drawn: 11, system: TestTime(), schema: schema)
    }

    private func sql(_ path: String, _ text: String) throws {
        let database = try Database(path: path)
        try database.run { db in try db.execute(sql: text) }
        database.close()
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Status
        /// Part of the one sentence.
        var says: String
        /// Makes the file; a good one is there before.
        var make: @Sendable (String) throws -> Void
    }

    private static func edit(_ path: String, _ text: String) throws {
        let database = try Database(path: path)
        try database.run { db in
            try db.execute(sql: text)
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        database.close()
    }

    private static func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    static let bad: [Bad] = [
        Bad(testDescription: "empty", status: .input, says: "it is empty") { try overwrite($0, []) },
        Bad(testDescription: "text", status: .input, says: "not of SQLite") {
            try overwrite($0, Array(String(repeating: "{\"name\": \"contoso\"}\n", count: 40).utf8))
        },
        Bad(testDescription: "short", status: .input, says: "not of SQLite") {
            try overwrite($0, Array("SQLite format 3\0".utf8))
        },
        Bad(testDescription: "another database", status: .input, says: "another program") { path in
            try FileManager.default.removeItem(atPath: path)
            try edit(path, "CREATE TABLE other (a); INSERT INTO other VALUES (1)")
        },
        Bad(testDescription: "our mark on another database", status: .input, says: "damaged") { path in
            try FileManager.default.removeItem(atPath: path)
            try edit(
                path,
                "PRAGMA application_id = \(StateSchema.applicationID); PRAGMA user_version = 1; CREATE TABLE x (a)")
        },
        Bad(testDescription: "newer", status: .input, says: "version 99, this program knows 1") {
            try edit($0, "PRAGMA user_version = 99")
        },
        Bad(testDescription: "a negative version", status: .input, says: "its version is -1") {
            try edit($0, "PRAGMA user_version = -1")
        },
        Bad(testDescription: "the smallest version", status: .input, says: "its version is -2147483648") {
            try edit($0, "PRAGMA user_version = -2147483648")
        },
        Bad(testDescription: "cut", status: .input, says: "damaged") { path in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            try overwrite(path, Array(bytes.prefix(bytes.count / 2)))
        },
        Bad(testDescription: "overwritten in the middle", status: .input, says: "damaged") { path in
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            for place in 4096..<min(bytes.count, 8192) { bytes[place] = 0xA5 }
            try overwrite(path, bytes)
        },
        Bad(testDescription: "no seed", status: .input, says: "damaged") {
            try edit($0, "DELETE FROM about WHERE name = 'seed'")
        },
        Bad(testDescription: "a row that is not JSON", status: .input, says: "row a of settings") {
            try edit($0, "INSERT INTO rows (kind, key, value) VALUES ('settings', 'a', '{')")
        },
        Bad(testDescription: "an account that is none", status: .input, says: "of accounts cannot be read") {
            try edit(
                $0,
                "INSERT INTO rows (kind, key, value) VALUES ('accounts', '7fc1ddb2-d38b-4b0d-9e28-5f3cd6388262', '{}')")
        },
        Bad(testDescription: "a table that nobody knows", status: .input, says: "of ghosts cannot be read") {
            try edit($0, "INSERT INTO rows (kind, key, value) VALUES ('ghosts', 'a', '{}')")
        },
        Bad(testDescription: "another tenant's", status: .input, says: "made for tenant fabrikam") {
            try edit($0, "UPDATE about SET value = 'fabrikam' WHERE name = 'tenant'")
        },
        Bad(testDescription: "a folder", status: .input, says: "is not a file") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        },
    ]

    @Test(arguments: bad)
    func `one sentence says why, and the file stays as it was`(_ bad: Bad) throws {
        try inFolder { folder in
            let path = folder + "/state.db"
            try open(path).close()
            try bad.make(path)
            let before = try? Data(contentsOf: URL(fileURLWithPath: path))
            let failure = #expect(throws: Failure.self) { try open(path) }
            #expect(failure?.status == bad.status)
            let text = failure?.text ?? ""
            #expect(text.contains(bad.says) && text.contains(path) && !text.contains("\n"), "\(text)")
            #expect((try? Data(contentsOf: URL(fileURLWithPath: path))) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state.db"])
        }
    }

    @Test func `a file that is in use or cannot be written is refused`() throws {
        try inFolder { folder in
            let path = folder + "/state.db"
            let first = try open(path)
            let busy = #expect(throws: Failure.self) { try open(path) }
            #expect(busy?.status == .machine && busy?.text?.contains("in use") == true, "\(busy?.text ?? "")")
            first.close()
            try open(path).close()
            let nowhere = #expect(throws: Failure.self) { try open(folder + "/none/state.db") }
            #expect(nowhere?.status == .machine && nowhere?.text?.contains("No such file") == true)
            // Nothing keeps root from writing.
            guard geteuid() != 0 else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
            let kept = #expect(throws: Failure.self) { try open(path) }
            #expect(kept?.status == .machine && kept?.text?.contains("Permission denied") == true)
        }
    }

    @Test func `only the owner may read the file, and it is one file when it is closed`() throws {
        try inFolder { folder in
            let path = folder + "/state.db"
            let file = try open(path)
            #expect(FileSystem.mode(path) == 0o600)
            #expect(FileSystem.mode(path + "-wal") == 0o600)
            file.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try open(path).close()
            #expect(FileSystem.mode(path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["state.db"])
        }
    }

    @Test func `a file keeps its first seed`() throws {
        try inFolder { folder in
            let path = folder + "/state.db"
            try open(path, seed: 5).close()
            let again = try open(path)
            #expect(again.seed == 5 && again.kept.authority.run == 2)
            again.close()
            try open(path, seed: 5).close()
            let failure = #expect(throws: Failure.self) { try open(path, seed: 6) }
            #expect(failure?.status == .input && failure?.text?.contains("seed 5") == true)
            let drawn = try open(folder + "/drawn.db")
            #expect(drawn.seed == 11)
            drawn.close()
        }
    }

    @Test func `an older file is upgraded once, and an older program then refuses it`() throws {
        let next = StateSchema(
            steps: StateSchema.current.steps + [{ db in try db.execute(sql: "ALTER TABLE rows ADD COLUMN extra TEXT") }]
        )
        try inFolder { folder in
            let path = folder + "/state.db"
            try open(path).close()
            try sql(path, "INSERT INTO rows (kind, key, value) VALUES ('people', 'bob', 'null')")
            try open(path, schema: next).close()
            try open(path, schema: next).close()
            try sql(path, "UPDATE rows SET extra = 'there'")
            let failure = #expect(throws: Failure.self) { try open(path) }
            #expect(failure?.text?.contains("version \(next.version)") == true)
            let file = try open(path, schema: next)
            #expect(file.kept.authority.run == 4)
            file.close()
        }
    }
}
