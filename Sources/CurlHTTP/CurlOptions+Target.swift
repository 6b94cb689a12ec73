import B2CProtocol

extension CurlOptions {
    /// How the hosts of a target are reached.
    ///
    /// - Parameters:
    ///   - settings: what the target file says.
    ///   - resolve: the path of a file that the target file names.
    public init(_ settings: TargetSettings, resolve: (String) -> String) {
        self.init(
            trust: settings.caFile.map { .file(resolve($0)) } ?? .system,
            routes: settings.routes.map {
                Route(host: $0.host, port: $0.port, toHost: $0.toHost, toPort: $0.toPort)
            },
            proxy: Proxy(settings.proxy), version: settings.http2 ? .http2 : .http1,
            connectTimeout: settings.connectTimeout, timeout: settings.timeout)
    }
}
