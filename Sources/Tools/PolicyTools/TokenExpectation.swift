import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JOSE
import JSON
import TenantFiles
import Validation

extension TokenSubject.TokenExpectation {
    /// What arguments say that a token should be.
    ///
    /// - Parameters:
    ///   - policies: Ids on the wire, or names of the tenant file.
    ///   - keys: The file of the published keys; `nil`: the signature is not checked.
    /// - Throws: ``Failure`` for an unknown policy, and for a file that cannot be read or has no list of keys.
    package init(
        tenant: Tenant?, audiences: [String], policies: [String], scopes: [String] = [], keys: String?, now: Timestamp,
        skew: TimeSpan = .minutes(5)
    ) throws {
        self.init(
            tenant: tenant, audiences: audiences,
            policies: try policies.map { name in
                try tenant.map { try TenantArgument.policy(name, in: $0, file: "the tenant file").id } ?? name
            }, scopes: scopes, now: now, skew: skew)
        guard let path = keys else { return }
        let bytes = try InputFile.read(path)
        do throws(InvalidInput) {
            self.keys = JWKSet(json: try JSONDocument(file: path, bytes: bytes).root)
        } catch {
            throw FindingsPrinter(sources: [SourceText(file: path, bytes: bytes)]).failure(error.diagnostics)
        }
        if self.keys == nil { throw Failure.input("\(path) is not a key set: it needs a list `keys`") }
    }
}
