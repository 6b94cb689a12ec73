import Determinism
import Diagnostics
import JSON
import PolicyRelease
import Testing
import TrustFramework

/// A tenant's policies in a folder: what means the same stays, byte for byte.
struct PolicyPullTests {
    /// The tenant after an upload of the pack, with edits of what it has.
    private static func tenant(_ edits: [(String, String)] = []) throws -> TenantSnapshot {
        let built = try #require(try BuildPack.built())
        return TenantSnapshot(
            organization: BuildPack.organization,
            policies: built.policies.map { policy in
                var text = String(decoding: policy.bytes, as: UTF8.self)
                for (from, to) in edits { text = text.replacing(from, with: to) }
                return TenantPolicy(id: policy.id, bytes: Array(text.utf8))
            })
    }

    private static func pull(
        _ tenant: TenantSnapshot, into files: [(path: String, bytes: [UInt8])] = BuildPack.files,
        settings: [UInt8]? = BuildPack.settings
    ) throws -> PolicyPull.Outcome {
        let (outcome, findings) = PolicyPull.pull(
            tenant,
            into: PolicyPull.Folder(
                files: files, settings: settings, environment: try settings.map { try BuildPack.environment($0) }),
            naming: "Test", path: { "p/" + $0 })
        #expect(findings.isEmpty, "\(findings)")
        return try #require(outcome)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The files with what was written.
    private static func files(_ outcome: PolicyPull.Outcome) -> [(path: String, bytes: [UInt8])] {
        BuildPack.files.map { file in outcome.files.first { $0.path == file.path } ?? file }
    }

    @Test func `what was uploaded comes back as nothing`() throws {
        let outcome = try Self.pull(try Self.tenant())
        #expect(outcome.files.isEmpty)
        #expect(outcome.settings == nil)
        #expect(outcome.entries.map(\.change) == [.unchanged, .unchanged, .unchanged])
    }

    @Test func `an empty folder builds to the same meaning`() throws {
        let tenant = try Self.tenant()
        let outcome = try Self.pull(tenant, into: [], settings: nil)
        #expect(outcome.entries.map(\.change) == [.added, .added, .added])
        #expect(outcome.files.map(\.path) == ["p/B2C_1A_Base.xml", "p/B2C_1A_Extensions.xml", "p/B2C_1A_SignIn.xml"])
        let settings = try #require(outcome.settings)
        let values = try JSONParser.parse(Self.text(settings))["Environments"]?[0]
        #expect(values?["Name"]?.stringValue == "Test")
        #expect(values?["Tenant"]?.stringValue == BuildPack.tenant)
        #expect(values?["PolicySettings", "ProxyIdentityExperienceFrameworkAppId"]?.stringValue == BuildPack.proxy)
        #expect(values?["PolicySettings", "IdentityExperienceFrameworkAppId"]?.stringValue == BuildPack.framework)
        #expect(values?["PolicySettings", "AADExtensionsAppId"]?.stringValue == BuildPack.appID)
        #expect(values?["PolicySettings", "AADExtensionsObjectId"]?.stringValue == BuildPack.objectID)
        let written = outcome.files.map { Self.text($0.bytes) }.joined()
        for value in [BuildPack.proxy, BuildPack.framework, BuildPack.appID, BuildPack.objectID, "TenantId=\"contoso"] {
            #expect(!written.contains(value))
        }
        // An address of the tenant's own is not a structural place.
        #expect(written.contains("https://contoso.onmicrosoft.com/api"))
        let built = try #require(
            PolicyBuild.build(outcome.files, environment: try BuildPack.environment(settings), tenant: nil).policies)
        for policy in tenant.policies {
            #expect(
                built.policy(policy.id).map { PolicyMeaning.digest($0.bytes) } == PolicyMeaning.digest(policy.bytes))
        }
        let second = try Self.pull(tenant, into: outcome.files, settings: settings)
        #expect(second.files.isEmpty && second.settings == nil)
    }

    /// A change in the tenant, and lines of files that it replaces.
    struct Edit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var from: String
        var to: String
        var removed: [String]
        var added: [String]
    }

    static let edits: [Edit] = [
        Edit(
            testDescription: "an attribute", from: "DefaultValue=\"gold\"", to: "DefaultValue=\"silver\"",
            removed: ["        <OutputClaim ClaimTypeReferenceId=\"tier\" DefaultValue=\"gold\" />"],
            added: ["        <OutputClaim ClaimTypeReferenceId=\"tier\" DefaultValue=\"silver\" />"]),
        Edit(
            testDescription: "a new attribute", from: "ClaimTypeReferenceId=\"email\" />",
            to: "ClaimTypeReferenceId=\"email\" PartnerClaimType=\"a&quot;b\"/>",
            removed: ["        <OutputClaim ClaimTypeReferenceId=\"email\" />"],
            added: ["        <OutputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"a&quot;b\" />"]),
        Edit(
            testDescription: "an attribute that is gone", from: " DefaultValue=\"gold\"", to: "",
            removed: ["        <OutputClaim ClaimTypeReferenceId=\"tier\" DefaultValue=\"gold\" />"],
            added: ["        <OutputClaim ClaimTypeReferenceId=\"tier\" />"]),
        Edit(
            testDescription: "a part beside a setting", from: "/api?tier=a&amp;x=1", to: "/api/v2?x=1&amp;tier=b",
            removed: ["            <Item Key=\"service\">https://{Settings:Tenant}/api?tier=a&amp;x=1</Item>"],
            added: ["            <Item Key=\"service\">https://{Settings:Tenant}/api/v2?x=1&amp;tier=b</Item>"]),
        Edit(
            testDescription: "another value than a setting's", from: "https://contoso.onmicrosoft.com/api",
            to: "https://fabrikam.onmicrosoft.com/api",
            removed: ["            <Item Key=\"service\">https://{Settings:Tenant}/api?tier=a&amp;x=1</Item>"],
            added: ["            <Item Key=\"service\">https://fabrikam.onmicrosoft.com/api?tier=a&amp;x=1</Item>"]),
        Edit(
            testDescription: "a new element", from: "<OutputClaim ClaimTypeReferenceId=\"tier\"",
            to: "<OutputClaim ClaimTypeReferenceId=\"name\" /><OutputClaim ClaimTypeReferenceId=\"tier\"", removed: [],
            added: ["        <OutputClaim ClaimTypeReferenceId=\"name\" />"]),
        Edit(
            testDescription: "an element that is gone", from: "<OutputClaim ClaimTypeReferenceId=\"email\" />", to: "",
            removed: ["        <OutputClaim ClaimTypeReferenceId=\"email\" />"], added: []),
        Edit(
            testDescription: "a text beside a comment", from: "<DisplayName>E-mail</DisplayName>",
            to: "<DisplayName>Mail</DisplayName>",
            removed: ["        <DisplayName>E-mail</DisplayName> <!-- shown -->"],
            added: ["        <DisplayName>Mail</DisplayName> <!-- shown -->"]),
        Edit(
            testDescription: "an element with elements", from: "</ClaimsSchema>",
            to: "<ClaimType Id=\"tier\"><DisplayName>Tier</DisplayName></ClaimType></ClaimsSchema>", removed: [],
            // Its end is a line like another one.
            added: ["      <ClaimType Id=\"tier\">", "        <DisplayName>Tier</DisplayName>"]),
        Edit(
            testDescription: "the order of claims on a page, which counts",
            from: "<OutputClaim ClaimTypeReferenceId=\"email\" />\n        <OutputClaim ClaimTypeReferenceId=\"tier\" "
                + "DefaultValue=\"gold\" />",
            to: "<OutputClaim ClaimTypeReferenceId=\"tier\" DefaultValue=\"gold\" />\n        "
                + "<OutputClaim ClaimTypeReferenceId=\"email\" />", removed: [], added: []),
    ]

    @Test(arguments: edits) func `a change in the tenant changes its lines and no others`(_ edit: Edit) throws {
        let tenant = try Self.tenant([(edit.from, edit.to)])
        let outcome = try Self.pull(tenant)
        #expect(outcome.files.count == 1)
        #expect(outcome.settings == nil)
        let file = try #require(outcome.files.first)
        let before = try #require(BuildPack.files.first { $0.path == file.path })
        #expect(Self.lines(before.bytes, without: file.bytes) == edit.removed)
        #expect(Self.lines(file.bytes, without: before.bytes) == edit.added)
        let files = Self.files(outcome)
        let built = try #require(try BuildPack.built(files))
        for policy in tenant.policies {
            #expect(
                built.policy(policy.id).map { PolicyMeaning.digest($0.bytes) } == PolicyMeaning.digest(policy.bytes))
        }
        #expect(try Self.pull(tenant, into: files).files.isEmpty)
    }

    /// The lines of a text that another one does not have, without their ends, which must be those of the file.
    private static func lines(_ bytes: [UInt8], without other: [UInt8]) -> [String] {
        let known = Set(other.split(separator: 0x0A).map { Array($0) })
        return bytes.split(separator: 0x0A).filter { !known.contains(Array($0)) }
            .map { text(Array($0.last == 0x0D ? $0.dropLast() : $0)) }
    }

    @Test func `an order without a meaning and the service's formatting change nothing`() throws {
        #expect(try Self.pull(try Self.tenant([("\r\n", "\n"), ("    ", "")])).files.isEmpty)
        let client = "<Item Key=\"client_id\">\(BuildPack.proxy)</Item>"
        let audience = "<Item Key=\"IdTokenAudience\">\(BuildPack.framework)</Item>"
        let moved = try Self.tenant([("\(client)\n            \(audience)", "\(audience)\(client)")])
        #expect(try moved.policies != Self.tenant().policies)
        #expect(try Self.pull(moved).files.isEmpty)
    }

    @Test func `comments of elements that are gone stay`() throws {
        let tenant = try Self.tenant([
            (
                "<ClaimType Id=\"objectId\"><DisplayName>Object ID</DisplayName><DataType>string</DataType></ClaimType>",
                ""
            )
        ])
        let outcome = try Self.pull(tenant)
        let text = Self.text(try #require(outcome.files.first).bytes)
        #expect(text.contains("<!-- who it is -->") && !text.contains("Object ID"))
        #expect(text.hasPrefix("\u{FEFF}<?xml"))
        #expect(!text.utf8.split(separator: 0x0A).contains { $0.last != 0x0D })
    }

    @Test func `policies that the tenant lacks are kept and named`() throws {
        var tenant = try Self.tenant()
        tenant.policies.removeLast()
        let outcome = try Self.pull(tenant)
        #expect(outcome.files.isEmpty)
        #expect(outcome.entries.last?.change == .onlyInFolder)
        #expect(outcome.entries.last?.id == "B2C_1A_SignIn")
    }

    @Test func `a new policy adds what the settings lack`() throws {
        let settings = BuildPack.settings
        let less = Array(
            Self.text(settings).replacing("            \"AADExtensionsAppId\": \"\(BuildPack.appID)\",\n", with: "")
                .utf8)
        #expect(less.count < settings.count)
        let files = BuildPack.files.filter { !$0.path.contains("Base") }
        let outcome = try Self.pull(try Self.tenant(), into: files, settings: less)
        #expect(outcome.files.map(\.path) == ["p/B2C_1A_Base.xml"])
        #expect(outcome.added.map(\.name) == ["AADExtensionsAppId"])
        #expect(try JSONParser.parse(Self.text(outcome.settings ?? [])) == Self.reordered(settings))
        // Four spaces, as the file had.
        #expect(outcome.settings.map { Self.text($0).contains("\n    \"Environments\": [\n        {\n") } == true)
    }

    /// The settings with the added value at the end.
    private static func reordered(_ settings: [UInt8]) throws -> JSONValue {
        let removed: JSONValue = ["PolicySettings": ["AADExtensionsAppId": nil]]
        let added: JSONValue = ["PolicySettings": ["AADExtensionsAppId": .string(BuildPack.appID)]]
        let root = try JSONParser.parse(text(settings))
        let environment = try #require(root["Environments"]?[0])
        return ["Environments": [environment.merging(patch: removed).merging(patch: added)]]
    }

    @Test func `a setting that holds markup stays`() throws {
        let claims = "<OutputClaims><OutputClaim ClaimTypeReferenceId=\\\"email\\\" /></OutputClaims>"
        let settings = Array(
            Self.text(BuildPack.settings).replacing(
                "\"PolicySettings\": {", with: "\"PolicySettings\": { \"Claims\": \"\(claims)\","
            ).utf8)
        let file = BuildPack.policy(
            "B2C_1A_A", body: "  <RelyingParty>{Settings:Claims}</RelyingParty>\n  <X A=\"1\" />\n")
        let files = BuildPack.bytes([("p/a.xml", file)])
        let built = try #require(
            PolicyBuild.build(files, environment: try BuildPack.environment(settings), tenant: nil).policies)
        let uploaded = Self.text(built.policies[0].bytes)
        func tenant(_ text: String) -> TenantSnapshot {
            TenantSnapshot(
                organization: BuildPack.organization,
                policies: [TenantPolicy(id: "B2C_1A_A", bytes: Array(text.utf8))])
        }
        let other = uploaded.replacing("A=\"1\"", with: "A=\"2\"")
        let outcome = try Self.pull(tenant(other), into: files, settings: settings)
        #expect(outcome.files.map { Self.text($0.bytes) } == [file.replacing("A=\"1\"", with: "A=\"2\"")])
        // What the setting made is written out where the tenant has something else.
        let changed = uploaded.replacing("\"email\"", with: "\"mail\"")
        let second = try Self.pull(tenant(changed), into: files, settings: settings)
        let text = Self.text(try #require(second.files.first).bytes)
        #expect(text.contains("ClaimTypeReferenceId=\"mail\"") && !text.contains("{Settings:Claims}"))
        #expect(
            try Self.pull(tenant(changed), into: [("p/a.xml", Array(text.utf8))], settings: settings).files.isEmpty)
    }

    @Test(arguments: ["../B2C_1A_A", "B2C_1A_/A", ".hidden", ""])
    func `an id that leads elsewhere is refused`(_ id: String) throws {
        let text = BuildPack.policy("B2C_1A_A", tenant: BuildPack.tenant)
        let (outcome, findings) = PolicyPull.pull(
            TenantSnapshot(
                organization: BuildPack.organization, policies: [TenantPolicy(id: id, bytes: Array(text.utf8))]),
            into: PolicyPull.Folder(files: [], settings: nil, environment: nil), naming: "Test", path: { $0 })
        #expect(outcome == nil)
        #expect(findings.map(\.rule) == ["B2C-POL-005"])
    }

    @Test func `a folder that does not build is not merged`() throws {
        let files = BuildPack.bytes([("a.xml", BuildPack.policy("B2C_1A_A", body: "  <X>{Settings:Gone}</X>\n"))])
        let (outcome, findings) = PolicyPull.pull(
            try Self.tenant(),
            into: PolicyPull.Folder(
                files: files, settings: BuildPack.settings, environment: try BuildPack.environment()), naming: "Test",
            path: { $0 })
        #expect(outcome == nil)
        #expect(findings.map(\.rule) == ["B2C-POL-012"])
    }

    @Test func `key sets are described without secrets`() {
        let manifest = KeySet.manifest(of: [
            KeySet(
                id: "B2C_1A_Sign",
                keys: [
                    PolicyKey(kid: "1", use: .signature, kind: .rsa, expires: Timestamp(seconds: 1_800_000_000)),
                    PolicyKey(kid: "2", use: .signature, kind: .rsa, expires: Timestamp(seconds: 1_900_000_000)),
                ]),
            KeySet(id: "B2C_1A_Api", keys: [PolicyKey(kid: "3", use: .signature, kind: .secret)]),
            KeySet(id: "B2C_1A_Empty", keys: []),
        ])
        #expect(
            manifest == [
                "keySets": [
                    ["name": "B2C_1A_Sign", "use": "sig", "type": "rsa", "expires": "2030-03-17T17:46:40Z"],
                    ["name": "B2C_1A_Api", "use": "sig", "type": "secret"], ["name": "B2C_1A_Empty"],
                ]
            ])
    }
}
