import Determinism
import JSON
import TenantFiles
import Testing
import TrustFramework

@testable import Journeys
@testable import MockAuthority
@testable import MockServerCore

/// Rows of every kind, made up by a generator: what is written is read again, and what is damaged is refused.
@Suite struct StateCodecTests {
    /// Draws values of every type that rows hold.
    private struct Maker {
        var random: SeededGenerator

        mutating func flag() -> Bool { random.below(2) == 0 }
        mutating func maybe<Value>(_ make: (inout Maker) -> Value) -> Value? { flag() ? make(&self) : nil }
        mutating func list<Value>(_ make: (inout Maker) -> Value) -> [Value] {
            (0..<random.below(4)).map { _ in make(&self) }
        }
        mutating func text() -> String {
            let letters = Array("abcXYZ019 -_.@/\"\\\n\t\u{0}äß\u{1F600}\u{2028}")
            return String((0..<random.below(12)).map { _ in letters[random.below(letters.count)] })
        }
        mutating func instant() -> Timestamp {
            Timestamp(milliseconds: Int64(random.below(4_000_000)) * 1_000_000 + Int64(random.below(1000)))
        }
        mutating func span() -> TimeSpan { TimeSpan(milliseconds: Int64(random.below(1_000_000_000))) }

        mutating func claim() -> KeptClaim {
            let value: ClaimValue
            switch random.below(5) {
            case 0: value = .text(text())
            case 1: value = .boolean(flag())
            case 2: value = .integer(Int64(bitPattern: random.next()))
            case 3: value = .dateTime(instant())
            default: value = .list(list { $0.text() })
            }
            return KeptClaim(text(), value)
        }

        mutating func account() -> Account {
            var account = Account(objectID: random.guid(), at: instant())
            account.person = maybe { $0.text() }
            account.signInNames = list { SignInName(type: $0.text(), value: $0.text()) }
            account.identities = list { FederatedIdentity(issuer: $0.text(), issuerUserID: $0.text()) }
            account.attributes = list { $0.claim() }
            account.password = maybe { $0.text() }
            account.formerPassword = maybe { $0.text() }
            account.accountEnabled = flag()
            account.forcePasswordChange = flag()
            account.lockedByAdministrator = flag()
            account.refreshTokensValidFrom = instant()
            account.revision = random.below(9)
            account.createdAt = instant()
            account.passwordChangedAt = instant()
            return account
        }

        mutating func lockout() -> SmartLockout {
            var lockout = SmartLockout()
            for _ in 0..<random.below(15) {
                lockout.failed(text(), settings: LockoutSettings(), nearVariantsCountOnce: flag(), at: instant())
            }
            return lockout
        }

        mutating func session() -> Session {
            Session(
                id: SessionID(random.guid()), scope: text(), createdAt: instant(), lastUsedAt: instant(),
                authTime: instant(), rolling: flag(), lifetime: span(), keptFor: maybe { $0.span() },
                entries: list { maker in
                    Session.Entry(
                        provider: maker.text(), profile: maker.text(), claims: maker.list { $0.claim() },
                        at: maker.instant())
                },
                participants: list { $0.text() }, objectID: maybe { $0.random.guid() },
                identityProvider: maybe { $0.text() })
        }

        mutating func scopes() -> GrantedScopes {
            GrantedScopes(
                openid: flag(), profile: flag(), offlineAccess: flag(), audience: maybe { $0.text() },
                isOwnClient: flag(), names: list { $0.text() }, fullNames: list { $0.text() },
                withheld: list { $0.text() })
        }

        mutating func platform() -> GrantPlatform { [.native, .spa, .web][random.below(3)] }

        mutating func identity() -> RefreshIdentity {
            RefreshIdentity(
                identity: text(), claimType: text(), issuedAt: instant(), authTime: instant(),
                revision: random.below(5), claims: list { $0.claim() })
        }

        mutating func refreshGrant() -> RefreshGrant {
            let identity = identity()
            return RefreshGrant(
                terms: GrantTerms(
                    policyID: text(), clientID: text(), platform: platform(), scopes: scopes(), identity: identity),
                nonce: maybe { $0.text() }, identity: identity, expires: instant(),
                chain: RefreshChain(started: instant(), end: maybe { $0.instant() }), isRedeemed: flag())
        }

