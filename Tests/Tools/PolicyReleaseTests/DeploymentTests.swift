import Determinism
import PolicyRelease
import Testing

/// A deployment against a tenant in memory: refusals, lost answers, stops of the process at each point, and rollback.
struct DeploymentTests {
    private static let base = "B2C_1A_Base"
    private static let extensions = "B2C_1A_Extensions"
    private static let signIn = "B2C_1A_SignIn"
    private static let unused = "B2C_1A_Unused"

    /// What the tenant has.
    private static let old: [String: [UInt8]] = [
        base: TestPolicy(base, "old").bytes, signIn: TestPolicy(signIn, base: base, "old").bytes,
        unused: TestPolicy(unused, base: base, "old").bytes,
    ]
    /// The sign-in gets a new parent, and one policy is deleted.
    private static let new: [String: [UInt8]] = [
        base: TestPolicy(base, "new").bytes, extensions: TestPolicy(extensions, base: base, "new").bytes,
        signIn: TestPolicy(signIn, base: extensions, "new").bytes,
    ]

    private static func digest(_ policies: [String: [UInt8]], _ id: String) -> String? {
        policies[id].map { PolicyMeaning.digest($0) }
    }

    private static func record(_ kind: DeploymentRecord.Kind = .deploy, _ steps: [DeploymentStep]? = nil)
        -> DeploymentRecord
    {
        DeploymentRecord(
            kind, tenant: TestPolicy.snapshot([:]).organization, environment: "Test", plan: "sha256:0",
            began: Timestamp(milliseconds: 1_796_018_554_000), bundle: "20261130T060234Z",
            steps: steps
                ?? [base, extensions, signIn, unused].map {
                    DeploymentStep(id: $0, before: digest(old, $0), after: digest(new, $0))
                })
    }

    private static func word(_ end: Deployment.End) -> String {
        switch end {
        case .live: "live"
        case .refused(let id, _): "refused \(id)"
        case .changed(let id): "changed \(id)"
        case .different(let id): "different \(id)"
        case .ineffective(let id, _): "ineffective \(id)"
        case .unreadable(let id, _): "unreadable \(id)"
        }
    }

    /// Carries out a deployment.
    private static func run(
        _ record: DeploymentRecord, _ contents: [String: [UInt8]], on tenant: inout MemoryTenant
    ) async throws -> (end: Deployment.End, record: DeploymentRecord, waits: [TimeSpan]) {
        var deployment = try #require(Deployment(record, contents: contents))
        var saved = record
        var waits: [TimeSpan] = []
        let end = await deployment.run(on: &tenant, wait: { waits.append($0) }, save: { record, _ in saved = record })
        #expect(saved == deployment.record, "the journal has the last state")
        return (end, saved, waits)
    }

    // MARK: Answers of the service

    struct Case: Sendable {
        var faults: [Int: MemoryTenant.Fault] = [:]
        var lostReads: Set<Int> = []
        var end: String
        var states: [DeploymentStep.State]
        var isFinished = true
        var writes: Int
        var waits: [TimeSpan] = []
    }

    private static let cases: [Case] = [
        Case(end: "live", states: [.live, .live, .live, .live], writes: 4),
        Case(
            faults: [0: .refused], end: "refused \(base)", states: [.refused, .planned, .planned, .planned], writes: 1),
        Case(faults: [2: .refused], end: "refused \(signIn)", states: [.live, .live, .refused, .planned], writes: 3),
        Case(faults: [3: .refused], end: "refused \(unused)", states: [.live, .live, .live, .refused], writes: 4),
        Case(faults: [0: .lostBefore], end: "live", states: [.live, .live, .live, .live], writes: 5),
        Case(faults: [1: .lostAfter], end: "live", states: [.live, .live, .live, .live], writes: 4),
        Case(faults: [3: .lostAfter], end: "live", states: [.live, .live, .live, .live], writes: 4),
        Case(faults: [2: .failedAfter], end: "live", states: [.live, .live, .live, .live], writes: 4),
        Case(
            faults: [0: .parallel], end: "live", states: [.live, .live, .live, .live], writes: 5, waits: [.seconds(2)]),
        Case(faults: [0: .late], end: "live", states: [.live, .live, .live, .live], writes: 4, waits: [.seconds(2)]),
        Case(
            faults: [1: .lostBefore, 2: .lostBefore, 3: .lostBefore], end: "ineffective \(extensions)",
            states: [.live, .sending, .planned, .planned], isFinished: false, writes: 4),
        Case(
            faults: [1: .rewritten], end: "different \(extensions)", states: [.live, .changed, .planned, .planned],
            writes: 2),
        Case(
            faults: [1: .overwritten], end: "changed \(extensions)", states: [.live, .changed, .planned, .planned],
            writes: 2),
        Case(
            lostReads: [0], end: "unreadable \(base)", states: [.planned, .planned, .planned, .planned],
            isFinished: false, writes: 0),
        Case(
            lostReads: [1], end: "unreadable \(base)", states: [.sending, .planned, .planned, .planned],
            isFinished: false, writes: 1),
    ]

