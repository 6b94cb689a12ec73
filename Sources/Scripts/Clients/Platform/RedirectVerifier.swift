import HTTPMessages
import TenantFiles

/// What the library checks about the redirect URI when an app creates its client (MSALRedirectUriVerifier.m).
enum RedirectVerifier {
    /// A redirect URI that passed.
    struct Verified: Sendable, Hashable {
        var uri: String
        /// Whether a broker could answer to it.
        var isBrokerCapable: Bool
    }

    /// - Parameter uri: `nil` when the app leaves it to the library.
    static func verify(
        _ uri: String?, clientID: String, platform: PlatformSettings, authority: MSALAuthority
    ) -> Result<Verified, LibraryError> {
        platform.os == .macos
            ? verifyOnMacOS(uri, platform) : verifyOnIOS(uri, clientID: clientID, platform, authority)
    }

    private static func verifyOnMacOS(_ uri: String?, _ platform: PlatformSettings) -> Result<Verified, LibraryError> {
        let standard = platform.standardRedirectURI(for: .msalIOS)
        guard let uri, !uri.isEmpty else { return .success(Verified(uri: standard, isBrokerCapable: true)) }
        guard WebURL(uri) != nil else {
            return .failure(LibraryError(.invalidRedirectURI, "The redirect URI \"\(uri)\" has no scheme."))
        }
        return .success(Verified(uri: uri, isBrokerCapable: uri == standard))
    }

    private static func verifyOnIOS(
        _ uri: String?, clientID: String, _ platform: PlatformSettings, _ authority: MSALAuthority
    ) -> Result<Verified, LibraryError> {
        let standard = platform.standardRedirectURI(for: .msalIOS)
        var chosen: Verified
        if let uri, !uri.isEmpty {
            switch custom(uri, standard: standard, platform, authority) {
            case .failure(let error): return .failure(error)
            case .success(let verified): chosen = verified
            }
        } else {
            switch platform.redirect(of: .msalIOS, clientID: clientID) {
            case .failure(let none): return .failure(LibraryError(.redirectSchemeNotRegistered, none.reason + "."))
            case .success(let own): chosen = Verified(uri: own.uri, isBrokerCapable: own.uri == standard)
            }
            if !chosen.isBrokerCapable, let problem = formProblem(of: chosen.uri, platform, authority) {
                return .failure(problem)
            }
        }
        guard platform.precheck else { return .success(chosen) }
        if chosen.isBrokerCapable {
            let missing = ["msauthv2", "msauthv3"].filter { !platform.querySchemes.contains($0) }
            guard missing.isEmpty else {
                return .failure(
                    LibraryError(
                        .redirectSchemeNotRegistered,
                        "LSApplicationQueriesSchemes in Info.plist lacks \(missing.joined(separator: " and "))."))
            }
        }
        return .success(chosen)
    }

    private static func custom(
        _ uri: String, standard: String, _ platform: PlatformSettings, _ authority: MSALAuthority
    ) -> Result<Verified, LibraryError> {
        let url = WebURL(uri)
        let isStandard = uri == standard || url?.host == platform.bundleId.lowercased()
        let verified = Verified(uri: uri, isBrokerCapable: isStandard)
        guard platform.precheck else { return .success(verified) }
        if uri.contains("#") {
            return .failure(
                LibraryError(
                    .internalError, "The redirect URI \"\(uri)\" must not have a fragment.", kind: .configuration))
        }
        if let url, url.scheme != "https", !platform.registers(scheme: url.scheme) {
            return .failure(
                LibraryError(
                    .redirectSchemeNotRegistered,
                    "Info.plist does not register the scheme \(url.scheme) of the redirect URI."))
        }
        if isStandard { return .success(verified) }
        if let problem = formProblem(of: uri, platform, authority) { return .failure(problem) }
        return .success(verified)
    }

    /// Version 2 wants the form a broker can answer to from every app of a directory tenant.
    private static func formProblem(
        of uri: String, _ platform: PlatformSettings, _ authority: MSALAuthority
    ) -> LibraryError? {
        guard platform.precheck, platform.apiLevel >= 2, authority.kind == .aad, authority.aadTenant != "consumers"
        else { return nil }
        return LibraryError(.invalidRedirectURI, wording(uri, platform))
    }

    private static func wording(_ uri: String, _ platform: PlatformSettings) -> String {
        let wanted = platform.standardRedirectURI(for: .msalIOS)
        if uri.lowercased() == "urn:ietf:wg:oauth:2.0:oob" {
            return "The redirect URI \(uri) is for apps without a callback; use \(wanted)."
        }
        guard let url = WebURL(uri) else { return "The redirect URI \"\(uri)\" has no scheme; use \(wanted)." }
        if url.scheme == "http" || url.scheme == "https" {
            return "The redirect URI \(uri) is a web address; use \(wanted)."
        }
        if url.scheme.hasPrefix("msauth.") {
            if url.scheme != "msauth.\(platform.bundleId)".lowercased() {
                return "The redirect URI \(uri) belongs to another bundle id; use \(wanted)."
            }
            return "The redirect URI \(uri) lacks the host auth; use \(wanted)."
        }
        return "The redirect URI \(uri) does not have the form \(wanted)."
    }
}
