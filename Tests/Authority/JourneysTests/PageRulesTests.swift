import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import Testing

/// Rules of pages and of their technical profiles (Microsoft docs: claimsschema, predicates,
/// self-asserted-technical-profile, active-directory-technical-profile, restful-technical-profile, localization).
@Suite struct PageRulesTests {
    /// A sign-in page of a layout: a name and a password, which nothing checks.
    private func signIn(_ layout: String, mode: String? = nil, name: String = "") throws -> Run {
        let page = Inline.page(
            "SignIn", metadata: mode.map { ["setting.operatingMode": $0] } ?? [:],
            """
            <OutputClaims><OutputClaim ClaimTypeReferenceId="name" Required="true" />
            <OutputClaim ClaimTypeReferenceId="secret" Required="true" /></OutputClaims>
            """)
        let step = """
            <OrchestrationStep Order="1" Type="CombinedSignInAndSignUp" ContentDefinitionReferenceId="api.page">
            <ClaimsProviderSelections><ClaimsProviderSelection ValidationClaimsExchangeId="E1" />
            </ClaimsProviderSelections><ClaimsExchanges>
            <ClaimsExchange Id="E1" TechnicalProfileReferenceId="SignIn" /></ClaimsExchanges></OrchestrationStep>
            """
        let policy = Inline.policy(
            types: """
                <ClaimType Id="name"><DisplayName>Name</DisplayName><DataType>string</DataType>
                <UserInputType>TextBox</UserInputType><PredicateValidationReference Id="Long" /></ClaimType>
                <ClaimType Id="secret"><DataType>string</DataType><UserInputType>Password</UserInputType></ClaimType>
                """,
            predicates: """
                <Predicates><Predicate Id="Five" Method="IsLengthRange" HelpText="too short"><Parameters>
                <Parameter Id="Minimum">5</Parameter></Parameters></Predicate></Predicates>
                <PredicateValidations><PredicateValidation Id="Long"><PredicateGroups><PredicateGroup Id="G">
                <PredicateReferences><PredicateReference Id="Five" /></PredicateReferences></PredicateGroup>
                </PredicateGroups></PredicateValidation></PredicateValidations>
                """, profiles: page + Inline.constants("After", ["sub": "x"]),
            steps: step + Inline.exchange(2, "After") + Inline.send(3), outputs: ["name"]
        ).replacing("selfasserted:2.1.7", with: layout)
        return try World(xml: [policy]).begin()
    }

    /// Sign-in pages check predicates from layout 2.1.0 on.
    @Test(arguments: [("unifiedssp:2.1.5", true), ("unifiedssp:2.1.0", true), ("unifiedssp:1.2.0", false)])
    func `predicates of a sign-in page are checked`(_ layout: String, _ checks: Bool) throws {
        let run = try signIn(layout)
        #expect((run.page?.fields.first?.inputValidation != nil) == checks)
        run.submit(["name": "abc", "secret": "x"])
        #expect(run.status == (checks ? "400" : "200"))
        #expect(run.answerStop?.message == (checks ? "too short" : nil))
    }