        mutating func codeGrant() -> CodeGrant {
            let issuance = Issuance(
                claims: list { maker in
                    IssuedClaim(id: maker.text(), name: maker.text(), value: [.string(maker.text()), 1, .null])
                },
                subject: maybe { $0.text() }, objectID: maybe { $0.random.guid() }, authTime: instant(),
                fromSession: flag(),
                session: maybe { maker in
                    SessionGrant(
                        id: SessionID(maker.random.guid()), scope: maker.text(),
                        persistentUntil: maker.maybe { $0.instant() }, expires: maker.instant())
                }, keepSignedIn: flag(), issuer: ProfileHandle(index: 0), refresh: maybe { $0.identity() },
                userInfo: maybe { ["a": .string($0.text())] })
            return CodeGrant(
                policyID: text(), clientID: text(), redirectURI: text(), platform: platform(), scopes: scopes(),
                nonce: maybe { $0.text() },
                challenge: maybe { CodeChallenge(text: $0.text(), method: $0.flag() ? .plain : .s256) },
                issuance: issuance, issuedAt: instant(), expires: instant())
        }

        mutating func spentCode() -> SpentCode {
            SpentCode(
                policyID: text(), clientID: text(), issuedAt: instant(), expires: instant(), isRedeemed: flag())
        }

        mutating func message() -> OutboxMessage {
            OutboxMessage(
                kind: OutboxMessage.Kind.allCases[random.below(3)], to: text(), subject: maybe { $0.text() },
                text: text(), code: maybe { $0.text() }, at: instant())
        }
    }

    /// The row as it comes back from its text.
    private static func written(_ content: KeptRow.Content) throws -> JSONValue {
        try JSONParser.parse(JSONWriter.compact(KeptRow(content).json))
    }

    @Test(arguments: 0..<40)
    func `every row is read as it was written`(seed: Int) throws {
        var maker = Maker(random: SeededGenerator(seed: UInt64(seed)))
        var state = KeptState(run: 1)
        let (account, lockout, session) = (maker.account(), maker.lockout(), maker.session())
        let (code, token, until) = (maker.codeGrant(), maker.refreshGrant(), maker.instant())
        let (spent, spentID) = (maker.spentCode(), maker.random.guid())
        let messages = (maker.message(), maker.message())
        let (accountID, removed, grantID) = (account.objectID, maker.random.guid(), maker.random.guid())
        let ages = ["service": ["kid": Int64(maker.random.below(1_000_000))], "other": [:]]
        let rows: [(RowChange.TableName, String, KeptRow.Content)] = [
            (.accounts, accountID.description, .account(account)), (.accounts, removed.description, .removedAccount),
            (.lockouts, accountID.description, .lockout(lockout)),
            (.sessions, session.id.description, .session(session)),
            (.codes, grantID.description, .code(code, issuer: "JwtIssuer")),
            (.codes, spentID.description, .spentCode(spent)),
            (.refreshTokens, grantID.description, .refreshToken(token, until: until)),
            (.messages, "7", .message(messages.0)), (.messages, "8", .message(messages.1)),
            (.keys, "since", .keys(ages)),
        ]
        for (table, key, content) in rows {
            let isRead = state.add(table, key: key, try Self.written(content))
            #expect(isRead, "\(table.rawValue)")
        }
        #expect(state.accounts == [account])
        #expect(state.removedAccounts == [removed])
        #expect(state.lockouts == [accountID: lockout])
        #expect(state.sessions == [session])
        #expect(state.messages.map(\.number) == [7, 8])
        #expect(state.messages.map(\.message) == [messages.0, messages.1])
        #expect(state.keyAges["service"] == ages["service"])
        let read = try #require(state.refreshTokens.first)
        #expect(read.id == grantID && read.until == until)
        #expect(read.grant.json(until: until) == token.json(until: until))
        #expect(read.grant.identity == token.identity && read.grant.terms == token.terms)
        let again = try #require(CodeGrant(json: state.codes[0].document, issuer: ProfileHandle(index: 3)))
        #expect(again.json(issuer: "JwtIssuer") == code.json(issuer: "JwtIssuer"))
        #expect(state.codes.count == 1 && state.spentCodes.map(\.id) == [spentID])
        #expect(state.spentCodes.first?.code.json == spent.json)
        #expect(again.issuance.issuer == ProfileHandle(index: 3))
        #expect(again.challenge == code.challenge && again.issuance.refresh == code.issuance.refresh)
    }

