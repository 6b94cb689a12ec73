import B2CProtocol
import CommandKit
import Diagnostics
import Exchanges
import JSON
import Scenarios
import TrustFramework

/// Scenario files, all read before anything runs, with everything that is wrong with any of them.
package struct Scripts {
    /// The good ones, each with the step after which it ends, in the order in which they were named and found.
    package private(set) var scenarios: [(scenario: Scenario, step: String?)] = []
    package private(set) var findings: [Diagnostic] = []

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - tenant: Path of a tenant file that takes the place of the scripts' own. A script that does not fit it is good
    ///     all the same: it is skipped, with the reason.
    ///   - read: Brings the content of a file.
    ///   - policies: Where custom policies come from.
    package init(
        _ files: [FoundFile], tenant: String? = nil,
        read: @escaping @Sendable (String) -> [UInt8]? = { try? FileSystem.read($0) }, policies: PolicyFiles = .disk
    ) {
        let tenants = TenantLibrary(
            files: read, policies: PolicyShelf(files: policies), names: { (try? FileSystem.names(in: $0)) ?? [] })
        let scripts = files.filter { $0.content == .scenario }
        // One core reads what nearly every tenant needs next: the base of its user flows.
        let read = Parallel.map([nil] + scripts) { file -> Result<Scenario, InvalidInput>? in
            if let file { return Self.read(file, tenant: tenant, tenants) }
            UserFlowCompiler.prepare()
            return nil
        }
        for (file, scenario) in zip(scripts, read.compactMap(\.self)) {
            switch scenario {
            case .success(let scenario):
                findings += scenario.advice
                scenarios.append((scenario, file.step))
            case .failure(let error): findings += error.diagnostics
            }
        }
        findings += Self.equalNames(scenarios.map { ($0.scenario.name, $0.scenario.document) })
    }

    private static func read(
        _ file: FoundFile, tenant: String?, _ tenants: TenantLibrary
    ) -> Result<Scenario, InvalidInput> {
        do throws(InvalidInput) {
            let scenario = try ScenarioReader.read(file: file.path, bytes: file.bytes, tenants: tenants)
            return .success(tenant.map { moved(scenario, file, to: $0, tenants) } ?? scenario)
        } catch {
            return .failure(error)
        }
    }

    /// Reports name runs by scenario, so two files with one name look the same there.
    static func equalNames(_ scripts: [(name: String, document: JSONDocument)]) -> [Diagnostic] {
        var first: [ExactText: String] = [:]
        return scripts.compactMap { name, document in
            guard let other = first[ExactText(name)] else {
                first[ExactText(name)] = document.source.file
                return nil
            }
            guard other != document.source.file else { return nil }
            return document.finding(
                .warning, rule: ScenarioRule.equalNames.rawValue,
                "\(other) has the same name", remedy: "Give one of them another name.",
                at: JSONPointer(tokens: ["name"]))
        }
    }

    /// The script in another tenant.
    private static func moved(
        _ scenario: Scenario, _ file: FoundFile, to tenant: String, _ tenants: TenantLibrary
    ) -> Scenario {
        do throws(InvalidInput) {
            return try ScenarioReader.read(file: file.path, bytes: file.bytes, tenants: tenants, target: tenant)
        } catch {
            var scenario = scenario
            let first = error.diagnostics.first { $0.severity == .error } ?? error.diagnostics.first
            scenario.skip = scenario.skip ?? "does not fit the tenant of the target: \(first?.message ?? "")"
            return scenario
        }
    }

    /// The texts that findings point into.
    package static func sources(
        of findings: [Diagnostic], known: [FoundFile],
        read: (String) -> [UInt8]? = { try? FileSystem.read($0) }
    ) -> [SourceText] {
        var seen: Set<String> = []
        return findings.compactMap { finding in
            guard let file = finding.location?.file, seen.insert(file).inserted else { return nil }
            let bytes = known.first { $0.path == file }?.bytes ?? read(file)
            return bytes.map { SourceText(file: file, bytes: $0) }
        }
    }
}

extension [Scenario] {
    /// The scenarios that have one of some cases, with those alone.
    ///
    /// - Throws: ``Failure`` if none has.
    package func with(cases: [String]) throws -> [Scenario] {
        let chosen = compactMap { scenario -> Scenario? in
            var scenario = scenario
            scenario.cases.removeAll { !cases.contains($0.name) }
            return scenario.cases.isEmpty ? nil : scenario
        }
        guard chosen.isEmpty else { return chosen }
        var seen: Set<String> = []
        let known = flatMap { $0.cases.map(\.name) }.filter { seen.insert($0).inserted }
        throw Failure.usage(
            "no scenario has the case \(namesList(cases.map { "\"\($0)\"" }))"
                + nameSuggestion(cases.first ?? "", among: known, "Cases are"))
    }
}

/// What follows a sentence about a name that nothing has: the name that it is like, else all names behind some words.
package func nameSuggestion(_ name: String, among known: [String], _ lead: String) -> String {
    if let near = nearestName(name, among: known) { return ". Did you mean \(near)?" }
    return known.isEmpty ? "" : ". \(lead) \(namesList(known))."
}

/// The names that scripts ask the environment for: `{{env/NAME}}` and `{{secret/NAME}}`.
package struct AskedNames {
    package private(set) var environment: [String] = []
    package private(set) var secrets: [String] = []

    /// - Parameter others: Values outside the scripts that ask too, such as a target file.
    package init(_ scenarios: [Scenario], _ others: [JSONValue] = []) {
        for value in others { walk(value) }
        for scenario in scenarios {
            walk(scenario.document.root)
            walk(scenario.tenant.json)
        }
    }

    private mutating func walk(_ value: JSONValue) {
        for place in Interpolation.occurrences(in: value).references {
            guard let root = ValueRoot(rawValue: place.reference.root), let name = place.reference.path.first else {
                continue
            }
            if root == .env, !environment.contains(name) { environment.append(name) }
            if root == .secret, !secrets.contains(name) { secrets.append(name) }
        }
    }
}
