import CommandKit
import Diagnostics
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles

/// `--target FILE|NAME`.
package enum TargetArgument {
    /// The name of what is there without a file: the mock authority in this process.
    package static let inProcess = "in-process"

    /// The folder in which targets have names.
    private static let folder = "scenarios/targets"

    /// Reads a target: the address of a mock-server, a path, or the name of a file in `scenarios/targets`.
    package static func read(_ text: String) throws -> TargetFile {
        let path: String
        let bytes: [UInt8]
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            path = "--target"
            bytes = Array(
                JSONWriter.compact(["kind": "mock-server", "name": .string(text), "url": .string(text)]).utf8)
        } else {
            path = try self.path(text)
            bytes = try InputFile.read(path)
        }
        do throws(InvalidInput) {
            return try TargetFile.read(file: path, bytes: bytes)
        } catch {
            throw FindingsPrinter(sources: [SourceText(file: path, bytes: bytes)]).failure(error.diagnostics)
        }
    }

    private static func path(_ text: String) throws -> String {
        if FileSystem.kind(text) == .file { return text }
        let named = FilePath.join(folder, text + ".json")
        if !text.contains("/"), FileSystem.kind(named) == .file { return named }
        let known = ((try? FileSystem.names(in: folder)) ?? []).filter { $0.hasSuffix(".json") }.map {
            String($0.dropLast(5))
        }
        let hint = known.isEmpty ? "" : "; \(folder) has \(namesList(known))"
        throw Failure.usage(
            "--target \(text): there is no such file, and no target of that name\(hint). A running mock-server is named by its "
                + "address, such as --target http://localhost:9400")
    }

    /// Stops where the tenant file of a real tenant holds passwords.
    static func checkCredentials(of file: TargetFile) throws {
        guard file.settings.kind == .live, let path = tenant(of: file), let bytes = try? FileSystem.read(path),
            let document = try? JSONDocument(file: path, bytes: bytes)
        else { return }
        let findings = LiveCredentials.findings(document)
        guard !findings.isEmpty else { return }
        throw FindingsPrinter(sources: [SourceText(file: path, bytes: bytes)]).failure(findings)
    }

    /// The tenant file that takes the place of the scripts' own, seen from here.
    package static func tenant(of file: TargetFile) -> String? {
        file.settings.tenant.map { ScenarioPath.resolve($0, from: file.document.source.file) }
    }
}

/// `--secrets-file FILE`.
package enum SecretsFile {
    /// Names and values of a JSON object of texts.
    package static func read(_ path: String) throws -> [(name: String, value: String)] {
        let bytes = try InputFile.read(path, limit: 1 << 20)
        guard let object = (try? JSONParser.parse(bytes))?.objectValue else {
            throw Failure.input("\(path): a file of secrets is a JSON object of names and texts")
        }
        return try object.members.map { member in
            guard let text = member.value.stringValue else {
                throw Failure.input("\(path): the secret \(member.key) is not text")
            }
            return (member.key, text)
        }
    }
}
