extension StaticAssets {
    /// Backgrounds, the logo and the signs on providers' buttons, by name below `/static/harness/`. Simple shapes, drawn
    /// for this project.
    static let pictures: [String: String] = {
        var pictures = [
            "ocean-blue.svg": oceanBlue, "slate-gray.svg": slateGray, "classic.svg": classic, "logo.svg": logo,
            "idp/other.svg": person("#4a5560"),
        ]
        for provider in providers {
            pictures["idp/\(provider.name).svg"] = letter(provider.letter, provider.colour)
        }
        return pictures
    }()

    /// Style rules that give a provider's button its sign: the claims exchange is the button's id.
    static let providerStyle: String = providers.map { provider in
        let ids = provider.exchanges.map { ".harness-page #\($0)" }.joined(separator: ", ")
        return "\(ids) { background-image: url(idp/\(provider.name).svg); }"
    }.joined(separator: "\n")

    /// Providers that user flows know (Microsoft docs: add-identity-provider), with the letter on the sign.
    private static let providers: [(name: String, exchanges: [String], letter: String, colour: String)] = [
        ("amazon", ["AmazonExchange"], "a", "#37474f"),
        ("apple", ["AppleExchange", "AppleIDExchange"], "A", "#1b1b1b"),
        ("facebook", ["FacebookExchange"], "f", "#33509b"), ("github", ["GitHubExchange"], "g", "#24292f"),
        ("google", ["GoogleExchange"], "G", "#b5402a"), ("linkedin", ["LinkedInExchange"], "in", "#0a5f96"),
        ("microsoft", ["MicrosoftAccountExchange", "MSAExchange"], "M", "#0f6cbd"),
        ("qq", ["QQExchange"], "Q", "#14709f"),
        ("twitter", ["TwitterExchange"], "t", "#176fa8"), ("wechat", ["WeChatExchange"], "W", "#2c7a18"),
        ("weibo", ["WeiboExchange"], "w", "#b1182a"),
    ]

    private static func letter(_ text: String, _ colour: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">\
        <rect width="24" height="24" rx="5" fill="\(colour)"/><text x="12" y="17" text-anchor="middle" fill="#fff" \
        font-family="Segoe UI, Roboto, Helvetica, Arial, sans-serif" font-weight="700" font-size="15">\(text)</text></svg>
        """
    }

    private static func person(_ colour: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">\
        <rect width="24" height="24" rx="5" fill="\(colour)"/><circle cx="12" cy="9" r="3.6" fill="#fff"/>\
        <path d="M4.5 20a7.5 6.6 0 0 1 15 0z" fill="#fff"/></svg>
        """
    }

    private static let logo = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="6 4 60 32" width="75" height="40">\
        <circle cx="22" cy="20" r="16" fill="#1f6fbf"/><circle cx="50" cy="20" r="16" fill="#2aa6a1" fill-opacity=".85"/>\
        <path d="M36 12.3a16 16 0 0 1 0 15.4a16 16 0 0 1 0-15.4z" fill="#fff"/></svg>
        """

    private static let oceanBlue = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" preserveAspectRatio="xMidYMid slice">\
        <defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#0d3b66"/>\
        <stop offset="1" stop-color="#2b8fc7"/></linearGradient></defs><rect width="1600" height="900" fill="url(#sky)"/>\
        <circle cx="1290" cy="210" r="120" fill="#fff" fill-opacity=".08"/>\
        <path d="M0 560C260 480 420 640 700 580S1180 450 1600 560V900H0z" fill="#fff" fill-opacity=".07"/>\
        <path d="M0 660C300 600 520 740 860 670S1320 580 1600 650V900H0z" fill="#062a4a" fill-opacity=".25"/>\
        <path d="M0 770C340 700 600 840 960 770S1400 710 1600 760V900H0z" fill="#062a4a" fill-opacity=".35"/></svg>
        """

    private static let slateGray = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" preserveAspectRatio="xMidYMid slice">\
        <rect width="1600" height="900" fill="#dfe3e8"/><path d="M0 0H620L250 900H0z" fill="#cfd5dc"/>\
        <path d="M1600 900H1060L1420 0H1600z" fill="#c3cad3"/><path d="M1600 900H1330L1600 240z" fill="#b3bcc7"/></svg>
        """

    private static let classic = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1100 900" preserveAspectRatio="xMidYMid slice">\
        <rect width="1100" height="900" fill="#3f6a8a"/><circle cx="800" cy="210" r="90" fill="#f3d9a4"/>\
        <path d="M0 620L260 330L430 520L610 270L1100 700V900H0z" fill="#2f536f"/>\
        <path d="M0 740L330 560L560 700L820 540L1100 720V900H0z" fill="#1f3c54"/></svg>
        """
}
