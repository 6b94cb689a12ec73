import HTTPMessages

/// An authority as MSAL for iOS and macOS holds it: a class and a URL.
///
/// Two authorities are the same when class and URL text agree, letter case and trailing slash included; that is what
/// `knownAuthorities` is compared by.
public struct MSALAuthority: Hashable, Sendable {
    /// The classes this client knows.
    public enum Kind: String, Sendable, Hashable {
        /// `MSALAADAuthority`: a directory tenant, `common`, `organizations` or `consumers`.
        case aad
        /// `MSALB2CAuthority`: one policy of a B2C tenant.
        case b2c
    }

    /// The class.
    public let kind: Kind
    /// The URL after the class's own normalisation.
    public let url: WebURL

    private init(kind: Kind, url: WebURL) {
        self.kind = kind
        self.url = url
    }

    public static func == (a: MSALAuthority, b: MSALAuthority) -> Bool {
        a.kind == b.kind && a.text == b.text
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(text)
    }

    /// The URL as text: what is compared and shown.
    public var text: String { url.description }

    /// `MSALB2CAuthority(url:)`: takes anything, drops query and fragment and keeps the letter case (MSALB2CAuthority.m
    /// skips the format check).
    public static func b2c(_ url: WebURL) -> MSALAuthority {
        var bare = url
        bare.query = nil
        bare.fragment = nil
        return MSALAuthority(kind: .b2c, url: bare)
    }

    /// `MSALAADAuthority(url:)`: cuts the path to the tenant and writes it small.
    static func aad(_ url: WebURL) -> Result<MSALAuthority, LibraryError> {
        let segments = pathSegments(url)
        guard url.scheme == "https", url.host != nil else {
            return .failure(
                LibraryError(.internalError, "An AAD authority must be an https URL.", kind: .configuration))
        }
        guard let tenant = segments.first else {
            return .failure(
                LibraryError(.internalError, "An AAD authority must name a tenant in its path.", kind: .configuration))
        }
        if ["adfs", "tfp"].contains(tenant.lowercased()) || isCIAM(url) {
            return .failure(
                LibraryError(
                    .invalidDeveloperParameter, "The URL \(url) is not an AAD authority.", kind: .configuration))
        }
        return .success(
            MSALAuthority(
                kind: .aad,
                url: WebURL(scheme: "https", host: url.host, port: explicitPort(url), path: "/" + tenant.lowercased())))
    }

    /// An authority for the client itself: `MSALAuthority(url:)` takes an ADFS address, and creating a client with it
    /// fails.
    static func own(_ url: WebURL, _ kind: Kind) -> Result<MSALAuthority, LibraryError> {
        if kind == .b2c { return .success(b2c(url)) }
        if pathSegments(url).first?.lowercased() == "adfs" {
            return .failure(LibraryError(.unsupportedFunctionality, "ADFS authorities are not supported."))
        }
        return aad(url)
    }

    /// Whether the path is `/tfp/{tenant}/{policy}` on https: the one form whose realm is the tenant.
    public var isTFP: Bool {
        let segments = Self.pathSegments(url)
        return url.scheme == "https" && segments.count >= 3 && segments[0].lowercased() == "tfp"
    }

    /// Host and, when it is not 443, port, in lower case: the cache's environment.
    public var environment: String {
        let host = url.host ?? ""
        return Self.explicitPort(url).map { "\(host):\($0)" } ?? host
    }

    /// The cache's realm. B2C: the tenant of a `/tfp/` path, else the whole path, policy included. AAD: the tenant.
    public var realm: String {
        switch kind {
        case .aad: Self.pathSegments(url).first ?? ""
        case .b2c: isTFP ? Self.pathSegments(url)[1] : url.path
        }
    }

    /// The tenant segment of an AAD authority.
    var aadTenant: String { Self.pathSegments(url).first ?? "" }

    /// Whether an AAD authority leaves the tenant open: `common`, `organizations`, `consumers`.
    var isTenantless: Bool {
        kind == .aad && ["common", "organizations", "consumers"].contains(aadTenant)
    }

    /// The same authority for a definite tenant: of a B2C authority the tenant of a `/tfp/` path changes and any other
    /// path stays; of an AAD authority the tenant changes.
    func forTenant(_ tenant: String) -> MSALAuthority {
        var changed = url
        switch kind {
        case .aad: changed.path = "/" + tenant
        case .b2c:
            guard isTFP else { return self }
            var segments = Self.pathSegments(url)
            segments[1] = tenant
            changed.path = "/" + segments.prefix(3).joined(separator: "/")
        }
        return MSALAuthority(kind: kind, url: changed)
    }

    /// Where its metadata is.
    var metadataURL: WebURL {
        var address = url
        while address.path.hasSuffix("/") { address.path.removeLast() }
        address.path += "/v2.0/.well-known/openid-configuration"
        return address
    }

    /// Whether the host is one of Microsoft's own sign-in hosts, which count as known.
    public var isOnTrustedHost: Bool { TrustedHosts.all.contains(environment) }

    private static func pathSegments(_ url: WebURL) -> [String] {
        url.path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static func explicitPort(_ url: WebURL) -> Int? {
        url.effectivePort == 443 ? nil : url.port
    }

    private static func isCIAM(_ url: WebURL) -> Bool {
        url.host?.hasSuffix(".ciamlogin.com") ?? false
    }
}

/// Hosts that need no validation (MSIDAADNetworkConfiguration.m). `*.b2clogin.com` and custom domains are not among
/// them.
public enum TrustedHosts {
    /// The world-wide cloud; instance discovery goes here for hosts that are not trusted.
    public static let worldWide = "login.microsoftonline.com"

    /// Every trusted host.
    public static let all: [String] = [
        worldWide, "login.windows.net", "login.chinacloudapi.cn", "login.partner.microsoftonline.cn",
        "login.microsoftonline.de", "login.microsoftonline.us", "login-us.microsoftonline.com",
        "login.usgovcloudapi.net", "login.sovcloud-identity.fr", "login.sovcloud-identity.de",
        "login.sovcloud-identity.sg",
    ]
}