    /// With `setting.operatingMode` `Email` the name must be an address.
    @Test(
        arguments: [
            ("Email", "ada.lovelace", false), ("email", "ada@example.test", true), ("Username", "ada.lovelace", true),
            (nil, "ada.lovelace", true),
        ] as [(String?, String, Bool)])
    func `e-mail addresses on a sign-in page are checked`(_ mode: String?, _ name: String, _ passes: Bool) throws {
        let run = try signIn("unifiedssp:2.1.5", mode: mode)
        run.submit(["name": name, "secret": "x"])
        #expect(run.status == (passes ? "200" : "400"))
        if !passes { #expect(run.answerStop?.message == "Name has invalid input.") }
    }

    /// A mask is for the eye: what comes back as it was shown is the value behind it.
    @Test(arguments: [("+1 206 XXX", "+1 206 555"), ("X+1 206", "X+1 206"), ("XXXXX6 555", "+1 206 555")])
    func `masks do not change the claim`(_ typed: String, _ issued: String) throws {
        let page = Inline.page(
            "Ask",
            """
            <InputClaims><InputClaim ClaimTypeReferenceId="number" /></InputClaims>
            <OutputClaims><OutputClaim ClaimTypeReferenceId="number" /></OutputClaims>
            """)
        let run = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="number"><DataType>string</DataType><Mask Type="Simple">XXXXX</Mask>
                    <UserInputType>TextBox</UserInputType></ClaimType>
                    """, profiles: Inline.constants("Set", ["number": "+1 206 555"]) + page,
                steps: Inline.steps("Set", "Ask"), outputs: ["number"])
        ]).begin()
        #expect(run.page?.fields.first?.prefilled == "XXXXX6 555")
        let isNew = typed == "+1 206 XXX"
        run.fill(["number": typed])
        #expect(run.claims["number"] == .string(isNew ? typed : issued))
    }

    /// A text that a variety of a language lacks is that of the language.
    @Test func `texts of the parent language are used`() throws {
        func resources(_ id: String, _ texts: String) -> String {
            "<LocalizedResources Id=\"\(id)\"><LocalizedStrings>\(texts)</LocalizedStrings></LocalizedResources>"
        }
        func text(_ type: String, _ element: String?, _ id: String, _ text: String) -> String {
            let element = element.map { " ElementId=\"\($0)\"" } ?? ""
            return "<LocalizedString ElementType=\"\(type)\"\(element) StringId=\"\(id)\">\(text)</LocalizedString>"
        }
        let localization = """
            <Localization Enabled="true"><SupportedLanguages DefaultLanguage="en">
            <SupportedLanguage>en</SupportedLanguage><SupportedLanguage>es</SupportedLanguage>
            <SupportedLanguage>es-MX</SupportedLanguage></SupportedLanguages>
            \(resources("en", text("UxElement", nil, "heading", "Hello") + text("UxElement", nil, "button_cancel", "No")))
            \(resources("es", text("UxElement", nil, "heading", "Hola") + text("ClaimType", "color", "DisplayName", "Color")
                + text("UxElement", nil, "button_continue", "Continuar")))
            \(resources("mx", text("UxElement", nil, "heading", "Qué onda"))) </Localization>
            """
        let references = """
            <LocalizedResourcesReferences><LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="en" />
            <LocalizedResourcesReference Language="es" LocalizedResourcesReferenceId="es" />
            <LocalizedResourcesReference Language="es-MX" LocalizedResourcesReferenceId="mx" />
            </LocalizedResourcesReferences></ContentDefinition>
            """
        let policy = Inline.policy(
            types: """
                <ClaimType Id="color"><DisplayName>Colour</DisplayName><DataType>string</DataType>
                <UserInputType>TextBox</UserInputType></ClaimType>
                """, localization: localization,
            profiles: Inline.page(
                "Ask", "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"color\" /></OutputClaims>"),
            steps: Inline.steps("Ask")
        ).replacing("</ContentDefinition>", with: references)
        let page = try #require(try World(xml: [policy]).begin { $0.uiLocales = "es-MX" }.page)
        #expect(page.title == "Qué onda")
        #expect(page.fields.map(\.displayName) == ["Color"])
        #expect(page.strings.map { "\($0.id)=\($0.text)" } == ["heading=Qué onda", "button_continue=Continuar"])
    }

    // MARK: Behind the page

    private func rest(_ metadata: KeyValuePairs<String, String>, keys: String = "") throws -> Run {
        let items = metadata.map { #"<Item Key="\#($0.key)">\#($0.value)</Item>"# }.joined()
        let profile = """
            <TechnicalProfile Id="Ask"><DisplayName>Ask</DisplayName>\(Inline.handler("Providers.RestfulProvider"))
            <Metadata>\(items)</Metadata>\(keys)<InputClaims><InputClaim ClaimTypeReferenceId="color" /></InputClaims>
            </TechnicalProfile>
            """
        return try World(xml: [
            Inline.policy(
                claims: ["color": "string"], profiles: Inline.constants("Set", ["color": "red"]) + profile,
                steps: Inline.steps("Set", "Ask"))
        ]).begin()
    }

    /// Resolvers in the address of a web API count only where the profile resolves claims; templates always.
    @Test(
        arguments: [
            (["SendClaimsIn": "Body"], "/contoso.onmicrosoft.com/%7BOIDC:ClientId%7D/%7Bcolor%7D"),
            (["SendClaimsIn": "Url"], "/contoso.onmicrosoft.com/%7BOIDC:ClientId%7D/red"),
            (
                ["SendClaimsIn": "Body", "IncludeClaimResolvingInClaimsHandling": "true"],
                "/contoso.onmicrosoft.com/client-1/red"
            ),
        ] as [(KeyValuePairs<String, String>, String)])
    func `resolvers in the address of an API have their values`(
        _ metadata: KeyValuePairs<String, String>, _ path: String
    ) throws {
        var items = "\(metadata.map { #"<Item Key="\#($0.key)">\#($0.value)</Item>"# }.joined())"
        items += "<Item Key=\"ServiceUrl\">https://api.contoso.test/{tenant}/{OIDC:ClientId}/{color}</Item>"
        let profile = """
            <TechnicalProfile Id="Ask"><DisplayName>Ask</DisplayName>\(Inline.handler("Providers.RestfulProvider"))
            <Metadata>\(items)</Metadata><InputClaims><InputClaim ClaimTypeReferenceId="color" /></InputClaims>
            </TechnicalProfile>
            """
        let run = try World(xml: [
            Inline.policy(
                claims: ["color": "string"], profiles: Inline.constants("Set", ["color": "red"]) + profile,
                steps: Inline.steps("Set", "Ask"))
        ]).begin()
        let called = run.callout?.url.path.replacing("{", with: "%7B").replacing("}", with: "%7D")
        #expect(called == path)
    }

    /// Credentials that an API does not accept have codes of their own.
    @Test(arguments: [
        ("Basic", 401, "AADB2C90027"), ("ClientCertificate", 403, "AADB2C90028"), ("None", 401, "AADB2C90075"),
        ("Basic", 500, "AADB2C90075"),
    ])
    func `credentials that an API refuses are an error`(_ type: String, _ status: Int, _ code: String) throws {
        let run = try rest(
            ["ServiceUrl": "https://api.contoso.test/", "AuthenticationType": type],
            keys: """
                <CryptographicKeys><Key Id="BasicAuthenticationUsername" StorageReferenceId="B2C_1A_N" />
                <Key Id="BasicAuthenticationPassword" StorageReferenceId="B2C_1A_P" /></CryptographicKeys>
                """)
        run.answer([:], status: status)
        #expect(run.failure?.code?.id == code)
    }

    /// A wrong code has two names for its text: the policy may give either.
    @Test(
        arguments: [
            (["UserMessageIfInvalidCode": "Wrong."], "Wrong."),
            (["UserMessageIfVerificationFailedRetryAllowed": "Again."], "Again."),
            ([:], "You have entered the wrong code."),
        ] as [(KeyValuePairs<String, String>, String)])
    func `a wrong code has its texts`(_ metadata: KeyValuePairs<String, String>, _ text: String) throws {
        func otp(_ id: String, _ operation: String, _ input: String, _ output: String = "") -> String {
            let items = metadata.map { #"<Item Key="\#($0.key)">\#($0.value)</Item>"# }.joined()
            return """
                <TechnicalProfile Id="\(id)"><DisplayName>o</DisplayName>\(Inline.handler("Providers.OneTimePasswordProtocolProvider"))
                <Metadata><Item Key="Operation">\(operation)</Item>\(items)</Metadata><InputClaims>
                <InputClaim ClaimTypeReferenceId="who" PartnerClaimType="identifier" />\(input)</InputClaims>\(output)
                </TechnicalProfile>
                """
        }
        let page = Inline.page(
            "Ask",
            """
            <OutputClaims><OutputClaim ClaimTypeReferenceId="code" /></OutputClaims><ValidationTechnicalProfiles>
            <ValidationTechnicalProfile ReferenceId="Verify" /></ValidationTechnicalProfiles>
            """)
        let run = try World(xml: [
            Inline.policy(
                claims: ["who": "string", "made": "string"],
                types: """
                    <ClaimType Id="code"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>
                    """,
                profiles: Inline.constants("Set", ["who": "ada"])
                    + otp(
                        "Make", "GenerateCode", "",
                        "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"made\" PartnerClaimType=\"otpGenerated\" /></OutputClaims>"
                    )
                    + otp(
                        "Verify", "VerifyCode",
                        "<InputClaim ClaimTypeReferenceId=\"code\" PartnerClaimType=\"otpToVerify\" />") + page,
                steps: Inline.steps("Set", "Make", "Ask"))
        ]).begin()
        run.submit(["code": "no code"])
        #expect(run.answerStop?.message == text)
    }

    /// Sign-in names are written together, and texts have their limits.
    @Test(
        arguments: [
            ("signInNames.userName", "ada2", ["userName": "ada2"], true),
            (
                "displayName", String(repeating: "x", count: 256),
                ["emailAddress": "ada@example.test", "userName": "ada"], true
            ),
            ("displayName", String(repeating: "x", count: 257), [:], false),
            ("givenName", String(repeating: "x", count: 65), [:], false),
            ("city", String(repeating: "x", count: 129), [:], false),
            ("POSTALCODE", String(repeating: "x", count: 41), [:], false),
            (
                "streetAddress", String(repeating: "x", count: 1024),
                ["emailAddress": "ada@example.test", "userName": "ada"], true
            ),
            ("extension_note", String(repeating: "x", count: 251), [:], false),
            // displayName cannot be empty; another attribute is removed.
            ("displayName", "", [:], false), ("DISPLAYNAME", "", [:], false),
            ("city", "", ["emailAddress": "ada@example.test", "userName": "ada"], true),
        ] as [(String, String, [String: String], Bool)])
    func `the directory checks what is written`(
        _ attribute: String, _ value: String, _ names: [String: String], _ passes: Bool
    ) throws {
        let profile = """
            <TechnicalProfile Id="Write"><DisplayName>w</DisplayName>\(Inline.handler("Providers.AzureActiveDirectoryProvider"))
            <Metadata><Item Key="Operation">Write</Item></Metadata>
            <InputClaims><InputClaim ClaimTypeReferenceId="objectId" /></InputClaims>
            <PersistedClaims><PersistedClaim ClaimTypeReferenceId="objectId" />
            <PersistedClaim ClaimTypeReferenceId="value" PartnerClaimType="\(attribute)" /></PersistedClaims>
            </TechnicalProfile>
            """
        let id = try #require(try World(flow: [:]).tenancy.directory.find(.anySignInName("ada"))?.objectID)
        let world = try World(xml: [
            Inline.policy(
                claims: ["objectId": "string", "value": "string"],
                profiles: Inline.constants("Set", ["objectId": "\(id)", "value": value]) + profile,
                steps: Inline.steps("Set", "Write"))
        ])
        let run = world.begin()
        #expect((run.issuance != nil) == passes)
        guard passes else { return }
        let account = try #require(world.tenancy.directory[id])
        #expect(Dictionary(uniqueKeysWithValues: account.signInNames.map { ($0.type, $0.value) }) == names)
    }
}
