import CommandKit
import Diagnostics
import ScenarioRunner
import TenantFiles

/// Opens the target of a run: its credentials and its browser are checked, and it is reached once before anything runs.
package struct TargetOpening {
    package var inputs: RunInputs
    package var allowsLiveChanges = false
    /// The browser that people use; `nil`: the stand-in.
    package var browser: BrowserDriver?
    /// Brings files that the target names.
    package var read: @Sendable (String) -> [UInt8]? = { try? FileSystem.read($0) }
    /// What the target needs of the machine.
    package var services = TargetServices(
        run: { await Subprocess.output(of: $0).mapError { TargetProblem($0.text, isLasting: $0.isLasting) } },
        ask: { await Subprocess.ask($0) })

    package init(_ inputs: RunInputs) { self.inputs = inputs }

    /// The target of a file.
    ///
    /// - Throws: ``Failure`` for a target that cannot be used, and for credentials in the wrong place; `InvalidInput` for
    ///   what is wrong with the file.
    package func open(_ file: TargetFile) async throws -> RunTarget {
        try TargetArgument.checkCredentials(of: file)
        let target = try await RunTarget(
            file, secrets: inputs.secrets + inputs.environment.map { ($0.key, $0.value) },
            environment: inputs.environment, allowsLiveChanges: allowsLiveChanges,
            services: services, browser: browser, readFile: read)
        if let reason = await target.browserUnreachable() {
            throw Failure.machine("no real browser: \(reason)")
        }
        if let reason = await target.unreachable() {
            throw Failure.machine("the target \(target.name) cannot be used: \(reason)")
        }
        return target
    }
}
