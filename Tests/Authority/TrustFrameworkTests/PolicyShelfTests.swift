import Diagnostics
import JSON
import Synchronization
import TenantFiles
import Testing
import TrustFramework

@Suite struct PolicyShelfTests {
    private static let root = PolicyTexts.file(
        id: "B2C_1A_root", blocks: PolicyTexts.claims, providers: PolicyTexts.issuer, journeys: PolicyTexts.send)
    private static let leaf = PolicyTexts.file(id: "B2C_1A_leaf", base: "B2C_1A_ROOT", party: PolicyTexts.party)

    /// Loads one custom policy `leaf` of a tenant in the folder `tenants`.
    private func load(
        _ texts: [String: String], _ more: JSONValue = [:], entry: JSONValue = [:]
    ) -> (policy: ResolvedPolicy?, findings: [Diagnostic]) {
        do throws(InvalidInput) {
            let tenant = try Tenant(
                json: ([
                    "name": "contoso",
                    "policies": [
                        "leaf": (["id": "B2C_1A_leaf", "type": "custom", "file": "../p/Leaf.xml"] as JSONValue).merging(
                            patch: entry)
                    ],
                ] as JSONValue).merging(patch: more))
            return (try PolicyLibrary.load(tenant: tenant, folder: "tenants", files: .texts(texts)).first, [])
        } catch {
            return (nil, error.diagnostics)
        }
    }

