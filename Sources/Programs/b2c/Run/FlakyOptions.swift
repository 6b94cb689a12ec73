import ArgumentParser
import CommandKit

/// Whether flaky scenarios fail a run.
struct FlakyOptions: ParsableArguments {
    @Flag(name: .long, help: "Fail when a scenario is flaky. (B2C_FAIL_ON_FLAKY)")
    var failOnFlaky = false

    func fails(variable: EnvironmentOption.Lookup = Machine.environment) -> Bool {
        failOnFlaky || EnvironmentOption.isOn("B2C_FAIL_ON_FLAKY", variable: variable)
    }
}
