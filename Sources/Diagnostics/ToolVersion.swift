/// The version of b2c and mock-server: they ship together and have one.
package enum ToolVersion {
    package static let text = "0.1.0"

    /// The compiler that built this, as far as it can tell itself apart.
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
