import CommandKit

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The program `mock-server`, which is in the same folder: so the command itself links neither a web server nor TLS.
enum MockServerLauncher {
    static let name = "mock-server"

    /// The path of the program.
    static func path() throws -> String {
        let path = try place()
        guard FileSystem.kind(path) == .file else { throw Failure.machine("\(missing(path))") }
        return path
    }

    /// Where it is, if it is there.
    private static func place() throws -> String {
        guard let own = Machine.program else {
            throw Failure.machine("the folder of this program is not known")
        }
        return FilePath.join(FilePath.folder(own), name)
    }

    /// Becomes that program, with these arguments.
    static func become(_ arguments: [String]) throws -> Never {
        let path = try place()
        guard FileSystem.kind(path) == .file else {
            if let help = help(arguments) {
                Machine.out.write("\(help)\n\n\(missing(path))\n")
                Machine.exit(.success)
            }
            throw Failure.machine("\(missing(path))")
        }
        let problem = Machine.replaceProgram(path, arguments, called: B2C.name)
        throw Failure.machine("\(path) cannot be started: \(problem)")
    }

    private static func missing(_ path: String) -> String {
        """
        \(path) does not exist. b2c needs it to serve: run `make build` in the clone, which builds both programs (for \
        .build/release: `make release`), or install a package, which has both.
        """
    }

    /// What `--help` shows where the program that knows all options is missing.
    private static func help(_ arguments: [String]) -> String? {
        guard arguments.dropFirst().contains(where: { ["--help", "-h", "-help", "help"].contains($0) }) else {
            return nil
        }
        return switch arguments.first {
        case "record": B2C.helpMessage(for: RecordLaunch.self)
        case "certificate": B2C.helpMessage(for: CertificateLaunch.self)
        default: B2C.helpMessage(for: ServeLaunch.self)
        }
    }
}
