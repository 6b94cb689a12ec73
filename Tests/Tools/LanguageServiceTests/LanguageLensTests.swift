import LanguageService
import Testing

/// What can be started from lines of a file.
struct LanguageLensTests {
    /// The lenses of a file: the text that each is at, its title and its command.
    private static func lenses(_ path: String, _ text: String) -> [String] {
        let world = ActionWorld([path: text])
        return world.workspace.lenses(of: path).map { lens in
            let place = world.workspace.file(path)?.source.text(lens.range.range) ?? ""
            return "\(place): \(lens.title ?? "?"): \(lens.command)"
        }
    }

    @Test func `a relying party is traced and explored, and profiles have scripts`() {
        let text = ActionWorld.policy(
            "B2C_1A_In",
            """
              <ClaimsProviders>
                <ClaimsProvider>
                  <TechnicalProfiles>
                    <TechnicalProfile Id="Read" />
                  </TechnicalProfiles>
                </ClaimsProvider>
              </ClaimsProviders>
              <RelyingParty>
                <TechnicalProfile Id="PolicyProfile" />
              </RelyingParty>
            """)
        #expect(
            Self.lenses("In.xml", text) == [
                #"RelyingParty: Trace as ada: trace(file: "In.xml", policy: "B2C_1A_In", person: "ada")"#,
                #"RelyingParty: Trace as nina: trace(file: "In.xml", policy: "B2C_1A_In", person: "nina")"#,
                #"RelyingParty: Explore: explore(file: "In.xml", policy: "B2C_1A_In")"#,
                #"Read: ?: uses(file: "In.xml", profile: "Read")"#,
            ])
        #expect(Self.lenses("Base.xml", ActionWorld.policy("B2C_1A_Base")) == [])
    }

    @Test func `a script runs, and each of its cases`() {
        let text =
            #"{ "name": "s", "tenant": "t.json", "cases": { "one": {}, "two": {} }, "steps": [ { "inspect": "users" } ] }"#
        #expect(
            Self.lenses("s.json", text) == [
                #": Run: run(file: "s.json", caseName: nil)"#,
                #""one": Run one: run(file: "s.json", caseName: Optional("one"))"#,
                #""two": Run two: run(file: "s.json", caseName: Optional("two"))"#,
            ])
    }

    @Test func `a tenant's policies are traced as the first person they suit`() {
        let policies = #""*": {}, "in": { "id": "B2C_1_in", "type": "signUpOrSignIn" }"#
        func text(_ users: String, _ more: String = "", apps: String = #""*": {}, "ios": {}"#) -> String {
            """
            { "name": "contoso", "apps": { \(apps) }, "policies": { \(policies)\(more) }, "users": { \(users) } }
            """
        }
        #expect(
            Self.lenses("t.json", text(#""*": {}, "bob": {}, "ada": {}"#)) == [
                #""in": Trace as bob: trace(file: "t.json", policy: "in", person: "bob")"#
            ])
        #expect(Self.lenses("t.json", text("")) == [])
        #expect(Self.lenses("t.json", text(#""bob": {}"#, apps: "")) == [])
        #expect(Self.lenses("t.json", text(#""bob": {}"#, #", "ropc": { "type": "ropc" }"#)).count == 1)
        let new = #""*": { "registered": false }, "bob": {}"#
        let edit = #", "edit": { "type": "profileEditing" }"#
        #expect(
            Self.lenses("t.json", text(new + #", "ada": { "registered": true }"#, edit)) == [
                #""in": Trace as ada: trace(file: "t.json", policy: "in", person: "ada")"#,
                #""edit": Trace as ada: trace(file: "t.json", policy: "edit", person: "ada")"#,
            ])
        #expect(
            Self.lenses("t.json", text(new, edit)) == [
                #""in": Trace as bob: trace(file: "t.json", policy: "in", person: "bob")"#
            ])
    }
}
