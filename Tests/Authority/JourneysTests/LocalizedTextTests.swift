import B2CProtocol
import HTTPMessages
import JSON
import Journeys
import Testing

/// Localised texts, one kind after another: where the text of the page's language is seen (Microsoft docs: localization).
@Suite struct LocalizedTextTests {
    /// A policy in English and Spanish, with the same strings in both.
    /// - Parameters:
    ///   - strings: Element type, element, string, and the English text. The Spanish one has `es:` before it.
    ///   - enabled: `Localization/@Enabled`, when there is one.
    private func world(
        _ strings: [(type: String, element: String?, id: String, text: String)], enabled: String? = "true",
        types: String = "", predicates: String = "", transformations: String = "", controls: String = "",
        profiles: String, steps: String, claims: KeyValuePairs<String, String> = [:], outputs: [String] = [],
        collections: (en: String, es: String) = ("", ""), page: String = "selfasserted:2.1.7"
    ) throws -> World {
        func resources(_ language: String, _ before: String, _ collections: String) -> String {
            let texts = strings.map { string in
                let element = string.element.map { " ElementId=\"\($0)\"" } ?? ""
                return "<LocalizedString ElementType=\"\(string.type)\"\(element) StringId=\"\(string.id)\">"
                    + before + string.text + "</LocalizedString>"
            }.joined()
            return "<LocalizedResources Id=\"\(language)\">\(collections)<LocalizedStrings>\(texts)</LocalizedStrings>"
                + "</LocalizedResources>"
        }
        let attribute = enabled.map { " Enabled=\"\($0)\"" } ?? ""
        let policy = Inline.policy(
            claims: claims, types: types, predicates: predicates, transformations: transformations,
            localization: """
                <Localization\(attribute)><SupportedLanguages DefaultLanguage="en">
                <SupportedLanguage>en</SupportedLanguage><SupportedLanguage>es</SupportedLanguage></SupportedLanguages>
                \(resources("en", "", collections.en))\(resources("es", "es:", collections.es))</Localization>
                """, controls: controls, profiles: profiles, steps: steps, outputs: outputs
        ).replacing(
            "</ContentDefinition>",
            with: """
                <LocalizedResourcesReferences>
                <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="en" />
                <LocalizedResourcesReference Language="es" LocalizedResourcesReferenceId="es" />
                </LocalizedResourcesReferences></ContentDefinition>
                """)
        return try World(xml: [policy.replacing("selfasserted:2.1.7", with: page)])
    }

    private static let field = """
        <ClaimType Id="name"><DisplayName>Name</DisplayName><DataType>string</DataType><UserInputType>TextBox</UserInputType>
        """
    private static let output = "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"

    /// With `Localization/@Enabled` false every page is in the default language.
    @Test(arguments: [("true", "es:Hello"), (nil, "es:Hello"), ("false", "Hello")] as [(String?, String)])
    func `languages can be switched off`(_ enabled: String?, _ title: String) throws {
        let world = try world(
            [("UxElement", nil, "heading", "Hello")], enabled: enabled, types: Self.field + "</ClaimType>",
            profiles: Inline.page("Page", Self.output), steps: Inline.steps("Page"))
        let page = try #require(world.begin { $0.uiLocales = "es" }.page)
        #expect(page.title == title)
        #expect(page.locale == (enabled == "false" ? "en" : "es"))
    }

