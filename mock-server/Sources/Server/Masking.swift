import HTTPMessages

/// Keeps secrets out of the access log.
enum Masking {
    /// Parameters whose values open something or name somebody.
    static let names: Set<String> = [
        "access_token", "assertion", "client_assertion", "client_info", "client_secret", "code", "code_verifier",
        "csrf_token", "id_token", "id_token_hint", "login_hint", "nonce", "password", "refresh_token", "request",
        "session_state", "state", "sub", "token", "tx", "username",
    ]

    /// A request target with the values of such parameters replaced, without characters that a terminal obeys.
    static func target(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return path(target) }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let masked = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return printable(String(pair)) }
            // The name may be written with escapes.
            let name = PercentCoding.decode(String(pair[..<equals]), plusIsSpace: true).lowercased()
            guard names.contains(name) else { return printable(String(pair)) }
            return "\(pair[..<equals])=***"
        }
        return path(String(target[..<mark])) + "?" + masked.joined(separator: "&")
    }

    /// `/common/userrealm/somebody@example.com` names a person.
    private static func path(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.firstIndex(where: { $0.lowercased() == "userrealm" }), index + 1 < parts.count else {
            return printable(path)
        }
        return printable(parts[...index].joined(separator: "/")) + "/***"
    }

    /// A text on one line without control characters, cut where it is long.
    static func printable(_ text: String) -> String {
        var result = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index >= 2_000 { return result + "..." }
            result.unicodeScalars.append(scalar.value < 32 || (127...159).contains(scalar.value) ? "?" : scalar)
        }
        return result
    }
}
