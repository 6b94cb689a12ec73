import Determinism

/// The matching rules of RFC 6265, section 5.1, and what counts as one site.
enum CookieRules {
    /// Domain-match: the host itself or one below it; an address is only within itself.
    static func host(_ host: String, isWithin domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix("." + domain) && !isAddress(host)
    }

    static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || WebURL.isIPv4(host)
    }

    /// Path-match.
    static func path(_ path: String, isWithin cookiePath: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        guard path.hasPrefix(cookiePath) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
            || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }

    /// The path of a cookie that names none: the folder of the request.
    static func defaultPath(of url: WebURL) -> String {
        guard url.path.hasPrefix("/"), let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else {
            return "/"
        }
        return String(url.path[..<slash])
    }

    /// Same registrable domain. The scheme is not compared, as in Safari and Firefox.
    static func areSameSite(_ a: WebURL, _ b: WebURL) -> Bool {
        guard let first = a.host, let second = b.host else { return false }
        return first == second || site(first) == site(second)
    }

    /// The registrable domain of a host. The list of public suffixes is 300 KB long and changes weekly; a test world
    /// needs the few its hosts may end in, and takes the last label otherwise.
    static func site(_ host: String) -> String {
        guard !isAddress(host) else { return host }
        let labels = host.utf8.split(separator: UInt8(ascii: ".")).map(Substring.init)
        for count in stride(from: 4, through: 2, by: -1) where labels.count >= count {
            if suffixes.contains(labels.suffix(count).joined(separator: ".")) {
                return labels.suffix(count + 1).joined(separator: ".")
            }
        }
        return labels.suffix(2).joined(separator: ".")
    }

    static func isPublicSuffix(_ domain: String) -> Bool {
        !domain.contains(".") || suffixes.contains(domain)
    }

    /// Public suffixes of several labels under which test worlds are likely to have hosts.
    static let suffixes: Set<String> = [
        "co.uk", "org.uk", "ac.uk", "gov.uk", "com.au", "net.au", "co.nz", "co.jp", "com.br", "com.cn", "com.mx",
        "com.tr", "co.in", "co.kr", "co.za", "com.sg", "azurewebsites.net", "cloudapp.net", "azurestaticapps.net",
        "cloudapp.azure.com", "azureedge.net", "azurefd.net", "blob.core.windows.net", "web.core.windows.net",
        "github.io", "gitlab.io", "netlify.app", "vercel.app", "herokuapp.com", "web.app", "pages.dev",
    ]

    /// Reads the date of an `Expires` attribute by the forgiving algorithm of RFC 6265, section 5.1.1: any order, any
    /// separators, two-digit years.
    static func date(_ text: String) -> Timestamp? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        let separators: (Character) -> Bool = { character in
            guard let byte = character.asciiValue else { return false }
            return byte == 9 || (0x20...0x2f).contains(byte) || (0x3b...0x40).contains(byte)
                || (0x5b...0x60).contains(byte) || (0x7b...0x7e).contains(byte)
        }
        for token in text.split(whereSeparator: separators) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601 else { return nil }
        return Timestamp(
            CivilTime(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second))
    }

    private static func clock(_ token: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2, exact: true),
            let minute = number(parts[1], digits: 1...2, exact: true), let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// The digits a token begins with, which something other than a digit may follow.
    private static func number(_ token: Substring, digits: ClosedRange<Int>, exact: Bool = false) -> Int? {
        let leading = token.prefix { $0.isASCII && $0.isNumber }
        guard digits.contains(leading.count), !exact || leading.count == token.count else { return nil }
        return Int(leading)
    }

    private static func month(_ token: Substring) -> Int? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let name = String(token.prefix(3)).asciiLowercased
        return names.firstIndex(of: name).map { $0 + 1 }
    }
}
