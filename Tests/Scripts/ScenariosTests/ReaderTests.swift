import Diagnostics
import Exchanges
import Foundation
import JSON
import Scenarios
import TestSupport
import Testing

@Suite struct ReaderTests {
    static let accepted = (try? ScenarioFiles.corpus("accepted")) ?? []
    static let rejected =
        ((try? ScenarioFiles.corpus("rejected/shape")) ?? []) + ((try? ScenarioFiles.corpus("rejected/meaning")) ?? [])

    @Test func `the corpus is there`() {
        #expect(Self.accepted.count >= 5)
        #expect(Self.rejected.count >= 28)
    }

    @Test(arguments: accepted)
    func `a right script is accepted`(path: String) throws {
        let findings = ScenarioFiles.findings(ScenarioFiles.name(of: path), try TestFiles.bytes(path))
        #expect(findings == "")
    }

    @Test(arguments: rejected)
    func `a wrong script gets all its findings`(path: String) throws {
        let name = ScenarioFiles.name(of: path)
        let findings = ScenarioFiles.findings(name, try TestFiles.bytes(path))
        #expect(findings != "")
        try matchGolden(findings + "\n", "findings/\(name.dropLast(5)).txt")
    }

    @Test func `every rule has a sentence, and one text breaks it`() throws {
        var broken: Set<String> = []
        for path in Self.rejected {
            do throws(InvalidInput) {
                _ = try ScenarioFiles.read(path)
            } catch {
                broken.formUnion(error.diagnostics.map(\.rule))
            }
        }
        let outside: [ScenarioRule] = [.undeclaredVariable, .missingInput, .equalNames, .unusableStart]
        for rule in ScenarioRule.allCases where !outside.contains(rule) {
            #expect(rule.doc.hasSuffix("."))
            #expect(broken.contains(rule.rawValue), "no text of the corpus breaks \(rule)")
        }
    }

    /// Every script that ships, as far as this reader is concerned.
    @Test func `the shipped scripts are accepted by reader and schema`() throws {
        let root = TestFiles.root().appendingPathComponent("scenarios")
        let files = (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []).sorted()
        let validator = SchemaValidator(SchemaText.scenario())
        for file in files where file.hasSuffix(".json") {
            let folder = file.split(separator: "/").first.map(String.init) ?? ""
            guard !["schemas", "targets", "tenants", "caches", "policies"].contains(folder) else { continue }
            let bytes = try TestFiles.bytes("scenarios/\(file)")
            let findings = ScenarioFiles.findings(file, bytes)
            #expect(findings == "")
            let advice = (try? ScenarioFiles.read(file, bytes: bytes))?.advice.filter { $0.severity > .advice } ?? []
            #expect(advice.map(\.description) == [])
            #expect(validator.problems(try JSONParser.parse(bytes)) == [], "\(file)")
        }
    }

    /// Whatever is changed, the whole reading ends in a scenario or in findings that all have a place.
    @Test(arguments: accepted)
    func `a changed text is read or refused`(path: String) throws {
        let root = try JSONParser.parse(try TestFiles.bytes(path))
        let all = ScenarioFiles.mutants(of: root)
        for index in stride(from: 3, to: all.count, by: max(1, all.count / 150)) {
            do throws(InvalidInput) {
                _ = try ScenarioFiles.read("changed.json", bytes: JSONWriter.compactBytes(all[index].0))
            } catch {
                #expect(error.diagnostics.hasErrors, "\(all[index].1)")
                #expect(error.diagnostics.allSatisfy { $0.location?.line != nil }, "\(all[index].1)")
            }
        }
    }

    /// A text cut short at any byte ends in findings or is read, never in a trap.
    @Test func `a text cut anywhere is refused cleanly`() throws {
        let bytes = try TestFiles.bytes("Tests/Corpus/Scenarios/examples/8-key-roll-over.json")
        for end in stride(from: 0, to: bytes.count - 2, by: 7) {
            #expect(throws: InvalidInput.self) { _ = try ScenarioFiles.read("cut.json", bytes: Array(bytes[..<end])) }
        }
    }

