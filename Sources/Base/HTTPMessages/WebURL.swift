import JSON

/// A URL of any scheme, also an app's own (`msauth.com.contoso.app://auth`) and one without a host (`urn:...`).
///
/// It keeps what it was given: path, query and fragment stay raw, an empty path stays empty, and the spelling of scheme
/// and host comes back in `description`. Redirect URIs are compared as text, so a type that tidied them up would hide
/// the mistakes this program is there to find. Two URLs that differ only in the letter case of scheme and host are
/// equal (RFC 3986, section 6.2.2.1).
public struct WebURL: Hashable, Sendable {
    /// In lower case.
    public var scheme: String {
        didSet {
            schemeSpelling.text = nil
            scheme = scheme.asciiLowercased
        }
    }
    /// What precedes the `@` of the authority.
    public var userInfo: String?
    /// In lower case, an IPv6 address in its brackets; empty for `scheme:///path`, `nil` for a URL without `//`.
    public var host: String? {
        didSet {
            hostSpelling.text = nil
            host = host?.asciiLowercased
        }
    }
    /// As written; `nil` where none is.
    public var port: Int?
    /// As written: may be empty.
    public var path: String
    /// As written, without the `?`.
    public var query: String?
    /// As written, without the `#`.
    public var fragment: String?

    private var schemeSpelling = Spelling()
    private var hostSpelling = Spelling()

    /// A spelling that makes no difference to equality.
    private struct Spelling: Hashable {
        var text: String?
        static func == (a: Spelling, b: Spelling) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    public init(
        scheme: String, host: String?, port: Int? = nil, path: String = "", query: String? = nil,
        fragment: String? = nil
    ) {
        self.scheme = scheme.asciiLowercased
        self.host = host?.asciiLowercased
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
        if self.scheme != scheme { schemeSpelling.text = scheme }
        if self.host != host { hostSpelling.text = host }
    }

    /// Reads an absolute URL; `nil` when there is no scheme, a port is not a number up to 65535, brackets do not
    /// match, or white space or a control character is in it.
    public init?(_ text: String) {
        var parts = Parts()
        var text = text
        guard text.withUTF8({ parts.read($0) }) else { return nil }
        scheme = parts.scheme.asciiLowercased
        userInfo = parts.userInfo
        host = parts.host?.asciiLowercased
        port = parts.port
        path = parts.path
        query = parts.query
        fragment = parts.fragment
        if scheme != parts.scheme { schemeSpelling.text = parts.scheme }
        if host != parts.host { hostSpelling.text = parts.host }
    }

    /// The parts of a text as it is spelled.
    fileprivate struct Parts {
        var scheme = ""
        var userInfo: String?
        var host: String?
        var port: Int?
        var path = ""
        var query: String?
        var fragment: String?
    }

    /// The index of the colon that ends the scheme (RFC 3986, section 3.1).
    static func endOfScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = bytes.first, (97...122).contains(first | 0x20) else { return nil }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: ":"): return index
            case 48...57, 65...90, 97...122, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
            default: return nil
            }
        }
        return nil
    }

    fileprivate static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// `host[:port]` as written; empty for a URL without a host.
    public var authority: String {
        let host = hostSpelling.text ?? self.host ?? ""
        return port.map { "\(host):\($0)" } ?? host
    }

    /// The port written, else the scheme's own: 443 for https, 80 for http, 0 for others.
    public var effectivePort: Int {
        port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : 0)
    }

    /// Scheme, host and port, without a default port, as in `https://contoso.b2clogin.com`. Schemes other than http and
    /// https have the opaque origin, `null` (RFC 6454).
    public var origin: String {
        guard scheme == "https" || scheme == "http", let host else { return "null" }
        guard let port, port != WebURL.defaultPort(of: scheme) else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }

    static func defaultPort(of scheme: String) -> Int? {
        scheme == "https" ? 443 : scheme == "http" ? 80 : nil
    }

    /// Whether scheme, host and effective port agree.
    public func hasSameOrigin(as other: WebURL) -> Bool {
        origin != "null" && origin == other.origin
    }

    /// What a request line carries: path and query, the path at least `/` (RFC 9112, section 3.2.1).
    public var requestTarget: String {
        var target = path.isEmpty ? "/" : path
        if let query {
            target.reserveCapacity(target.utf8.count + 1 + query.utf8.count)
            target += "?"
            target += query
        }
        return target
    }

    /// The query's items; setting it writes a form-encoded query, or none where there are no items.
    public var queryItems: FormItems {
        get { query.map { FormItems(parsing: $0) } ?? FormItems() }
        set { query = newValue.isEmpty ? nil : newValue.encoded }
    }

    /// The fragment read like a query: how `response_mode=fragment` carries its parameters.
    public var fragmentItems: FormItems {
        fragment.map { FormItems(parsing: $0) } ?? FormItems()
    }

    /// A loopback address or name: `localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]` (RFC 8252, section 7.3; RFC 6761).
    public var isLoopback: Bool {
        guard let host else { return false }
        return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (host.hasPrefix("127.") && WebURL.isIPv4(host))
    }

    static func isIPv4(_ host: String) -> Bool {
        // Of nearly every name the last letter says that it is none.
        guard let last = host.utf8.last, (48...57).contains(last) else { return false }
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                !part.isEmpty && part.count <= 3 && part.allSatisfy { (48...57).contains($0) }
                    && (Int(Substring(part)) ?? 256) <= 255
            }
    }
}

