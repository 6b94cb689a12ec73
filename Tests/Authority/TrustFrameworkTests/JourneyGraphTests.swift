import TestSupport
import Testing
import TrustFramework

@Suite struct JourneyGraphTests {
    private static let journeys = """
        <UserJourney Id="J"><OrchestrationSteps>
        <OrchestrationStep Order="1" Type="ClaimsExchange"><Preconditions>
        <Precondition Type="ClaimsExist" ExecuteActionsIf="false"><Value>surname</Value>\
        <Action>SkipThisOrchestrationStep</Action></Precondition>
        <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>displayName</Value><Value>a &lt; "b"</Value>\
        <Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>
        <ClaimsExchanges><ClaimsExchange Id="X" TechnicalProfileReferenceId="T" /></ClaimsExchanges></OrchestrationStep>
        <OrchestrationStep Order="2" Type="InvokeSubJourney"><JourneyList><Candidate SubJourneyReferenceId="S" />\
        </JourneyList></OrchestrationStep>
        <OrchestrationStep Order="3" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
        </OrchestrationSteps></UserJourney>
        """
    private static let sub = """
        <SubJourney Id="S" Type="Call"><OrchestrationSteps><OrchestrationStep Order="1" Type="ClaimsExchange">\
        <ClaimsExchanges><ClaimsExchange Id="Y" TechnicalProfileReferenceId="T" /></ClaimsExchanges>\
        </OrchestrationStep></OrchestrationSteps></SubJourney>
        """
    private static let profile = """
        <TechnicalProfile Id="T"><DisplayName>T</DisplayName><Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine" />\
        <OutputClaims><OutputClaim ClaimTypeReferenceId="surname" DefaultValue="x" /></OutputClaims></TechnicalProfile>
        """

    private func graph() throws -> JourneyGraph {
        JourneyGraph(
            try link(PolicyTexts.runnable(providers: Self.profile, journeys: Self.journeys, subJourneys: Self.sub)))
    }

    @Test func `a graph has what the relying party reaches`() throws {
        let graph = try graph()
        #expect(graph.charts.map(\.id) == ["J", "S"])
        #expect(graph.charts.map(\.kind) == ["user journey", "sub-journey, call"])
        #expect(graph.charts[0].steps[0].skippedWhen == ["surname is absent", "displayName is a < \"b\""])
        #expect(graph.charts[0].steps[0].boxes.map(\.profile) == ["T"])
        #expect(graph.charts[0].steps[1].detail == "S")
        #expect(graph.charts[0].steps[2].detail == "JwtIssuer")
    }

    @Test func `a graph is drawn as Mermaid`() throws {
        try matchGolden(graph().mermaid, "journey.mmd")
    }

    @Test func `a graph is drawn as well-formed SVG`() throws {
        let svg = try graph().svg
        try matchGolden(svg, "journey.svg")
        #expect(svg.contains("skipped if surname is absent"))
        #expect(!svg.contains("a < \"b\""))
    }
}
