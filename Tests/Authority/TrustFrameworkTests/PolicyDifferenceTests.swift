import Diagnostics
import JSON
import TenantFiles
import TestSupport
import Testing

@testable import TrustFramework

/// What differs between two states of a policy, by elements.
@Suite struct PolicyDifferenceTests {
    /// A replacement in one of the files, and the differences that it makes.
    struct Edit: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var file = "Loyalty"
        var find: String
        var put: String
        var differences: [String]
    }

    private static let insertedStep = """
        <OrchestrationStep Order="3" Type="ClaimsExchange">
          <ClaimsExchanges><ClaimsExchange Id="Tier" TechnicalProfileReferenceId="REST-Tier" /></ClaimsExchanges>
        </OrchestrationStep>
        <OrchestrationStep Order="4" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
        """

    static let edits: [Edit] = [
        Edit(
            testDescription: "a text", find: "<DisplayName>Loyalty tier</DisplayName>",
            put: "<DisplayName>Status</DisplayName>",
            differences: ["changed ClaimType tier > DisplayName: Loyalty tier -> Status at Loyalty.xml:11"]),
        Edit(
            testDescription: "a metadata item", find: "https://loyalty.contoso.test/tier",
            put: "https://new.contoso.test/",
            differences: [
                "changed TechnicalProfile REST-Tier > Item ServiceUrl: https://loyalty.contoso.test/tier -> "
                    + "https://new.contoso.test/ at Loyalty.xml:24"
            ]),
        Edit(
            testDescription: "an attribute that was not there",
            find: "<OutputClaim ClaimTypeReferenceId=\"displayName\" />",
            put: "<OutputClaim ClaimTypeReferenceId=\"displayName\" PartnerClaimType=\"name\" />",
            differences: [
                "added TechnicalProfile PolicyProfile > OutputClaim displayName > PartnerClaimType: nothing -> name "
                    + "at Loyalty.xml:58"
            ]),
        Edit(
            testDescription: "an element less", find: "<Item Key=\"SendClaimsIn\">Body</Item>", put: "",
            differences: [
                "removed TechnicalProfile REST-Tier > Item SendClaimsIn: Body -> nothing at Loyalty.xml:25"
            ]),
        Edit(
            testDescription: "an element that nothing refers to",
            find: "<ClaimType Id=\"tier\">",
            put: """
                <ClaimType Id="spare"><DisplayName>Spare</DisplayName><DataType>string</DataType></ClaimType>
                <ClaimType Id="tier">
                """,
            differences: [
                """
                added ClaimType spare: nothing -> <ClaimType Id="spare">
                  <DisplayName>Spare</DisplayName>
                  <DataType>string</DataType>
                </ClaimType> at Loyalty.xml:10, not reached
                """
            ]),
        Edit(
            testDescription: "a step between others, which get other numbers", file: "Base",
            find:
                "<OrchestrationStep Order=\"3\" Type=\"SendClaims\" CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\" />\n"
                + "      </OrchestrationSteps>\n    </UserJourney>\n    <UserJourney Id=\"RedeemRefreshToken\">",
            put: insertedStep
                + "\n      </OrchestrationSteps>\n    </UserJourney>\n    <UserJourney Id=\"RedeemRefreshToken\">",
            differences: [
                """
                added UserJourney SignUpOrSignIn > OrchestrationStep 3: nothing -> \
                <OrchestrationStep Order="3" Type="ClaimsExchange">
                  <ClaimsExchanges>
                    <ClaimsExchange Id="Tier" TechnicalProfileReferenceId="REST-Tier" />
                  </ClaimsExchanges>
                </OrchestrationStep> at Base.xml:56
                """
            ]),
        Edit(
            testDescription: "the claim of a precondition", file: "Base", find: "<Value>objectId</Value>",
            put: "<Value>displayName</Value>",
            differences: [
                "changed UserJourney SignUpOrSignIn > OrchestrationStep 2 > Precondition ClaimsExist displayName > Value: "
                    + "objectId -> displayName at Base.xml:48"
            ]),
        Edit(
            testDescription: "the side of a precondition", file: "Base", find: "ExecuteActionsIf=\"true\"",
            put: "ExecuteActionsIf=\"false\"",
            differences: [
                "changed UserJourney SignUpOrSignIn > OrchestrationStep 2 > Precondition ClaimsExist objectId > "
                    + "ExecuteActionsIf: true -> false at Base.xml:47"
            ]),
        Edit(
            testDescription: "the order of fields", file: "Base",
            find: """
                <DisplayClaim ClaimTypeReferenceId="newPassword" Required="true" />
                            <DisplayClaim ClaimTypeReferenceId="reenterPassword" Required="true" />
                """,
            put: """
                <DisplayClaim ClaimTypeReferenceId="reenterPassword" Required="true" />
                            <DisplayClaim ClaimTypeReferenceId="newPassword" Required="true" />
                """,
            differences: [
                "moved TechnicalProfile LocalAccountSignUpWithLogonEmail > DisplayClaims: emailVerificationControl, "
                    + "newPassword, reenterPassword, displayName -> emailVerificationControl, reenterPassword, newPassword, "
                    + "displayName at Base.xml:21"
            ]),
        Edit(
            testDescription: "a value of an ancestor that the policy overrides",
            find: "<ClaimType Id=\"tier\">",
            put:
                "<ClaimType Id=\"displayName\"><DisplayName>Full name</DisplayName></ClaimType>\n<ClaimType Id=\"tier\">",
            differences: [
                "changed ClaimType displayName > DisplayName: Display Name -> Full name at Loyalty.xml:10"
            ]),
        Edit(
            testDescription: "the order of metadata",
            find: """
                <Item Key="SendClaimsIn">Body</Item>
                            <Item Key="AuthenticationType">None</Item>
                """,
            put: """
                <Item Key="AuthenticationType">None</Item>
                            <Item Key="SendClaimsIn">Body</Item>
                """,
            differences: []),
        Edit(
            testDescription: "letter case of a reference, white space and a comment",
            find: "<ValidationTechnicalProfile ReferenceId=\"REST-Tier\" />",
            put: "<!-- the tier -->\n\n   <ValidationTechnicalProfile   ReferenceId=\"rest-tier\"  />", differences: []),
    ]

    private static func texts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in ["Base", "Loyalty"] {
            texts["\(name).xml"] = String(
                decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self)
        }
        return texts
    }

    private static func compared(_ texts: [String: String]) throws -> ComparedPolicy {
        let tenant = try Tenant(
            json: [
                "name": "contoso",
                "policies": ["loyalty": ["id": "B2C_1A_loyalty", "type": "custom", "file": "Loyalty.xml"]],
            ])
        let shelf = PolicyShelf(files: .texts(texts))
        let settings = try #require(tenant.policy(named: "loyalty"))
        return ComparedPolicy(
            try shelf.policy(settings, tenant: tenant, folder: "."),
            files: try shelf.files(of: settings, tenant: tenant, folder: "."))
    }

    private static func told(_ difference: PolicyDifference) -> String {
        let place = difference.kind == .removed ? difference.oldPlace : difference.newPlace
        return
            "\(difference.kind.rawValue) \(difference.path.joined(separator: " > ")): \(difference.old ?? "nothing") -> "
            + "\(difference.new ?? "nothing") at \(place?.file ?? ""):\(place?.line ?? 0)"
            + (difference.isReached ? "" : ", not reached")
    }

    @Test(arguments: edits) func `an edit is reported once, with its place`(_ edit: Edit) throws {
        let old = try Self.texts()
        var new = old
        let text = try #require(new["\(edit.file).xml"])
        try #require(text.contains(edit.find), "the file has no such text")
        new["\(edit.file).xml"] = text.replacing(edit.find, with: edit.put, maxReplacements: 1)
        let differences = try PolicyDifference.between(try Self.compared(old), try Self.compared(new))
        #expect(differences.map(Self.told) == edit.differences)
        // Seen the other way round, what was added is gone.
        let back = try PolicyDifference.between(try Self.compared(new), try Self.compared(old))
        #expect(back.count == differences.count)
        let opposite: [PolicyDifference.Kind: PolicyDifference.Kind] = [.added: .removed, .removed: .added]
        #expect(back.map(\.kind) == differences.map { opposite[$0.kind] ?? $0.kind })
    }

    @Test func `a policy does not differ from itself`() throws {
        let texts = try Self.texts()
        #expect(try PolicyDifference.between(try Self.compared(texts), try Self.compared(texts)).isEmpty)
    }

    @Test func `user flows differ by what they compile to`() throws {
        func flow(_ more: JSONValue) throws -> ComparedPolicy {
            let entry: JSONValue = ["id": "B2C_1_susi", "type": "signUpOrSignIn", "claims": ["displayName"]]
            let tenant = try Tenant(json: ["name": "contoso", "policies": ["susi": entry.merging(patch: more)]])
            let settings = try #require(tenant.policy(named: "susi"))
            return ComparedPolicy(try PolicyShelf(files: .texts([:])).compile(settings, tenant: tenant, folder: "."))
        }
        let differences = try PolicyDifference.between(try flow([:]), try flow(["claims": ["displayName", "city"]]))
        #expect(
            differences.contains {
                $0.kind == .added && $0.path.last == "OutputClaim city"
                    && $0.path.first == "TechnicalProfile PolicyProfile"
            })
        #expect(try PolicyDifference.between(try flow([:]), try flow([:])).isEmpty)
    }

    // MARK: Many siblings

    /// Elements that are put next to each other in one parent.
    enum Siblings: CaseIterable {
        case claimTypes, profiles, items
        /// Preconditions and their values have no ids.
        case preconditions

        var file: String { self == .preconditions ? "Base.xml" : "Loyalty.xml" }

        /// They go before this text.
        var anchor: String {
            switch self {
            case .claimTypes: "<ClaimType Id=\"tier\">"
            case .profiles: "<TechnicalProfile Id=\"REST-Tier\">"
            case .items: "<Item Key=\"SendClaimsIn\">Body</Item>"
            case .preconditions: "<Precondition Type=\"ClaimsExist\" ExecuteActionsIf=\"true\">"
            }
        }

        func xml(_ index: Int, _ suffix: String) -> String {
            switch self {
            case .claimTypes:
                "<ClaimType Id=\"c\(index)\"><DisplayName>\(index)\(suffix)</DisplayName><DataType>string</DataType></ClaimType>"
            case .profiles:
                """
                <TechnicalProfile Id="t\(index)"><DisplayName>\(index)\(suffix)</DisplayName><Protocol Name="Proprietary" \
                Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine" /></TechnicalProfile>
                """
            case .items: "<Item Key=\"k\(index)\">\(index)\(suffix)</Item>"
            case .preconditions:
                """
                <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>displayName</Value>\
                <Value>\(index)\(suffix)</Value><Action>SkipThisOrchestrationStep</Action></Precondition>
                """
            }
        }
    }

    enum Change: CaseIterable {
        case changed, removed, reversed
    }

    private static func compared(_ siblings: Siblings, _ indices: [Int], _ suffix: String = "") throws -> ComparedPolicy
    {
        var texts = try texts()
        let text = try #require(texts[siblings.file])
        try #require(text.contains(siblings.anchor), "the file has no such text")
        let more = indices.map { siblings.xml($0, suffix) }.joined(separator: "\n")
        texts[siblings.file] = text.replacing(siblings.anchor, with: "\(more)\n\(siblings.anchor)", maxReplacements: 1)
        return try compared(texts)
    }

    @Test(arguments: Siblings.allCases, Change.allCases)
    func `twice as many siblings take twice the work`(_ siblings: Siblings, _ change: Change) throws {
        func lookups(_ count: Int) throws -> Int {
            let all = Array(0..<count)
            let new =
                switch change {
                case .changed: try Self.compared(siblings, all, "x")
                case .removed: try Self.compared(siblings, [])
                case .reversed: try Self.compared(siblings, all.reversed())
                }
            let found = try PolicyDifference.counted(try Self.compared(siblings, all), new)
            switch change {
            case .changed, .removed: #expect(found.differences.count == count)
            case .reversed: #expect(found.differences.map(\.kind) == (siblings == .preconditions ? [.moved] : []))
            }
            return found.lookups
        }
        let few = try lookups(150)
        let many = try lookups(300)
        #expect(few >= 150)
        #expect(many < few * 21 / 10)
    }

    @Test func `what has no id is paired in order, and what has a partner elsewhere is left to it`() throws {
        let old = try Self.compared(.preconditions, [1, 2, 3])
        let new = try Self.compared(.preconditions, [4, 1, 5, 6])
        let differences = try PolicyDifference.between(old, new)
        let place = "UserJourney SignUpOrSignIn > OrchestrationStep 2 > "
        #expect(
            differences.map { "\($0.kind.rawValue) \($0.path.joined(separator: " > "))" } == [
                "changed \(place)Precondition ClaimEquals displayName 4 > Value 2",
                "changed \(place)Precondition ClaimEquals displayName 5 > Value 2",
                "added \(place)Precondition ClaimEquals displayName 6",
                "moved \(place)Preconditions",
            ])
    }
}
