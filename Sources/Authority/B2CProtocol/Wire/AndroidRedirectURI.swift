import HTTPMessages

/// The redirect URI that MSAL for Android wants: `msauth://PACKAGE/HASH`, where HASH is the base64 of the SHA-1 of the
/// certificate that signed the app, percent-encoded.
///
/// The intent filter of the manifest takes the same parts, and there the hash stands raw: Android compares decoded paths
/// (Microsoft docs: MSAL Android frequently-asked-questions, redirect URI issues; docs/bugs.md, B07).
public struct AndroidRedirectURI: Hashable, Sendable {
    /// The application id of the app.
    public var package: String
    /// The signature hash, not encoded; empty when the URI has none.
    public var hash: String

    public init(package: String, hash: String) {
        self.package = package
        self.hash = hash
    }

    /// Reads a URI of the scheme `msauth` with a package; `nil` for any other. The hash need not be encoded.
    public init?(_ uri: String) {
        guard let url = WebURL(uri), url.scheme == "msauth", let host = url.host, !host.isEmpty else { return nil }
        package = host
        hash = PercentCoding.decode(String(url.path.drop { $0 == "/" }), plusIsSpace: false)
    }

    /// The URI as configuration and registration write it.
    public var text: String { "msauth://\(package)/\(PercentCoding.encodeComponent(hash))" }
}
