import Diagnostics
import PolicyRelease
import Testing
import TrustFramework

/// What a folder of policy files builds to.
struct PolicyBuildTests {
    @Test func `settings are filled in and parents come first`() throws {
        let built = try #require(try BuildPack.built())
        #expect(built.policies.map(\.id) == ["B2C_1A_Base", "B2C_1A_Extensions", "B2C_1A_SignIn"])
        #expect(built.policies.map(\.file) == ["p/C-Base.xml", "p/B-Extensions.xml", "p/A-SignIn.xml"])
        #expect(built.policies.map(\.base) == [nil, "B2C_1A_Base", "B2C_1A_Extensions"])
        #expect(built.policies.map(\.isRelyingParty) == [false, false, true])
        #expect(built.tenant == BuildPack.tenant)
        #expect(built.environment == "Test")
        for policy in built.policies {
            let text = String(decoding: policy.bytes, as: UTF8.self)
            #expect(text.hasPrefix("<?xml"))
            #expect(!text.contains("{Settings:"))
            #expect(text.contains("TenantId=\"contoso.onmicrosoft.com\""))
        }
        #expect(String(decoding: built.policies[1].bytes, as: UTF8.self).contains(">\(BuildPack.proxy)<"))
        #expect(built.missingParents.isEmpty)
    }

    @Test func `places are those of the files`() throws {
        let base = try #require(try BuildPack.built()?.policy("b2c_1a_BASE"))
        let text = String(decoding: base.bytes, as: UTF8.self)
        let place = try #require(text.firstRange(of: "<Item Key=\"ApplicationObjectId\"")).lowerBound
        let offset = text.utf8.distance(from: text.startIndex, to: place)
        let line = text[..<place].utf8.count { $0 == 0x0A } + 1
        #expect(base.source.position(at: offset) == (line: line, column: 13))
        #expect(base.source.location(at: offset).file == "p/C-Base.xml")
    }

