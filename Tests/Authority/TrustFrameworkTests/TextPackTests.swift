import Diagnostics
import JSON
import TenantFiles
import Testing

@testable import TrustFramework

@Suite struct TextPackTests {
    /// A file as the portal writes it.
    static func file(_ rows: (type: String, element: String?, id: String?, value: String, override: Bool)...) -> String
    {
        let strings = rows.map { row -> JSONValue in
            [
                "ElementType": .string(row.type), "ElementId": row.element.map(JSONValue.string) ?? .null,
                "StringId": row.id.map(JSONValue.string) ?? .null, "Override": .bool(row.override),
                "Value": .string(row.value),
            ]
        }
        return JSONWriter.compact(["LocalizedStrings": .array(strings)])
    }

    static let heading = file(
        ("UxElement", nil, "heading", "Bei Contoso anmelden", true), ("UxElement", nil, "button_signin", "Los", false),
        ("ErrorMessage", nil, "UserMessageIfInvalidPassword", "Falsch!", true),
        ("ClaimType", "email", "DisplayName", "Post", true))

    private func load(
        _ entry: JSONValue, _ texts: [String: String]
    ) -> (policy: ResolvedPolicy?, findings: [Diagnostic]) {
        do throws(InvalidInput) {
            let tenant = try Tenant(
                json: [
                    "name": "contoso",
                    "policies": ["flow": (["id": "B2C_1_flow"] as JSONValue).merging(patch: entry)],
                ])
            return (try PolicyLibrary.load(tenant: tenant, folder: "t", files: .texts(texts)).first, [])
        } catch {
            return (nil, error.diagnostics)
        }
    }

    private func text(
        _ policy: ResolvedPolicy?, _ page: String, _ language: String, _ type: String, _ element: String?, _ id: String
    ) throws -> String? {
        let policy = try #require(policy)
        let definition = try #require(policy.contentDefinition(page))
        return policy.resources(of: definition, language: language)?.text(type, element, id)
    }

    // MARK: What counts where

    @Test func `a pack overrides the built-in texts of its language`() throws {
        let found = load(
            ["texts": ["de": "d/api.signuporsignin.de.json"]], ["t/d/api.signuporsignin.de.json": Self.heading])
        #expect(found.findings.isEmpty && found.policy?.findings.isEmpty == true)
        let page = "api.signuporsignin"
        #expect(try text(found.policy, page, "de", "UxElement", nil, "heading") == "Bei Contoso anmelden")
        #expect(try text(found.policy, page, "de", "UxElement", nil, "button_signin") == "Los")
        #expect(try text(found.policy, page, "de", "ErrorMessage", nil, "UserMessageIfInvalidPassword") == "Falsch!")
        #expect(try text(found.policy, page, "de", "ClaimType", "email", "DisplayName") == "Post")
        // What the pack lacks, and other languages and pages.
        #expect(try text(found.policy, page, "de", "UxElement", nil, "divider_title") == "ODER")
        #expect(try text(found.policy, page, "en", "UxElement", nil, "heading") == "Sign in")
        #expect(try text(found.policy, "api.localaccountsignup", "de", "ClaimType", "email", "DisplayName") != "Post")
    }