    /// A message of the service: localised before the metadata of the page, before that of the profile that failed.
    @Test(arguments: [(true, "es:Say yes."), (false, "The page says no.")])
    func `messages of the service are localized`(_ isLocalised: Bool, _ text: String) throws {
        let key = "UserMessageIfClaimsTransformationBooleanValueIsNotEqual"
        let world = try world(
            isLocalised ? [("ErrorMessage", nil, key, "Say yes.")] : [],
            types: """
                <ClaimType Id="name"><DataType>boolean</DataType><UserInputType>TextBox</UserInputType></ClaimType>
                """,
            transformations: """
                <ClaimsTransformation Id="Assert" TransformationMethod="AssertBooleanClaimIsEqualToValue"><InputClaims>
                <InputClaim ClaimTypeReferenceId="name" TransformationClaimType="inputClaim" /></InputClaims>
                <InputParameters><InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" />
                </InputParameters></ClaimsTransformation>
                """,
            profiles: Inline.constants(
                "Check", ["sub": "x"],
                more: "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"Assert\" />"
                    + "</OutputClaimsTransformations>")
                + Inline.page(
                    "Page", metadata: [key: "The page says no."],
                    Self.output + "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"Check\" />"
                        + "</ValidationTechnicalProfiles>"), steps: Inline.steps("Page"))
        let run = world.begin { $0.uiLocales = "es" }
        run.submit(["name": "false"])
        #expect(run.answerStop?.message == text)
    }

    /// The label of a choice, under the id of its claims exchange.
    @Test func `names of providers are localized`() throws {
        let world = try world(
            [("ClaimsProvider", nil, "OneExchange", "Number one")],
            profiles: Inline.constants("One", ["sub": "1"]) + Inline.constants("Two", ["sub": "2"]),
            steps: """
                <OrchestrationStep Order="1" Type="ClaimsProviderSelection" ContentDefinitionReferenceId="api.page">
                <ClaimsProviderSelections><ClaimsProviderSelection TargetClaimsExchangeId="OneExchange" />
                <ClaimsProviderSelection TargetClaimsExchangeId="TwoExchange" /></ClaimsProviderSelections>
                </OrchestrationStep><OrchestrationStep Order="2" Type="ClaimsExchange"><ClaimsExchanges>
                <ClaimsExchange Id="OneExchange" TechnicalProfileReferenceId="One" />
                <ClaimsExchange Id="TwoExchange" TechnicalProfileReferenceId="Two" /></ClaimsExchanges>
                </OrchestrationStep>
                """ + Inline.send(3), page: "providerselection:1.2.1")
        let page = try #require(world.begin { $0.uiLocales = "es" }.page)
        #expect(page.providers.map(\.description) == ["es:Number one", "Two"])
    }

    /// Texts of rules: the rule's own, and the lead-in of its group under the newer and the older name of the element.
    @Test(arguments: [("PredicateValidation", "PredicateValidation"), ("PredicateValidation", "InputValidation")])
    func `texts of rules are localized`(_ kind: String, _ type: String) throws {
        let world = try world(
            [("Predicate", "Long", "HelpText", "five letters"), (type, "Rule", "Length", "It needs")],
            types: Self.field + "<\(kind)Reference Id=\"Rule\" /></ClaimType>",
            predicates: """
                <Predicates><Predicate Id="Long" Method="IsLengthRange" HelpText="not this"><Parameters>
                <Parameter Id="Minimum">5</Parameter></Parameters></Predicate></Predicates>
                <PredicateValidations><PredicateValidation Id="Rule"><PredicateGroups><PredicateGroup Id="Length">
                <UserHelpText>nor this</UserHelpText><PredicateReferences><PredicateReference Id="Long" />
                </PredicateReferences></PredicateGroup></PredicateGroups></PredicateValidation></PredicateValidations>
                """, profiles: Inline.page("Page", Self.output), steps: Inline.steps("Page"))
        let run = world.begin { $0.uiLocales = "es" }
        run.submit(["name": "Ada"])
        #expect(run.answerStop?.message == "es:It needs es:five letters")
        let english = world.begin()
        english.submit(["name": "Ada"])
        #expect(english.answerStop?.message == "It needs five letters")
    }

