import Determinism
import HTTPMessages

/// How a ``CurlTransport`` reaches its hosts.
public struct CurlOptions: Sendable {
    /// Whose certificates are believed.
    public enum Trust: Sendable, Hashable {
        /// The system's certificate authorities.
        case system
        /// The certificate authorities in this file (PEM), and no others.
        case file(String)
        /// The certificate authorities in these bytes (PEM), and no others.
        case bytes([UInt8])
    }

    /// Which proxy requests go through.
    public enum Proxy: Sendable, Hashable {
        /// None, whatever the environment says.
        case none
        /// The one of `https_proxy`, `http_proxy` and `no_proxy`.
        case environment
        /// This one: `http://proxy.contoso.test:3128`.
        case url(String)

        /// As files name one: a URL, or `environment`; `nil`: none.
        public init(_ text: String?) {
            switch text {
            case nil: self = .none
            case "environment": self = .environment
            case .some(let url): self = .url(url)
            }
        }
    }

    public enum Version: Sendable, Hashable {
        case http1
        /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
        case http2
    }

    public var trust: Trust
    public var routes: [ConnectionRoute]
    public var proxy: Proxy
    public var version: Version
    /// How long a connection may take, TLS included.
    public var connectTimeout: TimeSpan
    /// How long a whole exchange may take.
    public var timeout: TimeSpan
    /// Larger bodies, counted after decompression, end the exchange.
    public var maxBodyBytes: Int
    /// Larger header sections end the exchange.
    public var maxHeaderBytes: Int
    /// Connections to one host at a time; further exchanges wait for one.
    public var connectionsPerHost: Int
    /// A connection that has rested for longer is not used again: the peer may have forgotten it. To the second.
    public var idleLimit: TimeSpan

    public init(
        trust: Trust = .system, routes: [ConnectionRoute] = [], proxy: Proxy = .none, version: Version = .http1,
        connectTimeout: TimeSpan = .seconds(10), timeout: TimeSpan = .seconds(60), maxBodyBytes: Int = 16 << 20,
        maxHeaderBytes: Int = 256 << 10, connectionsPerHost: Int = 16, idleLimit: TimeSpan = .seconds(118)
    ) {
        self.trust = trust
        self.routes = routes
        self.proxy = proxy
        self.version = version
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.maxBodyBytes = maxBodyBytes
        self.maxHeaderBytes = maxHeaderBytes
        self.connectionsPerHost = connectionsPerHost
        self.idleLimit = idleLimit
    }

    /// For web APIs that policies call: through the environment's proxy, with narrow limits.
    public static let services = CurlOptions(
        proxy: .environment, connectTimeout: .seconds(10), timeout: .seconds(30), maxBodyBytes: 4 << 20,
        maxHeaderBytes: 64 << 10)
}

extension ConnectionRoute {
    /// As `CURLOPT_CONNECT_TO` reads it: `HOST:PORT:CONNECT-TO-HOST:CONNECT-TO-PORT`.
    var text: String { "\(host ?? ""):\(port.map(String.init) ?? ""):\(toHost):\(toPort)" }
}
