extension WebURL {
    /// The URL that a reference means on a page of this URL (RFC 3986, section 5.2); `nil` when the result is none.
    public func resolving(_ reference: String) -> WebURL? {
        let reference = reference.trimmedOptionalWhitespace
        let bytes = Array(reference.utf8)
        if bytes.withUnsafeBufferPointer({ WebURL.endOfScheme($0) }) != nil {
            guard var absolute = WebURL(reference) else { return nil }
            if absolute.host != nil { absolute.path = WebURL.removingDotSegments(absolute.path) }
            return absolute
        }
        if reference.hasPrefix("//") {
            guard var absolute = WebURL(scheme + ":" + reference) else { return nil }
            absolute.path = WebURL.removingDotSegments(absolute.path)
            return absolute
        }
        // The reference has neither scheme nor host; with a stand-in for both it can be read as a URL.
        guard let parts = WebURL("r:" + reference) else { return nil }
        var result = self
        result.fragment = parts.fragment
        if parts.path.isEmpty {
            result.query = parts.query ?? query
            return result
        }
        guard host != nil || path.hasPrefix("/") else { return nil }
        result.query = parts.query
        if parts.path.hasPrefix("/") {
            result.path = WebURL.removingDotSegments(parts.path)
        } else {
            let folder: Substring
            if let slash = path.lastIndex(of: "/") {
                folder = path[...slash]
            } else {
                folder = "/"
            }
            result.path = WebURL.removingDotSegments(folder + parts.path)
        }
        return result
    }

    /// RFC 3986, section 5.2.4.
    static func removingDotSegments(_ path: String) -> String {
        guard path.contains("/.") || path.hasPrefix(".") else { return path }
        let isAbsolute = path.hasPrefix("/")
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if index == 0 && isAbsolute { continue }
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }
}
