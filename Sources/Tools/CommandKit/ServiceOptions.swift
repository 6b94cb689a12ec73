import ArgumentParser

/// Whether policies may call real web APIs: an option of both programs.
package struct ServiceOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Let REST stubs with \"passThrough\": true call the real service. (B2C_ALLOW_REAL_SERVICES)")
    package var allowRealServices = false

    package init() {}

    package func areAllowed(variable: EnvironmentOption.Lookup = Machine.environment) -> Bool {
        allowRealServices || EnvironmentOption.isOn("B2C_ALLOW_REAL_SERVICES", variable: variable)
    }
}