    /// Without `languages` the pages are in English and in the languages of the packs.
    @Test func `packs switch their languages on`() throws {
        let files = ["t/signuporsignin.json": Self.heading]
        let policy = try #require(load(["texts": ["FR": "signuporsignin.json"]], files).policy)
        #expect(policy.localization.enabled && policy.localization.defaultLanguage == "en")
        #expect(policy.language(accepted: ["fr-CA"]) == "fr")
        #expect(policy.language(accepted: ["de"]) == "en")
        let chosen = try #require(
            load(["texts": ["fr": "signuporsignin.json"], "languages": ["fr", "en"]], files).policy)
        #expect(chosen.language(accepted: ["it"]) == "fr")
    }

    /// In a language that has no texts here, English stands for what a pack lacks.
    @Test(arguments: ServiceLanguage.codes) func `every language of the service is known`(_ code: String) throws {
        let found = load(["texts": [code: "api.signuporsignin.json"]], ["t/api.signuporsignin.json": Self.heading])
        let policy = try #require(found.policy)
        #expect(policy.language(accepted: [code.uppercased()]) == code)
        #expect(try text(policy, "api.signuporsignin", code, "UxElement", nil, "heading") == "Bei Contoso anmelden")
        let divider = try text(policy, "api.signuporsignin", code, "UxElement", nil, "divider_title")
        #expect(divider == (code == "de" ? "ODER" : "OR"))
        let other = try text(policy, "api.localaccountsignup", code, "UxElement", nil, "button_cancel")
        #expect(other == (code == "de" ? "Abbrechen" : "Cancel"))
    }

    @Test(arguments: [
        ("zh-CN", "zh-hans"), ("zh", "zh-hans"), ("zh-TW", "zh-hant"), ("zh-Hant-HK", "zh-hant"), ("pt-BR", "pt-br"),
    ]) func `languages that browsers name differently are found`(_ asked: String, _ shown: String) throws {
        let pack: JSONValue = "api.signuporsignin.json"
        let found = load(
            ["texts": ["zh-hans": pack, "zh-hant": pack, "pt-br": pack]], ["t/api.signuporsignin.json": Self.heading])
        #expect(found.policy?.language(accepted: [asked]) == shown)
    }

    /// Texts of a file whose name carries no page count on all of them, those of a page's own file before them.
    @Test func `a file without a page counts for all`() throws {
        let files = [
            "t/german.json": Self.file(
                ("UxElement", nil, "button_cancel", "Weg", true), ("UxElement", nil, "heading", "Alle", true)),
            "t/api.selfasserted.profileupdate.de.json": Self.file(("UxElement", nil, "heading", "Profil", true)),
        ]
        let list: JSONValue = ["api.selfasserted.profileupdate.de.json", "german.json"]
        let policy = load(["texts": ["de": list]], files).policy
        #expect(try text(policy, "api.localaccountsignup", "de", "UxElement", nil, "button_cancel") == "Weg")
        #expect(try text(policy, "api.localaccountsignup", "de", "UxElement", nil, "heading") == "Alle")
        #expect(try text(policy, "api.selfasserted.profileupdate", "de", "UxElement", nil, "heading") == "Profil")
    }

    /// Defaults and overrides of one page, in either order: what overrides wins within a file, the last file among files.
    @Test func `overrides win`() throws {
        let defaults = Self.file(
            ("UxElement", nil, "heading", "Standard", false), ("UxElement", nil, "divider_title", "oder", false))
        let own = Self.file(("UxElement", nil, "heading", "Eigen", true))
        let policy = load(
            ["texts": ["de": ["a/api.signuporsignin.json", "b/api.signuporsignin.json"]]],
            ["t/a/api.signuporsignin.json": defaults, "t/b/api.signuporsignin.json": own]
        ).policy
        #expect(try text(policy, "api.signuporsignin", "de", "UxElement", nil, "heading") == "Eigen")
        #expect(try text(policy, "api.signuporsignin", "de", "UxElement", nil, "divider_title") == "oder")
    }

    @Test func `choices of a claim have texts`() throws {
        let list = """
            {"LocalizedStrings": [], "LocalizedCollections": [{"ElementType": "ClaimType", "ElementId": "city",
             "TargetCollection": "Restriction", "Override": true,
             "Items": [{"Name": "Wien", "Value": "Vienna"}, {"Name": "Berlin", "Value": "Berlin"}]}]}
            """
        let policy = try #require(
            load(["texts": ["de": "api.localaccountsignup.json"]], ["t/api.localaccountsignup.json": list]).policy)
        let page = try #require(policy.contentDefinition("api.localaccountsignup"))
        let items = policy.resources(of: page, language: "de")?.items(ofClaim: "city")
        #expect(items?.map(\.text) == ["Wien", "Berlin"] && items?.map(\.value) == ["Vienna", "Berlin"])
    }

    @Test(arguments: [
        ("api.signuporsignin.de.json", "api.signuporsignin"), ("signuporsignin_de.json", "api.signuporsignin"),
        ("de-API.SelfAsserted.json", "api.selfasserted"), ("api.selfasserted.totp.json", "api.selfasserted.totp"),
        ("localaccountsignup1_1.json", "api.localaccountsignup"), ("unifiedssp.de.json", "api.signuporsignin"),
        ("downloads/api.phonefactor/de.json", nil), ("german.json", nil), ("myphonefactory.json", nil),
        ("api.idpselections.signup.en.json", "api.idpselections.signup"), ("x.json", nil), (".json", nil),
    ]) func `names of files give their pages`(_ name: String, _ page: String?) {
        #expect(TextPack.page(of: name) == page)
    }

    // MARK: Custom policies

    private static let custom = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0" \
        TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_own" PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_own">
        <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_HarnessTexts</PolicyId></BasePolicy>
        <BuildingBlocks><Localization><LocalizedResources Id="api.signuporsignin.de"><LocalizedStrings>
        <LocalizedString ElementType="UxElement" StringId="heading">Eigenes</LocalizedString>
        </LocalizedStrings></LocalizedResources></Localization></BuildingBlocks>
        </TrustFrameworkPolicy>
        """

    @Test func `a custom policy takes packs for the built-in base, and its own texts win`() throws {
        let tenant = try Tenant(json: ["name": "contoso"])
        var settings = PolicySettings {
            $0.name = "own"
            $0.id = "B2C_1A_own"
            $0.type = .custom
            $0.file = "Own.xml"
        }
        settings.texts = [TextPackFiles(language: "de", files: ["api.signuporsignin.json"])]
        let base = try #require(try UserFlowCompiler.builtIn("B2C_1A_HarnessTexts"))
        let own = try PolicyReader.read(file: "Own.xml", bytes: Array(Self.custom.utf8))
        let shelf = PolicyShelf(files: .texts(["t/api.signuporsignin.json": Self.heading]))
        let packs = try shelf.packs(settings, tenant: tenant, folder: "t")
        let between = try UserFlowCompiler.texts(packs, over: base, at: own.location)
        let merged = PolicyInheritance.merge([base, between, own])
        let german = merged.buildingBlocks.localization?.resources.first { $0.id == "api.signuporsignin.de" }
        func text(_ id: String) -> String? { german?.strings.first { $0.stringID == id }?.text }
        #expect(text("heading") == "Eigenes")
        #expect(text("button_signin") == "Los")
        #expect(text("divider_title") == "ODER")
    }

    @Test func `a custom policy with its own base refuses packs`() {
        let root = PolicyTexts.file(
            id: "B2C_1A_own", blocks: PolicyTexts.claims, providers: PolicyTexts.issuer, journeys: PolicyTexts.send,
            party: PolicyTexts.party)
        let found = load(
            ["id": "B2C_1A_own", "type": "custom", "file": "Own.xml", "texts": ["de": "heading.json"]],
            ["t/Own.xml": root, "t/heading.json": Self.heading])
        #expect(found.findings.map(\.rule) == ["B2C-TXT-005"])
        #expect(found.findings.first?.location?.pointer == "/policies/flow/texts")
    }

    // MARK: Faults

    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var rule: String
        var place: String
        var says: String
        var testDescription: String { name }
    }

    private static let row = #"{"ElementType": "UxElement", "StringId": "heading", "Value": "x"}"#

    static let faults: [Fault] = [
        Fault(name: "no JSON", text: "{", rule: "B2C-JSON-001", place: "1:1", says: " "),
        Fault(name: "a list", text: "[]", rule: "B2C-TXT-002", place: "1:1", says: "expected an object"),
        Fault(name: "no strings", text: "{}", rule: "B2C-TXT-002", place: "1:1", says: "LocalizedStrings"),
        Fault(
            name: "strings are not a list", text: "{\n \"LocalizedStrings\": {}}", rule: "B2C-TXT-002", place: "2:22",
            says: "expected a list, found"),
        Fault(
            name: "misspelt key", text: "{\"LocalizedString\": []}", rule: "B2C-TXT-002", place: "1:2",
            says: "unknown key"),
        Fault(
            name: "a text is not an object", text: "{\"LocalizedStrings\": [\n\"x\"]}", rule: "B2C-TXT-002",
            place: "2:1",
            says: "expected an object"),
        Fault(
            name: "no value",
            text: "{\"LocalizedStrings\": [\n{\"ElementType\": \"UxElement\", \"StringId\": \"heading\"}]}",
            rule: "B2C-TXT-002", place: "2:1", says: "`Value` is missing"),
        Fault(
            name: "no ids", text: "{\"LocalizedStrings\": [\n{\"ElementType\": \"UxElement\", \"Value\": \"x\"}]}",
            rule: "B2C-TXT-002", place: "2:1", says: "neither"),
        Fault(
            name: "value is a number",
            text:
                "{\"LocalizedStrings\": [\n{\"ElementType\": \"UxElement\", \"StringId\": \"heading\", \"Value\": 7}]}",
            rule: "B2C-TXT-002", place: "2:62", says: "`Value` is a text"),
        Fault(
            name: "override is a text",
            text:
                "{\"LocalizedStrings\": [\n{\"Override\": \"yes\", \"ElementType\": \"UxElement\", \"StringId\": \"heading\", \"Value\": \"x\"}]}",
            rule: "B2C-TXT-002", place: "2:14", says: "true or false"),
        Fault(
            name: "unknown member",
            text:
                "{\"LocalizedStrings\": [\n{\"Elementtype\": \"UxElement\", \"StringId\": \"heading\", \"Value\": \"x\"}]}",
            rule: "B2C-TXT-002", place: "2:2", says: "unknown key \"Elementtype\""),
        Fault(
            name: "twice", text: "{\"LocalizedStrings\": [\n\(row),\n\(row)]}", rule: "B2C-TXT-003", place: "3:1",
            says: "a second text for UxElement heading"),
    ]

    @Test(arguments: faults) func `what is wrong is reported once, with its place`(_ fault: Fault) throws {
        do {
            _ = try TextPack.read(file: "p.json", bytes: Array(fault.text.utf8), language: "de")
            Issue.record("nothing was wrong")
        } catch {
            #expect(error.diagnostics.map(\.rule) == [fault.rule])
            #expect(error.diagnostics.first?.location?.description == "p.json:\(fault.place)")
            #expect(error.diagnostics.first?.message.contains(fault.says) == true)
            #expect(error.diagnostics.first?.remedy != nil || fault.rule == "B2C-JSON-001")
        }
    }

    @Test func `UTF-16 is refused, and a byte order mark is skipped`() throws {
        let text = Array(Self.heading.utf8)
        let wide: [UInt8] = [0xFF, 0xFE] + text.flatMap { [$0, 0] }
        do {
            _ = try TextPack.read(file: "p.json", bytes: wide, language: "de")
            Issue.record("UTF-16 was read")
        } catch {
            #expect(error.diagnostics.map(\.rule) == ["B2C-JSON-005"])
            #expect(error.diagnostics.first?.message.contains("UTF-16") == true)
        }
        let marked = try TextPack.read(file: "p.json", bytes: [0xEF, 0xBB, 0xBF] + text, language: "de")
        #expect(marked.strings.count == 4)
        #expect(marked.findings.map(\.rule) == ["B2C-JSON-007"])
    }

    @Test func `unknown names are warnings`() throws {
        let pack = try TextPack.read(
            file: "p.json",
            bytes: Array(
                Self.file(
                    ("UxElment", nil, "heading", "x", true), ("UxElement", nil, "haeding", "x", true),
                    ("ErrorMessage", nil, "UserMessageIfInvalidPasword", "x", true),
                    ("ClaimType", "email", "DisplayNames", "x", true),
                    ("ClaimsProvider", nil, "MyExchange", "x", true), ("UxElement", nil, "HEADING", "x", true)
                ).utf8), language: "de")
        #expect(pack.findings.map(\.rule) == Array(repeating: "B2C-TXT-004", count: 4))
        #expect(pack.findings.allSatisfy { $0.severity == .warning && $0.location?.line == 1 })
        #expect(
            pack.findings.map(\.remedy) == [
                "Did you mean \"UxElement\"?", "Did you mean \"heading\"?",
                "Did you mean \"UserMessageIfInvalidPassword\"?", "Did you mean \"DisplayName\"?",
            ])
        #expect(pack.strings.count == 6)
    }

    @Test(arguments: [
        ("none.json", "there is no text pack t/none.json"), ("/etc/passwd", "outside the folder"),
        ("../other.json", "outside the folder"), ("a/../../other.json", "outside the folder"),
    ]) func `missing files are reported`(_ path: String, _ says: String) {
        let found = load(["texts": ["de": .string(path)]], ["t/nine.json": Self.heading, "other.json": Self.heading])
        #expect(found.findings.map(\.rule) == ["B2C-TXT-001"])
        #expect(found.findings.first?.message.contains(says) == true)
        #expect(found.findings.first?.location?.pointer == "/policies/flow/texts/de")
    }

    /// A patch at run time is checked as the file is.
    @Test func `unknown languages are refused by the reader`() {
        #expect(throws: InvalidInput.self) {
            try Tenant(json: ["name": "c", "policies": ["flow": ["texts": ["xx": "a.json"]]]])
        }
    }

    @Test func `a refused file says why`() throws {
        let tenant = try Tenant(json: ["name": "c", "policies": ["flow": ["texts": ["de": ["a.json", "pipe"]]]]])
        let shelf = PolicyShelf(
            files: PolicyFiles(
                read: { _ in Array(Self.heading.utf8) }, refusal: { $0 == "t/pipe" ? "is not a regular file" : nil }))
        do {
            _ = try shelf.load(tenant: tenant, folder: "t")
            Issue.record("the pipe was read")
        } catch {
            #expect(error.diagnostics.map(\.message) == ["text pack t/pipe is not a regular file"])
            #expect(error.diagnostics.first?.location?.pointer == "/policies/flow/texts/de/1")
        }
    }
}
