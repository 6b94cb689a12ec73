import Diagnostics
import Testing
import TrustFramework

/// The merge rules of inherited policies, one case each.
@Suite struct InheritanceTests {
    private func profile(_ id: String = "T", _ inside: String) -> String {
        "<TechnicalProfile Id=\"\(id)\">\(inside)</TechnicalProfile>"
    }

    private func mergedProfile(_ parent: String, _ child: String) throws -> TechnicalProfileElement {
        let merged = try merge(
            PolicyTexts.file(providers: profile("T", parent)), PolicyTexts.file(providers: profile("t", child)))
        #expect(merged.technicalProfiles.count == 1)
        return merged.technicalProfiles[0]
    }

    @Test func `values of the child win`() throws {
        let profile = try mergedProfile(
            "<DisplayName>a</DisplayName><Protocol Name=\"OAuth2\" />", "<DisplayName>b</DisplayName>")
        #expect(profile.id == "T")
        #expect(profile.displayName == "b")
        #expect(profile.protocol?.name == .oauth2)
    }

    @Test func `metadata merge by exact key`() throws {
        let profile = try mergedProfile(
            "<Metadata><Item Key=\"a\">1</Item><Item Key=\"b\">2</Item></Metadata>",
            "<Metadata><Item Key=\"b\">3</Item><Item Key=\"A\">4</Item></Metadata>")
        #expect(profile.metadata.map { "\($0.key)=\($0.value)" } == ["a=1", "b=3", "A=4"])
    }

    @Test func `claims merge by reference ignoring case`() throws {
        let profile = try mergedProfile(
            "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"surname\" PartnerClaimType=\"sn\" Required=\"true\" /></OutputClaims>",
            "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"surName\" DefaultValue=\"x\" /><OutputClaim ClaimTypeReferenceId=\"city\" /></OutputClaims>"
        )
        #expect(profile.outputClaims.map(\.claim) == ["surname", "city"])
        #expect(profile.outputClaims[0].partnerClaimType == "sn")
        #expect(profile.outputClaims[0].required == true)
        #expect(profile.outputClaims[0].defaultValue == "x")
    }

    @Test func `one file may list a claim twice`() throws {
        let profile = try mergedProfile(
            "<DisplayName>a</DisplayName>",
            "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"objectId\" PartnerClaimType=\"sub\" /><OutputClaim ClaimTypeReferenceId=\"objectId\" /></OutputClaims>"
        )
        #expect(profile.outputClaims.map(\.partnerClaimType) == ["sub", nil])
    }

    @Test func `validation profiles of the child run first and repeat`() throws {
        let profile = try mergedProfile(
            "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"a\" /><ValidationTechnicalProfile ReferenceId=\"b\" /></ValidationTechnicalProfiles>",
            "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"c\" /><ValidationTechnicalProfile ReferenceId=\"a\" /></ValidationTechnicalProfiles>"
        )
        #expect(profile.validationProfiles.map(\.profile) == ["c", "a", "a", "b"])
    }

    @Test func `transformations are joined, parent first`() throws {
        let profile = try mergedProfile(
            "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"a\" /></OutputClaimsTransformations>",
            "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"b\" /></OutputClaimsTransformations>"
        )
        #expect(profile.outputTransformations.map(\.id) == ["a", "b"])
    }

    @Test func `keys merge by id`() throws {
        let profile = try mergedProfile(
            "<CryptographicKeys><Key Id=\"k\" StorageReferenceId=\"B2C_1A_a\" /></CryptographicKeys>",
            "<CryptographicKeys><Key Id=\"K\" StorageReferenceId=\"B2C_1A_b\" /></CryptographicKeys>")
        #expect(profile.cryptographicKeys.map(\.storageReferenceID) == ["B2C_1A_b"])
    }

    @Test func `claim types merge element by element`() throws {
        let merged = try merge(
            PolicyTexts.file(
                blocks: """
                    <ClaimsSchema><ClaimType Id="a"><DisplayName>A</DisplayName><DataType>string</DataType>
                    <UserInputType>TextBox</UserInputType></ClaimType></ClaimsSchema>
                    """),
            PolicyTexts.file(
                blocks: """
                    <ClaimsSchema><ClaimType Id="A"><UserInputType>Readonly</UserInputType></ClaimType>
                    <ClaimType Id="b" /></ClaimsSchema>
                    """))
        let claims = merged.buildingBlocks.claimTypes
        #expect(claims.map(\.id) == ["a", "b"])
        #expect(claims[0].displayName == "A")
        #expect(claims[0].dataType == .string)
        #expect(claims[0].userInputType == .readonly)
    }

