import ArgumentParser

/// Where the values for `{Settings:NAME}` come from.
struct PolicyValueOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Values for {Settings:NAME} in policies. (default: the appsettings.json beside them)", valueName: "file"))
    var settings: String?

    @Option(name: .long, help: ArgumentHelp("Which environment of it. (default: the first)", valueName: "name"))
    var environment: String?

    /// The same as arguments.
    var arguments: [String] {
        (settings.map { ["--settings", $0] } ?? []) + (environment.map { ["--environment", $0] } ?? [])
    }
}