extension WebURL: CustomStringConvertible {
    public var description: String {
        // Only a text that is not a URL has no scheme (`init(verbatim:)`).
        var text = scheme.isEmpty ? "" : (schemeSpelling.text ?? scheme) + ":"
        if host != nil {
            text += "//"
            if let userInfo { text += userInfo + "@" }
            text += authority
        }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}

extension WebURL.Parts {
    fileprivate mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !ByteSearch.hasBlankOrControl(bytes), let colon = WebURL.endOfScheme(bytes) else { return false }
        scheme = WebURL.text(bytes, 0..<colon)
        var end = bytes.count
        let hash = ByteSearch.offset(of: UInt8(ascii: "#"), in: bytes, colon + 1..<end)
        if hash < end {
            fragment = WebURL.text(bytes, hash + 1..<end)
            end = hash
        }
        let mark = ByteSearch.offset(of: UInt8(ascii: "?"), in: bytes, colon + 1..<end)
        if mark < end {
            query = WebURL.text(bytes, mark + 1..<end)
            end = mark
        }
        var start = colon + 1
        if start + 2 <= end, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") {
            let slash = ByteSearch.offset(of: UInt8(ascii: "/"), in: bytes, start + 2..<end)
            guard readAuthority(bytes, start + 2..<slash) else { return false }
            start = slash
        }
        path = WebURL.text(bytes, start..<end)
        return true
    }

    private mutating func readAuthority(_ bytes: UnsafeBufferPointer<UInt8>, _ authority: Range<Int>) -> Bool {
        var rest = authority
        if let at = rest.last(where: { bytes[$0] == UInt8(ascii: "@") }) {
            userInfo = WebURL.text(bytes, rest.lowerBound..<at)
            rest = at + 1..<rest.upperBound
        }
        var hostEnd = rest.upperBound
        if !rest.isEmpty, bytes[rest.lowerBound] == UInt8(ascii: "[") {
            let bracket = ByteSearch.offset(of: UInt8(ascii: "]"), in: bytes, rest)
            guard bracket < rest.upperBound else { return false }
            hostEnd = bracket + 1
            guard hostEnd == rest.upperBound || bytes[hostEnd] == UInt8(ascii: ":") else { return false }
        } else {
            hostEnd = ByteSearch.offset(of: UInt8(ascii: ":"), in: bytes, rest)
        }
        if hostEnd < rest.upperBound {
            let digits = bytes[(hostEnd + 1)..<rest.upperBound]
            if !digits.isEmpty {
                guard digits.count <= 5, digits.allSatisfy({ (48...57).contains($0) }) else { return false }
                let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
                guard number <= 65535 else { return false }
                port = number
            }
        }
        host = WebURL.text(bytes, rest.lowerBound..<hostEnd)
        return true
    }
}