    @Test(arguments: ["", "3", "[]", #""x""#, "null", "{}", #"{"name": "n"} x"#, #"{"steps": {"a": 1}}"#, "[[[["])
    func `what is not a scenario is refused`(text: String) {
        #expect(throws: InvalidInput.self) { _ = try ScenarioFiles.read("odd.json", bytes: Array(text.utf8)) }
    }

    /// Each holds a line feed in a header value, at the place named.
    static let brokenHeaders: [(place: String, step: String)] = [
        ("X-Y", #"{"http": {"url": "https://api.test/", "headers": {"X-Y": "a\nb"}}}"#),
        ("X-Y", #"{"open": {"endpoint": "authorize", "headers": {"X-Y": "a\nb"}}}"#),
        ("X-Y", #"{"callApi": {"api": "tasks", "headers": {"X-Y": "a\nb"}}}"#),
        (
            "X-Y",
            #"{"acquireToken": {}, "faults": [{"match": {"endpoint": "token"}, "request": {"headers": {"X-Y": "a\nb"}}}]}"#
        ),
        (
            "X-Y",
            #"{"acquireToken": {}, "faults": [{"match": {"endpoint": "token"}, "respond": {"headers": {"X-Y": "a\nb"}}}]}"#
        ),
        (
            "X-Y",
            #"{"acquireToken": {}, "faults": [{"match": {"endpoint": "token"}, "response": {"headers": {"X-Y": "a\nb"}}}]}"#
        ),
        ("X-Y", #"{"configure": {"rest": {"r": {"reply": {"headers": {"X-Y": "a\nb"}}}}}}"#),
        ("userAgent", #"{"configure": {"browser": {"userAgent": "a\nb"}}}"#),
        ("acceptLanguage", #"{"configure": {"browser": {"acceptLanguage": "a\nb"}}}"#),
    ]

    @Test(arguments: brokenHeaders.indices) func `a header value with a line break is refused at its place`(index: Int)
    {
        let row = Self.brokenHeaders[index]
        func findings(_ step: String) -> String {
            let text =
                #"{"name": "n", "tenant": "tenants/contoso.json", "app": "ios", "steps": [{"acquireToken": {}}, "#
                + step + "]}"
            return ScenarioFiles.findings("headers.json", Array(text.utf8))
        }
        #expect(findings(row.step).contains("line break"), "\(findings(row.step))")
        #expect(findings(row.step).contains(row.place), "\(findings(row.step))")
        #expect(findings(row.step.replacing("a\\nb", with: "a\\tb")) == "")
        // The message stays on its line.
        #expect(!findings(row.step).contains("a\nb"), "\(findings(row.step))")
    }

    @Test func `a tenant in place is enough`() throws {
        let text = #"""
            {"name": "n", "tenant": {"name": "fabrikam", "policies": {"susi": {"type": "signUpOrSignIn"}},
              "apps": {"a": {"client": {"kind": "msal-ios", "policy": "susi"}}}, "users": {"bob": {"email": "bob@example.test"}}},
             "steps": [{"acquireToken": {"policy": "susi"}, "user": "bob"}]}
            """#
        let scenario = try ScenarioFiles.read("inline.json", bytes: Array(text.utf8))
        #expect(scenario.app == "a")
        #expect(scenario.tenant.tenant.name == "fabrikam")
        #expect(scenario.tenant.pointer == "/tenant")
    }

    @Test func `another tenant file can take the place of the script's own`() throws {
        let text = #"{"name": "n", "tenant": "nowhere.json", "app": "ios", "steps": [{"acquireToken": {}}]}"#
        let scenario = try ScenarioReader.read(
            file: "scenarios/t.json", bytes: Array(text.utf8), tenants: ScenarioFiles.tenants,
            target: "scenarios/tenants/contoso.json")
        #expect(scenario.tenant.tenant.name == "contoso")
    }

    @Test func `steps are read as written`() throws {
        let scenario = try ScenarioFiles.read("Tests/Corpus/Scenarios/accepted/everything.json")
        #expect(scenario.tags == ["all"])
        #expect(
            scenario.clients == [ClientDeclaration(name: "second", app: "ios", device: "tablet", browser: "safari")])
        #expect(scenario.client(named: "second").device == "tablet")
        #expect(
            scenario.client(named: "ios")
                == ClientDeclaration(name: "ios", app: "ios", device: "device", browser: "device"))
        #expect(scenario.needs == [.clock])
        #expect(scenario.expectedFailure == nil)
        #expect(scenario.cases.map(\.name) == ["one", "two"])
        let parallel = try #require(scenario.allSteps.first { $0.verb == .parallel })
        #expect(parallel.steps.count == 2 && parallel.barriers == ["together"])
        #expect(scenario.allSteps.contains { $0.verb == .barrier })
    }
}
