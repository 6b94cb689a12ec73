import CommandKit
import Exchanges
import Reports
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework

/// What scenarios ask for and a run brings them: variables, secrets, and the environment as far as scripts name it.
package struct RunInputs {
    package let variables: [(name: String, value: String)]
    package let secrets: [(name: String, value: String)]
    package let environment: [String: String]

    /// - Parameters:
    ///   - given: Variables that are given.
    ///   - secrets: Those of the command line and of the file of secrets, which count before the environment.
    ///   - target: The target file, which may ask too; `nil`: scenarios run in this process.
    ///   - kept: The environment of the bundle that is repeated; `nil`: there is none.
    ///   - variable: Brings a variable of the environment.
    package init(
        for scenarios: [Scenario], variables given: [(name: String, value: String)] = [],
        secrets: [(name: String, value: String)] = [], target: TargetFile?,
        repeating kept: [(name: String, value: String)]? = nil, variable: EnvironmentOption.Lookup = Machine.environment
    ) {
        let asked = AskedNames(scenarios, target.map { [$0.document.root] } ?? [])
        var variables = given
        for name in scenarios.flatMap({ $0.variables.keys })
        where kept == nil && !variables.contains(where: { $0.name == name }) {
            if let value = variable("B2C_VARIABLE_\(name)") { variables.append((name, value)) }
        }
        var secrets = secrets
        for name in asked.secrets where !secrets.contains(where: { $0.name == name }) {
            if let value = variable("B2C_SECRET_\(name)") { secrets.append((name, value)) }
        }
        var environment: [String: String] = [:]
        for name in asked.environment + asked.secrets { environment[name] = variable(name) }
        if let kept {
            for name in asked.environment where !asked.secrets.contains(name) { environment[name] = nil }
            for value in kept { environment[value.name] = value.value }
        }
        self.variables = variables
        self.secrets = secrets
        self.environment = environment
    }

    /// How scenarios run for a program that shows what failed: the same each time, on all cores, with the records of
    /// requests of what does not end well.
    package func options(files: PolicyFiles) -> RunOptions {
        var options = RunOptions(
            seed: 1, jobs: Machine.cores, variables: variables, secrets: secrets, environment: environment,
            readFile: files.read, policies: PolicyShelf(files: files))
        options.keepLogOfFailures = true
        return options
    }

    /// Takes secrets out of reports: those that were given, those of the environment, and those that tenant files hold.
    package func redaction(of scenarios: [Scenario], showsSecrets: Bool) -> Redaction {
        var known = secrets.map { KnownSecret($0.value, label: "secret \($0.name)", everywhere: true) }
        for name in AskedNames(scenarios).secrets {
            guard let value = environment[name] else { continue }
            known.append(KnownSecret(value, label: "secret \(name)", everywhere: true))
        }
        var byFile: [String: [KnownSecret]] = [:]
        for scenario in scenarios where byFile[scenario.file] == nil {
            byFile[scenario.file] = KnownSecret.secrets(of: scenario.tenant.tenant)
        }
        return Redaction(known: known, byFile: byFile, showsSecrets: showsSecrets)
    }
}
