import Diagnostics
import JSON
import PolicyRelease
import Testing

/// What a release changes, and in which order.
struct ReleasePlanTests {
    private static func xml(_ id: String, base: String? = nil, _ more: String = "") -> [UInt8] {
        let parent = base.map { "<BasePolicy><TenantId>t</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>" } ?? ""
        return Array(
            "<TrustFrameworkPolicy TenantId=\"t\" PolicyId=\"\(id)\">\(parent)\(more)</TrustFrameworkPolicy>".utf8)
    }

    private static func built(_ policies: [(id: String, base: String?, more: String)]) -> BuiltPolicies {
        BuiltPolicies(
            tenant: "contoso.onmicrosoft.com", environment: "Test",
            policies: policies.map { policy in
                let bytes = xml(policy.id, base: policy.base, policy.more)
                return BuiltPolicy(
                    id: policy.id, base: policy.base, file: "policies/\(policy.id).xml", bytes: bytes,
                    source: SourceText(file: "policies/\(policy.id).xml", bytes: bytes), isRelyingParty: false)
            }, settings: [])
    }

    private static func tenant(_ policies: [(id: String, bytes: [UInt8])]) -> TenantSnapshot {
        TenantSnapshot(
            organization: TenantOrganization(
                id: "9d3bd4c5-b3b1-4a51-9f1d-6a5a1c3d6c11", domains: ["contoso.onmicrosoft.com"]),
            policies: policies.map { TenantPolicy(id: $0.id, bytes: $0.bytes) })
    }

    private static let folder = built([
        ("B2C_1A_Base", nil, ""), ("B2C_1A_Extensions", "B2C_1A_Base", "<BuildingBlocks />"),
        ("B2C_1A_SignIn", "B2C_1A_Extensions", ""),
    ])

    /// A tenant with the same base, other extensions, no sign-in, and two policies of its own.
    private static let snapshot = tenant([
        ("b2c_1a_base", xml("B2C_1A_Base")), ("B2C_1A_Extensions", xml("B2C_1A_Extensions", base: "B2C_1A_Base")),
        ("B2C_1A_Theirs", xml("B2C_1A_Theirs")),
        ("B2C_1A_TheirChild", xml("B2C_1A_TheirChild", base: "B2C_1A_Theirs")),
    ])

    @Test func `policies are created, updated and left as they are, and others stay`() {
        let plan = ReleasePlan(built: Self.folder, tenant: Self.snapshot, deletes: false)
        #expect(plan.steps.map(\.action) == [.unchanged, .update, .create])
        #expect(plan.uploads.map(\.id) == ["B2C_1A_Extensions", "B2C_1A_SignIn"])
        #expect(plan.steps[2].before == nil && plan.steps[2].after != nil)
        #expect(plan.steps[1].before != plan.steps[1].after)
        #expect(plan.notInFolder.map(\.id) == ["B2C_1A_Theirs", "B2C_1A_TheirChild"])
        #expect(plan.deletions.isEmpty && !plan.isEmpty)
        #expect(plan.environment == "Test" && plan.tenant == Self.snapshot.organization)
    }

    @Test func `with deletes a policy that the folder lacks is deleted, children first and last of all`() {
        let plan = ReleasePlan(built: Self.folder, tenant: Self.snapshot, deletes: true)
        #expect(plan.steps.suffix(2).map(\.id) == ["B2C_1A_TheirChild", "B2C_1A_Theirs"])
        #expect(plan.deletions.allSatisfy { $0.file == nil && $0.after == nil && $0.before != nil })
        #expect(plan.notInFolder.isEmpty)
    }

    @Test func `a tenant that has the folder gets an empty plan`() {
        let same = Self.tenant(Self.folder.policies.map { ($0.id, $0.bytes) })
        let plan = ReleasePlan(built: Self.folder, tenant: same, deletes: true)
        #expect(plan.isEmpty && plan.uploads.isEmpty && plan.deletions.isEmpty)
    }

