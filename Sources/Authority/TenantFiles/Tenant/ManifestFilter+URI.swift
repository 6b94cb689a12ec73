import HTTPMessages

extension ManifestFilter {
    /// The filter that takes a redirect URI: its scheme, host and decoded path.
    public init(taking url: WebURL) {
        self.init()
        scheme = url.scheme
        host = url.host ?? ""
        path = PercentCoding.decode(url.path, plusIsSpace: false)
    }

    /// Whether Android hands the URI to the activity: scheme and path to the letter, the host without regard to letter
    /// case, the URI's path decoded and the filter's as it stands (android.content.IntentFilter). A part that the filter
    /// leaves out does not matter.
    public func takes(_ url: WebURL) -> Bool {
        (scheme.isEmpty || scheme == url.scheme)
            && (host.isEmpty || host.asciiLowercased == (url.host ?? "").asciiLowercased)
            && (path.isEmpty || path == PercentCoding.decode(url.path, plusIsSpace: false))
    }
}
