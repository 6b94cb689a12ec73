import LanguageService
import Testing
import TrustFramework

struct PolicyHoverTests {
    private func hover(_ content: String) throws -> HoverText? {
        let (workspace, place) = try EditedPolicies.opened(content)
        return workspace.hover(at: place)
    }

    private static func profile(_ content: String) -> String {
        EditedPolicies.profiles("<TechnicalProfile Id=\"AAD-Read\">\n\(content)\n</TechnicalProfile>")
    }

    private static let changedClaim = """
        <BuildingBlocks><ClaimsSchema>
        <ClaimType Id="email">
        <UserHelpText>Yours</UserHelpText>
        </ClaimType>
        </ClaimsSchema></BuildingBlocks>
        """

    private static func outputClaim(_ attributes: String) -> String {
        profile("<OutputClaims>\n<OutputClaim \(attributes) />\n</OutputClaims>")
    }

    @Test(arguments: [
        (
            changedClaim + outputClaim("ClaimTypeReferenceId=\"em|ail\""),
            [
                "**Claim type** `email`: string, \"Email Address\", EmailBox", "Declared in Base.xml:",
                ", changed in Extensions.xml:", "\n  <DataType>string</DataType> <!-- Base.xml:",
                "\n  <UserHelpText>Yours</UserHelpText> <!-- Extensions.xml:", "\n</ClaimType>\n```",
            ]
        ),
        (
            EditedPolicies.profiles("<TechnicalProfile Id=\"AAD-R|ead\">\n</TechnicalProfile>"),
            [
                "**Technical profile** `AAD-Read`: AzureActiveDirectoryProvider", "**approximated**: the directory",
                "<OutputClaim ClaimTypeReferenceId=\"country\" /> <!-- Base.xml:", "\n  <OutputClaims>\n",
            ]
        ),
        (
            profile(
                """
                <InputClaimsTransformations>
                <InputClaimsTransformation ReferenceId="Copy|Email" />
                </InputClaimsTransformations>
                """), ["**Claims transformation** `CopyEmail`: CopyClaim", "**simulated**", "Declared in Base.xml:"]
        ),
        (
            "<RelyingParty><DefaultUserJourney ReferenceId=\"Sign|Up\" /></RelyingParty>",
            [
                "**User journey** `SignUp`: 3 steps", "1. ClaimsExchange: `SelfAsserted-SignUp`",
                "3. SendClaims: `JwtIssuer`",
            ]
        ),
        (
            outputClaim("ClaimTypeReferenceId=\"email\" DefaultValue=\"{OIDC:Cl|ientId}\""),
            ["Claims resolver `{OIDC:ClientId}`", "**simulated**"]
        ),
        (
            outputClaim("ClaimTypeReferenceId=\"email\" DefaultValue=\"{Settings:Reg|ion}\""),
            ["**Setting** `Region`"]
        ),
        (outputClaim("ClaimTypeReferenceId=\"email\" Req|uired=\"true\""), ["Attribute **Required** of OutputClaim"]),
        (profile("<Metad|ata></Metadata>"), ["Element **Metadata** of TechnicalProfile", "`Item` (any number)"]),
        (profile("<Metadata></Metad|ata>"), ["Element **Metadata** of TechnicalProfile"]),
        (
            profile("<Descrip|tion>d</Description>"),
            ["Element **Description** of TechnicalProfile", "**no effect**: information for people"]
        ),
        (
            profile("<Metadata><Item Key=\"Opera|tion\">Read</Item></Metadata>"),
            [
                "`Operation` of AzureActiveDirectoryProvider", "**simulated**",
                "Values: Read, Write, DeleteClaims, DeleteClaimsPrincipal",
            ]
        ),
        (
            EditedPolicies.journey("<OrchestrationStep Order=\"1\" Type=\"Consent|Screen\" />"),
            ["`ConsentScreen`", "**refused**: nothing documented says"]
        ),
        (
            """
            <BuildingBlocks><ClaimsTransformations>
            <ClaimsTransformation Id="T" TransformationMethod="Compare|BooleanClaimToValue" />
            </ClaimsTransformations></BuildingBlocks>
            """,
            [
                "`CompareBooleanClaimToValue`", "- Input claims: `inputClaim` (boolean)",
                "- Parameters: `valueToCompareTo` (boolean)",
            ]
        ),
    ])
    func `a place shows what is known about it`(_ content: String, _ parts: [String]) throws {
        let text = try #require(try hover(content)).markdown
        for part in parts { #expect(text.contains(part)) }
    }

    @Test(arguments: ["<!-- em|ail -->", profile("<DisplayName>anything a|t all</DisplayName>"), "\n | \n"])
    func `where nothing is known nothing is shown`(_ content: String) throws {
        #expect(try hover(content)?.markdown == nil)
    }

    @Test func `no secret is shown`() throws {
        let text = try #require(
            try hover(
                EditedPolicies.profiles(
                    """
                    <TechnicalProfile Id="Re|st">
                    <DisplayName>REST</DisplayName>
                    <Protocol Name="Proprietary" Handler="\(EditedPolicies.provider)RestfulProvider" />
                    <Metadata>
                    <Item Key="ServiceUrl">https://api.example</Item>
                    <Item Key="client_secret">hunter2</Item>
                    <Item Key="setting.forgotPasswordLinkOverride">ForgotExchange</Item>
                    </Metadata>
                    <InputClaims>
                    <InputClaim ClaimTypeReferenceId="city" PartnerClaimType="password" DefaultValue="letmein" />
                    </InputClaims>
                    </TechnicalProfile>
                    """))
        ).markdown
        #expect(text.contains("https://api.example"))
        #expect(text.contains("ForgotExchange"))
        #expect(text.contains("<Item Key=\"client_secret\">***</Item>"))
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("letmein"))
    }

    @Test func `each part of an element names the file and line that say it`() throws {
        let content = EditedPolicies.profiles(
            """
            <TechnicalProfile Id="AAD-Wr|ite">
            <Metadata>
            <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item>
            </Metadata>
            <OutputClaims>
            <OutputClaim ClaimTypeReferenceId="city" PartnerClaimType="one" />
            <OutputClaim ClaimTypeReferenceId="city" PartnerClaimType="two" />
            </OutputClaims>
            </TechnicalProfile>
            """)
        let (workspace, place) = try EditedPolicies.opened(content)
        let text = try #require(workspace.hover(at: place)).markdown
        let places = text.split(separator: "\n").compactMap { line -> (element: Substring, place: [Substring])? in
            let parts = line.split(separator: " <!-- ")
            guard parts.count == 2 else { return nil }
            return (parts[0].drop { $0 == " " }, parts[1].dropLast(4).split(separator: ":"))
        }
        for (element, place) in places where !element.hasPrefix("<TechnicalProfile ") {
            let file = try #require(workspace.files.values.first { $0.path.hasSuffix(place[0]) })
            let line = try #require(file.source.line(Int(place[1]) ?? 0))
            #expect(line.contains(element.replacing("\" />", with: "\"")))
        }
        let shown = places.map { "\($0.place[0]) \($0.element)" }
        #expect(shown.contains("Base.xml <Item Key=\"Operation\">Write</Item>"))
        #expect(shown.contains("Base.xml <OutputClaim ClaimTypeReferenceId=\"objectId\" />"))
        #expect(shown.contains("Extensions.xml <Item Key=\"RaiseErrorIfClaimsPrincipalAlreadyExists\">true</Item>"))
        #expect(shown.count { $0.contains("city") } == 2)
    }

    @Test func `siblings of one element name keep their own lines`() throws {
        let (workspace, place) = try EditedPolicies.opened(
            """
            <BuildingBlocks><ClaimsSchema>
            <ClaimType Id="gro|ups"><DisplayName>Groups</DisplayName><DataType>string</DataType>
            <DefaultPartnerClaimTypes>
            <Protocol Name="OAuth2" PartnerClaimType="groups" />
            <Protocol Name="OpenIdConnect" PartnerClaimType="groups" />
            </DefaultPartnerClaimTypes></ClaimType>
            </ClaimsSchema></BuildingBlocks>
            """)
        let text = try #require(workspace.hover(at: place)).markdown
        let lines = text.split(separator: "\n").filter { $0.contains("<Protocol") }
        let numbers = lines.compactMap { $0.split(separator: ":").last?.prefix { $0.isNumber } }.compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[1] == numbers[0] + 1)
    }

    @Test func `names of claims and keys are shown`() throws {
        let text = try #require(
            try hover(
                EditedPolicies.profiles(
                    """
                    <TechnicalProfile Id="Re|st">
                    <DisplayName>REST</DisplayName>
                    <Protocol Name="Proprietary" Handler="\(EditedPolicies.provider)RestfulProvider" />
                    <Metadata>
                    <Item Key="UseClaimAsBearerToken">identityProviderAccessToken</Item>
                    </Metadata>
                    </TechnicalProfile>
                    """))
        ).markdown
        #expect(text.contains("<Item Key=\"UseClaimAsBearerToken\">identityProviderAccessToken</Item>"))
    }

    @Test(arguments: [
        (
            outputClaim("ClaimTypeReferenceId=\"no|pe\""),
            "Nothing declares it in this file or in those that it inherits from."
        ),
        (
            outputClaim("ClaimTypeReferenceId=\"email\" DefaultValue=\"{Settings:File|name}\""),
            "Its value is the name of the file."
        ),
        (
            outputClaim("ClaimTypeReferenceId=\"email\" DefaultValue=\"{Settings:Ten|ant}\""),
            "Its value depends on the environment."
        ),
    ])
    func `a name without a declaration says so`(_ content: String, _ end: String) throws {
        #expect(try hover(content)?.markdown.hasSuffix(end) == true)
    }

    @Test func `a long element is cut`() throws {
        let claims = (0..<60).map { "<OutputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"p\($0)\" />" }
        let content = EditedPolicies.profiles(
            """
            <TechnicalProfile Id="Lo|ng">
            <DisplayName>Long</DisplayName>
            <Protocol Name="Proprietary" Handler="\(EditedPolicies.provider)RestfulProvider" />
            <OutputClaims>
            \(claims.joined(separator: "\n"))
            </OutputClaims>
            </TechnicalProfile>
            """)
        let text = try #require(try hover(content)).markdown
        #expect(text.contains("more lines"))
        #expect(text.split(separator: "\n").count < 50)
    }

    // MARK: Readings

    @Test func `the last text that could be read counts`() throws {
        let readings = PolicyReadings()
        func file(_ text: String) -> LanguageFile { LanguageFile(path: "p.xml", bytes: Array(text.utf8)) }
        let broken = file(EditedPolicies.base.replacing("</ClaimsSchema>", with: "<Clai"))
        #expect(readings.document(broken) == nil)
        let read = try #require(readings.document(file(EditedPolicies.base)))
        #expect(readings.document(broken) == read)
        let renamed = file(EditedPolicies.base.replacing("Id=\"city\"", with: "Id=\"town\""))
        #expect(readings.document(renamed)?.buildingBlocks.claimTypes.map(\.id).last == "town")
    }

    @Test func `a policy is merged with its base, and with those that are built in`() throws {
        let (workspace, place) = try EditedPolicies.opened(Self.changedClaim + "|")
        let merged = try #require(workspace.readings.merged(place.file, in: workspace))
        let claim = try #require(merged.buildingBlocks.claimTypes.first { $0.id == "email" })
        #expect(claim.userHelpText == "Yours")
        #expect(claim.displayName == "Email Address")
        #expect(merged.policyID == "B2C_1A_Extensions")

        var alone = LanguageWorkspace()
        let text = EditedPolicies.policy("B2C_1A_Own", base: "B2C_1A_HarnessTexts", "")
        alone.set(LanguageFile(path: "Own.xml", bytes: Array(text.utf8)))
        let own = try #require(alone.readings.merged("Own.xml", in: alone))
        #expect(!own.technicalProfiles.isEmpty)
        #expect(own.policyID == "B2C_1A_Own")
    }
}
