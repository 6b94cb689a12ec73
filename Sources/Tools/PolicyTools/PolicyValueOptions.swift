import ArgumentParser
import CommandFiles

/// Where the values for `{Settings:NAME}` come from.
package struct PolicyValueOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Values for {Settings:NAME} in policies. (default: the appsettings.json beside them)", valueName: "file"))
    var settings: String?

    @Option(name: .long, help: ArgumentHelp("Which environment of it. (default: the first)", valueName: "name"))
    var environment: String?

    /// What the options name.
    package var source: PolicyValueSource { PolicyValueSource(settings: settings, environment: environment) }

    package init() {}
}
