import TenantFiles

extension CurlOptions {
    /// How the hosts of a target are reached.
    ///
    /// - Parameters:
    ///   - settings: what the target file says.
    ///   - resolve: the path of a file that the target file names.
    public init(_ settings: TargetSettings, resolve: (String) -> String) {
        self.init(
            trust: settings.caFile.map { .file(resolve($0)) } ?? .system,
            routes: settings.routes,
            proxy: Proxy(settings.proxy), version: settings.http2 ? .http2 : .http1,
            connectTimeout: settings.connectTimeout, timeout: settings.timeout)
    }
}
