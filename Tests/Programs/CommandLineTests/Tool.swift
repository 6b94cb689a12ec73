import Foundation
import TestSupport

/// The built executable, run as a person runs it.
struct Tool {
    /// What one run left.
    struct Outcome {
        var status: Int32
        var out: String
        var error: String
    }

    /// The executable that `B2C_COMMAND` names, as `.ci/run` does with the release build, which is what users have and
    /// several times as fast; by default the one beside the tests' own bundle.
    static let path: String? = {
        if let named = ProcessInfo.processInfo.environment["B2C_COMMAND"], !named.isEmpty { return named }
        var folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
        #if os(macOS)
            folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        #endif
        folders.append(TestFiles.root().appendingPathComponent(".build/debug"))
        return folders.map { $0.appendingPathComponent("b2c").path }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// The folder it runs in.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("b2c-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Removes everything that was written.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Runs the command, with nothing of this process's environment that would change what it does.
    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        guard let path = Self.path else { throw CocoaError(.fileNoSuchFile) }
        return try launch(path, arguments, environment)
    }

    /// Runs lines as a person types them into a shell.
    func shell(_ lines: String) throws -> Outcome {
        try launch("/bin/sh", ["-c", lines], [:])
    }

    /// Runs a program and waits until it has ended: for suites that may block alone.
    private func launch(_ path: String, _ arguments: [String], _ environment: [String: String]) throws -> Outcome {
        guard BlockingTrait.isActive else { throw BlockingTrait.Missing() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let ours = ["NO_COLOR", "GITHUB_ACTIONS", "TF_BUILD"]
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("B2C_") && !ours.contains($0.key)
        }
        for (name, value) in environment { variables[name] = value }
        process.environment = variables
        // Files, not pipes: a pipe that nobody empties would stop the command.
        let out = folder.appendingPathComponent(".out-\(UUID().uuidString)")
        let error = folder.appendingPathComponent(".error-\(UUID().uuidString)")
        for file in [out, error] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: error)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        defer { for file in [out, error] { try? FileManager.default.removeItem(at: file) } }
        return Outcome(
            status: process.terminationStatus, out: String(decoding: try Data(contentsOf: out), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
    }

    func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    }
}
