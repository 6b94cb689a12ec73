/// Which of several lanes goes on when more than one could.
public enum LaneOrder: Sendable {
    /// In the order written: they start in it, and then each goes on once before any goes on twice. Nothing is drawn.
    case asWritten
    /// An order drawn from a world's generator, to find out whether a script depends on the order. Lanes also start in
    /// a drawn order.
    case drawn(SeededGenerator)
}

/// Picks the lane that goes on, as a ``LaneOrder`` asks.
///
/// A drawn order has one of three manners, itself drawn, because each finds races that the others hardly ever do: taking
/// turns, leaving everything to chance, and staying with one lane, so that it is done before another begins.
struct OrderOfTurns: Sendable {
    private enum Manner: Sendable {
        case asWritten, rounds, anyone, sameAgain
    }

    private let manner: Manner
    private var random: SeededGenerator
    /// The lane that went on last.
    var last = LaneID.main

    init(_ order: LaneOrder) {
        switch order {
        case .asWritten:
            manner = .asWritten
            random = SeededGenerator(seed: 0)
        case .drawn(let world):
            random = world.stream("turns")
            manner = [.rounds, .anyone, .sameAgain][random.below(3)]
        }
    }

    /// Whether the order is drawn and not that of the script.
    var isDrawn: Bool { manner != .asWritten }

    /// Whether the first turn of a lane is drawn like any other.
    var drawsStarts: Bool { isDrawn }

    /// Whether each lane goes on once before any goes on twice.
    var goesInRounds: Bool { manner == .asWritten || manner == .rounds }

    /// Whether the lane that went on last goes on again if it can. Never for ever: a lane may wait for what only another
    /// causes.
    mutating func staysWithLast() -> Bool { manner == .sameAgain && random.below(8) > 0 }

    /// One of the candidates, which are in the order written.
    mutating func pick(_ candidates: [Int]) -> Int {
        // A forced choice draws nothing, so that it does not move the choices after it.
        guard manner != .asWritten, candidates.count > 1 else { return candidates[0] }
        return candidates[random.below(candidates.count)]
    }
}
