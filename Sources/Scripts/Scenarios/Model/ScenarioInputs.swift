import Diagnostics
import Exchanges
import JSON

/// What is given to scenarios from outside: variables, secrets, the environment. Checked before anything runs.
public enum ScenarioInputs {
    /// A name and value of the command line.
    public typealias Given = (name: String, value: String)

    /// Everything wrong with what is given to some scenarios that run together: a variable that none of them declares,
    /// one that must be given and is not, a secret or a name of the environment that is not set.
    public static func findings(
        _ scenarios: [Scenario], variables: [Given], secrets: [Given], environment: [String: String]
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        var declared: [String] = []
        for name in scenarios.flatMap(\.variables.keys) where !declared.contains(name) { declared.append(name) }
        for given in variables where !declared.contains(given.name) && !scenarios.isEmpty {
            var remedy = declared.isEmpty ? "They declare no variables." : "Declared are \(namesList(declared))."
            if let near = nearestName(given.name, among: declared) { remedy = "Did you mean `\(near)`? \(remedy)" }
            found.append(
                Diagnostic(
                    rule: ScenarioRule.undeclaredVariable.rawValue,
                    "no scenario that runs declares the variable `\(given.name)`", remedy: remedy))
        }
        for scenario in scenarios {
            found += missing(scenario, variables: variables, secrets: secrets, environment: environment)
        }
        return found
    }

    /// The variables of a scenario with what is given in the place of defaults. A given text becomes a number or a truth
    /// value where the default is one.
    public static func variables(of scenario: Scenario, given: [Given]) -> JSONObject {
        var values = scenario.variables
        for (name, text) in given where values[name] != nil {
            values[name] = typed(text, like: values[name] ?? .null)
        }
        return values
    }

    private static func typed(_ text: String, like standard: JSONValue) -> JSONValue {
        switch standard {
        case .null, .string: return .string(text)
        default:
            guard let value = try? JSONParser.parse(text), value.typeName == standard.typeName else {
                return .string(text)
            }
            return value
        }
    }

    private static func missing(
        _ scenario: Scenario, variables: [Given], secrets: [Given], environment: [String: String]
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for (name, standard) in scenario.variables.members where standard.isNull {
            guard !variables.contains(where: { $0.name == name }) else { continue }
            found.append(
                scenario.document.finding(
                    rule: ScenarioRule.missingInput.rawValue, "the variable `\(name)` has no default and is not given",
                    remedy: "Give it with --variable \(name)=VALUE.", at: JSONPointer(tokens: ["variables", name]),
                    key: true))
        }
        var seen: [ValueReference] = []
        let places = Interpolation.occurrences(in: scenario.document.root).references.map {
            (scenario.document, $0)
        }
        let inTenant = Interpolation.occurrences(in: scenario.tenant.document.root).references.map {
            (scenario.tenant.document, $0)
        }
        for (document, place) in scenario.tenant.pointer == .root ? places + inTenant : places {
            guard let root = ValueRoot(rawValue: place.reference.root), root == .env || root == .secret,
                let name = place.reference.path.first, !seen.contains(place.reference)
            else { continue }
            seen.append(place.reference)
            let isSecret = root == .secret
            guard environment[name] == nil, !(isSecret && secrets.contains { $0.name == name }) else { continue }
            found.append(
                document.finding(
                    rule: ScenarioRule.missingInput.rawValue,
                    isSecret ? "the secret `\(name)` is not given" : "`\(name)` is not set in the environment",
                    remedy: isSecret
                        ? "Give it as B2C_SECRET_\(name) in the environment, by --secrets-file, or with --secret \(name)=VALUE."
                        : nil,
                    at: place.pointer))
        }
        return found
    }
}
