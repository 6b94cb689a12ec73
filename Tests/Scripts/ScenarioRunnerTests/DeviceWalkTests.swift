import B2CProtocol
import Diagnostics
import JSON
import ScenarioRunner
import Testing
import Verbs

/// Every setting of device and browser over every verb: the verb honours it, or has no part in what it decides.
/// `docs/clients.md` has the same table.
struct DeviceWalkTests {
    /// The verbs that honour a setting. The others send nothing, open no browser and look into no store that it is about.
    static let honoured: [(key: String, verbs: [Verb])] = [
        (
            "device/network",
            [.acquireToken, .acquireTokenSilent, .signOut, .callApi, .resume, .open, .http, .restart]
        ),
        ("device/clock/skew", [.acquireToken, .acquireTokenSilent, .resume]),
        ("device/clock/rate", [.acquireToken, .acquireTokenSilent, .resume]),
        ("device/broker", [.acquireToken, .acquireTokenSilent]),
        ("device/mode", [.deviceInformation]),
        ("device/locale", [.acquireToken, .signOut, .resume, .open]),
        (
            "device/keychain/read",
            [.acquireToken, .acquireTokenSilent, .accounts, .currentAccount, .removeAccount, .signOut]
        ),
        ("device/keychain/write", [.acquireToken, .acquireTokenSilent, .resume]),
        ("device/keychain/delete", [.removeAccount, .signOut]),
        ("browser/cookies", [.acquireToken, .acquireTokenSilent, .signOut, .resume, .open, .http]),
        ("browser/thirdPartyCookies", [.acquireTokenSilent, .open, .signOut]),
        ("browser/sameSite", [.acquireToken, .acquireTokenSilent, .resume, .open, .http]),
        ("browser/cors", [.acquireToken, .acquireTokenSilent, .callApi, .resume, .open, .restart]),
        ("browser/framing", [.acquireTokenSilent, .open]),
        ("browser/acceptLanguage", [.acquireToken, .signOut, .resume, .open]),
        ("browser/userAgent", [.acquireToken, .signOut, .resume, .open]),
        ("browser/available", [.acquireToken, .signOut, .open]),
        ("browser/storageQuota", [.acquireToken, .acquireTokenSilent, .resume]),
    ]

    @Test func `the table has every setting`() {
        let keys = SettingWalkTests.keys.filter { $0.hasPrefix("device/") || $0.hasPrefix("browser/") }
        #expect(Self.honoured.map(\.key).sorted() == keys.sorted())
    }

