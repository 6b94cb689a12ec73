import B2CProtocol

/// A hosted page as the journey wants it shown. HTML, anti-forgery value and hosts are the authority's.
public struct Page: Sendable {
    /// The page's handler on the wire (`SETTINGS.api`).
    public var api: PageAPI
    /// Order of the orchestration step, 1-based; part of the anti-forgery value.
    public var step: Int
    /// Id of the content definition, e.g. `api.signuporsignin`.
    public var contentDefinition: String
    /// Id of the technical profile whose page it is; empty for a provider selection.
    public var technicalProfile: String
    /// Element of the content definition's `DataUri`, e.g. `urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.5`.
    public var dataURI: String
    /// Address of the HTML template, with content definition parameters and resolvers filled in.
    public var templateURL: String
    public var title: String
    /// `SA_FIELDS`, in order.
    public var fields: [PageField]
    /// `CP`: provider buttons and links that are claims exchanges.
    public var providers: [PageChoice]
    /// `UV_PHONE`: numbers to choose from on the phone page.
    public var phones: [PagePhone]
    /// `SETTINGS.config`: texts by name, in order.
    public var config: [(name: String, value: String)]
    /// `CONTENT`: localised texts by string id, not yet escaped.
    public var strings: [(id: String, text: String)]
    /// Failed submits after which the journey ends.
    public var retryLimit: Int
    /// Language tag of the page, e.g. `en` or `pt-br`.
    public var locale: String
    /// Whether there is a sign-up link, and where it leads.
    public var signUpExchange: String?
    /// Whether the forgot-password link is shown, and its exchange if it has one.
    public var forgotPassword: ForgotPasswordLink
    public var showsKeepMeSignedIn: Bool
    public var showsCancel: Bool
    /// Whether the policy allows JavaScript in templates (`ScriptExecution`).
    public var allowsScript: Bool
    /// A message to show above the form when the page opens.
    public var message: String?

    public enum ForgotPasswordLink: Sendable, Hashable {
        /// No link.
        case absent
        /// The link leads back to the app with AADB2C90118.
        case legacy
        /// The link chooses this claims exchange.
        case exchange(ClaimsExchangeID)
    }
}

/// The handlers of hosted pages, spelled as in `SETTINGS.api`.
public enum PageAPI: String, Sendable, Codable, CaseIterable {
    case combined = "CombinedSigninAndSignup"
    case selfAsserted = "SelfAsserted"
    case phoneFactor = "Phonefactor"
    /// (inferred: the name of the provider list page was never recorded)
    case providerSelection = "ClaimsProviderSelection"
}
