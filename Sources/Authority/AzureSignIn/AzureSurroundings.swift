import Determinism
import HTTPMessages

/// What a sign-in at Azure and later requests take from the machine: the network, the clock, the environment, files and other
/// programs.
public struct AzureSurroundings: Sendable {
    /// Why a program brought no output.
    public enum ProgramProblem: Error, Hashable, Sendable {
        /// There is no such program.
        case missing
        /// It ended with an error or was stopped; how, in words.
        case failed(String)
    }

    public var transport: any Transport
    public var now: @Sendable () -> Timestamp
    /// Comes back when the instant has come.
    public var wait: @Sendable (Timestamp) async -> Void
    /// A variable of the environment; `nil` if it is not set or empty.
    public var variable: @Sendable (String) -> String?
    /// The bytes of a file; `nil` if it cannot be read.
    public var read: @Sendable (String) -> [UInt8]?
    /// Runs a program with its arguments, and brings what it printed.
    public var run: @Sendable ([String]) async -> Result<String, ProgramProblem>
    /// An identifier that was never used before.
    public var identifier: @Sendable () -> String
    /// Takes a line for the person who waits.
    public var say: @Sendable (String) -> Void

    public init(
        transport: any Transport, now: @escaping @Sendable () -> Timestamp,
        wait: @escaping @Sendable (Timestamp) async -> Void, variable: @escaping @Sendable (String) -> String?,
        read: @escaping @Sendable (String) -> [UInt8]?,
        run: @escaping @Sendable ([String]) async -> Result<String, ProgramProblem>,
        identifier: @escaping @Sendable () -> String, say: @escaping @Sendable (String) -> Void
    ) {
        self.transport = transport
        self.now = now
        self.wait = wait
        self.variable = variable
        self.read = read
        self.run = run
        self.identifier = identifier
        self.say = say
    }
}
