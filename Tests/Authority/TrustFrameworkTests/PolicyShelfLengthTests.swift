import Diagnostics
import JSON
import TenantFiles
import Testing
import TrustFramework

/// How the work of a shelf grows with the policies of a tenant, in policies linked.
@Suite struct PolicyShelfLengthTests {
    /// A tenant of so many user flows that differ in name and id.
    private func flows(_ count: Int, _ patch: JSONValue = [:]) throws -> Tenant {
        let policies = JSONObject(
            (0..<count).map { ("p\($0)", ["id": .string("B2C_1_p\($0)"), "type": "signUpOrSignIn"] as JSONValue) })
        return try Tenant(
            json: (["name": "contoso", "policies": .object(policies)] as JSONValue).merging(patch: patch))
    }

    @Test func `a tenant of equal user flows links one, and each other when it is used`() throws {
        for count in [200, 400] {
            let shelf = PolicyShelf(files: .none)
            let policies = try shelf.load(tenant: try flows(count), folder: ".")
            #expect(policies.map(\.id) == (0..<count).map { "B2C_1_p\($0)" })
            #expect(policies.allSatisfy { $0.personality.isUserFlow })
            #expect(shelf.linkedPolicies == 1)
            #expect(policies[count - 1].journeys.count == policies[0].journeys.count)
            #expect(policies[count - 1].document.policyID == "B2C_1_p\(count - 1)")
            #expect(shelf.linkedPolicies == 2)
        }
    }

    /// More policies than a shelf keeps beyond those of a tenant.
    @Test func `a patch links the user flow that it changes`() throws {
        for count in [200, 400] {
            let shelf = PolicyShelf(files: .none)
            let before = try shelf.load(tenant: try flows(count), folder: ".")
            for policy in before { _ = policy.fingerprint }
            #expect(shelf.linkedPolicies == count)
            for turn in 0..<3 {
                let patch: JSONValue = ["policies": ["p0": ["tokens": ["idToken": .string("PT1\(turn)M")]]]]
                let after = try shelf.load(tenant: try flows(count, patch), folder: ".")
                #expect(zip(before, after).dropFirst().allSatisfy { $0 === $1 })
                #expect(after[0].fingerprint != before[0].fingerprint)
                #expect(shelf.linkedPolicies == count + 1 + turn)
            }
            let again = try shelf.load(tenant: try flows(count), folder: ".")
            #expect(zip(before, again).allSatisfy { $0 === $1 })
        }
    }

    @Test func `a user flow that is linked late is the one that is linked at once`() throws {
        let settings: JSONValue = [
            "policies": [
                "*": [
                    "attributes": ["displayName", "country", "extension_Level"], "claims": ["displayName", "emails"],
                    "mfa": ["method": "email", "when": "always"], "captcha": true,
                ]
            ]
        ]
        let tenant = try flows(3, settings)
        let late = try PolicyShelf(files: .none).load(tenant: tenant, folder: ".")
        for (settings, policy) in zip(tenant.policies, late) {
            let atOnce = try UserFlowCompiler.compile(settings, tenant: tenant)
            #expect(policy.fingerprint == atOnce.fingerprint)
            #expect(policy.personality == atOnce.personality)
            #expect(policy.id == atOnce.id)
            #expect(policy.document == atOnce.document)
            #expect(policy.profiles.map(\.id) == atOnce.profiles.map(\.id))
            #expect(policy.findings == atOnce.findings)
        }
    }

    @Test func `wrong settings of every user flow are reported`() throws {
        let wrong: JSONValue = [
            "policies": ["p1": ["claims": ["displayNam"]], "p3": ["claims": ["displayNam"]]]
        ]
        let tenant = try flows(5, wrong)
        let shelf = PolicyShelf(files: .none)
        for _ in 0..<2 {
            do throws(InvalidInput) {
                _ = try shelf.load(tenant: tenant, folder: ".")
                Issue.record("wrong settings were taken")
            } catch {
                let places = error.diagnostics.map { $0.location?.pointer }
                #expect(places == ["/policies/p1/claims/0", "/policies/p3/claims/0"])
            }
        }
    }

    @Test func `each custom policy is linked once, whatever is patched`() throws {
        let root = PolicyTexts.file(
            id: "B2C_1A_root", blocks: PolicyTexts.claims, providers: PolicyTexts.issuer, journeys: PolicyTexts.send)
        for count in [200, 400] {
            var texts = ["p/Root.xml": root]
            var policies = JSONObject()
            for number in 0..<count {
                texts["p/L\(number).xml"] = PolicyTexts.file(
                    id: "B2C_1A_l\(number)", base: "B2C_1A_ROOT", party: PolicyTexts.party)
                policies["l\(number)"] = [
                    "id": .string("B2C_1A_l\(number)"), "type": "custom", "file": .string("p/L\(number).xml"),
                ]
            }
            let file: JSONValue = ["name": "contoso", "policies": .object(policies)]
            let shelf = PolicyShelf(files: .texts(texts))
            let before = try shelf.load(tenant: try Tenant(json: file), folder: ".")
            #expect(shelf.linkedPolicies == count)
            let patched = file.merging(patch: [
                "policies": ["l0": ["production": false]], "users": ["ada": ["email": "ada@example.test"]],
            ])
            for _ in 0..<2 {
                let after = try shelf.load(tenant: try Tenant(json: patched), folder: ".")
                #expect(zip(before, after).dropFirst().allSatisfy { $0 === $1 })
                #expect(shelf.linkedPolicies == count + 1)
            }
            // Defaults of the engine: the first is read when a policy runs, the second when it is linked.
            let changes: [(defaults: JSONValue, links: Int)] = [
                (["restAttempts": 1], 0), (["inheritedClaimsFirst": false], count),
            ]
            for (defaults, links) in changes {
                let before = shelf.linkedPolicies
                let patched = file.merging(patch: ["authority": ["defaults": defaults]])
                _ = try shelf.load(tenant: try Tenant(json: patched), folder: ".")
                #expect(shelf.linkedPolicies - before == links)
            }
        }
    }

    @Test func `scenarios that load a tenant at the same time link each policy once`() async throws {
        let root = PolicyTexts.file(
            id: "B2C_1A_root", blocks: PolicyTexts.claims, providers: PolicyTexts.issuer, journeys: PolicyTexts.send)
        let leaf = PolicyTexts.file(id: "B2C_1A_leaf", base: "B2C_1A_ROOT", party: PolicyTexts.party)
        let shelf = PolicyShelf(files: .texts(["p/Leaf.xml": leaf, "p/Root.xml": root]))
        let tenant = try Tenant(json: [
            "name": "contoso",
            "policies": [
                "leaf": ["id": "B2C_1A_leaf", "type": "custom", "file": "p/Leaf.xml"], "susi": ["id": "B2C_1_susi"],
                "late": ["id": "B2C_1_late"],
            ],
        ])
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { try shelf.load(tenant: tenant, folder: ".").map(\.fingerprint).joined() }
            }
            let all = try await group.reduce(into: Set<String>()) { $0.insert($1) }
            #expect(all.count == 1)
        }
        #expect(shelf.linkedPolicies == 3)
    }
}
