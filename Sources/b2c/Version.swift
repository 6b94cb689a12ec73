import JOSE

/// What `--version` prints.
enum Version {
    static let text = "0.1.0"

    /// The compiler that built this, as far as it can tell itself apart.
    static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #elseif compiler(>=6.2)
            "6.2"
        #else
            "6.1"
        #endif
    }

    /// With `-v`: also who signs, since that decides the speed.
    static var details: String { "b2c \(text)\nRS256 by \(SignatureProvider.current)\n" }
}
