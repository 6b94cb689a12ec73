import Testing
import TrustFramework

@testable import Journeys

/// What the table of features says is what the engine does.
@Suite struct FeatureAgreementTests {
    @Test func `resolvers of the table resolve`() throws {
        let world = try World(xml: [Inline.policy()])
        let policy = world.policy("flow")
        let call = world.call(policy, world.request(policy))
        for feature in FeatureTable.all where feature.kind == .resolver && !feature.name.hasPrefix("oauth2:") {
            let name = feature.name.hasSuffix("*") ? feature.name.dropLast() + "sub" : feature.name[...]
            let value = Resolvers.value(String(name), bag: ClaimsBag(), call: call, profile: nil)
            #expect(value != nil, "\(feature.name)")
        }
        #expect(Resolvers.value("OIDC:Nothing", bag: ClaimsBag(), call: call, profile: nil) == nil)
    }

    static let handlers: [ProfileHandler] = [
        .selfAsserted, .directory, .claimsTransformation, .rest, .phoneFactor, .oneTimePassword, .azureMfa, .aadSspr,
        .userJourneyContext, .conditionalAccess, .applicationInsights, .passwordSignIn, .openIdConnectProvider,
        .oauth2Provider, .oauth1Provider, .samlProvider, .jwtIssuer, .samlIssuer, .jsonIssuer, .oauth2ErrorIssuer,
        .none, .unknown("WsFed"), .unknown("WsTrust"), .unknown("UProve11"),
    ]

    @Test func `kinds of the table run`() {
        for handler in Self.handlers {
            let name = handler == .passwordSignIn ? "OpenIdConnect with grant_type=password" : handler.name
            let feature = FeatureTable.feature(.profileKind, name)
            let issues = [.jwtIssuer, .jsonIssuer, .oauth2ErrorIssuer].contains(handler)
            let runs =
                handler.showsPage || issues || Handlers.immediate(handler) != nil
                || Handlers.conversing(handler) != nil
            if case .refused? = feature?.extent { #expect(!runs, "\(name)") } else { #expect(runs, "\(name)") }
            #expect(feature != nil, "\(name)")
        }
    }

    /// What is refused ends the journey by name, with the line.
    @Test(arguments: [
        (
            "<TechnicalProfile Id=\"P\"><DisplayName>p</DisplayName>\n<Protocol Name=\"SAML2\"/></TechnicalProfile>",
            "not simulated: technical profile P of kind SAML2 at test.xml:"
        ),
        (
            "<TechnicalProfile Id=\"P\"><DisplayName>p</DisplayName><Protocol Name=\"WsFed\"/></TechnicalProfile>",
            "not simulated: technical profile P of kind WsFed at test.xml:"
        ),
        (
            Inline.constants(
                "P", ["sub": "x"],
                more: "<OutputClaimsTransformations><OutputClaimsTransformation ReferenceId=\"T\" />"
                    + "</OutputClaimsTransformations>"),
            "not simulated: claims transformation Unheard at test.xml:"
        ),
        (
            Inline.constants("P", ["sub": "{SAML:Issuer}"]),
            "not simulated: claims resolver {SAML:Issuer} of technical profile P at test.xml:"
        ),
    ]) func `what is refused fails by name`(_ profile: String, _ text: String) throws {
        let world = try World(xml: [
            Inline.policy(
                transformations: "<ClaimsTransformation Id=\"T\" TransformationMethod=\"Unheard\" />",
                profiles: profile,
                steps: Inline.steps("P"))
        ])
        let failure = world.begin().failure
        #expect(failure?.text.hasPrefix(text) == true, "\(failure?.text ?? "no failure")")
        #expect(failure?.text.split(separator: ":").last.flatMap { Int($0) } ?? 0 > 0)
    }
}
