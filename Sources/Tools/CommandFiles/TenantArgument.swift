import CommandKit
import Diagnostics
import TenantFiles
import TrustFramework

/// A tenant file that an option names.
package enum TenantArgument {
    /// Reads it. Prints everything that is wrong.
    package static func read(_ path: String, from files: PolicyFiles = .disk) throws -> TenantFile {
        let bytes = try files.read(path) ?? InputFile.read(path)
        let shown = FilePath.relative(path, to: Machine.currentFolder)
        do throws(InvalidInput) {
            return try TenantFile.read(file: shown, bytes: bytes)
        } catch {
            let sources = Scripts.sources(of: error.diagnostics, known: [])
            throw FindingsPrinter(sources: sources).failure(error.diagnostics)
        }
    }

    /// The policy of a name in the file, or of an id on the wire.
    package static func policy(_ name: String, in tenant: Tenant, file: String) throws -> PolicySettings {
        if let policy = tenant.policy(named: name) ?? tenant.policy(id: name) { return policy }
        let names = tenant.policies.flatMap { [$0.name, $0.id] }
        let hint =
            nearestName(name, among: names).map { "Did you mean \($0)?" }
            ?? (names.isEmpty ? "It has no policies." : "Policies are \(namesList(tenant.policies.map(\.name))).")
        throw Failure.usage("\(file) has no policy \(name). \(hint)")
    }
}
