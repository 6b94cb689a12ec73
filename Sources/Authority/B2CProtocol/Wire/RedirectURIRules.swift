import Diagnostics
import HTTPMessages
import JSON

/// How redirect URIs are compared, answered and checked (Microsoft docs: reply-url, authorization-code-flow).
public enum RedirectURIRules {
    /// The native URI for clients that read the answer from the page's title.
    public static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

    /// Whether a URI of a request equals a registered one: character by character, except that the port of a loopback
    /// URI counts for nothing (RFC 8252 section 7.3). `[::1]` has no such grace.
    public static func matches(_ requested: String, registered: String) -> Bool {
        if sameText(requested, registered) { return true }
        guard let a = WebURL(requested), let b = WebURL(registered), isLoopback(a), isLoopback(b) else { return false }
        return sameText(withoutPort(requested, a), withoutPort(registered, b))
    }

    private static func isLoopback(_ url: WebURL) -> Bool {
        url.scheme == "http" && (url.host == "localhost" || url.host == "127.0.0.1")
    }

    /// The text without its port; everything else as written, so that letter case still counts.
    private static func withoutPort(_ text: String, _ url: WebURL) -> String {
        guard let port = url.port, let range = text.firstRange(ofASCII: ":\(port)", after: "//") else { return text }
        return String(text[..<range.lowerBound] + text[range.upperBound...])
    }

    /// The URI to which the answer is sent: one without a path gets a slash, `msal{id}://auth` becomes
    /// `msal{id}://auth/` (recorded from live tenants).
    public static func responseTarget(_ uri: String) -> String {
        guard let url = WebURL(uri), url.host != nil, url.path.isEmpty else { return uri }
        let end = uri.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? uri.endIndex
        return uri[..<end] + "/" + uri[end...]
    }

    /// Whether a URL is an answer to a redirect URI: equal up to query and fragment.
    public static func isAnswer(_ url: String, to redirectURI: String) -> Bool {
        let base = withoutQuery(url)
        return matches(base, registered: withoutQuery(responseTarget(redirectURI)))
            || matches(base, registered: withoutQuery(redirectURI))
    }

    /// Where answers to a redirect URI go, each as ``place(of:)`` has it: for finding the one of many that a URL answers.
    public static func answerPlaces(of redirectURI: String) -> [String] {
        [place(of: responseTarget(redirectURI)), place(of: redirectURI)]
    }

    /// A URL without query and fragment, and without the port of a loopback address: two that ``matches(_:registered:)``
    /// takes for the same have the same place.
    public static func place(of url: String) -> String {
        compared(withoutQuery(url))
    }

    /// The part of a URI that counts in ``matches(_:registered:)``: the same for two that match.
    public static func compared(_ uri: String) -> String {
        guard let read = WebURL(uri), isLoopback(read) else { return uri }
        return withoutPort(uri, read)
    }

    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    /// The greatest length of a registered URI.
    public static let maximumLength = 256

    /// What is wrong with registering a URI under a platform type. The findings have no place.
    public static func findings(_ uri: String, platform: RedirectPlatform) -> [Diagnostic] {
        var all: [Diagnostic] = []
        func find(_ rule: String, _ message: String, remedy: String, severity: Severity = .error) {
            all.append(Diagnostic(severity, rule: rule, message, remedy: remedy))
        }
        if uri.utf8.count > maximumLength {
            find("B2C-URI-001", "the redirect URI has more than \(maximumLength) characters", remedy: "shorten it")
        }
        guard let url = WebURL(uri), !url.scheme.isEmpty else {
            find("B2C-URI-002", "\"\(uri)\" is not an absolute URI", remedy: "begin with a scheme and ://")
            return all
        }
        if url.fragment != nil {
            find(
                "B2C-URI-003", "a redirect URI may not have a fragment (RFC 6749 section 3.1.2)",
                remedy: "leave # and what follows out")
        }
        if uri.contains("*") {
            find("B2C-URI-004", "B2C knows no wildcards in redirect URIs", remedy: "register each URI")
        }
        if url.host == "[::1]" || url.host == "::1" {
            find("B2C-URI-005", "the IPv6 loopback address is not supported", remedy: "use http://127.0.0.1")
        }
        switch platform {
        case .web, .spa:
            if url.scheme == "http", !isLoopback(url) {
                find("B2C-URI-006", "http is allowed for localhost only", remedy: "use https")
            } else if url.scheme != "http", url.scheme != "https" {
                find(
                    "B2C-URI-007", "scheme \"\(url.scheme)\" does not fit platform \(platform.rawValue)",
                    remedy: "register it under native, or use https")
            }
        case .native:
            if url.scheme == "http", !isLoopback(url) {
                find("B2C-URI-006", "http is allowed for localhost only", remedy: "use https or a custom scheme")
            }
            if ScriptAddress.isOne(uri) {
                find(
                    "B2C-URI-008", "a browser runs a \(url.scheme): address instead of opening an app",
                    remedy: "use https or a scheme of the app's own, as in msauth.com.contoso.app://auth")
            } else if !["http", "https", "urn"].contains(url.scheme), url.host == nil {
                find(
                    "B2C-URI-008", "a custom scheme needs a host, as in msauth.com.contoso.app://auth",
                    remedy: "add // and a host")
            }
        }
        return all
    }
}

extension String {
    /// The first place of a text behind the first place of a mark.
    fileprivate func firstRange(ofASCII text: String, after mark: String) -> Range<String.Index>? {
        func find(_ wanted: String, from start: String.Index) -> Range<String.Index>? {
            var index = start
            while index < endIndex {
                if self[index...].hasPrefix(wanted) { return index..<self.index(index, offsetBy: wanted.count) }
                index = self.index(after: index)
            }
            return nil
        }
        return find(mark, from: startIndex).flatMap { find(text, from: $0.upperBound) }
    }
}
