import HTTPMessages

/// An address of which parts are known at a sign-in alone, such as
/// `https://contoso.blob.core.windows.net/{Culture:LanguageName}/page.html`: each `{...}` stands for any text.
public struct AddressPattern: Sendable, Hashable {
    /// Scheme, host and port in lower case, in pieces around what is in braces.
    private let authority: [String]
    /// The path, in pieces.
    private let path: [String]
    /// The host, where it is known.
    let host: String?

    /// `nil` for an address without placeholders, or without a scheme.
    public init?(_ text: String) {
        let address = Self.withoutQuery(text)
        guard let mark = address.firstRange(of: "://") else { return nil }
        let slash = Self.outside(address, from: mark.upperBound) { $0 == "/" } ?? address.endIndex
        let place = address[mark.upperBound..<slash]
        let url = WebURL(String(address[..<slash]))
        let isPlain = !address.contains("{")
        // An address without a host, such as that of `https://@host@/`, is a text alone.
        guard !isPlain || url?.host?.isEmpty != false else { return nil }
        host = place.contains("{") ? nil : url?.host.flatMap { $0.isEmpty ? nil : $0 }
        authority = Self.pieces(Self.withoutDefaultPort(address[..<slash].lowercased()))
        path = Self.pieces(String(address[slash...]))
    }

    /// Whether a URL has the form. Its query is not compared.
    public func matches(_ url: WebURL) -> Bool {
        let user = url.userInfo.map { "\($0)@" } ?? ""
        let place = "\(url.scheme)://\(user)\(url.authority)".lowercased()
        return Self.matches(Self.withoutDefaultPort(place), authority) && Self.matches(url.path, path)
    }

    /// Whether a text consists of the pieces with any text between them.
    private static func matches(_ text: String, _ pieces: [String]) -> Bool {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return text == pieces.first }
        guard text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for piece in pieces[1..<(pieces.count - 1)] where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pieces.append(String(rest[..<open]))
            rest = rest[rest.index(after: close)...]
        }
        return pieces + [String(rest)]
    }

    private static func withoutQuery(_ text: String) -> String {
        outside(text, from: text.startIndex) { $0 == "?" || $0 == "#" }.map { String(text[..<$0]) } ?? text
    }

    private static func withoutDefaultPort(_ authority: String) -> String {
        authority.hasPrefix("https:") && authority.hasSuffix(":443")
            ? String(authority.dropLast(4))
            : authority.hasPrefix("http:") && authority.hasSuffix(":80") ? String(authority.dropLast(3)) : authority
    }

    /// The first character of a kind outside of braces.
    private static func outside(
        _ text: String, from start: String.Index, _ isWanted: (Character) -> Bool
    ) -> String.Index? {
        var depth = 0
        var place = start
        while place < text.endIndex {
            let character = text[place]
            if character == "{" { depth += 1 }
            if character == "}" { depth = max(0, depth - 1) }
            if depth == 0, isWanted(character) { return place }
            place = text.index(after: place)
        }
        return nil
    }
}
