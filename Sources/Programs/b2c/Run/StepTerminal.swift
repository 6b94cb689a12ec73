import CommandKit
import Reports

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The terminal of `--step`.
enum StepTerminal {
    /// Stops where nobody could answer.
    static func check(_ output: Output) throws {
        guard isatty(0) == 1, output.isTerminal else {
            throw Failure.usage("--step asks at a terminal, and there is none: run it in one, with nothing piped")
        }
    }

    /// Somebody at the terminal who follows the run.
    static func console(_ style: Style, _ redaction: Redaction, _ output: Output) -> StepConsole {
        StepConsole(
            style: style, redaction: redaction, read: { await Subprocess.ask("") }, write: { output.write($0) },
            showPage: { await show($0, $1) })
    }

    /// Writes a page into a file of its own and opens it where there is a screen.
    private static func show(_ html: String, _ number: String) async -> String {
        guard let folder = Machine.makeTemporaryFolder() else { return "no file can be made for the page" }
        let path = FilePath.join(folder, "page-\(number).html")
        do throws(FileSystem.Problem) {
            try FileSystem.write(Array(html.utf8), to: path)
        } catch {
            return "\(path) cannot be written: \(error.text)"
        }
        guard let program = opener, case .success(let running) = Subprocess.start([program, path], isQuiet: true) else {
            return "the page shown last is in \(path)"
        }
        close(running.output)
        return "the page shown last is in \(path), and was handed to \(program)"
    }

    /// The program that opens files; `nil` where there is no screen to open them on.
    private static var opener: String? {
        #if canImport(Darwin)
            return "open"
        #else
            let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { Machine.environment($0) != nil }
            return hasScreen ? "xdg-open" : nil
        #endif
    }
}
