import TenantFiles
import Testing

@testable import TrustFramework

/// The switches for how files are merged, each way.
@Suite struct DefaultsTests {
    private func merged(_ parent: String, _ child: String, _ change: (inout PolicyDefaults) -> Void) throws
        -> PolicyDocument
    {
        var defaults = PolicyDefaults()
        change(&defaults)
        return PolicyInheritance.merge([try read(parent), try read(child)], rules: MergeRules(defaults))
    }

    private func file(_ inside: String, journeys: String = "") -> String {
        PolicyTexts.file(
            blocks: PolicyTexts.claims,
            providers: "<TechnicalProfile Id=\"T\">\(inside)</TechnicalProfile><TechnicalProfile Id=\"V\"/>",
            journeys: journeys)
    }

    @Test func `validation profiles have their order`() throws {
        let parent = file(
            "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"P\"/></ValidationTechnicalProfiles>"
        )
        let child = file(
            "<ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId=\"C\"/></ValidationTechnicalProfiles>"
        )
        func order(_ flag: Bool) throws -> [String] {
            let document = try merged(parent, child) { $0.childValidationProfilesFirst = flag }
            return document.technicalProfiles[0].validationProfiles.map(\.profile)
        }
        #expect(try order(true) == ["C", "P"])
        #expect(try order(false) == ["P", "C"])
    }

    @Test func `output claims have their order`() throws {
        let parent = file(
            "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"objectId\"/>"
                + "<OutputClaim ClaimTypeReferenceId=\"surname\"/></OutputClaims>")
        let child = file(
            "<OutputClaims><OutputClaim ClaimTypeReferenceId=\"displayName\"/>"
                + "<OutputClaim ClaimTypeReferenceId=\"surname\"/></OutputClaims>")
        func order(_ flag: Bool) throws -> [String] {
            let document = try merged(parent, child) { $0.inheritedClaimsFirst = flag }
            return document.technicalProfiles[0].outputClaims.map(\.claim)
        }
        #expect(try order(true) == ["objectId", "surname", "displayName"])
        #expect(try order(false) == ["displayName", "surname", "objectId"])
    }

    @Test func `preconditions of a step are joined`() throws {
        func journey(_ claim: String) -> String {
            """
            <UserJourney Id="J"><OrchestrationSteps><OrchestrationStep Order="1" Type="Noop"><Preconditions>
            <Precondition Type="ClaimsExist" ExecuteActionsIf="true"><Value>\(claim)</Value>
            <Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions></OrchestrationStep>
            </OrchestrationSteps></UserJourney>
            """
        }
        func claims(_ flag: Bool) throws -> [String] {
            let document = try merged(
                file("", journeys: journey("surname")), file("", journeys: journey("displayName"))
            ) { $0.preconditionsAreUnited = flag }
            return document.userJourneys[0].steps[0].preconditions.flatMap(\.values)
        }
        #expect(try claims(true) == ["surname", "displayName"])
        #expect(try claims(false) == ["displayName"])
    }

    @Test func `includes come before or after inheritance`() throws {
        func common(_ value: String, _ more: String) -> String {
            PolicyTexts.file(
                providers: """
                    <TechnicalProfile Id="Common"><Protocol Name="None"/><Metadata><Item Key="k">\(value)</Item></Metadata>\
                    </TechnicalProfile>\(more)
                    """)
        }
        let including =
            "<TechnicalProfile Id=\"T\"><IncludeTechnicalProfile ReferenceId=\"Common\"/></TechnicalProfile>"
        func value(_ flag: Bool) throws -> String? {
            var defaults = PolicyDefaults()
            defaults.inheritanceBeforeIncludes = flag
            let chain = [
                try read(common("root", "")), try read(common("middle", including)), try read(common("leaf", "")),
            ]
            let document = PolicyInheritance.merge(chain, rules: MergeRules(defaults))
            var context = LinkContext(document)
            let profiles = ProfileIncludes.resolved(in: document, MergeRules(defaults), &context)
            return profiles.first { $0.profile.id == "T" }?.profile.metadata.last?.value
        }
        #expect(try value(true) == "leaf")
        #expect(try value(false) == "middle")
    }
}
