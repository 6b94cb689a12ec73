import Determinism

/// What a target needs of the machine and cannot do by itself.
public struct TargetServices: Sendable {
    /// Runs a program with its arguments and brings what it printed; a sentence where it cannot be run or fails.
    public var run: @Sendable ([String]) async -> Result<String, TargetProblem>
    /// Asks the person at the terminal; nil where there is none.
    public var ask: @Sendable (String) async -> String?

    public init(
        run: @escaping @Sendable ([String]) async -> Result<String, TargetProblem> = { _ in
            .failure(TargetProblem("programs cannot be run here"))
        },
        ask: @escaping @Sendable (String) async -> String? = { _ in nil }
    ) {
        self.run = run
        self.ask = ask
    }
}

/// Why a target cannot be used, in a sentence.
public struct TargetProblem: Error, Sendable, Hashable {
    public var text: String

    public init(_ text: String) { self.text = text }
}
