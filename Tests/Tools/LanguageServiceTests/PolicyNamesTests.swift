import LanguageService
import Testing

/// Names in policies: what they name, and where the same thing is named.
struct PolicyNamesTests {
    typealias P = PolicyWorkspace

    /// The names of a policy that holds a text, without those of the policy itself.
    private func names(in content: String) -> [String] {
        P.file("a.xml", P.policy("P", content)).occurrences.filter { $0.kind != .policy }.map {
            "\($0.kind) \($0.name)\($0.scope.map { " in \($0)" } ?? "")\($0.isDeclaration ? "!" : "")"
        }
    }

    @Test(
        arguments: [
            ("<ClaimType Id=\"a\"/>", ["claimType a!"]), ("<SubJourney Id=\"a\"/>", ["subJourney a!"]),
            ("<InputClaim ClaimTypeReferenceId=\"a\" PartnerClaimType=\"b\"/>", ["claimType a"]),
            ("<DisplayClaim DisplayControlReferenceId='a'/>", ["displayControl a"]),
            ("<ClaimsProvider><TechnicalProfile Id=\"a\"/></ClaimsProvider>", ["technicalProfile a!"]),
            ("<RelyingParty><TechnicalProfile Id=\"a\"/></RelyingParty>", []),
            ("<RelyingParty><DefaultUserJourney ReferenceId=\"a\"/></RelyingParty>", ["userJourney a"]),
            ("<IncludeClaimsFromTechnicalProfile> a </IncludeClaimsFromTechnicalProfile>", ["technicalProfile a"]),
            ("<Key Id=\"s\" StorageReferenceId=\"B2C_1A_a\"/>", ["policyKey B2C_1A_a"]),
            (
                "<Precondition Type=\"ClaimEquals\"><Value> a </Value><Value>b</Value></Precondition>",
                ["claimType a"]
            ),
            (
                "<Precondition Type=\"ClaimsExist\"><Value>a</Value><Value>b</Value></Precondition>",
                ["claimType a", "claimType b"]
            ),
            ("<Value>a</Value>", []),
            (
                "<UserJourney Id=\"J\"><ClaimsExchange Id=\"a\" TechnicalProfileReferenceId=\"b\"/></UserJourney>",
                ["userJourney J!", "claimsExchange a in UserJourney J!", "technicalProfile b"]
            ),
            (
                "<SubJourney Id=\"J\"><ClaimsProviderSelection TargetClaimsExchangeId=\"a\"/></SubJourney>",
                ["subJourney J!", "claimsExchange a in SubJourney J"]
            ),
            (
                "<TechnicalProfile><Item Key=\"SignUpTarget\">a</Item><Item Key=\"scope\">b</Item></TechnicalProfile>",
                ["claimsExchange a"]
            ),
            ("<ContentDefinition><Item Key=\"ContentDefinitionReferenceId\">a</Item></ContentDefinition>", []),
            (
                "<ContentDefinition><Item Key=\"setting.bottomUnderFormClaimsProviderSelections\">a</Item></ContentDefinition>",
                ["claimsExchange a"]
            ),
            (
                "<IncludeClaimsFromTechnicalProfile>a<!-- b --></IncludeClaimsFromTechnicalProfile>",
                ["technicalProfile a"]
            ),
            (
                "<IncludeClaimsFromTechnicalProfile><?b c?>\n<![CDATA[ a ]]><!-- d --> </IncludeClaimsFromTechnicalProfile>",
                ["technicalProfile a"]
            ),
            ("<IncludeClaimsFromTechnicalProfile>a<!-- -->b</IncludeClaimsFromTechnicalProfile>", []),
            ("<IncludeClaimsFromTechnicalProfile>a<!-- b </IncludeClaimsFromTechnicalProfile>", []),
            ("<LocalizedString ElementType=\"ClaimType\" ElementId=\"a\" StringId=\"DisplayName\"/>", ["claimType a"]),
            ("<LocalizedString ElementType=\"UxElement\" ElementId=\"a\" StringId=\"b\"/>", []),
            ("<LocalizedString ElementType=\"ClaimsProvider\" StringId=\"a\"/>", ["claimsExchange a"]),
            ("<InputParameter Id=\"randomizerSecret\" Value=\"B2C_1A_a\"/>", ["policyKey B2C_1A_a"]),
            ("<InputParameter Id=\"stringFormat\" Value=\"{Claim:a}-{0}\"/>", ["claimType a"]),
            (
                "<Item Key=\"x\">{Settings:A}{claim:b}{Culture:RFC5646} {Settings:\n}{Settings:}</Item>",
                ["setting A", "claimType b"]
            ),
            ("<InputClaim ClaimTypeReferenceId=\"extension_{Settings:A}\"/>", ["setting A"]),
            ("<!-- {Settings:A} <ClaimType Id=\"a\"/> -->{Settings:B}", ["setting B"]),
            (
                "<TechnicalProfile><OutputClaims><OutputClaim ClaimTypeReferenceId=\"a\"/></OutputClaims>"
                    + "<SubjectNamingInfo ClaimType=\"a\"/></TechnicalProfile>",
                ["claimType a", "claimType a"]
            ),
            (
                "<TechnicalProfile><OutputClaims><OutputClaim ClaimTypeReferenceId=\"a\" PartnerClaimType=\"sub\"/>"
                    + "</OutputClaims><SubjectNamingInfo ClaimType=\"sub\"/></TechnicalProfile>",
                ["claimType a"]
            ),
            ("<ClaimType Id=\"\"/><ClaimType Id/><ClaimType Id=\"a&amp;b\"/>", ["claimType a&b!"]),
        ])
    func `a name is found where it is written`(_ content: String, _ expected: [String]) {
        #expect(names(in: content) == expected)
    }

