import Determinism

/// The cookies of one browser: RFC 6265 with the `SameSite` rules of its successor, and room for B2C's names.
public struct CookieJar: Sendable {
    public var thirdParty: ThirdPartyCookies
    /// `false`: nothing is stored and nothing sent.
    public var enabled: Bool
    /// In the order they were first set, on which the order of sending depends.
    private var cookies: [Cookie] = []

    /// A name and value together may have so many bytes, as in browsers. B2C cuts its long cookies for this limit.
    public static let maximumBytes = 4096
    static let maximumPerDomain = 180
    static let maximumInAll = 3000

    public init(thirdParty: ThirdPartyCookies = .allow, enabled: Bool = true) {
        self.thirdParty = thirdParty
        self.enabled = enabled
    }

    /// All cookies, expired ones too until something looks for them; oldest first.
    public var all: [Cookie] { cookies }

    public mutating func removeAll() { cookies = [] }

    public mutating func remove(where isGone: (Cookie) -> Bool) { cookies.removeAll(where: isGone) }

    /// Puts a cookie in as it is; one of the same name, domain and path goes.
    public mutating func insert(_ cookie: Cookie) {
        if let index = cookies.firstIndex(where: { $0.isSameCookie(as: cookie) }) {
            cookies[index] = cookie
        } else {
            cookies.append(cookie)
        }
    }

    /// The browser is closed: session cookies go.
    public mutating func endSession() {
        cookies.removeAll { $0.expires == nil }
    }

    // MARK: Storing

    /// Takes one `Set-Cookie` field of a response.
    ///
    /// - Returns: Why the cookie was refused, or `nil` when it was stored or, being expired, removed.
    public mutating func store(
        _ setCookie: String, from url: WebURL, at now: Timestamp, context: CookieContext
    ) -> CookieRefusal? {
        guard enabled else { return .disabled }
        guard let host = url.host, !host.isEmpty, var cookie = CookieJar.read(setCookie, from: url, at: now) else {
            return .invalid
        }
        if thirdParty == .block && !context.isFirstParty(url) { return .thirdParty }
        if !cookie.domain.isEmpty {
            if CookieRules.isPublicSuffix(cookie.domain) && cookie.domain != host { return .invalid }
            guard CookieRules.host(host, isWithin: cookie.domain) else { return .invalid }
            cookie.hostOnly = CookieRules.isAddress(host) || CookieRules.isPublicSuffix(cookie.domain)
        } else {
            cookie.domain = host
            cookie.hostOnly = true
        }
        if let refusal = CookieJar.check(cookie, from: url) { return refusal }
        if context.enforceSameSite {
            if cookie.sameSite == Cookie.SameSite.none && !cookie.secure { return .sameSite }
            let crossSite = !context.isSameSite(url) && !context.isTopLevelNavigation
            if crossSite && cookie.sameSite != Cookie.SameSite.none { return .sameSite }
        }
        if !CookieJar.isSecure(url),
            cookies.contains(where: { $0.secure && $0.name == cookie.name && $0.applies(to: url) })
        {
            return .secure
        }
        if let old = cookies.firstIndex(where: { $0.isSameCookie(as: cookie) }) {
            cookie.created = cookies[old].created
            if cookie.isExpired(at: now) { cookies.remove(at: old) } else { cookies[old] = cookie }
        } else if !cookie.isExpired(at: now) {
            cookies.append(cookie)
            evict(at: now, domain: cookie.domain)
        }
        return nil
    }

    /// Name prefixes and `Secure`, which an address without encryption cannot set.
    private static func check(_ cookie: Cookie, from url: WebURL) -> CookieRefusal? {
        if cookie.secure && !isSecure(url) { return .secure }
        let name = cookie.name.asciiLowercased
        if name.hasPrefix("__secure-") && !cookie.secure { return .invalid }
        if name.hasPrefix("__host-") && !(cookie.secure && cookie.hostOnly && cookie.path == "/") { return .invalid }
        return nil
    }

    /// Browsers count loopback addresses as trustworthy without encryption.
    private static func isSecure(_ url: WebURL) -> Bool {
        url.scheme == "https" || url.isLoopback
    }