    @Test(arguments: cases)
    func `each answer of the service leads to a known end`(_ row: Case) async throws {
        var tenant = MemoryTenant(Self.old)
        tenant.faults = row.faults
        tenant.lostReads = row.lostReads
        let (end, record, waits) = try await Self.run(Self.record(), Self.new, on: &tenant)
        #expect(Self.word(end) == row.end)
        #expect(record.steps.map(\.state) == row.states)
        #expect(record.isFinished == row.isFinished)
        #expect(tenant.requests.count { !$0.hasPrefix("read") } == row.writes)
        #expect(waits == row.waits)
        Self.expectLookBeforeWrite(tenant.requests)
        if row.end == "live" { #expect(tenant.policies == Self.new) }
        // What did not end is gone on with, and the service is well again.
        guard !row.isFinished else { return }
        tenant.faults = [:]
        tenant.lostReads = []
        let resumed = try await Self.run(record, Self.new, on: &tenant)
        #expect(Self.word(resumed.end) == "live" && tenant.policies == Self.new)
    }

    /// Whether each write directly follows a read of the same policy.
    private static func expectLookBeforeWrite(_ requests: [String]) {
        for (place, request) in requests.enumerated() where !request.hasPrefix("read") {
            let id = request.split(separator: " ")[1]
            #expect(place > 0 && requests[place - 1] == "read \(id)", "\(request) is number \(place)")
        }
    }

    @Test func `a policy that somebody else changed is not replaced`() async throws {
        var tenant = MemoryTenant(Self.old)
        tenant.policies[Self.signIn] = TestPolicy(Self.signIn, base: Self.base, "of somebody else").bytes
        #expect(TestPolicy.snapshot(tenant.policies).moved(Self.record().steps).map(\.id) == [Self.signIn])
        let (end, record, _) = try await Self.run(Self.record(), Self.new, on: &tenant)
        #expect(Self.word(end) == "changed \(Self.signIn)")
        #expect(tenant.effects == ["upload \(Self.base)", "upload \(Self.extensions)"])
        // Nothing of this deployment is in it, so a rollback leaves it as it is.
        #expect(record.undoing(Self.old).map(\.id) == [Self.base, Self.extensions])
    }

    @Test func `a policy that the tenant has already is not uploaded`() async throws {
        var tenant = MemoryTenant(Self.old)
        tenant.policies[Self.base] = Self.new[Self.base]
        let (end, _, _) = try await Self.run(Self.record(), Self.new, on: &tenant)
        #expect(Self.word(end) == "live")
        #expect(!tenant.effects.contains("upload \(Self.base)"))
    }

    @Test func `contents that are not those of the journal are refused`() {
        #expect(Deployment(Self.record(), contents: Self.old) == nil)
        #expect(Deployment(Self.record(), contents: [:]) == nil)
        #expect(Deployment(Self.record(), contents: Self.new) != nil)
    }

    @Test func `a deployment without steps is live at once`() async throws {
        var tenant = MemoryTenant(Self.old)
        let (end, record, _) = try await Self.run(Self.record(.rollback, []), [:], on: &tenant)
        #expect(Self.word(end) == "live" && record.isWhole && tenant.requests.isEmpty)
    }

    // MARK: Stops of the process

    /// Carries out a deployment until the process is stopped at an action: before it has an effect, or after that and before
    /// the deployment knows.
    ///
    /// - Returns: What the journal has, and whether it was stopped.
    private static func run(
        _ record: DeploymentRecord, _ contents: [String: [UInt8]], on tenant: inout MemoryTenant, stopAt stop: Int,
        isAfter: Bool
    ) throws -> (record: DeploymentRecord, isStopped: Bool) {
        var deployment = try #require(Deployment(record, contents: contents))
        var saved = record
        for number in 0..<1000 {
            if case .end = deployment.next { return (saved, false) }
            if number == stop, !isAfter { return (saved, true) }
            let answer: Deployment.Answer
            switch deployment.next {
            case .save:
                saved = deployment.record
                answer = .done
            case .read(let id): answer = .policy(try tenant.policy(id))
            case .upload(let id, let bytes):
                _ = try tenant.upload(id, bytes)
                answer = .done
            case .delete(let id):
                try tenant.deletePolicy(id)
                answer = .done
            case .wait, .end: answer = .done
            }
            if number == stop { return (saved, true) }
            deployment.take(answer)
        }
        Issue.record("the deployment does not end")
        return (saved, false)
    }

    @Test(arguments: [false, true])
    func `a deployment that was stopped anywhere goes on to the new state`(_ isAfter: Bool) async throws {
        var stop = 0
        while true {
            var tenant = MemoryTenant(Self.old)
            let (saved, isStopped) = try Self.run(
                Self.record(), Self.new, on: &tenant, stopAt: stop, isAfter: isAfter)
            let (end, record, _) = try await Self.run(saved, Self.new, on: &tenant)
            #expect(Self.word(end) == "live" && record.isWhole, "stopped at \(stop)")
            #expect(tenant.policies == Self.new, "stopped at \(stop)")
            #expect(Set(tenant.effects).count == tenant.effects.count, "nothing is written twice, stopped at \(stop)")
            guard isStopped else { break }
            stop += 1
        }
        #expect(stop > 15)
    }

    /// The rollback of a deployment in the state that its journal has.
    private static func rollback(of record: DeploymentRecord, _ tenant: MemoryTenant) -> DeploymentRecord {
        let snapshot = TestPolicy.snapshot(tenant.policies)
        let steps = record.undoing(old).filter { snapshot.digest($0.id) != $0.after }
        #expect(snapshot.moved(steps) == [])
        return Self.record(.rollback, steps)
    }

    @Test(arguments: [false, true])
    func `a deployment that was stopped anywhere is rolled back, also by a rollback that was stopped`(
        _ isAfter: Bool
    ) async throws {
        var stop = 0
        var isStopped = true
        while isStopped {
            var tenant = MemoryTenant(Self.old)
            let (saved, wasStopped) = try Self.run(
                Self.record(), Self.new, on: &tenant, stopAt: stop, isAfter: isAfter)
            isStopped = wasStopped
            stop += 1
            let begun = Self.rollback(of: saved, tenant)
            var second = 0
            while true {
                var other = tenant
                let (half, wasHalf) = try Self.run(begun, Self.old, on: &other, stopAt: second, isAfter: isAfter)
                let (end, _, _) = try await Self.run(half, Self.old, on: &other)
                #expect(Self.word(end) == "live", "stopped at \(stop), then at \(second)")
                #expect(other.policies == Self.old, "stopped at \(stop), then at \(second)")
                guard wasHalf else { break }
                second += 1
            }
        }
        #expect(stop > 15)
    }

    // MARK: Rollback

    @Test func `a rollback restores parents first and deletes last`() async throws {
        var tenant = MemoryTenant(Self.old)
        let done = try await Self.run(Self.record(), Self.new, on: &tenant).record
        let undo = Self.rollback(of: done, tenant)
        #expect(undo.steps.map(\.id) == [Self.base, Self.signIn, Self.unused, Self.extensions])
        #expect(undo.steps.last?.after == nil)
    }

    @Test func `a rollback restores a parent first, also if a policy between it and the child did not change`() {
        let between = TestPolicy(Self.extensions, base: Self.base, "same").bytes
        let old = [
            Self.base: TestPolicy(Self.base, "old").bytes,
            Self.signIn: TestPolicy(Self.signIn, base: Self.extensions, "old").bytes,
        ]
        let steps = [Self.signIn, Self.base].map { id in
            DeploymentStep(id: id, before: Self.digest(old, id), after: "sha256:1", state: .live, sends: 1)
        }
        let tenant = TestPolicy.snapshot(old.merging([Self.extensions: between]) { one, _ in one })
        let undone = Self.record(.deploy, steps).undoing(old, among: tenant.policies)
        #expect(undone.map(\.id) == [Self.base, Self.signIn])
    }

    @Test func `a rollback replaces what somebody else did only by force`() async throws {
        var tenant = MemoryTenant(Self.old)
        let done = try await Self.run(Self.record(), Self.new, on: &tenant).record
        tenant.policies[Self.base] = TestPolicy(Self.base, "of somebody else").bytes
        let snapshot = TestPolicy.snapshot(tenant.policies)
        let steps = done.undoing(Self.old)
        #expect(snapshot.moved(steps).map(\.id) == [Self.base])
        let forced = steps.forcing(["b2c_1a_base"], in: snapshot)
        #expect(snapshot.moved(forced) == [])
        let (end, _, _) = try await Self.run(Self.record(.rollback, forced), Self.old, on: &tenant)
        #expect(Self.word(end) == "live" && tenant.policies == Self.old)
    }

    // MARK: Sentences

    private static let five = ["A", "B", "C", "D", "E"]

    private static func sentence(_ states: [DeploymentStep.State]) -> DeploymentRecord {
        Self.record(
            .deploy,
            zip(five, states).map {
                DeploymentStep(id: $0, before: "sha256:1", after: "sha256:2", state: $1, sends: $1 == .planned ? 0 : 1)
            })
    }

    @Test(
        arguments: [
            (
                [.live, .live, .refused, .planned, .planned],
                "2 of 5 are live: A and B. C was refused, D and E keep their old state."
            ),
            ([.refused, .planned, .planned], "0 of 3 are live. A was refused, B and C keep their old state."),
            ([.live, .changed, .planned], "1 of 3 is live: A. B has other content, C keeps its old state."),
            ([.live, .sending], "1 of 2 is live: A. B was sent, and its state is not known."),
            ([.live, .live, .live], "3 of 3 are live: A, B and C."),
        ] as [([DeploymentStep.State], String)])
    func `what is live is said`(_ states: [DeploymentStep.State], _ text: String) {
        #expect(Self.sentence(states).progress == text)
    }

    @Test func `a refusal says how to undo what is live`() {
        let refusal = ServiceRefusal(status: 400, code: "AADB2C", message: "Validation failed")
        let record = Self.sentence([.live, .refused, .planned])
        #expect(
            record.sentence(.refused("B", refusal))
                == "1 of 3 is live: A. B was refused, C keeps its old state. Undo: b2c policy deploy --rollback")
        // Nothing is live, so there is nothing to undo.
        #expect(!Self.sentence([.refused, .planned]).sentence(.refused("A", refusal)).contains("--rollback"))
        #expect(Self.sentence([.sending]).sentence(.unreadable("A", MemoryTenant.lost)).contains("--resume"))
    }

