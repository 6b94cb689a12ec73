import CommandKit
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
    package func read(_ path: String, from files: PolicyFiles = .disk) throws -> PolicyEnvironments.Environment {
        try Failure.printing {
            try PolicyEnvironments.read(file: path, bytes: files.read(path)).environment(environment)
        }
    }
}
