import B2CProtocol
import JSON
import Records

// Where settings of apps apply, as far as the client kind alone does not say it.

extension SettingLimit<SettingPlace> {
    /// Libraries without a list of known authorities have one only where the script switches the check on.
    static let knownAuthorities = SettingLimit(
        doc: "With `checks.knownAuthority` alone for kinds whose library trusts every authority."
    ) { place, _ in
        guard let client = place.app?.client, !client.kind.traits.checks.knownAuthority,
            !client.checks.knownAuthority, !place.written.isOpen("client", "checks", "knownAuthority")
        else { return nil }
        return SettingProblem(
            reason: "does nothing for an app of kind \(client.kind.rawValue): its library trusts every authority",
            remedy: "Remove it, or set `checks.knownAuthority` to true.")
    }

    /// MSAL.js encrypts local storage alone; session storage ends with its tab anyway (LocalStorage.ts).
    static let localStorage = SettingLimit(doc: "With `storage` `local` alone.") { place, value in
        guard value == true, let client = place.app?.client, client.storage != .local,
            !place.written.isOpen("client", "storage")
        else { return nil }
        return SettingProblem(
            reason: "does nothing with storage \(client.storage.rawValue): MSAL.js encrypts local storage alone",
            remedy: "Remove it, or set `storage` to `local`.")
    }

    /// The system must be one that the library runs on.
    static let system = SettingLimit(doc: "One that the library of the client runs on.") { place, _ in
        guard let app = place.app, !app.client.kind.traits.systems.contains(app.platform.os) else { return nil }
        let known = app.client.kind.traits.systems.map(\.rawValue).joined(separator: ", ")
        return SettingProblem(
            reason: "cannot be \(app.platform.os.rawValue) for an app of kind \(app.client.kind.rawValue)",
            remedy: "That library runs on \(known): remove `os`, or change `client.kind`.")
    }

    /// Of Apple's systems, macOS alone has the entitlement.
    static let macOS = SettingLimit(doc: "For macOS.") { place, _ in
        guard let app = place.app, app.platform.os != .macos else { return nil }
        return SettingProblem(
            reason: "does nothing on \(app.platform.os.rawValue): only macOS apps need an entitlement for the network",
            remedy: "Remove it.")
    }

    /// Installed apps choose a browser, and each system has some of them.
    static let webview = SettingLimit(
        doc: "For installed apps; `safariViewController` for iOS."
    ) { place, value in
        guard let app = place.app else { return nil }
        if app.platform.os == .web {
            return SettingProblem(
                reason: "does nothing for an app of kind \(app.client.kind.rawValue): it runs in a browser",
                remedy: "Remove it.")
        }
        guard value == .string(WebviewKind.safariViewController.rawValue), app.platform.os != .ios else { return nil }
        return SettingProblem(
            reason: "cannot be safariViewController on \(app.platform.os.rawValue): only iOS has it",
            remedy: "Use `authenticationSession` or `wkWebView`.")
    }

    /// An embedded web view has cookies of its own anyway.
    static let ephemeral = SettingLimit(doc: "Not with `webview` `wkWebView`.") { place, value in
        guard value == true, let app = place.app, app.platform.os != .web, app.platform.webview == .wkWebView else {
            return nil
        }
        return SettingProblem(
            reason: "does nothing with webview wkWebView, which shares no cookies with the system browser anyway",
            remedy: "Remove it, or choose another `webview`.")
    }
}
