import JSON

/// The settings objects of a hosted page: all that a page driver needs to know, and all that the authority renders.
///
/// A page of B2C holds no form. Its data script defines `CP`, `SA_FIELDS`, `UV_PHONE`, `CONTENT` and `SETTINGS`, and
/// the page script draws the fields from them (read from B2C's page script, element UnifiedSSP 2.1.9).
public struct PageSettings: Hashable, Sendable {
    /// Address of the HTML template.
    public var remoteResource: String
    /// Tries at this page.
    public var retryLimit: Int
    /// The page script trims password fields.
    public var trimSpacesInPassword: Bool
    /// The handler of the page: `CombinedSigninAndSignup`, `SelfAsserted`, `Phonefactor`, `ClaimsProviderSelection`.
    public var api: String
    /// Anti-forgery token; also in the cookie `x-ms-cpim-csrf`.
    public var csrf: String
    /// `StateProperties=` and the transaction in base64url.
    public var transId: String
    /// A GUID for this showing of the page.
    public var pageViewId: String
    public var suppressElementCss: Bool
    /// Posts carry the header `x-ms-cpim-pageviewid`.
    public var isPageViewIdSentWithHeader: Bool
    public var allowAutoFocusOnPasswordField: Bool
    /// 1: JavaScript of the policy is allowed and the sanitizer off.
    public var pageMode: Int
    /// Settings of the page's handler; all values are texts.
    public var config: JSONObject
    /// The page carries a sanitizer policy, which makes `SETTINGS` a JavaScript literal that is not JSON.
    public var hasSanitizerPolicy: Bool
    /// Path prefix of everything the page calls: `/{tenant}/{policy}`.
    public var tenantPath: String
    /// The policy in its registered letter case.
    public var policy: String
    /// Address of static files.
    public var staticHost: String
    /// Language of the page, such as `en`.
    public var language: String
    /// Country, such as `US`.
    public var country: String?
    /// Logo and background of the tenant.
    public var tenantBranding: JSONObject?
    /// Members of `SETTINGS` that are not known here.
    public var otherSettings: JSONObject
    /// The fields.
    public var fields: [PageField]
    /// The claims exchanges on offer.
    public var providers: [PageChoice]
    /// Phone numbers on offer; `nil` on pages other than the phone page.
    public var phones: [PagePhone]?
    /// Texts by string id, HTML-escaped.
    public var content: JSONObject

    public init(
        api: String, remoteResource: String = "", retryLimit: Int = 3, trimSpacesInPassword: Bool = false,
        csrf: String = "", transId: String = "", pageViewId: String = "", suppressElementCss: Bool = false,
        isPageViewIdSentWithHeader: Bool = false, allowAutoFocusOnPasswordField: Bool = true, pageMode: Int = 0,
        config: JSONObject = JSONObject(), hasSanitizerPolicy: Bool = false, tenantPath: String = "",
        policy: String = "", staticHost: String = "", language: String = "en", country: String? = nil,
        tenantBranding: JSONObject? = nil, otherSettings: JSONObject = JSONObject(), fields: [PageField] = [],
        providers: [PageChoice] = [], phones: [PagePhone]? = nil, content: JSONObject = JSONObject()
    ) {
        self.api = api
        self.remoteResource = remoteResource
        self.retryLimit = retryLimit
        self.trimSpacesInPassword = trimSpacesInPassword
        self.csrf = csrf
        self.transId = transId
        self.pageViewId = pageViewId
        self.suppressElementCss = suppressElementCss
        self.isPageViewIdSentWithHeader = isPageViewIdSentWithHeader
        self.allowAutoFocusOnPasswordField = allowAutoFocusOnPasswordField
        self.pageMode = pageMode
        self.config = config
        self.hasSanitizerPolicy = hasSanitizerPolicy
        self.tenantPath = tenantPath
        self.policy = policy
        self.staticHost = staticHost
        self.language = language
        self.country = country
        self.tenantBranding = tenantBranding
        self.otherSettings = otherSettings
        self.fields = fields
        self.providers = providers
        self.phones = phones
        self.content = content
    }

    /// A setting of the page's handler.
    public func config(_ name: String) -> String? { config[name]?.stringValue }

    /// Whether a setting of the page's handler is the text `true`, in any letter case.
    public func isOn(_ name: String) -> Bool { config(name)?.lowercased() == "true" }

    /// The country with the language, as `ui_locales` writes it: `en-US`.
    public var locale: String { country.map { "\(language)-\($0)" } ?? language }
}
