import Bundles
import CommandKit
import TrustFramework

/// The files of a run: those of the disk, noted where they go into a bundle, or those of the bundle that is repeated.
struct RunFiles {
    /// Brings a file by the path that scripts resolve to; `nil`: it cannot be read.
    let read: @Sendable (String) -> [UInt8]?
    /// Writes a file that a script asks for; returns a sentence when it cannot.
    let write: @Sendable (String, [UInt8]) -> String?
    /// The custom policies among them.
    let policies: PolicyShelf

    /// - Parameters:
    ///   - replay: The bundle that is repeated. What its scripts write stays in memory.
    ///   - bundle: The bundle to write, which gets what is read.
    init(replay: Replay?, bundle: BundleOutput?) {
        policies = PolicyShelf(files: replay?.policies ?? bundle?.policies ?? .disk)
        if let files = replay?.files {
            read = { files.read($0) }
            write = { path, bytes in
                files.write(bytes, to: path)
                return nil
            }
            return
        }
        let recorder = bundle?.recorder
        if let recorder {
            read = { recorder.read($0) }
        } else {
            read = { try? FileSystem.read($0) }
        }
        write = { path, bytes in
            do throws(FileSystem.Problem) {
                try FileSystem.write(bytes, to: path)
                recorder?.wrote(path)
                return nil
            } catch {
                return "\(path) cannot be written: \(error.text)"
            }
        }
    }
}
