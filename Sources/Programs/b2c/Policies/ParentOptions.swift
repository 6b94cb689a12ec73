import ArgumentParser

/// Where parents of policies are, besides their own folder.
struct ParentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("A further folder where parents of the policies are found. Repeatable.", valueName: "folder")
    )
    var base: [String] = []

    /// The same as arguments.
    var arguments: [String] { base.flatMap { ["--base", $0] } }
}
