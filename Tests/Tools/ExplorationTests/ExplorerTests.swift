import Determinism
import Diagnostics
import JSON
import TenantFiles
import Testing
import TrustFramework

@testable import Exploration

/// User flows explored as they are, and with defects planted into what they compile to.
struct ExplorerTests {
    static func flow(_ settings: JSONValue) throws -> ResolvedPolicy {
        let tenant = try Tenant(json: [
            "name": "contoso", "providers": ["facebook": [:]],
            "apps": [
                "app": ["client": ["kind": "msal-ios", "policy": "flow"], "platform": ["bundleId": "com.contoso"]]
            ],
            "policies": ["flow": settings.merging(patch: ["id": "B2C_1_flow"])],
        ])
        return try UserFlowCompiler.compile(try #require(tenant.policies.first), tenant: tenant)
    }

    /// The same policy with a piece of its text replaced.
    static func planted(_ policy: ResolvedPolicy, _ old: String, _ new: String) throws -> ResolvedPolicy {
        let text = PolicyWriter.show(policy)
        let parts = text.split(separator: old, omittingEmptySubsequences: false)
        try #require(parts.count > 1, "the policy does not hold \(old)")
        let document = try PolicyReader.read(file: "planted.xml", bytes: Array(parts.joined(separator: new).utf8))
        return try PolicyLinker.link(PolicyInheritance.merge([document]), personality: policy.personality)
    }

    @Test(arguments: ["signIn", "signUpOrSignIn", "passwordReset", "profileEditing"])
    func `a user flow has no finding that is an error, and every path ends`(_ type: String) throws {
        let exploration = try Explorer.explore(try Self.flow(["type": .string(type)]))
        #expect(exploration.cut == nil)
        #expect(!exploration.issues.isEmpty)
        #expect(exploration.findings.filter { $0.diagnostic.severity == .error }.map(\.diagnostic.description) == [])
    }

    @Test func `the same seed gives the same exploration`() throws {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        let one = try Explorer.explore(policy)
        let two = try Explorer.explore(policy)
        #expect(one.summary == two.summary)
        #expect(one.findings == two.findings)
        #expect(one.trail.map(\.words) == two.trail.map(\.words))
    }

    @Test func `an exploration that was cut says so and claims nothing of what it has not seen`() throws {
        var limits = ExplorationLimits()
        limits.states = 3
        let exploration = try Explorer.explore(try Self.flow(["type": "signUpOrSignIn"]), limits: limits)
        #expect(exploration.cut == "3 states")
        #expect(exploration.unvisited > 0)
        #expect(exploration.findings.map(\.diagnostic.rule).contains("B2C-EXP-024"))
        #expect(exploration.findings.filter { $0.diagnostic.rule == "B2C-EXP-001" } == [])
        #expect(exploration.summary.contains { $0.contains("not complete") })
    }

    @Test(arguments: [1, 2, 7, 40, 100])
    func `a limit of moves ends an exploration after exactly as many, with the same output twice`(_ moves: Int) throws {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        let limits = ExplorationLimits(moves: moves)
        let one = try Explorer.explore(policy, limits: limits)
        #expect(one.moves == moves)
        #expect(one.bound == .moves)
        #expect(one.cut == "\(moves) moves")
        #expect(one.unvisited > 0)
        #expect(one.summary.contains { $0.hasPrefix("not complete: cut by \(moves) moves; ") })
        #expect(one.summary.last == "Raise --moves to explore more.")
        let finding = try #require(one.findings.map(\.diagnostic).first { $0.rule == "B2C-EXP-024" })
        #expect(finding.message.hasPrefix("not everything was explored: cut by \(moves) moves, "))
        #expect(finding.remedy == "Raise --moves to explore more.")
        let two = try Explorer.explore(policy, limits: limits)
        #expect(one.summary == two.summary)
        #expect(one.findings == two.findings)
        #expect(one.trail.map(\.words) == two.trail.map(\.words))
    }

    @Test func `a limit of just as many moves as are needed cuts nothing, and one less does`() throws {
        let policy = try Self.flow(["type": "signIn"])
        let whole = try Explorer.explore(policy)
        let enough = try Explorer.explore(policy, limits: ExplorationLimits(moves: whole.moves))
        #expect(enough.bound == nil)
        #expect(enough.summary == whole.summary)
        let less = try Explorer.explore(policy, limits: ExplorationLimits(moves: whole.moves - 1))
        #expect(less.bound == .moves)
        #expect(less.moves == whole.moves - 1)
    }

    @Test func `time is a guard that says how many moves were made`() throws {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        func explore(seconds: Int64, moves: Int = ExplorationLimits.defaultMoves) throws -> Exploration {
            let start = Timestamp(seconds: 1_768_478_400)
            let time = VirtualTime(start)
            return try Explorer.explore(
                policy, limits: ExplorationLimits(moves: moves),
                isOutOfTime: {
                    // Each state takes a second.
                    time.advance(by: .seconds(1))
                    return time.now - start > .seconds(seconds)
                })
        }
        let cut = try explore(seconds: 2)
        #expect(cut.bound == .time)
        #expect(cut.cut == "the time limit after \(cut.moves) moves")
        #expect(cut.unvisited > 0)
        #expect(cut.advice?.hasPrefix("The result is incomplete, and another run can end at another move.") == true)
        #expect(cut.summary.contains { $0.hasPrefix("not complete: cut by the time limit after \(cut.moves) moves; ") })
        #expect(
            cut.summary.last == cut.advice)
        let finding = try #require(cut.findings.map(\.diagnostic).first { $0.rule == "B2C-EXP-024" })
        #expect(finding.remedy == cut.advice)
        // With time for more states than the moves reach, moves decide.
        #expect(try explore(seconds: 1_000_000, moves: 40).bound == .moves)
        #expect(try explore(seconds: 1_000_000).bound == nil)
    }

