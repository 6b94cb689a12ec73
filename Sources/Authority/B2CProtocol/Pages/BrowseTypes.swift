import HTTPMessages
import JSON

/// Which addresses leave the browser and go to the app instead of being fetched.
///
/// The four ways in which MSAL's web sessions recognise a response: `ASWebAuthenticationSession` looks at the scheme
/// alone, `SFSafariViewController` at scheme and host, an embedded `WKWebView` at a prefix without regard to letter
/// case; a web app's page is the exact address up to query and fragment (MSAL objc, MSIDSystemWebviewController,
/// MSIDOAuth2EmbeddedWebviewController).
public enum CallbackRule: Sendable, Hashable {
    case scheme(String)
    case schemeAndHost(scheme: String, host: String)
    case prefixIgnoringCase(String)
    case exact(String)

    /// Whether this address belongs to the app.
    public func takes(_ url: WebURL) -> Bool {
        switch self {
        case .scheme(let scheme):
            return url.scheme == scheme.lowercased()
        case .schemeAndHost(let scheme, let host):
            return url.scheme == scheme.lowercased() && (url.host ?? "") == host.lowercased()
        case .prefixIgnoringCase(let prefix):
            return url.description.lowercased().hasPrefix(prefix.lowercased())
        case .exact(let address):
            guard let wanted = WebURL(address) else { return false }
            let path = url.path.isEmpty ? "/" : url.path
            return url.scheme == wanted.scheme && url.authority == wanted.authority
                && path == (wanted.path.isEmpty ? "/" : wanted.path)
        }
    }
}

/// Which cookies a web session sees. The three do not share any (msal objc: shared system session,
/// `prefersEphemeralWebBrowserSession`, embedded web view).
public enum JarKind: String, Sendable, Hashable, CaseIterable {
    case shared, ephemeral, embedded
}

/// One visit to the authority, asked for by an app.
public struct BrowseRequest: Sendable, Hashable {
    public var url: WebURL
    public var method: String
    public var body: [UInt8]
    /// Which URL ends the visit; nil ends it only at a page or with the person.
    public var callback: CallbackRule?
    public var jar: JarKind
    /// A hidden frame: cookies are those of a third party, pages that forbid framing stay blank.
    public var frame: Bool
    /// The client that asked, by its name in the scenario.
    public var client: String
    /// The page that holds the hidden frame, as cookies see it.
    public var topLevelSite: WebURL?
    /// What the pages are shown in. An embedded web view refuses addresses without TLS (MSAL objc,
    /// MSIDErrorServerNonHttpsRedirect).
    public var webview: WebviewKind

    public init(
        url: WebURL, method: String = "GET", body: [UInt8] = [], callback: CallbackRule? = nil, jar: JarKind = .shared,
        frame: Bool = false, topLevelSite: WebURL? = nil, client: String,
        webview: WebviewKind = .default
    ) {
        self.url = url
        self.method = method
        self.body = body
        self.callback = callback
        self.jar = jar
        self.frame = frame
        self.topLevelSite = topLevelSite
        self.client = client
        self.webview = webview
    }
}

/// How a visit ended, or what it waits for.
public enum BrowseEnd: Sendable, Hashable {
    /// The app's address was reached; `form` holds the fields of a form post.
    case callback(WebURL, form: FormItems?)
    /// The person closed the window.
    case userClosed
    /// Nobody acts any more; `Browser.run` with more actions goes on.
    case pending(Pending)
    /// The page could not be loaded.
    case failed(TransportError)
    /// An embedded web view was sent to a plain http address.
    case nonHTTPS(WebURL)
    /// The page forbids framing, or a cookie or origin rule stopped the visit.
    case blocked(String)
    /// What the script says does not fit the page that shows: a sentence for the reader of the report.
    case scriptDoesNotFit(String)
}

/// What an unfinished operation waits for (the outcome's `pending`).
public struct Pending: Sendable, Hashable {
    /// `page`, `abandoned`, `callbackLost`, `callbackUndeliverable`, `callbackNotForwarded`, `callbackNotRecognised`,
    /// `noAnswer`.
    public var reason: String
    public var page: PageRecord?
    public var url: WebURL?
    /// Why nothing answered to the last thing that was done there, if that is why it waits.
    public var failure: TransportError?

    public init(reason: String, page: PageRecord? = nil, url: WebURL? = nil, failure: TransportError? = nil) {
        self.reason = reason
        self.page = page
        self.url = url
        self.failure = failure
    }

    public var json: JSONValue {
        var object = JSONObject()
        object["reason"] = .string(reason)
        if let page { object["page"] = page.json }
        if let url { object["url"] = .string(url.description) }
        return .object(object)
    }
}

/// One page that was shown, as the `pages` log records it.
public struct PageRecord: Sendable, Hashable {
    public struct RecordedField: Sendable, Hashable {
        public var id: String
        public var label: String
        public var value: String
        public var readOnly: Bool
        public var required: Bool
        public var options: [String]

        public init(id: String, label: String, value: String, readOnly: Bool, required: Bool, options: [String]) {
            self.id = id
            self.label = label
            self.value = value
            self.readOnly = readOnly
            self.required = required
            self.options = options
        }
    }

    public var number = 0
    /// `signIn`, `signUp`, `editProfile`, `verifyEmail`, `newPassword`, `providerSelection`, `mfa`, `consent`,
    /// `selfAsserted`, `provider`, `signedOut`, `document`, `error`.
    public var name: String
    public var contentDefinition: String?
    public var technicalProfile: String?
    public var step: Int?
    public var title = ""
    public var text = ""
    public var error: String?
    public var b2cCode: String?
    public var fields: [RecordedField] = []
    public var buttons: [String] = []
    public var locale: String?
    public var status: Int
    public var url: String

    /// A page of which no more is known.
    package init(name: String, status: Int, url: String) {
        self.name = name
        self.status = status
        self.url = url
    }

    public var json: JSONValue {
        var object = JSONObject()
        object["number"] = .integer(Int64(number))
        object["name"] = .string(name)
        if let contentDefinition { object["contentDefinition"] = .string(contentDefinition) }
        if let technicalProfile { object["technicalProfile"] = .string(technicalProfile) }
        if let step { object["step"] = .integer(Int64(step)) }
        object["title"] = .string(title)
        object["text"] = .string(text)
        if let error { object["error"] = .string(error) }
        if let b2cCode { object["b2cCode"] = .string(b2cCode) }
        var members = JSONObject()
        for field in fields {
            var member = JSONObject()
            member["label"] = .string(field.label)
            member["value"] = .string(field.value)
            member["readOnly"] = .bool(field.readOnly)
            member["required"] = .bool(field.required)
            if !field.options.isEmpty { member["options"] = .array(field.options.map { .string($0) }) }
            members[field.id] = .object(member)
        }
        object["fields"] = .object(members)
        object["buttons"] = .array(buttons.map { .string($0) })
        if let locale { object["locale"] = .string(locale) }
        object["status"] = .integer(Int64(status))
        object["url"] = .string(url)
        return .object(object)
    }
}
