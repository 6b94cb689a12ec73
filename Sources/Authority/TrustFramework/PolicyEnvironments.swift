import Diagnostics
import JSON

/// An `appsettings.json`, as the Azure AD B2C extension of Visual Studio Code keeps it beside policies: environments,
/// each with values for `{Settings:NAME}` (Microsoft docs of the extension).
public struct PolicyEnvironments: Sendable {
    /// One environment.
    public struct Environment: Sendable {
        public var name: String
        /// `contoso.onmicrosoft.com`; `nil` where the file does not say.
        public var tenant: String?
        /// `Name`, `Tenant` and `Production` as settings, then those under `PolicySettings`, in the order of the file.
        public var values: [(name: String, value: String)]
    }

    /// Settings whose value is the name of the policy's file, with and without `B2C_1A_` (readme of the extension).
    package static let fileSettings = ["Filename", "PolicyFilename"]
    /// Settings that have a value without an entry under `PolicySettings`.
    package static let ownSettings = ["Tenant", "Environment"] + fileSettings

    public let environments: [Environment]
    private let document: JSONDocument

    /// Reads a settings file.
    public static func read(file: String, bytes: [UInt8]?) throws(InvalidInput) -> PolicyEnvironments {
        guard let bytes else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-092", "there is no settings file \(file)", at: SourceLocation(file: file)))
        }
        let document = try JSONDocument(file: file, bytes: bytes)
        guard let list = document.root["Environments"]?.arrayValue else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-POL-092", "the file has no list \"Environments\"",
                    remedy: "Write {\"Environments\": [{\"Name\": \"Development\", \"PolicySettings\": {...}}]}.",
                    at: SourceLocation(file: file, line: 1)))
        }
        var findings: [Diagnostic] = []
        var environments: [Environment] = []
        for (index, entry) in list.enumerated() {
            let place = JSONPointer(tokens: ["Environments", String(index)])
            guard let name = entry["Name"]?.stringValue else {
                findings.append(
                    Diagnostic(
                        rule: "B2C-POL-092", "the environment has no \"Name\"", at: document.location(of: place)))
                continue
            }
            var values: [(name: String, value: String)] = [("Environment", name)]
            if let tenant = entry["Tenant"]?.stringValue { values.append(("Tenant", tenant)) }
            for (key, value) in entry["PolicySettings"]?.objectValue?.members ?? [] {
                switch value {
                case .string(let text): values.append((key, text))
                case .bool, .integer, .number: values.append((key, JSONWriter.compact(value)))
                default:
                    findings.append(
                        Diagnostic(
                            rule: "B2C-POL-092", "\(key) is not text", remedy: "Settings are texts.",
                            at: document.location(
                                of: JSONPointer(tokens: place.tokens + ["PolicySettings", key]))))
                }
            }
            environments.append(Environment(name: name, tenant: entry["Tenant"]?.stringValue, values: values))
        }
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return PolicyEnvironments(environments: environments, document: document)
    }

    /// The environment of a name in any letter case, or the first.
    public func environment(_ name: String?) throws(InvalidInput) -> Environment {
        if let found = name.map({ name in environments.first { sameID($0.name, name) } }) ?? environments.first {
            return found
        }
        let names = environments.map(\.name)
        throw InvalidInput(
            Diagnostic(
                rule: "B2C-POL-092", name.map { "there is no environment \"\($0)\"" } ?? "there are no environments",
                remedy: names.isEmpty ? nil : "There are \(namesList(names)).",
                at: SourceLocation(file: document.source.file, line: 1)))
    }

    func values(of name: String?) throws(InvalidInput) -> [(name: String, value: String)] {
        try environment(name).values
    }
}
