import Dispatch
import MockServerCore

/// The entry of `mock-server`. Everything else is in `MockServerCore`, so that tests link a library.
@main
enum MockServerMain {
    /// Not `async`, as that of `b2c` is: the linker takes the entries of two such programs for one, and packages have both in one
    /// file.
    static func main() {
        Task.detached { await MockServerProgram.run() }
        dispatchMain()
    }
}
