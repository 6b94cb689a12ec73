import Diagnostics
import PolicyRelease
import Testing

/// Policies under new names.
struct StagedReleaseTests {
    private static func built(_ policies: [(id: String, base: String?, text: String)]) -> BuiltPolicies {
        BuiltPolicies(
            tenant: "contoso.onmicrosoft.com", environment: nil,
            policies: policies.map { id, base, text in
                let bytes = Array(text.utf8)
                let file = "policies/\(KeySet.bare(id)).xml"
                return BuiltPolicy(
                    id: id, base: base, file: file, bytes: bytes, source: SourceText(file: file, bytes: bytes),
                    isRelyingParty: text.contains("<RelyingParty>"))
            }, settings: [])
    }

    private static func plain(_ id: String, _ base: String? = nil) -> (id: String, base: String?, text: String) {
        (id, base, String(decoding: TestPolicy(id, base: base, "1").bytes, as: UTF8.self))
    }

    private static let all = built([
        plain("B2C_1A_Base"), plain("B2C_1A_Extensions", "B2C_1A_Base"), plain("B2C_1A_Reset", "B2C_1A_Base"),
        plain("B2C_1A_SignIn", "b2c_1a_extensions"),
    ])

    @Test(arguments: [
        (["B2C_1A_SignIn"], ["B2C_1A_V2_SignIn"]),
        (["b2c_1a_Extensions"], ["B2C_1A_V2_Extensions", "B2C_1A_V2_SignIn"]),
        (["B2C_1A_Base"], ["B2C_1A_V2_Base", "B2C_1A_V2_Extensions", "B2C_1A_V2_Reset", "B2C_1A_V2_SignIn"]),
        ([], []),
    ])
    func `what changes and what inherits from it gets new names`(_ changed: [String], _ names: [String]) {
        let release = StagedRelease(Self.all, changed: changed, prefix: "V2")
        #expect(release.policies.map(\.id) == names)
        #expect(release.findings == [])
        for policy in release.policies where policy.base.map({ $0.contains("V2") }) ?? false {
            #expect(names.contains { $0.lowercased() == policy.base?.lowercased() })
        }
    }

    @Test func `only the names are replaced`() throws {
        func text(_ id: String, _ base: String) -> String {
            """
            <?xml version="1.0" encoding="utf-8"?>
            <!-- B2C_1A_SignIn inherits from B2C_1A_Extensions -->
            <TrustFrameworkPolicy
              TenantId="contoso.onmicrosoft.com" PolicyId='\(id)'
              PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_SignIn/\(id)">
              <BasePolicy>
                <TenantId>contoso.onmicrosoft.com</TenantId>
                <PolicyId>\(base)</PolicyId>
              </BasePolicy>
              <RelyingParty>
                <DefaultUserJourney ReferenceId="B2C_1A_SignIn" />
                <TechnicalProfile Id="B2C_1A_Extensions"><Metadata><Item Key="PolicyId">B2C_1A_SignIn</Item></Metadata></TechnicalProfile>
              </RelyingParty>
            </TrustFrameworkPolicy>

            """
        }
        let built = Self.built([
            Self.plain("B2C_1A_Extensions"),
            ("B2C_1A_SignIn", "B2C_1A_Extensions", text("B2C_1A_SignIn", "B2C_1A_Extensions")),
        ])
        let release = StagedRelease(built, changed: ["B2C_1A_Extensions"], prefix: "V2")
        let policy = try #require(release.policies.last)
        #expect(
            String(decoding: policy.bytes, as: UTF8.self) == text("B2C_1A_V2_SignIn", "B2C_1A_V2_Extensions"))
        #expect(policy.source.bytes == policy.bytes)
        // Places are those of the file, in which the names before this one are shorter.
        let place = try #require(
            String(decoding: policy.bytes, as: UTF8.self).utf8.firstRange(of: "</BasePolicy>".utf8))
        let offset = policy.bytes.count - String(decoding: policy.bytes, as: UTF8.self).utf8[place.lowerBound...].count
        let location = policy.source.location(at: offset)
        #expect(location.file == "policies/SignIn.xml" && location.line == 9 && location.column == 3)
    }

    @Test(arguments: [
        (String(repeating: "x", count: 60), "at most 64 fit"), ("V.2", "the character ."),
    ])
    func `names that the service does not take are found`(_ prefix: String, _ part: String) throws {
        let release = StagedRelease(Self.all, changed: ["B2C_1A_SignIn"], prefix: prefix)
        let finding = try #require(release.findings.first)
        #expect(finding.message.contains(part) && finding.location?.file == "policies/SignIn.xml")
        #expect(finding.location?.line == 1 && release.findings.count == 1)
    }

    @Test func `a new name that the folder has already is found`() throws {
        let built = Self.built([Self.plain("B2C_1A_SignIn"), Self.plain("B2C_1A_V2_SignIn")])
        let release = StagedRelease(built, changed: ["B2C_1A_SignIn"], prefix: "V2")
        #expect(release.findings.map(\.rule) == ["B2C-REL-042"])
    }

    @Test(arguments: [("V2", true), ("v-2_a", true), ("", false), ("V 2", false), ("../x", false), ("ä", false)])
    func `a prefix has letters, digits, _ and -`(_ text: String, _ isGood: Bool) {
        #expect(StagedRelease.isPrefix(text) == isGood)
    }

    @Test func `names of somebody else are not replaced`() throws {
        let release = StagedRelease(Self.all, changed: ["B2C_1A_Extensions"], prefix: "V2")
        let (steps, foreign) = release.steps(tenant: TestPolicy.snapshot([:]), journal: DeploymentJournal())
        #expect(steps.map(\.id) == ["B2C_1A_V2_Extensions", "B2C_1A_V2_SignIn"] && foreign == [])
        #expect(steps.allSatisfy { $0.before == nil && $0.after != nil })

        let other = TestPolicy("B2C_1A_V2_SignIn", "2").bytes
        let same = try #require(release.policies.first)
        let tenant = TestPolicy.snapshot(["B2C_1A_V2_SignIn": other, same.id: same.bytes])
        let second = release.steps(tenant: tenant, journal: DeploymentJournal())
        #expect(second.steps.map(\.id) == ["B2C_1A_V2_SignIn"] && second.foreign == ["B2C_1A_V2_SignIn"])
    }
}
