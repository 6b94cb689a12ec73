import Determinism
import HTTPMessages
import JSON
import Journeys
import TenantFiles
import Testing

/// Settings of pages, each with what it changes (Microsoft docs: claimsschema, predicates,
/// self-asserted-technical-profile, display-controls).
@Suite struct PageSettingsTests {
    private static let types = """
        <ClaimType Id="name"><DisplayName>Name</DisplayName><DataType>string</DataType>
        <UserInputType>TextBox</UserInputType></ClaimType>
        <ClaimType Id="email"><DisplayName>Email</DisplayName><DataType>string</DataType>
        <UserInputType>EmailBox</UserInputType></ClaimType>
        <ClaimType Id="secret"><DataType>string</DataType><UserInputType>Password</UserInputType></ClaimType>
        """

    /// A page that asks for a name.
    private func selfAsserted(
        _ metadata: KeyValuePairs<String, String>,
        _ claims: String = "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"
    ) throws -> World {
        try World(xml: [
            Inline.policy(
                claims: ["ran": "string"], types: Self.types,
                profiles: Inline.constants("Start", ["name": "Ada"]) + Inline.constants("Mark", ["ran": "yes"])
                    + Inline.page("Page", metadata: metadata, claims),
                steps: Inline.steps("Page"), outputs: ["name", "email", "ran"])
        ])
    }

    /// A combined page with a sign-up page and a provider behind it.
    private func combined(
        _ metadata: KeyValuePairs<String, String>, provider: KeyValuePairs<String, String> = [:], behaviors: String = ""
    ) throws -> World {
        let signIn = Inline.page(
            "SignIn", metadata: metadata,
            """
            <OutputClaims><OutputClaim ClaimTypeReferenceId="name" Required="true" />
            <OutputClaim ClaimTypeReferenceId="secret" Required="true" /></OutputClaims>
            """)
        let signUp = Inline.page(
            "SignUp",
            "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"email\" /></OutputClaims>")
        let items = provider.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let other = Inline.constants("Other", ["sub": "x"]).replacing(
            "<OutputClaims>", with: "<Metadata>\(items)</Metadata><OutputClaims>")
        let step = """
            <OrchestrationStep Order="1" Type="CombinedSignInAndSignUp" ContentDefinitionReferenceId="api.page">
            <ClaimsProviderSelections><ClaimsProviderSelection ValidationClaimsExchangeId="Local" />
            <ClaimsProviderSelection TargetClaimsExchangeId="OtherExchange" /></ClaimsProviderSelections><ClaimsExchanges>
            <ClaimsExchange Id="Local" TechnicalProfileReferenceId="SignIn" /></ClaimsExchanges></OrchestrationStep>
            <OrchestrationStep Order="2" Type="ClaimsExchange"><ClaimsExchanges>
            <ClaimsExchange Id="SignUpExchange" TechnicalProfileReferenceId="SignUp" />
            <ClaimsExchange Id="OtherExchange" TechnicalProfileReferenceId="Other" /></ClaimsExchanges></OrchestrationStep>
            """
        let policy = Inline.policy(
            types: Self.types, profiles: signIn + signUp + other, steps: step + Inline.send(3), outputs: ["email"],
            behaviors: behaviors.isEmpty ? "" : "<UserJourneyBehaviors>\(behaviors)</UserJourneyBehaviors>")
        return try World(xml: [policy.replacing("selfasserted:2.1.7", with: "unifiedssp:2.1.5")])
    }

    private func config(_ page: Page?, _ name: String) -> String? { page?.config.first { $0.name == name }?.value }

    // MARK: Switches of pages

