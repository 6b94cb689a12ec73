import ArgumentParser

/// Where the values for `{Settings:NAME}` come from.
package struct PolicyValueOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Values for {Settings:NAME} in policies. (default: the appsettings.json beside them)", valueName: "file"))
    package var settings: String?

    @Option(name: .long, help: ArgumentHelp("Which environment of it. (default: the first)", valueName: "name"))
    package var environment: String?

    /// The same as arguments.
    package var arguments: [String] {
        (settings.map { ["--settings", $0] } ?? []) + (environment.map { ["--environment", $0] } ?? [])
    }

    package init() {}
}
