import ArgumentParser
import CommandKit
import Reports

/// Options that every command takes.
package struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "No colours, also on a terminal. (NO_COLOR, B2C_NO_COLOR)")
    var noColor = false

    @Flag(name: [.customShort("v"), .long], help: "Print more. (B2C_VERBOSE)")
    package var verbose = false

    /// Whether more is to be said.
    package var isVerbose: Bool { verbose || EnvironmentOption.isOn("B2C_VERBOSE") }

    /// Colours for one of the outputs.
    package func style(for output: Output) -> Style { output.style }

    /// `--no-color` counts for everything that this process prints.
    package func validate() throws {
        if noColor { Machine.defaults.withLock { $0["NO_COLOR"] = "1" } }
    }

    package init() {}
}

extension Output {
    /// Its colours: on a terminal that shows some, unless somebody asked for none.
    package var style: Style {
        let isPlain =
            Machine.environment("NO_COLOR") != nil || EnvironmentOption.isOn("B2C_NO_COLOR")
            || Machine.environment("TERM") == "dumb"
        return Style(usesColor: isTerminal && !isPlain)
    }
}
