import CommandKit

/// The folder of what concerns this working folder alone: git ignores it.
package enum LocalFolder {
    package static let name = ".b2c"

    /// Makes it, unless it exists.
    package static func make() throws(FileSystem.Problem) {
        guard FileSystem.kind(name) == nil else { return }
        try FileSystem.makeFolder(name)
        try FileSystem.write(Array("*\n".utf8), to: FilePath.join(name, ".gitignore"))
    }
}
