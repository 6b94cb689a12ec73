import CommandKit
import Diagnostics
import JSON
import TenantFiles
import TrustFramework

/// A file that `b2c run` was given and another command takes.
package enum ForeignFile {
    /// What is said about a file that is not a scenario; `nil`: it is one, or somebody tried to write one.
    package static func finding(_ path: String, _ bytes: [UInt8]) -> Diagnostic? {
        guard let (kind, remedy) = about(path, bytes) else { return nil }
        return Diagnostic(
            rule: "B2C-CLI-002", "this is \(kind), not a scenario", remedy: remedy, at: SourceLocation(file: path))
    }

    private static func about(_ path: String, _ bytes: [UInt8]) -> (kind: String, remedy: String)? {
        let name = path.lowercased()
        let scenarios = "Scenarios are JSON: `b2c init` writes a first one, and docs/scenario-files.md has all keys."
        if name.hasSuffix(".yml") || name.hasSuffix(".yaml") { return ("YAML", scenarios) }
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if start == UInt8(ascii: "<") {
            guard PolicyReader.isPolicy(bytes: bytes) else { return ("XML", scenarios) }
            return (
                "a custom policy",
                "`b2c policy trace \(path)` plays a sign-in at it, and `b2c validate \(path)` checks it."
            )
        }
        if start != UInt8(ascii: "{") {
            guard [".log", ".txt", ".out"].contains(where: { name.hasSuffix($0) }) else { return nil }
            return ("a log", "`b2c explain --file \(path)` finds causes in it.")
        }
        guard let root = try? JSONParser.parse(bytes), root["steps"] == nil else { return nil }
        if root["log"]?["entries"] != nil {
            return ("a HAR file", "`b2c import har \(path)` makes a scenario of it.")
        }
        if let kind = root["kind"]?.stringValue, TargetKind(rawValue: kind) != nil {
            return ("a target file", "`b2c run --target \(path)` runs scenarios there.")
        }
        return nil
    }

    /// Why a folder has no scenarios, with the command that helps.
    package static func emptiness(of folder: String) -> String {
        let names = (try? FileSystem.names(in: folder)) ?? []
        let policies = names.contains { name in
            guard name.lowercased().hasSuffix(".xml") else { return false }
            return (try? FileSystem.read(FilePath.join(folder, name))).map { PolicyReader.isPolicy(bytes: $0) } ?? false
        }
        if policies {
            return
                "\(folder) has custom policies: `b2c policy list \(folder)` lists them, and `b2c policy tenant \(folder)` "
                + "prints a tenant file for scenarios"
        }
        return names.isEmpty
            ? "\(folder) is empty. `b2c init \(folder)` writes a first scenario"
            : "`b2c init \(folder)` writes a first one; `b2c run FOLDER` runs those of a folder and the folders in it"
    }
}
