import Foundation
import JSON
import LanguageService
import TestSupport
import Testing

/// Names in scenario, tenant and settings files.
struct ScriptNamesTests {
    private static func described(_ occurrence: NameOccurrence) -> String {
        let kind = if case .script(let kind) = occurrence.kind { kind.rawValue } else { "\(occurrence.kind)" }
        return "\(kind) \(occurrence.name)" + (occurrence.isDeclaration ? "!" : "")
    }

    private static func described(_ text: String, path: String) -> [String] {
        LanguageFile(path: path, bytes: Array(text.utf8)).occurrences.map(described)
    }

    @Test(arguments: [
        ("a.json", #"{ "name": "x", "tenant": "t.json", "steps": [] }"#, LanguageKind?.none, LanguageKind.scenario),
        ("a.json", #"{ "name": "x", "tenant": "t.json" "steps": [ { "us"#, nil, .scenario),
        ("a.json", #"{ "name": "x", "tenant": "t.json", "#, nil, .scenario),
        ("t.json", #"{ "name": "x", "users": {} }"#, nil, .tenant),
        ("t.json", #"{ "$schema": "../schemas/tenant.schema.json", "nam"#, nil, .tenant),
        ("live.json", #"{ "kind": "live", "tenant": "t.json" }"#, nil, .target),
        ("b2c.json", #"{ "seed": 7 }"#, nil, .project),
        ("x/appsettings.json", #"{ "Environments": [] }"#, nil, .settings),
        ("x/appsettings.json", #"{ "Logging": {} }"#, nil, .other),
        ("a.json", #"{ "na"#, .scenario, .scenario), ("a.json", "{}", .scenario, .other), ("a.json", "", nil, .other),
        ("p.xml", "<TrustFrameworkPolicy", nil, .policy), ("p.xml", "<Trust", .policy, .policy),
        ("p.xml", "<a/>", nil, .other),
        ("keys.json", #"{ "name": "x", "keys": [{ "kty": "RSA" }] }"#, nil, .other),
    ])
    func `a file is what its name and content say`(
        _ path: String, _ text: String, _ known: LanguageKind?, _ kind: LanguageKind
    ) {
        #expect(LanguageFile(path: path, bytes: Array(text.utf8), known: known).kind == kind)
        #expect(LanguageKind.of(path: path, bytes: Array(text.utf8), known: known) == kind)
    }

    @Test func `a scenario has its names in the order of the text`() {
        #expect(
            Self.described(ScriptFixture.scenario, path: "a.json") == [
                "app ios", "variable hint!", "person ada", "caseName one!", "variable who!", "policy susi",
                "variable hint",
                "person ada", "step first!", "caseName one", "step first", "person ada", "person bob", "step first",
                "variable who",
            ])
    }

    @Test func `a tenant file declares its names`() {
        #expect(
            Self.described(ScriptFixture.tenant, path: "t.json") == [
                "policy susi!", "app ios!", "policy susi", "person ada!", "person bob!", "policyKey B2C_1A_Rest!",
                "setting Api!",
            ])
    }

    @Test(arguments: [
        (
            #"{ "name": "x", "tenant": { "name": "t", "users": { "ada": {} } }, "steps": [{ "user": "ada" }] }"#,
            ["person ada!", "person ada"]
        ),
        (
            #"{ "name": "x", "tenant": "t.json", "configure": { "users": { "eve": {}, "ada": null } }, "steps": [] }"#,
            ["person eve", "person ada"]
        ),
        (
            #"{ "name": "x", "tenant": "t.json", "clients": { "two": { "app": "ios" } }, "steps": [{ "client": "two" }, { "client": "ios" }] }"#,
            ["client two!", "app ios", "client two", "app ios"]
        ),
        (
            #"{ "steps": [{ "parallel": [{ "id": "in" }] }, { "name": "{{{{users/ada}} {{ tenant/users/ada/email }} {{inbox/bob/code}}" }] }"#,
            ["step in!", "person ada", "person bob"]
        ),
        (
            #"{ "steps": [{ "id": "in", "expectIn": { "one": { "pages": [{ "name": "signIn" }] } }, "user": "{{case}} {{now+PT5M}}" }] }"#,
            ["step in!", "caseName one"]
        ),
        (#"{ "steps": [{ "user": "ada" "id": "x }, { "resume": "x" }] }"#, ["person ada", "step x!", "step x"]),
    ])
    func `names are found wherever they are written`(_ text: String, _ names: [String]) {
        #expect(Self.described(text, path: "a.json") == names)
    }

    @Test func `settings of every environment are declared`() {
        let text =
            #"{ "Environments": [{ "Name": "Dev", "PolicySettings": { "Api": "x" } }, { "PolicySettings": { "Api": 1, "B": 2 } }] }"#
        #expect(Self.described(text, path: "appsettings.json") == ["setting Api!", "setting Api!", "setting B!"])
    }

    @Test func `a person is the same in the tenant file and in its scenarios`() throws {
        let workspace = ScriptFixture.workspace()
        let place = try ScriptFixture.place(of: #""user": "ada""#, in: "b.json", plus: 10, workspace)
        let symbol = try #require(workspace.symbol(at: place))
        let found = workspace.occurrences(of: symbol)
        #expect(found.map(\.file) == ["a.json", "a.json", "a.json", "b.json", "tenants/t.json"])
        #expect(workspace.definitions(at: place).map(\.file) == ["tenants/t.json"])
    }

    @Test func `a rename reaches the tenant file and its scenarios`() throws {
        let workspace = ScriptFixture.workspace()
        let place = try ScriptFixture.place(of: #""user": "ada""#, in: "b.json", plus: 10, workspace)
        let edits = try Renaming().edits(at: place, to: "eve", in: workspace)
        for (path, expected) in [
            (
                "a.json",
                ScriptFixture.scenario.replacingOccurrences(of: "users/ada/", with: "users/eve/")
                    .replacingOccurrences(of: #""ada""#, with: #""eve""#)
            ),
            ("tenants/t.json", ScriptFixture.tenant.replacingOccurrences(of: #""ada""#, with: #""eve""#)),
            ("c.json", try #require(ScriptFixture.files["c.json"])),
        ] {
            let bytes = try #require(workspace.file(path)).source.bytes
            let changed = TextEdit.apply(edits.filter { $0.file == path }, to: bytes)
            #expect(String(decoding: changed, as: UTF8.self) == expected)
        }
    }

    @Test func `what only a patch names is declared there`() throws {
        let workspace = ScriptFixture.workspace([
            "d.json": """
            { "name": "d", "tenant": "tenants/t.json", "configure": { "users": { "eve": {}, "ada": { "locked": true } } },
              "steps": [{ "acquireToken": {}, "user": "eve" }, { "acquireToken": {}, "user": "ada" }] }
            """
        ])
        let eve = try ScriptFixture.place(of: #""user": "eve""#, in: "d.json", plus: 10, workspace)
        #expect(workspace.definitions(at: eve).map(\.file) == ["d.json"])
        let ada = try ScriptFixture.place(of: #""user": "ada""#, in: "d.json", plus: 10, workspace)
        #expect(workspace.definitions(at: ada).map(\.file) == ["tenants/t.json"])
        #expect(workspace.names(of: .script(.person), seenFrom: "d.json") == ["ada", "bob", "eve"])
        #expect(workspace.names(of: .script(.person), seenFrom: "c.json") == ["ada"])
    }

    @Test func `paths are links`() {
        let workspace = ScriptFixture.workspace([
            "tenants/p.json": """
            { "name": "p", "policies": { "x": { "type": "custom", "file": "../policies/X.xml" } },
              "policyFolders": ["../base"], "pages": { "https://cdn.example.test/": "pages" } }
            """
        ])
        #expect(workspace.links(of: "b.json").map(\.path) == ["tenants/t.json"])
        #expect(workspace.links(of: "tenants/p.json").map(\.path) == ["policies/X.xml", "base", "tenants/pages"])
    }

    @Test func `what a name is can be read at it`() throws {
        let workspace = ScriptFixture.workspace()
        func hover(_ part: String, plus: Int) throws -> String? {
            workspace.hover(at: try ScriptFixture.place(of: part, in: "a.json", plus: plus, workspace))?.markdown
        }
        let person = try #require(try hover(#""user": "ada""#, plus: 10))
        #expect(person.contains("ada@example.test") && person.contains("tenants/t.json"))
        #expect(!person.contains("Analytical"))
        #expect(try hover("users/ada/email", plus: 11)?.contains("ada@example.test") == true)
        #expect(try hover("users/ada/email", plus: 7)?.contains("(person)") == true)
        #expect(try hover("users/ada/email", plus: 1)?.contains("People of the tenant") == true)
        #expect(try hover(#""policy": "susi""#, plus: 12)?.contains("B2C_1_susi") == true)
        #expect(try hover(#""resume": "first""#, plus: 13)?.contains("acquireToken on line 6") == true)
        #expect(try hover(#""acquireToken""#, plus: 3)?.contains("docs/scenario-files.md") == true)
        #expect(try hover(#""name""#, plus: 2)?.contains("Required.") == true)
    }

    @Test func `a scenario is listed with its steps`() throws {
        let symbols = ScriptFixture.workspace().outline(of: "a.json")
        #expect(symbols.map(\.name) == ["a", "variables", "cases", "steps"])
        #expect(symbols.last?.children.map(\.name) == ["1 acquireToken (first)", "2 resume"])
        let tenant = ScriptFixture.workspace().outline(of: "tenants/t.json")
        #expect(tenant.first { $0.name == "users" }?.children.map(\.name) == ["ada", "bob"])
        #expect(ScriptFixture.workspace().foldingRanges(of: "a.json").count == 3)
    }

    /// Scripts that ship are checked, so each name in them has a declaration.
    @Test func `every name of the shipped scripts is known`() throws {
        let root = TestFiles.root().appendingPathComponent("scenarios")
        let paths = (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []).sorted()
        var workspace = LanguageWorkspace()
        for path in paths where path.hasSuffix(".json") {
            workspace.set(LanguageFile(path: "scenarios/\(path)", bytes: try TestFiles.bytes("scenarios/\(path)")))
        }
        #expect(workspace.files.values.count { $0.kind == .scenario } > 500)
        #expect(workspace.files.values.count { $0.kind == .tenant } > 4)
        var count = 0
        for file in workspace.files.values where file.kind == .scenario || file.kind == .tenant {
            for kind in [NameKind.person, .app, .policy, .step, .caseName, .apiName] {
                let names = Set(workspace.names(of: .script(kind), seenFrom: file.path))
                let used = file.occurrences.filter { $0.kind == .script(kind) }
                #expect(used.filter { !names.contains($0.name) }.map(\.name) == [], "\(kind) in \(file.path)")
                count += used.count
            }
        }
        #expect(count > 1500)
    }
}
