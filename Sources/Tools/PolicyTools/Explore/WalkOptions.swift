import ArgumentParser
import CommandKit
import Exploration

/// How far policies are explored.
package struct WalkOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Acts of a path at most.", valueName: "n"))
    package var depth: Int = 40

    @Option(name: .long, help: ArgumentHelp("States at most.", valueName: "n"))
    package var states: Int = 50_000

    @Option(name: .long, help: ArgumentHelp("Moves at most, for each walk through a policy.", valueName: "n"))
    package var moves: Int = ExplorationLimits.defaultMoves

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds at most, for each walk through a policy: a guard. A result that it ends depends on the machine.",
            valueName: "seconds"))
    package var time: Int = 300

    /// The limits of a walk with a seed.
    package func limits(seed: UInt64) -> ExplorationLimits {
        ExplorationLimits(depth: depth, states: states, moves: moves, seed: seed)
    }

    /// Throws ``Failure`` if a limit is not a number of things.
    package func check() throws {
        for (name, number) in [("--depth", depth), ("--states", states), ("--moves", moves), ("--time", time)]
        where number < 1 {
            throw Failure.usage("\(name) is \(number); it must be at least 1")
        }
    }

    package init() {}
}
