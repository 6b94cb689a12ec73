import B2CProtocol
import Diagnostics
import HTTPMessages
import TenantFiles

/// A redirect URI of a registration, with its place.
struct PlacedURI: Sendable, Hashable {
    var uri: String
    var platform: RedirectPlatform
    var location: SourceLocation?
}

/// Checks the redirect URIs of one app registration.
enum RedirectURIs {
    /// The greatest number of redirect URIs of an app ("Microsoft docs: service-limits").
    static let mostURIs = 100

    /// What is wrong with each, and with them together.
    static func findings(_ registered: [PlacedURI], clientID: String? = nil) -> [Finding] {
        var all = registered.flatMap { findings(of: $0, clientID: clientID) }
        if registered.count > mostURIs {
            all.append(
                Finding(
                    "B2C-URI-016", "the app registers \(registered.count) redirect URIs; \(mostURIs) are allowed",
                    remedy: "Take out those that no app uses, or make a second app.",
                    at: registered[mostURIs].location))
        }
        all += pairs(registered)
        all += authenticatorPairs(registered)
        return all
    }

    /// What is wrong with one of them.
    static func findings(of placed: PlacedURI, clientID: String? = nil) -> [Finding] {
        let uri = placed.uri
        if let bad = uri.unicodeScalars.first(where: { $0.value <= 0x20 || $0.value == 0x7F || $0.value == 0xA0 }) {
            let clean = String(
                String.UnicodeScalarView(
                    uri.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F && $0.value != 0xA0 }))
            return [
                Finding(
                    "B2C-URI-018",
                    "the redirect URI holds \(bad == " " ? "a space" : "white space or a control character")",
                    remedy: "Write \"\(clean)\".", at: placed.location, corrected: clean)
            ]
        }
        let scheme = uri.prefix { $0 != ":" }
        if scheme.contains("_"), !scheme.contains("/") {
            return [
                Finding(
                    "B2C-URI-010", "the scheme \"\(scheme)\" has an underscore", remedy: "Use a minus or a point.",
                    at: placed.location)
            ]
        }
        var all = RedirectURIRules.findings(uri, platform: placed.platform).map { found in
            var found = found
            found.location = placed.location
            return Finding(found, corrected: corrected(uri, for: found.rule))
        }
        guard let url = WebURL(uri) else { return all }
        let isWeb = url.scheme == "http" || url.scheme == "https"
        if isWeb, placed.platform != .native, url.path.isEmpty {
            let written = RedirectURIRules.responseTarget(uri)
            all.append(
                Finding(
                    "B2C-URI-020", "B2C answers to \"\(written)\", with a slash that the URI lacks",
                    remedy: "Register and send \"\(written)\".", at: placed.location, corrected: written))
        }
        if let clientID, let own = legacyClientID(url), !sameGUID(own, clientID) {
            let right = AppleRedirectURI.older(clientID: clientID)
            all.append(
                Finding(
                    "B2C-URI-012", "the scheme names client \"\(own)\", the app is \"\(clientID)\"",
                    remedy: "Write \"\(right)\".", at: placed.location, corrected: right))
        }
        if url.scheme == "msauth", url.host == "code" { all += authenticator(placed, url) }
        return all
    }

    /// The value that fixes a finding of one URI, where there is exactly one.
    private static func corrected(_ uri: String, for rule: String) -> String? {
        switch rule {
        case "B2C-URI-003": String(uri.prefix { $0 != "#" })
        case "B2C-URI-005": uri.replacing(ascii: "[::1]", with: "127.0.0.1")
        case "B2C-URI-006": uri.hasPrefix("http:") ? "https:" + uri.dropFirst(5) : nil
        default: nil
        }
    }

    /// `msauth://code/TAIL`: registered besides the app's own URI, for certificate sign-in through Authenticator.
    private static func authenticator(_ placed: PlacedURI, _ url: WebURL) -> [Finding] {
        let tail = String(url.path.drop { $0 == "/" })
        let decoded = PercentCoding.decode(tail, plusIsSpace: false)
        let right = "msauth://code/" + PercentCoding.encodeComponent(decoded)
        guard decoded == tail || PercentCoding.decode(decoded, plusIsSpace: false) != decoded else { return [] }
        let why = decoded == tail ? "is not percent-encoded" : "is percent-encoded twice"
        let once = decoded == tail ? right : "msauth://code/" + decoded
        return [
            Finding(
                "B2C-URI-011", "what follows msauth://code/ \(why)", remedy: "Write \"\(once)\".", at: placed.location,
                corrected: once)
        ]
    }

    /// Each `msauth://code/TAIL` belongs to a registered URI.
    private static func authenticatorPairs(_ registered: [PlacedURI]) -> [Finding] {
        let others = registered.map(\.uri)
        let known = Set(others)
        return registered.compactMap { placed in
            guard let url = WebURL(placed.uri), url.scheme == "msauth", url.host == "code" else { return nil }
            let tail = PercentCoding.decode(String(url.path.drop { $0 == "/" }), plusIsSpace: false)
            let meant = PercentCoding.decode(tail, plusIsSpace: false)
            guard !known.contains(meant) else { return nil }
            let near = nearestName(meant, among: others.filter { $0 != placed.uri })
            return Finding(
                "B2C-URI-011", "it leads to \"\(meant)\", which the app does not register",
                remedy: near.map { "Did you mean the one for \"\($0)\"?" } ?? "Register both.", at: placed.location)
        }
    }

    /// The client id of the form `msalCLIENTID://auth`.
    private static func legacyClientID(_ url: WebURL) -> String? {
        guard url.scheme.hasPrefix("msal"), url.host == "auth" else { return nil }
        let id = String(url.scheme.dropFirst(4))
        return isGUID(id) ? id : nil
    }

    private static func pairs(_ registered: [PlacedURI]) -> [Finding] {
        var all: [Finding] = []
        // The first URI of each spelling.
        var places: [String: Int] = [:]
        for (index, second) in registered.enumerated() {
            let spellings = ["exactly " + RedirectURIRules.compared(second.uri), "folded " + folded(second.uri)]
            let near = spellings.compactMap { places[$0] }.min()
            for spelling in spellings where places[spelling] == nil { places[spelling] = index }
            guard let first = near.map({ registered[$0] }) else { continue }
            if first.uri == second.uri {
                let spot =
                    first.platform == second.platform
                    ? "twice under \(first.platform.rawValue)"
                    : "under \(first.platform.rawValue) and under \(second.platform.rawValue)"
                all.append(
                    Finding(
                        "B2C-URI-015", "\"\(second.uri)\" is registered \(spot)", remedy: "Keep one of them.",
                        at: second.location, severity: first.platform == second.platform ? .warning : .error))
            } else if RedirectURIRules.matches(first.uri, registered: second.uri) {
                all.append(
                    Finding(
                        "B2C-URI-014", "\"\(second.uri)\" and \"\(first.uri)\" differ by their port alone",
                        remedy: "Give them different paths.", at: second.location))
            } else {
                all.append(
                    Finding(
                        "B2C-URI-017", "\"\(second.uri)\" is \"\(first.uri)\" except for letter case or a last slash",
                        remedy: "Keep the one that apps send.", at: second.location))
            }
        }
        return all
    }

    private static func folded(_ uri: String) -> String {
        let lower = uri.asciiLowercased
        return lower.hasSuffix("/") ? String(lower.dropLast()) : lower
    }

    /// Whether a URI that an app sends is registered, and what was probably meant when it is not.
    static func agreement(
        sent uri: String, at location: SourceLocation?, registered: [PlacedURI], where place: String
    ) -> [Finding] {
        guard !registered.contains(where: { RedirectURIRules.matches(uri, registered: $0.uri) }) else { return [] }
        let uris = registered.map(\.uri)
        let near = uris.first { folded($0) == folded(uri) } ?? nearestName(uri, among: uris)
        let message: String
        if let near, folded(near) == folded(uri) {
            message = "\"\(uri)\" is registered in \(place) only as \"\(near)\", and letter case and slashes count"
        } else {
            message = "\"\(uri)\" is not registered in \(place)"
        }
        let remedy =
            near.map { "Send \"\($0)\", or register \"\(uri)\"." }
            ?? (uris.isEmpty ? "Register it." : "Registered: \(namesList(uris)).")
        return [Finding("B2C-URI-013", message, remedy: remedy, at: location, corrected: near)]
    }

    static func isGUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().utf8.allSatisfy(\.isHexDigit)
    }

    static func sameGUID(_ a: String, _ b: String) -> Bool { a.asciiLowercased == b.asciiLowercased }
}

extension UInt8 {
    var isHexDigit: Bool { (48...57).contains(self) || (65...70).contains(self) || (97...102).contains(self) }
}

extension String {
    func replacing(ascii wanted: String, with text: String) -> String {
        guard let range = range(ofASCII: Array(wanted.utf8)) else { return self }
        return String(self[..<range.lowerBound]) + text + self[range.upperBound...]
    }
}

/// Checks a redirect URI that somebody typed, without a file around it.
public enum RedirectURICheck {
    /// What is wrong with registering it under a platform type. The findings have no place.
    public static func findings(_ uri: String, platform: RedirectPlatform) -> [Finding] {
        RedirectURIs.findings(of: PlacedURI(uri: uri, platform: platform, location: nil))
    }
}