    @Test func `a name has its bytes alone, a declaration its element`() throws {
        let text =
            P.policy("P", "<IncludeClaimsFromTechnicalProfile>\n  a\n</IncludeClaimsFromTechnicalProfile>")
            + "\n\u{1F600}<ClaimType Id=\"b\">\r\n</ClaimType>"
        let file = P.file("a.xml", text)
        let found = file.occurrences.filter { $0.kind != .policy }
        #expect(found.map { file.source.text($0.range) } == ["a", "b"])
        #expect(found.last?.whole.map(file.source.text) == "<ClaimType Id=\"b\">\r\n</ClaimType>")
    }

    /// A base, two files over it, and a policy that inherits from none of them.
    private var family: LanguageWorkspace {
        P.of([
            "Base.xml": P.policy("Base", P.claims("email") + P.profile("Read", claim: "Email")),
            "One.xml": P.policy(
                "One", base: "Base", P.claims("own") + P.profile("Read", claim: "email") + P.profile("A", claim: "own")),
            "Two.xml": P.policy("Two", base: "Base", P.claims("own", "EMAIL") + P.profile("B", claim: "own")),
            "z/Other.xml": P.policy("Other", P.claims("email")),
        ])
    }

    private func files(_ places: [PlacedOccurrence]) -> [String] { places.map(\.file) }

    @Test func `a name is one thing in the files that inherit from each other`() throws {
        let workspace = family
        let email = try #require(workspace.symbol(at: workspace.place(of: "email", in: "One.xml")))
        #expect(files(workspace.occurrences(of: email)) == ["Base.xml", "Base.xml", "One.xml", "Two.xml"])
        let own = try #require(workspace.symbol(at: workspace.place(of: "own", in: "One.xml")))
        #expect(files(workspace.occurrences(of: own)) == ["One.xml", "One.xml"])
        let other = try #require(workspace.symbol(at: workspace.place(of: "email", in: "z/Other.xml")))
        #expect(files(workspace.occurrences(of: other)) == ["z/Other.xml"])
    }

