import Determinism

/// A stored cookie (RFC 6265, section 5.3).
public struct Cookie: Hashable, Sendable {
    public enum SameSite: String, Hashable, Sendable {
        case none, lax, strict
    }

    /// As received: B2C's names hold `|`, `:` and `/`.
    public var name: String
    /// As received, byte for byte; quotation marks are part of it.
    public var value: String
    /// Lower case, without a dot in front.
    public var domain: String
    /// Only the very host gets it back, not its subdomains.
    public var hostOnly: Bool
    public var path: String
    /// `nil` for a session cookie.
    public var expires: Timestamp?
    public var secure: Bool
    public var httpOnly: Bool
    /// `nil` when the attribute was absent or unknown.
    public var sameSite: SameSite?
    public var created: Timestamp

    public init(
        name: String, value: String, domain: String, hostOnly: Bool, path: String, expires: Timestamp? = nil,
        secure: Bool = false, httpOnly: Bool = false, sameSite: SameSite? = nil, created: Timestamp
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.hostOnly = hostOnly
        self.path = path
        self.expires = expires
        self.secure = secure
        self.httpOnly = httpOnly
        self.sameSite = sameSite
        self.created = created
    }

    func isExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    func isSameCookie(as other: Cookie) -> Bool {
        name == other.name && path == other.path && domain == other.domain && hostOnly == other.hostOnly
    }

    /// Host and path fit; `secure` and sites are another matter.
    func applies(to url: WebURL) -> Bool {
        guard let host = url.host, !host.isEmpty else { return false }
        guard hostOnly ? host == domain : CookieRules.host(host, isWithin: domain) else { return false }
        return CookieRules.path(url.path, isWithin: path)
    }
}

/// Why a cookie was not stored or not sent.
public enum CookieRefusal: String, Sendable, Hashable, CaseIterable {
    /// The browser blocks cookies of other sites than that of the page.
    case thirdParty
    /// The cookie's own `SameSite` forbids it here.
    case sameSite
    /// A `Secure` cookie and an address that is not.
    case secure
    /// The browser keeps no cookies.
    case disabled
    /// Not a cookie, or not one for this host.
    case invalid
}

/// What a browser does about cookies of other sites.
public enum ThirdPartyCookies: String, Sendable, Hashable, CaseIterable {
    case allow, block
}

/// Where a request comes from, as far as cookies care.
public struct CookieContext: Sendable {
    /// The page in the address bar; `nil` when the request is for that page itself.
    public var topLevelSite: WebURL?
    /// The address bar goes there, as opposed to a frame, a script or an image.
    public var isTopLevelNavigation: Bool
    public var method: String
    /// The page that started the request; `nil` when the person or the app did.
    public var initiator: WebURL?
    /// Whether the browser acts on `SameSite`, also where it is absent.
    public var enforceSameSite: Bool

    public init(
        topLevelSite: WebURL? = nil, isTopLevelNavigation: Bool = true, method: String = "GET",
        initiator: WebURL? = nil, enforceSameSite: Bool = true
    ) {
        self.topLevelSite = topLevelSite
        self.isTopLevelNavigation = isTopLevelNavigation
        self.method = method
        self.initiator = initiator
        self.enforceSameSite = enforceSameSite
    }

    /// Neither the page in the address bar nor the one that started the request is of another site.
    func isSameSite(_ url: WebURL) -> Bool {
        let initiatorAgrees = initiator.map { CookieRules.areSameSite($0, url) } ?? true
        return initiatorAgrees && (isTopLevelNavigation || isFirstParty(url))
    }

    func isFirstParty(_ url: WebURL) -> Bool {
        isTopLevelNavigation || (topLevelSite.map { CookieRules.areSameSite($0, url) } ?? true)
    }

    var isSafeMethod: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}
