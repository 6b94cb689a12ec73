import B2CProtocol
import Journeys
import Testing

/// The attribute Country/Region is a list on the pages of user flows.
@Suite struct CountryTests {
    @Test(arguments: [("en", "Germany"), ("de", "Deutschland")])
    func `a page offers the countries in its language`(language: String, name: String) throws {
        let world = try World(
            flow: ["type": "signUp", "attributes": ["displayName", "country"], "languages": ["en", "de"]])
        let run = world.begin { $0.uiLocales = language }
        let field = try #require(run.page?.fields.first { $0.id == "country" })
        #expect(field.inputType == .dropdownSingleSelect)
        #expect(field.options.count > 200)
        #expect(Set(field.options.map(\.value)).count == field.options.count)
        // What is posted is the same in every language.
        #expect(field.options.first { $0.value == "Germany" }?.display == name)
    }

    /// Nobody pays for the list who does not ask for the attribute.
    @Test func `other flows have no list`() throws {
        let world = try World(flow: ["type": "signUp", "attributes": ["displayName", "city"]])
        #expect(world.begin().page?.fields.contains { !$0.options.isEmpty } == false)
    }
}