    /// The same for a rule of the older kind, whose list of predicates has an id of its own.
    @Test func `texts of rules of the older kind are localized`() throws {
        let world = try world(
            [("InputValidation", "Rule", "Length", "It needs")],
            types: Self.field + "<InputValidationReference Id=\"Rule\" /></ClaimType>",
            predicates: """
                <Predicates><Predicate Id="Long" Method="IsLengthRange" HelpText="five letters"><Parameters>
                <Parameter Id="Minimum">5</Parameter></Parameters></Predicate></Predicates>
                <InputValidations><InputValidation Id="Rule"><PredicateReferences Id="Length" HelpText="nor this">
                <PredicateReference Id="Long" /></PredicateReferences></InputValidation></InputValidations>
                """, profiles: Inline.page("Page", Self.output), steps: Inline.steps("Page"))
        let run = world.begin { $0.uiLocales = "es" }
        run.submit(["name": "Ada"])
        #expect(run.answerStop?.message == "es:It needs five letters")
    }

    /// Texts of a control: its title, and those that the page's script takes by the control's id.
    @Test func `texts of controls are localized`() throws {
        let world = try world(
            [
                ("DisplayControl", "prove", "title_text", "Prove it"),
                ("DisplayControl", "prove", "but_send_code", "Send it"),
            ], types: Self.field + "</ClaimType>",
            controls: """
                <DisplayControl Id="prove" UserInterfaceControlType="VerificationControl"><DisplayClaims>
                <DisplayClaim ClaimTypeReferenceId="name" Required="true" /></DisplayClaims></DisplayControl>
                """,
            profiles: Inline.page(
                "Page",
                "<DisplayClaims><DisplayClaim DisplayControlReferenceId=\"prove\" /></DisplayClaims>" + Self.output),
            steps: Inline.steps("Page"))
        let page = try #require(world.begin { $0.uiLocales = "es" }.page)
        #expect(page.fields.map(\.displayName) == ["es:Prove it"])
        #expect(page.strings.contains { $0.id == "prove_but_send_code" && $0.text == "es:Send it" })
    }

    // MARK: Transformations that read them

    /// A page whose transformations read texts: those of the page's language, or nothing where it has none.
    private func transforming(
        _ transformation: String, _ strings: [(type: String, element: String?, id: String, text: String)]
    )
        throws -> World
    {
        try world(
            strings, types: Self.field + "</ClaimType>", transformations: transformation,
            profiles: Inline.page(
                "Page",
                Self.output + "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"T\" />"
                    + "</OutputClaimsTransformations>"), steps: Inline.steps("Page"),
            claims: ["subject": "string", "other": "string"], outputs: ["subject", "other"])
    }

    @Test func `texts become claims`() throws {
        let world = try transforming(
            """
            <ClaimsTransformation Id="T" TransformationMethod="GetLocalizedStringsTransformation"><OutputClaims>
            <OutputClaim ClaimTypeReferenceId="subject" TransformationClaimType="mail_subject" />
            <OutputClaim ClaimTypeReferenceId="other" TransformationClaimType="mail_nothing" /></OutputClaims>
            </ClaimsTransformation>
            """, [("GetLocalizedStringsTransformationClaimType", nil, "mail_subject", "Your code")])
        for (language, subject) in [("en", "Your code"), ("es", "es:Your code"), ("es-MX", "es:Your code")] {
            let run = world.begin { $0.uiLocales = language }
            run.fill(["name": "Ada"])
            #expect(run.claims["subject"] == .string(subject), "\(language)")
            #expect(run.claims["other"] == nil)
        }
    }

    @Test func `claims go into a text of the language`() throws {
        let world = try transforming(
            """
            <ClaimsTransformation Id="T" TransformationMethod="FormatLocalizedString"><InputClaims>
            <InputClaim ClaimTypeReferenceId="name" /><InputClaim ClaimTypeReferenceId="sub" /></InputClaims>
            <InputParameters><InputParameter Id="stringFormatId" DataType="string" Value="greeting" /></InputParameters>
            <OutputClaims><OutputClaim ClaimTypeReferenceId="subject" TransformationClaimType="outputClaim" />
            </OutputClaims></ClaimsTransformation>
            """, [("FormatLocalizedStringTransformationClaimType", nil, "greeting", "Hello '{0}'{1}")])
        for (language, subject) in [("en", "Hello 'Ada'"), ("es", "es:Hello 'Ada'")] {
            let run = world.begin { $0.uiLocales = language }
            run.fill(["name": "Ada"])
            #expect(run.claims["subject"] == .string(subject), "\(language)")
        }
    }