    @Test func `a definition is found from the root down`() {
        let workspace = family
        #expect(
            workspace.shown(workspace.definitions(at: workspace.place(of: "email", in: "One.xml")))
                == ["Base.xml:3 claimType email!"])
        #expect(
            workspace.shown(workspace.definitions(at: workspace.place(of: "EMAIL", in: "Two.xml")))
                == ["Base.xml:3 claimType email!"])
        // A declaration leads to the others, or to itself.
        #expect(
            files(workspace.definitions(at: workspace.place(of: "Read", in: "Base.xml"))) == ["Base.xml"])
        #expect(
            files(workspace.definitions(at: workspace.place(of: "Read", in: "One.xml"))) == ["Base.xml"])
        #expect(
            workspace.shown(workspace.definitions(at: workspace.place(of: "Base</", in: "One.xml")))
                == ["Base.xml:1 policy Base!"])
        #expect(workspace.definitions(at: workspace.place(of: "xmlns", in: "One.xml")).isEmpty)
        #expect(workspace.definitions(at: TextPlace(file: "none.xml", offset: 0)).isEmpty)
    }

    @Test func `names are those that a file sees`() {
        let workspace = family
        #expect(workspace.names(of: .claimType, seenFrom: "Two.xml") == ["email", "own"])
        #expect(workspace.names(of: .claimType, seenFrom: "Base.xml") == ["email"])
        #expect(workspace.names(of: .technicalProfile, seenFrom: "One.xml") == ["A", "Read"])
        #expect(workspace.names(of: .policy, seenFrom: "Base.xml") == ["Base", "One", "Other", "Two"])
    }

    @Test func `a policy is named by those that inherit from it`() throws {
        let workspace = family
        let base = try #require(workspace.symbol(at: workspace.place(of: "\"Base", in: "Base.xml").behind(1)))
        #expect(files(workspace.occurrences(of: base)) == ["Base.xml", "One.xml", "Two.xml"])
    }

    @Test func `exchanges count in their journey unless metadata name them`() throws {
        func journey(_ id: String) -> String {
            "<UserJourneys><UserJourney Id=\"\(id)\"><ClaimsExchange Id=\"X\" TechnicalProfileReferenceId=\"T\"/>"
                + "<ClaimsProviderSelection TargetClaimsExchangeId=\"x\"/></UserJourney></UserJourneys>"
        }
        var workspace = P.of(["a.xml": P.policy("A", journey("J") + journey("K"))])
        let place = workspace.place(of: "Id=\"X", in: "a.xml").behind(4)
        let exchange = try #require(workspace.symbol(at: place))
        #expect(workspace.occurrences(of: exchange).map(\.occurrence.scope) == ["UserJourney J", "UserJourney J"])
        #expect(workspace.names(of: .claimsExchange, seenFrom: "a.xml", scope: "userjourney k") == ["X"])
        #expect(workspace.names(of: .claimsExchange, seenFrom: "a.xml", scope: "UserJourney L").isEmpty)
        workspace.set(
            P.file("b.xml", P.policy("B", base: "A", P.profile("T", claim: "c", item: ("SignUpTarget", "X")))))
        let (j, k) = ("UserJourney J", "UserJourney K")
        #expect(workspace.occurrences(of: exchange).map(\.occurrence.scope) == [j, j, k, k, nil])
        let target = workspace.definitions(at: workspace.place(of: ">X<", in: "b.xml").behind(1))
        #expect(target.map(\.occurrence.scope) == [j, k])
        // Within a journey it is that of the journey.
        let selection = workspace.place(of: "\"x\"", 2, in: "a.xml").behind(1)
        #expect(workspace.definitions(at: selection).map(\.occurrence.scope) == [k])
        #expect(workspace.definitions(at: place).map(\.occurrence.scope) == [j])
        let text = try #require(workspace.hover(at: workspace.place(of: ">X<", in: "b.xml").behind(1))).markdown
        #expect(text.contains("Declared in a.xml:3 and a.xml:3"))
    }

    @Test func `a user journey and a sub journey of one id have exchanges of their own`() throws {
        func journey(_ element: String) -> String {
            "<\(element) Id=\"same\"><ClaimsExchange Id=\"X\" TechnicalProfileReferenceId=\"T\"/></\(element)>"
        }
        let workspace = P.of(["a.xml": P.policy("A", journey("UserJourney") + journey("SubJourney"))])
        for number in 1...2 {
            let place = workspace.place(of: "Id=\"X", number, in: "a.xml").behind(4)
            let exchange = try #require(workspace.symbol(at: place))
            #expect(workspace.occurrences(of: exchange).count == 1)
            #expect(workspace.definitions(at: place).map(\.place.range.lowerBound) == [place.offset])
        }
    }

    @Test func `keys are the same everywhere`() throws {
        let key = "<Key Id=\"k\" StorageReferenceId=\"B2C_1A_Key\"/>"
        let workspace = P.of(["a/A.xml": P.policy("A", key), "b/B.xml": P.policy("B", key)])
        let symbol = try #require(workspace.symbol(at: workspace.place(of: "B2C_1A_Key", in: "a/A.xml")))
        #expect(files(workspace.occurrences(of: symbol)) == ["a/A.xml", "b/B.xml"])
        #expect(workspace.names(of: .policyKey, seenFrom: "b/B.xml") == ["B2C_1A_Key"])
    }

    @Test func `settings count where their appsettings.json is`() throws {
        let setting = "<Item Key=\"k\">{Settings:Url}</Item>"
        var workspace = P.of([
            "a/x/A.xml": P.policy("A", setting), "a/B.xml": P.policy("B", setting), "c/C.xml": P.policy("C", setting),
        ])
        let symbol = try #require(workspace.symbol(at: workspace.place(of: "Url", in: "a/x/A.xml")))
        #expect(files(workspace.occurrences(of: symbol)) == ["a/B.xml", "a/x/A.xml", "c/C.xml"])
        let values = #"{"Environments": [{"Name": "Test", "PolicySettings": {"Other": "x"}}]}"#
        workspace.set(LanguageFile(path: "a/appsettings.json", bytes: Array(values.utf8), known: .settings))
        #expect(files(workspace.occurrences(of: symbol)) == ["a/B.xml", "a/x/A.xml"])
    }

    @Test(arguments: ["B2C_1A_Rest", "Api"])
    func `a tenant file gives keys and settings to its own policies`(_ name: String) throws {
        let content = "<Key Id=\"k\" StorageReferenceId=\"B2C_1A_Rest\"/><Item Key=\"k\">{Settings:Api}</Item>"
        var workspace = P.of([
            "a/Base.xml": P.policy("Base", content), "b/x/Base.xml": P.policy("Base", content),
            "c/Base.xml": P.policy("Base", content), "c/One.xml": P.policy("One", base: "Base", content),
            "c/Two.xml": P.policy("Two", base: "Base", content), "z/Free.xml": P.policy("Free", content),
        ])
        for (path, policies) in [
            ("a/tenant.json", #"{ "x": { "type": "custom", "file": "Base.xml" } }"#), ("b/tenant.json", "{}"),
            ("tenants/c.json", #"{ "x": { "type": "custom", "file": "../c/One.xml" } }"#),
        ] {
            let text = """
                { "name": "t", "users": {}, "policies": \(policies), "policyKeys": { "B2C_1A_Rest": { "secret": "s" } },
                  "policySettings": { "Api": "x" } }
                """
            workspace.set(LanguageFile(path: path, bytes: Array(text.utf8)))
        }
        for expected in [
            ["a/Base.xml", "a/tenant.json"], ["b/tenant.json", "b/x/Base.xml"],
            ["c/Base.xml", "c/One.xml", "c/Two.xml", "tenants/c.json"], ["z/Free.xml"],
        ] {
            for path in expected {
                let symbol = try #require(workspace.symbol(at: workspace.place(of: name, in: path)))
                #expect(files(workspace.occurrences(of: symbol)) == expected)
            }
        }
    }

    @Test func `the outline shows journeys with their steps and providers with their profiles`() {
        let workspace = P.of([
            "a.xml": P.policy(
                "P",
                """
                <BuildingBlocks><ClaimsSchema><ClaimType Id="c"><DataType>string</DataType></ClaimType></ClaimsSchema>
                </BuildingBlocks><ClaimsProviders><ClaimsProvider><DisplayName>Local</DisplayName><TechnicalProfiles>
                <TechnicalProfile Id="t"><Protocol Name="OAuth2"/></TechnicalProfile></TechnicalProfiles></ClaimsProvider>
                </ClaimsProviders><UserJourneys><UserJourney Id="j"><OrchestrationSteps>
                <OrchestrationStep Order="3" Type="ClaimsExchange"/><OrchestrationStep/></OrchestrationSteps></UserJourney>
                </UserJourneys><RelyingParty><DefaultUserJourney ReferenceId="j"/></RelyingParty>
                """)
        ])
        func shown(_ symbol: OutlineSymbol) -> String {
            symbol.name + (symbol.detail.map { ":" + $0 } ?? "")
                + (symbol.children.isEmpty ? "" : "(\(symbol.children.map(shown).joined(separator: " ")))")
        }
        #expect(
            workspace.outline(of: "a.xml").map(shown) == [
                "P(ClaimsSchema(c:string) ClaimsProviders(Local(t:OAuth2)) "
                    + "UserJourneys(j(3 ClaimsExchange OrchestrationStep)) RelyingParty:j)"
            ])
        #expect(workspace.outline(of: "none.xml").isEmpty)
    }

    @Test func `declarations of all files are searched`() {
        #expect(
            family.shown(family.declarations(matching: "EMA")) == [
                "Base.xml:3 claimType email!", "Two.xml:4 claimType EMAIL!", "z/Other.xml:3 claimType email!",
            ])
        let names = ["setUpSSO", "SUSI", "SignUpOrSignIn", "susiPage", "theSusi"].map { "<SubJourney Id=\"\($0)\"/>" }
        let fuzzy = P.of(["a.xml": P.policy("P", names.joined())])
        #expect(
            fuzzy.declarations(matching: "su si").map(\.occurrence.name)
                == ["SUSI", "susiPage", "theSusi", "SignUpOrSignIn"])
        #expect(
            fuzzy.declarations(matching: "susi").map(\.occurrence.kind.outlineKind) == [.event, .event, .event, .event])
        let many = (0..<300).map { "<ClaimType Id=\"c\($0)\"/>" }.joined()
        #expect(P.of(["a.xml": P.policy("P", many)]).declarations(matching: "").count == 200)
    }

    @Test func `elements and comments over several lines fold`() {
        let workspace = P.of(["a.xml": "<a>\n<b/><c\n/><!-- x\ny --><d></d>\n</a>"])
        #expect(workspace.foldingRanges(of: "a.xml") == [0..<37, 8..<13, 13..<25])
    }

    @Test func `every policy that is shipped has names that lead to their declarations`() throws {
        let workspace = try P.shipped("Base", "ProviderSelection", "SubJourneyCall")
        let path = "scenarios/policies/ProviderSelection.xml"
        let profile = workspace.definitions(
            at: workspace.place(of: "SelfAsserted-LocalAccountSignin-Email", in: path))
        #expect(profile.map(\.file) == ["scenarios/policies/Base.xml"])
        let exchange = workspace.definitions(at: workspace.place(of: "WorkExchange", in: path))
        #expect(exchange.map(\.occurrence.scope) == ["UserJourney Choose"])
        // The built-in policies under them declare names too.
        #expect(workspace.names(of: .technicalProfile, seenFrom: path).contains("login-NonInteractive-Email"))
        #expect(workspace.names(of: .claimType, seenFrom: path).contains("objectId"))
    }
}

extension TextPlace {
    /// The place some bytes later.
    func behind(_ count: Int) -> TextPlace { TextPlace(file: file, offset: offset + count) }
}