    @Test(
        arguments: [
            ("Append", ["1", "2"]), ("Prepend", ["2", "1"]), ("ReplaceAll", ["2"]), (nil, ["2"]),
        ] as [(String?, [String])])
    func `restrictions follow their merge behavior`(_ behavior: String?, _ values: [String]) throws {
        func claim(_ value: String, _ attribute: String) -> String {
            """
            <ClaimsSchema><ClaimType Id="a"><Restriction\(attribute)><Enumeration Text="t" Value="\(value)" />
            </Restriction></ClaimType></ClaimsSchema>
            """
        }
        let merged = try merge(
            PolicyTexts.file(blocks: claim("1", "")),
            PolicyTexts.file(blocks: claim("2", behavior.map { " MergeBehavior=\"\($0)\"" } ?? "")))
        #expect(merged.buildingBlocks.claimTypes[0].restriction?.enumeration.map(\.value) == values)
    }

    @Test func `transformations, predicates and controls are replaced whole`() throws {
        func blocks(_ claim: String, _ extra: String) -> String {
            """
            <ClaimsTransformations><ClaimsTransformation Id="c" TransformationMethod="CopyClaim"><InputClaims>\
            <InputClaim ClaimTypeReferenceId="\(claim)" />\(extra)</InputClaims></ClaimsTransformation></ClaimsTransformations>
            <DisplayControls><DisplayControl Id="d" UserInterfaceControlType="VerificationControl"><DisplayClaims>\
            <DisplayClaim ClaimTypeReferenceId="\(claim)" /></DisplayClaims></DisplayControl></DisplayControls>
            """
        }
        let merged = try merge(
            PolicyTexts.file(blocks: blocks("a", "<InputClaim ClaimTypeReferenceId=\"x\" />")),
            PolicyTexts.file(blocks: blocks("b", "")))
        #expect(merged.buildingBlocks.claimsTransformations.map { $0.inputClaims.map(\.claim) } == [["b"]])
        #expect(merged.buildingBlocks.displayControls.map { $0.displayClaims.map(\.claim) } == [["b"]])
    }

    @Test func `content definitions and texts merge by part`() throws {
        let merged = try merge(
            PolicyTexts.file(
                blocks: """
                    <ContentDefinitions><ContentDefinition Id="c"><LoadUri>~/a</LoadUri><DataUri>urn:a</DataUri>
                    </ContentDefinition></ContentDefinitions>
                    <Localization Enabled="true"><SupportedLanguages DefaultLanguage="en"><SupportedLanguage>en</SupportedLanguage>
                    </SupportedLanguages><LocalizedResources Id="r"><LocalizedStrings>
                    <LocalizedString ElementType="UxElement" StringId="a">1</LocalizedString>
                    <LocalizedString ElementType="UxElement" StringId="b">2</LocalizedString></LocalizedStrings>
                    </LocalizedResources></Localization>
                    """),
            PolicyTexts.file(
                blocks: """
                    <ContentDefinitions><ContentDefinition Id="C"><DataUri>urn:b</DataUri><LocalizedResourcesReferences>
                    <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="r" />
                    </LocalizedResourcesReferences></ContentDefinition></ContentDefinitions>
                    <Localization><SupportedLanguages DefaultLanguage="de" MergeBehavior="Append"><SupportedLanguage>de</SupportedLanguage>
                    </SupportedLanguages><LocalizedResources Id="R"><LocalizedStrings>
                    <LocalizedString ElementType="UxElement" StringId="b">3</LocalizedString></LocalizedStrings>
                    </LocalizedResources></Localization>
                    """))
        let definition = merged.buildingBlocks.contentDefinitions[0]
        #expect(definition.loadURI == "~/a")
        #expect(definition.dataURI == "urn:b")
        #expect(definition.localizedResources.map(\.resources) == ["r"])
        let localization = try #require(merged.buildingBlocks.localization)
        #expect(localization.enabled == true)
        #expect(localization.supportedLanguages?.defaultLanguage == "de")
        #expect(localization.supportedLanguages?.languages == ["en", "de"])
        #expect(localization.resources.map { $0.strings.map(\.text) } == [["1", "3"]])
    }

    /// Sub journeys merge as user journeys do.
    @Test func `sub-journeys merge by order`() throws {
        func sub(_ id: String, _ steps: String) -> String {
            "<SubJourney Id=\"\(id)\" Type=\"Call\"><OrchestrationSteps>\(steps)</OrchestrationSteps></SubJourney>"
        }
        let merged = try merge(
            PolicyTexts.file(
                subJourneys: sub(
                    "S",
                    """
                    <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
                    <ClaimsExchange Id="e" TechnicalProfileReferenceId="a" /></ClaimsExchanges></OrchestrationStep>
                    """)),
            PolicyTexts.file(
                subJourneys: sub(
                    "s",
                    """
                    <OrchestrationStep Order="2" Type="Noop" />
                    <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
                    <ClaimsExchange Id="E" TechnicalProfileReferenceId="b" /></ClaimsExchanges></OrchestrationStep>
                    """)))
        #expect(merged.subJourneys.map(\.id) == ["S"])
        #expect(merged.subJourneys[0].steps.map(\.order) == [1, 2])
        #expect(merged.subJourneys[0].steps[0].exchanges.map(\.profile) == ["b"])
    }

