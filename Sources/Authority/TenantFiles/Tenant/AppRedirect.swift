import B2CProtocol
import HTTPMessages
import JSON

/// The redirect URI of an app, and what says so.
public struct AppRedirect: Hashable, Sendable {
    /// What a redirect URI comes from.
    public enum Source: String, CaseIterable, Sendable {
        /// The app's code: `client.redirectUri`.
        case code
        /// The library, which has one for an app that names none.
        case library
        /// The tenant, which knows others than the library's.
        case registration
    }

    /// The URI, as a request has it.
    public let uri: String
    /// What it comes from.
    public let source: Source

    public init(uri: String, source: Source) {
        self.uri = uri
        self.source = source
    }
}

/// Why an app has no redirect URI.
public struct NoRedirect: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence, without a full stop.
    public let reason: String

    public init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}

/// The redirect URIs that MSAL for Apple systems makes by itself (MSAL objc MSIDRedirectUri.m).
public enum AppleRedirectURI {
    /// The one to which a broker can answer.
    public static func standard(bundle: String) -> String { "msauth.\(bundle)://auth" }

    /// The older one, which names the client.
    public static func older(clientID: String) -> String { "msal\(clientID)://auth" }
}

extension PlatformSettings {
    /// The redirect URI that a library of a kind uses for an app that names none.
    ///
    /// MSAL for iOS looks which of its two schemes Info.plist registers, the one with the bundle id first; on macOS it does
    /// not look (MSALRedirectUriVerifier.m). The other libraries want the app to name one: theirs are the usual ones.
    public func redirect(of kind: ClientKind, clientID: String) -> Result<AppRedirect, NoRedirect> {
        guard kind.traits.redirectNames == .bundle, os != .macos, !registers(scheme: "msauth.\(bundleId)") else {
            return .success(AppRedirect(uri: standardRedirectURI(for: kind), source: .library))
        }
        guard registers(scheme: "msal\(clientID)") else {
            return .failure(
                NoRedirect("Info.plist registers neither the scheme msauth.\(bundleId) nor msal\(clientID)"))
        }
        return .success(AppRedirect(uri: AppleRedirectURI.older(clientID: clientID), source: .library))
    }

    /// The redirect URI that is usual for a library of a kind.
    public func standardRedirectURI(for kind: ClientKind) -> String { kind.traits.redirectURI(self) }

    /// Whether Info.plist registers a scheme, in any letter case.
    public func registers(scheme: String) -> Bool {
        let wanted = scheme.lowercased()
        return urlSchemes.contains { $0.lowercased() == wanted }
    }
}

extension AppSettings {
    /// The redirect URI that the app's library sends: what the code says, else the library's own.
    ///
    /// The library does not know what is registered. A tenant that registers another one refuses the request.
    public var sentRedirect: Result<AppRedirect, NoRedirect> {
        let own = platform.redirect(of: client.kind, clientID: client.clientId)
        guard !client.redirectUri.isEmpty else { return own }
        // A tenant file that names none has been filled in with the library's.
        let librarys = [platform.standardRedirectURI(for: client.kind), (try? own.get())?.uri].compactMap { $0 }
        let isLibrarys = librarys.contains { sameText($0, client.redirectUri) }
        return .success(AppRedirect(uri: client.redirectUri, source: isLibrarys ? .library : .code))
    }

    /// The redirect URI at which the app gets its answers. Whatever signs people in for an app asks this.
    ///
    /// It is the one that its code names, registered or not. For code that names none it is the library's where that is
    /// registered, else the first that is registered for the platform of the client's kind, else the first of all. One that
    /// would run script in the page that leads there counts for nothing: the service answers to none.
    public var redirect: Result<AppRedirect, NoRedirect> {
        let sent = sentRedirect
        if case .success(let found) = sent, found.source == .code {
            guard !ScriptAddress.isOne(found.uri) else {
                return .failure(
                    NoRedirect(
                        "`client.redirectUri` of the app `\(name)` would run script in the page that leads there"))
            }
            return sent
        }
        let kind = client.kind.traits.platformType
        let registered = registration.redirectUris
        let all = (registered[kind] + registered.all.map(\.uri)).filter { !ScriptAddress.isOne($0) }
        if case .success(let found) = sent,
            all.contains(where: { RedirectURIRules.matches(found.uri, registered: $0) })
        {
            return sent
        }
        guard let first = all.first else {
            return .failure(
                NoRedirect(
                    "the app `\(name)` has no redirect URI: add one to `registration.redirectUris.\(kind.rawValue)`"))
        }
        return .success(AppRedirect(uri: first, source: .registration))
    }

    /// The address at which the app gets its answers; `nil` where it has none. ``redirect`` says why.
    public var redirectURI: String? { try? redirect.get().uri }

    /// The secret that the app sends when it redeems a code got at a redirect URI: B2C wants it from web apps alone, and
    /// refuses it from native and single-page apps (Microsoft docs: error-codes, AADB2C90079 and AADB2C90084).
    public func secret(at redirectURI: String) -> String? {
        registration.redirectUris.web.contains { sameText($0, redirectURI) } ? registration.secrets.first : nil
    }
}
