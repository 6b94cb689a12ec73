import ArgumentParser
import CommandKit
import Reports

/// Options that every command takes.
struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "No colours, also on a terminal. (NO_COLOR, B2C_NO_COLOR)")
    var noColor = false

    @Flag(name: [.customShort("v"), .long], help: "Print more. (B2C_VERBOSE)")
    var verbose = false

    /// Whether more is to be said.
    var isVerbose: Bool { verbose || EnvironmentOption.isOn("B2C_VERBOSE") }

    /// Colours for one of the outputs.
    func style(for output: Output) -> Style {
        let isPlain =
            noColor || Machine.environment("NO_COLOR") != nil || EnvironmentOption.isOn("B2C_NO_COLOR")
            || Machine.environment("TERM") == "dumb"
        return Style(usesColor: output.isTerminal && !isPlain)
    }
}