    @Test(arguments: 0..<10)
    func `a row with a member of another type is refused, never half read`(seed: Int) throws {
        var maker = Maker(random: SeededGenerator(seed: UInt64(seed)))
        let account = maker.account()
        let session = maker.session()
        let id = maker.random.guid()
        let until = maker.instant()
        let rows: [(RowChange.TableName, String, JSONValue)] = [
            (.lockouts, id.description, try Self.written(.lockout(maker.lockout()))),
            (.sessions, session.id.description, try Self.written(.session(session))),
            (.codes, id.description, try Self.written(.code(maker.codeGrant(), issuer: "I"))),
            (.codes, id.description, try Self.written(.spentCode(maker.spentCode()))),
            (.refreshTokens, id.description, try Self.written(.refreshToken(maker.refreshGrant(), until: until))),
        ]
        for (table, key, row) in rows {
            for name in row.objectValue?.keys ?? [] {
                var broken = try #require(row.objectValue)
                broken[name] = .array([.array([])])
                #expect(!Self.reads(table, key, .object(broken)), "\(table.rawValue) \(name)")
            }
            #expect(!Self.reads(table, "no id", row), "\(table.rawValue)")
            #expect(!Self.reads(table, key, [:]) && !Self.reads(table, key, .null))
        }
        #expect(!Self.reads(.accounts, id.description, .object(account.json)), "the key is another account's")
        let message = try Self.written(.message(maker.message()))
        #expect(!Self.reads(.messages, "-1", message) && !Self.reads(.messages, "x", message))
        var state = KeptState(run: 1)
        let (first, afterGap) = (
            state.add(.messages, key: "3", message), state.add(.messages, key: "5", message)
        )
        #expect(first && !afterGap)
    }

    @Test func `a redeemed code that an earlier version kept whole is a spent one`() throws {
        var maker = Maker(random: SeededGenerator(seed: 1))
        let (code, id) = (maker.codeGrant(), maker.random.guid())
        var row = code.json(issuer: "JwtIssuer")
        row["redeemed"] = true
        row["until"] = .string(maker.instant().rfc3339)
        var state = KeptState(run: 1)
        let isRead = state.add(.codes, key: id.description, .object(row))
        #expect(isRead && state.codes.isEmpty)
        let spent = try #require(state.spentCodes.first)
        #expect(spent.id == id && spent.code.isRedeemed && spent.code.policyID == code.policyID)
        #expect(spent.code.issuedAt == code.issuedAt && spent.code.expires == code.expires)
    }

    private static func reads(_ table: RowChange.TableName, _ key: String, _ row: JSONValue) -> Bool {
        var state = KeptState(run: 1)
        return state.add(table, key: key, row)
    }

    /// A value without null, which merge patches cannot hold.
    private static func value(_ maker: inout Maker, depth: Int) -> JSONValue {
        switch maker.random.below(depth > 3 ? 3 : 5) {
        case 0: return .string(maker.text())
        case 1: return .integer(Int64(maker.random.below(4)))
        case 2: return .bool(maker.flag())
        case 3: return .array(maker.list { value(&$0, depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<maker.random.below(5) {
                object["abcde".map(String.init)[maker.random.below(5)]] = value(&maker, depth: depth + 1)
            }
            return .object(object)
        }
    }

    @Test(arguments: 0..<200)
    func `the difference of two tenants leads from one to the other`(seed: Int) {
        var maker = Maker(random: SeededGenerator(seed: UInt64(seed)))
        var old = JSONObject()
        var new = JSONObject()
        for name in ["a", "b", "c", "d"] {
            if maker.flag() { old[name] = Self.value(&maker, depth: 0) }
            if maker.flag() { new[name] = maker.flag() ? old[name] : Self.value(&maker, depth: 0) }
        }
        let patch = KeptTenant.difference(from: .object(old), to: .object(new))
        #expect(JSONValue.object(old).merging(patch: patch ?? [:]).sameValue(as: .object(new)))
        #expect((patch == nil) == (old == new) || patch == nil)
    }

    @Test(arguments: 0..<20)
    func `a clock's setting is read as it was written`(seed: Int) {
        var maker = Maker(random: SeededGenerator(seed: UInt64(seed)))
        let setting = WorldTime.Clock(
            offset: maker.flag() ? maker.span() : .zero - maker.span(), frozen: maker.maybe { $0.instant() })
        #expect(WorldTime.Clock(json: setting.json) == setting)
        #expect(WorldTime.Clock(json: ["offset": "soon"]) == nil)
        #expect(WorldTime.Clock(json: ["offset": "PT0S", "frozen": 5]) == nil)
    }
}
