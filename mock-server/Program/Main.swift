import MockServerCore

/// The entry of `mock-server`. Everything else is in `MockServerCore`, so that tests link a library.
@main
enum MockServerMain {
    static func main() async {
        await MockServerProgram.run()
    }
}
