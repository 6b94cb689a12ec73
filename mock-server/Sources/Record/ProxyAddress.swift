import HTTPMessages
import JSON

/// The address under which a recording proxy stands for the hosts of a tenant.
///
/// The tenant's first host is the proxy itself; the others are below a path of it, as they do in a server without name
/// mapping: `http://localhost:9500/_hosts/login.contoso.example/...`. What leads to one of them in an answer is rewritten
/// so that app and browser stay on the proxy, and what leads to the proxy in a request is written back.
struct ProxyAddress: Sendable {
    /// How the client came: `http://localhost:9500`.
    let origin: String
    /// The hosts that may be reached, in lower case, the proxy's own first.
    let hosts: [String]

    private var own: String { hosts.first ?? "" }

    // MARK: Requests

    /// The URL that a request target stands for; `nil` where it names a host that the target does not have.
    func url(for target: String) -> WebURL? {
        guard target.hasPrefix(LocalAddress.prefix) else { return WebURL("https://\(own)\(target)") }
        let path = target.prefix { $0 != "?" }
        guard let (host, rest) = LocalAddress.hosted(String(path)), hosts.contains(host) else { return nil }
        return WebURL("https://\(host)\(rest)\(target[path.endIndex...])")
    }

    /// The host whose path a target is below, as the client wrote it.
    static func namedHost(_ target: String) -> String? {
        LocalAddress.hosted(String(target.prefix { $0 != "?" }))?.host
    }

    /// A text of a request in which the proxy's addresses are those of the hosts again, also where they are written with
    /// escapes, as in a query.
    func restored(_ text: String) -> String {
        var result = text
        for place in hosts.map({ ($0, below($0)) }).sorted(by: { $0.1.count > $1.1.count }) {
            let (host, address) = place
            result = Self.replacing(address, by: "https://\(host)", in: result)
            result = Self.replacing(
                PercentCoding.encodeComponent(address), by: PercentCoding.encodeComponent("https://\(host)"), in: result
            )
        }
        return result
    }

    /// The address of a host on the proxy.
    private func below(_ host: String) -> String { host == own ? origin : origin + LocalAddress.prefix + host }

    /// The text with an address replaced where it ends there: `http://localhost` does not occur in
    /// `http://localhost:3000`.
    private static func replacing(_ address: String, by other: String, in text: String) -> String {
        guard text.contains(address) else { return text }
        var result = ""
        var rest = text[...]
        while let place = rest.firstRange(of: address) {
            result += rest[..<place.lowerBound]
            let after = rest[place.upperBound...]
            let goesOn =
                after.first.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:_".contains($0)) } ?? false
                || after.lowercased().hasPrefix("%3a")
            // The landing page is at the proxy's address for the server too.
            let isLanding = [LandingPage.path, PercentCoding.encodeComponent(LandingPage.path)].contains(
                where: after.hasPrefix)
            result += goesOn || isLanding ? address : other
            rest = after
        }
        return result + rest
    }

    // MARK: Answers

    /// A text of an answer in which absolute addresses of the hosts lead to the proxy. Slashes that are escaped, as in
    /// scripts, stay so.
    func led(_ text: String) -> String {
        let lower = text.lowercased()
        guard hosts.contains(where: { lower.contains($0) }) else { return text }
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        result.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            if bytes[place] | 0x20 == UInt8(ascii: "h"), let match = match(bytes, at: place) {
                let address = below(match.host)
                result += Array((match.isEscaped ? address.replacing("/", with: "\\/") : address).utf8)
                place = match.end
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private struct Match {
        var host: String
        var end: Int
        var isEscaped: Bool
    }

    /// An absolute address of one of the hosts at a place.
    private func match(_ bytes: [UInt8], at start: Int) -> Match? {
        func holds(_ text: String, at place: Int) -> Bool {
            let wanted = Array(text.utf8)
            guard place + wanted.count <= bytes.count else { return false }
            for (index, byte) in wanted.enumerated() {
                let found = bytes[place + index]
                let isUpper = (65...90).contains(found)
                if (isUpper ? found | 0x20 : found) != byte { return false }
            }
            return true
        }
        var place = start
        if holds("https:", at: place) {
            place += 6
        } else if holds("http:", at: place) {
            place += 5
        } else {
            return nil
        }
        let isEscaped = holds("\\/\\/", at: place)
        guard isEscaped || holds("//", at: place) else { return nil }
        place += isEscaped ? 4 : 2
        for host in hosts where holds(host, at: place) {
            var end = place + host.utf8.count
            for port in [":443", ":80"] where holds(port, at: end) && !Self.goesOn(bytes, end + port.utf8.count) {
                end += port.utf8.count
                break
            }
            // `contoso.b2clogin.com.evil.example` and other ports are other places.
            if Self.goesOn(bytes, end) { continue }
            return Match(host: host, end: end, isEscaped: isEscaped)
        }
        return nil
    }

    private static func goesOn(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard place < bytes.count else { return false }
        switch bytes[place] {
        case 48...57, 65...90, 97...122: return true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "@"): return true
        default: return false
        }
    }

    /// The body of an answer, rewritten. The `issuer` of a discovery document stays: tokens name it, and they are signed.
    func led(_ message: ResponseMessage) -> [UInt8] {
        guard Self.isText(message.headers.mediaType), let text = String(validating: message.body, as: UTF8.self) else {
            return message.body
        }
        if case .object(let document)? = message.json, document["issuer"] != nil, document["jwks_uri"] != nil {
            var changed = JSONObject()
            for (name, value) in document.members { changed.append(name, name == "issuer" ? value : led(value)) }
            return JSONWriter.compactBytes(changed)
        }
        return Array(led(text).utf8)
    }

    private func led(_ value: JSONValue) -> JSONValue {
        value.mappingLeaves { value, _ in value.stringValue.map { .string(led($0)) } ?? value }
    }

    /// Whether bodies of a media type are texts that contain addresses.
    static func isText(_ type: String?) -> Bool {
        guard let type else { return false }
        return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("javascript")
            || type.hasSuffix("xml")
    }

    // MARK: Cookies

    /// A cookie of a host, as the proxy hands it on: for the proxy's own name, for the part of it below which the host
    /// is, and without what a browser refuses over plain http.
    func led(cookie: String, of host: String) -> String {
        let parts = cookie.split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " })
        }
        var kept = [parts.first ?? ""]
        var path = "/"
        let isPlain = origin.hasPrefix("http://")
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != "=" }.lowercased()
            switch name {
            case "domain": continue
            case "path":
                path = String(part.drop { $0 != "=" }.dropFirst())
            case "secure" where isPlain: continue
            // Without `Secure` browsers take no cookie with `SameSite=None`.
            case "samesite" where isPlain && part.lowercased().hasSuffix("none"): continue
            default: kept.append(part)
            }
        }
        if !path.hasPrefix("/") { path = "/" }
        kept.append("path=" + (host == own ? path : LocalAddress.prefix + host + path))
        return kept.joined(separator: "; ")
    }

    /// The name of the cookie that a `Set-Cookie` field sets.
    static func name(ofCookie text: String) -> String {
        String(text.prefix { $0 != "=" && $0 != ";" })
    }
}
