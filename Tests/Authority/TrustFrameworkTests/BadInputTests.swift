import Diagnostics
import Testing

@testable import TrustFramework

/// What is not a policy is refused with its place, in bounded time, and never traps.
@Suite struct BadInputTests {
    struct Case: Sendable {
        let name: String
        let bytes: [UInt8]
        let message: String
        /// Place of the first error; `nil` where a line is enough.
        let line: Int
        var column: Int?

        init(_ name: String, _ text: String, _ message: String, _ line: Int, _ column: Int? = nil) {
            self.init(name, Array(text.utf8), message, line, column)
        }

        init(_ name: String, _ bytes: [UInt8], _ message: String, _ line: Int, _ column: Int? = nil) {
            self.name = name
            self.bytes = bytes
            self.message = message
            self.line = line
            self.column = column
        }
    }

    static let root = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_x" PublicPolicyUri="http://c">
        """
    static let end = "</TrustFrameworkPolicy>"

    static let cases: [Case] = [
        Case("nothing", "", "there is no element", 1, 1),
        Case("no XML", "{\"json\": true}", "there is no element", 1, 1),
        Case(
            "external entity", "<!DOCTYPE p [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n\(root)&e;\(end)",
            "document type declaration is refused", 1, 1),
        Case(
            "entity bomb",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE p [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n\(root)&b;\(end)",
            "document type declaration is refused", 2, 1),
        Case("unknown entity", "\(root)\n<Contacts>&nbsp;</Contacts>\(end)", "XML has no entity &nbsp;", 2, 11),
        Case("bare ampersand", "\(root)\n\n<Contacts>a & b</Contacts>\(end)", "a bare & stands here", 3, 13),
        Case("UTF-16", [0xFF, 0xFE] + "<a/>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "UTF-16", 1, 1),
        Case(
            "UTF-16 without mark", "<a/>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, "UTF-16", 1, 1),
        Case(
            "declared Latin-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a b=\"\u{E4}\"/>",
            "says that it is ISO-8859-1", 1, 31),
        Case("declared UTF-16", "<?xml version=\"1.0\" encoding='utf-16'?><a/>", "says that it is utf-16", 1, 31),
        Case("Latin-1", Array("<a>\n<b c=\"".utf8) + [0xE4] + Array("\"/></a>".utf8), "not UTF-8", 2, 7),
        Case("null byte", Array("<a>\n".utf8) + [0] + Array("</a>".utf8), "control character", 2, 1),
        Case("cut off", "\(root)\n<BuildingBlocks>", "is never ended", 2, 1),
        Case("crossed tags", "<a>\n<b></a></b>", "is in the place where <b> of line 2 must end", 2, 4),
        Case("two roots", "<a/>\n<b/>", "a second root element", 2, 1),
        Case("attribute twice", "<a b='1'\nb='2'/>", "occurs twice", 2, 1),
        Case("attribute without quotes", "<a\n b=1/>", "must be in quotes", 2, 2),
        Case("comment without end", "<a>\n<!-- x </a>", "this comment never ends", 2, 1),
        Case("wrong namespace", "<TrustFrameworkPolicy xmlns=\"http://x\"/>", "wrong namespace", 1, 30),
        Case("other root", "<configuration/>", "its root is <configuration>", 1, 1),
        Case(
            "10,000 levels", String(repeating: "<a>\n", count: 10_000) + String(repeating: "</a>", count: 10_000),
            "nested deeper than 64", 65, 1),
        Case("50 MB", [UInt8](repeating: 0x20, count: 50 << 20), "a policy may have 1024 KB", 1, 1),
        Case(
            "100,000 attributes", "<a " + (0..<100_000).map { "a\($0)='' " }.joined() + "/>",
            "more than 64 attributes", 1),
        Case(
            "20,000 unknown elements",
            root + "<BuildingBlocks>" + String(repeating: "<ClaimSchema/>\n", count: 20_000) + "</BuildingBlocks>"
                + end,
            "has no element <ClaimSchema>", 1),
    ]

    @Test(arguments: cases.indices) func `bad input is refused with its place`(_ index: Int) {
        let item = Self.cases[index]
        do throws(InvalidInput) {
            _ = try PolicyReader.read(file: "bad.xml", bytes: item.bytes)
            Issue.record("\(item.name) was read")
        } catch {
            let first = error.diagnostics.first
            #expect(first?.message.contains(item.message) == true, "\(item.name): \(error.diagnostics.prefix(2))")
            #expect(first?.location?.file == "bad.xml")
            #expect(first?.location?.line == item.line, "\(item.name)")
            if let column = item.column { #expect(first?.location?.column == column, "\(item.name)") }
            #expect(error.diagnostics.count <= GrammarCheck.mostFindings + 1)
        }
    }

    /// A file of the largest size in one line: places in it are found without counting from its start each time.
    @Test func `a minified file of a megabyte takes no quadratic time`() throws {
        let claim = "<ClaimType Id=\"c\"><DisplayName>\u{E4}</DisplayName></ClaimType>"
        let claims = (0..<12_000).map { claim.replacingFirst("\"c\"", with: "\"claim\($0)\"") }.joined()
        let text = "\(Self.root)<BuildingBlocks><ClaimsSchema>\(claims)</ClaimsSchema></BuildingBlocks>\(Self.end)"
        #expect(text.utf8.count > 700_000)
        let document = try PolicyReader.read(file: "long.xml", bytes: Array(text.utf8))
        #expect(document.buildingBlocks.claimTypes.count == 12_000)
        let last = document.buildingBlocks.claimTypes[11_999].location
        let before = text[..<(text.range(ofLast: "<ClaimType Id") ?? text.startIndex)]
        #expect(last.line == 1)
        #expect(last.column == before.unicodeScalars.count + 1)
    }

    @Test func `places in long lines are those of counting`() {
        let text =
            String(repeating: "a\u{E4}\u{20AC}\u{1F600}", count: 3_000) + "\n" + String(repeating: "b\u{E4}", count: 9)
        let source = SourceText(file: "x", bytes: Array(text.utf8))
        var offset = 0
        for (place, scalar) in text.unicodeScalars.enumerated() {
            if place % 97 == 0, place < 12_000 {
                #expect(source.position(at: offset).column == place + 1)
                #expect(source.position(at: offset).line == 1)
            }
            offset += String(scalar).utf8.count
        }
        #expect(source.position(at: Array(text.utf8).count - 1).line == 2)
    }

    /// Includes that include each other three thousand deep neither trap nor take for ever.
    @Test func `deep includes are a finding`() {
        let profiles = (0..<3_000).map { place in
            "<TechnicalProfile Id=\"T\(place)\"><IncludeTechnicalProfile ReferenceId=\"T\(place + 1)\"/></TechnicalProfile>"
        }.joined(separator: "\n")
        let text = PolicyTexts.runnable(
            providers: profiles + "<TechnicalProfile Id=\"T3000\"><Protocol Name=\"None\"/></TechnicalProfile>")
        #expect(throws: InvalidInput.self) { try link(text) }
        do throws(InvalidInput) { _ = try link(text) } catch {
            #expect(error.diagnostics.contains { $0.message.contains("nested deeper than 64") })
            #expect(error.diagnostics.allSatisfy { $0.location != nil })
        }
    }

    @Test func `a policy in which everything dangles is refused at every place`() {
        let profiles = (0..<2_000).map { place in
            "<TechnicalProfile Id=\"Profile\(place)\"><IncludeTechnicalProfile ReferenceId=\"Profil\(place)\"/></TechnicalProfile>"
        }.joined(separator: "\n")
        do throws(InvalidInput) {
            _ = try link(PolicyTexts.runnable(providers: profiles))
            Issue.record("it links")
        } catch {
            #expect(error.diagnostics.count { $0.rule == "B2C-POL-021" } == 2_000)
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }

    fileprivate func range(ofLast part: String) -> String.Index? { ranges(of: part).last?.lowerBound }
}