    @Test func `parents are found in the folder of the file`() throws {
        let found = load(["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root, "p/notes.xml": "<notes/>"])
        #expect(found.policy?.id == "B2C_1A_leaf")
        #expect(found.policy?.personality.isUserFlow == false)
    }

    @Test func `parents are found in policyFolders after the file's own folder`() throws {
        let other = Self.root.replacing("displayName", "nickname")
        let texts = ["p/Leaf.xml": Self.leaf, "base/Root.xml": Self.root, "late/Root.xml": other]
        #expect(load(texts).findings.map(\.rule) == ["B2C-POL-006"])
        let found = load(texts, ["policyFolders": ["../base", "../late"]])
        #expect(found.policy?.claimType("displayName") != nil)
        let own = load(texts.merging(["p/Root.xml": other]) { $1 }, ["policyFolders": ["../base"]])
        #expect(own.policy?.claimType("nickname") != nil)
    }

    @Test func `a finding says where and what is missing`() {
        let none = load(["p/leaf.xml": Self.leaf])
        #expect(none.findings.map(\.rule) == ["B2C-POL-091"])
        #expect(none.findings.first?.location?.pointer == "/policies/leaf/file")
        #expect(none.findings.first?.remedy == "Did you mean leaf.xml?")
        let parent = load(["p/Leaf.xml": Self.leaf])
        let column = 1 + "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId>".count
        #expect(parent.findings.first?.location?.description == "p/Leaf.xml:2:\(column)")
        let wrongID = load(["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root], entry: ["id": "B2C_1A_other"])
        #expect(wrongID.findings.first?.remedy == "Write \"id\": \"B2C_1A_leaf\".")
        #expect(wrongID.findings.first?.location?.pointer == "/policies/leaf/id")
        let twice = load(["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root, "p/Root2.xml": Self.root])
        #expect(twice.findings.map(\.rule) == ["B2C-POL-011"])
        #expect(twice.findings.first?.location?.file == "p/Root2.xml")
    }

    /// A parent that cannot be read is named with what is wrong in it, not as missing.
    @Test func `a finding names the broken parent`() {
        let broken = load(["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root.replacing("</UserJourneys>", "")])
        #expect(broken.findings.map(\.rule) == ["B2C-POL-001"])
        #expect(broken.findings.first?.location?.file == "p/Root.xml")
        let doctype = load(["p/Leaf.xml": Self.leaf, "p/Root.xml": "<!DOCTYPE x [<!ENTITY a \"b\">]>" + Self.root])
        #expect(doctype.findings.first?.location?.file == "p/Root.xml")
    }

    @Test func `the tenant replaces the placeholder`() throws {
        let texts = ["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root].mapValues {
            $0.replacing("contoso.onmicrosoft.com", "YourTenant.onmicrosoft.com")
        }
        let policy = try #require(load(texts).policy)
        #expect(policy.tenantID == "contoso.onmicrosoft.com")
        #expect(policy.document.publicPolicyURI == "http://contoso.onmicrosoft.com/B2C_1A_leaf")
        #expect(policy.findings.isEmpty)
        let foreign = texts.mapValues { $0.replacing("YourTenant", "fabrikam") }
        #expect(load(foreign).policy?.findings.map(\.rule) == ["B2C-POL-007"])
    }

    private static let settings = """
        {"Environments": [
          {"Name": "Development", "Tenant": "contoso.onmicrosoft.com", "PolicySettings": {"Issuer": "JwtIssuer", "Days": 3}},
          {"Name": "Test", "PolicySettings": {"Issuer": "NoIssuer"}}
        ]}
        """

    @Test func `settings are filled in from a file with environments`() throws {
        let root = Self.root.replacing("ReferenceId=\"JwtIssuer\"", "ReferenceId=\"{Settings:Issuer}\"")
        let texts = ["p/Leaf.xml": Self.leaf, "p/Root.xml": root, "p/appsettings.json": Self.settings]
        #expect(load(texts).findings.map(\.rule).contains("B2C-POL-021"))
        #expect(load(texts, ["policySettings": ["issuer": "JwtIssuer"]]).policy != nil)
        #expect(load(texts, ["policySettingsFile": "../p/appsettings.json"]).policy != nil)
        let other = load(texts, ["policySettingsFile": "../p/appsettings.json", "policyEnvironment": "test"])
        #expect(other.findings.first?.message.contains("NoIssuer") == true)
        let unknown = load(texts, ["policySettingsFile": "../p/appsettings.json", "policyEnvironment": "Production"])
        #expect(unknown.findings.map(\.rule) == ["B2C-POL-092"])
        #expect(load(texts, ["policySettingsFile": "none.json"]).findings.map(\.rule) == ["B2C-POL-092"])
    }

    @Test func `each file is read once`() throws {
        let texts = ["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root]
        let reads = Mutex(0)
        let shelf = PolicyShelf(
            files: PolicyFiles(
                read: { path in
                    reads.withLock { $0 += 1 }
                    return texts[path].map { Array($0.utf8) }
                },
                list: { $0 == "p" ? ["Leaf.xml", "Root.xml"] : nil }))
        let tenant = try Tenant(json: [
            "name": "contoso", "policies": ["leaf": ["id": "B2C_1A_leaf", "type": "custom", "file": "p/Leaf.xml"]],
        ])
        let first = try shelf.load(tenant: tenant, folder: ".")
        let second = try shelf.load(tenant: tenant, folder: ".")
        #expect(first.first === second.first)
        #expect(reads.withLock { $0 } == 2)
    }

    @Test func `the deployment mode is that of the tenant file`() throws {
        let texts = ["p/Leaf.xml": Self.leaf, "p/Root.xml": Self.root]
        #expect(load(texts).policy?.deploymentMode == .production)
        #expect(load(texts, entry: ["production": false]).policy?.deploymentMode == .development)
    }

    @Test(
        arguments: [
            ("<TrustFrameworkPolicy PolicyId='a'>", "a"),
            (
                "<?xml version=\"1.0\"?>\n<!-- <TrustFrameworkPolicy PolicyId=\"x\"> -->"
                    + "<TrustFrameworkPolicy\n xmlns=\"u\"\n PolicyId = \"b\" >", "b"
            ),
            ("<policy PolicyId=\"a\">", nil), ("", nil), ("<TrustFrameworkPolicy", nil),
            ("<TrustFrameworkPolicy PolicyId=", nil),
            ("<!-- ", nil), ("<TrustFrameworkPolicy TenantId=\"t\">", nil),
            // What is broken later is reported by the reader of the whole file.
            ("\u{FEFF}<!-- a -- b --><TrustFrameworkPolicy PolicyId=\"c\" TenantId=t>", "c"),
            ("<TrustFrameworkPolicy PolicyId='d' <a>", "d"), ("<TrustFrameworkPolicies PolicyId=\"a\">", nil),
            ("<!DOCTYPE a><TrustFrameworkPolicy PolicyId=\"a\">", nil),
        ] as [(String, String?)]) func `the id is read without the rest of the file`(_ text: String, _ id: String?)
    {
        #expect(PolicyReader.peekPolicyID(Array(text.utf8)) == id)
    }
}
