import Diagnostics
import JSON
import Testing
import TrustFramework

/// Published policies load, link and run as expected of them. Lines that begin with `corpus` are the report that CI
/// prints.
@Suite struct CorpusTests {
    @Test func `the report says where the corpus is`() {
        print(Corpus.isThere ? "corpus: \(Corpus.files.count) files" : "corpus: skipped, there is no ../shared/corpus")
    }

    // The corpus is not part of the repository: without it there is nothing to hold the engine to.
    @Test(.enabled(if: Corpus.isThere)) func `policies load and link as expected`() async throws {
        let entries = try Corpus.json("load.json")["entries"]?.arrayValue ?? []
        #expect(!entries.isEmpty)
        var counts = Counts()
        for (name, verdict) in await inParallel(entries, CorpusLoad.verdict) { counts.add(name, verdict) }
        counts.report("LOAD")
        print("corpus LOAD false alarms: \(counts.alarms)")
        for failure in counts.failures { Issue.record("\(failure)") }
    }

    @Test(.enabled(if: Corpus.isThere)) func `journeys run as expected`() async throws {
        let cases = try Corpus.json("expectations.json")["cases"]?.arrayValue ?? []
        #expect(!cases.isEmpty)
        let results = await inParallel(cases, CorpusRun.play)
        let claims = Dictionary(results.map { ($0.0, $0.1.claims) }, uniquingKeysWith: { first, _ in first })
        for confidence in ["high", "medium", "low"] {
            var counts = Counts()
            for (item, result) in zip(cases, results) where item["confidence"]?.stringValue == confidence {
                var verdict = result.1.verdict
                if case .passed = verdict, let why = CorpusRun.unrelated(item, result.1.claims, claims) {
                    verdict = .failed(why)
                }
                counts.add(result.0, verdict)
            }
            counts.report("RUN \(confidence)")
            for failure in counts.failures { Issue.record("\(failure)") }
        }
    }

    /// Nothing in the starter packs is unknown to the table of what is simulated; of other sets it is printed.
    @Test(.enabled(if: Corpus.isThere)) func `the table of features knows the starter packs`() async throws {
        let entries = try Corpus.json("load.json")["entries"]?.arrayValue ?? []
        var lines: [String] = []
        for (set, findings) in await inParallel(entries, CorpusLoad.unknownFeatures) {
            for finding in findings {
                if set == "starterpack" { Issue.record("\(finding)") }
                if !lines.contains("\(finding)") { lines.append("\(finding)") }
            }
        }
        print("corpus features that are not simulated or not known: \(lines.count)")
        for line in lines { print("corpus feature: \(line)") }
    }

