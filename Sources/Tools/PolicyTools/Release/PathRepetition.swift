import CommandFiles
import CommandKit
import JSON
import PolicyRelease
import TrustFramework

/// Writes paths of a plan as files that repeat them: inputs of `b2c policy trace`, or a scenario where people come more than
/// once.
package struct PathRepetition {
    /// The folder of the files. Git ignores what is in `.b2c`.
    package static let folder = ".b2c/plan"
    /// Paths that are written at most.
    package static let most = 20

    /// After the release.
    package let state: PolicyState
    /// Where settings come from, as it was given.
    package let values: PolicyValueSource

    /// The path of a row written as file `number`, and the command that repeats it; `nil`: some parent of the policy is in
    /// the tenant alone, or nothing can be repeated.
    package func write(_ row: NoticedRow, number: Int) throws -> String? {
        guard let scenario = row.scenario else { return nil }
        let chain = state.chain(row.policy)
        guard let own = chain.first, !chain.contains(where: { PolicyState.isOfTenant($0.path) }) else { return nil }
        let file = "\(Self.folder)/\(number).json"
        let command: String
        if let inputs = Self.inputs(scenario) {
            var folders: [String] = []
            for folder in chain.map({ FilePath.folder($0.path) }) where !folders.contains(folder) {
                folders.append(folder)
            }
            let bases = folders.dropFirst().flatMap { ["--base", $0] }
            let words =
                ["b2c", "policy", "trace", folders[0], "--policy", own.id, "--user", Self.visitor, "--inputs", file]
                + bases + (values.settings.map { ["--settings", $0] } ?? [])
                + (values.environment.map { ["--environment", $0] } ?? [])
            command = words.map(Self.quoted).joined(separator: " ")
            try save(.object(inputs), file)
        } else {
            guard let whole = try moved(scenario, beside: own.path) else { return nil }
            command = "b2c run \(file)"
            try save(.object(whole), file)
        }
        return command
    }

    private func save(_ json: JSONValue, _ file: String) throws {
        do throws(FileSystem.Problem) {
            try LocalFolder.make()
            try FileSystem.makeFolder(Self.folder)
        } catch {
            throw Failure.machine("\(Self.folder) cannot be written: \(error.text)") as any Error
        }
        try OutputFile.save(JSONWriter.pretty(json) + "\n", to: file)
    }

    /// Who comes in a script of an exploration.
    private static let visitor = "visitor"

    /// The inputs of `b2c policy trace` for a scenario; `nil`: it has other steps than one sign-in.
    package static func inputs(_ scenario: JSONObject) -> JSONObject? {
        guard let steps = scenario["steps"]?.arrayValue, steps.count == 1,
            case .object(var request)? = steps[0]["acquireToken"],
            scenario["configure", "users", visitor] != nil
        else { return nil }
        request["policy"] = nil
        var inputs: JSONObject = ["request": .object(request)]
        inputs["user"] = steps[0]["user"]
        // The people of a folder have names and numbers of their own, which may be those of the visitor.
        var people = JSONObject()
        for name in DemoPeople.json.objectValue?.keys ?? [] { people[name] = .null }
        var users = people
        for (name, record) in scenario["configure", "users"]?.objectValue?.members ?? [] { users[name] = record }
        var configure = scenario["configure"]?.objectValue ?? JSONObject()
        configure["users"] = .object(users)
        inputs["configure"] = .object(configure)
        for name in ["clock", "faults"] { inputs[name] = scenario[name] }
        return inputs
    }

    /// The scenario with the paths of its tenant as seen from ``folder``.
    private func moved(_ scenario: JSONObject, beside path: String) throws -> JSONObject? {
        guard case .object(var tenant)? = scenario["tenant"] else { return nil }
        func moved(_ path: String) -> String { path.hasPrefix("/") ? path : "../../" + path }
        var policies = JSONObject()
        for (name, settings) in tenant["policies"]?.objectValue?.members ?? [] {
            guard case .object(var object) = settings, let file = object["file"]?.stringValue,
                !PolicyState.isOfTenant(file), !state.chain(name).contains(where: { PolicyState.isOfTenant($0.path) })
            else { continue }
            object["file"] = .string(moved(file))
            policies[name] = .object(object)
        }
        tenant["policies"] = .object(policies)
        tenant["policyFolders"] = .array(
            (tenant["policyFolders"]?.arrayValue ?? []).compactMap(\.stringValue)
                .filter { $0 != PolicyState.tenantFolder }.map { .string(moved($0)) })
        let settings =
            values.settings.map { FilePath.relative($0, to: Machine.currentFolder) }
            ?? PolicySettingsFile.path(beside: FilePath.folder(path))
        if let settings {
            tenant["policySettingsFile"] = .string(moved(settings))
            tenant["policyEnvironment"] = values.environment.map { .string($0) }
        }
        var scenario = scenario
        scenario["tenant"] = .object(tenant)
        return scenario
    }

    /// A word as a shell takes it.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                byte >= 0x80 || byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
                    || "-_./:=@+,".utf8.contains(byte)
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

extension JSONObject {
    /// The value reached by following member names; `nil` when a step is missing.
    fileprivate subscript(path: String, next: String, last: String) -> JSONValue? { self[path]?[next, last] }
    fileprivate subscript(path: String, next: String) -> JSONValue? { self[path]?[next] }
}

extension ReleaseComparison {
    /// Writes the paths of the first rows into files, so that a person can repeat them: weaker ones first.
    package mutating func writeRepetitions(of built: BuiltPolicies, _ values: PolicyValueSource) throws {
        let rows = rows
        let order = rows.indices.filter { rows[$0].isWeaker } + rows.indices.filter { !rows[$0].isWeaker }
        let repetition = PathRepetition(
            state: PolicyState(built.policies.map { PolicyState.File($0) }), values: values)
        var number = 0
        for place in order where number < PathRepetition.most {
            var row = rows[place]
            guard let command = try repetition.write(row, number: number + 1) else { continue }
            number += 1
            row.repeated = command
            replace(row: place, with: row)
        }
    }
}
