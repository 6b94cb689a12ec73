import CurlHTTP
import Determinism

/// A clock that goes on by itself, and waiting by it: the machine's, or in tests one that moves on when somebody waits.
public protocol PassingTime: WallClock {
    /// Comes back when the instant has come; at once where it has passed.
    func wait(until instant: Timestamp) async
}

extension RealTime: PassingTime {}

/// What a target needs of the machine and cannot do by itself.
public struct TargetServices: Sendable {
    /// Runs a program with its arguments and brings what it printed; a sentence where it cannot be run or fails.
    public var run: @Sendable ([String]) async -> Result<String, TargetProblem>
    /// Asks the person at the terminal; nil where there is none.
    public var ask: @Sendable (String) async -> String?
    /// The time that passes for a real tenant.
    public var time: any PassingTime

    public init(
        run: @escaping @Sendable ([String]) async -> Result<String, TargetProblem> = { _ in
            .failure(TargetProblem("programs cannot be run here"))
        },
        ask: @escaping @Sendable (String) async -> String? = { _ in nil },
        time: any PassingTime = RealTime()
    ) {
        self.time = time
        self.run = run
        self.ask = ask
    }
}

/// Why a target cannot be used, in a sentence.
public struct TargetProblem: Error, Sendable, Hashable {
    public var text: String
    /// Trying again would not help.
    public var isLasting: Bool

    public init(_ text: String, isLasting: Bool = false) {
        self.text = text
        self.isLasting = isLasting
    }
}
