extension WebURL {
    /// A text that need not be a URL, such as an address in which a placeholder has no value: `description` is the
    /// unchanged text.
    public init(verbatim text: String) {
        if let url = WebURL(text) {
            self = url
            return
        }
        var rest = text[...]
        let fragment = WebURL.cut(&rest, at: "#")
        let query = WebURL.cut(&rest, at: "?")
        var scheme = ""
        var host: String?
        if let mark = rest.firstRange(of: "://") {
            let head = Array(text[..<rest.index(after: mark.lowerBound)].utf8)
            if head.withUnsafeBufferPointer({ WebURL.endOfScheme($0) }) == head.count - 1 {
                scheme = String(rest[..<mark.lowerBound])
                let end = rest[mark.upperBound...].firstIndex(of: "/") ?? rest.endIndex
                host = String(rest[mark.upperBound..<end])
                rest = rest[end...]
            }
        }
        self.init(scheme: scheme, host: host, path: String(rest), query: query, fragment: fragment)
    }

    /// Takes away what follows a mark, and the mark; `nil` where it does not occur.
    private static func cut(_ text: inout Substring, at mark: Character) -> String? {
        guard let place = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<place] }
        return String(text[text.index(after: place)...])
    }
}
