import CommandFiles
import CommandKit
import JSON
import LanguageService
import TestSupport
import Testing

/// What lenses start.
struct LanguageRunsTests {
    private static let password = "Canary-7391-Horse"

    private static let tenant = """
        { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
          "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" },
            "platform": { "bundleId": "com.contoso.tasks" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "\(password)" } } }
        """

    /// A script in which Ada signs in, with what is expected of the token.
    private static func script(_ claims: String) -> String {
        """
        { "name": "In", "tenant": "tenant.json", "app": "ios", "steps": [
          { "id": "in", "acquireToken": {}, "user": "ada",
            "expect": { "result": { "idToken": { "claims": \(claims) } } } } ] }
        """
    }

    private static func runs(_ texts: [String: String]) -> LanguageRuns {
        LanguageRuns(read: { path in texts[path].map { Array($0.utf8) } })
    }

    // MARK: Scripts

    @Test func `an expectation that is not met has its place, and takes the actual value`() async throws {
        let texts = ["tenant.json": Self.tenant, "in.json": Self.script(#"{ "tfp": "B2C_1_other", "ver": "1.0" }"#)]
        let report = try await Self.runs(texts).run(files: ["in.json"], caseName: nil)
        #expect(report.title == "0 of 1 passed" && report.text.contains("B2C_1_other"))
        #expect(report.html?.contains("<html") == true)
        let facts = try #require(report.facts["scenarios"]?[0])
        #expect(facts["file"] == "in.json" && facts["name"] == "In" && facts["result"] == "failed")
        #expect(facts["line"] == 3 && facts["message"]?.stringValue?.contains("tfp") == true)
        let world = ActionWorld(texts)
        let failure = try #require(report.failures.first)
        #expect(report.failures.count == 1 && failure.actual == "B2C_1_susi")
        #expect(try failure.place == world.range(of: #""B2C_1_other""#, in: "in.json"))
        let actions = world.workspace.actions(at: failure.place, findings: [], failures: report.failures)
        #expect(actions.map(\.title) == [#"Take the actual value: "B2C_1_susi""#])
        let after = world.after(actions.flatMap(\.edits)).text("in.json")
        let again = try await Self.runs(["tenant.json": Self.tenant, "in.json": after])
            .run(files: ["in.json"], caseName: nil)
        #expect(again.title == "1 of 1 passed" && again.failures.isEmpty)
    }

    /// A script with cases `one`, `two` and `three`, of which `one` and `two` set `tfp`.
    private static func cases(_ tfp: String) -> String {
        script(#"{ "tfp": \#(tfp) }"#).replacing(
            #""app": "ios","#,
            with: """
                "app": "ios", "variables": { "tfp": "B2C_1_susi" },
                "cases": { "one": { "set": { "tfp": "B2C_1_a" } }, "two": { "set": { "tfp": "B2C_1_b" } }, "three": {} },
                """)
    }

    @Test func `a case takes the actual value where it sets the value, and cases that passed pass again`() async throws
    {
        let texts = ["tenant.json": Self.tenant, "in.json": Self.cases(#""{{tfp}}""#)]
        let report = try await Self.runs(texts).run(files: ["in.json"], caseName: nil)
        #expect(report.title == "1 of 3 passed" && report.failures.map(\.cases) == [["one"], ["two"]])
        let world = ActionWorld(texts)
        let place = try world.range(of: #""{{tfp}}""#, in: "in.json")
        let actions = world.workspace.actions(at: place, findings: [], failures: report.failures)
        #expect(
            actions.map(\.title) == [
                #"Set tfp to the actual value of case one: "B2C_1_susi""#,
                #"Set tfp to the actual value of case two: "B2C_1_susi""#,
            ])
        #expect(actions.map(\.isPreferred) == [false, false])
        let after = world.after(actions.flatMap(\.edits)).text("in.json")
        let again = try await Self.runs(["tenant.json": Self.tenant, "in.json": after])
            .run(files: ["in.json"], caseName: nil)
        #expect(again.title == "3 of 3 passed")
    }

    @Test func `what every case found is one failure that names them, and its action is preferred`() async throws {
        let texts = ["tenant.json": Self.tenant, "in.json": Self.cases(#""B2C_1_other""#)]
        let report = try await Self.runs(texts).run(files: ["in.json"], caseName: nil)
        let failure = try #require(report.failures.first)
        #expect(report.failures.count == 1 && failure.caseNames == "cases one, two and three")
        let world = ActionWorld(texts)
        func actions(_ failures: [FailedExpectation]) -> [LanguageAction] {
            world.workspace.actions(at: failure.place, findings: [], failures: failures)
        }
        #expect(
            actions([failure]).map(\.title) == [#"Take the actual value of cases one, two and three: "B2C_1_susi""#])
        #expect(actions([failure]).map(\.isPreferred) == [true])
        let one = try await Self.runs(texts).run(files: ["in.json"], caseName: "one")
        #expect(one.title == "0 of 1 passed" && one.failures.map(\.caseNames) == ["case one"])
        #expect(actions(one.failures).map(\.isPreferred) == [false])
    }

    @Test(arguments: [
        ("b2c.json", #"{ "variables": { "tfp": "B2C_1_susi" }, "target": "http://127.0.0.1:1" }"#, "1 of 1 passed"),
        ("scripts/b2c.json", #"{ "variables": { "tfp": "B2C_1_susi" } }"#, "1 of 1 passed"),
        ("other/b2c.json", #"{ "variables": { "tfp": "B2C_1_susi" } }"#, "0 of 1 passed"),
    ])
    func `variables come from the project file`(_ file: String, _ project: String, _ title: String) async throws {
        let script = Self.script(#"{ "tfp": "{{tfp}}" }"#).replacing(
            #""app": "ios","#, with: #""app": "ios", "variables": { "tfp": "B2C_1_other" },"#)
        let runs = Self.runs(["scripts/tenant.json": Self.tenant, "scripts/in.json": script, file: project])
        #expect(try await runs.run(files: ["scripts/in.json"], caseName: nil).title == title)
    }

    @Test func `a case that no script has is refused with those that there are`() async throws {
        let runs = Self.runs(["tenant.json": Self.tenant, "in.json": Self.cases(#""{{tfp}}""#)])
        let refusal = await #expect(throws: LanguageRefusal.self) {
            try await runs.run(files: ["in.json"], caseName: "nope")
        }
        #expect(refusal?.text == #"no scenario has the case "nope". Cases are one, two and three."#)
    }

    @Test func `a value of several lines is indented as the script, and one that reads otherwise is not taken`() throws
    {
        let world = ActionWorld(["in.json": "{\r\n    \"steps\": [\r\n        { \"expect\": 1 }\r\n    ]\r\n}\r\n"])
        let place = try world.range(of: "1", in: "in.json")
        func taken(_ actual: JSONValue?) -> [String] {
            let failure = FailedExpectation(place: place, actual: actual, message: "")
            let actions = world.workspace.actions(at: place, findings: [], failures: [failure])
            return actions.map { world.after($0.edits).text("in.json") }
        }
        #expect(
            taken(["a": 2]) == [
                "{\r\n    \"steps\": [\r\n        { \"expect\": {\r\n            \"a\": 2\r\n        } }\r\n    ]\r\n}\r\n"
            ])
        #expect(taken(nil) == [] && taken("{{x}}") == [] && taken(["$exists": true]) == [])
    }

    @Test func `a member that the script expects and nobody sent is a failure without a value`() async throws {
        let texts = ["tenant.json": Self.tenant, "in.json": Self.script(#"{ "city": "London" }"#)]
        let report = try await Self.runs(texts).run(files: ["in.json"], caseName: nil)
        #expect(report.failures.count == 1 && report.failures.compactMap(\.actual).isEmpty)
        #expect(try report.failures.map(\.place) == [ActionWorld(texts).range(of: #""London""#, in: "in.json")])
        #expect(!report.text.contains(Self.password) && report.html?.contains(Self.password) == false)
    }

    @Test(arguments: [
        ("there is no file", "other.json", #"{}"#),
        ("acquireTokn", "in.json", #"{ "name": "a", "steps": [ { "acquireTokn": {} } ] }"#),
    ])
    func `a script that cannot run is refused with the reason`(
        _ reason: String, _ asked: String, _ text: String
    ) async throws {
        let runs = Self.runs(["in.json": text])
        let refusal = await #expect(throws: LanguageRefusal.self) { try await runs.run(files: [asked], caseName: nil) }
        #expect(refusal?.text.contains(reason) == true, "\(refusal?.text ?? "")")
    }

    // MARK: Policies

    /// Sample policies below the working folder, and what the editor has open.
    private struct Folder {
        let path: String
        var open: [String: String] = [:]

        init(_ name: String) throws {
            try LocalFolder.make()
            path = FilePath.join(LocalFolder.name, "editor-\(name)")
            FileSystem.removeFolder(path)
            try FileSystem.makeFolder(path)
            for name in ["Base.xml", "Loyalty.xml"] {
                try FileSystem.write(try TestFiles.bytes("scenarios/policies/\(name)"), to: file(name))
            }
        }

        func file(_ name: String) -> String { FilePath.join(path, name) }

        func text(_ name: String) throws -> String { String(decoding: try FileSystem.read(file(name)), as: UTF8.self) }

        var runs: LanguageRuns {
            let open = open
            return LanguageRuns(
                read: { path in open[path].map { Array($0.utf8) } ?? (try? FileSystem.read(path)) })
        }
    }

    @Test func `a trace that ends without a token is a report, and texts that are open count`() async throws {
        var folder = try Folder("trace")
        defer { FileSystem.removeFolder(folder.path) }
        let file = folder.file("Loyalty.xml")
        let report = try await folder.runs.trace(file: file, policy: "B2C_1A_loyalty", person: "nina")
        #expect(report.title == "B2C_1A_loyalty, nina signs in" && report.text.contains("REST-Tier"))
        #expect(report.facts["token"] == nil && report.facts["failure"] != nil && report.text.contains("no token:"))
        #expect(report.html?.contains("<html") == true)
        for (right, wrong, reason) in [
            (#"ReferenceId="REST-Tier" />"#, #"ReferenceId="REST-Tyer" />"#, "REST-Tyer"),
            ("B2C_1A_SampleBase<", "B2C_1A_SampelBase<", #"Did you mean "B2C_1A_SampleBase"?"#),
        ] {
            folder.open[file] = try folder.text("Loyalty.xml").replacing(right, with: wrong)
            let runs = folder.runs
            let refusal = await #expect(throws: LanguageRefusal.self) {
                try await runs.trace(file: file, policy: nil, person: nil)
            }
            #expect(refusal?.text.contains(reason) == true, "\(refusal?.text ?? "")")
        }
    }

    @Test func `a policy of a tenant file is traced with its token`() async throws {
        let report = try await Self.runs(["tenant.json": Self.tenant])
            .trace(file: "tenant.json", policy: "susi", person: "ada")
        #expect(report.title == "B2C_1_susi, ada signs in" && report.facts["failure"] == nil)
        #expect(report.facts["token"]?["tfp"] == "B2C_1_susi" && report.text.contains("token of B2C_1_susi"))
        #expect(!report.text.contains(Self.password) && report.html?.contains(Self.password) == false)
    }

    @Test func `an exploration says what was seen`() async throws {
        let folder = try Folder("explore")
        defer { FileSystem.removeFolder(folder.path) }
        let report = try await folder.runs.explore(file: folder.file("Loyalty.xml"), policy: nil, seconds: 60)
        #expect(report.title == "B2C_1A_loyalty explored")
        #expect(report.facts["policies"]?.arrayValue?.count == 1 && report.text.contains("states"))
    }

    // MARK: Uses

    @Test func `scripts that run a profile are found by running them`() async throws {
        let folder = try Folder("uses")
        defer { FileSystem.removeFolder(folder.path) }
        let tenant = try #require(try JSONParser.parse(Self.tenant).objectValue)
        let custom: JSONValue = [
            "policies": ["loyalty": ["id": "B2C_1A_loyalty", "type": "custom", "file": "Loyalty.xml"]]
        ]
        let files = [
            "tenant.json": JSONWriter.pretty(JSONValue.object(tenant).merging(patch: custom)),
            "plain.json": Self.script("{}"),
            "custom.json": Self.script("{}").replacing(
                "acquireToken\": {}", with: "acquireToken\": { \"policy\": \"loyalty\" }"
            )
            .replacing(#""In""#, with: #""Custom""#),
            "other.json": Self.script("{}").replacing("tenant.json", with: "none.json"),
            "cut.json": #"{ "name": "contoso", "policies": { "loyalty": "#,
        ]
        var workspace = LanguageWorkspace()
        for (name, text) in files { workspace.set(LanguageFile(path: folder.file(name), bytes: Array(text.utf8))) }
        for name in ["Base.xml", "Loyalty.xml"] {
            workspace.set(LanguageFile(path: folder.file(name), bytes: try FileSystem.read(folder.file(name))))
        }
        let uses = ScriptUses()
        func scripts(_ profile: String, _ file: String) async throws -> [String]? {
            try await uses.scripts(running: profile, of: folder.file(file), in: workspace, runs: folder.runs)?.paths
        }
        let signIn = "SelfAsserted-LocalAccountSignin-Email"
        #expect(try await scripts(signIn, "Base.xml") == [folder.file("custom.json")])
        #expect(try await scripts(signIn.uppercased(), "Loyalty.xml") == [folder.file("custom.json")])
        #expect(try await scripts("REST-Tier", "Loyalty.xml") == [])
        for (profile, file, reason) in [
            ("REST-Tyer", "Loyalty.xml", "Did you mean REST-Tier?"), (signIn, "none.xml", "there is no file"),
        ] {
            let refusal = await #expect(throws: LanguageRefusal.self) { try await scripts(profile, file) }
            #expect(refusal?.text.contains(reason) == true, "\(refusal?.text ?? "")")
        }
        // Nobody knows what a broken script runs, or one whose policy is broken.
        for (name, text) in [
            ("custom.json", String((files["custom.json"] ?? "").prefix(60))),
            ("custom.json", (files["custom.json"] ?? "").replacing("tenant.json", with: "cut.json")),
            ("Loyalty.xml", try folder.text("Loyalty.xml").replacing("</TrustFrameworkPolicy>", with: "")),
        ] {
            var broken = workspace
            broken.set(LanguageFile(path: folder.file(name), bytes: Array(text.utf8), known: .scenario))
            let found = try await ScriptUses()
                .scripts(running: signIn, of: folder.file("Base.xml"), in: broken, runs: folder.runs)
            #expect(found?.paths == [] && found?.broken == 1, "\(name)")
        }
        // A script that names the policy no more does not run.
        workspace.set(LanguageFile(path: folder.file("custom.json"), bytes: Array((files["plain.json"] ?? "").utf8)))
        #expect(try await scripts(signIn, "Base.xml") == [])
        for number in 0...60 {
            let path = folder.file("more\(number).json")
            workspace.set(LanguageFile(path: path, bytes: Array((files["custom.json"] ?? "").utf8)))
        }
        #expect(try await scripts(signIn, "Base.xml") == nil)
    }
}
