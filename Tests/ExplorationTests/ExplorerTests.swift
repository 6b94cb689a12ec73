import B2CProtocol
import Diagnostics
import JSON
import Testing
import TrustFramework

@testable import Exploration

/// User flows explored as they are, and with defects planted into what they compile to.
struct ExplorerTests {
    static func flow(_ settings: JSONValue) throws -> ResolvedPolicy {
        let tenant = try Tenant(json: [
            "name": "contoso", "providers": ["facebook": [:]],
            "apps": ["app": ["client": ["kind": "msal-ios", "policy": "flow"], "platform": ["bundleId": "com.contoso"]]],
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

    @Test(arguments: ["signIn", "signUpOrSignIn", "passwordReset", "profileEdit"])
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
        #expect(exploration.findings.filter { $0.diagnostic.rule == "B2C-EXP-001" } == [])
        #expect(exploration.summary.contains { $0.contains("not complete") })
    }
}
