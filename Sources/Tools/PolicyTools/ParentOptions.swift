import ArgumentParser

/// Where parents of policies are, besides their own folder.
package struct ParentOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("A further folder where parents of the policies are found. Repeatable.", valueName: "folder")
    )
    package var base: [String] = []

    package init() {}
}
