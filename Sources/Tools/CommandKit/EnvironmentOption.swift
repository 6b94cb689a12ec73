/// Twins of options in the environment.
package enum EnvironmentOption {
    /// Brings the value of a variable; `nil`: it is not set.
    package typealias Lookup = (String) -> String?

    /// Whether a switch is on: `1`, `true`, `yes` or `on`.
    package static func isOn(_ name: String, variable: Lookup = Machine.environment) -> Bool {
        ["1", "true", "yes", "on"].contains(variable(name)?.lowercased() ?? "")
    }

    /// A switch that may be set either way; `nil`: the variable is not set.
    package static func setting(_ name: String) -> Bool? {
        Machine.environment(name).map { _ in isOn(name) }
    }

    /// A number, when the variable is set.
    package static func number<Number: FixedWidthInteger>(
        _ name: String, as type: Number.Type, variable: Lookup = Machine.environment
    ) throws -> Number? {
        guard let text = variable(name) else { return nil }
        guard let number = Number(text) else {
            throw Failure.usage("\(name) is \"\(text)\", and must be a whole number")
        }
        return number
    }

    /// A list of words between commas, when the variable is set.
    package static func list(_ name: String, variable: Lookup = Machine.environment) -> [String] {
        words(variable(name) ?? "")
    }

    /// The words between commas.
    package static func words(_ text: String) -> [String] {
        text.split(separator: ",").map { word in
            var word = word
            while word.first == " " { word = word.dropFirst() }
            while word.last == " " { word.removeLast() }
            return String(word)
        }
        .filter { !$0.isEmpty }
    }
}
