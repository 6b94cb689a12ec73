import ArgumentParser
import Reports

/// Options that every command takes.
struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "No colours, also on a terminal. (NO_COLOR, B2C_NO_COLOR)")
    var noColor = false

    @Flag(name: [.customShort("v"), .long], help: "Say more. (B2C_VERBOSE)")
    var verbose = false

    /// Whether more is to be said.
    var isVerbose: Bool { verbose || Twin.isOn("B2C_VERBOSE") }

    /// Colours for one of the outputs.
    func style(for output: Output) -> Style {
        let isPlain =
            noColor || Machine.environment("NO_COLOR") != nil || Twin.isOn("B2C_NO_COLOR")
            || Machine.environment("TERM") == "dumb"
        return Style(usesColor: output.isTerminal && !isPlain)
    }
}

/// Twins of options in the environment.
enum Twin {
    /// Whether a switch is on: `1`, `true`, `yes` or `on`.
    static func isOn(_ name: String) -> Bool {
        ["1", "true", "yes", "on"].contains(Machine.environment(name)?.lowercased() ?? "")
    }

    /// A switch that may be set either way; `nil`: the variable is not set.
    static func setting(_ name: String) -> Bool? {
        Machine.environment(name).map { _ in isOn(name) }
    }

    /// A number, when the variable is set.
    static func number<Number: FixedWidthInteger>(_ name: String, as type: Number.Type) throws -> Number? {
        guard let text = Machine.environment(name) else { return nil }
        guard let number = Number(text) else {
            throw Failure.usage("\(name) is \"\(text)\", and must be a whole number")
        }
        return number
    }

    /// A list of words between commas, when the variable is set.
    static func list(_ name: String) -> [String] {
        words(Machine.environment(name) ?? "")
    }

    /// The words between commas.
    static func words(_ text: String) -> [String] {
        text.split(separator: ",").map { word in
            var word = word
            while word.first == " " { word = word.dropFirst() }
            while word.last == " " { word.removeLast() }
            return String(word)
        }
        .filter { !$0.isEmpty }
    }
}
