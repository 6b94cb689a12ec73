import Determinism
import JSON
import Testing

@testable import Journeys

@Suite struct SessionTests {
    private func signIn(_ world: World, _ name: String = "flow", rememberMe: Bool = false) -> SessionGrant? {
        let run = world.begin(name)
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"], rememberMe: rememberMe)
        return run.issuance?.session
    }

    @Test func `a session replaces the page`() throws {
        let world = try World(flow: [:])
        let grant = try #require(signIn(world))
        let start = world.now
        world.advance(.hours(23))
        let run = world.begin(session: grant.id) { $0.prompt = "none" }
        #expect(run.issuance?.fromSession == true)
        #expect(run.issuance?.authTime == start)
        #expect(run.issuance?.session?.id == grant.id)
        #expect(run.records.contains { $0["skipped"] == "session" })
    }

    static let lifetimes: [(session: JSONValue, hours: [Int64], alive: [Bool])] = [
        ([:], [23, 23, 23, 25], [true, true, true, false]),
        (["rolling": false], [23, 2], [true, false]),
        (["lifetime": "PT15M"], [1], [false]),
    ]

    @Test(arguments: lifetimes.indices) func `sessions end in time`(_ index: Int) throws {
        let row = Self.lifetimes[index]
        let world = try World(flow: ["session": row.session])
        let grant = try #require(signIn(world))
        for (hours, alive) in zip(row.hours, row.alive) {
            world.advance(.hours(hours))
            let run = world.begin(session: grant.id)
            #expect((run.issuance != nil) == alive)
            #expect((run.page != nil) == !alive)
        }
    }

    @Test func `prompt=login ignores the session and replaces it`() throws {
        let world = try World(flow: [:])
        let grant = try #require(signIn(world))
        let run = world.begin(session: grant.id) { $0.prompt = "login" }
        run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        let fresh = try #require(run.issuance?.session)
        #expect(fresh.id != grant.id)
        #expect(world.tenancy.sessions[grant.id] == nil)
    }

    @Test func `max_age limits the session`() throws {
        let world = try World(flow: [:])
        let grant = try #require(signIn(world))
        world.advance(.minutes(10))
        #expect(world.begin(session: grant.id) { $0.maxAge = 900 }.issuance != nil)
        #expect(world.begin(session: grant.id) { $0.maxAge = 300 }.page != nil)
    }

    @Test func `scopes decide who shares it`() throws {
        let world = try World([
            "policies": [
                "tenant": [:], "tenant2": [:], "policy": ["session": ["scope": "policy"]],
                "application": ["session": ["scope": "application"]], "off": ["session": ["scope": "suppressed"]],
            ]
        ])
        let shared = try #require(signIn(world, "tenant"))
        #expect(shared.scope == "contoso.onmicrosoft.com")
        #expect(world.begin("tenant2", session: shared.id).issuance != nil)
        #expect(world.begin("policy", session: shared.id).page != nil)
        let own = try #require(signIn(world, "policy"))
        #expect(own.scope == "contoso.onmicrosoft.com/policy")
        #expect(world.begin("policy", session: own.id).issuance != nil)
        let app = try #require(signIn(world, "application"))
        #expect(app.scope == "contoso.onmicrosoft.com/client-1")
        #expect(world.begin("application", session: app.id) { $0.clientID = "client-2" }.page != nil)
        #expect(signIn(world, "off") == nil)
        #expect(world.begin("off", session: shared.id).page != nil)
    }

    @Test func `keep me signed in outlives the browser`() throws {
        let world = try World(["policies": ["flow": ["keepSignedIn": "P7D"], "plain": [:]]])
        let run = world.begin()
        #expect(run.page?.showsKeepMeSignedIn == true)
        #expect(signIn(world)?.persistentUntil == nil)
        let kept = try #require(signIn(world, rememberMe: true))
        #expect(kept.persistentUntil == world.now + .days(7))
        world.advance(.days(6))
        let later = world.begin(session: kept.id)
        #expect(later.issuance?.session?.persistentUntil == world.now + .days(7))
        // A policy that keeps nobody ends the keeping.
        #expect(world.begin("plain", session: kept.id).issuance?.session?.persistentUntil == nil)
        world.advance(.days(2))
        #expect(world.begin(session: kept.id).page != nil)
    }

