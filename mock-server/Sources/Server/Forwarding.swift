import HTTPMessages

/// What proxies say in header fields about the request that they pass on: `Forwarded` (RFC 7239), and the fields that
/// were usual before it.
struct Forwarding: Equatable {
    /// `http` or `https`.
    var scheme: String?
    /// Host name, and a port if it had one.
    var host: String?
    /// A port that the host name lacks.
    var port: Int?

    /// A field that cannot be read.
    struct Malformed: Error, Equatable {
        let text: String
    }

    /// Fields that proxies add to what they pass on, whether the server reads them or not.
    private static let fields = [
        "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port",
        "X-Forwarded-Server", "X-Original-Host", "X-Real-IP",
    ]

    /// Whether a request says that a proxy has passed it on, so that its sender may be on another machine.
    static func isRelayed(_ headers: Headers) -> Bool { fields.contains { headers[$0] != nil } }

    /// Reads what the proxy that is nearest to the client says. `Forwarded` comes before the older fields.
    init(_ headers: Headers) throws(Malformed) {
        if let text = headers["Forwarded"] {
            let members = try Self.first(text)
            scheme = try members["proto"].map { text throws(Malformed) in try Self.scheme(text, "Forwarded (proto)") }
            host = try members["host"].map { text throws(Malformed) in try Self.host(text, "Forwarded (host)") }
        }
        if scheme == nil, let text = Self.first(of: "X-Forwarded-Proto", headers) {
            scheme = try Self.scheme(text, "X-Forwarded-Proto")
        }
        guard host == nil else { return }
        if let text = Self.first(of: "X-Forwarded-Host", headers) { host = try Self.host(text, "X-Forwarded-Host") }
        if let text = Self.first(of: "X-Forwarded-Port", headers) {
            guard let number = Int(text), (1...65_535).contains(number), text.utf8.allSatisfy({ $0 > 47 && $0 < 58 })
            else { throw Self.malformed("X-Forwarded-Port", text, "a port, 1 to 65535") }
            port = number
        }
    }

    /// The first of several values; `nil` where there is no field, or an empty one.
    private static func first(of name: String, _ headers: Headers) -> String? {
        guard let value = headers[name] else { return nil }
        let bytes = value.utf8.prefix { $0 != UInt8(ascii: ",") }.drop { $0 == 32 || $0 == 9 }
        guard let end = bytes.lastIndex(where: { $0 != 32 && $0 != 9 }) else { return nil }
        return String(Substring(bytes[...end]))
    }

    private static func scheme(_ text: String, _ field: String) throws(Malformed) -> String {
        let scheme = text.lowercased()
        guard scheme == "http" || scheme == "https" else { throw malformed(field, text, "http or https") }
        return scheme
    }

    private static func host(_ text: String, _ field: String) throws(Malformed) -> String {
        guard HostName.isValid(text), WebURL("http://\(text)/") != nil else {
            throw malformed(field, text, "a host name, with a port or without")
        }
        return text
    }

    private static func malformed(_ field: String, _ text: String, _ wanted: String) -> Malformed {
        Malformed(text: "\(field) is \"\(text)\"; expected \(wanted). Check the proxy, or start without --forwarded")
    }

    // MARK: RFC 7239, section 4

    /// The members of the first element, by names in lower case.
    private static func first(_ text: String) throws(Malformed) -> [String: String] {
        var members: [String: String] = [:]
        var rest = Array(text.utf8)[...]
        func problem() -> Malformed {
            malformed("Forwarded", text, "pairs such as proto=https;host=\"app.example:8443\"")
        }
        func skipBlanks() {
            rest = rest.drop { $0 == 32 || $0 == 9 }
        }
        while true {
            skipBlanks()
            let name = rest.prefix { HeaderRules.isToken($0) }
            rest = rest.dropFirst(name.count)
            if !name.isEmpty {
                guard rest.first == UInt8(ascii: "=") else { throw problem() }
                rest = rest.dropFirst()
                guard let value = value(&rest) else { throw problem() }
                let key = String(decoding: name, as: UTF8.self).lowercased()
                // RFC 7239: not twice in one element.
                guard members.updateValue(value, forKey: key) == nil else { throw problem() }
            }
            skipBlanks()
            switch rest.first {
            case nil, UInt8(ascii: ","): return members
            case UInt8(ascii: ";"): rest = rest.dropFirst()
            default: throw problem()
            }
        }
    }

    /// A token or a quoted string.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            // Proxies write addresses without the quotes that a colon or a bracket needs.
            let token = rest.prefix { HeaderRules.isToken($0) || [58, 91, 93].contains($0) }
            rest = rest.dropFirst(token.count)
            return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
