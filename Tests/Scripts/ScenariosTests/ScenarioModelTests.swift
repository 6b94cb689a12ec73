import JSON
import Scenarios
import Testing

@Suite struct ScenarioModelTests {
    private func scenario(_ steps: String, _ more: String = "") throws -> Scenario {
        let text = #"{"name": "n", "tenant": "tenants/contoso.json", "app": "ios", \#(more) "steps": [\#(steps)]}"#
        return try ScenarioFiles.read("model.json", bytes: Array(text.utf8))
    }

    @Test func `a scenario runs once for each case`() throws {
        let scenario = try scenario(
            #"""
            {"id": "a", "acquireToken": {}, "user": "ada", "expect": {"requests": {"token": 1}}, "expectIn": {"two": {"requests": "{{n}}"}}},
            {"only": ["two", "three"], "steps": [{"acquireTokenSilent": {}}, {"only": ["three"], "accounts": {}}]}
            """#,
            #"""
            "configure": {"device": {"locale": "de"}}, "faults": [{"match": {"endpoint": "keys"}, "network": "tls", "optional": true}],
            "cases": {"one": {"set": {"n": 1}}, "two": {"set": {"n": 2}, "configure": {"device": {"locale": "fr"}}, "skip": "later",
              "faults": [{"delay": "PT1S", "optional": true}]}, "three": {}},
            """#)
        let variants = CaseExpansion.variants(of: scenario)
        #expect(variants.map(\.title) == ["n (one)", "n (two)", "n (three)"])
        #expect(variants[0].steps.count == 1 && variants[1].steps.count == 2)
        #expect(variants[1].steps[1].steps.map(\.verb) == [.acquireTokenSilent])
        #expect(variants[2].steps[1].steps.map(\.verb) == [.acquireTokenSilent, .accounts])
        #expect(variants[0].skip == nil && variants[1].skip == "later")
        #expect(variants[1].values == ["n": 2])
        #expect(variants[1].configure.count == 2)
        #expect(variants[1].faults.map(\.pointer) == ["/cases/two/faults", "/faults"])
        #expect(scenario.steps[0].expectation(in: "one") == ["requests": ["token": 1]])
        #expect(scenario.steps[0].expectation(in: "two") == ["requests": "{{n}}"])
    }

    @Test func `without cases it runs once`() throws {
        let variants = CaseExpansion.variants(of: try scenario(#"{"acquireToken": {}}"#))
        #expect(variants.map(\.title) == ["n"] && variants[0].caseName == nil)
    }

    @Test(
        arguments: [
            ("a/b.json", "a/b.json", nil), ("a/b.json#signIn", "a/b.json", "signIn"), ("a#b/c.json", "a#b/c.json", nil),
            ("a.json#", "a.json#", nil), ("x#y.json#z", "x#y.json", "z"),
        ] as [(String, String, String?)])
    func `an argument selects a file and perhaps a step`(argument: String, path: String, step: String?) {
        let selection = ScenarioSelection(parsing: argument)
        #expect(selection.path == path && selection.step == step)
    }

    @Test func `a selected step is the last one`() throws {
        let scenario = try scenario(
            #"""
            {"id": "a", "acquireToken": {}}, {"steps": [{"id": "b", "accounts": {}}, {"id": "c", "accounts": {}}]},
            {"parallel": [{"id": "d", "accounts": {}}, {"id": "e", "accounts": {}}]}, {"id": "f", "accounts": {}}
            """#)
        func ids(_ last: String) -> [String]? { scenario.ending(after: last)?.allSteps.compactMap(\.id) }
        #expect(ids("a") == ["a"])
        #expect(ids("b") == ["a", "b"])
        #expect(ids("d") == ["a", "b", "c", "d", "e"])
        #expect(ids("f") == ["a", "b", "c", "d", "e", "f"])
        #expect(ids("g") == nil)
    }

    @Test(arguments: [
        ("tenants/contoso.json", "scenarios/a.json", "scenarios/tenants/contoso.json"),
        ("../tenants/contoso.json", "scenarios/sign-in/a.json", "scenarios/tenants/contoso.json"),
        ("../../up.json", "scenarios/a.json", "../up.json"), ("/x/./y/../z.json", "a.json", "/x/z.json"),
        ("t.json", "a.json", "t.json"), ("./t.json", "../s/a.json", "../s/t.json"),
    ])
    func `paths are relative to their file`(path: String, file: String, expected: String) {
        #expect(ScenarioPath.resolve(path, from: file) == expected)
    }

    @Test(arguments: [
        (#"{"acquireToken": {}, "user": "ada"}"#, []),
        (#"{"advanceClock": "PT1H"}"#, ["clock: the step advanceClock at /steps/0 moves true time"]),
        (
            #"{"configure": {"device": {"locale": "de"}, "browser": {"cookies": false}, "apps": {"ios": {"client": {"prompt": "login"}}}}}"#,
            ["browserRequests: the step configure at /steps/0 sets rules of the browser"]
        ),
        (
            #"{"configure": {"policies": {"susi": {"forcedReset": true}}}}"#,
            ["settings: the step configure at /steps/0 changes `policies`"]
        ),
        (
            #"{"configure": {"apps": {"ios": {"registration": {"enabled": false}}}}}"#,
            ["settings: the step configure at /steps/0 changes what the tenant knows of an app"]
        ),
        (
            #"{"configure": {"users": {"ada": {"locked": true}}}}"#,
            ["directory: the step configure at /steps/0 changes people"]
        ),
        (#"{"inspect": "users"}"#, ["directory: the step inspect at /steps/0 looks into the directory"]),
        (#"{"inspect": "cache"}"#, []),
        (
            #"{"acquireToken": {}, "faults": [{"match": {"from": "api"}, "network": "tls", "optional": true}]}"#,
            ["protocolFaults: the step acquireToken at /steps/0 meddles with calls of the api"]
        ),
        (
            #"{"acquireToken": {"policy": "reset"}, "user": "ada"}"#,
            ["inbox: the step acquireToken at /steps/0 proves an address or phone with a code"]
        ),
        (
            #"{"acquireToken": {}, "user": [{"press": "signUp"}, "nina"]}"#,
            ["inbox: the step acquireToken at /steps/0 proves an address or phone with a code"]
        ),
        (
            #"{"acquireToken": {}, "user": [{"fill": {"code": "{{inbox/ada/code}}"}}]}"#,
            ["inbox: the step acquireToken at /steps/0 reads a message"]
        ),
        (#"{"name": "Why", "acquireToken": {}, "expect": {"trace": 3}}"#, ["trace: the step Why expects a trace"]),
        (#"{"mintToken": {}}"#, ["mint: the step mintToken at /steps/0 signs with a key of the tenant"]),
        (#"{"mintToken": {"key": "stolen"}}"#, []),
        (
            #"{"callExtension": {"url": "https://e.test/", "event": "emailOtpSend"}}"#,
            ["mint: the step callExtension at /steps/0 signs as the service that calls extensions"]
        ),
        (
            #"{"acquireToken": {}, "user": [{"wait": "PT5M"}]}"#,
            ["virtualTime: the step acquireToken at /steps/0 waits more than a minute"]
        ),
        (
            #"{"acquireToken": {}, "expect": {"elapsed": {"$lt": 5}}}"#,
            ["virtualTime: the step acquireToken at /steps/0 bounds the time that passes"]
        ),
        (
            #"{"open": {"endpoint": "authorize"}, "expect": {"requests": 3}}"#,
            ["browserRequests: the step open at /steps/0 expects requests of the browser"]
        ),
        (
            #"{"acquireToken": {}, "expect": {"requests": [{"endpoint": "page"}]}}"#,
            ["browserRequests: the step acquireToken at /steps/0 expects requests of the browser"]
        ),
        (#"{"acquireToken": {}, "expect": {"requests": [{"endpoint": "token"}, {"from": "authority"}]}}"#, []),
        (#"{"acquireToken": {}, "expect": {"requests": {"token": 1}}}"#, []),
        (#"{"acquireTokenSilent": {}, "expect": {"requests": 0}}"#, []),
        (
            #"{"signOut": {"fromBrowser": true}, "expect": {"requests": {"logout": 1}}}"#,
            ["browserRequests: the step signOut at /steps/0 expects requests of the browser"]
        ),
        (
            #"{"open": {"endpoint": "authorize", "frame": true}}"#,
            ["browserRequests: the step open at /steps/0 opens a hidden frame"]
        ),
        (
            #"{"http": {"endpoint": "authorize", "cookies": true}}"#,
            ["browserRequests: the step http at /steps/0 sends the browser's cookies by hand"]
        ),
        (
            #"{"configure": {"browser": {"sameSite": false}}}"#,
            ["browserRequests: the step configure at /steps/0 sets rules of the browser"]
        ),
        (#"{"configure": {"browser": {"available": false}}}"#, []),
        (
            #"{"acquireToken": {}, "faults": [{"match": {"endpoint": "page"}, "network": "reset", "times": 1}]}"#,
            ["browserRequests: the step acquireToken at /steps/0 meddles with requests of the browser"]
        ),
        (#"{"acquireToken": {}, "faults": [{"match": {"endpoint": "token"}, "network": "reset", "times": 1}]}"#, []),
        (
            #"{"acquireToken": {}, "expect": {"events": [{"type": "cookieBlocked"}]}}"#,
            ["browserRequests: the step acquireToken at /steps/0 expects what the browser held back"]
        ),
    ])
    func `capabilities follow from the steps`(step: String, needs: [String]) throws {
        let variant = CaseExpansion.variants(of: try scenario(step))[0]
        let found = CapabilityInference.needs(of: variant).map { "\($0.capability): \($0.place) \($0.reason)" }
        #expect(found == needs)
    }

    @Test func `what is given from outside is checked before anything runs`() throws {
        let scenario = try scenario(
            #"{"acquireToken": {"loginHint": "{{env/WHO}} {{secret/KEY}}", "domainHint": "{{secret/KEY}}"}}"#,
            #""variables": {"count": 2, "name": null, "flag": true},"#)
        let nothing = ScenarioInputs.findings([scenario], variables: [], secrets: [], environment: [:])
        #expect(
            nothing.map(\.message) == [
                "the variable `name` has no default and is not given", "`WHO` is not set in the environment",
                "the secret `KEY` is not given",
            ])
        #expect(nothing.compactMap(\.location?.line).count == 3)
        let undeclared = ScenarioInputs.findings(
            [scenario], variables: [("name", "x"), ("cuont", "3")], secrets: [("KEY", "k")], environment: ["WHO": "w"])
        #expect(undeclared.map(\.message) == ["no scenario that runs declares the variable `cuont`"])
        #expect(undeclared[0].remedy == "Did you mean `count`? Declared are count, name and flag.")
        let values = ScenarioInputs.variables(of: scenario, given: [("count", "7"), ("name", "7"), ("flag", "maybe")])
        #expect(values == ["count": 7, "name": "7", "flag": "maybe"])
    }
}