    @Test func `the document has the same table`() throws {
        let text = String(decoding: try #require(Running.bytes("docs/clients.md")), as: UTF8.self)
        for (key, verbs) in Self.honoured {
            let name = key.split(separator: "/").joined(separator: ".")
            let row = "| `\(name)` | \(verbs.map { "`\($0.rawValue)`" }.joined(separator: " ")) |"
            #expect(text.contains(row), "\(row)")
        }
    }

    struct Walk: Sendable, CustomTestStringConvertible {
        var key: String
        var value: JSONValue
        var verb: Verb
        var app = "ios"
        /// `SET` stands for the step that changes the setting.
        var steps: String
        /// What the outcome of the verb's step holds with the setting, and not without it.
        var shows: String
        var testDescription: String { "\(key) and \(verb.rawValue) of \(app)" }
    }

    private static let signIn = #"{ "acquireToken": {}, "user": "ada" }"#
    private static let offline = #""networkError":"offline""#

    static let walks: [Walk] = [
        Walk(
            key: "device/network", value: "offline", verb: .acquireToken, steps: "SET, \(signIn)", shows: offline),
        Walk(
            key: "device/network", value: "offline", verb: .acquireTokenSilent,
            steps: #"\#(signIn), SET, { "acquireTokenSilent": { "forceRefresh": true } }"#, shows: offline),
        Walk(
            key: "device/network", value: "offline", verb: .signOut,
            steps: #"\#(signIn), SET, { "signOut": { "fromBrowser": true } }"#, shows: offline),
        Walk(
            key: "device/network", value: "offline", verb: .callApi,
            steps: #"SET, { "callApi": { "api": "tasks", "path": "/tasks" } }"#, shows: #""kind":"network""#),
        Walk(
            key: "device/network", value: "offline", verb: .callApi, app: "spa",
            steps: #"SET, { "callApi": { "url": "https://graph.microsoft.com/v1.0/me" } }"#,
            shows: #""networkError":"offline""#),
        Walk(
            key: "device/network", value: "offline", verb: .open,
            steps: #"SET, { "open": { "endpoint": "authorize" }, "user": "ada" }"#, shows: #""kind":"network""#),
        Walk(
            key: "device/network", value: "offline", verb: .http,
            steps: #"SET, { "http": { "endpoint": "discovery" } }"#, shows: #""kind":"network""#),
        Walk(
            key: "device/network", value: "offline", verb: .resume,
            steps: #"{ "id": "o", "open": { "endpoint": "authorize" } }, SET, { "resume": "o", "user": "ada" }"#,
            shows: #""kind":"network""#),
        Walk(
            key: "browser/available", value: false, verb: .acquireToken, steps: "SET, \(signIn)",
            shows: "no browser is available"),
        Walk(
            key: "browser/available", value: false, verb: .signOut,
            steps: #"\#(signIn), SET, { "signOut": { "fromBrowser": true } }"#, shows: "no browser is available"),
        Walk(
            key: "browser/available", value: false, verb: .open,
            steps: #"SET, { "open": { "endpoint": "authorize" }, "user": "ada" }"#, shows: "no browser is available"),
        Walk(
            key: "browser/cookies", value: false, verb: .open,
            steps: #"SET, { "open": { "endpoint": "authorize" }, "user": "ada" }"#,
            shows: "the request has no x-ms-cpim-trans cookie"),
        Walk(
            key: "browser/cors", value: false, verb: .callApi, app: "spa",
            steps: #"SET, { "callApi": { "api": "tasks", "path": "/tasks", "token": null } }"#,
            shows: #""reason":"the request has no bearer token""#),
        Walk(
            key: "browser/acceptLanguage", value: "fr-FR", verb: .open,
            steps: #"SET, { "open": { "endpoint": "authorize" } }"#, shows: "fr-FR"),
        Walk(
            key: "browser/userAgent", value: "Probe/1.0", verb: .open,
            steps: #"SET, { "open": { "endpoint": "authorize" } }"#, shows: "Probe/1.0"),
        Walk(
            key: "device/locale", value: "de-AT", verb: .open,
            steps: #"SET, { "open": { "endpoint": "authorize" } }"#, shows: "de-AT,de;q=0.9"),
    ]

    @Test(arguments: walks) func `a verb honours a setting`(_ walk: Walk) async throws {
        let row = Self.honoured.first { $0.key == walk.key }
        #expect(row?.verbs.contains(walk.verb) == true)
        let patch = walk.key.split(separator: "/").reversed().reduce(walk.value) { inner, name in
            .object(JSONObject([(String(name), inner)]))
        }
        let set = JSONWriter.compact(["configure": patch])
        let with = try await Self.outcome(walk, set)
        let without = try await Self.outcome(walk, #"{ "accounts": {} }"#)
        #expect(with.contains(walk.shows), "\(with.prefix(4000))")
        #expect(!without.contains(walk.shows), "\(without.prefix(4000))")
    }

    /// The same for the device of one client: what another client does there is not changed.
    @Test(arguments: ["open", "http"]) func `a device has its own network`(_ verb: String) async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
              "clients": { "far": { "app": "ios", "device": "phone2" } }, "steps": [
                { "client": "far", "configure": { "device": { "network": "offline" } } },
                { "client": "far", "VERB": { "endpoint": "discovery" }, "expect": { "error": { "kind": "network" } } },
                { "VERB": { "endpoint": "discovery" }, "expect": { "result": { "status": 200 } } } ] }
            """#.replacing("VERB", with: verb))
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    /// The outcome of the last step.
    private static func outcome(_ walk: Walk, _ set: String) async throws -> String {
        let tenant = try #require(SettingWalkTests.book["tenant"])
        let text = """
            { "name": "n", "tenant": \(JSONWriter.compact(tenant)), "app": "\(walk.app)",
              "steps": [ \(walk.steps.replacing("SET", with: set)) ] }
            """
        let report = try await Running.run(text, keepOutcomes: true)
        let step = try #require(report.steps.last)
        return JSONWriter.compact(try #require(step.outcome, "\(Running.failures(report))"))
    }
}

/// An address that nobody answers ends `open` with an error, and so does a page of which the last request was lost.
struct OpenFailureTests {
    @Test(arguments: ["offline", "refused", "reset", "dns", "timeout", "tls", "truncated"], ["authorize", "page"])
    func `open reports a failed transport`(_ fault: String, _ endpoint: String) async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios", "steps": [
                { "open": { "endpoint": "authorize" }, "user": "ada",
                  "faults": [ { "match": { "endpoint": "ENDPOINT" }, "network": "FAULT" } ],
                  "expect": { "error": { "kind": "network" }, "result": { "$exists": false } } } ] }
            """#.replacing("ENDPOINT", with: endpoint).replacing("FAULT", with: fault))
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test(arguments: ["ios", "spa"]) func `open reports a host that does not exist`(_ app: String) async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "APP", "steps": [
                { "open": { "url": "https://nowhere.test/" },
                  "expect": { "error": { "kind": "network", "name": "cannotFindHost" }, "pages": { "error": 1 } } } ] }
            """#.replacing("APP", with: app))
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test func `the person can load the page again`() async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios", "steps": [
                { "open": { "endpoint": "authorize" }, "user": [ { "on": "error", "window": "reload" }, "ada" ],
                  "faults": [ { "match": { "endpoint": "authorize" }, "times": 1, "network": "reset" } ],
                  "expect": { "result": { "response": { "code": { "$exists": true } } } } } ] }
            """#)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test(arguments: [
        ("discovery", "document"), ("keys", "document"), ("logout", "signedOut"), ("authorize", "signIn"),
    ])
    func `a page has the name of what it is`(_ endpoint: String, _ name: String) async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios", "steps": [
                { "open": { "endpoint": "ENDPOINT", "query": { "post_logout_redirect_uri": null } },
                  "expect": { "result": { "status": 200, "page": { "name": "NAME" } }, "pages": { "NAME": 1 } } } ] }
            """#.replacing("ENDPOINT", with: endpoint).replacing("NAME", with: name))
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    @Test func `an embedded web view needs no browser of the system`() async throws {
        let report = try await Running.run(
            #"""
            { "name": "n", "tenant": "tenants/contoso.json", "app": "ios",
              "configure": { "browser": { "available": false }, "apps": { "ios": { "platform": { "webview": "wkWebView" } } } },
              "steps": [ { "open": { "endpoint": "authorize" }, "user": "ada" } ] }
            """#)
        #expect(report.status == .passed, "\(Running.failures(report))")
    }
}
