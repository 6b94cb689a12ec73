import AuthorityHosting
import Determinism
import Diagnostics
import Exchanges
import JSON
import Scenarios
import Synchronization

/// Why a scenario cannot start.
enum StartProblem: Error {
    /// A value of the clock or a patch cannot be filled in; `of` is its place in the script, `nil` for the tenant file.
    case value(ValueError, of: JSONPointer?)
    /// The tenant, with all patches, cannot be used.
    case tenant(InvalidInput)

    /// In one line.
    var text: String {
        switch self {
        case .value(let error, let place):
            (place.flatMap(\.tokens.last).map { $0 == "clock" ? "" : "\($0)\(error.pointer): " } ?? "")
                + error.description
        case .tenant(let error): StepProblem.sentence(error)
        }
    }
}

/// Tenants that were compiled by the check before a run, for the run itself. Each is taken once. Only so many are kept:
/// the rest are compiled again, which costs less than the memory of a very large suite.
public final class PreparedRuns: Sendable {
    private struct Key: Hashable {
        var file: ExactText
        var caseName: ExactText?
        var seed: UInt64

        init(_ variant: ScenarioVariant, _ seed: UInt64) {
            file = ExactText(variant.scenario.file)
            caseName = variant.caseName.map { ExactText($0) }
            self.seed = seed
        }
    }

    private static let limit = 256
    private let known = Mutex<[Key: (Timestamp, CompiledTenant)]>([:])

    init() {}

    func keep(_ start: (Timestamp, CompiledTenant), for variant: ScenarioVariant, seed: UInt64) {
        known.withLock { if $0.count < Self.limit { $0[Key(variant, seed)] = start } }
    }

    func take(_ variant: ScenarioVariant, seed: UInt64) -> (Timestamp, CompiledTenant)? {
        known.withLock { $0.removeValue(forKey: Key(variant, seed)) }
    }
}

extension Runner {
    /// What keeps scenarios from starting, in every case that is chosen: values that cannot be filled in, tenants that
    /// cannot be used with the patches of scenario and case, policies that do not compile or link. Each with its place.
    ///
    /// - Parameters:
    ///   - inputsAreKnown: false where nobody has given variables, secrets and an environment yet: what needs them is
    ///     not checked.
    /// - Returns: The findings without repetition, and what a run with the same options need not do again.
    public static func startFindings(
        _ scenarios: [Scenario], options: RunOptions, inputsAreKnown: Bool
    ) async -> (findings: [Diagnostic], prepared: PreparedRuns) {
        let prepared = PreparedRuns()
        let variants = scenarios.flatMap(CaseExpansion.variants).filter { variant in
            variant.skip == nil
                && (options.cases.isEmpty || variant.caseName.map { options.cases.containsText($0) } ?? false)
        }
        var findings: [Diagnostic] = []
        var seen = Set<Diagnostic>()
        for (index, problem) in await problems(variants, options, prepared) {
            if !inputsAreKnown, needsInput(problem, variants[index]) { continue }
            for finding in StartFinding.placed(problem, variants[index]) where seen.insert(finding).inserted {
                findings.append(finding)
            }
        }
        return (findings, prepared)
    }

    /// What keeps variants from starting, by their index and in their order; as many workers look as there are jobs.
    private static func problems(
        _ variants: [ScenarioVariant], _ options: RunOptions, _ prepared: PreparedRuns
    ) async -> [(index: Int, problem: StartProblem)] {
        let shelf = TenantShelf(policies: options.policies)
        let workers = max(1, min(options.jobs, variants.count))
        return await withTaskGroup(of: [(index: Int, problem: StartProblem)].self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var found: [(index: Int, problem: StartProblem)] = []
                    for index in stride(from: worker, to: variants.count, by: workers) {
                        let run = ScenarioRun(variant: variants[index], options: options, shelf: shelf)
                        do throws(StartProblem) {
                            try await run.prepare(in: prepared)
                        } catch {
                            found.append((index, error))
                        }
                    }
                    return found
                }
            }
            var all: [(index: Int, problem: StartProblem)] = []
            for await found in group { all += found }
            return all.sorted { $0.index < $1.index }
        }
    }

    private static func needsInput(_ problem: StartProblem, _ variant: ScenarioVariant) -> Bool {
        guard case .value(let error, _) = problem, let reference = try? ValueReference(parsing: error.reference) else {
            return false
        }
        return [ValueRoot.env, .secret].contains(ValueRoot(rawValue: reference.root))
            || variant.scenario.variables[reference.root]?.isNull == true
    }
}

/// Finds the places of what is wrong at the start of a scenario.
private enum StartFinding {
    static func placed(_ problem: StartProblem, _ variant: ScenarioVariant) -> [Diagnostic] {
        switch problem {
        case .value(let error, let place):
            let document = place == nil ? variant.scenario.tenant.document : variant.scenario.document
            let base = place ?? variant.scenario.tenant.pointer
            let pointer = JSONPointer(tokens: base.tokens + error.pointer.tokens)
            return [document.finding(rule: ScenarioRule.unusableStart.rawValue, error.description, at: pointer)]
        case .tenant(let error):
            return error.diagnostics.filter { $0.severity == .error }.map { placed($0, variant) }
        }
    }

    /// A finding about a policy file has its place; one about the tenant belongs to the patch that says most of it.
    private static func placed(_ finding: Diagnostic, _ variant: ScenarioVariant) -> Diagnostic {
        guard finding.location?.line == nil else { return finding }
        if let location = finding.location, location.pointer == nil, !location.file.hasPrefix("tenant ") {
            return finding
        }
        let tokens = finding.location?.pointer.flatMap { JSONPointer($0) }?.tokens ?? []
        let scenario = variant.scenario
        var best = (document: scenario.tenant.document, pointer: scenario.tenant.pointer, depth: 0)
        let patches = variant.placedPatches.reversed().map { (scenario.document, $0.pointer) }
        for (document, base) in patches + [(scenario.tenant.document, scenario.tenant.pointer)] {
            var depth = tokens.count
            while depth > 0, document.root.value(at: JSONPointer(tokens: base.tokens + tokens.prefix(depth))) == nil {
                depth -= 1
            }
            if depth > best.depth { best = (document, JSONPointer(tokens: base.tokens + tokens.prefix(depth)), depth) }
        }
        var finding = finding
        finding.location = best.document.location(of: best.pointer)
        return finding
    }
}
