import Records

/// The browser in which an app shows the sign-in page (MSAL objc MSALWebviewType).
public enum WebviewKind: String, SettingWord {
    case `default`, authenticationSession, safariViewController, wkWebView

    public var doc: String {
        switch self {
        case .default: "What the library chooses: the system authentication session."
        case .authenticationSession:
            "The system authentication session; shares cookies with the browser unless ephemeral."
        case .safariViewController: "SFSafariViewController; the callback comes through the app delegate."
        case .wkWebView: "An embedded web view with cookies of its own."
        }
    }
}
