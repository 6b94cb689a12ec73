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

    @Test(arguments: [
        (#"{ "name": "lock", "packages": {"#, LanguageKind.other), (#"{ "tenant": "t.json", "steps": {"#, .scenario),
        (#"{ "name": "x", "users": {"#, .tenant), (#"{ "kind": "live", "x": {"#, .target),
    ])
    func `the members at the top say what a large file is`(_ start: String, _ kind: LanguageKind) {
        let members = (0..<4000).map { #""k\#($0)": { "steps": [{}] }"# }.joined(separator: ",")
        for text in [start + members + "} }", start + members] {
            let file = LanguageFile(path: "a.json", bytes: Array(text.utf8))
            #expect(file.kind == kind)
            #expect((file.json != nil) == (kind != .other))
        }
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
        (
            #"{ "variables": { "orders": "1" }, "steps": [{ "http": { "json": { "id": "orders", "a": "{{orders}}" } } }] }"#,
            ["variable orders!", "variable orders"]
        ),
        // The values of a variable name what the places take that it fills.
        (
            #"{ "variables": { "boss": "ada", "all": ["ada", "bob"] }, "cases": { "a": { "set": { "who": "eve" } } }, "steps": [{ "user": "{{who}}" }, { "user": "{{ boss }}" }, { "user": "{{all}}" }] }"#,
            [
                "variable boss!", "person ada", "variable all!", "person ada", "person bob", "caseName a!",
                "variable who!", "person eve", "variable who", "variable boss", "variable all",
            ]
        ),
        (
            #"{ "variables": { "x": "{{y}}", "y": [{ "as": "ada", "press": "work" }] }, "steps": [{ "user": "{{x}}" }] }"#,
            ["variable x!", "variable y", "variable y!", "person ada", "provider work", "variable x"]
        ),
        (
            #"{ "variables": { "x": "ada" }, "steps": [{ "user": "{{x}}" }, { "client": "{{x}}" }] }"#,
            ["variable x!", "variable x", "variable x"]
        ),
        (
            #"{ "variables": { "x": "ada" }, "steps": [{ "user": "{{x}}{{x}}" }, { "name": "{{x}}" }] }"#,
            ["variable x!", "variable x", "variable x", "variable x"]
        ),
        (
            #"{ "configure": { "users": { "ada": {} } }, "cases": { "one": { "proves": { "/set/x": "a" }, "set": { "x": 1 } } }, "proves": { "/configure/users/ada/city": "b", "/cases/one": "c", "/cases/~1": "d", "/steps/0/user": "e" }, "steps": [] }"#,
            ["person ada", "caseName one!", "variable x", "variable x!", "person ada", "caseName one"]
        ),
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

    /// A tenant whose people sign in at a provider, and a script that presses its name and other buttons.
    private static let social = [
        "tenants/p.json": """
        { "name": "p", "providers": { "work": { "type": "oauth2" } }, "users": {},
          "policies": { "susi": { "id": "B2C_1_susi", "providers": ["work"] }, "edit": { "type": "profileEditing" } } }
        """,
        "p.json": """
        { "name": "p", "tenant": "tenants/p.json", "steps": [
          { "acquireToken": { "policy": "edit" }, "user": [{ "press": "work" }, { "press": "next" }, { "press": "signUp" }] }
        ] }
        """,
    ]

    @Test func `a provider is pressed by its name`() throws {
        let workspace = ScriptFixture.workspace(Self.social)
        let work = try ScriptFixture.place(of: #""work""#, in: "p.json", plus: 1, workspace)
        #expect(workspace.definitions(at: work).map(\.file) == ["tenants/p.json"])
        let edits = try Renaming().edits(at: work, to: "office", in: workspace)
        #expect(edits.map(\.file) == ["p.json", "tenants/p.json", "tenants/p.json"])
        for other in [#""next""#, #""signUp""#] {
            let place = try ScriptFixture.place(of: other, in: "p.json", plus: 1, workspace)
            #expect(workspace.symbol(at: place) == nil)
        }
        let labels = workspace.completions(at: work, snippets: false).map(\.label)
        #expect(labels.contains("work") && labels.contains("signUp"))
    }

    @Test func `a rename changes the pointers of a project file`() throws {
        let project = #"{ "proves": { "a.json#/cases/one/set": "why", "b.json#/cases/one": "why" } }"#
        let workspace = ScriptFixture.workspace(["b2c.json": project])
        let places = [
            try ScriptFixture.place(of: #""one""#, in: "a.json", plus: 1, workspace),
            try ScriptFixture.place(of: "one", in: "b2c.json", workspace),
        ]
        for place in places {
            let edits = try Renaming().edits(at: place, to: "uno", in: workspace)
            #expect(edits.map(\.file) == ["a.json", "a.json", "b2c.json"])
            let changed = TextEdit.apply(edits.filter { $0.file == "b2c.json" }, to: Array(project.utf8))
            #expect(
                String(decoding: changed, as: UTF8.self)
                    == project.replacingOccurrences(of: "a.json#/cases/one", with: "a.json#/cases/uno"))
        }
    }

    @Test func `a policy with an id of its own can have another name`() throws {
        let workspace = ScriptFixture.workspace()
        let place = try ScriptFixture.place(of: #""susi""#, in: "a.json", plus: 1, workspace)
        let edits = try Renaming().edits(at: place, to: "signIn", in: workspace)
        #expect(edits.map(\.file) == ["a.json", "tenants/t.json", "tenants/t.json"])
    }

    private static let plainName =
        "A name has at least one character, no blanks around it, and none of `\"\\{}/~`."

    @Test(arguments: [
        (#""two": {"#, "d.json", "ios", #"There is already an app "ios": tenants/t.json:5."#),
        (#""ios": {"#, "tenants/t.json", "two", #"There is already a client "two": d.json:2."#),
        (#""hint""#, "d.json", "login", #"There is already a step "login": d.json:4."#),
        (#""login""#, "d.json", "hint", #"There is already a variable "hint": d.json:1."#),
        // Only a patch has her, in a script of the tenant.
        (#""ada": {"#, "tenants/t.json", "eve", #"There is already a person "eve": d.json:3."#),
        (#""eve""#, "d.json", "bob", #"There is already a person "bob": tenants/t.json:8."#),
        (#""ada""#, "b.json", "*", "`*` means every entry. Choose another name."),
        (#""ada""#, "b.json", " x ", plainName), (#""ada""#, "b.json", "", plainName),
        (
            #""ada""#, "far.json", "eve",
            #""ada" is declared in /far/t.json, which is not among the files of the open folders. Open its folder too, "#
                + "and name it by a relative path."
        ),
        (
            #""edit""#, "p.json", "profile",
            #""edit" is the id of the policy too. Add "id": "edit" to its entry in the tenant file first."#
        ),
    ])
    func `what cannot be renamed is refused with the reason`(
        _ text: String, _ path: String, _ name: String, _ expected: String
    ) throws {
        let more = [
            "d.json": """
            { "name": "d", "tenant": "tenants/t.json", "variables": { "hint": "x" },
              "clients": { "two": { "app": "ios" } },
              "configure": { "users": { "eve": {} } },
              "steps": [{ "id": "login", "acquireToken": { "loginHint": "{{hint}}" }, "client": "two", "user": "ada" }] }
            """,
            "far.json": #"{ "name": "f", "tenant": "/far/t.json", "steps": [{ "acquireToken": {}, "user": "ada" }] }"#,
        ]
        let workspace = ScriptFixture.workspace(more.merging(Self.social) { $1 })
        let place = try ScriptFixture.place(of: text, in: path, plus: 1, workspace)
        #expect(throws: RenameRefusal(expected)) { try Renaming().edits(at: place, to: name, in: workspace) }
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

    @Test(arguments: [
        ("result", "`{{first/result}}`\n\nWhat the verb returned."),
        ("idToken", "`{{first/result/idToken}}`\n\nThe ID token; absent when the server sent none."),
        ("claims", "`{{first/result/idToken/claims}}`\n\nThe token's claims."),
        ("sub", "`{{first/result/idToken/claims}}`\n\nThe token's claims."),
    ])
    func `each part of a path into an outcome is explained`(_ part: String, _ text: String) throws {
        let script = ScriptFixture.scenario.replacing("{{hint}}", with: "{{first/result/idToken/claims/sub}}")
        let workspace = ScriptFixture.workspace(["a.json": script])
        let place = try ScriptFixture.place(of: "/\(part)", in: "a.json", plus: 2, workspace)
        #expect(workspace.hover(at: place)?.markdown == text)
    }

    @Test func `secrets are in neither hovers nor lists`() throws {
        let secret = "Analytical-1843"
        let script = ScriptFixture.scenario.replacing(
            #""hint": "{{users/ada/email}}""#, with: #""hint": "plain", "password": "\#(secret)""#
        )
        .replacing("{{hint}}", with: "{{password}}")
        let workspace = ScriptFixture.workspace(["a.json": script])
        let place = try ScriptFixture.place(of: "{{password}}", in: "a.json", plus: 3, workspace)
        #expect(workspace.hover(at: place)?.markdown == "**password** (variable)")
        let members = ["a.json", "tenants/t.json"].flatMap { workspace.outline(of: $0) }.flatMap(\.children)
        #expect(members.compactMap(\.detail).contains("plain"))
        #expect(!members.contains { $0.detail == secret || $0.children.contains { $0.detail == secret } })
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
