import Records

/// Who has consented to the permissions of an app.
public enum ConsentKind: String, SettingWord {
    case granted, user, adminOnly

    public var doc: String {
        switch self {
        case .granted: "An administrator has consented for everybody."
        case .user: "Each person is asked at first use."
        case .adminOnly: "Only an administrator may consent; others see a message."
        }
    }
}

/// Whose accounts an app is registered for, in the words of an app manifest (Microsoft docs: reference-app-manifest).
public enum SignInAudience: String, SettingWord {
    case any = "AzureADandPersonalMicrosoftAccount"
    /// Accounts of any directory.
    case directories = "AzureADMultipleOrgs"
    /// Accounts of this directory.
    case directory = "AzureADMyOrg"

    public var doc: String {
        switch self {
        case .any: "Accounts of any identity provider or directory: what a B2C app needs."
        case .directories: "Accounts of any directory; user flows refuse the app with AADB2C90068."
        case .directory: "Accounts of this directory; user flows refuse the app with AADB2C90068."
        }
    }
}

/// The system an app runs on.
public enum OperatingSystem: String, SettingWord {
    case ios, macos, android, windows, linux, web

    public var doc: String {
        switch self {
        case .ios: "iOS or iPadOS."
        case .macos: "macOS."
        case .android: "Android."
        case .windows: "Windows."
        case .linux: "Linux."
        case .web: "A browser or a web server."
        }
    }
}

/// The view controller that the app hands to the library for the sign-in page.
public enum PresenterKind: String, SettingWord {
    case visible, withoutWindow, none

    public var doc: String {
        switch self {
        case .visible: "A view controller whose view is in a window."
        case .withoutWindow: "A view controller whose view is in no window."
        case .none: "None is handed over."
        }
    }
}
