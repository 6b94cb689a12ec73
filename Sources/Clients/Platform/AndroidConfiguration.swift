import HTTPMessages
import TenantFiles

/// What MSAL for Android checks when an app creates its client, in the library's order (msal for Android,
/// PublicClientApplicationConfiguration.java and PublicClientApplication.java). Nothing is sent.
enum AndroidConfiguration {
    static func problem(_ configuration: ClientConfiguration) -> ClientError? {
        guard let redirect = WebURL(configuration.redirectURI), redirect.host?.isEmpty == false else {
            return ForeignErrors.illegalArgument(
                "The redirect URI \"\(configuration.redirectURI)\" lacks a scheme or what follows it; use "
                    + "\(expected(configuration)).")
        }
        if configuration.clientID.isEmpty { return ForeignErrors.illegalArgument("client_id is empty.") }
        return accountModeProblem(configuration) ?? filterProblem(redirect, configuration)
            ?? signatureProblem(configuration)
    }

    /// The redirect URI of this package under the key that signed it.
    private static func expected(_ configuration: ClientConfiguration) -> String {
        configuration.app.platform.standardRedirectURI(for: .msalAndroid)
    }

    /// Each policy makes an account of its own, so an app for one account may name only one of them.
    private static func accountModeProblem(_ configuration: ClientConfiguration) -> ClientError? {
        guard configuration.app.client.accountMode == .single, configuration.authorityKind == .b2c else { return nil }
        let count = configuration.configuredAuthorityCount
        guard count > 1 else { return nil }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client,
            code: .text("SingleAccountPublicClientApplication cannot be used with multiple B2C policies."),
            description:
                "account_mode is SINGLE and \(count) B2C authorities are configured: each policy makes an account.")
    }

    /// Android must hand the redirect URI to BrowserTabActivity. An app that shows pages in a web view of its own needs
    /// no filter.
    private static func filterProblem(_ redirect: WebURL, _ configuration: ClientConfiguration) -> ClientError? {
        let platform = configuration.app.platform
        guard platform.precheck, configuration.webview != .wkWebView else { return nil }
        let filter = platform.manifest ?? ManifestFilter(taking: redirect)
        guard !filter.takes(redirect) else { return nil }
        let right = ManifestFilter(taking: redirect)
        var text =
            "AndroidManifest.xml has no intent filter for BrowserTabActivity that takes \(redirect): expected "
            + "android:scheme=\"\(right.scheme)\" android:host=\"\(right.host)\" android:path=\"\(right.path)\", found "
            + "android:scheme=\"\(filter.scheme)\" android:host=\"\(filter.host)\" android:path=\"\(filter.path)\"."
        if filter.path != right.path, PercentCoding.decode(filter.path, plusIsSpace: false) == right.path {
            text += " The path is percent-encoded here, and must not be."
        }
        if redirect.scheme == "msauth", redirect.description != expected(configuration) {
            text += " The key that signed this build wants \(expected(configuration))."
        }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "app_manifest_validation_error",
            name: "app_manifest_validation_error", description: text)
    }

    /// Where a broker may be used, the URI must be that of the signing key, encoded, without regard to letter case. A URI
    /// of another form switches the broker off and is not looked at.
    private static func signatureProblem(_ configuration: ClientConfiguration) -> ClientError? {
        let platform = configuration.app.platform
        let uri = configuration.redirectURI
        let wanted = expected(configuration)
        guard platform.precheck, configuration.app.client.useBroker,
            uri.hasPrefix("msauth://\(platform.bundleId)/"), uri.lowercased() != wanted.lowercased()
        else { return nil }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "redirect_uri_validation_error",
            name: "redirect_uri_validation_error",
            description: "The redirect URI is \"\(uri)\"; package and signing key want \"\(wanted)\".")
    }
}

/// What an app for one account is told when a call is for another, or there is none
/// (SingleAccountPublicClientApplication.java).
enum SingleAccount {
    /// - Parameter current: The account that is signed in.
    static func interactiveProblem(
        current: MSALAccount?, account: MSALAccount?, loginHint: String?
    ) -> ClientError? {
        guard let current else { return nil }
        let hint = loginHint ?? ""
        if account == nil, hint.isEmpty { return mismatch(current) }
        if let account, account.identifier.lowercased() != current.identifier.lowercased() { return mismatch(current) }
        if !hint.isEmpty, hint.lowercased() != current.username?.lowercased() { return mismatch(current) }
        return nil
    }

    /// `signIn` needs an app without an account (AzureAD/microsoft-authentication-library-for-android#1029).
    static func signInProblem(current: MSALAccount?) -> ClientError? {
        guard let current else { return nil }
        return ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "invalid_parameter", name: "invalid_parameter",
            description: "The account \(current.identifier) is signed in already: sign it out before signIn, or use "
                + "acquireToken for more tokens.")
    }

    static func silentProblem(current: MSALAccount?, account: MSALAccount?) -> ClientError? {
        guard let current else { return none }
        guard let account, account.identifier.lowercased() == current.identifier.lowercased() else {
            return mismatch(current)
        }
        return nil
    }

    static let none = ClientError(
        .noAccount, domain: AndroidErrorTable.client, code: "no_current_account", name: "no_current_account",
        description: "Nobody is signed in.")

    private static func mismatch(_ current: MSALAccount) -> ClientError {
        ClientError(
            .configuration, domain: AndroidErrorTable.client, code: "current_account_mismatch",
            name: "current_account_mismatch",
            description: "The account that is signed in is \(current.identifier); the call names another, or none.")
    }
}
