import ArgumentParser

/// Where parents of policies are, besides their own folder.
package struct ParentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("A further folder where parents of the policies are found. Repeatable.", valueName: "folder")
    )
    package var base: [String] = []

    /// The same as arguments.
    package var arguments: [String] { base.flatMap { ["--base", $0] } }

    package init() {}
}
