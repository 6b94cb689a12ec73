import AuthorityHosting
import Diagnostics
import Exchanges
import JSON
import ScenarioRunner
import TenantFiles
import Testing
import Verbs

/// Sign-ins that a program plays without a script.
@Suite struct SignInTests {
    private let tenant: JSONValue
    private let outline: Tenant
    private let options = RunOptions(seed: 1)

    init() throws {
        let ropc: JSONValue = [
            "policies": ["ropc": ["id": "B2C_1_ropc", "type": "ropc"]],
            "apps": ["ios": ["registration": ["ropc": true, "implicit": ["idToken": true, "accessToken": true]]]],
        ]
        tenant = try JSONParser.parse(StarterTenant.text).merging(patch: ropc)
        outline = TenantFile.outline(of: tenant)
    }

    private func signIn(_ person: String, _ policy: String, _ configure: JSONValue? = nil) throws -> SignIn {
        let record = try #require(outline.user(named: person))
        return SignIn(
            person: record, policy: outline.policy(named: policy),
            on: ScenarioDraft(name: "t", tenant: .inPlace(tenant), app: "ios", configure: configure))
    }

    @Test(arguments: [
        ("ada", "susi", ["signIn"]), ("nina", "susi", ["signIn", "signUp"]), ("ada", "ropc", []),
        ("ada", "edit", ["signIn", "profile"]),
    ])
    func `a person gets tokens in the way that the policy has`(
        person: String, policy: String, pages: [String]
    ) async throws {
        let outcome = try await signIn(person, policy).play(options: options)
        #expect(outcome.failure == nil && outcome.errorText == nil && outcome.report.isGood)
        #expect(outcome.pages.compactMap { $0["name"]?.stringValue }.prefix(1) == pages.prefix(1))
        let name = person == "ada" ? "Ada" : "Nina"
        #expect(outcome.claims(.idToken)?["name"]?.stringValue == name)
        #expect(outcome.token(.idToken)?.split(separator: ".").count == 3)
    }

    @Test(arguments: [
        (
            "ada", "susi", #"{"users": {"ada": {"accountEnabled": false}}}"#,
            "the sign-in stops at the page signIn, saying \""
        ),
        ("ada", "ropc", #"{"users": {"ada": {"password": "Other-2026"}}}"#, "AADB2C90225: "),
        (
            "ada", "ropc", #"{"apps": {"ios": {"registration": {"implicit": {"idToken": false}}}}}"#,
            "AADB2C90057: The provided application is not configured to allow the 'OAuth' Implicit flow."
        ),
        ("ada", "susi", #"{"device": {"network": "offline"}}"#, "network"),
        ("nina", "reset", "{}", "the sign-in stops at the page "),
    ])
    func `where there is no token a sentence gives the reason`(
        person: String, policy: String, configure: String, reason: String
    ) async throws {
        let outcome = try await signIn(person, policy, JSONParser.parse(configure)).play(options: options)
        #expect(outcome.failure?.hasPrefix(reason) == true, "\(outcome.failure ?? "a token")")
        #expect(outcome.failure?.contains("\n") == false)
        #expect(outcome.token(.accessToken) == nil && outcome.claims(.idToken) == nil)
    }

    @Test(arguments: ["susi", "ropc"])
    func `later steps name the tokens of the sign-in`(policy: String) async throws {
        var signIn = try signIn("ada", policy)
        signIn.after = [
            Step(MintToken(MintOrder(from: signIn.reference(to: .idToken), claims: ["aud": "other"])))
        ]
        let outcome = try await signIn.play(options: options)
        #expect(outcome.steps.count == 2)
        #expect(outcome.steps.last?["result", "token"]?.stringValue?.isEmpty == false, "\(outcome.problem ?? "")")
    }

    @Test func `what is shown may be masked, and the tokens stay`() async throws {
        let outcome = try await signIn("ada", "susi").play(options: options)
        var masked = outcome.report
        masked.scenarios[0].steps[0].outcome = ["result": "masked"]
        let shown = outcome.shown(as: masked)
        #expect(shown.steps == [["result": "masked"]])
        #expect(shown.token(.idToken) == outcome.token(.idToken) && shown.token(.idToken) != nil)
    }

    @Test func `the same seed gives the same tokens`() async throws {
        let first = try await signIn("ada", "susi").play(options: options)
        let second = try await signIn("ada", "susi").play(options: options)
        #expect(first.requests == second.requests && first.token(.idToken) == second.token(.idToken))
        let other = try await signIn("ada", "susi").play(options: RunOptions(seed: 2))
        #expect(first.requests != other.requests)
    }

    @Test func `a tenant with faults is refused before anything is played`() async throws {
        var signIn = try signIn("ada", "susi")
        signIn.stage.tenant = .inPlace(tenant.merging(patch: ["policiez": [:]]))
        await #expect(throws: InvalidInput.self) { _ = try await signIn.play(options: options) }
    }
}
