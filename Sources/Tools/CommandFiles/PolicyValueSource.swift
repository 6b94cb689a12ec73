import CommandKit
import Diagnostics
import TrustFramework

/// Where the values for `{Settings:NAME}` come from.
package struct PolicyValueSource: Hashable, Sendable {
    /// A settings file; `nil`: the `appsettings.json` beside the policies.
    package var settings: String?
    /// An environment of it; `nil`: the first.
    package var environment: String?

    package init(settings: String? = nil, environment: String? = nil) {
        self.settings = settings
        self.environment = environment
    }

    /// The environment of a settings file. Prints everything that is wrong.
    package func read(_ path: String) throws -> PolicyEnvironments.Environment {
        do throws(InvalidInput) {
            return try PolicyEnvironments.read(file: path, bytes: try? FileSystem.read(path)).environment(environment)
        } catch {
            FindingsPrinter(sources: Scripts.sources(of: error.diagnostics, known: [])).print(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }
}