    @Test func `the box counts only on a page that has it`() throws {
        let world = try World(flow: [:])
        #expect(world.begin().page?.showsKeepMeSignedIn == false)
        #expect(signIn(world, rememberMe: true)?.persistentUntil == nil)
    }

    @Test func `a deleted account has no session`() throws {
        let world = try World(flow: [:])
        let grant = try #require(signIn(world))
        world.tenancy.directory.configure(person: "ada", patch: nil, tenant: world.tenant, at: world.now)
        #expect(world.begin(session: grant.id).page != nil)
    }

    /// A session comes back as it was put in, whatever it shares with others.
    @Test func `a session is kept unchanged`() {
        let now = Timestamp(seconds: 1_768_478_400)
        func session(_ number: Int) -> Session {
            Session(
                id: SessionID(GUID.derived(from: "session \(number)")), scope: "contoso.onmicrosoft.com",
                createdAt: now,
                lastUsedAt: now + .minutes(1), authTime: now, rolling: number % 2 == 0, lifetime: .days(1),
                keptFor: number % 3 == 0 ? .days(30) : nil,
                entries: (0..<(number % 3)).map {
                    Session.Entry(
                        provider: "SM-\($0)", profile: "Login-\(number)",
                        claims: [KeptClaim("email", .text("p\(number)"))],
                        at: now + .seconds(Int64($0)))
                }, participants: number % 5 == 0 ? [] : ["client-1", "client-\(number % 2)"],
                objectID: number % 7 == 0 ? nil : GUID.derived(from: "person"),
                identityProvider: number % 2 == 0 ? "Facebook-OAUTH" : nil)
        }
        var sessions = Sessions(limit: 30)
        var claims = Interner<[ClaimValue]>()
        for number in 0..<60 { sessions.keep(session(number), sharing: &claims, at: now) }
        #expect(sessions.ids.map { sessions[$0] } == (30..<60).map(session))
        sessions.end(of: GUID.derived(from: "person"))
        #expect(sessions.ids.map { sessions[$0] } == (30..<60).filter { $0 % 7 == 0 }.map(session))
    }

    /// Scope, lifetime and apps are in memory once for all people, and an app's name is byte for byte the session's own.
    @Test func `sessions share their terms`() throws {
        let world = try World(flow: [:])
        let grants = try (0..<3).map { _ in try #require(signIn(world)) }
        let sessions = grants.compactMap { world.tenancy.sessions[$0.id] }
        let places = Set(sessions.map { $0.participants.withUnsafeBytes { $0.baseAddress } })
        #expect(sessions.count == 3 && places.count == 1 && sessions[0].participants == ["client-1"])
    }

    @Test func `apps are remembered for the sign-out`() throws {
        let world = try World(flow: [:])
        let grant = try #require(signIn(world))
        _ = world.begin(session: grant.id) { $0.clientID = "client-2" }
        #expect(world.tenancy.sessions[grant.id]?.participants == ["client-1", "client-2"])
        world.tenancy.sessions.end(grant.id)
        #expect(world.begin(session: grant.id).page != nil)
        #expect(world.tenancy.sessions.ids.isEmpty)
    }
}

/// `SubjectAuthenticationRequirements`: how long a session replaces signing in.
@Suite struct AuthenticationRequirementsTests {
    /// A page whose answer a session keeps.
    private func world(profile: String = "", party: String = "", behaviors: String = "") throws -> World {
        let page = Inline.page(
            "Ask",
            """
            <OutputClaims><OutputClaim ClaimTypeReferenceId="nickname" /></OutputClaims>
            <UseTechnicalProfileForSessionManagement ReferenceId="SM-Kept" />
            """
        ).replacing("<Metadata>", with: "\(profile)<Metadata>")
        let kept = """
            <TechnicalProfile Id="SM-Kept"><DisplayName>k</DisplayName>\(Inline.handler("SSO.DefaultSSOSessionProvider"))
            <PersistedClaims><PersistedClaim ClaimTypeReferenceId="nickname" /></PersistedClaims></TechnicalProfile>
            """
        let policy = Inline.policy(
            types: """
                <ClaimType Id="nickname"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>
                """, profiles: page + kept, steps: Inline.steps("Ask"), outputs: ["nickname"], behaviors: behaviors)
        let head = "<DisplayName>PolicyProfile</DisplayName><Protocol Name=\"OpenIdConnect\" />"
        return try World(xml: [policy.replacing(head, with: head + party)])
    }

