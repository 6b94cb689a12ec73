import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import TrustFramework

/// The table of what is simulated names everything, and what it does not name is reported.
@Suite struct FeatureTests {
    @Test func `the page is printed from the table`() throws {
        let url = TestFiles.root().appendingPathComponent("docs/simulated.md")
        let text = FeaturePage.markdown
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" { try Data(text.utf8).write(to: url) }
        let page = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        #expect(page == text, "\(lineDifference(expected: page, found: text)); record it with B2C_RECORD=1")
    }

    @Test func `every element of the grammar has a line`() {
        for path in PolicyGrammar.elementNames {
            #expect(FeatureTable.element(path.name, in: path.parent) != nil, "\(path.parent)/\(path.name)")
        }
        #expect(FeatureTable.strayElements.isEmpty, "\(FeatureTable.strayElements)")
    }

    @Test func `nothing is listed twice`() {
        var seen: Set<String> = []
        for feature in FeatureTable.all {
            #expect(seen.insert("\(feature.kind)|\(feature.owner)|\(feature.name)").inserted, "\(feature)")
            #expect(feature.extent == .simulated || !feature.extent.note.isEmpty, "\(feature)")
        }
    }

    @Test func `words of the schema are all listed`() {
        #expect(StepType.allCases.allSatisfy { FeatureTable.feature(.stepType, $0.rawValue) != nil })
        #expect(DataType.allCases.allSatisfy { FeatureTable.feature(.dataType, $0.rawValue) != nil })
        #expect(UserInputType.allCases.allSatisfy { FeatureTable.feature(.inputType, $0.rawValue) != nil })
        #expect(PredicateMethod.allCases.allSatisfy { FeatureTable.feature(.predicate, $0.rawValue) != nil })
        #expect(DisplayControlType.allCases.allSatisfy { FeatureTable.feature(.displayControl, $0.rawValue) != nil })
        #expect(MaskType.allCases.allSatisfy { FeatureTable.feature(.mask, $0.rawValue) != nil })
    }

    @Test func `metadata belongs to kinds that are listed`() {
        let kinds = FeatureTable.profileKinds.map(\.name) + ["any profile", "content definition", "relying party"]
        for feature in FeatureTable.metadata + FeatureTable.cryptographicKeys {
            #expect(kinds.contains(feature.owner), "\(feature.owner)")
        }
    }

    /// What a policy says, and the finding it must give.
    static let unknown: [(profile: String, text: String)] = [
        (Self.profile("<Item Key=\"ServiceUrll\">https://x.test/</Item>"), "metadata key \"ServiceUrll\""),
        (Self.profile("<Item Key=\"serviceUrl\">https://x.test/</Item>"), "Did you mean \"ServiceUrl\"?"),
        (Self.profile("", inputs: "{SAML:Issuer}"), "not simulated: claims resolver {SAML:Issuer}"),
        (Self.profile("", inputs: "{OIDC:LoginHin}"), "claims resolver \"OIDC:LoginHin\""),
        (
            "<TechnicalProfile Id=\"S\"><DisplayName>s</DisplayName><Protocol Name=\"SAML2\"/></TechnicalProfile>",
            "not simulated: technical profile S of kind SAML2"
        ),
        (
            "<TechnicalProfile Id=\"S\"><DisplayName>s</DisplayName><Protocol Name=\"Proprietary\" Handler=\"Own.Thing\"/>"
                + "</TechnicalProfile>", "handler \"Own.Thing\" of \"S\" is not simulated"
        ),
    ]

    static func profile(_ metadata: String, inputs resolver: String? = nil) -> String {
        let input = resolver.map {
            "<InputClaims><InputClaim ClaimTypeReferenceId=\"objectId\" DefaultValue=\"\($0)\"/></InputClaims>"
        }
        return """
            <TechnicalProfile Id="R"><DisplayName>r</DisplayName><Protocol Name="Proprietary" \
            Handler="\(ProfileHandler.qualified("RestfulProvider"))"/><Metadata>\(metadata)</Metadata>\(input ?? "")\
            </TechnicalProfile>
            """
    }

    @Test(arguments: unknown.indices) func `what the table does not know is reported`(_ index: Int) throws {
        let (profile, text) = Self.unknown[index]
        let xml = PolicyTexts.runnable(providers: profile)
        let document = try PolicyReader.read(file: "own.xml", bytes: Array(xml.utf8))
        let policy = try PolicyLinker.link(document, personality: .customPolicy)
        let finding = policy.findings.first { $0.description.contains(text) }
        #expect(finding?.severity == .warning, "\(policy.findings)")
        #expect(finding?.location?.file == "own.xml")
        #expect((finding?.location?.line ?? 0) > 1)
    }
}
