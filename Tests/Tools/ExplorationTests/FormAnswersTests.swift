import B2CProtocol
import Determinism
import Exploration
import JSON
import TenantFiles
import Testing
import TrustFramework

/// What somebody types whose record does not say it.
@Suite struct FormAnswersTests {
    static let record = UserRecord {
        $0.name = "ada"
        $0.email = "ada@example.test"
        $0.username = "adalovelace"
        $0.password = "Password-1843"
        $0.newPassword = "Password-1844"
        $0.phone = "+442079460000"
        $0.attributes = ["givenName": "Ada"]
    }

    static let now = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)

    static func values(
        _ fields: [PageField], usual: [String: String] = [:], attempt: Int = 0, signIn: Bool = false
    ) throws -> [String: String] {
        let policy = try ExplorerTests.flow(["type": "signUpOrSignIn"])
        return FormAnswers(policy: policy).values(
            for: fields, isSignIn: signIn, usual: usual, record: record, attempt: attempt, at: now)
    }

    private static func rules(_ predicates: [PagePredicate], atLeast: Int = 1) -> PageInputValidation {
        PageInputValidation(groups: [PagePredicateGroup(id: "g", matchAtLeast: atLeast, predicates: predicates)])
    }

    private static func rule(_ method: PagePredicate.Method, _ parameters: [(String, String)]) -> PagePredicate {
        PagePredicate(
            id: "r", method: method, parameters: parameters.map { .init(name: $0.0, value: $0.1) }, help: "")
    }

    private static let yesOrNo = [PageOption(value: "false", display: "No"), PageOption(value: "true", display: "Yes")]
    private static let colours = ["red", "green"].map { PageOption(value: $0, display: $0) }

    static let rows: [(field: PageField, value: String?)] = [
        (PageField(id: "pitch", isRequired: true), "text"),
        (PageField(id: "pitch"), nil),
        (PageField(id: "pitch", isRequired: true, prefilled: "here"), nil),
        (PageField(id: "backupMail", isRequired: true), "ada@example.test"),
        (PageField(id: "contact", inputType: .emailBox, isRequired: true), "ada@example.test"),
        (PageField(id: "newEmail", isRequired: true, prefilled: "ada@example.test"), "ada2@example.test"),
        (PageField(id: "newPhoneNumber", isRequired: true), "+442079460001"),
        (PageField(id: "mobilePhone", isRequired: true, pattern: "^[0-9]{10}$"), "2079460000"),
        (PageField(id: "yourGivenName", isRequired: true), "Ada"),
        (PageField(id: "zip", isRequired: true, pattern: "^[0-9]{4}$"), "1234"),
        (PageField(id: "plate", isRequired: true, pattern: "^XQ-[0-9]{2}$"), "XQ-00"),
        (PageField(id: "born", inputType: .dateTimeDropdown, isRequired: true), "1990-05-17"),
        (
            PageField(
                id: "day", inputType: .dateTimeDropdown, isRequired: true,
                inputValidation: rules([rule(.isDateRange, [("Minimum", "2020-01-01"), ("Maximum", "Today")])])),
            "2020-01-01"
        ),
        (PageField(id: "terms", inputType: .radioSingleSelect, isRequired: true, options: yesOrNo), "true"),
        (PageField(id: "colour", inputType: .dropdownSingleSelect, isRequired: true, options: colours), "red"),
        (PageField(id: "tick", inputType: .checkboxMultiSelect, isRequired: true, options: colours), "red"),
        (PageField(id: "colour", inputType: .dropdownSingleSelect, options: colours), nil),
    ]

    @Test(arguments: rows)
    func `a required field gets a value that its rules allow`(_ row: (field: PageField, value: String?)) throws {
        #expect(try Self.values([row.field])[row.field.id] == row.value)
    }

    /// What a validation profile does with the one field of a page, and what ada types there.
    static let uses: [(profile: String, transformations: String, typed: String)] = [
        (directory("strongAuthenticationEmailAddress"), "", "ada@example.test"),
        (directory("signInNames.phoneNumber"), "", "+442079460000"),
        (directory("signInNames.loyalty"), "", "adalovelace"),
        (directory("givenName"), "", "Ada"),
        (
            SmallPolicy.transform("Check", "full", ["Write", "Dial"]),
            SmallPolicy.transformation(
                "Write", "FormatStringClaim", ["inputClaim": "claimA"], ["stringFormat": "+44{0}"],
                ["outputClaim": "written"])
                + SmallPolicy.transformation(
                    "Dial", "ConvertStringToPhoneNumberClaim", ["phoneNumberString": "written"], [:],
                    ["outputClaim": "full"]), "2079460000"
        ),
    ]

    private static func directory(_ attribute: String) -> String {
        SmallPolicy.profile(
            "Check", "Providers.AzureActiveDirectoryProvider",
            """
            <Metadata><Item Key="Operation">Write</Item></Metadata>
            <InputClaims><InputClaim ClaimTypeReferenceId="sub" PartnerClaimType="objectId" /></InputClaims><PersistedClaims>
            <PersistedClaim ClaimTypeReferenceId="claimA" PartnerClaimType="\(attribute)" /></PersistedClaims>
            """)
    }

    @Test(arguments: uses)
    func `a field whose name says nothing gets what the policy uses it for`(
        _ use: (profile: String, transformations: String, typed: String)
    ) throws {
        let policy = SmallPolicy(
            claims: ["written": "string", "full": "phoneNumber"], fields: ["claimA": "string"],
            transformations: use.transformations,
            profiles: SmallPolicy.page("Ask", "claimA", validations: ["Check"]) + use.profile, runs: ["Ask"])
        let values = FormAnswers(policy: try policy.link()).values(
            for: [PageField(id: "claimA", isRequired: true)], isSignIn: false, usual: [:], record: Self.record,
            attempt: 0, at: Self.now)
        #expect(values == ["claimA": use.typed])
    }

    @Test func `a page that refuses gets other values`() throws {
        let terms = PageField(id: "terms", inputType: .radioSingleSelect, prefilled: "false", options: Self.yesOrNo)
        #expect(try Self.values([terms]) == [:])
        #expect(try Self.values([terms], attempt: 1) == ["terms": "true"])
        let tick = PageField(id: "tick", inputType: .checkboxMultiSelect, options: Self.colours)
        #expect(try Self.values([tick], attempt: 1) == ["tick": "red,green"])
        #expect(try Self.values([tick], attempt: 2) == ["tick": "red"])
        let pitch = PageField(id: "pitch")
        #expect(try Self.values([pitch], attempt: 1) == ["pitch": "text"])
        let phone = PageField(id: "phone", isRequired: true)
        #expect(try Self.values([phone], usual: ["phone": "+442079460000"], attempt: 1) == ["phone": "+442079460001"])
    }

    @Test func `a sign-in page is filled in as the record says, also when it refuses`() throws {
        let fields = [PageField(id: "signInName", isRequired: true), PageField(id: "password", inputType: .password)]
        let usual = ["signInName": "ada@example.test", "password": "Password-1843"]
        for attempt in 0...2 {
            #expect(try Self.values(fields, usual: usual, attempt: attempt, signIn: true) == [:])
        }
    }

    static let passwords: [(fields: [PageField], typed: [String: String])] = [
        // A change of the password takes another one.
        (
            [
                PageField(id: "oldPassword", inputType: .password), PageField(id: "newPassword", inputType: .password),
                PageField(id: "reenterPassword", inputType: .password),
            ], ["newPassword": "Password-1844", "reenterPassword": "Password-1844"]
        ),
        (
            [PageField(id: "password", inputType: .password), PageField(id: "newPassword", inputType: .password)],
            ["newPassword": "Password-1844"]
        ),
        // A new account takes the one on record.
        (
            [
                PageField(id: "newPassword", inputType: .password),
                PageField(id: "reenterPassword", inputType: .password),
            ], [:]
        ),
        // The repetition has no rules of its own.
        (
            [
                PageField(id: "newPassword", inputType: .password, pattern: "^[0-9]{6}$"),
                PageField(id: "reenterPassword", inputType: .password),
            ], ["newPassword": "184400", "reenterPassword": "184400"]
        ),
    ]

    @Test(arguments: passwords)
    func `passwords are the old one and the new one`(_ row: (fields: [PageField], typed: [String: String])) throws {
        let usual = Dictionary(uniqueKeysWithValues: row.fields.map { ($0.id, "Password-1843") })
        #expect(try Self.values(row.fields, usual: usual) == row.typed)
    }

    @Test func `a password follows rules of length and characters`() throws {
        let field = PageField(
            id: "newPassword", inputType: .password,
            inputValidation: Self.rules(
                [
                    Self.rule(.isLengthRange, [("Minimum", "16"), ("Maximum", "20")]),
                    Self.rule(.includesCharacters, [("CharacterSet", "~^")]),
                    Self.rule(.includesCharacters, [("CharacterSet", "0-9")]),
                    Self.rule(.includesCharacters, [("CharacterSet", "A-Z")]),
                ], atLeast: 4))
        let value = try #require(try Self.values([field], usual: ["newPassword": "Password-1843"])["newPassword"])
        #expect((16...20).contains(value.count))
        #expect(value.contains { "~^".contains($0) })
        #expect(value.contains(where: \.isNumber) && value.contains(where: \.isUppercase))
    }

    @Test func `the choice is a provider where the person has an account`() throws {
        let answers = FormAnswers(policy: try ExplorerTests.flow(["type": "signUpOrSignIn"]))
        let choices = ["GoogleExchange", "FacebookExchange"].map { PageChoice(id: $0, description: "") }
        #expect(answers.choice(of: choices, record: Self.record) == "GoogleExchange")
        var known = Self.record
        known.providers = [ProviderIdentity(provider: "facebook", claims: ["id": "1"])]
        #expect(answers.choice(of: choices, record: known) == "FacebookExchange")
        let link = PageChoice(id: "SignUp", description: "", displayType: "SignUpLink")
        #expect(answers.choice(of: [link] + choices, record: Self.record) == "GoogleExchange")
        #expect(answers.choice(of: [], record: Self.record) == nil)
    }

    @Test func `a phone page that refuses a number gets another`() throws {
        let answers = FormAnswers(policy: try ExplorerTests.flow(["type": "signUpOrSignIn"]))
        #expect(answers.phone(of: Self.record, attempt: 0) == "+442079460000")
        #expect(answers.phone(of: Self.record, attempt: 1) == "+442079460001")
        #expect(answers.phone(of: UserRecord { $0.name = "x" }, attempt: 0).hasPrefix("+"))
    }
}
