import ArgumentParser
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import PolicyRelease

/// `b2c policy keys`.
struct PolicyKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Lists, creates and rotates the policy keys of a tenant.",
        discussion: """
            The manifest keys.json names each key set, its use and type, and where its secret is. It holds no secret.

              b2c policy keys list policies --within 30d
              b2c policy keys plan
              b2c policy keys deploy
              b2c policy keys rotate B2C_1A_RestApi

            The environment has the credential, as for `b2c policy plan`. Reading needs the permission \
            TrustFrameworkKeySet.Read.All, writing TrustFrameworkKeySet.ReadWrite.All.
            """,
        subcommands: [
            PolicyKeysListCommand.self, PolicyKeysPlanCommand.self, PolicyKeysDeployCommand.self,
            PolicyKeysRotateCommand.self,
        ])
}

/// The manifest of `b2c policy keys`.
struct KeyManifestOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The manifest of keys.", valueName: "file"))
    var manifest = "keys.json"

    /// Reads the manifest.
    ///
    /// - Throws: ``Failure``; its findings have been printed. A line with a secret is not shown.
    func read(_ common: CommonOptions) throws -> KeyManifest {
        guard FileSystem.kind(manifest) == .file else {
            throw Failure.input(
                "there is no file \(manifest). Write {\"keySets\": [...]}, or name the manifest by --manifest. "
                    + "docs/policy-keys.md has an example")
        }
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(manifest)
        } catch {
            throw Failure.machine("\(manifest) cannot be read: \(error.text)") as any Error
        }
        do throws(InvalidInput) {
            return try KeyManifest(file: manifest, bytes: bytes)
        } catch {
            let hasSecret = error.diagnostics.contains { $0.rule == KeyManifest.clearSecretRule }
            let source =
                hasSecret
                ? SourceText(
                    file: manifest, concealedBecause: "lines of this file are not shown, because of the secret")
                : SourceText(file: manifest, bytes: bytes)
            throw FindingsPrinter(common, sources: [source]).failure(error.diagnostics) as any Error
        }
    }

    /// Reads what is sent for a set, at the moment of sending.
    ///
    /// - Throws: ``Failure`` which names the variable or the file, never its content.
    func material(_ entry: KeyManifest.Entry) throws -> KeyMaterial {
        func variable(_ name: String) throws -> String {
            guard let value = Machine.environment(name) else {
                throw Failure.input("\(entry.id): the environment variable \(name) is not set or empty")
            }
            return value
        }
        let shown: String
        do {
            switch entry.source {
            case .generate: return .generated
            case .environment(let name, let passwordName):
                shown = "the environment variable \(name)"
                let text = try variable(name)
                guard entry.type == .certificate else { return try .secret(Array(text.utf8)) }
                return try .certificate(base64: text, password: try passwordName.map(variable))
            case .file(let path, let passwordName):
                shown = FilePath.resolve(path, in: FilePath.folder(manifest))
                let bytes = try FileSystem.read(shown, limit: 1 << 20)
                guard entry.type == .certificate else { return try .secret(bytes) }
                return try .certificate(bytes, password: try passwordName.map(variable))
            }
        } catch let problem as KeyMaterial.Problem {
            throw Failure.input("\(entry.id): \(shown): \(problem.text)")
        } catch let problem as FileSystem.Problem {
            throw Failure.input("\(entry.id): \(shown) cannot be read: \(problem.text)")
        }
    }
}
