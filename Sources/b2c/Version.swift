import JOSE

/// What `--version` prints.
enum Version {
    static let text = "0.1.0"

    /// With `-v`: also who signs, since that decides the speed.
    static var details: String { "b2c \(text)\nRS256 by \(SignatureProvider.current)\n" }
}
