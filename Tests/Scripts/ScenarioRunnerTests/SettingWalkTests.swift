import Diagnostics
import Foundation
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles
import Testing

/// Every key of a tenant file changes something that can be seen from outside, or is refused where it cannot.
///
/// `Tests/Settings/probes.json` has an entry for each key. A probe runs one script twice, with two values of the key, and
/// names a text that the outcomes of exactly one run hold: results, errors, requests, pages, messages, events. The settings
/// themselves are never looked at. A new key without an entry fails the test.
struct SettingWalkTests {
    static let book: JSONValue = {
        guard let bytes = Running.bytes("Tests/Settings/probes.json") else { return .null }
        do throws(InvalidInput) {
            return try JSONParser.parse(bytes)
        } catch {
            Issue.record("\(error.diagnostics)")
            return .null
        }
    }()

    // MARK: The keys

    /// Every key of the schema, `policies/*/mfa/when`: those of groups too, `*` for a name that the file chooses.
    static let keys: [String] = {
        var keys: [String] = []
        func walk(_ shape: Shape, _ path: String) {
            switch shape {
            case .object(let object):
                for field in object.fields {
                    let inner = path.isEmpty ? field.name : "\(path)/\(field.name)"
                    let isGroup = isGroup(field.shape)
                    if !isGroup { keys.append(inner) }
                    walk(field.shape, inner)
                }
            case .map(let of, _, _): walk(of, "\(path)/*")
            case .array(let of): walk(of, path)
            case .anyOf(let shapes): for shape in shapes { walk(shape, path) }
            case .nullable(let shape): walk(shape, path)
            default: break
            }
        }
        /// Whether a value is an object with keys of its own, or a map of such objects.
        func isGroup(_ shape: Shape) -> Bool {
            switch shape {
            case .object: true
            case .map(let of, _, _): if case .object = of { true } else { false }
            default: false
            }
        }
        walk(TenantShapes.root, "")
        var seen: Set<String> = []
        return keys.filter { seen.insert($0).inserted }
    }()

    @Test func `every key has an entry, and every entry a key`() {
        let entries = Self.book["probes"]?.objectValue?.keys ?? []
        #expect(Self.keys.count > 150)
        let missing = Self.keys.filter { !entries.contains($0) }
        // Keys that no probe shows yet are named, so that a new one is noticed.
        #expect(missing == (Self.book["open"]?.arrayValue ?? []).compactMap(\.stringValue))
        let stray = entries.filter { !Self.keys.contains($0) }
        #expect(stray == [])
    }

    // MARK: Observation

    struct Probe: Sendable, CustomTestStringConvertible {
        var key: String
        var entry: JSONValue
        var testDescription: String { key }
    }

    /// An entry is one probe, or a list of them for a key that means something else in another place.
    static let probes: [Probe] = (book["probes"]?.objectValue?.members ?? []).flatMap { key, entry in
        (entry.arrayValue ?? [entry]).map { Probe(key: key, entry: $0) }
    }

