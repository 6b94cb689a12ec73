import ArgumentParser
import CommandKit

/// The seed of commands that repeat themselves unless a person wants another run.
package struct SeedOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Where randomness comes from. (B2C_SEED; default: 1)", valueName: "n"))
    package var seed: UInt64?

    /// The seed, environment included.
    package func value() throws -> UInt64 { try seed ?? EnvironmentOption.number("B2C_SEED", as: UInt64.self) ?? 1 }

    package init() {}
}