    /// The parts of a `Set-Cookie` field (RFC 6265, section 5.2); `domain` is empty where the field has none.
    private static func read(_ field: String, from url: WebURL, at now: Timestamp) -> Cookie? {
        guard !field.utf8.contains(where: { ($0 < 32 && $0 != 9) || $0 == 127 }) else { return nil }
        // By bytes: finding the characters of a text costs more than everything else here.
        var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        let pair = parts.removeFirst()
        guard let (name, value) = halves(of: pair) else { return nil }
        guard !name.isEmpty, name.utf8.count + value.utf8.count <= maximumBytes else { return nil }
        var cookie = Cookie(
            name: name, value: value, domain: "", hostOnly: true, path: CookieRules.defaultPath(of: url), created: now)
        var maximumAge: Timestamp?
        for part in parts {
            let (attribute, text) = halves(of: part) ?? (String(Substring(part)).trimmedOptionalWhitespace, "")
            switch attribute.asciiLowercased {
            case "expires": if let date = CookieRules.date(text) { cookie.expires = date }
            case "max-age": if let instant = expiry(maximumAge: text, at: now) { maximumAge = instant }
            case "domain":
                let domain = text.hasPrefix(".") ? String(text.dropFirst()) : text
                cookie.domain = domain.asciiLowercased
            case "path": cookie.path = text.hasPrefix("/") ? text : CookieRules.defaultPath(of: url)
            case "secure": cookie.secure = true
            case "httponly": cookie.httpOnly = true
            case "samesite": cookie.sameSite = Cookie.SameSite(rawValue: text.asciiLowercased)
            default: break
            }
        }
        if let maximumAge { cookie.expires = maximumAge }
        return cookie
    }

    /// The two sides of the first `=`, without white space around them; `nil` where there is none.
    private static func halves(of part: Substring.UTF8View) -> (name: String, value: String)? {
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (
            String(Substring(part[..<equals])).trimmedOptionalWhitespace,
            String(Substring(part[part.index(after: equals)...])).trimmedOptionalWhitespace
        )
    }

    private static func expiry(maximumAge text: String, at now: Timestamp) -> Timestamp? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        guard !text.hasPrefix("-") else { return Timestamp(milliseconds: .min) }
        let seconds = Int64(digits) ?? .max
        return seconds == 0 ? Timestamp(milliseconds: .min) : now + .seconds(seconds)
    }

    private mutating func evict(at now: Timestamp, domain: String) {
        if cookies.count > CookieJar.maximumInAll
            || cookies.count(where: { $0.domain == domain }) > CookieJar.maximumPerDomain
        {
            cookies.removeAll { $0.isExpired(at: now) }
        }
        if cookies.count(where: { $0.domain == domain }) > CookieJar.maximumPerDomain,
            let oldest = cookies.firstIndex(where: { $0.domain == domain })
        {
            cookies.remove(at: oldest)
        }
        if cookies.count > CookieJar.maximumInAll { cookies.removeFirst() }
    }

    // MARK: Sending

    /// The `Cookie` field for a request (RFC 6265, section 5.4): longer paths first, older cookies before newer.
    ///
    /// - Returns: The field, `nil` where no cookie goes along; and the cookies of this host and path that stay behind,
    ///   with the reason.
    public func header(
        for url: WebURL, at now: Timestamp, context: CookieContext
    ) -> (header: String?, withheld: [(name: String, reason: CookieRefusal)]) {
        let fitting = cookies.filter { !$0.isExpired(at: now) && $0.applies(to: url) }
        guard !fitting.isEmpty else { return (nil, []) }
        let isSameSite = context.isSameSite(url)
        var sent: [(offset: Int, cookie: Cookie)] = []
        var withheld: [(name: String, reason: CookieRefusal)] = []
        for (offset, cookie) in fitting.enumerated() {
            if let reason = reasonToWithhold(cookie, from: url, at: now, isSameSite: isSameSite, context: context) {
                withheld.append((cookie.name, reason))
            } else {
                sent.append((offset, cookie))
            }
        }
        guard !sent.isEmpty else { return (nil, withheld) }
        sent.sort { a, b in
            let lengths = (a.cookie.path.utf8.count, b.cookie.path.utf8.count)
            if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
            return (a.cookie.created, a.offset) < (b.cookie.created, b.offset)
        }
        let pairs = sent.map { $0.cookie.name + "=" + $0.cookie.value }
        return (pairs.joined(separator: "; "), withheld)
    }

    private func reasonToWithhold(
        _ cookie: Cookie, from url: WebURL, at now: Timestamp, isSameSite: Bool, context: CookieContext
    ) -> CookieRefusal? {
        guard enabled else { return .disabled }
        if cookie.secure && !CookieJar.isSecure(url) { return .secure }
        if thirdParty == .block && !context.isFirstParty(url) { return .thirdParty }
        guard context.enforceSameSite, !isSameSite else { return nil }
        switch cookie.sameSite {
        case Cookie.SameSite.none?: return nil
        case .strict?: return .sameSite
        case .lax?: return context.isTopLevelNavigation && context.isSafeMethod ? nil : .sameSite
        case nil:
            // Absent counts as lax, but in its first two minutes such a cookie also goes with a cross-site post:
            // browsers made this exception for sign-in responses by form post.
            guard context.isTopLevelNavigation else { return .sameSite }
            return context.isSafeMethod || now - cookie.created <= .minutes(2) ? nil : .sameSite
        }
    }
}
