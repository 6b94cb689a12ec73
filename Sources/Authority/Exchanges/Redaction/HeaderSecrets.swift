import Diagnostics

/// The secret parts of HTTP headers, so that names and attributes stay readable.
package enum HeaderSecrets {
    /// One header taken apart: texts that stay, and secrets between them.
    package enum Part {
        case plain(String)
        case secret(String, SecretKind)
    }

    /// Where a header has its secrets, by its name.
    package enum Form {
        case credentials
        /// A scheme and a credential, or nothing.
        case optionalCredentials
        case cookies
        case setCookie
        case whole(SecretKind)

        /// `nil` for headers without secrets.
        package init?(_ name: String) {
            switch name.lowercased() {
            case "authorization", "proxy-authorization": self = .credentials
            case "cookie": self = .cookies
            case "set-cookie": self = .setCookie
            // A header whose name says that it holds a secret: `X-Functions-Key`. Some hold a scheme as well.
            case let name where name.hasSuffix("authorization"): self = .optionalCredentials
            default:
                guard let kind = SecretKind.header(name) else { return nil }
                self = .whole(kind)
            }
        }

        /// The parts of a header's value; `nil` where it holds no secret.
        package func parts(_ value: String) -> [Part]? {
            switch self {
            case .credentials: HeaderSecrets.credentials(value)
            case .cookies: HeaderSecrets.cookies(value)
            case .setCookie: HeaderSecrets.setCookie(value)
            case .optionalCredentials: value.isEmpty ? nil : HeaderSecrets.credentials(value)
            case .whole(let kind): value.isEmpty ? nil : [.secret(value, kind)]
            }
        }
    }

    /// The parts of a header's value; `nil` for headers without secrets.
    package static func parts(_ name: String, _ value: String) -> [Part]? {
        Form(name)?.parts(value)
    }

    /// `Bearer TOKEN`, `Basic ...` (RFC 9110 section 11.4).
    private static func credentials(_ value: String) -> [Part] {
        guard let space = value.firstIndex(of: " ") else { return [.secret(value, .secret)] }
        let scheme = String(value[..<space])
        let rest = String(value[value.index(after: space)...])
        return [.plain(scheme + " "), .secret(rest, scheme.lowercased() == "bearer" ? .token : .secret)]
    }

    /// `a=1; b=2` (RFC 6265 section 4.2).
    private static func cookies(_ value: String) -> [Part] {
        var parts: [Part] = []
        var rest = value[...]
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: ";")) {
            append(rest[..<end], to: &parts)
            parts.append(.plain(";"))
            rest = rest[rest.utf8.index(after: end)...]
        }
        append(rest, to: &parts)
        return parts
    }

    /// `a=1; path=/; secure` (RFC 6265 section 4.1).
    private static func setCookie(_ value: String) -> [Part] {
        var parts: [Part] = []
        let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
        append(value[..<end], to: &parts)
        if end < value.endIndex { parts.append(.plain(String(value[end...]))) }
        return parts
    }

    private static func append(_ pair: Substring, to parts: inout [Part]) {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            parts.append(.plain(String(pair)))
            return
        }
        let start = pair.utf8.index(after: equals)
        parts.append(.plain(String(pair[..<start])))
        if start < pair.endIndex { parts.append(.secret(String(pair[start...]), .cookie)) }
    }
}
