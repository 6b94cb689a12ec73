/// A file that an argument or an option names to read.
package enum InputFile {
    /// Its content, or the end of the command with a sentence that names the file.
    ///
    /// - Parameter limit: At most so many bytes and one are read.
    package static func read(_ path: String, limit: Int = 64 << 20) throws -> [UInt8] {
        do {
            return try FileSystem.read(path, limit: limit)
        } catch {
            throw Failure.input("\(path) cannot be read: \(error.text)")
        }
    }
}
