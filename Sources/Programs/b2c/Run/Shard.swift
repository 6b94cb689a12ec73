import CommandKit
import Scenarios

/// One machine's part of a suite.
package struct Shard: Hashable {
    /// From 1.
    package var index: Int
    /// How many machines share the suite.
    package var count: Int

    /// What `--shard` or its variable says; `nil`: nothing.
    ///
    /// - Throws: ``Failure`` for a text that names no part.
    init?(_ filter: FilterOptions, variable: EnvironmentOption.Lookup) throws {
        guard let text = filter.shard ?? variable("B2C_SHARD") else { return nil }
        try self.init(text, option: filter.shard == nil ? "B2C_SHARD" : "--shard", variable: variable)
    }

    /// Reads `2/5`, or `auto`, which is what the CI service says.
    ///
    /// - Throws: ``Failure`` with the forms that there are.
    private init(_ text: String, option: String, variable: EnvironmentOption.Lookup) throws {
        if text.lowercased() == "auto" {
            self = try Self.ofService(option, variable: variable)
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else {
            throw Failure.usage("\(option) is \"\(text)\", and must be INDEX/COUNT such as 2/5, or auto")
        }
        try self.init(index, of: count, "\(option) \(text)")
    }

    private init(_ index: Int, of count: Int, _ origin: String) throws {
        guard count >= 1, index >= 1, index <= count else {
            throw Failure.usage("\(origin): the index goes from 1 to the count, as in 1/5 to 5/5")
        }
        self.index = index
        self.count = count
    }

    /// Variables of CI services that start a job several times: the number of the job, where it starts, and the count.
    private static let services: [(index: String, base: Int, count: String)] = [
        ("CI_NODE_INDEX", 1, "CI_NODE_TOTAL"),  // GitLab
        ("CIRCLE_NODE_INDEX", 0, "CIRCLE_NODE_TOTAL"),
        ("SYSTEM_JOBPOSITIONINPHASE", 1, "SYSTEM_TOTALJOBSINPHASE"),  // Azure Pipelines
        ("BUILDKITE_PARALLEL_JOB", 0, "BUILDKITE_PARALLEL_JOB_COUNT"),
    ]

    private static func ofService(_ option: String, variable: EnvironmentOption.Lookup) throws -> Shard {
        for service in services {
            guard let index = variable(service.index), let count = variable(service.count) else { continue }
            let origin = "\(service.index)=\(index), \(service.count)=\(count)"
            guard let number = Int(index), let total = Int(count), number < Int.max else {
                throw Failure.usage("\(origin): both must be whole numbers")
            }
            return try Shard(number + 1 - service.base, of: total, origin)
        }
        throw Failure.usage(
            "\(option) auto: the variables of GitLab, CircleCI, Azure Pipelines and Buildkite are not set; write INDEX/COUNT, "
                + "on GitHub Actions from the matrix")
    }

    /// The number of the shard that runs each case of a suite, from 1.
    ///
    /// Neighbours take about as long as each other, so that without times they go to different machines. With times the
    /// longest go first, each to the machine that has least to do; a case without a time counts as the average.
    ///
    /// - Parameter times: Milliseconds of each case in the order of the report; `nil` where they are not known.
    package func owners(of times: [Int64?]) -> [Int] {
        let known = times.compactMap { $0 }
        guard !known.isEmpty else { return times.indices.map { $0 % count + 1 } }
        let average = known.reduce(0, +) / Int64(known.count)
        // What takes less than a millisecond still takes its share of starting up.
        let weights = times.map { max($0 ?? average, 1) }
        let order = weights.indices.sorted { weights[$0] == weights[$1] ? $0 < $1 : weights[$0] > weights[$1] }
        var loads = [Int64](repeating: 0, count: min(count, weights.count))
        var owners = [Int](repeating: 1, count: weights.count)
        for place in order {
            let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[least] += weights[place]
            owners[place] = least + 1
        }
        return owners
    }
}

extension [Scenario] {
    /// The scenarios with those of their runs that a test accepts; it is asked in the order of the report.
    func keeping(_ isChosen: (Scenario, String?) -> Bool) -> [Scenario] {
        compactMap { scenario in
            var scenario = scenario
            guard !scenario.cases.isEmpty else { return isChosen(scenario, nil) ? scenario : nil }
            scenario.cases = scenario.cases.filter { isChosen(scenario, $0.name) }
            return scenario.cases.isEmpty ? nil : scenario
        }
    }
}