    @Test func `uploads are put into an order, and an order that lacks one is ignored`() {
        var plan = ReleasePlan(built: Self.folder, tenant: Self.snapshot, deletes: true)
        plan.order(uploads: ["B2C_1A_SignIn", "b2c_1a_extensions"])
        #expect(
            plan.steps.map(\.id) == [
                "B2C_1A_Base", "B2C_1A_SignIn", "B2C_1A_Extensions", "B2C_1A_TheirChild", "B2C_1A_Theirs",
            ])
        let before = plan
        plan.order(uploads: ["B2C_1A_SignIn"])
        #expect(plan == before)
    }

    @Test func `a plan is written and read again`() throws {
        for deletes in [false, true] {
            let plan = ReleasePlan(built: Self.folder, tenant: Self.snapshot, deletes: deletes)
            let text = JSONWriter.pretty(.object(plan.json))
            let document = try JSONDocument(file: "plan.json", bytes: Array(text.utf8))
            #expect(try ReleasePlan(document) == plan)
            #expect(try ReleasePlan(json: plan.json, file: "plan.json") == plan)
            #expect(!text.contains("<"), "a plan has no part of a policy")
        }
    }

    @Test func `a tenant that moved since the plan is noticed`() {
        let plan = ReleasePlan(built: Self.folder, tenant: Self.snapshot, deletes: false)
        #expect(plan.moved(since: Self.snapshot).isEmpty)
        var now = Self.snapshot
        now.policies[1].bytes = Self.xml("B2C_1A_Extensions", base: "B2C_1A_Base", "<ClaimsProviders />")
        now.policies[2] = TenantPolicy(id: "B2C_1A_New", bytes: Self.xml("B2C_1A_New"))
        #expect(plan.moved(since: now) == ["B2C_1A_Extensions", "B2C_1A_Theirs", "B2C_1A_New"])
    }

    /// A file that is not a plan, and a part of the finding.
    struct Wrong: Sendable {
        var text: String
        var message: String
        var line: Int
    }

    private static let digest = "\"sha256:00\""

    @Test(arguments: [
        Wrong(text: "[]", message: "this is not a plan of a policy release", line: 1),
        Wrong(text: "{\"version\": 1}", message: "this is not a plan of a policy release", line: 1),
        Wrong(
            text: "{\"kind\": \"policy release plan\",\n\"version\": 2}",
            message: "the plan has another version, expected 1", line: 2),
        Wrong(
            text: "{\"kind\": \"policy release plan\",\n\"version\": 1, \"tenant\": {\"id\": \"a\"},\n\"steps\": {}}",
            message: "`steps` is object, expected an array", line: 3),
        Wrong(
            text: "{\"kind\": \"policy release plan\", \"version\": 1, \"tenant\": {\"id\": \"a\"}, \"steps\": [\n"
                + "{\"policy\": \"B2C_1A_A\", \"action\": \"replace\"}]}",
            message: "`action` is string, expected create, update", line: 2),
        Wrong(
            text: "{\"kind\": \"policy release plan\", \"version\": 1, \"tenant\": {\"id\": \"a\"}, \"steps\": [\n"
                + "{\"policy\": \"B2C_1A_A\", \"action\": \"update\", \"before\": \"md5:1\"}]}",
            message: "`before` is string, expected sha256:", line: 2),
    ])
    func `a file that is not a plan gets a finding with its place`(_ wrong: Wrong) throws {
        let document = try JSONDocument(file: "plan.json", bytes: Array(wrong.text.utf8))
        let error = #expect(throws: InvalidInput.self) { try ReleasePlan(document) }
        let finding = try #require(error?.diagnostics.first)
        #expect(finding.message.contains(wrong.message), "\(finding)")
        #expect(finding.location?.line == wrong.line && finding.rule == "B2C-REL-001", "\(finding)")
    }
}