    @Test(arguments: probes)
    func `a setting shows`(_ probe: Probe) async throws {
        let entry = probe.entry
        if let refused = entry["refused"]?.stringValue {
            try Self.expectRefusal(probe, refused)
            return
        }
        if let test = entry["heldBy"]?.stringValue {
            // Switches of the policy engine need a policy each, an inbox needs a real tenant: their own tests have them.
            let name = probe.key.split(separator: "/").last.map(String.init) ?? probe.key
            let text = String(decoding: try #require(Running.bytes(test)), as: UTF8.self)
            #expect(text.contains(".\(name)") || text.contains("\"\(name)\""), "\(test) does not turn \(name)")
            return
        }
        if entry["noEffect"]?.stringValue != nil { return }
        let values = try #require(entry["values"]?.arrayValue, "\(probe.key) has no values")
        try #require(values.count == 2)
        let shows = try #require(entry["shows"]?.stringValue, "\(probe.key) names nothing that shows")
        var seen: [String] = []
        for value in values { seen.append(try await Self.outcomes(probe, value)) }
        #expect(seen.filter { $0.contains(shows) }.count == 1, "\(probe.key): \(seen.map { $0.prefix(12_000) })")
    }

    /// What a run of the probe's script shows, with one value of its key.
    private static func outcomes(_ probe: Probe, _ value: JSONValue) async throws -> String {
        let entry = probe.entry
        var tenant = book["tenant"] ?? .null
        if let base = entry["tenant"]?.stringValue { tenant = book["tenants"]?[base] ?? .null }
        if let patch = entry["with"] { tenant = tenant.merging(patch: patch) }
        let pointer = try #require(JSONPointer("/" + (entry["at"]?.stringValue ?? probe.key)))
        // Null stands for a key that nobody wrote.
        if value.isNull {
            tenant = tenant.merging(patch: nested(pointer.tokens, .null))
        } else {
            tenant = tenant.merging(patch: nested(pointer.tokens, value))
        }
        var steps = entry["steps"] ?? "signIn"
        if let name = steps.stringValue { steps = try #require(book["scripts"]?[name], "no script \(name)") }
        var scenario = JSONObject()
        scenario["name"] = .string(probe.key)
        scenario["tenant"] = tenant
        scenario["app"] = entry["app"] ?? "ios"
        if let clients = entry["clients"] { scenario["clients"] = clients }
        scenario["steps"] = steps
        let text = JSONWriter.pretty(.object(scenario))
        let report = try await Running.run(text, keepOutcomes: true)
        return ([report.reason ?? ""] + report.steps.map(Self.text)).joined(separator: "\n")
    }

    private static func nested(_ path: [String], _ value: JSONValue) -> JSONValue {
        path.reversed().reduce(value) { inner, key in .object(JSONObject([(key, inner)])) }
    }

    private static func text(_ step: StepReport) -> String {
        let outcome = step.outcome.map { JSONWriter.compact($0) } ?? ""
        return "\(step.verb) \(step.status) \(step.problems) \(outcome) \(step.steps.map(text))"
    }

    // MARK: Refusal

    /// A key that is refused in any place.
    private static func expectRefusal(_ probe: Probe, _ text: String) throws {
        var tenant = book["tenant"] ?? .null
        if let patch = probe.entry["with"] { tenant = tenant.merging(patch: patch) }
        let pointer = try #require(JSONPointer("/" + (probe.entry["at"]?.stringValue ?? probe.key)))
        tenant = tenant.merging(patch: nested(pointer.tokens, probe.entry["value"] ?? true))
        let document = try JSONDocument(file: "t.json", bytes: Array(JSONWriter.pretty(tenant).utf8))
        let findings = TenantFile.check(document.root, in: document, at: .root).filter { $0.severity == .error }
        #expect(findings.count == 1 && findings.allSatisfy { $0.message.contains(text) }, "\(findings)")
    }

    /// Where each key of policies, clients and platforms applies: for every type and kind the keys that are refused there.
    @Test(arguments: ["policies", "apps/client", "apps/platform", "users", "authority", "tenant"])
    func `a setting is refused where it has no effect`(_ part: String) throws {
        let table = try #require(Self.book["refused"]?[part]?.objectValue)
        for (place, expected) in table.members {
            var refused: [String] = []
            for (key, value) in Self.samples(of: part) {
                let tenant = try #require(Self.tenant(part, place, key, value))
                let document = try JSONDocument(file: "t.json", bytes: Array(JSONWriter.pretty(tenant).utf8))
                let findings = TenantFile.check(document.root, in: document, at: .root)
                    .filter { $0.rule == "B2C-TEN-028" }
                guard let finding = findings.first else { continue }
                refused.append(key)
                // Of a group that applies nowhere in it, the group is refused.
                let namesKey = key.split(separator: "/").contains { finding.message.hasPrefix("`\($0)` ") }
                #expect(namesKey, "\(finding)")
                #expect(finding.remedy?.isEmpty == false && finding.location?.line != nil, "\(finding)")
            }
            let named = (expected.arrayValue ?? []).compactMap(\.stringValue)
            #expect(refused.sorted() == named.sorted(), "\(part) of \(place): \(refused)")
        }
    }

    /// Keys of one part with a value that is not the default.
    private static func samples(of part: String) -> [(key: String, value: JSONValue)] {
        let prefix: String
        switch part {
        case "policies": prefix = "policies/*/"
        case "apps/client": prefix = "apps/*/client/"
        case "apps/platform": prefix = "apps/*/platform/"
        case "users": prefix = "users/*/"
        case "authority": prefix = "authority/"
        default: prefix = ""
        }
        var seen: Set<String> = []
        return keys.compactMap { key in
            guard key.hasPrefix(prefix) else { return nil }
            let rest = String(key.dropFirst(prefix.count))
            if part == "tenant", rest.contains("/") { return nil }
            guard !rest.contains("*"), seen.insert(rest).inserted,
                let probe = probes.first(where: { $0.key == key }),
                let value = probe.entry["value"] ?? probe.entry["values"]?.arrayValue?.last(where: { !$0.isNull })
            else { return nil }
            return (rest, value)
        }
    }

    /// A small tenant with one key set in one place.
    private static func tenant(_ part: String, _ place: String, _ key: String, _ value: JSONValue) -> JSONValue? {
        var path: [String]
        var base: JSONValue = ["name": "contoso"]
        switch part {
        case "policies":
            base = base.merging(patch: ["policies": ["p": ["type": .string(place)]]])
            if place == "custom" { base = base.merging(patch: ["policies": ["p": ["file": "p.xml"]]]) }
            path = ["policies", "p"]
        case "apps/client", "apps/platform":
            base = base.merging(patch: ["apps": ["a": ["client": ["kind": .string(place)]]]])
            path = ["apps", "a", part.split(separator: "/").last.map(String.init) ?? ""]
        case "users":
            base = base.merging(patch: ["kind": .string(place), "users": ["u": [:]]])
            path = ["users", "u"]
        case "authority":
            base = base.merging(patch: ["kind": .string(place)])
            path = ["authority"]
        default:
            base = base.merging(patch: ["kind": .string(place)])
            path = []
        }
        path += key.split(separator: "/").map(String.init)
        if path.last == "type" || path.last == "kind" { return base }
        return base.merging(patch: nested(path, value))
    }

    // MARK: Patches

    /// Each way in which a script can lay a patch over the tenant.
    @Test(arguments: [
        (#""configure": PATCH"#, "{}"), (#""cases": { "c": { "configure": PATCH } }"#, "{}"),
        (#""tags": []"#, #"{ "configure": PATCH }"#),
    ])
    func `a patch is checked as the file is`(_ member: String, _ step: String) throws {
        let patches = [
            (#"{ "policies": { "loyalty": { "mfa": { "when": "always" } } } }"#, "mfa", "custom policy"),
            (#"{ "policies": { "loyalty": { "tokens": { "jsonNumbers": false } } } }"#, "jsonNumbers", "JsonNumbers"),
            (#"{ "policies": { "reset": { "captcha": true } } }"#, "captcha", "passwordReset"),
            (#"{ "apps": { "ios": { "client": { "iframeTimeout": "PT1S" } } } }"#, "iframeTimeout", "msal-browser"),
            (#"{ "apps": { "spa": { "platform": { "webview": "wkWebView" } } } }"#, "webview", "browser"),
        ]
        for (patch, key, word) in patches {
            let own = step == "{}" ? #"{ "accounts": {} }"# : step
            let text = #"{ "name": "x", "tenant": "tenants/contoso.json", "app": "ios", MEMBER, "steps": [STEP] }"#
                .replacing("MEMBER", with: member).replacing("STEP", with: own).replacing("PATCH", with: patch)
            try Self.expect(text, key, word)
        }
    }

    @Test func `createClient is checked for the app of its client`() throws {
        let text = #"""
            { "name": "x", "tenant": "tenants/contoso.json", "app": "spa", "clients": { "phone": { "app": "ios" } },
              "steps": [ { "client": "CLIENT", "createClient": { "storage": "local" } } ] }
            """#
        try Self.expect(text.replacing("CLIENT", with: "phone"), "storage", "msal-ios")
        _ = try Running.scenario(text.replacing("CLIENT", with: "spa"))
    }

    @Test func `a step is checked with the settings of the cases it runs in`() throws {
        let text = #"""
            { "name": "x", "tenant": "tenants/contoso.json", "app": "ios",
              "cases": { "browser": { "configure": { "apps": { "ios": { "client": { "kind": "msal-browser" } } } } }, "phone": {} },
              "steps": [ { "only": ["CASE"], "configure": { "apps": { "ios": { "client": { "storage": "local" } } } } } ] }
            """#
        _ = try Running.scenario(text.replacing("CASE", with: "browser"))
        try Self.expect(text.replacing("CASE", with: "phone"), "storage", "msal-ios")
    }

    @Test func `what a patch fills in late is checked when it is known`() async throws {
        let report = try await Running.run(
            #"""
            { "name": "x", "tenant": "tenants/contoso.json", "app": "ios", "variables": { "more": { "mfa": { "when": "always" } } },
              "steps": [ { "configure": { "policies": { "loyalty": "{{more}}" } } } ] }
            """#)
        #expect(
            report.status == .failed && Running.failures(report).contains("custom policy"),
            "\(Running.failures(report))")
    }

    @Test func `the entry for all policies is good as long as one policy can take it`() throws {
        let text = #"""
            { "name": "t", "policies": { "*": { "mfa": { "when": "always" } }, "c": { "type": "custom", "file": "c.xml" }MORE } }
            """#
        func rules(_ more: String) throws -> [String] {
            let document = try JSONDocument(file: "t.json", bytes: Array(text.replacing("MORE", with: more).utf8))
            return TenantFile.check(document.root, in: document, at: .root).map(\.rule)
        }
        #expect(try rules("") == ["B2C-TEN-028"])
        #expect(try rules(#", "u": {}"#) == [])
    }

    private static func expect(_ text: String, _ key: String, _ word: String) throws {
        do throws(InvalidInput) {
            _ = try ScenarioReader.read(
                file: "scenarios/test.json", bytes: Array(text.utf8), files: { Running.bytes($0) })
            Issue.record("\(text) was accepted")
        } catch {
            #expect(error.diagnostics.count == 1)
            let finding = error.diagnostics.first
            #expect(finding?.rule == "B2C-TEN-028" && finding?.location?.line != nil)
            #expect(finding?.message.hasPrefix("`\(key)` ") == true, "\(error.diagnostics)")
            let words = (finding?.message ?? "") + " " + (finding?.remedy ?? "")
            let namesIt = words.contains(word)
            #expect(namesIt, "\(error.diagnostics)")
        }
    }
}
