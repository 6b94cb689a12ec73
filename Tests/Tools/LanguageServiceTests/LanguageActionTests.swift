import Diagnostics
import LanguageService
import Testing
import Validation

/// What an editor offers to change.
struct LanguageActionTests {
    /// A finding in a file, and the text after the action. In the text a change is written as `‹before|after›`.
    struct Row: Sendable, CustomStringConvertible {
        var path = "Base.xml"
        var text: String
        var message: String
        var rule = "B2C-POL-002"
        var remedy: String?
        var corrected: String?
        var severity = Severity.error
        var underlined: String
        var title: String

        var description: String { title + " at " + underlined }

        func text(_ part: Int) -> String {
            text.replacing(/‹([^|›]*)\|([^›]*)›/) { part == 0 ? String($0.1) : String($0.2) }
        }
    }

    private static let rows = [
        Row(
            text: ActionWorld.policy("B2C_1A_Base", #"  <InputClaim ClaimTypeReferenceId="‹emial|email›" />"#),
            message: #"there is no claim type "emial" in this policy or its parents"#, rule: "B2C-POL-020",
            remedy: #"Did you mean "email"?"#, underlined: "<InputClaim", title: "Change to email"),
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base",
                """
                  <BuildingBlocks>
                    <ClaimsSchema>
                      <‹CliamType|ClaimType› Id="a">
                        <DisplayName>A</DisplayName>
                      </‹CliamType|ClaimType›>
                    </ClaimsSchema>
                  </BuildingBlocks>
                """),
            message: "<ClaimsSchema> has no element <CliamType>", remedy: "Did you mean ClaimType?",
            underlined: "<CliamType", title: "Change to ClaimType"),
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base", #"  <InputClaim ‹ClaimTypeReferencId|ClaimTypeReferenceId›="a" />"#),
            message: "<InputClaim> has no attribute ClaimTypeReferencId", remedy: "Did you mean ClaimTypeReferenceId?",
            underlined: "ClaimTypeReferencId", title: "Change to ClaimTypeReferenceId"),
        Row(
            text: ActionWorld.policy("B2C_1A_Base", "  <DataType>‹strng|string›</DataType>"),
            message: #""strng" in <DataType>: expected one of string and int"#, rule: "B2C-POL-004",
            remedy: "Did you mean string?", underlined: "<DataType", title: "Change to string"),
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base", #"  <Item Key="XmlSignatureAlgorithm">‹Sha1|Sha256›</Item>"#),
            message: "signatures use SHA-1", rule: "B2C-POL-067", remedy: "Write Sha256.", corrected: "Sha256",
            underlined: "<Item", title: "Change to Sha256"),
        // What is underlined is the neighbor of the wrong word.
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base",
                #"  <Claim ClaimTypeReferenceId="email" PartnerClaimType="‹signInName.email|signInNames.email›" />"#),
            message: #"the directory has no attribute "signInName.email" (AAD-Read)"#, rule: "B2C-POL-058",
            remedy: "Did you mean signInNames.email?", corrected: "signInNames.email", underlined: "email",
            title: "Change to signInNames.email"),
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base", #"  <DisplayClaim ClaimTypeReferenceId="email" ControlClaimType="‹Emial|Email›" />"#),
            message: #"ControlClaimType is "Emial""#, rule: "B2C-POL-094", remedy: "Did you mean Email?",
            corrected: "Email", underlined: "email", title: "Change to Email"),
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base",
                #"  <InputClaim ClaimTypeReferenceId="email" TransformationClaimType="‹qqq|inputClaim1›" />"#),
            message: #"NotClaims has no input claim "qqq" (transformation T)"#, rule: "B2C-POL-044",
            remedy: #"Did you mean TransformationClaimType="inputClaim1"?"#, corrected: "inputClaim1",
            underlined: "email", title: "Change to inputClaim1"),
        // The same word is right in one attribute and wrong in the other.
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base", #"  <Claim ClaimTypeReferenceId="mobil" PartnerClaimType="‹mobil|mobile›" />"#),
            message: #"the directory has no attribute "mobil" (AAD-Read)"#, rule: "B2C-POL-058",
            remedy: "Did you mean mobile?", corrected: "mobile", underlined: "mobil", title: "Change to mobile"),
        Row(
            text: ActionWorld.policy("B2C_1A_Base", #"  <InputParameter Id="‹valeu|value›" Value="valeu" />"#),
            message: #"M has no parameter "valeu""#, rule: "B2C-POL-044", remedy: "Did you mean value?",
            corrected: "value", underlined: #"valeu" />"#, title: "Change to value"),
        // The wrong word is a part of a value.
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base",
                #"  <Protocol Handler="‹Web.TPEngine.Providers.RestfulProvidr|Web.TPEngine.Providers.RestfulProvider›,"#
                    + #" Web.TPEngine, Version=1.0.0.0" />"#),
            message: #"there is no handler "Web.TPEngine.Providers.RestfulProvidr""#, rule: "B2C-POL-054",
            remedy: "Did you mean Web.TPEngine.Providers.RestfulProvider?", underlined: "<Protocol",
            title: "Change to Web.TPEngine.Providers.RestfulProvider"),
        Row(
            text: ActionWorld.policy("B2C_1A_Base", #"  <Item Key="response_types">id_token ‹cod|code›</Item>"#),
            message: #"response_types is "id_token cod"; it is one of code and id_token"#, rule: "B2C-POL-064",
            remedy: "Did you mean code?", corrected: "code", underlined: "<Item", title: "Change to code"),
        // What is missing is written in another way.
        Row(
            text: ActionWorld.policy("B2C_1A_Base", #"  <Parameter Id="‹Maximun|Maximum›">64</Parameter>"#),
            message: "IsLengthRange of Long needs the parameter Maximum", rule: "B2C-POL-093",
            remedy: #"It is written "Maximun" here."#, corrected: "Maximum", underlined: "<Parameter",
            title: "Change to Maximum"),
        Row(
            text: """
                <?xml version="1.0" encoding="utf-8"?>
                <‹TrustFrameworkPolicyy|TrustFrameworkPolicy› \
                xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06">
                </‹TrustFrameworkPolicyy|TrustFrameworkPolicy›>

                """,
            message: "this is not a policy: its root is <TrustFrameworkPolicyy>", rule: "B2C-POL-001",
            remedy: "Did you mean <TrustFrameworkPolicy>? A policy's root is <TrustFrameworkPolicy>.",
            underlined: "<TrustFrameworkPolicyy", title: "Change to TrustFrameworkPolicy"),
        Row(
            path: "s.json",
            text: #"{ "name": "s", "tenant": "t.json", "steps": [ { ‹"acquireTokn"|"acquireToken"›: {} } ] }"#,
            message: "`acquireTokn` is not a key of a step", rule: "B2C-SCN-002",
            remedy: "Did you mean `acquireToken`?", underlined: #""acquireTokn""#, title: "Change to acquireToken"),
        Row(
            path: "s.json",
            text: #"{ "name": "s", "steps": [ { "acquireToken": { "policy": ‹"B2C_1_susi"|"susi"› } } ] }"#,
            message: "there is no policy `B2C_1_susi`: it is the id of `susi`", rule: "B2C-SCN-020",
            remedy: "Write the name: `susi`.", underlined: #""B2C_1_susi""#, title: "Change to susi"),
        Row(
            path: "s.json",
            text: #"{ "name": "s", "steps": [ { "acquireToken": { "state": "{{orders}} {{‹oders|orders›}}" } } ] }"#,
            message: "no step or variable is named `oders`", rule: "B2C-SCN-022",
            remedy: "Did you mean `orders`? Known: orders and login.", underlined: #""{{orders}} {{oders}}""#,
            title: "Change to orders"),
        Row(
            path: "s.json",
            text: #"{ "name": "s", "steps": [ { "resume": "{{login/‹reslt|result›/idToken}}" } ] }"#,
            message: "an outcome has no `reslt`", rule: "B2C-SCN-025",
            remedy: "Did you mean `result`? Members: result and error.", underlined: #""{{login/reslt/idToken}}""#,
            title: "Change to result"),
        Row(
            text: ActionWorld.policy(
                "B2C_1A_Base",
                """
                ‹|  <!-- b2c-validate-ignore B2C-POL-100: say why here -->
                ›  <ClaimsProviders>
                  </ClaimsProviders>
                """),
            message: "nothing is in it", rule: "B2C-POL-100", severity: .warning, underlined: "<ClaimsProviders",
            title: "Ignore B2C-POL-100 here"),
    ]

    @Test(arguments: rows)
    func `a finding is fixed where it is`(_ row: Row) throws {
        let world = ActionWorld([row.path: row.text(0)])
        let finding = try world.finding(
            row.rule, row.message, remedy: row.remedy, corrected: row.corrected, severity: row.severity,
            at: row.underlined, in: row.path)
        let place = try world.range(of: row.underlined, in: row.path)
        let actions = world.workspace.actions(at: place, findings: [finding])
        let action = try #require(actions.first { $0.title == row.title }, "\(actions.map(\.title))")
        #expect(action.group == .quickFix && action.findings == [finding])
        #expect(world.after(action.edits).text(row.path) == row.text(1))
        let elsewhere = TextRange(file: row.path, range: 0..<0)
        #expect(!world.workspace.actions(at: elsewhere, findings: [finding]).contains { $0.title == row.title })
    }

    // MARK: The claim type that is missing

    private static let claimType = """
        <ClaimType Id="badge">
          <DisplayName>badge</DisplayName>
          <DataType>string</DataType>
        </ClaimType>
        """

    /// The lines of the claim type behind a line end, indented.
    private static func claimType(_ indent: String) -> String {
        claimType.split(separator: "\n").map { "\n\(indent)\($0)" }.joined()
    }

    private static let reference = #"  <ClaimsProviders><OutputClaim ClaimTypeReferenceId="badge" /></ClaimsProviders>"#

    @Test(arguments: [
        ("‹|\n  <BuildingBlocks>\n    <ClaimsSchema>\(claimType("      "))\n    </ClaimsSchema>\n  </BuildingBlocks>›\n"),
        ("\n  <BuildingBlocks>\n    <ClaimsSchema‹ />|>\(claimType("      "))\n    </ClaimsSchema>›\n  </BuildingBlocks>\n"),
        ("\n  <BuildingBlocks>\n    <ClaimsSchema>\n      <ClaimType Id=\"a\"></ClaimType>‹|\(claimType("      "))›\n"
            + "    </ClaimsSchema>\n  </BuildingBlocks>\n"),
        // A comment on the line of an element stays with it.
        ("\n  <BuildingBlocks>\n    <ClaimsSchema>\n      <ClaimType Id=\"a\" /> <!-- a -->‹|\(claimType("      "))›\n"
            + "    </ClaimsSchema>\n  </BuildingBlocks>\n"),
        ("\n  <BuildingBlocks>‹|\n    <ClaimsSchema>\(claimType("      "))\n    </ClaimsSchema>›\n"
            + "    <ClaimsTransformations>\n    </ClaimsTransformations>\n  </BuildingBlocks>\n"),
        ("\n  <BuildingBlocks><ClaimsSchema>‹|\(claimType("    "))\n  ›</ClaimsSchema></BuildingBlocks>\n"),
    ])
    func `a missing claim type is declared in its place, with the file's line ends`(_ body: String) throws {
        let row = Row(
            text: ActionWorld.policy("B2C_1A_Base").replacing(">\n\n<", with: ">\(body)\(Self.reference)\n<"),
            message: #"there is no claim type "badge" in this policy or its parents"#, rule: "B2C-POL-020",
            underlined: "<OutputClaim", title: "Add the claim type badge")
        for end in ["\n", "\r\n"] {
            let world = ActionWorld(["Base.xml": row.text(0).replacing("\n", with: end)])
            let finding = try world.finding(row.rule, row.message, at: row.underlined, in: "Base.xml")
            let place = try world.range(of: row.underlined, in: "Base.xml")
            let actions = world.workspace.actions(at: place, findings: [finding])
            let action = try #require(actions.first { $0.title == row.title })
            #expect(world.after(action.edits).text("Base.xml") == row.text(1).replacing("\n", with: end))
        }
    }

    @Test(arguments: [("a&amp;b", "a&b", 1), ("a&quot;b", #"a"b"#, 1), ("{Settings:Z}", "{Settings:Z}", 0)])
    func `a claim type has its id as XML writes it, and none that a setting fills in`(
        _ written: String, _ id: String, _ count: Int
    ) throws {
        let world = ActionWorld([
            "Base.xml": ActionWorld.policy("B2C_1A_Base", Self.reference.replacing("badge", with: written))
        ])
        let finding = try world.finding(
            "B2C-POL-020", "there is no claim type \"\(id)\" in this policy or its parents", at: "<OutputClaim",
            in: "Base.xml")
        let place = try world.range(of: "<OutputClaim", in: "Base.xml")
        let actions = world.workspace.actions(at: place, findings: [finding])
            .filter { $0.title == "Add the claim type \(id)" }
        #expect(actions.count == count)
        for action in actions {
            let text = world.after(action.edits).text("Base.xml")
            #expect(text.contains("<ClaimType Id=\"\(written)\">"))
            #expect(text.contains("<DisplayName>\(written)</DisplayName>"))
        }
    }

    // MARK: Fixes of findings

    @Test func `fixes come with their titles, and safe ones of a file all at once`() throws {
        let world = ActionWorld(["Info.plist": "a b c"])
        func finding(_ offset: Int, isSafe: Bool) throws -> Finding {
            let letter = ["a", "b", "c"][offset / 2]
            var finding = try world.finding("B2C-APP-001", "wrong", at: letter, in: "Info.plist")
            let edit = Fix.Edit(offset: offset, length: 1, replacement: letter.uppercased())
            finding.fix = Fix(file: "Info.plist", title: "Write \(letter.uppercased())", edits: [edit], isSafe: isSafe)
            return finding
        }
        let findings = try [finding(0, isSafe: true), finding(2, isSafe: false), finding(4, isSafe: true)]
        let range = TextRange(file: "Info.plist", range: 0..<3)
        let actions = world.workspace.actions(at: range, findings: findings)
        #expect(actions.map(\.title) == ["Write A", "Write B", "Fix all 2 of this file that are safe to fix"])
        #expect(actions.map(\.isPreferred) == [true, false, false])
        #expect(actions.map { world.after($0.edits).text("Info.plist") } == ["A b c", "a B c", "A b C"])
        // A fix of a text that has become shorter does nothing.
        let shorter = ActionWorld(["Info.plist": "a"])
        for action in shorter.workspace.actions(at: range, findings: findings) {
            #expect(action.edits.allSatisfy { $0.range.upperBound <= 1 })
        }
    }

    // MARK: Copies

    private static let provider = """
          <ClaimsProviders>
            <ClaimsProvider>
              <DisplayName>Local</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="Read">
                  <DisplayName>Read</DisplayName>
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
          </ClaimsProviders>
        """

    @Test func `an element is copied to files that inherit and do not have it, with its lists`() throws {
        let other = Self.provider.replacing("Read", with: "Write")
        let world = ActionWorld([
            "Base.xml": ActionWorld.policy("B2C_1A_Base", Self.provider),
            "Empty.xml": ActionWorld.policy("B2C_1A_Empty", base: "B2C_1A_Base"),
            "Other.xml": ActionWorld.policy("B2C_1A_Other", base: "B2C_1A_Base", other),
            "Same.xml": ActionWorld.policy("B2C_1A_Same", base: "B2C_1A_Base", Self.provider),
        ])
        let place = try world.range(of: "<DisplayName>Read", in: "Base.xml")
        let actions = world.workspace.actions(at: place, findings: [])
        #expect(
            actions.map(\.title) == ["Empty.xml", "Other.xml"].map { "Copy technical profile Read to \($0)" })
        #expect(actions.allSatisfy { $0.group == .refactoring })
        let after = world.after(actions.flatMap(\.edits))
        #expect(after.text("Empty.xml").contains("</BasePolicy>\n" + Self.provider + "\n"))
        let profile = Self.provider.split(separator: "\n")[4...6].joined(separator: "\n")
        #expect(
            after.text("Other.xml").contains("</TechnicalProfile>\n" + profile + "\n      </TechnicalProfiles>"))
        #expect(after.text("Base.xml") == world.text("Base.xml"))
        #expect(
            try after.workspace.actions(at: after.range(of: "<DisplayName>Read", in: "Base.xml"), findings: []).isEmpty)
    }

    @Test func `a copy is indented as its file, and its values stay as they are`() throws {
        let comment = "<!-- 1\n  2 -->"
        let lines = "one\n            two\n   three"
        let items = """
            <Metadata>
                        <Item Key="a"><![CDATA[LINES]]></Item>
                        <Item Key="b">LINES</Item>
                        <Item
                          Key="LINES">COMMENT</Item>
                      </Metadata>
            """
        func provider(_ unit: String) -> String {
            Self.provider.replacing("<DisplayName>Read</DisplayName>", with: items).replacing("  ", with: unit)
                .replacing("LINES", with: lines).replacing("COMMENT", with: comment)
        }
        let world = ActionWorld([
            "Base.xml": ActionWorld.policy("B2C_1A_Base", provider("  ")),
            "Tabs.xml": ActionWorld.policy("B2C_1A_Tabs", base: "B2C_1A_Base").replacing("  ", with: "\t"),
        ])
        let place = try world.range(of: "<Metadata>", in: "Base.xml")
        let action = try #require(world.workspace.actions(at: place, findings: []).first)
        let after = world.after(action.edits).text("Tabs.xml")
        #expect(after.contains("</BasePolicy>\n" + provider("\t") + "\n"), "\(after)")
    }

    // MARK: Anything

    @Test func `any place of a broken text has an answer`() {
        let text = ActionWorld.policy("B2C_1A_Base", Self.provider + "<UserJourneys><UserJourney Id=\"a\">")
        for length in stride(from: 0, through: text.utf8.count, by: 7) {
            let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            let world = ActionWorld(["Base.xml": cut])
            let location = SourceLocation(file: "Base.xml", line: 3, column: 9, length: 200)
            let finding = Finding(
                Diagnostic(
                    .warning, rule: "B2C-POL-020", #"there is no "Read""#, remedy: "Did you mean Reed?", at: location))
            for offset in stride(from: 0, through: length, by: 13) {
                let range = TextRange(file: "Base.xml", range: offset..<offset)
                for action in world.workspace.actions(at: range, findings: [finding]) {
                    #expect(action.edits.allSatisfy { $0.range.upperBound <= length })
                }
            }
        }
    }
}
