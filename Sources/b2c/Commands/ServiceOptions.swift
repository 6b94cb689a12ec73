import ArgumentParser
import CommandKit
import CurlHTTP
import HTTPMessages

/// Whether policies may call real web APIs.
struct ServiceOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Let REST stubs with \"passThrough\": true call the real service. (B2C_ALLOW_REAL_SERVICES)")
    var allowRealServices = false

    /// The way there; `nil` where nobody has asked for it.
    var transport: (any Transport)? {
        guard allowRealServices || Twin.isOn("B2C_ALLOW_REAL_SERVICES") else { return nil }
        return CurlTransport(.services)
    }
}