    @Test func `steps merge by order, and exchanges by id`() throws {
        func journey(_ steps: String) -> String {
            "<UserJourney Id=\"J\"><OrchestrationSteps>\(steps)</OrchestrationSteps></UserJourney>"
        }
        let merged = try merge(
            PolicyTexts.file(
                journeys: journey(
                    """
                    <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
                    <ClaimsExchange Id="e" TechnicalProfileReferenceId="a" /></ClaimsExchanges></OrchestrationStep>
                    <OrchestrationStep Order="2" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="i" />
                    """)),
            PolicyTexts.file(
                journeys: journey(
                    """
                    <OrchestrationStep Order="3" Type="Noop" />
                    <OrchestrationStep Order="1" Type="ClaimsExchange"><Preconditions>
                    <Precondition Type="ClaimsExist" ExecuteActionsIf="true"><Value>c</Value>
                    <Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions><ClaimsExchanges>
                    <ClaimsExchange Id="E" TechnicalProfileReferenceId="b" /></ClaimsExchanges></OrchestrationStep>
                    """)))
        let steps = merged.userJourneys[0].steps
        #expect(steps.map(\.order) == [1, 2, 3])
        #expect(steps[0].exchanges.map(\.profile) == ["b"])
        #expect(steps[0].preconditions.count == 1)
        #expect(steps[1].issuer?.id == "i")
    }

    @Test func `the leaf gives name and relying party`() throws {
        let merged = try merge(
            PolicyTexts.file(id: "B2C_1A_base"),
            PolicyTexts.file(id: "B2C_1A_leaf", base: "B2C_1A_base", party: PolicyTexts.party))
        #expect(merged.policyID == "B2C_1A_leaf")
        #expect(merged.basePolicy == nil)
        #expect(merged.relyingParty?.defaultUserJourney?.id == "J")
    }

    @Test func `includes see what children change`() throws {
        let merged = try merge(
            PolicyTexts.runnable(
                providers: """
                    <TechnicalProfile Id="Common"><Protocol Name="None" /><Metadata><Item Key="a">1</Item></Metadata></TechnicalProfile>
                    <TechnicalProfile Id="User"><Metadata><Item Key="b">2</Item></Metadata><IncludeTechnicalProfile ReferenceId="common" /></TechnicalProfile>
                    """),
            PolicyTexts.file(
                providers:
                    "<TechnicalProfile Id=\"COMMON\"><Metadata><Item Key=\"a\">3</Item></Metadata></TechnicalProfile>"))
        let policy = try PolicyLinker.link(merged, personality: .customPolicy)
        let profile = policy[try #require(policy.profile("user"))]
        #expect(profile.metadata["a"] == "3")
        #expect(profile.metadata["b"] == "2")
        #expect(profile.protocolName == .none)
    }

    /// `IncludeClaimsFromTechnicalProfile` takes input and output claims of the other profile, and nothing else of it.
    @Test func `claims of another profile are taken over`() throws {
        let policy = try link(
            PolicyTexts.runnable(
                providers: """
                    <TechnicalProfile Id="Other"><DisplayName>Other</DisplayName><Protocol Name="OAuth2" />
                    <Metadata><Item Key="client_id">other</Item></Metadata><CryptographicKeys>
                    <Key Id="client_secret" StorageReferenceId="B2C_1A_Secret" /></CryptographicKeys>
                    <InputClaims><InputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="id" /></InputClaims>
                    <PersistedClaims><PersistedClaim ClaimTypeReferenceId="objectId" /></PersistedClaims><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="displayName" PartnerClaimType="name" />
                    <OutputClaim ClaimTypeReferenceId="surname" PartnerClaimType="family" DefaultValue="x" />
                    </OutputClaims></TechnicalProfile>
                    <TechnicalProfile Id="Own"><DisplayName>Own</DisplayName><Protocol Name="None" />
                    <OutputClaims><OutputClaim ClaimTypeReferenceId="surname" DefaultValue="y" />
                    <OutputClaim ClaimTypeReferenceId="objectId" /></OutputClaims>
                    <IncludeClaimsFromTechnicalProfile>other</IncludeClaimsFromTechnicalProfile></TechnicalProfile>
                    """))
        let own = policy[try #require(policy.profile("Own"))]
        #expect(own.inputClaims.map { policy[$0.claim].id } == ["objectId"])
        #expect(own.inputClaims.map(\.partnerName) == ["id"])
        #expect(own.outputClaims.map { policy[$0.claim].id } == ["displayName", "surname", "objectId"])
        #expect(own.outputClaims.map(\.partnerName) == ["name", "family", nil])
        #expect(own.outputClaims.map(\.defaultValue) == [nil, "y", nil])
        #expect(own.persistedClaims.isEmpty && own.metadata["client_id"] == nil)
        #expect(own.cryptographicKeys.isEmpty && own.protocolName == .none && own.displayName == "Own")
    }
}