    /// Defects that link and upload, each with the rule that finds it.
    @Test(arguments: [
        (
            name: "the password is not checked",
            old: "<ValidationTechnicalProfile ReferenceId=\"login-NonInteractive-Email\" />", new: "",
            rule: "B2C-EXP-006"
        ),
        (
            name: "a sign-up takes over an account",
            old: "<Item Key=\"RaiseErrorIfClaimsPrincipalAlreadyExists\">true</Item>",
            new: "<Item Key=\"RaiseErrorIfClaimsPrincipalAlreadyExists\">false</Item>", rule: "B2C-EXP-009"
        ),
    ])
    func `a planted defect is found with a path`(_ defect: (name: String, old: String, new: String, rule: String))
        throws
    {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        let before = try Explorer.explore(policy).findings.map(\.diagnostic.rule)
        #expect(!before.contains(defect.rule))
        let after = try Explorer.explore(try Self.planted(policy, defect.old, defect.new)).findings
        let found = after.first { $0.diagnostic.rule == defect.rule }
        #expect(found?.diagnostic.remedy?.contains("Path: ") == true, "\(defect.name): \(after.map(\.diagnostic.rule))")
    }

    // MARK: Suites

    @Test func `a suite has a sign-in of each kind of person, and short names that differ`() throws {
        let exploration = try Explorer.explore(try Self.flow(["type": "signUpOrSignIn"]))
        let suite = exploration.suite(policy: "flow")
        let names = suite.scripts.map(\.scenario.name)
        #expect(Set(names).count == suite.scripts.count)
        #expect(names.filter { $0.count > 60 } == [])
        #expect(suite.scripts.allSatisfy { $0.scenario.description?.contains($0.path) == true })
        let plain = exploration.issues.map { exploration.starts[$0.start] }.filter { !$0.isExtra }
        let withToken = Set(plain.map(\.person.name))
        for person in withToken { #expect(names.contains { $0.hasPrefix("\(person): ") && $0.contains("token") }) }
        // A wrong password, a disabled account, an address that exists.
        let paths = suite.scripts.map(\.path)
        #expect(paths.contains { $0.contains("a wrong password") })
        #expect(paths.contains { $0.hasPrefix("dan") })
        let again = exploration.suite(policy: "flow").scripts.map(\.name)
        #expect(again == suite.scripts.map(\.name))
    }

    @Test func `each error has a script, or a reason why it has none`() throws {
        let policy = try Self.planted(
            try Self.flow(["type": "signUpOrSignIn"]),
            "<ValidationTechnicalProfile ReferenceId=\"login-NonInteractive-Email\" />", "")
        let exploration = try Explorer.explore(policy)
        let errors = exploration.findings.map(\.diagnostic).filter { $0.severity == .error }
        let written = exploration.counterExamples(policy: "flow")
        #expect(!errors.isEmpty)
        for error in errors {
            let entry = written.first { $0.rule == error.rule && $0.message == error.message }
            switch try #require(entry).script {
            case .success(let script): #expect(!script.scenario.steps.isEmpty)
            case .failure(let problem): #expect(!problem.reason.isEmpty)
            }
        }
    }

    // MARK: Invariants

