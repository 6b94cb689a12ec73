import Determinism
import Diagnostics
import JSON
import TenantFiles

extension TargetFile {
    /// The settings with every `{{env/NAME}}` and `{{secret/NAME}}` replaced.
    ///
    /// - Throws: Values that are not given, or that do not fit now that they are known.
    public func settings(
        secrets: [(name: String, value: String)] = [], environment: [String: String] = [:]
    ) async throws(InvalidInput) -> TargetSettings {
        var table = ValueTable()
        table.environment = environment
        for secret in secrets { table.secrets[secret.name] = secret.value }
        let json: JSONValue
        do throws(ValueError) {
            json = try await Interpolation.resolve(
                document.root, in: ScenarioScope(table: table, live: NothingLive()))
        } catch {
            throw InvalidInput(finding(error.description, at: error.pointer))
        }
        return try filled(json)
    }

    /// Texts that have no value before there is a world, whatever the environment is.
    package var unreadableTexts: [Diagnostic] {
        let known: [ValueRoot] = [.env, .secret, .now, .unique, .index]
        let found = Interpolation.occurrences(in: document.root)
        let unknown = found.references.filter { place in !known.contains { $0.rawValue == place.reference.root } }
        return unknown.map { finding("{{\($0.reference)}} has no value in a target file", at: $0.pointer) }
            + found.faults.map { finding($0.error.message, at: $0.pointer) }
    }

    private func finding(_ message: String, at pointer: JSONPointer) -> Diagnostic {
        Diagnostic(
            rule: "B2C-TGT-030", message, remedy: "A target file may read {{env/NAME}} and {{secret/NAME}}.",
            at: document.location(of: pointer))
    }

    /// The names that the file asks the environment for, secrets included.
    public var askedNames: [String] {
        var names: [String] = []
        for place in Interpolation.occurrences(in: document.root).references {
            guard let root = ValueRoot(rawValue: place.reference.root), root == .env || root == .secret,
                let name = place.reference.path.first, !names.contains(name)
            else { continue }
            names.append(name)
        }
        return names
    }
}

/// Nothing but the environment is known before there is a world.
private struct NothingLive: LiveValues {
    func now() async -> Timestamp { Timestamp(milliseconds: 0) }
    func tenant() async -> JSONValue { [:] }
    func newestMessage(to person: String) async -> JSONValue? { nil }
    func key(named name: String) async -> JSONValue? { nil }
}
