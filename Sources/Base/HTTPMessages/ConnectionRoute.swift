/// Connections for one host and port go to another address and port. URL, `Host`, SNI and cookies keep the name.
public struct ConnectionRoute: Sendable, Hashable {
    /// The host that requests name; `nil`: every host.
    public var host: String?
    /// The port that requests name; `nil`: every port.
    public var port: Int?
    /// Where connections go: a name or an address, IPv6 in brackets.
    public var toHost: String
    public var toPort: Int

    public init(host: String?, port: Int? = nil, toHost: String, toPort: Int) {
        self.host = host
        self.port = port
        self.toHost = toHost
        self.toPort = toPort
    }
}
