import LanguageService
import Testing

struct PolicyCompletionTests {
    private func completions(_ content: String, snippets: Bool = true) throws -> [Completion] {
        let (workspace, place) = try EditedPolicies.opened(content)
        return workspace.completions(at: place, snippets: snippets).sorted { $0.order < $1.order }
    }

    /// A place with the labels that are offered, in order.
    struct Case: Sendable, CustomTestStringConvertible {
        var content: String
        var labels: [String]

        var testDescription: String { labels.joined(separator: " ") }
    }

    private static func profile(_ id: String, _ content: String) -> String {
        EditedPolicies.profiles("<TechnicalProfile Id=\"\(id)\">\n\(content)\n</TechnicalProfile>")
    }

    private static func claimType(_ content: String) -> String {
        "<BuildingBlocks><ClaimsSchema><ClaimType Id=\"a\">\(content)</ClaimType></ClaimsSchema></BuildingBlocks>"
    }

    private static func transformation(_ method: String, _ content: String) -> String {
        """
        <BuildingBlocks><ClaimsTransformations>
        <ClaimsTransformation Id="T" TransformationMethod="\(method)">\(content)</ClaimsTransformation>
        </ClaimsTransformations></BuildingBlocks>
        """
    }

    // MARK: Markup

    private static let markup: [Case] = [
        Case(
            content: profile("AAD-Read", "<Metadata></Metadata><|<OutputClaims></OutputClaims>"),
            labels: [
                "CryptographicKeys", "Suppressions", "PreferredBinding", "IncludeInSso", "InputTokenSources",
                "InputClaimsTransformations", "InputClaims", "DisplayClaims", "PersistedClaims",
            ]),
        Case(
            content: profile(
                "AAD-Read",
                "<InputClaims>\n<Inp|\n<InputClaim ClaimTypeReferenceId=\"email\" />\n</InputClaims>"),
            labels: ["InputClaim"]),
        Case(content: profile("AAD-Read", "<OutputClaims>\n  |\n</OutputClaims>"), labels: ["OutputClaim"]),
        Case(
            content: claimType("<DataType>string</DataType><M|<UserHelpText>h</UserHelpText>"),
            labels: ["DefaultPartnerClaimTypes", "Mask", "AdminHelpText"]),
        Case(
            content: EditedPolicies.journey("<OrchestrationStep |></OrchestrationStep>"),
            labels: ["Order", "Type", "ContentDefinitionReferenceId", "CpimIssuerTechnicalProfileReferenceId"]),
        Case(
            content: EditedPolicies.journey("<OrchestrationStep Order=\"1\" T|"),
            labels: ["Type", "ContentDefinitionReferenceId", "CpimIssuerTechnicalProfileReferenceId"]),
        Case(
            content: profile("AAD-Read", "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"email\" /></|"),
            labels: ["OutputClaims"]),
        Case(content: profile("AAD-Read", "<NoSuchElement><|</NoSuchElement>"), labels: []),
        Case(content: "<!-- <| -->", labels: []),
        Case(content: profile("AAD-Read", "<OutputClaims><OutputClaim Required=\"true\"| />"), labels: []),
        Case(content: profile("AAD-Read", "<OutputClaims><OutputClaim Required=|\"true\" />"), labels: []),
    ]

    @Test(arguments: markup)
    func `elements and attributes come in the order of the schema`(_ item: Case) throws {
        #expect(try completions(item.content).map(\.label) == item.labels)
    }

    @Test(arguments: [
        ("<OutputClaims>\n|\n</OutputClaims>", "<OutputClaim ClaimTypeReferenceId=\"$1\" />"),
        ("<OutputClaims>\n<Out|\n</OutputClaims>", "OutputClaim ClaimTypeReferenceId=\"$1\" />"),
        ("<OutputClaims>\n<Out| ClaimTypeReferenceId=\"email\" />\n</OutputClaims>", "OutputClaim"),
        ("<Metadata>\n<|\n</Metadata>", "Item Key=\"$1\">$2</Item>"),
        (
            "<ValidationTechnicalProfiles>\n<|\n</ValidationTechnicalProfiles>",
            "ValidationTechnicalProfile ReferenceId=\"$1\" />"
        ),
        ("<OutputClaims>\n<OutputClaim Claim|\n</OutputClaims>", "ClaimTypeReferenceId=\"$1\""),
        ("<OutputClaims>\n<OutputClaim Claim|=\"a\" />\n</OutputClaims>", "ClaimTypeReferenceId"),
        ("<OutputClaims>\n<OutputClaim Required=| />\n</OutputClaims>", "\"true\""),
        ("<OutputClaims>\n<OutputClaim Required=t| />\n</OutputClaims>", "\"true\""),
        ("<OutputClaims></|\n", "OutputClaims>"),
        ("<OutputClaims></Out|>\n", "OutputClaims"),
    ])
    func `a new element is written with what it needs`(_ content: String, _ text: String) throws {
        #expect(try completions(Self.profile("AAD-Read", content)).first?.text == text)
    }

