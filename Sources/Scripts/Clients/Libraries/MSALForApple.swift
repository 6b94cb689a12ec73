import B2CProtocol
import JSON
import TenantFiles
import Verbs

/// MSAL for iOS and macOS, whose rules the shared flow follows to the letter.
struct MSALForApple: LibraryBehaviour {
    let os: OperatingSystem

    func redirect(_ app: ClientConfiguration, authority: MSALAuthority) -> Result<
        RedirectVerifier.Verified, ClientError
    > {
        if app.app.platform.teamId.isEmpty {
            return .failure(
                ErrorConverter.convert(
                    LibraryError(.internalError, "The team id cannot be read from the keychain.", kind: .configuration),
                    correlationID: nil))
        }
        if app.device.broker, authority.kind == .aad, app.app.client.useBroker {
            return .failure(
                ClientError(
                    .configuration, domain: "b2c", code: "notBuiltYet",
                    description: "signing in to a directory tenant through a broker: not built yet"))
        }
        let uri = app.app.client.redirectUri
        return RedirectVerifier.verify(
            uri.isEmpty ? nil : uri, clientID: app.clientID, platform: app.app.platform, authority: authority
        ).mapError { ErrorConverter.convert($0, correlationID: nil) }
    }

    /// From the initializer, whatever it is.
    func throwsAtCreation(_ error: ClientError) -> Bool { true }
    /// `allAccounts()`, `remove(_:)` and their relatives throw in Swift.
    var throwsInCalls: Bool { true }

    func identity(_ app: ClientConfiguration) -> DeviceIdentity {
        os == .macos
            ? .native(sku: "MSAL.OSX", osVersion: "15.5.0", appName: app.app.name)
            : .native(sku: "MSAL.iOS", osVersion: "18.5", model: "iPhone", appName: app.app.name)
    }

    func tokenHeaders(_ call: TelemetryCall, mailbox: String?) -> [(name: String, value: String)] {
        call.nativeHeaders(mailbox: mailbox)
    }

    /// Version 1 on macOS needs no view controller.
    func presenterProblem(_ app: ClientConfiguration) -> LibraryError? {
        guard !app.isMacOS || app.app.platform.apiLevel >= 2 else { return nil }
        switch app.app.platform.presenter {
        case .visible: return nil
        case .withoutWindow:
            return LibraryError(
                .invalidDeveloperParameter, "The view of the view controller for the sign-in page has no window.")
        case .none:
            return LibraryError(
                .invalidDeveloperParameter, "There is no view controller to show the sign-in page with.")
        }
    }

    /// It decodes percent sequences alone, and drops a pair with two `=` (MSIDWebOAuth2Response.m).
    var formDecodesAnswers: Bool { false }
    var takesAccountFromIDToken: Bool { false }

    /// Of a B2C policy that emits no user name, MSAL's own text.
    func username(_ claims: JSONObject?, _ kind: MSALAuthority.Kind) -> String {
        if kind == .aad, let name = claims?["upn"]?.stringValue, !name.isEmpty { return name }
        return kind == .b2c ? MSALAccount.missingUsername : ""
    }

    var refusesFewerScopes: Bool { true }

    /// An app without a keychain group keeps its cache under its bundle id.
    func storageGroup(_ app: ClientConfiguration) -> Keychain.AccessGroup {
        let platform = app.app.platform
        return Keychain.AccessGroup(
            team: platform.teamId, group: platform.keychainGroup.isEmpty ? platform.bundleId : platform.keychainGroup)
    }

    /// The entitlements say which groups the app may use. Every app may use the one named like its bundle.
    func mayUseStorage(_ app: ClientConfiguration) -> Bool {
        let platform = app.app.platform
        return platform.keychainGroup.isEmpty || platform.keychainGroup == platform.bundleId
            || platform.keychainGroups.contains(platform.keychainGroup)
    }

    var usesKeychain: Bool { true }

    var noAccount: LibraryError { LibraryError(.interactionRequired, "There is no account to get a token for.") }

    func place(of error: ClientError) -> ForeignPlace? { nil }
}
