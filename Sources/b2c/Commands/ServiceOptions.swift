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

    /// The way to real services; `nil` where nobody has asked for it.
    var transport: (any Transport)? { areAllowed() ? Self.transport : nil }

    /// The way to real services.
    static var transport: any Transport { CurlTransport(.services) }

    func areAllowed(variable: Twin.Lookup = Machine.environment) -> Bool {
        allowRealServices || Twin.isOn("B2C_ALLOW_REAL_SERVICES", variable: variable)
    }
}
