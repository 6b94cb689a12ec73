import CommandFiles
import CommandKit
import Scenarios

/// Picks scenarios by the filters of the command line. A filter that nothing matches is an error: a suite that was
/// renamed must not turn green by running nothing.
package struct ScenarioFilter {
    /// One of these is required; `A+B` requires both, and `!TAG` excludes a tag.
    package var tags: [String] = []
    /// A text in the scenario's name.
    package var name: String?
    /// Names of cases.
    package var cases: [String] = []

    /// Only these cases; empty: everything.
    init(cases: [String] = []) { self.cases = cases }

    /// The filters of options, else of the environment.
    init(_ filter: FilterOptions, variable: EnvironmentOption.Lookup) {
        tags =
            filter.tags.isEmpty
            ? EnvironmentOption.list("B2C_TAGS", variable: variable) : filter.tags.flatMap(EnvironmentOption.words)
        name = filter.name ?? variable("B2C_NAME")
        cases = filter.cases.isEmpty ? [variable("B2C_CASE")].compactMap(\.self) : filter.cases
    }

    /// The scenarios that run, cut after their step, with the cases that run.
    func choose(_ all: [(scenario: Scenario, step: String?)]) throws -> [Scenario] {
        guard !all.isEmpty else { throw Failure.usage("there are no scenarios to run here") }
        var chosen: [Scenario] = []
        for (scenario, step) in all { chosen.append(try cut(scenario, after: step)) }
        chosen = try byTags(chosen)
        chosen = try byName(chosen)
        return cases.isEmpty ? chosen : try chosen.with(cases: cases)
    }

    private func cut(_ scenario: Scenario, after step: String?) throws -> Scenario {
        guard let step else { return scenario }
        if let cut = scenario.ending(after: step) { return cut }
        let ids = scenario.allSteps.compactMap(\.id)
        throw Failure.usage(
            "\(scenario.file) has no step with the id \(step)"
                + nameSuggestion(step, among: ids, "Its steps with ids are"))
    }

    private func byTags(_ scenarios: [Scenario]) throws -> [Scenario] {
        guard !tags.isEmpty else { return scenarios }
        let wanted = tags.filter { !$0.hasPrefix("!") }
        let unwanted = tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        let chosen = scenarios.filter { scenario in
            (wanted.isEmpty || wanted.contains { Self.fits($0, scenario.tags) })
                && !scenario.tags.contains { unwanted.contains($0) }
        }
        guard chosen.isEmpty else { return chosen }
        let known = Set(scenarios.flatMap(\.tags)).sorted()
        throw Failure.usage(
            "no scenario matches --tags \(tags.joined(separator: ","))"
                + nameSuggestion(Self.unknown(wanted, known) ?? wanted.first ?? "", among: known, "Tags are"))
    }

    /// Whether tags have what `smoke+team1` requires: all of its parts, of which `!TAG` excludes one.
    private static func fits(_ wanted: String, _ tags: [String]) -> Bool {
        // A tag may have a plus sign of its own.
        if tags.contains(wanted) { return true }
        return wanted.split(separator: "+").allSatisfy { part in
            part.hasPrefix("!") ? !tags.contains(String(part.dropFirst())) : tags.contains(String(part))
        }
    }

    /// The first part of what is asked for that is not a tag at all.
    private static func unknown(_ wanted: [String], _ known: [String]) -> String? {
        wanted.flatMap { $0.split(separator: "+") }.map { String($0.first == "!" ? $0.dropFirst() : $0) }
            .first { !known.contains($0) }
    }

    private func byName(_ scenarios: [Scenario]) throws -> [Scenario] {
        guard let name else { return scenarios }
        let wanted = name.lowercased()
        let chosen = scenarios.filter { $0.name.lowercased().contains(wanted) }
        guard chosen.isEmpty else { return chosen }
        throw Failure.usage("no scenario has \"\(name)\" in its name; --list shows the names")
    }
}
