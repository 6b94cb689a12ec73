import JSON

/// How a Chromium is started by chromedriver.
public struct ChromiumOptions: Sendable, Hashable {
    /// Program file; nil: the one that chromedriver finds.
    public var binary: String?
    /// Without a window.
    public var headless: Bool
    /// As root the sandbox cannot start, and Chromium exits.
    public var sandbox: Bool
    /// Language of the interface and of `Accept-Language`, such as `de`.
    public var language: String
    /// In CSS pixels.
    public var width: Int
    public var height: Int
    /// `Accept-Language` of pages where it is another than the interface's: `de,en`.
    public var acceptLanguages: String?
    /// nil: Chromium's own.
    public var userAgent: String?
    /// Host pattern and where it leads, `("contoso.b2clogin.com", "127.0.0.1:9443")`; pages keep the address they name.
    public var hosts: [(pattern: String, address: String)]
    /// The only hosts that are looked up at all; nil: any. Those of `hosts` are among them.
    public var onlyHosts: [String]?
    /// SHA-256 of public keys in base64: certificates of a local authority that are good here.
    public var trustedKeys: [String]
    /// Folder of the profile; nil: a new one that is gone afterwards. Trusted keys need one.
    public var profile: String?

    public init(
        binary: String? = nil, headless: Bool = true, sandbox: Bool = true, language: String = "en", width: Int = 800,
        height: Int = 900, hosts: [(pattern: String, address: String)] = [], onlyHosts: [String]? = nil,
        trustedKeys: [String] = [], profile: String? = nil, acceptLanguages: String? = nil, userAgent: String? = nil
    ) {
        self.binary = binary
        self.headless = headless
        self.sandbox = sandbox
        self.language = language
        self.width = width
        self.height = height
        self.hosts = hosts
        self.onlyHosts = onlyHosts
        self.acceptLanguages = acceptLanguages
        self.userAgent = userAgent
        self.trustedKeys = trustedKeys
        self.profile = profile
    }

    public static func == (left: ChromiumOptions, right: ChromiumOptions) -> Bool {
        left.capabilities == right.capabilities
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(arguments) }

    /// The command line.
    public var arguments: [String] {
        var arguments = [
            "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
            "--disable-background-networking", "--disable-sync", "--disable-features=AutofillServerCommunication",
            "--lang=\(language)", "--window-size=\(width),\(height)",
        ]
        if headless { arguments.append("--headless=new") }
        if !sandbox { arguments.append("--no-sandbox") }
        let rules = hostRules
        if !rules.isEmpty { arguments.append("--host-resolver-rules=" + rules.joined(separator: ",")) }
        if let userAgent { arguments.append("--user-agent=\(userAgent)") }
        if !trustedKeys.isEmpty {
            arguments.append("--ignore-certificate-errors-spki-list=" + trustedKeys.joined(separator: ","))
        }
        if let profile { arguments.append("--user-data-dir=\(profile)") }
        return arguments
    }

    /// Chromium takes the first rule that fits, and none below an exclusion.
    private var hostRules: [String] {
        var rules = hosts.map { "MAP \($0.pattern) \($0.address)" }
        guard let onlyHosts else { return rules }
        rules.append("MAP * ~NOTFOUND")
        rules += onlyHosts.filter { host in !hosts.contains { $0.pattern == host } }.map { "EXCLUDE \($0)" }
        return rules
    }

    /// What ``WebDriverSession/open(at:capabilities:transport:timeout:)`` takes. The performance log lists the
    /// addresses asked for, also those that no browser can load.
    public var capabilities: JSONObject {
        var options = JSONObject()
        if let binary { options["binary"] = .string(binary) }
        options["args"] = .array(arguments.map { .string($0) })
        options["prefs"] = [
            "intl.accept_languages": .string(acceptLanguages ?? language), "credentials_enable_service": false,
            "profile.password_manager_leak_detection": false,
        ]
        return [
            "browserName": "chrome", "pageLoadStrategy": "normal", "unhandledPromptBehavior": "accept",
            "goog:chromeOptions": .object(options), "goog:loggingPrefs": ["performance": "ALL"],
        ]
    }
}
