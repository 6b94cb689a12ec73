import Diagnostics
import HTTPMessages

/// Keeps secrets out of the access log.
enum AccessLogMask {
    /// Parameters whose values name somebody or tie requests together. Those that are secrets are known to ``SecretKind``.
    private static let personal: Set<String> = [
        "client_info", "email", "login_hint", "logon_hint", "nonce", "request", "session_state", "sid", "state", "sub",
        "tx", "username",
    ]

    private static func isMasked(_ name: String) -> Bool {
        personal.contains(name.lowercased()) || SecretKind.parameter(name) != nil
    }

    /// A request target with the values of such parameters replaced, without characters that a terminal obeys.
    static func target(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return path(target) }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let masked = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return printable(String(pair)) }
            // The name may be written with escapes.
            let name = PercentCoding.decode(String(pair[..<equals]), plusIsSpace: true)
            guard isMasked(name) else { return printable(withoutShapes(String(pair))) }
            return "\(printable(String(pair[..<equals])))=***"
        }
        return path(String(target[..<mark])) + "?" + masked.joined(separator: "&")
    }

    /// `/common/userrealm/somebody@example.com` names a person.
    private static func path(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.firstIndex(where: { $0.lowercased() == "userrealm" }), index + 1 < parts.count else {
            return printable(withoutShapes(path))
        }
        return printable(parts[...index].joined(separator: "/")) + "/***"
    }

    /// A text without tokens and keys, by their looks.
    private static func withoutShapes(_ text: String) -> String {
        // Shorter ones are none.
        text.utf8.count < SecretShape.shortestToken ? text : SecretShape.masked(text, "***")
    }

    /// A text on one line with hidden characters spelt out, cut where it is long.
    static func printable(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(2_000)
        let isCut = start.endIndex != text.unicodeScalars.endIndex
        return VisibleText.of(isCut ? String(String.UnicodeScalarView(start)) : text, keeping: [])
            + (isCut ? "..." : "")
    }
}
