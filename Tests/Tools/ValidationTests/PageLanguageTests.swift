import Diagnostics
import Testing
import Validation

/// Texts of pages in several languages, and what `validate` says of their settings.
@Suite struct PageLanguageTests {
    private static let languages = "<SupportedLanguage>en</SupportedLanguage>"
    private static let reference = "LocalizedResourcesReferenceId=\"page.en\" />"
    private static let english = "<LocalizedResources Id=\"page.en\"><LocalizedStrings>"

    private static func string(_ type: String, _ id: String, _ element: String? = nil) -> String {
        "<LocalizedString ElementType=\"\(type)\"\(element.map { " ElementId=\"\($0)\"" } ?? "") "
            + "StringId=\"\(id)\">x</LocalizedString>"
    }

    /// The messages of the rule, where the page of the sample is in further languages too.
    ///
    /// - Parameters:
    ///   - english: Further texts in English.
    ///   - others: Language to texts.
    private func messages(english: String = "", _ others: KeyValuePairs<String, String>) -> [String] {
        var base = PolicySample.base.replacing(Self.english, with: Self.english + english)
        for claim in ["plan", "email"] {
            base = base.replacing(
                "<ClaimType Id=\"\(claim)\">", with: "<ClaimType Id=\"\(claim)\"><DisplayName>\(claim)</DisplayName>")
        }
        for (language, texts) in others {
            base = base.replacing(
                Self.languages, with: Self.languages + "<SupportedLanguage>\(language)</SupportedLanguage>"
            ).replacing(
                Self.reference,
                with: Self.reference + "<LocalizedResourcesReference Language=\"\(language)\" "
                    + "LocalizedResourcesReferenceId=\"page.\(language)\" />"
            ).replacing(
                "</Localization>",
                with: "<LocalizedResources Id=\"page.\(language)\"><LocalizedStrings>\(texts)</LocalizedStrings>"
                    + "</LocalizedResources></Localization>")
        }
        let files = [("base.xml", base)] + PolicySample.files.dropFirst()
        let project = Project(files: files.map { ProjectFile(path: $0.0, bytes: Array($0.1.utf8)) }, now: noon)
        return Validator.validate(project).diagnostics.filter { $0.rule == "B2C-POL-076" }.map(\.message)
    }

    private static let button = string("UxElement", "button_continue")

    @Test func `a text that a language lacks is one remark`() {
        #expect(messages(["de": Self.button]) == [])
        #expect(
            messages(english: Self.string("ErrorMessage", "Taken"), ["de": Self.button])
                == ["api.selfasserted lacks the text Taken in de, which it has in en"])
        #expect(
            messages(["de": Self.button, "fr": Self.string("ErrorMessage", "Taken"), "es": ""]) == [
                "api.selfasserted lacks the text button_continue in es and fr, which it has in en",
                "api.selfasserted lacks the text Taken in en, es and de, which it has in fr",
            ])
        // A country has the texts of its language.
        #expect(messages(["de": Self.button, "de-AT": ""]) == [])
    }

    @Test func `many texts that a language lacks are one remark`() {
        let many = ["A", "B", "C", "D"].map { Self.string("ErrorMessage", $0) }.joined()
        #expect(
            messages(english: many, ["de": Self.button])
                == ["api.selfasserted lacks the texts A, B, C and 1 more in de, which it has in en"])
    }

    /// Where a language names fields it names all of them: the others have the name that the claim itself has.
    @Test func `a field without name in a language is a remark`() {
        let names = Self.string("ClaimType", "DisplayName", "plan")
        #expect(
            messages(english: names, ["de": Self.button + names])
                == ["api.selfasserted lacks the text DisplayName of email in de, which it has in en"])
    }
}