    @Test func `a list is written with its first element`() throws {
        let all = try completions(Self.profile("AAD-Read", "<|"))
        let list = try #require(all.first { $0.label == "OutputClaims" })
        #expect(list.text == "OutputClaims>\n\t<OutputClaim ClaimTypeReferenceId=\"$1\" />\n</OutputClaims>")
        #expect(list.isSnippet)
        let plain = try completions(Self.profile("AAD-Read", "<|"), snippets: false)
        #expect(plain.count == all.count)
        #expect(plain.allSatisfy { !$0.isSnippet && !$0.text.contains("$") && !$0.text.contains("\t") })
    }

    @Test func `what has no effect says so`() throws {
        let all = try completions(Self.profile("AAD-Read", "<|"))
        let item = try #require(all.first { $0.label == "Description" })
        #expect(item.detail == "no effect")
        #expect(item.documentation == "**no effect**: information for people")
        #expect(all.first { $0.label == "OutputClaims" }?.detail == nil)
    }

    // MARK: Values

    private static func party(_ content: String) -> String {
        "<RelyingParty><DefaultUserJourney ReferenceId=\"SignUp\" />\(content)</RelyingParty>"
    }

    private static let values: [Case] = [
        Case(
            content: EditedPolicies.journey(
                """
                <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
                <ClaimsExchange Id="X" TechnicalProfileReferenceId="|" />
                </ClaimsExchanges></OrchestrationStep>
                """),
            labels: ["AAD-Common", "AAD-Read", "AAD-Write", "SelfAsserted-SignUp", "JwtIssuer", "SM-Noop"]),
        Case(
            content: EditedPolicies.journey(
                "<OrchestrationStep Order=\"1\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"|\" />"),
            labels: ["JwtIssuer", "AAD-Common", "AAD-Read", "AAD-Write", "SelfAsserted-SignUp", "SM-Noop"]),
        Case(
            content: profile("AAD-Read", "<UseTechnicalProfileForSessionManagement ReferenceId=\"|\" />"),
            labels: ["SM-Noop", "AAD-Common", "AAD-Read", "AAD-Write", "JwtIssuer", "SelfAsserted-SignUp"]),
        Case(
            content: profile(
                "SelfAsserted-SignUp",
                """
                <ValidationTechnicalProfiles>
                <ValidationTechnicalProfile ReferenceId="|" />
                </ValidationTechnicalProfiles>
                """),
            labels: ["AAD-Common", "AAD-Read", "AAD-Write", "JwtIssuer", "SM-Noop"]),
        // What the page and its validation wrote comes first.
        Case(
            content: profile(
                "AAD-Read", "<InputClaims>\n<InputClaim ClaimTypeReferenceId=\"|\" />\n</InputClaims>"),
            labels: ["email", "objectId", "city", "country"]),
        // A validation profile sees what its page asks for.
        Case(
            content: profile(
                "AAD-Write", "<InputClaims>\n<InputClaim ClaimTypeReferenceId=\"o|\n</InputClaims>"),
            labels: ["email", "objectId", "city", "country"]),
        Case(
            content: party(
                """
                <TechnicalProfile Id="PolicyProfile"><DisplayName>d</DisplayName><Protocol Name="OpenIdConnect" />
                <OutputClaims><OutputClaim ClaimTypeReferenceId="|" /></OutputClaims></TechnicalProfile>
                """),
            labels: ["country", "email", "objectId", "city"]),
        Case(content: party("<TechnicalProfile Id=\"|\"></TechnicalProfile>"), labels: ["PolicyProfile"]),
        Case(content: "<RelyingParty><DefaultUserJourney ReferenceId=\"|\" /></RelyingParty>", labels: ["SignUp"]),
        Case(
            content: EditedPolicies.journey(
                "<OrchestrationStep Order=\"4\" Type=\"ClaimsExchange\" />\n<OrchestrationStep Order=\"|\" />"),
            labels: ["5"]),
        Case(
            content: transformation(
                "AndClaims",
                """
                <InputClaims>
                <InputClaim ClaimTypeReferenceId="email" TransformationClaimType="inputClaim1" />
                <InputClaim ClaimTypeReferenceId="city" TransformationClaimType="|" />
                </InputClaims>
                """), labels: ["inputClaim2"]),
        Case(
            content: transformation(
                "CompareBooleanClaimToValue",
                "<InputParameters><InputParameter Id=\"|\" DataType=\"boolean\" Value=\"\" /></InputParameters>"),
            labels: ["valueToCompareTo"]),
        Case(
            content: transformation(
                "CompareBooleanClaimToValue",
                "<InputParameters><InputParameter Id=\"valueToCompareTo\" DataType=\"|\" /></InputParameters>"),
            labels: ["boolean"]),
        Case(
            content: transformation(
                "CompareBooleanClaimToValue",
                "<InputParameters><InputParameter Id=\"valueToCompareTo\" Value=\"|\" /></InputParameters>"),
            labels: ["true", "false"]),
        Case(
            content: profile("AAD-Read", "<Metadata><Item Key=\"Operation\">|</Item></Metadata>"),
            labels: ["Read", "Write", "DeleteClaims", "DeleteClaimsPrincipal"]),
        Case(
            content: profile("AAD-Read", "<OutputClaims><OutputClaim Required=\"|\" /></OutputClaims>"),
            labels: ["true", "false"]),
        Case(
            content: """
                <BuildingBlocks><Localization><LocalizedResources Id="en"><LocalizedStrings>
                <LocalizedString ElementType="ClaimType" ElementId="email" StringId="|"></LocalizedString>
                </LocalizedStrings></LocalizedResources></Localization></BuildingBlocks>
                """, labels: ["DisplayName", "UserHelpText", "AdminHelpText", "PatternHelpText"]),
    ]

