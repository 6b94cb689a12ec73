import AuthorityHosting
import B2CProtocol
import Diagnostics

/// Reads what the server serves.
enum TenantLoading {
    /// Reads and compiles a tenant file. Prints everything that is wrong with it.
    static func tenant(at path: String) throws -> CompiledTenant {
        let bytes: [UInt8]
        do throws(Files.Problem) {
            bytes = try Files.read(path)
        } catch {
            throw Failure.input("\(path) cannot be read: \(error.text)")
        }
        do throws(InvalidInput) {
            let file = try TenantFile.read(file: path, bytes: bytes)
            return try CompiledTenant.compile(file.json)
        } catch {
            let renderer = DiagnosticRenderer(
                color: Machine.error.isTerminal && Machine.environment("NO_COLOR") == nil,
                sources: [SourceText(file: path, bytes: bytes)])
            Machine.error.write(renderer.render(error.diagnostics) + "\n")
            throw Failure(status: .input, text: nil) as any Error
        }
    }
}