    /// Files, and what is found: rule, severity, file, and words of the message or the remedy.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var files: [(String, String)]
        var found: [String]
        var words: [String] = []
        var builds = false
    }

    private static let known = "contoso.onmicrosoft.com"

    static let cases: [Case] = [
        Case(
            testDescription: "a setting without a value",
            files: [("a.xml", BuildPack.policy("B2C_1A_A", body: "  <X Id=\"{Settings:AADExtensionAppId}\" />\n"))],
            found: ["error B2C-POL-012 a.xml:6"],
            words: [
                "{Settings:AADExtensionAppId} has no value in environment Test", "Did you mean AADExtensionsAppId?",
            ]),
        Case(
            testDescription: "a setting in a comment",
            files: [("a.xml", BuildPack.policy("B2C_1A_A", body: "  <!-- {Settings:Old} -->\n"))], found: [],
            builds: true),
        Case(
            testDescription: "an app that nobody filled in",
            files: [
                (
                    "a.xml",
                    BuildPack.policy(
                        "B2C_1A_A", body: "  <Item Key=\"client_id\">ProxyIdentityExperienceFrameworkAppId</Item>\n")
                )
            ], found: ["warning B2C-POL-012 a.xml:6"], words: ["is a placeholder"], builds: true),
        Case(
            testDescription: "a parent that is not there",
            files: [("a.xml", BuildPack.policy("B2C_1A_A", base: "B2C_1A_Base"))],
            found: ["warning B2C-POL-006 a.xml:6"], words: ["there is no policy \"B2C_1A_Base\" among the files"],
            builds: true),
        Case(
            testDescription: "a cycle",
            files: [
                ("a.xml", BuildPack.policy("B2C_1A_A", base: "B2C_1A_B")),
                ("b.xml", BuildPack.policy("B2C_1A_B", base: "B2C_1A_A")),
                ("c.xml", BuildPack.policy("B2C_1A_C", base: "B2C_1A_B")),
            ], found: ["error B2C-POL-006 a.xml:6", "error B2C-POL-006 b.xml:6"], words: ["inherits from itself"]),
        Case(
            testDescription: "eleven levels",
            files: (0..<11).map { level in
                (
                    "\(10 + level).xml",
                    BuildPack.policy("B2C_1A_\(level)", base: level == 0 ? nil : "B2C_1A_\(level - 1)")
                )
            }, found: ["error B2C-POL-006 20.xml:6"], words: ["inheritance is 11 levels deep"]),
        Case(
            testDescription: "one id twice",
            files: [("a.xml", BuildPack.policy("B2C_1A_A")), ("b.xml", BuildPack.policy("b2c_1a_a"))],
            found: ["error B2C-POL-011 b.xml:4"], words: ["the first is a.xml"]),
        Case(
            testDescription: "two tenants",
            files: [
                ("a.xml", BuildPack.policy("B2C_1A_A", tenant: known)),
                ("b.xml", BuildPack.policy("B2C_1A_B", tenant: "fabrikam.onmicrosoft.com")),
            ], found: ["error B2C-POL-009 b.xml:4"], words: ["fabrikam.onmicrosoft.com"]),
        Case(
            testDescription: "too large",
            files: [
                ("a.xml", BuildPack.policy("B2C_1A_A") + "<!-- \(String(repeating: "x", count: 1024 * 1024)) -->")
            ], found: ["error B2C-POL-010 a.xml:1"], words: ["1024 KB"]),
        Case(
            testDescription: "broken XML",
            files: [("a.xml", BuildPack.policy("B2C_1A_A", body: "  <X>\n"))], found: ["error B2C-POL-001 a.xml:7"]),
        Case(
            testDescription: "no PolicyId",
            files: [("a.xml", "<TrustFrameworkPolicy TenantId=\"\(known)\" />")], found: ["error B2C-POL-002 a.xml:1"]),
        Case(testDescription: "other XML", files: [("a.xml", "<root/>"), ("b.xml", "{")], found: [], builds: true),
    ]

    @Test(arguments: cases) func `what is wrong is found with its place`(_ one: Case) throws {
        let (built, findings) = PolicyBuild.build(
            BuildPack.bytes(one.files), environment: try BuildPack.environment(), tenant: nil)
        #expect(
            findings.map { finding in
                let place = "\(finding.location?.file ?? ""):\(finding.location?.line ?? 0)"
                return "\(finding.severity.rawValue) \(finding.rule) \(place)"
            } == one.found)
        #expect((built != nil) == one.builds)
        let text = findings.map(\.description).joined(separator: "\n")
        for word in one.words { #expect(text.contains(word), "\(text)") }
    }

    @Test func `a missing parent is listed with its children`() throws {
        let built = try BuildPack.built(
            BuildPack.bytes([
                ("a.xml", BuildPack.policy("B2C_1A_A", base: "B2C_1A_Base")),
                ("b.xml", BuildPack.policy("B2C_1A_B", base: "b2c_1a_base")),
            ]))
        #expect(built?.missingParents.map(\.parent) == ["B2C_1A_Base"])
        #expect(built?.missingParents.map(\.children) == [["B2C_1A_A", "B2C_1A_B"]])
    }

    @Test func `the placeholder of the starter packs becomes the tenant`() throws {
        let files = BuildPack.bytes([("a.xml", BuildPack.policy("B2C_1A_A", tenant: "yourtenant.onmicrosoft.com"))])
        let (named, findings) = PolicyBuild.build(files, environment: nil, tenant: "fabrikam.onmicrosoft.com")
        #expect(findings.isEmpty)
        #expect(named?.tenant == "fabrikam.onmicrosoft.com")
        #expect(named.map { String(decoding: $0.policies[0].bytes, as: UTF8.self).contains("yourtenant") } == false)
        let (unnamed, warnings) = PolicyBuild.build(files, environment: nil, tenant: nil)
        #expect(unnamed?.tenant == "yourtenant.onmicrosoft.com")
        #expect(warnings.map(\.severity) == [.warning])
    }

    @Test func `names of files are settings as in Visual Studio Code`() throws {
        let built = try BuildPack.built(
            BuildPack.bytes([
                (
                    "p/B2C_1A_A.xml",
                    BuildPack.policy("{Settings:Filename}", body: "  <X Id=\"{Settings:PolicyFilename}\" />\n")
                )
            ]))
        #expect(built?.policies.map(\.id) == ["B2C_1A_A"])
        #expect(built.map { String(decoding: $0.policies[0].bytes, as: UTF8.self).contains("<X Id=\"A\" />") } == true)
    }

    @Test(arguments: [true, false]) func `UTF-16 becomes UTF-8`(_ isLittle: Bool) throws {
        let text = BuildPack.policy("B2C_1A_A", tenant: Self.known, body: "  <X Name=\"Grüße 😀\" />\n")
        let utf16 = text.replacing("\"utf-8\"", with: "\"utf-16\"")
        let bytes = ([0xFEFF] + Array(utf16.utf16)).flatMap { unit in
            isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let built = try #require(try BuildPack.built([("a.xml", bytes)]))
        #expect(built.policies[0].bytes == Array(text.utf8))
    }

    @Test func `production refuses what records journeys`() throws {
        let insights = "  <X><JourneyInsights DeveloperMode=\"true\" /></X>\n"
        let text = BuildPack.policy("B2C_1A_A", body: insights).replacing(
            "PolicyId=", with: "DeploymentMode=\"Development\" UserJourneyRecorderEndpoint=\"urn:x\" PolicyId=")
        let built = try #require(try BuildPack.built(BuildPack.bytes([("a.xml", text)])))
        #expect(
            PolicyBuild.productionFindings(of: built).map(\.rule) == ["B2C-POL-077", "B2C-POL-078", "B2C-POL-078"])
        #expect(try PolicyBuild.productionFindings(of: #require(try BuildPack.built())).isEmpty)
    }
}
