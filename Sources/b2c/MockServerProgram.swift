#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The program `mock-server`, which stands beside this one: so the command itself links neither a web server nor TLS.
enum MockServerProgram {
    static let name = "mock-server"

    /// Becomes that program, with these arguments.
    static func become(_ arguments: [String]) throws -> Never {
        guard let own = Machine.program else {
            throw Failure(status: .machine, text: "b2c: the folder of this program is not known")
        }
        let path = FilePath.join(FilePath.folder(own), name)
        guard FileSystem.kind(path) == .file else {
            throw Failure(
                status: .machine,
                text: """
                    b2c: \(path) does not exist, and serving is its work. Build it beside b2c with \
                    `swift build -c release --product mock-server`, or install both.
                    """)
        }
        let problem = Machine.replaceProgram(path, arguments)
        throw Failure(status: .machine, text: "b2c: \(path) cannot be started: \(problem)")
    }
}
