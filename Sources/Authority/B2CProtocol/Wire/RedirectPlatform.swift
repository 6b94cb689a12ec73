/// The platform type of a registered redirect URI (`replyUrlsWithType` of an app manifest).
public enum RedirectPlatform: String, CaseIterable, Sendable, Hashable {
    /// `InstalledClient`, and apps marked as public clients.
    case native, spa, web
}