    /// All results, in the order of the items.
    private func inParallel<R: Sendable>(
        _ items: [JSONValue], _ work: @escaping @Sendable (JSONValue) -> R
    ) async -> [R] {
        await withTaskGroup(of: (Int, R).self) { group in
            for (place, item) in items.enumerated() { group.addTask { (place, work(item)) } }
            var results: [(Int, R)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

enum Verdict: Sendable {
    case passed
    case failed(String)
    /// An error where there is none.
    case falseAlarm(String)
    /// The set's files are not included in the corpus.
    case notAvailable
}

/// Results of one measure.
struct Counts {
    var passed = 0
    var alarms = 0
    var absent = 0
    var failures: [String] = []

    mutating func add(_ name: String, _ verdict: Verdict) {
        switch verdict {
        case .passed: passed += 1
        case .notAvailable: absent += 1
        case .failed(let why): failures.append("\(name): \(why)")
        case .falseAlarm(let why):
            alarms += 1
            failures.append("\(name): false alarm: \(why)")
        }
    }

    func report(_ measure: String) {
        print(
            "corpus \(measure): \(passed) passed, \(failures.count) failed, \(absent) not available (set not included)")
        for failure in failures { print("corpus \(measure) failed: \(failure)") }
    }
}

enum CorpusLoad {
    /// Names of the corpus for defects, and the rules under which they are reported here.
    private static let rules: [(theirs: String, ours: [String])] = [
        ("profile-ref", ["B2C-POL-021"]), ("journey-ref", ["B2C-POL-025"]), ("exchange-ref", ["B2C-POL-027"]),
        ("structure", ["B2C-POL-002"]), ("claim-ref", ["B2C-POL-020"]), ("transformation-ref", ["B2C-POL-022"]),
        ("content-ref", ["B2C-POL-023"]),
    ]

    @Sendable static func verdict(_ entry: JSONValue) -> (String, Verdict) {
        let set = entry["set"]?.stringValue ?? ""
        let name = "\(set)/\(entry["file"]?.stringValue ?? "")"
        let prefix = Corpus.folder(ofSet: set)
        let files = entry["chain"]?.arrayValue?.compactMap { $0.stringValue.map { prefix + $0 } } ?? []
        guard files.allSatisfy(Corpus.files.contains) else { return (name, .notAvailable) }
        let chain = CorpusChain(files: files, base: entry["base"]?.stringValue)
        let loads = chain.isComplete && !chain.problems.contains { $0.rule == "B2C-POL-001" }
        guard loads == (entry["expect", "loads"]?.boolValue ?? true) else {
            return (name, .failed("loads is \(loads): \(chain.problems.prefix(3))"))
        }
        guard loads else { return (name, .passed) }
        var errors: [Diagnostic] = []
        do throws(InvalidInput) { _ = try chain.link() } catch {
            errors = error.diagnostics.filter { $0.severity == .error }
        }
        let isConsistent = entry["expect", "consistent"]?.boolValue ?? true
        if isConsistent {
            return (name, errors.isEmpty ? .passed : .falseAlarm("\(errors.prefix(3))"))
        }
        return (name, named(errors, entry["expect", "problems"]?.arrayValue ?? [], prefix))
    }

    /// What linking says of things that the table of features refuses or does not know.
    @Sendable static func unknownFeatures(_ entry: JSONValue) -> (String, [Diagnostic]) {
        let set = entry["set"]?.stringValue ?? ""
        let prefix = Corpus.folder(ofSet: set)
        let files = entry["chain"]?.arrayValue?.compactMap { $0.stringValue.map { prefix + $0 } } ?? []
        guard files.allSatisfy(Corpus.files.contains),
            let policy = try? CorpusChain(files: files, base: entry["base"]?.stringValue).link()
        else { return (set, []) }
        return (set, policy.findings.filter { $0.rule == "B2C-POL-090" || $0.rule == "B2C-POL-054" })
    }

    /// A real defect is reported at its line, and nothing but such defects.
    private static func named(_ errors: [Diagnostic], _ problems: [JSONValue], _ prefix: String) -> Verdict {
        let allowed = problems.flatMap { problem in
            rules.first { $0.theirs == problem["rule"]?.stringValue }?.ours ?? []
        }
        if let other = errors.first(where: { !allowed.contains($0.rule) }) { return .falseAlarm("\(other)") }
        let isFound = errors.contains { error in
            problems.contains { problem in
                guard let line = error.location?.line, let wanted = problem["line"]?.intValue else { return false }
                return error.location?.file == prefix + (problem["file"]?.stringValue ?? "")
                    && abs(line - Int(wanted)) <= 1
            }
        }
        return isFound ? .passed : .failed("reports \(errors), wanted one of \(problems)")
    }
}

enum CorpusRun {
    struct Played: Sendable {
        var verdict: Verdict
        var claims = JSONObject()
    }

    @Sendable static func play(_ item: JSONValue) -> (String, Played) {
        let name = item["id"]?.stringValue ?? ""
        let prefix = Corpus.folder(ofSet: item["set"]?.stringValue ?? "")
        let entry = prefix + (item["policy"]?.stringValue ?? "")
        let also = item["also"]?.arrayValue?.compactMap { $0.stringValue.map { prefix + $0 } } ?? []
        guard ([entry] + also).allSatisfy(Corpus.files.contains) else { return (name, Played(verdict: .notAvailable)) }
        // A complete set has its parents beside the entry.
        let folder = entry.lastIndex(of: "/").map { String(entry[..<$0]) } ?? ""
        let base = item["base"]?.stringValue ?? folder
        let chain = CorpusChain(files: [entry] + also, base: base)
        do throws(InvalidInput) {
            let result = CorpusPlayer.play(item, try chain.link())
            guard result.problems.isEmpty else {
                return (name, Played(verdict: .failed(result.problems.joined(separator: "; "))))
            }
            return (name, Played(verdict: .passed, claims: result.claims))
        } catch {
            return (name, Played(verdict: .failed("does not link: \(error.diagnostics.prefix(3))")))
        }
    }

    /// Why a case does not stand to another as it should.
    static func unrelated(_ item: JSONValue, _ claims: JSONObject, _ others: [String: JSONObject]) -> String? {
        for relation in item["relations"]?.arrayValue ?? [] {
            let claim = relation["claim"]?.stringValue ?? ""
            if let other = relation["same_as"]?.stringValue, claims[claim] != others[other]?[claim] {
                return "\(claim) is not that of \(other)"
            }
            if let other = relation["differs_from"]?.stringValue, claims[claim] == others[other]?[claim] {
                return "\(claim) is that of \(other)"
            }
        }
        return nil
    }
}