    @Test(arguments: values)
    func `values that fit come first`(_ item: Case) throws {
        #expect(try completions(item.content).map(\.label) == item.labels)
    }

    @Test(arguments: [
        (claimType("<DataType>|</DataType>"), ["string", "boolean", "int"]),
        (claimType("<UserInputType>Text|</UserInputType>"), ["TextBox", "EmailBox"]),
        (
            profile("AAD-Read", "<Metadata><Item Key=\"|\">Read</Item></Metadata>"),
            ["Operation", "RaiseErrorIfClaimsPrincipalDoesNotExist"]
        ),
        // The kind of a profile that is in no file yet is that of its protocol.
        (
            profile(
                "New",
                "<Protocol Name=\"Proprietary\" Handler=\"\(EditedPolicies.provider)RestfulProvider\" />"
                    + "<Metadata><Item Key=\"|\"></Item></Metadata>"), ["ServiceUrl", "SendClaimsIn"]
        ),
        (
            profile("New", "<Protocol Name=\"Proprietary\" Handler=\"|\" />"),
            [EditedPolicies.provider + "SelfAssertedAttributeProvider" + EditedPolicies.assembly]
        ),
        (transformation("|", ""), ["AndClaims", "OrClaims"]),
    ])
    func `words of the schema and of the table of features are offered`(_ content: String, _ first: [String]) throws {
        #expect(Array(try completions(content).map(\.label).prefix(first.count)) == first)
    }

    @Test func `a name shows what it is`() throws {
        let all = try completions(
            Self.profile("AAD-Read", "<IncludeTechnicalProfile ReferenceId=\"|\" />"))
        #expect(!all.contains { $0.label == "AAD-Read" })
        #expect(all.first { $0.label == "AAD-Write" }?.detail == "AzureActiveDirectoryProvider")
        #expect(all.first { $0.label == "JwtIssuer" }?.detail == "JwtIssuer")
    }

    @Test(arguments: ["{OIDC:|}", "{OI|", "x{|}", "{Settings:|"])
    func `resolvers and settings replace what is in the braces`(_ value: String) throws {
        let content = Self.profile(
            "AAD-Read",
            "<InputClaims>\n<InputClaim ClaimTypeReferenceId=\"city\" DefaultValue=\"\(value)\" />\n</InputClaims>")
        let (workspace, place) = try EditedPolicies.opened(content)
        let all = workspace.completions(at: place, snippets: false)
        let labels = all.map(\.label)
        #expect(labels.contains("{OIDC:ClientId}"))
        #expect(labels.contains("{Settings:Region}"))
        let bytes = try #require(workspace.file(place.file)).source.bytes
        let typed = value.split(separator: "|", omittingEmptySubsequences: false).joined().drop { $0 != "{" }
        for item in all { #expect(String(decoding: bytes[item.range], as: UTF8.self) == typed) }
    }

    @Test func `the base is one of the other policies`() throws {
        var workspace = LanguageWorkspace()
        workspace.set(LanguageFile(path: "Base.xml", bytes: Array(EditedPolicies.base.utf8)))
        let text = EditedPolicies.policy("B2C_1A_New", base: "", "")
        let bytes = Array(text.utf8)
        workspace.set(LanguageFile(path: "New.xml", bytes: bytes))
        let end = try #require(text.firstRange(of: "</PolicyId>")).lowerBound
        let offset = text.utf8.distance(from: text.startIndex, to: end)
        let all = workspace.completions(at: TextPlace(file: "New.xml", offset: offset), snippets: true)
        #expect(all.map(\.label) == ["B2C_1A_Base"])
    }

    @Test func `every offset of a broken text has an answer inside of the text`() throws {
        let whole = Array(EditedPolicies.base.utf8)
        for cut in stride(from: 0, through: whole.count, by: 97) {
            var workspace = LanguageWorkspace()
            let bytes = Array(whole[..<cut])
            workspace.set(LanguageFile(path: "p.xml", bytes: bytes, known: .policy))
            for offset in [0, cut / 2, cut - 1, cut, cut + 5] {
                let place = TextPlace(file: "p.xml", offset: offset)
                for item in workspace.completions(at: place, snippets: true) {
                    #expect(item.range.lowerBound >= 0 && item.range.upperBound <= bytes.count)
                }
                if let hover = workspace.hover(at: place) {
                    #expect(hover.range.lowerBound >= 0 && hover.range.upperBound <= bytes.count)
                }
            }
        }
    }
}