    @Test(arguments: [
        (
            DeploymentRecord.Kind.deploy, 3, 0, true,
            "3 policies are live. Sign-ins may see the old ones for up to 30 minutes."
        ),
        (.deploy, 1, 0, false, "1 policy is live."),
        (.deploy, 2, 1, false, "2 policies are live, 1 policy was deleted."),
        (.rollback, 2, 2, false, "2 policies are restored, 2 policies were deleted."),
        (.rollback, 0, 0, false, "The tenant has this state already."),
    ])
    func `the last line says what was done`(
        _ kind: DeploymentRecord.Kind, _ uploads: Int, _ deletions: Int, _ isCached: Bool, _ text: String
    ) {
        let steps = (0..<uploads + deletions).map {
            DeploymentStep(
                id: "P\($0)", before: "sha256:1", after: $0 < uploads ? "sha256:2" : nil, state: .live, sends: 1)
        }
        #expect(Self.record(kind, steps).success(isCached: isCached) == text)
    }

    @Test func `policies in development are not cached`() {
        let base = TestPolicy(Self.base, "1").bytes
        let development = TestPolicy(Self.signIn, base: Self.base, "1", isRelyingParty: true, mode: "Development").bytes
        let production = TestPolicy(Self.signIn, base: Self.base, "1", isRelyingParty: true).bytes
        #expect(!PolicyCaching.isCached([base, development]))
        #expect(PolicyCaching.isCached([base, development, production]))
        #expect(PolicyCaching.isCached([base]))
        #expect(!PolicyCaching.isCached([]))
    }

    @Test func `a look at the tenant shows what is live`() {
        var policies = Self.old
        policies[Self.base] = Self.new[Self.base]
        policies[Self.unused] = TestPolicy(Self.unused, "of somebody else").bytes
        let looked = Self.record().looked(at: TestPolicy.snapshot(policies))
        #expect(looked.steps.map(\.state) == [.live, .planned, .planned, .changed])
    }
}
