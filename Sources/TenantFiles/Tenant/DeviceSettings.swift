import Determinism
import Records

/// How a clock differs from true time.
public struct ClockSettings: TenantRecord {
    /// Shown time minus true time; may be negative.
    public var skew: TimeSpan
    /// Speed: 1 is true, 1.01 gains a second in a hundred.
    public var rate: Double

    public init(
        skew: TimeSpan = .zero,
        rate: Double = 1
    ) {
        self.skew = skew
        self.rate = rate
    }

    package static let title = "clock"
    package static let summary = "How a clock differs from true time."
    package static let initial = ClockSettings()
    package static let settings: [Setting<ClockSettings>] = {
        var table = SettingsTable<ClockSettings>()
        table.add(
            "skew", \.skew, .span,
            "Shown time minus true time; may be negative.")
        table.add(
            "rate", \.rate, .number,
            "Speed: 1 is true, 1.01 gains a second in a hundred.")
        return table.rows
    }()
}

/// What the keychain of a device answers: a status of Apple's Security framework for each kind of access. Before the
/// first unlock after a start a phone answers -25308 (`errSecInteractionNotAllowed`) to all of them.
public struct KeychainSettings: TenantRecord {
    /// Status of reads (`SecItemCopyMatching`); 0: they work.
    public var read: Int
    /// Status of writes (`SecItemUpdate`, `SecItemAdd`); 0: they work.
    public var write: Int
    /// Status of deletions (`SecItemDelete`); 0: they work.
    public var delete: Int

    public init(read: Int = 0, write: Int = 0, delete: Int = 0) {
        self.read = read
        self.write = write
        self.delete = delete
    }

    package static let title = "keychain"
    package static let summary = "What the keychain of a device answers: a status of Apple's Security framework each."
    package static let initial = KeychainSettings()
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

/// The device an app runs on.
public struct DeviceSettings: TenantRecord {
    /// Whether it has a network.
    public var network: NetworkState
    /// The clock of the device.
    public var clock: ClockSettings
    /// An authentication broker is installed.
    public var broker: Bool
    /// How the device is managed.
    public var mode: DeviceMode
    /// Language and region of the device.
    public var locale: String
    /// What the keychain of the device answers.
    public var keychain: KeychainSettings

    public init(
        network: NetworkState = .online,
        clock: ClockSettings = ClockSettings(),
        broker: Bool = false,
        mode: DeviceMode = .private,
        locale: String = "en-US",
        keychain: KeychainSettings = KeychainSettings()
    ) {
        self.network = network
        self.clock = clock
        self.broker = broker
        self.mode = mode
        self.locale = locale
        self.keychain = keychain
    }

    package static let title = "device"
    package static let summary = "The device an app runs on."
    package static let initial = DeviceSettings()
    package static let settings: [Setting<DeviceSettings>] = {
        var table = SettingsTable<DeviceSettings>()
        table.add(
            "network", \.network, .word(),
            "Whether it has a network.")
        table.add(
            "clock", \.clock, .record(),
            "The clock of the device.")
        table.add(
            "broker", \.broker, .bool,
            "An authentication broker is installed.")
        table.add(
            "mode", \.mode, .word(),
            "How the device is managed.")
        table.add(
            "locale", \.locale, .nonEmpty,
            "Language and region of the device.")
        table.add(
            "keychain", \.keychain, .record(),
            "What the keychain of the device answers MSAL for iOS and macOS.")
        return table.rows
    }()
}

/// The browser of a device.
public struct BrowserSettings: TenantRecord {
    /// Cookies are kept at all.
    public var cookies: Bool
    /// Cookies of frames of other sites.
    public var thirdPartyCookies: ThirdPartyCookieRule
    /// SameSite rules are enforced.
    public var sameSite: Bool
    /// Cross-origin rules are enforced for scripts.
    public var cors: Bool
    /// X-Frame-Options and frame-ancestors are enforced.
    public var framing: Bool
    /// Accept-Language header.
    public var acceptLanguage: String
    /// User-Agent header.
    public var userAgent: String
    /// False: the system offers no browser.
    public var available: Bool
    /// How many characters a page may store; 0: any number.
    public var storageQuota: Int

    public init(
        cookies: Bool = true,
        thirdPartyCookies: ThirdPartyCookieRule = .allow,
        sameSite: Bool = true,
        cors: Bool = true,
        framing: Bool = true,
        acceptLanguage: String = "",
        userAgent: String = "Mozilla/5.0 (compatible; b2c-harness)",
        available: Bool = true,
        storageQuota: Int = 0
    ) {
        self.cookies = cookies
        self.thirdPartyCookies = thirdPartyCookies
        self.sameSite = sameSite
        self.cors = cors
        self.framing = framing
        self.acceptLanguage = acceptLanguage
        self.userAgent = userAgent
        self.available = available
        self.storageQuota = storageQuota
    }

    package static let title = "browser"
    package static let summary = "The browser of a device."
    package static let initial = BrowserSettings()
    package static let settings: [Setting<BrowserSettings>] = {
        var table = SettingsTable<BrowserSettings>()
        table.add(
            "cookies", \.cookies, .bool,
            "Cookies are kept at all.")
        table.add(
            "thirdPartyCookies", \.thirdPartyCookies, .word(),
            "Cookies of frames of other sites.")
        table.add(
            "sameSite", \.sameSite, .bool,
            "SameSite rules are enforced.")
        table.add(
            "cors", \.cors, .bool,
            "Cross-origin rules are enforced for scripts.")
        table.add(
            "framing", \.framing, .bool,
            "X-Frame-Options and frame-ancestors are enforced.")
        table.add(
            "acceptLanguage", \.acceptLanguage, .headerText,
            "Accept-Language header.",
            default: "that of `device.locale`: `en-US,en;q=0.9`")
        table.add(
            "userAgent", \.userAgent, .headerText,
            "User-Agent header.")
        table.add(
            "available", \.available, .bool,
            "False: the system offers no browser.")
        table.add(
            "storageQuota", \.storageQuota, .integer(0...1_000_000_000),
            "How many characters of tokens and accounts a page may store; 0: any number.")
        return table.rows
    }()
}

/// Where codes come from on a live tenant.
public struct InboxSettings: TenantRecord {
    /// Program and arguments, `{to}` replaced; prints the message.
    public var command: [String]?
    /// Asks at the terminal.
    public var prompt: Bool

    public init(
        command: [String]? = nil,
        prompt: Bool = false
    ) {
        self.command = command
        self.prompt = prompt
    }

    package static let title = "inbox"
    package static let summary = "Where codes come from on a live tenant."
    package static let initial = InboxSettings()
    package static let settings: [Setting<InboxSettings>] = {
        var table = SettingsTable<InboxSettings>()
        table.add(
            "command", \.command, .optionalTexts,
            "Program and arguments; `{to}` is the address, `{since}` the instant the code was asked for. It prints the newest "
                + "message since then (a text with the code in it, or a JSON object with `code`), or nothing as long as there "
                + "is none: it is run again for a minute.")
        table.add(
            "prompt", \.prompt, .bool,
            "Asks at the terminal.")
        return table.rows
    }()
}