    /// The value of the choice that has this text, in the page's language first.
    @Test(
        arguments: [("en", "Second", "2"), ("es", "Segundo", "2"), ("es", "Second", nil), ("en", "Third", nil)]
            as [(String, String, JSONValue?)])
    func `texts of choices give their values`(_ language: String, _ text: String, _ value: JSONValue?) throws {
        func list(_ word: String) -> String {
            "<LocalizedCollections><LocalizedCollection ElementType=\"ClaimType\" ElementId=\"message\" "
                + "TargetCollection=\"Restriction\"><Item Text=\"\(word)\" Value=\"2\" /></LocalizedCollection>"
                + "</LocalizedCollections>"
        }
        let world = try world(
            [("UxElement", nil, "heading", "x")],
            types: Self.field + "</ClaimType>"
                + """
                <ClaimType Id="message"><DataType>string</DataType><UserInputType>DropdownSingleSelect</UserInputType>
                </ClaimType>
                """,
            transformations: """
                <ClaimsTransformation Id="T" TransformationMethod="GetMappedValueFromLocalizedCollection"><InputClaims>
                <InputClaim ClaimTypeReferenceId="name" TransformationClaimType="mapFromClaim" /></InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="message" \
                TransformationClaimType="restrictionValueClaim" /></OutputClaims></ClaimsTransformation>
                """,
            profiles: Inline.page(
                "Page",
                Self.output + "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"T\" />"
                    + "</OutputClaimsTransformations>"), steps: Inline.steps("Page"), outputs: ["message"],
            collections: (list("Second"), list("Segundo")))
        let run = world.begin { $0.uiLocales = language }
        run.fill(["name": text])
        #expect(run.issuance != nil)
        #expect(run.claims["message"] == value)
    }

    /// `CopyClaimIfPredicateMatch` copies what satisfies the rules of the claim that it copies to.
    @Test(arguments: [("12345", "12345"), ("123", nil), (nil, nil)] as [(String?, JSONValue?)])
    func `only what fits is copied`(_ value: String?, _ copied: JSONValue?) throws {
        let run = try World(xml: [
            Inline.policy(
                claims: ["source": "string"],
                types: """
                    <ClaimType Id="target"><DataType>string</DataType><PredicateValidationReference Id="Rule" />
                    </ClaimType>
                    """,
                predicates: """
                    <Predicates><Predicate Id="Long" Method="IsLengthRange"><Parameters>
                    <Parameter Id="Minimum">5</Parameter></Parameters></Predicate></Predicates>
                    <PredicateValidations><PredicateValidation Id="Rule"><PredicateGroups><PredicateGroup Id="G">
                    <PredicateReferences><PredicateReference Id="Long" /></PredicateReferences></PredicateGroup>
                    </PredicateGroups></PredicateValidation></PredicateValidations>
                    """,
                transformations: """
                    <ClaimsTransformation Id="T" TransformationMethod="CopyClaimIfPredicateMatch"><InputClaims>
                    <InputClaim ClaimTypeReferenceId="source" TransformationClaimType="inputClaim" /></InputClaims>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="target" TransformationClaimType="outputClaim" />
                    </OutputClaims></ClaimsTransformation>
                    """,
                profiles: Inline.constants(
                    "Run", value.map { ["source": $0] } ?? [:],
                    more: "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"T\" />"
                        + "</OutputClaimsTransformations>"), steps: Inline.steps("Run"), outputs: ["target"])
        ]).begin()
        #expect(run.issuance != nil)
        #expect(run.claims["target"] == copied)
    }
}