    /// What the relying party says of its sessions: minutes that pass before each further sign-in, and whether somebody is
    /// asked then.
    static let behaviors: [(inside: String, minutes: [Int64], asks: [Bool])] = [
        ("<SessionExpiryInSeconds>900</SessionExpiryInSeconds>", [14, 14, 16], [false, false, true]),
        (
            "<SessionExpiryType>Absolute</SessionExpiryType><SessionExpiryInSeconds>900</SessionExpiryInSeconds>",
            [14, 14], [false, true]
        ),
        (
            "<SessionExpiryType>Rolling</SessionExpiryType><SessionExpiryInSeconds>900</SessionExpiryInSeconds>",
            [14, 14], [false, false]
        ),
        ("<SingleSignOn Scope=\"Suppressed\" />", [1], [true]), ("<SingleSignOn Scope=\"Policy\" />", [1], [false]),
    ]

    @Test(arguments: behaviors.indices) func `the relying party has its behaviours`(_ index: Int) throws {
        let row = Self.behaviors[index]
        let world = try world(behaviors: "<UserJourneyBehaviors>\(row.inside)</UserJourneyBehaviors>")
        let first = world.begin()
        first.fill(["nickname": "ada"])
        var session = first.issuance?.session?.id
        for (minutes, asks) in zip(row.minutes, row.asks) {
            world.advance(.minutes(minutes))
            let run = world.begin(session: session)
            #expect((run.page != nil) == asks, "after \(minutes) minutes")
            if !asks { session = run.issuance?.session?.id }
        }
    }

    static let within = "<SubjectAuthenticationRequirements TimeToLive=\"30\" />"
    static let renewed =
        "<SubjectAuthenticationRequirements TimeToLive=\"30\" ResetExpiryWhenTokenIssued=\"true\" />"

    /// Minutes that pass before each further sign-in, and whether somebody is asked then.
    static let cases: [(profile: String, party: String, minutes: [Int64], asks: [Bool])] = [
        ("", "", [29, 29, 29], [false, false, false]),
        (within, "", [29, 2, 29], [false, true, false]),
        (renewed, "", [29, 29, 31], [false, false, true]),
        ("", within, [30, 1], [false, true]),
        ("", renewed, [29, 29, 31], [false, false, true]),
    ]

    @Test(arguments: cases.indices) func `a limit ends the use of a session`(_ index: Int) throws {
        let row = Self.cases[index]
        let world = try world(profile: row.profile, party: row.party)
        let first = world.begin()
        first.fill(["nickname": "ada"])
        var session = try #require(first.issuance?.session?.id)
        for (minutes, asks) in zip(row.minutes, row.asks) {
            world.advance(.minutes(minutes))
            let run = world.begin(session: session)
            #expect((run.page != nil) == asks, "after \(minutes) minutes")
            if asks { run.fill(["nickname": "ada"]) }
            session = try #require(run.issuance?.session?.id)
        }
    }
}
