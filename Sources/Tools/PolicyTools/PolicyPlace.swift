import ArgumentParser

/// Arguments that say where policies are.
package struct PolicyPlace: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A folder of policy files or one of them; with --tenant the policy's name or id there.",
            valueName: "place"))
    var place: String?

    @Option(name: .long, help: ArgumentHelp("A tenant file that has the policies.", valueName: "file"))
    var tenant: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The policy's id, or its name in the tenant file. (default: the only one)", valueName: "id"))
    var policy: String?

    @OptionGroup var parents: ParentOptions

    @OptionGroup var values: PolicyValueOptions

    /// What the arguments name.
    package var source: PolicySource {
        PolicySource(place: place, tenant: tenant, policy: policy, bases: parents.base, values: values.source)
    }

    /// Whether there are any: a command may do without policies.
    package var isNamed: Bool { place != nil || tenant != nil }

    package init() {}
}
