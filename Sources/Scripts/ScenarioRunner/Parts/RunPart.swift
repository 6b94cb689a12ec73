import Determinism
import Diagnostics
import JSON
import Scenarios

/// What one machine ran of a suite that several machines share, with everything that reports need.
///
/// As a file it is JSON Lines: a header, a line for each scenario, a line for each policy file whose coverage was
/// counted, and a last line that says how many there are, so that a file that was cut off is noticed.
public struct RunPart: Sendable {
    /// The version of the tool that ran it.
    public var tool: String
    /// Which part it is, from 1.
    public var index: Int
    /// How many parts there are.
    public var count: Int
    /// A digest of the whole suite: scripts with their texts, cases and filters.
    public var suite: String
    /// How many scenarios and cases the whole suite has.
    public var total: Int
    /// The index of each of the report's scenarios in the whole suite, from 0.
    public var places: [Int]
    /// Wall time of each of the report's scenarios.
    public var times: [TimeSpan]
    /// Wall time of the part.
    public var wall: TimeSpan
    public var report: RunReport
    /// Whether outcomes of all steps and records of all requests are in the report, as traces need them.
    public var hasTrace: Bool
    /// `nil`: coverage was not counted.
    public var coverage: CoverageReport?

    public init(
        tool: String, index: Int, count: Int, suite: String, total: Int, places: [Int], times: [TimeSpan],
        wall: TimeSpan, report: RunReport, hasTrace: Bool, coverage: CoverageReport?
    ) {
        self.tool = tool
        self.index = index
        self.count = count
        self.suite = suite
        self.total = total
        self.places = places
        self.times = times
        self.wall = wall
        self.report = report
        self.hasTrace = hasTrace
        self.coverage = coverage
    }

    /// Why parts cannot be put together, in one sentence.
    public struct Problem: Error, Hashable, CustomStringConvertible {
        /// The sentence.
        public var description: String

        public init(_ description: String) { self.description = description }
    }

    /// Several parts as one run.
    public struct Whole: Sendable {
        public var report: RunReport
        /// Wall time of each of the report's scenarios.
        public var times: [TimeSpan]
        /// Wall time of the slowest part.
        public var wall: TimeSpan
        public var hasTrace: Bool
        public var coverage: CoverageReport?
    }

    /// Puts all parts of a suite together, in the order of the suite.
    ///
    /// - Parameter parts: The parts with the names of their files, in any order.
    /// - Throws: ``Problem`` when the parts are not those of one suite, seed and version, or when one is missing or
    ///   there twice.
    public static func merged(_ parts: [(file: String, part: RunPart)]) throws(Problem) -> Whole {
        guard let (firstFile, first) = parts.first else { throw Problem("there is no part to merge") }
        for (file, part) in parts.dropFirst() {
            func differs(_ what: String, _ left: String, _ right: String) -> Problem {
                Problem(
                    "\(firstFile) and \(file) are not parts of one run: \(what) is \(left) in the first and \(right) in the second"
                )
            }
            if part.tool != first.tool { throw differs("the version of b2c", first.tool, part.tool) }
            if part.report.target != first.report.target {
                throw differs("the target", first.report.target, part.report.target)
            }
            if part.count != first.count { throw differs("the number of shards", "\(first.count)", "\(part.count)") }
            if part.report.seed != first.report.seed {
                throw differs("the seed", "\(first.report.seed)", "\(part.report.seed)")
            }
            if part.suite != first.suite || part.total != first.total {
                throw Problem(
                    "\(firstFile) and \(file) are not parts of one suite: the scripts, their texts or the filters "
                        + "differ; run all shards on one commit with the same options")
            }
        }
        try checkNumbers(parts, of: first.count)
        // By place, not a list of all places: a damaged file may say that there are millions.
        var slots: [Int: (scenario: ScenarioReport, time: TimeSpan)] = [:]
        for (file, part) in parts {
            for ((scenario, place), time) in zip(zip(part.report.scenarios, part.places), part.times) {
                guard slots[place] == nil else {
                    throw Problem(
                        "\(file) has \(scenario.file): \(scenario.title), which is in another part too; the shards were "
                            + "divided by different --timings files")
                }
                slots[place] = (scenario, time)
            }
        }
        guard slots.count == first.total else {
            throw Problem(
                "\(first.total - slots.count) of \(first.total) scenarios are in no part; the shards were divided by "
                    + "different --timings files")
        }
        let found = slots.sorted { $0.key < $1.key }.map(\.value)
        var report = first.report
        report.scenarios = found.map(\.scenario)
        let coverages = parts.compactMap(\.part.coverage)
        return Whole(
            report: report, times: found.map(\.time), wall: parts.map(\.part.wall).max() ?? .zero,
            hasTrace: parts.allSatisfy(\.part.hasTrace),
            coverage: coverages.count == parts.count ? CoverageReport.sum(coverages) : nil)
    }

    private static func checkNumbers(_ parts: [(file: String, part: RunPart)], of count: Int) throws(Problem) {
        var files: [Int: String] = [:]
        for (file, part) in parts {
            if let other = files[part.index] {
                throw Problem("\(other) and \(file) are both part \(part.index) of \(count)")
            }
            files[part.index] = file
        }
        guard files.count < count else { return }
        // A wrong count in a damaged file must not make this loop long.
        var missing: [String] = []
        var index = 1
        while index <= count, missing.count < 20 {
            if files[index] == nil { missing.append("\(index)/\(count)") }
            index += 1
        }
        throw Problem(
            "\(missing.count == 1 ? "part" : "parts") \(missing.joined(separator: ", ")) \(missing.count == 1 ? "is" : "are") "
                + "missing; merge takes the file of every shard")
    }
}

extension CoverageReport {
    /// The counts of several runs together, as one run would have counted.
    public static func sum(_ reports: [CoverageReport]) -> CoverageReport {
        struct Key: Hashable {
            var kind: Kind
            var id: String
            var line: Int
        }
        var files: [String: [Key: Item]] = [:]
        for file in reports.flatMap(\.files) {
            for item in file.items {
                let key = Key(kind: item.kind, id: item.id, line: item.line)
                guard var known = files[file.path]?[key] else {
                    files[file.path, default: [:]][key] = item
                    continue
                }
                known.hits = known.hits.addingWithoutOverflow(item.hits)
                if let branches = item.branches {
                    known.branches = Branches(
                        skipped: (known.branches?.skipped ?? 0).addingWithoutOverflow(branches.skipped),
                        passed: (known.branches?.passed ?? 0).addingWithoutOverflow(branches.passed))
                }
                files[file.path]?[key] = known
            }
        }
        return CoverageReport(
            files: files.sorted { $0.key < $1.key }.map { path, items in
                File(
                    path: path,
                    items: items.values.sorted {
                        ($0.line, $0.kind.rawValue, $0.id) < ($1.line, $1.kind.rawValue, $1.id)
                    })
            })
    }
}

extension Int {
    /// The sum, or the greatest number where it is out of range: counts come from files.
    fileprivate func addingWithoutOverflow(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
