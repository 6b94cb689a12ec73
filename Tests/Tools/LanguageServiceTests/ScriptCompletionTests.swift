import LanguageService
import Testing

/// What an editor offers in scenario and tenant files. `|` is where one types.
struct ScriptCompletionTests {
    private struct Offer {
        let completions: [Completion]
        let bytes: [UInt8]

        var labels: [String] { completions.map(\.label) }

        /// The text once one is chosen.
        func chosen(_ label: String) throws -> String {
            let completion = try #require(completions.first { $0.label == label })
            let edit = TextEdit(file: "d.json", range: completion.range, replacement: completion.text)
            return String(decoding: TextEdit.apply([edit], to: bytes), as: UTF8.self)
        }
    }

    private static func offer(_ marked: String, path: String = "d.json", snippets: Bool = false) throws -> Offer {
        var bytes = Array(marked.utf8)
        let offset = try #require(bytes.firstIndex(of: UInt8(ascii: "|")))
        bytes.remove(at: offset)
        let workspace = ScriptFixture.workspace([path: String(decoding: bytes, as: UTF8.self)])
        return Offer(
            completions: workspace.completions(at: TextPlace(file: path, offset: offset), snippets: snippets),
            bytes: bytes)
    }

    /// A step of a scenario.
    private static func step(_ marked: String, snippets: Bool = false) throws -> Offer {
        try offer(#"{ "tenant": "tenants/t.json", "steps": ["# + marked + "] }", snippets: snippets)
    }

    @Test func `a step gets a verb, and only one`() throws {
        let fresh = try Self.step("{ | }")
        #expect(fresh.labels.first == "createClient")
        #expect(fresh.labels.contains("acquireToken") && fresh.labels.contains("user"))
        #expect(!fresh.labels.contains("tenant"))
        let second = try Self.step(#"{ "acquireToken": {}, "us|" }"#)
        #expect(second.labels.contains("user") && !second.labels.contains("signOut"))
        #expect(!second.labels.contains("acquireToken"))
    }

    @Test func `required keys come first, and those that are there not again`() throws {
        let offer = try Self.offer(#"{ "tenant": "tenants/t.json", "steps": [], | }"#)
        #expect(offer.labels.prefix(2) == ["name", "$schema"])
        #expect(offer.completions.first?.detail == "required")
        #expect(!offer.labels.contains("steps"))
    }

    @Test(arguments: [
        ("{ | }", "acquireToken", #"{ "acquireToken": {} }"#),
        (#"{ "us|" }"#, "user", #"{ "user": "" }"#),
        (#"{ us| }"#, "user", #"{ "user": "" }"#),
        (#"{ "us|": "ada" }"#, "user", #"{ "user": "ada" }"#),
        (#"{ "us| }"#, "user", #"{ "user": "" }"#),
        (#"{ | "signOut": {} }"#, "user", #"{ "user": "", "signOut": {} }"#),
        (#"{ "user": "|" }"#, "ada", #"{ "user": "ada" }"#),
        (#"{ "user": "a|d" }"#, "ada", #"{ "user": "ada" }"#),
        (#"{ "user": | }"#, "ada", #"{ "user": "ada" }"#),
        (#"{ "user": "b| }"#, "bob", #"{ "user": "bob" }"#),
        (#"{ "user": | "signOut": {} }"#, "bob", #"{ "user": "bob", "signOut": {} }"#),
        (#"{ "user": [| ] }"#, "bob", #"{ "user": ["bob" ] }"#),
        (#"{ "acquireToken": { "loginHint": "{{us|" } }"#, "users", #"{ "acquireToken": { "loginHint": "{{users" } }"#),
        (#"{ "name": "{{users/|}}" }"#, "bob", #"{ "name": "{{users/bob}}" }"#),
        (#"{ "name": "{{users/ada/em|" }"#, "email", #"{ "name": "{{users/ada/email}}" }"#),
    ])
    func `what is chosen fits what is there`(_ marked: String, _ label: String, _ expected: String) throws {
        let offer = try Self.step(marked)
        let chosen = try offer.chosen(label)
        let start = #"{ "tenant": "tenants/t.json", "steps": ["#
        #expect(chosen.dropFirst(start.count).dropLast(3) == expected)
        #expect(offer.completions.allSatisfy { !$0.isSnippet && !$0.text.contains("$1") })
    }

    @Test func `a step without its closing bracket takes nothing from the next one`() throws {
        let offer = try Self.offer(
            """
            {
              "name": "x", "tenant": "tenants/t.json", "steps": [
                { "acquireToken": {} },
                { "|"
                { "signOut": {} }
              ]
            }
            """)
        #expect(offer.labels.contains("signOut"))
        #expect(try offer.chosen("acquireToken").contains("    { \"acquireToken\": {}\n    { \"signOut\": {} }\n"))
    }

    @Test func `names are those of the tenant file, with what they are`() throws {
        let people = try Self.step(#"{ "user": "|" }"#)
        #expect(people.labels == ["ada", "bob"])
        #expect(people.completions[0].detail?.contains("ada@example.test") == true)
        #expect(people.completions.allSatisfy { $0.detail?.contains("Analytical") != true })
        #expect(try Self.step(#"{ "acquireToken": { "policy": "|" } }"#).labels == ["susi"])
        #expect(try Self.step(#"{ "client": "|" }"#).labels == ["ios"])
        #expect(try Self.step(#"{ "id": "one", "open": {} }, { "resume": "|" }"#).labels == ["one"])
    }

    @Test func `a key that is typed is not offered to itself`() throws {
        for typed in ["", "x"] {
            let people = try Self.offer(
                #"{ "tenant": "tenants/t.json", "configure": { "users": { ""# + typed + #"|" } }, "steps": [] }"#)
            #expect(people.labels == ["ada", "bob"])
        }
        let values = try Self.offer(
            #"{ "tenant": "tenants/t.json", "variables": { "who": null }, "cases": { "a": { "set": { "|" } } }, "steps": [] }"#
        )
        #expect(values.labels == ["who"])
    }

    @Test func `a variable has the values of the places that it fills`() throws {
        let offer = try Self.offer(
            #"{ "tenant": "tenants/t.json", "variables": { "who": "|" }, "steps": [{ "acquireToken": {}, "user": "{{who}}" }] }"#
        )
        #expect(offer.labels == ["ada", "bob"])
    }

    @Test func `paths are those of files that fit`() throws {
        let offer = try Self.offer(#"{ "steps": [], "tenant": "|" }"#, path: "sub/d.json")
        #expect(offer.labels == ["../tenants/other.json", "../tenants/t.json"])
    }

    @Test func `a project file gets the variables of scripts`() throws {
        let offer = try Self.offer(#"{ "variables": { "|" } }"#, path: "b2c.json")
        #expect(offer.labels == ["hint"])
        #expect(try offer.chosen("hint") == #"{ "variables": { "hint": "" } }"#)
    }

    @Test func `a target file is offered to a project file, and has the environment alone`() throws {
        let target = #"{ "kind": "mock-server", "name": "m", "url": "http://127.0.0.1:9", "controlToken": "{{|" }"#
        #expect(try Self.offer(target, path: "targets/m.json").labels == ["env", "secret"])
        let workspace = ScriptFixture.workspace([
            "b2c.json": #"{ "target": "" }"#, "targets/m.json": target.replacing("{{|", with: "x"),
        ])
        let place = try ScriptFixture.place(of: #""""#, in: "b2c.json", plus: 1, workspace)
        #expect(workspace.completions(at: place, snippets: false).map(\.label) == ["targets/m.json"])
    }

    @Test func `words have what they mean`() throws {
        let offer = try Self.offer(
            #"{ "name": "x", "policies": { "susi": { "type": "|" } }, "users": {} }"#, path: "tenants/x.json")
        #expect(offer.labels.contains("signUpOrSignIn"))
        #expect(offer.completions.allSatisfy { $0.documentation?.isEmpty == false })
        let flag = try Self.offer(#"{ "name": "x", "live": |, "users": {} }"#, path: "tenants/x.json")
        #expect(flag.labels == ["true", "false"])
    }

    @Test func `templates lead to what there is by then`() throws {
        let before = #"{ "acquireToken": {}, "id": "first" }, "#
        let roots = try Self.step(before + #"{ "name": "{{|}}", "id": "second" }"#)
        #expect(roots.labels.first == "first" && roots.labels.contains("users") && !roots.labels.contains("second"))
        #expect(try Self.step(#"{ "name": "{{users/|}}" }"#).labels == ["ada", "bob"])
        #expect(try Self.step(#"{ "name": "{{users/ada/|}}" }"#).labels.contains("objectId"))
        #expect(try Self.step(#"{ "name": "{{tenant/users/|}}" }"#).labels == ["ada", "bob"])
        #expect(try Self.step(before + #"{ "name": "{{first/|}}" }"#).labels.first == "result")
        #expect(try Self.step(before + #"{ "name": "{{first/result/|}}" }"#).labels.contains("idToken"))
        #expect(try Self.step(#"{ "name": "{{nothing/|}}" }"#).labels == [])
    }

    @Test func `matchers are offered in expectations`() throws {
        let offer = try Self.step(
            #"{ "expect": { "result": { "idToken": { "claims": { "name": { "$|" } } } } } }"#, snippets: true)
        #expect(offer.labels.contains("$exists") && offer.labels.contains("$matches"))
        let exists = try #require(offer.completions.first { $0.label == "$exists" })
        #expect(exists.text == #"\$exists": ${1:true}"# && exists.isSnippet)
    }

    @Test func `broken texts have answers at every place`() {
        let text = #"{ "tenant": "tenants/t.json", "steps": [{ "user": "ada" "expect": { "result": [ }, { x "{{users/ "#
        let bytes = Array(text.utf8)
        let workspace = ScriptFixture.workspace(["d.json": text])
        for offset in 0...bytes.count {
            let place = TextPlace(file: "d.json", offset: offset)
            for completion in workspace.completions(at: place, snippets: true) {
                #expect(completion.range.lowerBound <= offset && offset <= completion.range.upperBound)
                #expect(completion.range.upperBound <= bytes.count)
            }
            if let hover = workspace.hover(at: place) { #expect(hover.range.upperBound <= bytes.count) }
        }
        #expect(workspace.completions(at: TextPlace(file: "d.json", offset: -4), snippets: true).isEmpty)
        #expect(workspace.hover(at: TextPlace(file: "d.json", offset: 9_999)) == nil)
    }
}