    private func invariants(_ json: JSONValue, _ policy: ResolvedPolicy) throws(InvalidInput) -> Invariants {
        try Invariants(file: "explore.json", bytes: Array(JSONWriter.pretty(json).utf8), policy: policy)
    }

    private func findings(_ invariant: JSONValue) throws -> [String] {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        let invariants = try invariants(["invariants": [invariant]], policy)
        return try Explorer.explore(policy, invariants: invariants).findings.map(\.diagnostic.rule)
    }

    @Test func `an invariant that holds is silent`() throws {
        #expect(
            try findings([
                "name": "a disabled account never gets a token", "never": ["person": ["name": "dan"]],
            ]) == [])
        #expect(
            try findings([
                "name": "accounts are written after a code", "at": "write", "when": ["session": false],
                "always": ["proved": true],
            ]) == [])
    }

    @Test func `a broken invariant has the shortest path`() throws {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        let invariants = try invariants(
            ["invariants": [["name": "nobody new", "never": ["person": ["name": "nina"]]]]], policy)
        let findings = try Explorer.explore(policy, invariants: invariants).findings.map(\.diagnostic)
        let found = try #require(findings.first { $0.rule == "B2C-EXP-020" })
        #expect(found.location?.file == "explore.json")
        #expect(found.remedy?.contains("presses the sign-up link") == true)
    }

    @Test func `an invariant that never applies is an error`() throws {
        #expect(
            try findings(["name": "n", "when": ["claims": ["name": "Zoe"]], "never": ["session": true]])
                == ["B2C-EXP-021"])
    }

    private static let wrong: [(text: String, rule: String)] = [
        (#"{"invariants": [{"never": {"session": true}}]}"#, "B2C-EXP-103"),
        (#"{"invariants": [{"name": "n"}]}"#, "B2C-EXP-105"),
        (#"{"invariants": [{"name": "n", "never": {}, "always": {}}]}"#, "B2C-EXP-105"),
        (#"{"invariants": [{"name": "n", "at": "tokn", "never": {}}]}"#, "B2C-EXP-104"),
        (#"{"invariants": [{"name": "n", "nver": {}}]}"#, "B2C-EXP-102"),
        (#"{"invariants": [{"name": "n", "never": {"clams": {}}}]}"#, "B2C-EXP-102"),
        (#"{"invariants": [{"name": "n", "never": {"profiles": {"$contains": "AAD-Nothing"}}}]}"#, "B2C-EXP-106"),
        (#"{"invariants": [{"name": "n", "never": {"claims": {"nmae": "Ada"}}}]}"#, "B2C-EXP-106"),
        (#"{"invariants": [{"name": "n", "never": {"person": {"emial": "a@b.c"}}}]}"#, "B2C-EXP-102"),
        (#"{"invariants": [{"name": "n", "never": {"person": {"name": "zoe"}}}]}"#, "B2C-EXP-106"),
        (#"{"invariants": [{"name": "n", "at": "page", "never": {"page": "LocalAccountSignup"}}]}"#, "B2C-EXP-106"),
        (#"{"invariants": [{"name": "n", "at": "page", "never": {"claims": {"name": "Ada"}}}]}"#, "B2C-EXP-104"),
        (#"{"invariants": [{"name": "n", "at": "failure", "never": {"error": {"cod": "x"}}}]}"#, "B2C-EXP-102"),
        (#"{"invariants": [{"name": "n", "at": "failure", "never": {"error": {"code": "B2C1"}}}]}"#, "B2C-EXP-106"),
        (#"{"invariants": [{"name": "n", "at": "call", "never": {"call": {"verb": "GET"}}}]}"#, "B2C-EXP-102"),
        (#"{"invariants": [{"name": "n", "never": {"claims": {"name": {"$contain": "A"}}}}]}"#, "B2C-EXP-107"),
        (#"{"invariants": [{"name": "n", "never": {"$any": []}}]}"#, "B2C-EXP-107"),
        (#"{"invariants": [{"name": "n", "never": {"session": "yes"}}]}"#, "B2C-EXP-101"),
        (#"{"invariant": []}"#, "B2C-EXP-101"),
        ("[]", "B2C-EXP-101"),
    ]

    @Test(arguments: wrong)
    func `a wrong invariant is one clear error`(_ file: (text: String, rule: String)) throws {
        let policy = try Self.flow(["type": "signUpOrSignIn"])
        let error = #expect(throws: InvalidInput.self) {
            try Invariants(file: "explore.json", bytes: Array(file.text.utf8), policy: policy)
        }
        #expect(error?.diagnostics.first?.rule == file.rule)
        #expect(error?.diagnostics.first?.location != nil)
    }
}
