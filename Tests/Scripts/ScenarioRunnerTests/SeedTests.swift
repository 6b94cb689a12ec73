import Diagnostics
import JSON
import ScenarioRunner
import Scenarios
import Testing
import TrustFramework

/// What a run depends on: the seed, the name of the file and the case. Not the place of the file, nor, for a verdict,
/// any of them.
struct SeedTests {
    /// The shipped scripts with branches that run at once.
    static let parallel = ShippedScriptTests.files.filter { file in
        Running.bytes(file).map { String(decoding: $0, as: UTF8.self).contains("\"parallel\"") } ?? false
    }

    /// Reads a shipped script as if the repository were in another folder, and the script had another name.
    private static func scenario(_ file: String, in folder: String = "", named name: String? = nil) throws -> Scenario {
        var path = folder + file
        if let name { path = ScenarioPath.folder(of: path) + "/" + name }
        let bytes = try #require(Running.bytes(file))
        do throws(InvalidInput) {
            return try ScenarioReader.read(
                file: path, bytes: bytes,
                files: { $0.hasPrefix(folder) ? Running.bytes(String($0.dropFirst(folder.count))) : nil })
        } catch {
            Issue.record("\(path): \(error.diagnostics.map(\.message).joined(separator: "; "))")
            throw error
        }
    }

    private static func run(
        _ scenario: Scenario, in folder: String = "", seed: UInt64 = 7, drawsOrder: Bool = false
    ) async -> RunReport {
        @Sendable func shipped(_ path: String) -> String? {
            path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : nil
        }
        let policies = PolicyShelf(
            files: PolicyFiles(
                read: { shipped($0).flatMap { Running.bytes($0) } },
                list: { shipped($0).flatMap { Running.names(in: $0) } }))
        var options = RunOptions(seed: seed, keepOutcomes: true, policies: policies, writeFile: { _, _ in nil })
        options.keepLog = true
        options.drawsOrder = drawsOrder
        return await Runner.run(scenario, options: options)
    }

    /// Everything that was drawn and sent.
    private static func whole(_ report: RunReport) -> [String] {
        func text(_ step: StepReport) -> String {
            "\(step.title) \(step.status) \(step.outcome.map { JSONWriter.compact($0) } ?? "")"
                + step.steps.map(text).joined()
        }
        return report.scenarios.map { scenario in
            "\(scenario.status) \(scenario.steps.map(text)) \(scenario.log.map { JSONWriter.compact($0) })"
        }
    }

    /// Who sent what in which order, and how each step ended; nothing that is drawn.
    private static func order(_ report: RunReport) -> [String] {
        func text(_ step: StepReport) -> String {
            "\(step.title): \(step.status) \(step.problems) \(step.elapsed) [\(step.steps.map(text).joined(separator: ", "))]"
        }
        return report.scenarios.flatMap { scenario in
            ["\(scenario.title): \(scenario.status)"] + scenario.steps.map(text)
                + scenario.log.map { record in
                    ["number", "step", "client", "from", "endpoint", "at"].map { key in
                        record[key].map { JSONWriter.compact($0) } ?? "-"
                    }.joined(separator: " ")
                }
        }
    }

    @Test func `shipped scripts have branches`() {
        #expect(Self.parallel.count >= 6)
    }

    @Test(arguments: parallel)
    func `a script is the same bytes from every folder`(_ file: String) async throws {
        let report = await Self.run(try Self.scenario(file))
        #expect(report.isGood)
        let here = Self.whole(report)
        for folder in ["../../", "/srv/a b/"] {
            #expect(Self.whole(await Self.run(try Self.scenario(file, in: folder), in: folder)) == here)
        }
    }

    @Test(arguments: parallel)
    func `a script that was renamed ends the same way`(_ file: String) async throws {
        let here = Self.order(await Self.run(try Self.scenario(file)))
        for name in ["renamed copy.json", "zz-\u{e9}.json"] {
            #expect(Self.order(await Self.run(try Self.scenario(file, named: name))) == here)
        }
    }

    @Test(arguments: parallel)
    func `branches take turns in the order written whatever the seed`(_ file: String) async throws {
        let scenario = try Self.scenario(file)
        let here = Self.order(await Self.run(scenario))
        for seed in [0, 41, 12_345, UInt64.max] {
            #expect(Self.order(await Self.run(scenario, seed: seed)) == here, "seed \(seed)")
        }
    }

    @Test func `drawn orders differ and repeat`() async throws {
        let scenario = try Self.scenario("scenarios/silent/side-by-side.json")
        let seeds: [UInt64] = Array(1...6)
        var orders: Set<[String]> = []
        for seed in seeds {
            let report = await Self.run(scenario, seed: seed, drawsOrder: true)
            #expect(report.isGood, "seed \(seed)")
            orders.insert(report.scenarios[0].log.map { $0["number"].map { "\($0)" } ?? "" } + Self.order(report))
            #expect(Self.whole(await Self.run(scenario, seed: seed, drawsOrder: true)) == Self.whole(report))
        }
        #expect(orders.count > 1)
    }

    @Test func `names of files and cases keep streams apart`() throws {
        func stream(_ file: String, _ name: String?) throws -> String {
            let cases = name.map { ", \"cases\": { \(JSONWriter.compact(.string($0))): {} }" } ?? ""
            let text = """
                { "name": "x", "tenant": "tenants/contoso.json", "app": "ios", "steps": [ { "accounts": {} } ]\(cases) }
                """
            let tenant = Running.bytes("scenarios/tenants/contoso.json")
            let scenario = try ScenarioReader.read(
                file: file, bytes: Array(text.utf8), files: { $0.hasSuffix("contoso.json") ? tenant : nil })
            return try #require(CaseExpansion.variants(of: scenario).first).stream
        }
        #expect(try stream("a.json", nil) == "a.json")
        #expect(try stream("/x/y/a.json", nil) == "a.json")
        #expect(try stream("../y//a.json", "one") == "a.json/one")
        // A case that is called like a part of another's path is not that part.
        #expect(try stream("a.json", "one/authority") == "a.json/one~1authority")
        #expect(try stream("a.json", "one~1authority") == "a.json/one~01authority")
    }
}
