/// The version of b2c and mock-server: they ship together and have one.
package enum ToolVersion {
    package static let text = "0.1.0"

    /// The repository whose releases have this build, as `account/name`; `nil`: a build from a clone. The release workflow sets
    /// it (`packaging/version.py --repository`).
    package static let repository: String? = nil

    /// The compiler that built this, as far as conditional compilation shows its version.
    package static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
