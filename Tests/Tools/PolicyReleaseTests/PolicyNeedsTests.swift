import Determinism
import Diagnostics
import JSON
import PolicyRelease
import Testing
import TrustFramework

/// What policies need of a tenant, and what a tenant lacks.
@Suite struct PolicyNeedsTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func needs() throws -> PolicyNeeds { try PolicyNeeds(NeedsPack.built()) }

    @Test func `each key set is one need with all its references`() throws {
        let keys = try Self.needs().keys
        #expect(
            keys.map(\.name) == [
                "B2C_1A_FacebookSecret", "B2C_1A_RestPassword", "B2C_1A_RestUser", "B2C_1A_TokenEncryptionKeyContainer",
                "B2C_1A_TokenSigningKeyContainer",
            ])
        let signing = try #require(keys.last)
        #expect(signing.references.map(\.profile) == ["AAD-Common", "JwtIssuer"])
        #expect(
            signing.references.map { NeedsPack.shown($0.location) } == [
                NeedsPack.place(of: "\"B2C_1A_TokenSigningKeyContainer\"", in: "base.xml"),
                NeedsPack.place(of: "\"TokenSigningKeyContainer\"", in: "base.xml"),
            ])
        #expect(signing.requirements == [KeyRequirement(.rsa, .signature)])
        #expect(signing.policies == ["B2C_1A_Base", "B2C_1A_Extensions", "B2C_1A_SignIn"])
        #expect(keys[1].policies == ["B2C_1A_Extensions", "B2C_1A_SignIn"])
    }

    @Test(
        arguments: [
            ("issuer_secret", .jwtIssuer, KeyRequirement(.rsa, .signature)),
            ("issuer_secret", .directory, KeyRequirement(.rsa, .signature)),
            ("issuer_refresh_token_key", .jwtIssuer, KeyRequirement(.rsa, .encryption)),
            ("client_secret", .oauth2Provider, KeyRequirement(.secret)),
            ("client_secret", ProfileHandler.none, KeyRequirement(.secret)),
            ("assertion_signing_key", .openIdConnectProvider, KeyRequirement(.rsa, .signature)),
            ("BearerAuthenticationToken", .rest, KeyRequirement(.secret)),
            ("x-functions-key", .rest, KeyRequirement(.secret)),
            ("ClientCertificate", .rest, KeyRequirement(.certificate)),
            ("SamlMessageSigning", .samlProvider, KeyRequirement(.certificate)),
            ("samlassertionsigning", .samlIssuer, KeyRequirement(.certificate)),
            ("MetadataSigning", .samlIssuer, KeyRequirement(.certificate)),
            ("MetadataSigning", .jwtIssuer, nil),
            ("something", ProfileHandler.none, nil),
        ] as [(String, ProfileHandler, KeyRequirement?)])
    func `an element decides what its key must be`(element: String, handler: ProfileHandler, expected: KeyRequirement?)
    {
        #expect(KeyRequirement(element: element, handler: handler) == expected)
    }

    @Test(
        arguments: [
            (KeyRequirement(.rsa, .signature), PolicyKey.Kind.rsa, PolicyKey.Use.signature, false, nil),
            (KeyRequirement(.rsa, .signature), .rsa, .encryption, false, .use),
            (KeyRequirement(.rsa, .signature), .secret, .signature, false, .form),
            (KeyRequirement(.rsa, .signature), nil, nil, false, nil),
            (KeyRequirement(.rsa, .signature), .secret, nil, true, nil),
            (KeyRequirement(.secret), .secret, .encryption, false, nil),
            (KeyRequirement(.secret), .rsa, .signature, false, .form),
            (KeyRequirement(.secret), .secret, nil, true, .form),
            (KeyRequirement(.certificate), .rsa, nil, true, nil),
            (KeyRequirement(.certificate), .rsa, .signature, false, .form),
        ] as [(KeyRequirement, PolicyKey.Kind?, PolicyKey.Use?, Bool, KeyRequirement.KeyMismatch?)])
    func `a key fits a requirement or not`(
        requirement: KeyRequirement, kind: PolicyKey.Kind?, use: PolicyKey.Use?, hasCertificate: Bool,
        expected: KeyRequirement.KeyMismatch?
    ) {
        let key = PolicyKey(kid: "k", use: use, kind: kind, hasCertificate: hasCertificate)
        #expect(requirement.mismatch(key) == expected)
    }

    @Test func `apps are named by their role, with every place`() throws {
        let apps = try Self.needs().apps
        #expect(
            apps.map { "\($0.role.rawValue), \($0.identifier.rawValue), \($0.value.suffix(3)), \($0.places.count)" }
                == [
                    "IdentityExperienceFramework, client ID, 00c, 2",
                    "ProxyIdentityExperienceFramework, client ID, pId, 2",
                    "b2c-extensions-app, client ID, 00a, 1",
                    "b2c-extensions-app, object ID, 00b, 1",
                ])
        #expect(
            apps.last.map { $0.places.map(NeedsPack.shown) } == [
                NeedsPack.place(of: "ApplicationObjectId", in: "extensions.xml")
            ])
    }

    @Test func `addresses and pages are those that a relying party reaches`() throws {
        let needs = try Self.needs()
        #expect(needs.attributes.map(\.name) == ["extension_level"])
        #expect(needs.addresses.map(\.url) == ["https://api.contoso.example:8443/price/{objectId}"])
        #expect(needs.addresses.map(\.host) == ["api.contoso.example:8443"])
        #expect(needs.addresses.first?.items.map(\.key) == ["ServiceUrl"])
        #expect(needs.pages.map(\.name) == ["https://pages.contoso.example/error.html"])
        #expect(needs.pages.first?.policies == ["B2C_1A_SignIn"])
    }

    @Test func `places are those of the file, also behind a setting of several lines`() throws {
        let text = NeedsPack.extensions
            .replacing("<DisplayName>Price</DisplayName>", with: "<DisplayName>{Settings:Price}</DisplayName>")
            .replacing("B2C_1A_RestUser", with: "{Settings:RestUser}")
        let files: [(file: String, text: String)] = [("base.xml", NeedsPack.base), ("extensions.xml", text)]
        let settings = [(name: "Price", value: "one\ntwo\nthree"), (name: "RestUser", value: "B2C_1A_Given")]
        let environments = try PolicyEnvironments.read(
            file: "appsettings.json",
            bytes: Array(
                #"""
                {"Environments": [
                  {"Name": "Test", "PolicySettings": {"Price": "x", "restuser": "B2C_1A_Given"}},
                  {"Name": "Production", "PolicySettings": {"Price": "y"}}
                ]}
                """#.utf8))
        let needs = try PolicyNeeds(
            NeedsPack.built(files, settings: settings),
            files: files.map { (path: $0.0, bytes: Array($0.1.utf8)) }, environments: environments)
        let key = try #require(needs.keys.first { $0.name == "B2C_1A_Given" })
        let place = NeedsPack.place(of: "{Settings:RestUser}", in: "extensions.xml", text: text)
        #expect(key.references.map { NeedsPack.shown($0.location) } == [place])
        #expect(needs.settings.map(\.name) == ["Price", "RestUser"])
        #expect(needs.settings.map { $0.environments.map(\.isSet) } == [[true, true], [true, false]])
        #expect(needs.settings.last.map { $0.places.map(NeedsPack.shown) } == [place])
    }

    @Test func `a place is exact to the column, also in a long line with other letters`() throws {
        let key = "<Key Id=\"client_secret\" StorageReferenceId=\"B2C_1A_Far\" />"
        let text = NeedsPack.root(
            "B2C_1A_One",
            "<!-- \(String(repeating: "\u{fc}\u{20ac}", count: 900)) --><ClaimsProviders><ClaimsProvider>"
                + "<DisplayName>{Settings:Name}</DisplayName><TechnicalProfiles>"
                + "<TechnicalProfile Id=\"A\"><Protocol Name=\"OAuth2\" /><CryptographicKeys>\(key)</CryptographicKeys>"
                + "</TechnicalProfile></TechnicalProfiles></ClaimsProvider></ClaimsProviders>")
        let built = NeedsPack.built([("one.xml", text)], settings: [("Name", "a longer name than its placeholder")])
        let place = try #require(try PolicyNeeds(built).keys.first?.references.first?.location)
        let line = try #require(
            text.split(separator: "\n", omittingEmptySubsequences: false).first { $0.contains(key) })
        let before = try #require(line.firstRange(of: "B2C_1A_Far")).lowerBound
        #expect(place.line == 5)
        #expect(place.column == line[..<before].unicodeScalars.count + 1)
    }

    @Test func `a parent that is not among the files needs nothing`() throws {
        let files: [(file: String, text: String)] = [
            ("extensions.xml", NeedsPack.extensions), ("signin.xml", NeedsPack.signIn),
        ]
        let needs = try PolicyNeeds(NeedsPack.built(files))
        #expect(needs.keys.map(\.name) == ["B2C_1A_RestPassword", "B2C_1A_RestUser"])
        #expect(needs.addresses.isEmpty)
    }

    @Test func `a policy that cannot be read is a finding`() throws {
        let broken = NeedsPack.base.replacing("<ClaimsSchema>", with: "<ClaimsSchema")
        #expect(throws: InvalidInput.self) { try PolicyNeeds(NeedsPack.built([("base.xml", broken)])) }
    }

    @Test func `the JSON names every kind`() throws {
        let json = try Self.needs().json
        #expect(json.keys == ["keys", "apps", "extensionAttributes", "settings", "addresses", "pages"])
        #expect(json["keys"]?[0]?["references"]?[0]?["place"]?["file"] == "base.xml")
        #expect(json["keys"]?[4]?["references"]?[0]?["requires"] == ["type": "rsa", "use": "sig"])
        #expect(json["apps"]?[3]?["objectId"] == "00000000-0000-0000-0000-00000000000b")
    }

    // MARK: Problems

    private static func tenant(_ sets: [KeySet]? = sets, apps: [TenantApp]? = apps) -> TenantSnapshot {
        TenantSnapshot(
            organization: TenantOrganization(id: "t", domains: ["contoso.onmicrosoft.com"]), policies: [],
            keySets: sets,
            apps: apps)
    }

    private static func set(_ name: String, _ keys: PolicyKey...) -> KeySet { KeySet(id: "B2C_1A_\(name)", keys: keys) }

    private static func key(_ kind: PolicyKey.Kind, _ use: PolicyKey.Use, expires: Timestamp? = nil) -> PolicyKey {
        PolicyKey(kid: "k", use: use, kind: kind, expires: expires)
    }

    private static let sets = [
        set("FacebookSecret", key(.secret, .signature)), set("RestUser", key(.secret, .encryption)),
        set("RestPassword", key(.secret, .encryption)), set("TokenSigningKeyContainer", key(.rsa, .signature)),
        set("TokenEncryptionKeyContainer", key(.rsa, .encryption)),
    ]

    private static let apps = [
        TenantApp(
            clientID: "00000000-0000-0000-0000-00000000000A", objectID: "00000000-0000-0000-0000-00000000000B",
            displayName: "b2c-extensions-app. Do not modify. Used by AADB2C for storing user data."),
        TenantApp(
            clientID: "00000000-0000-0000-0000-00000000000c", objectID: "00000000-0000-0000-0000-00000000000d",
            displayName: "IdentityExperienceFramework"),
    ]

    private static func problems(_ tenant: TenantSnapshot) throws -> [NeedProblem] {
        try needs().problems(against: tenant, now: now)
    }

    @Test func `a tenant that has everything has the placeholder as its only problem`() throws {
        let problems = try Self.problems(Self.tenant())
        #expect(problems.map(\.kind) == [.wrongApp])
        #expect(problems.first?.sentence.contains("placeholder") == true)
        #expect(problems.first?.severity == .error)
        #expect(
            problems.first?.location.map(NeedsPack.shown)
                == NeedsPack.place(of: "Key=\"client_id\"", in: "extensions.xml"))
    }

    @Test func `what the snapshot does not have is not reported`() throws {
        #expect(try Self.problems(Self.tenant(nil, apps: nil)).map(\.kind) == [.wrongApp])
    }

    @Test(
        arguments: [
            ([], .missingKey, .error, "the tenant has no key set B2C_1A_TokenSigningKeyContainer"),
            ([set("TokenSigningKeyContainer")], .noActiveKey, .error, "it has no keys"),
            (
                [set("TokenSigningKeyContainer", key(.rsa, .signature, expires: now - .days(1)))], .noActiveKey, .error,
                "all its keys have expired"
            ),
            (
                [set("TokenSigningKeyContainer", key(.rsa, .signature, expires: now + .days(3)))], .keyEnds, .warning,
                "in 3 days"
            ),
            (
                [set("TokenSigningKeyContainer", key(.rsa, .encryption))], .wrongKey, .error,
                "needs an RSA key for signatures, and B2C_1A_TokenSigningKeyContainer has an RSA key for encryption"
            ),
            (
                [set("TokenSigningKeyContainer", key(.secret, .signature))], .wrongKey, .error,
                "has a secret for signatures"
            ),
        ] as [([KeySet], NeedProblem.Kind, Severity, String)])
    func `a key set that is missing or wrong is a problem`(
        given: [KeySet], kind: NeedProblem.Kind, severity: Severity, words: String
    ) throws {
        let sets = Self.sets.filter { $0.id != "B2C_1A_TokenSigningKeyContainer" } + given
        let problems = try Self.problems(Self.tenant(sets)).filter { $0.kind != .wrongApp }
        let problem = try #require(problems.first)
        #expect(problem.kind == kind)
        #expect(problem.severity == severity)
        #expect(problem.sentence.contains(words), "\(problem.sentence)")
        #expect(problem.remedy != nil)
        #expect(
            problem.location.map(NeedsPack.shown)
                == NeedsPack.place(of: "\"B2C_1A_TokenSigningKeyContainer\"", in: "base.xml"))
        #expect(problem.diagnostic.location == problem.location)
    }

    @Test(
        arguments: [
            // The id of another app, the other id of the app, and no app with the id.
            (
                [
                    TenantApp(
                        clientID: "00000000-0000-0000-0000-00000000000c", objectID: "x",
                        displayName: "ProxyIdentityExperienceFramework")
                ], .error, "is the client ID of ProxyIdentityExperienceFramework, expected the client ID of the app"
            ),
            (
                [
                    TenantApp(
                        clientID: "y", objectID: "00000000-0000-0000-0000-00000000000c",
                        displayName: "IdentityExperienceFramework")
                ], .error, "is the object ID of IdentityExperienceFramework"
            ),
            ([], .warning, "the tenant has no app of the usual name with the client ID"),
        ] as [([TenantApp], Severity, String)])
    func `an app id that is wrong is a problem`(apps: [TenantApp], severity: Severity, words: String) throws {
        let problems = try Self.problems(Self.tenant(apps: [Self.apps[0]] + apps))
            .filter { $0.name == "IdentityExperienceFramework" }
        #expect(problems.map(\.severity) == [severity])
        #expect(problems.first?.sentence.contains(words) == true, "\(problems)")
    }
}
