import Diagnostics
import Testing

@testable import TrustFramework

@Suite struct ReaderTests {
    struct Broken: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let rule: String
        /// A text in the line that the finding must name.
        let near: String
        let column: Int?
        let says: String

        init(_ name: String, _ text: String, rule: String, near: String, column: Int? = nil, says: String) {
            self.name = name
            self.text = text
            self.rule = rule
            self.near = near
            self.column = column
            self.says = says
        }

        var testDescription: String { name }
    }

    static let broken: [Broken] = [
        Broken(
            "DOCTYPE", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n" + PolicyTexts.file(),
            rule: "B2C-POL-001",
            near: "<!DOCTYPE", column: 1, says: "document type"),
        Broken(
            "unknown element", PolicyTexts.file(blocks: "<ClaimsSchemas />"), rule: "B2C-POL-002",
            near: "<ClaimsSchemas",
            column: 1, says: "Did you mean ClaimsSchema?"),
        Broken(
            "unknown attribute",
            PolicyTexts.file(blocks: "<ClaimsSchema>\n<ClaimType Id=\"a\" Identity=\"b\" />\n</ClaimsSchema>"),
            rule: "B2C-POL-002", near: "Identity", column: 19, says: "no attribute Identity"),
        Broken(
            "missing attribute", PolicyTexts.file(blocks: "<ClaimsSchema>\n<ClaimType />\n</ClaimsSchema>"),
            rule: "B2C-POL-002", near: "<ClaimType />", column: 1, says: "needs the attribute Id"),
        Broken(
            "enumerated text",
            PolicyTexts.file(
                blocks: "<ClaimsSchema>\n<ClaimType Id=\"a\">\n<DataType>strin</DataType></ClaimType></ClaimsSchema>"),
            rule: "B2C-POL-004", near: "strin", column: 1, says: "Did you mean string?"),
        Broken(
            "enumerated attribute",
            PolicyTexts.file(
                providers: "<TechnicalProfile Id=\"a\">\n<Protocol Name=\"Propietary\" /></TechnicalProfile>"),
            rule: "B2C-POL-004", near: "Propietary", column: 17, says: "Did you mean Proprietary?"),
        Broken(
            "order of elements",
            PolicyTexts.file(
                blocks:
                    "<ClaimsSchema>\n<ClaimType Id=\"a\"><DataType>string</DataType>\n<DisplayName>A</DisplayName></ClaimType></ClaimsSchema>"
            ), rule: "B2C-POL-002", near: "<DisplayName>A", column: 1, says: "must come before"),
        Broken(
            "stray text", PolicyTexts.file(blocks: "<ClaimsSchema>\nhello <ClaimType Id=\"a\" />\n</ClaimsSchema>"),
            rule: "B2C-POL-002", near: "<ClaimsSchema>", column: 1, says: "cannot hold text"),
        Broken(
            "not a number",
            PolicyTexts.file(
                journeys:
                    "<UserJourney Id=\"J\"><OrchestrationSteps>\n<OrchestrationStep Order=\"one\" Type=\"SendClaims\" />\n</OrchestrationSteps></UserJourney>"
            ), rule: "B2C-POL-002", near: "one", column: 27, says: "whole number"),
        Broken(
            "number beyond 64 bits",
            PolicyTexts.file(
                journeys:
                    "<UserJourney Id=\"J\"><OrchestrationSteps>\n<OrchestrationStep Order=\"99999999999999999999\" Type=\"SendClaims\" />\n</OrchestrationSteps></UserJourney>"
            ), rule: "B2C-POL-002", near: "9999", column: 27, says: "whole number"),
        Broken(
            "duplicate id",
            PolicyTexts.file(
                blocks: "<ClaimsSchema>\n<ClaimType Id=\"a\" />\n  <ClaimType Id=\"a\"  />\n</ClaimsSchema>"),
            rule: "B2C-POL-014", near: "  <ClaimType", column: 3, says: "second ClaimType"),
        Broken(
            "duplicate order",
            PolicyTexts.file(
                journeys: """
                    <UserJourney Id="J"><OrchestrationSteps>
                    <OrchestrationStep Order="1" Type="Noop" />
                     <OrchestrationStep Order="1" Type="SendClaims" />
                    </OrchestrationSteps></UserJourney>
                    """), rule: "B2C-POL-015", near: "SendClaims", column: 2, says: "Order"),
        Broken(
            "wrong root", "<configuration />", rule: "B2C-POL-001", near: "<configuration", column: 1,
            says: "TrustFrameworkPolicy"),
        Broken(
            "wrong namespace", "<TrustFrameworkPolicy xmlns=\"urn:x\" />", rule: "B2C-POL-001", near: "urn:x",
            column: 30,
            says: "namespace"),
        Broken(
            "end tag that does not match", "<a>\n<b>\n</c></a>", rule: "B2C-POL-001", near: "</c>", column: 1,
            says: "<b> of line 2"),
        Broken(
            "element never ended", "<a>\n <b>", rule: "B2C-POL-001", near: "<b>", column: 2, says: "never ended"),
        Broken(
            "attribute without quotes", "<a>\n<b c=d /></a>", rule: "B2C-POL-001", near: "<b", column: 4, says: "quotes"
        ),
        Broken(
            "attribute twice", "<a>\n<b c=\"1\" c=\"2\" /></a>", rule: "B2C-POL-001", near: "<b", column: 10,
            says: "twice in one tag"),
        Broken("bare less-than", "<a>\n1 < 2</a>", rule: "B2C-POL-001", near: "1 <", column: 3, says: "&lt;"),
        Broken(
            "comment never ends", "<a>\n<!-- b</a>", rule: "B2C-POL-001", near: "<!--", column: 1, says: "never ends"),
        Broken("unknown entity", "<a>\n&nbsp;</a>", rule: "B2C-POL-001", near: "&nbsp;", says: "no entity &nbsp;"),
        Broken("bare ampersand", "<a>\n&</a>", rule: "B2C-POL-001", near: "&", says: "&amp;"),
        Broken("two roots", "<a />\n<b />", rule: "B2C-POL-001", near: "<b", column: 1, says: "second root"),
        Broken("nothing", "<!-- -->", rule: "B2C-POL-001", near: "<!--", column: 1, says: "no element"),
        Broken(
            "deep nesting", String(repeating: "<a>", count: 10_000), rule: "B2C-POL-001", near: "<a>", column: 193,
            says: "deeper than 64"),
        Broken(
            "columns count code points", PolicyTexts.file(blocks: "<!-- ä€😀 --><Claims />"), rule: "B2C-POL-002",
            near: "<Claims", column: 13, says: "no element <Claims>"),
    ]

    @Test(arguments: broken) func `a finding says where and what`(_ broken: Broken) throws {
        let all = findings { () throws(InvalidInput) in _ = try read(broken.text) }
        let finding = try #require(all.first { $0.rule == broken.rule })
        #expect(finding.severity == .error)
        #expect((finding.message + " " + (finding.remedy ?? "")).contains(broken.says), "\(finding)")
        #expect(finding.location?.file == "test.xml")
        #expect(finding.location?.line == line(of: broken.near, in: broken.text))
        if let column = broken.column { #expect(finding.location?.column == column) }
    }

    @Test func `every finding is listed`() {
        let text = PolicyTexts.file(
            blocks:
                "<ClaimsSchema>\n<ClaimType />\n<ClaimType Id=\"a\"><DataType>text</DataType><Colour /></ClaimType></ClaimsSchema>"
        )
        let all = findings { () throws(InvalidInput) in _ = try read(text) }
        #expect(all.map(\.rule) == ["B2C-POL-002", "B2C-POL-004", "B2C-POL-002"])
        #expect(all.map { $0.location?.line } == all.map { $0.location?.line }.sorted { ($0 ?? 0) < ($1 ?? 0) })
    }

    @Test(
        arguments: [[0xFF, 0xFE, 0x3C, 0x00], [0x3C, 0x61, 0x3E, 0xC3, 0x28], [0x3C, 0x61, 0x00, 0x3E], []] as [[UInt8]]
    )
    func `bytes that are not text are refused`(_ bytes: [UInt8]) {
        let all = findings { () throws(InvalidInput) in _ = try PolicyReader.read(file: "test.xml", bytes: bytes) }
        #expect(all.map(\.rule) == ["B2C-POL-001"])
    }

    @Test func `files beyond the service's limit are refused`() {
        let text = PolicyTexts.file() + String(repeating: " ", count: 1024 * 1024)
        let all = findings { () throws(InvalidInput) in _ = try read(text) }
        #expect(all.map(\.rule) == ["B2C-POL-010"])
    }

    @Test func `a byte order mark and a declaration are taken`() throws {
        let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + PolicyTexts.file(id: "B2C_1A_mark")
        #expect(try read(text).policyID == "B2C_1A_mark")
    }

    @Test func `unknown elements can be warnings`() throws {
        let text = PolicyTexts.file(blocks: "<Colours><Red /></Colours>")
        let document = try PolicyReader.read(file: "test.xml", bytes: Array(text.utf8), unknownElements: .warn)
        #expect(document.findings.map(\.severity) == [.warning])
        #expect(document.findings.map(\.message) == ["<BuildingBlocks> has no element <Colours>"])
    }

    @Test func `settings are filled in`() throws {
        let text = PolicyTexts.file(
            providers:
                "<TechnicalProfile Id=\"a\"><Metadata><Item Key=\"k\">x{Settings:Host}y{b}</Item><Item Key=\"m\">{Settings:No}</Item></Metadata></TechnicalProfile>"
        )
        let document = try PolicyReader.read(
            file: "test.xml", bytes: Array(text.utf8), settings: [("host", "contoso.test")])
        #expect(document.technicalProfiles[0].metadata.map(\.value) == ["xcontoso.testy{b}", "{Settings:No}"])
        #expect(document.findings.map(\.rule) == ["B2C-POL-012"])
    }

    @Test func `text, entities and character data are kept`() throws {
        let text = PolicyTexts.file(
            providers: """
                <TechnicalProfile Id="a&amp;b"><Metadata><Item Key="k">
                  1 &lt; <![CDATA[2 & 3]]> &#228;
                </Item></Metadata></TechnicalProfile>
                """)
        let profile = try read(text).technicalProfiles[0]
        #expect(profile.id == "a&b")
        #expect(profile.metadata[0].value == "1 < 2 & 3 ä")
    }

    /// The program's own files are read without the checks of others' files: here they are made.
    @Test(arguments: BuiltInPolicy.all.map(\.policyID)) func `built-in policies have no findings`(_ id: String) throws {
        let policy = try #require(BuiltInPolicy.all.first { $0.policyID == id })
        let checked = try PolicyReader.readThrough(file: policy.file, bytes: policy.bytes)
        #expect(checked.findings.isEmpty)
        #expect(try policy.document().contentHash == checked.document.contentHash)
        #expect(try UserFlowCompiler.builtIn(id.uppercased())?.policyID == id)
    }

    /// A file cut off anywhere is refused with a place, never a crash.
    @Test func `a truncated file is refused`() {
        let bytes = BuiltInPolicy.base.bytes
        var cut = 0
        while cut < bytes.count {
            let all = findings { () throws(InvalidInput) in
                _ = try PolicyReader.read(file: "cut.xml", bytes: Array(bytes[..<cut]))
            }
            #expect(!all.isEmpty, "\(cut) bytes were taken for a policy")
            #expect(all.allSatisfy { $0.location?.file == "cut.xml" })
            cut += 97
        }
    }

    /// A byte changed anywhere gives a document or findings, never a crash.
    @Test func `a damaged file is refused or read`() {
        let bytes = BuiltInPolicy.base.bytes
        for (round, place) in stride(from: 11, to: bytes.count, by: 431).enumerated() {
            var damaged = bytes
            damaged[place] = [0x3C, 0x3E, 0x22, 0x26, 0x00, 0xFF, 0x2F, 0x20][round % 8]
            _ = try? PolicyReader.read(file: "damaged.xml", bytes: damaged)
        }
    }
}
