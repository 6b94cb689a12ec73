/// How a command ends: the exit code of its process. Both programs use the same numbers.
package enum Status: Int32, Sendable {
    /// Everything as expected.
    case success = 0
    /// The command was not used as it can be.
    case usage = 1
    /// A file cannot be read or is wrong; nothing ran.
    case input = 2
    /// It could not run: a port is taken, a file cannot be written.
    case machine = 3
    /// An expectation was not met.
    case expectation = 4
}