    /// A switch that a page's script reads: its key, what the policy says, the script's name for it, what it reads.
    static let switches: [(key: String, value: String?, name: String, read: String)] = [
        ("setting.showCancelButton", nil, "showCancelButton", "True"),
        ("setting.showCancelButton", "false", "showCancelButton", "False"),
        ("setting.showContinueButton", nil, "showContinueButton", "True"),
        ("setting.showContinueButton", "false", "showContinueButton", "False"),
        ("setting.includePasswordRequirements", nil, "includePasswordRequirements", "True"),
        ("setting.includePasswordRequirements", "false", "includePasswordRequirements", "False"),
        ("setting.operatingMode", "Email", "operatingMode", "Email"),
        (
            "setting.inputVerificationDelayTimeInMilliseconds", "500", "inputVerificationDelayTimeInMilliseconds",
            "500"
        ),
    ]

    @Test(arguments: switches.indices) func `a page has its switches`(_ index: Int) throws {
        let row = Self.switches[index]
        let world = try selfAsserted(row.value.map { [row.key: $0] } ?? [:])
        let page = try #require(world.begin().page)
        #expect(config(page, row.name) == row.read)
        if row.name == "showCancelButton" { #expect(page.showsCancel == (row.read == "True")) }
    }

    static let combinedSwitches: [(key: String, value: String?, name: String, read: String)] = [
        ("setting.showHeading", nil, "showHeading", "True"),
        ("setting.showHeading", "false", "showHeading", "False"),
        ("setting.sendHintOnSignup", nil, "sendHintOnSignup", "False"),
        ("setting.sendHintOnSignup", "true", "sendHintOnSignup", "True"),
        ("setting.showSignupLink", nil, "showSignupLink", "True"),
        ("setting.showSignupLink", "false", "showSignupLink", "False"),
        ("setting.forgotPasswordLinkLocation", "None", "forgotPasswordLinkLocation", "None"),
        ("setting.forgotPasswordLinkOverride", "OtherExchange", "forgotPasswordLinkOverride", "OtherExchange"),
    ]

    @Test(arguments: combinedSwitches.indices) func `a combined page has its switches`(_ index: Int) throws {
        let row = Self.combinedSwitches[index]
        let world = try combined(
            row.value.map { ["SignUpTarget": "SignUpExchange", row.key: $0] } ?? ["SignUpTarget": "SignUpExchange"])
        let page = try #require(world.begin().page)
        #expect(config(page, row.name) == row.read)
        switch row.name {
        case "showSignupLink": #expect((page.signUpExchange != nil) == (row.read == "True"))
        case "forgotPasswordLinkLocation": #expect(page.forgotPassword == .absent)
        case "forgotPasswordLinkOverride": #expect(page.forgotPassword == .exchange("OtherExchange"))
        default: break
        }
    }

    /// What stood in the name field when the sign-up link was pressed (`setting.sendHintOnSignup`) is on the next page.
    @Test func `the hint is on the sign-up page`() throws {
        let world = try combined(["SignUpTarget": "SignUpExchange", "setting.sendHintOnSignup": "true"])
        let run = world.begin()
        run.tell(.signUp(hint: "ada@example.test"))
        #expect(run.page?.technicalProfile == "SignUp")
        #expect(run.page?.fields.map(\.prefilled) == ["ada@example.test"])
        let plain = world.begin()
        plain.tell(.signUp(hint: nil))
        #expect(plain.page?.fields.map(\.prefilled) == [nil])
    }

    /// `ClaimsProviderSelectionDisplayType` of the profile behind a choice says how it looks.
    @Test(arguments: ["Button", "TextLink", nil] as [String?]) func `choices have their look`(_ type: String?) throws {
        let world = try combined([:], provider: type.map { ["ClaimsProviderSelectionDisplayType": $0] } ?? [:])
        let page = try #require(world.begin().page)
        #expect(page.providers.map(\.id) == ["OtherExchange"])
        #expect(page.providers.map(\.displayType) == [type])
    }

    /// The older label of the button yields to a localised one.
    @Test func `the button has an older label`() throws {
        let label: KeyValuePairs<String, String> = ["language.button_continue": "Send"]
        let page = try #require(try selfAsserted(label).begin().page)
        #expect(page.strings.map { "\($0.id)=\($0.text)" } == ["button_continue=Send"])
        let policy = Inline.policy(
            types: Self.types,
            localization: """
                <Localization Enabled="true"><SupportedLanguages DefaultLanguage="en">
                <SupportedLanguage>en</SupportedLanguage></SupportedLanguages>
                <LocalizedResources Id="en"><LocalizedStrings>
                <LocalizedString ElementType="UxElement" StringId="button_continue">Go</LocalizedString>
                </LocalizedStrings></LocalizedResources></Localization>
                """,
            profiles: Inline.page(
                "Page", metadata: label,
                "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"),
            steps: Inline.steps("Page")
        ).replacing(
            "</ContentDefinition>",
            with: """
                <LocalizedResourcesReferences><LocalizedResourcesReference Language="en" \
                LocalizedResourcesReferenceId="en" /></LocalizedResourcesReferences></ContentDefinition>
                """)
        let localised = try #require(try World(xml: [policy]).begin().page)
        #expect(localised.strings.map { "\($0.id)=\($0.text)" } == ["button_continue=Go"])
    }

    // MARK: What is posted

    /// A field that is emptied: with the switch the claim is empty, else it keeps what it was.
    @Test(arguments: [("true", nil), ("false", "Ada"), (nil, "Ada")] as [(String?, JSONValue?)])
    func `an emptied field empties the claim`(_ allows: String?, _ name: JSONValue?) throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["ran": "string"], types: Self.types,
                profiles: Inline.constants("Start", ["name": "Ada"])
                    + Inline.page(
                        "Page", metadata: allows.map { ["AllowGenerationOfClaimsWithNullValues": $0] } ?? [:],
                        """
                        <InputClaims><InputClaim ClaimTypeReferenceId="name" /></InputClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="name" /></OutputClaims>
                        """), steps: Inline.steps("Start", "Page"), outputs: ["name"])
        ])
        let run = world.begin()
        #expect(run.page?.fields.map(\.prefilled) == ["Ada"])
        run.fill(["name": ""])
        #expect(run.issuance != nil)
        #expect(run.claims["name"] == name)
    }

    /// A field left blank makes a claim only with the switch.
    @Test(arguments: [("true", nil), ("false", "yes")] as [(String, JSONValue?)])
    func `a blank field is checked like any other`(_ allows: String, _ ran: JSONValue?) throws {
        let world = try World(xml: [
            Inline.policy(
                claims: ["ran": "string"], types: Self.types,
                profiles: Inline.constants("Mark", ["ran": "yes"])
                    + Inline.page(
                        "Page", metadata: ["AllowGenerationOfClaimsWithNullValues": allows],
                        "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"),
                steps: Inline.exchange(1, "Page")
                    + Inline.exchange(
                        2, "Mark", preconditions: Inline.precondition("ClaimsExist", true, "name")) + Inline.send(3),
                outputs: ["ran"])
        ])
        let run = world.begin()
        run.fill(["name": ""])
        #expect(run.claims["ran"] == ran)
    }

    /// `EnforceEmailVerification` switches the code flow of `Verified.Email` off.
    @Test(arguments: [("true", true), (nil, true), ("false", false)] as [(String?, Bool)])
    func `addresses may go unproved`(_ enforces: String?, _ asks: Bool) throws {
        let world = try selfAsserted(
            enforces.map { ["EnforceEmailVerification": $0] } ?? [:],
            """
            <OutputClaims><OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="Verified.Email" Required="true" />
            </OutputClaims>
            """)
        let run = world.begin()
        #expect(run.page?.fields.map(\.verify) == [asks])
        run.submit(["email": "ada@example.test"])
        #expect(run.status == (asks ? "400" : "200"))
        #expect(run.answerStop?.message == (asks ? "Claim not verified: Email" : nil))
    }

    // MARK: Rules

    /// The inside of a character class, a value, and whether a character of it occurs.
    static let characters: [(set: String, value: String, passes: Bool)] = [
        ("A-Z", "abcD", true), ("A-Z", "abcd", false), ("0-9", "a1", true), ("0-9", "a", false),
        ("0-9a-f", "xyz", false), ("0-9a-f", "xyzf", true), ("!#?", "what?", true), ("!#?", "what", false),
        (#"[\]"#, "a]", true), (#"\-_"#, "a-b", true), (#"\-_"#, "a b", false), ("ä-ü", "grün", true),
    ]

    /// The two names of a list of rules: `InputValidation` is the older.
    @Test(arguments: characters.indices, ["PredicateValidation", "InputValidation"])
    func `required characters are checked`(_ index: Int, _ kind: String) throws {
        let row = Self.characters[index]
        let references =
            "<PredicateReferences HelpText=\"It needs\"><PredicateReference Id=\"Has\" /></PredicateReferences>"
        let groups =
            kind == "InputValidation"
            ? references
            : "<PredicateGroups><PredicateGroup Id=\"1\"><UserHelpText>It needs</UserHelpText>"
                + "<PredicateReferences><PredicateReference Id=\"Has\" /></PredicateReferences>"
                + "</PredicateGroup></PredicateGroups>"
        let world = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="name"><DataType>string</DataType><UserInputType>TextBox</UserInputType>
                    <\(kind)Reference Id="Rule" /></ClaimType>
                    """,
                predicates: """
                    <Predicates><Predicate Id="Has" Method="IncludesCharacters" HelpText="one of these"><Parameters>
                    <Parameter Id="CharacterSet">\(row.set)</Parameter></Parameters></Predicate></Predicates>
                    <\(kind)s><\(kind) Id="Rule">\(groups)</\(kind)></\(kind)s>
                    """,
                profiles: Inline.page(
                    "Page", "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"),
                steps: Inline.steps("Page"))
        ])
        let run = world.begin()
        let rule = run.page?.fields.first?.inputValidation?.groups.first?.predicates.first
        #expect(rule?.method == .includesCharacters && rule?.parameters.map(\.value) == [row.set])
        run.submit(["name": row.value])
        #expect(run.answerStop?.message == (row.passes ? nil : "It needs one of these"))
    }

    /// A rule of the older kind: `<InputValidations>` and `<InputValidationReference>`, with at least one of two.
    @Test(arguments: [("abc", false), ("ab1", true), ("ABC", true)])
    func `rules of the older kind are checked`(_ value: String, _ passes: Bool) throws {
        let world = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="name"><DataType>string</DataType><UserInputType>TextBox</UserInputType>
                    <InputValidationReference Id="Rule" /></ClaimType>
                    """,
                predicates: """
                    <Predicates><Predicate Id="Digit" Method="IncludesCharacters" HelpText="a digit"><Parameters>
                    <Parameter Id="CharacterSet">0-9</Parameter></Parameters></Predicate>
                    <Predicate Id="Capital" Method="IncludesCharacters" HelpText="a capital"><Parameters>
                    <Parameter Id="CharacterSet">A-Z</Parameter></Parameters></Predicate></Predicates>
                    <InputValidations><InputValidation Id="Rule"><PredicateReferences Id="Kinds" MatchAtLeast="1" \
                    HelpText="One of:"><PredicateReference Id="Digit" /><PredicateReference Id="Capital" />
                    </PredicateReferences></InputValidation></InputValidations>
                    """,
                profiles: Inline.page(
                    "Page", "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"),
                steps: Inline.steps("Page"))
        ])
        let run = world.begin()
        run.submit(["name": value])
        #expect(run.answerStop?.message == (passes ? nil : "One of: a digit a capital"))
    }

    /// A list of rules that names what a value must not be.
    @Test(arguments: [
        ("true", "secret", false), ("true", "other", true), ("false", "secret", true), ("false", "other", false),
    ])
    func `lists may reject`(_ rejects: String, _ value: String, _ passes: Bool) throws {
        let world = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="name"><DataType>string</DataType><UserInputType>TextBox</UserInputType>
                    <PredicateValidationReference Id="Rule" /></ClaimType>
                    """,
                predicates: """
                    <Predicates><Predicate Id="Known" Method="MatchesRegex" HelpText="a known word"><Parameters>
                    <Parameter Id="RegularExpression">^(secret|password)$</Parameter></Parameters></Predicate></Predicates>
                    <PredicateValidations><PredicateValidation Id="Rule"><PredicateGroups><PredicateGroup Id="G">
                    <PredicateReferences Reject="\(rejects)"><PredicateReference Id="Known" /></PredicateReferences>
                    </PredicateGroup></PredicateGroups></PredicateValidation></PredicateValidations>
                    """,
                profiles: Inline.page(
                    "Page", "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"name\" /></OutputClaims>"),
                steps: Inline.steps("Page"))
        ])
        let run = world.begin()
        run.submit(["name": value])
        #expect(run.status == (passes ? "200" : "400"))
        if !passes { #expect(run.answerStop?.message == "a known word") }
    }

    // MARK: Masks, data types, controls

    /// Each match of the expression is hidden.
    @Test(arguments: [
        (#"(?&lt;=.).(?=.*@)"#, "*", "emily@contoso.com", "e****@contoso.com"),
        ("[0-9](?=[0-9]{2})", "#", "12345", "###45"), ("x+", "-", "none", "none"),
    ])
    func `masks hide what the expression matches`(
        _ expression: String, _ text: String, _ value: String, _ shown: String
    )
        throws
    {
        let run = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="shown"><DataType>string</DataType><Mask Type="Regex" Regex="\(expression)">\(text)</Mask>
                    <UserInputType>Readonly</UserInputType></ClaimType>
                    """,
                profiles: Inline.constants("Set", ["shown": value])
                    + Inline.page(
                        "Page",
                        """
                        <InputClaims><InputClaim ClaimTypeReferenceId="shown" /></InputClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="shown" /></OutputClaims>
                        """), steps: Inline.steps("Set", "Page"), outputs: ["shown"])
        ]).begin()
        #expect(run.page?.fields.map(\.prefilled) == [shown])
        run.fill([:])
        #expect(run.claims["shown"] == .string(value))
    }

    /// What a default value of each data type is in a token.
    static let values: [(type: String, text: String, issued: JSONValue)] = [
        ("string", "a", "a"), ("boolean", "True", true), ("int", "123456789", 123_456_789),
        ("long", "9007199254740991", 9_007_199_254_740_991), ("date", "2022-01-01", "2022-01-01"),
        ("phoneNumber", "+442079460000", "+442079460000"), ("stringCollection", "a", ["a"]),
        ("dateTime", "2022-03-01T00:00:00.1230000Z", 1_646_092_800), ("duration", "P1DT2H", "P1DT2H"),
        (
            "objectIdentity", "{&quot;issuer&quot;:&quot;a&quot;,&quot;issuerUserId&quot;:&quot;b&quot;}",
            ["issuer": "a", "issuerUserId": "b"]
        ),
        (
            "objectIdentityCollection", "{&quot;issuer&quot;:&quot;a&quot;,&quot;issuerUserId&quot;:&quot;b&quot;}",
            [["issuer": "a", "issuerUserId": "b"]]
        ),
    ]

    @Test(arguments: values.indices) func `values of each data type are checked`(_ index: Int) throws {
        let row = Self.values[index]
        let run = try World(xml: [
            Inline.policy(
                types: "<ClaimType Id=\"value\"><DataType>\(row.type)</DataType></ClaimType>",
                profiles: Inline.constants("Set", ["value": row.text]), steps: Inline.steps("Set"), outputs: ["value"])
        ]).begin()
        #expect(run.claims["value"] == row.issued)
    }

    /// Identities, one and several, in a token.
    @Test func `values of identities are kept`() throws {
        func transformation(_ id: String, _ method: String, _ inside: String) -> String {
            "<ClaimsTransformation Id=\"\(id)\" TransformationMethod=\"\(method)\">\(inside)</ClaimsTransformation>"
        }
        let run = try World(xml: [
            Inline.policy(
                claims: [
                    "user": "string", "issuer": "string", "identity": "userIdentity",
                    "identities": "userIdentityCollection",
                ],
                transformations: transformation(
                    "Make", "CreateUserIdentity",
                    """
                    <InputClaims><InputClaim ClaimTypeReferenceId="user" TransformationClaimType="issuerUserId" />
                    <InputClaim ClaimTypeReferenceId="issuer" TransformationClaimType="issuer" /></InputClaims>
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="identity" TransformationClaimType="userIdentity" />
                    </OutputClaims>
                    """)
                    + transformation(
                        "Add", "AddItemToUserIdentityCollection",
                        """
                        <InputClaims><InputClaim ClaimTypeReferenceId="identity" TransformationClaimType="item" />
                        <InputClaim ClaimTypeReferenceId="identities" TransformationClaimType="collection" /></InputClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="identities" \
                        TransformationClaimType="collection" /></OutputClaims>
                        """),
                profiles: Inline.constants(
                    "Set", ["user": "abc", "issuer": "google.com"],
                    more: """
                        <OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="Make" />
                        <OutputClaimsTransformation ReferenceId="Add" /></OutputClaimsTransformations>
                        """), steps: Inline.steps("Set"), outputs: ["identity", "identities"])
        ]).begin()
        #expect(run.claims["identity"]?["issuer"] == "google.com")
        #expect(run.claims["identity"]?["issuerUserId"] == "abc")
        #expect(run.claims["identities"]?.arrayValue?.first?["issuer"] == "google.com")
    }

    /// A picture to scan and the same in words, both filled from the control's input claims.
    @Test(arguments: ["QrCodeControl", "AuthenticatorInfoControl", "AuthenticatorAppIconControl"])
    func `controls of authenticators are shown`(_ type: String) throws {
        let kind = type == "QrCodeControl" ? " ControlClaimType=\"QrCodeContent\"" : ""
        let run = try World(xml: [
            Inline.policy(
                types: """
                    <ClaimType Id="address"><DisplayName>Key</DisplayName><DataType>string</DataType>
                    <UserInputType>Readonly</UserInputType></ClaimType>
                    """,
                controls: """
                    <DisplayControl Id="setUp" UserInterfaceControlType="\(type)"><InputClaims>
                    <InputClaim ClaimTypeReferenceId="address" /></InputClaims><DisplayClaims>
                    <DisplayClaim ClaimTypeReferenceId="address"\(kind) /></DisplayClaims></DisplayControl>
                    """,
                profiles: Inline.constants("Set", ["address": "otpauth://totp/Contoso:ada?secret=abc"])
                    + Inline.page(
                        "Page",
                        """
                        <DisplayClaims><DisplayClaim DisplayControlReferenceId="setUp" /></DisplayClaims>
                        <OutputClaims><OutputClaim ClaimTypeReferenceId="address" /></OutputClaims>
                        """), steps: Inline.steps("Set", "Page"), outputs: ["address"])
        ]).begin()
        let control = try #require(run.page?.fields.first)
        #expect(control.controlType == type)
        #expect(control.displayFields.map(\.prefilled) == ["otpauth://totp/Contoso:ada?secret=abc"])
        // There is nothing to prove here: the page is left as it is.
        run.fill(["address": "forged"])
        #expect(run.claims["address"] == "otpauth://totp/Contoso:ada?secret=abc")
    }

    // MARK: The phone page

    private func phonePage(_ metadata: KeyValuePairs<String, String>, captcha: Bool = false) throws -> World {
        let items = metadata.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let shown =
            captcha
            ? "<DisplayClaims><DisplayClaim DisplayControlReferenceId=\"picture\" /></DisplayClaims>" : ""
        return try World(xml: [
            Inline.policy(
                claims: ["userId": "string", "phone": "string", "entered": "string"],
                types: Self.types,
                controls: """
                    <DisplayControl Id="picture" UserInterfaceControlType="CaptchaControl"><DisplayClaims>
                    <DisplayClaim ClaimTypeReferenceId="entered" ControlClaimType="CaptchaEntered" /></DisplayClaims>
                    </DisplayControl>
                    """,
                profiles: Inline.constants("Set", ["userId": "ada", "phone": "+442079460000"])
                    + """
                    <TechnicalProfile Id="Phone"><DisplayName>Phone</DisplayName>\
                    \(Inline.handler("Providers.PhoneFactorProtocolProvider"))<Metadata>\
                    <Item Key="ContentDefinitionReferenceId">api.page</Item>\(items)</Metadata><InputClaims>\
                    <InputClaim ClaimTypeReferenceId="userId" PartnerClaimType="UserId" />\
                    <InputClaim ClaimTypeReferenceId="phone" /></InputClaims>\(shown)<OutputClaims>\
                    <OutputClaim ClaimTypeReferenceId="phone" PartnerClaimType="Verified.OfficePhone" /></OutputClaims>\
                    </TechnicalProfile>
                    """, steps: Inline.steps("Set", "Phone"), outputs: ["phone"]
            ).replacing("selfasserted:2.1.7", with: "multifactor:1.2.5")
        ])
    }

    private static let ask: JourneyEvent = .submitted([
        "request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "1",
    ])

    /// Which ways of being reached the phone page takes.
    @Test(arguments: [("sms", "200"), ("mixed", "200"), ("phone", "400"), (nil, "200")] as [(String?, String)])
    func `the page offers the ways of being reached`(_ mode: String?, _ status: String) throws {
        let run = try phonePage(mode.map { ["setting.authenticationMode": $0] } ?? [:]).begin()
        #expect(config(run.page, "authenticationMode") == mode ?? "mixed")
        run.tell(Self.ask)
        #expect(run.status == status)
    }

    /// The picture comes before the message.
    @Test(arguments: [("true", true), ("false", false)]) func `the phone page has pictures`(
        _ value: String, _ asks: Bool
    )
        throws
    {
        let world = try phonePage(["setting.enableCaptchaChallenge": value], captcha: true)
        let run = world.begin()
        #expect(run.page?.fields.map(\.id) == (asks ? ["picture"] : []))
        #expect(config(run.page, "enableCaptchaChallenge") == (asks ? "true" : nil))
        run.tell(Self.ask)
        #expect(run.status == (asks ? "400" : "200"))
        #expect(world.tenancy.outbox.messages.isEmpty == asks)
    }

    /// Switches for a template's own script reach it, however the policy spells them.
    @Test func `templates of the phone page have their switches`() throws {
        let page = try phonePage([
            "setting.autodial": "true", "setting.autosubmit": "false", "setting.showCancelButton": "false",
        ]).begin().page
        #expect(config(page, "autodial") == "True" && config(page, "autosubmit") == "False")
        #expect(config(page, "showCancelButton") == "False")
        let plain = try phonePage([:]).begin().page
        #expect(config(plain, "autodial") == "False" && config(plain, "autosubmit") == "True")
    }

    // MARK: The relying party's behaviour

    /// What `UserJourneyBehaviors` say: whether scripts of templates run, and the box for staying signed in.
    @Test(
        arguments: [
            ("", false, false), ("<ScriptExecution>Allow</ScriptExecution>", true, false),
            ("<ScriptExecution>Disallow</ScriptExecution>", false, false),
            ("<SingleSignOn Scope=\"Tenant\" KeepAliveInDays=\"30\" />", false, true),
            ("<SingleSignOn Scope=\"Tenant\" KeepAliveInDays=\"0\" />", false, false),
        ])
    func `behaviours are on the page`(_ inside: String, _ scripts: Bool, _ keeps: Bool) throws {
        let world = try combined(["setting.enableRememberMe": "true"], behaviors: inside)
        let page = try #require(world.begin().page)
        #expect(page.allowsScript == scripts)
        #expect(page.showsKeepMeSignedIn == keeps)
        #expect(config(page, "enableRememberMe") == (keeps ? "True" : "False"))
        let off = try #require(try combined([:], behaviors: inside).begin().page)
        #expect(!off.showsKeepMeSignedIn)
    }
}
