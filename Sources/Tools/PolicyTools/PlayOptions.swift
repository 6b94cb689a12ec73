import ArgumentParser
import CommandFiles
import CommandKit

/// Options that say who plays a policy, and with what.
package struct PlayOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("as")],
        help: ArgumentHelp(
            "Who signs in: a person of the tenant file, or a record as JSON. Without a tenant file "
                + DemoPeople.explanation + ". (default: a person the policy suits)",
            valueName: "person"))
    var user: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to press on the first page before the person goes on: an id on it, or signUp, or a provider. "
                + "Repeatable. (default: what the person needs)", valueName: "button"))
    var press: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A JSON file with any of: request (parameters of acquireToken; id_token_hint: claims), user (actions of the "
                + "person), configure (a patch over the tenant: users, rest, policyKeys ...), clock, faults.",
            valueName: "file"))
    var inputs: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The app that asks. (default: the first MSAL app of the tenant file)", valueName: "app"))
    var app: String?

    @Flag(name: .long, help: "Also refresh the token afterwards.")
    var refresh = false

    @OptionGroup package var seeding: SeedOptions

    @Flag(name: .long, help: "Show tokens, codes and passwords as they are.")
    package var showSecrets = false

    @Flag(
        name: .long,
        help: "Answer calls of REST services that no stub is for: 200 with a made-up value for each output claim.")
    var makeUpServices = false

    @OptionGroup package var services: ServiceOptions

    /// What the options say.
    ///
    /// - Throws: ``Failure`` if the environment has a seed that is not a number.
    package func settings() throws -> PlaySettings {
        var settings = PlaySettings(
            user: user, press: press, inputs: inputs.map { .file($0) }, makesUpServices: makeUpServices)
        settings.app = app
        settings.refresh = refresh
        settings.seed = try seeding.value()
        settings.showsSecrets = showSecrets || EnvironmentOption.isOn("B2C_SHOW_SECRETS")
        settings.services = services.transport
        return settings
    }

    package init() {}
}
