import CommandKit
import JSON

/// A file that an option names to write to: `-` is the standard output, as it is for other commands.
package enum OutputFile {
    package static let standardOutput = "-"

    /// Writes a JSON document while it is made.
    package static func write(to file: String, _ content: (inout JSONStream) -> Void) throws(FileSystem.Problem) {
        guard file != standardOutput else {
            Machine.out.write(data: JSONStream.text(content))
            return
        }
        try FileSystem.write(to: file) { put in
            var stream = JSONStream(put)
            content(&stream)
            stream.end()
        }
    }

    package static func write(_ text: String, to file: String) throws(FileSystem.Problem) {
        guard file != standardOutput else {
            Machine.out.write(data: text)
            return
        }
        try FileSystem.write(Array(text.utf8), to: file)
    }

    /// Writes, or ends the command with a sentence that names the file.
    package static func save(_ text: String, to file: String) throws {
        do throws(FileSystem.Problem) {
            try write(text, to: file)
        } catch {
            throw Failure.machine("\(file) cannot be written: \(error.text)")
        }
    }
}
