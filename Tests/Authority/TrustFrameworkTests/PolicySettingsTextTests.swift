import Diagnostics
import Testing
import TrustFramework

/// `{Settings:NAME}` in policy files.
struct PolicySettingsTextTests {
    private static let settings = [
        (name: "Name", value: "test"), (name: "Claims", value: PolicyTexts.claims), (name: "Version", value: "0.3.0.0"),
    ]

    @Test func `values go into the text before it is read`() throws {
        let text = PolicyTexts.runnable()
            .replacing(PolicyTexts.claims, with: "{settings:Claims}")
            .replacing("B2C_1A_test", with: "B2C_1A_{Settings:Name}")
            .replacing("PolicySchemaVersion=\"0.3.0.0\"", with: "PolicySchemaVersion=\"{Settings:Version}\"")
        let document = try PolicyReader.read(file: "t.xml", bytes: Array(text.utf8), settings: Self.settings)
        #expect(document.policyID == "B2C_1A_test")
        #expect(document.buildingBlocks.claimTypes.map(\.id) == ["objectId", "displayName", "surname"])
        #expect(document.findings == [])
    }

    @Test func `what has no value stays and is a warning`() throws {
        let text = PolicyTexts.runnable()
            .replacing("PolicySchemaVersion=\"0.3.0.0\"", with: "PolicySchemaVersion=\"{Settings:Version}\"")
        let document = try read(text)
        #expect(document.findings.map(\.rule) == ["B2C-POL-012"])
        #expect(document.findings.map(\.severity) == [.warning])
    }

    @Test func `places are those of the file as it is on the disk`() throws {
        let text = PolicyTexts.runnable(providers: "<TechnicalProfile />")
            .replacing(PolicyTexts.claims, with: "{Settings:Claims}")
        let line = text.prefix(upTo: try #require(text.firstRange(of: "<TechnicalProfile />")).lowerBound)
            .split(separator: "\n", omittingEmptySubsequences: false).count
        do throws(InvalidInput) {
            _ = try PolicyReader.read(file: "t.xml", bytes: Array(text.utf8), settings: Self.settings)
            Issue.record("a technical profile without Id was read")
        } catch {
            #expect(error.diagnostics.first?.location?.line == line, "\(error.diagnostics)")
        }
    }

    @Test(arguments: [
        ("{Settings:A}", "1"), ("{settings:a}{SETTINGS:B}", "1{SETTINGS:B}"), ("{Settings:A", "{Settings:A"),
        ("{{Settings:A}}", "{1}"), ("x{Setting:A}", "x{Setting:A}"), ("", ""),
    ])
    func `a text is filled`(_ text: String, _ filled: String) {
        #expect(PolicySettingsText.filled(text, [(name: "A", value: "1")]) == filled)
    }
}
