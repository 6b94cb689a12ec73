import CommandKit
import CurlHTTP
import HTTPMessages

extension ServiceOptions {
    /// The way to real services; `nil` where nobody has asked for it.
    package var transport: (any Transport)? { areAllowed() ? Self.transport : nil }

    /// The way to real services.
    package static var transport: any Transport { CurlTransport(.services) }
}
