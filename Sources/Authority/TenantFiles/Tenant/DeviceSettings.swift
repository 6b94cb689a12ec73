import Determinism
import Records

/// `device.clock`.
public struct ClockSettings: TenantRecord {
    public var skew = TimeSpan.zero
    public var rate: Double = 1

    public init() {}

    package static let title = "clock"
    package static let summary = "How a clock differs from true time."
    package static let settings: [Setting<ClockSettings>] = {
        var table = SettingsTable<ClockSettings>()
        table.add("skew", \.skew, .span, "Shown time minus true time; may be negative.")
        table.add("rate", \.rate, .number, "Speed: 1 is true, 1.01 gains a second in a hundred.")
        return table.rows
    }()
}

/// What the keychain of a device answers: a status of Apple's Security framework for each kind of access. Before the
/// first unlock after a start a phone answers -25308 (`errSecInteractionNotAllowed`) to all of them.
public struct KeychainSettings: TenantRecord {
    /// Status of reads (`SecItemCopyMatching`); 0: they work.
    public var read = 0
    /// Status of writes (`SecItemUpdate`, `SecItemAdd`); 0: they work.
    public var write = 0
    /// Status of deletions (`SecItemDelete`); 0: they work.
    public var delete = 0

    public init() {}

    package static let title = "keychain"
    package static let summary = "What the keychain of a device answers: a status of Apple's Security framework each."
    package static let settings: [Setting<KeychainSettings>] = {
        var table = SettingsTable<KeychainSettings>()
        table.add(
            "read", \.read, .integer(-2_147_483_648...0),
            "Status of reads: -25308 before the first unlock, -34018 without entitlement, -25291 no keychain, -25300 nothing there (no error); 0: they work."
        )
        table.add(
            "write", \.write, .integer(-2_147_483_648...0),
            "Status of writes, such as -25308 or -25299 (the item exists). MSAL logs it and goes on; 0: they work.")
        table.add(
            "delete", \.delete, .integer(-2_147_483_648...0),
            "Status of deletions, such as -25308; -25300 (nothing there) is not an error; 0: they work.")
        return table.rows
    }()
}

/// `device` of a tenant file, or of an app.
public struct DeviceSettings: TenantRecord {
    public var network = NetworkState.online
    public var clock = ClockSettings()
    public var broker = false
    public var mode = DeviceMode.private
    public var locale = "en-US"
    public var keychain = KeychainSettings()

    public init() {}

    package static let title = "device"
    package static let summary = "The device an app runs on."
    package static let settings: [Setting<DeviceSettings>] = {
        var table = SettingsTable<DeviceSettings>()
        table.add("network", \.network, .word(), "Whether it has a network.")
        table.add("clock", \.clock, .record(), "The clock of the device.")
        table.add("broker", \.broker, .bool, "An authentication broker is installed.")
        table.add("mode", \.mode, .word(), "How the device is managed.")
        table.add("locale", \.locale, .nonEmpty, "Language and region of the device.")
        table.add("keychain", \.keychain, .record(), "What the keychain of the device answers MSAL for iOS and macOS.")
        return table.rows
    }()
}

/// `browser` of a tenant file.
public struct BrowserSettings: TenantRecord {
    public var cookies = true
    public var thirdPartyCookies = ThirdPartyCookieRule.allow
    public var sameSite = true
    public var cors = true
    public var framing = true
    public var acceptLanguage = ""
    public var userAgent = "Mozilla/5.0 (compatible; b2c-harness)"
    public var available = true
    /// How many characters a page may store; 0: any number.
    public var storageQuota = 0

    public init() {}

    package static let title = "browser"
    package static let summary = "The browser of a device."
    package static let settings: [Setting<BrowserSettings>] = {
        var table = SettingsTable<BrowserSettings>()
        table.add("cookies", \.cookies, .bool, "Cookies are kept at all.")
        table.add("thirdPartyCookies", \.thirdPartyCookies, .word(), "Cookies of frames of other sites.")
        table.add("sameSite", \.sameSite, .bool, "SameSite rules are enforced.")
        table.add("cors", \.cors, .bool, "Cross-origin rules are enforced for scripts.")
        table.add("framing", \.framing, .bool, "X-Frame-Options and frame-ancestors are enforced.")
        table.add(
            "acceptLanguage", \.acceptLanguage, .headerText, "Accept-Language header.",
            default: "that of `device.locale`: `en-US,en;q=0.9`")
        table.add("userAgent", \.userAgent, .headerText, "User-Agent header.")
        table.add("available", \.available, .bool, "False: the system offers no browser.")
        table.add(
            "storageQuota", \.storageQuota, .integer(0...1_000_000_000),
            "How many characters of tokens and accounts a page may store; 0: any number.")
        return table.rows
    }()
}

/// `inbox` of a tenant file or of a target file.
public struct InboxSettings: TenantRecord {
    /// Program and arguments, `{to}` replaced; prints the message.
    public var command: [String]?
    public var prompt = false

    public init() {}

    package static let title = "inbox"
    package static let summary = "Where codes come from on a live tenant."
    package static let settings: [Setting<InboxSettings>] = {
        var table = SettingsTable<InboxSettings>()
        table.add(
            "command", \.command, .optionalTexts,
            "Program and arguments; `{to}` is the address, `{since}` the instant the code was asked for. It prints the newest "
                + "message since then (a text with the code in it, or a JSON object with `code`), or nothing as long as there "
                + "is none: it is run again for a minute.")
        table.add("prompt", \.prompt, .bool, "Asks at the terminal.")
        return table.rows
    }()
}
