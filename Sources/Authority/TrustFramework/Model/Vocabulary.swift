/// Types of claim values ("Microsoft docs: claimsschema", `DataType`).
public enum DataType: String, Sendable, Hashable, Codable, CaseIterable {
    case string, boolean, int, long, date, dateTime, duration, phoneNumber, stringCollection
    case userIdentity, userIdentityCollection, alternativeSecurityIdCollection
    case objectIdentity, objectIdentityCollection

    /// Whether a value is a list.
    public var isCollection: Bool {
        switch self {
        case .stringCollection, .userIdentityCollection, .alternativeSecurityIdCollection, .objectIdentityCollection:
            true
        default: false
        }
    }
}

/// How a claim is asked for on a page ("Microsoft docs: claimsschema", `UserInputType`).
public enum UserInputType: String, Sendable, Hashable, Codable, CaseIterable {
    case textBox = "TextBox"
    case emailBox = "EmailBox"
    case password = "Password"
    case dateTimeDropdown = "DateTimeDropdown"
    case radioSingleSelect = "RadioSingleSelect"
    case dropdownSingleSelect = "DropdownSingleSelect"
    case checkboxMultiSelect = "CheckboxMultiSelect"
    case readonly = "Readonly"
    case paragraph = "Paragraph"
    case button = "Button"
}

/// How a child's list combines with the inherited one.
public enum MergeBehavior: String, Sendable, Hashable, CaseIterable {
    case append = "Append"
    case prepend = "Prepend"
    case replaceAll = "ReplaceAll"
}

/// `Protocol/@Name` of a technical profile.
public enum ProtocolName: String, Sendable, Hashable, CaseIterable {
    case none = "None"
    case oauth1 = "OAuth1"
    case oauth2 = "OAuth2"
    case saml2 = "SAML2"
    case openIdConnect = "OpenIdConnect"
    case wsFed = "WsFed"
    case wsTrust = "WsTrust"
    case uprove11 = "UProve11"
    case proprietary = "Proprietary"
}

/// `InputTokenFormat` and `OutputTokenFormat`.
public enum TokenFormat: String, Sendable, Hashable, CaseIterable {
    case json = "JSON"
    case jwt = "JWT"
    case saml11 = "SAML11"
    case saml2 = "SAML2"
    case cpimUnsigned = "CpimUnsigned"
    case uprove11 = "UProve11"
    case oauth2Error = "OAuth2Error"
}

/// `EnabledForUserJourneys`: when a technical profile takes part.
public enum EnabledForUserJourneys: String, Sendable, Hashable, CaseIterable {
    case `true`, `false`
    case onClaimsExistence = "OnClaimsExistence"
    case always = "Always"
    case never = "Never"
    case onItemExistence = "OnItemExistenceInStringCollectionClaim"
    case onItemAbsence = "OnItemAbsenceInStringCollectionClaim"
}

/// `OrchestrationStep/@Type`.
public enum StepType: String, Sendable, Hashable, Codable, CaseIterable {
    case consentScreen = "ConsentScreen"
    case claimsProviderSelection = "ClaimsProviderSelection"
    case combinedSignInAndSignUp = "CombinedSignInAndSignUp"
    case claimsExchange = "ClaimsExchange"
    case reviewScreen = "ReviewScreen"
    case sendClaims = "SendClaims"
    case getClaims = "GetClaims"
    case userDialog = "UserDialog"
    case invokeSubJourney = "InvokeSubJourney"
    case noop = "Noop"

    /// Whether the step lets the person choose among claims exchanges.
    public var isSelection: Bool { self == .claimsProviderSelection || self == .combinedSignInAndSignUp }
}

/// `SubJourney/@Type`: comes back, or ends the journey itself.
public enum SubJourneyType: String, Sendable, Hashable, Codable, CaseIterable {
    case call = "Call"
    case transfer = "Transfer"
}

/// `ClaimsProviderSelections/@DisplayOption`.
public enum DisplayOption: String, Sendable, Hashable, CaseIterable {
    case doNotShowSingleProvider = "DoNotShowSingleProvider"
    case showSingleProvider = "ShowSingleProvider"
}

/// `Precondition/@Type`.
public enum PreconditionType: String, Sendable, Hashable, Codable, CaseIterable {
    case claimsExist = "ClaimsExist"
    case claimEquals = "ClaimEquals"
}

/// `Precondition/Action`.
public enum PreconditionAction: String, Sendable, Hashable, CaseIterable {
    case skipStep = "SkipThisOrchestrationStep"
    case skipValidationProfile = "SkipThisValidationTechnicalProfile"
}

/// `Predicate/@Method`.
public enum PredicateMethod: String, Sendable, Hashable, CaseIterable {
    case isLengthRange = "IsLengthRange"
    case matchesRegex = "MatchesRegex"
    case includesCharacters = "IncludesCharacters"
    case isDateRange = "IsDateRange"
}

/// `Mask/@Type`.
public enum MaskType: String, Sendable, Hashable, CaseIterable {
    case simple = "Simple"
    case regex = "Regex"
}

/// `DisplayControl/@UserInterfaceControlType`.
public enum DisplayControlType: String, Sendable, Hashable, CaseIterable {
    case verification = "VerificationControl"
    case qrCode = "QrCodeControl"
    case authenticatorInfo = "AuthenticatorInfoControl"
    case authenticatorAppIcon = "AuthenticatorAppIconControl"
    case captcha = "CaptchaControl"
}

/// `SingleSignOn/@Scope`: who shares a session ("Microsoft docs: session-behavior").
public enum SingleSignOnScope: String, Sendable, Hashable, Codable, CaseIterable {
    case suppressed = "Suppressed"
    case trustFramework = "TrustFramework"
    case tenant = "Tenant"
    case application = "Application"
    case policy = "Policy"
}

/// `SessionExpiryType`.
public enum SessionExpiryType: String, Sendable, Hashable, Codable, CaseIterable {
    case rolling = "Rolling"
    case absolute = "Absolute"
}

/// `ScriptExecution`: whether scripts in a page template run.
public enum ScriptExecution: String, Sendable, Hashable, CaseIterable {
    case allow = "Allow"
    case disallow = "Disallow"
}

/// `OnError/@Mode`.
public enum OnErrorMode: String, Sendable, Hashable, CaseIterable {
    case returnToRequestor = "ReturnToRequestor"
    case displayInService = "DisplayInService"
}

/// `TrustFrameworkPolicy/@DeploymentMode`.
public enum DeploymentMode: String, Sendable, Hashable, CaseIterable {
    case development = "Development"
    case production = "Production"
    case debugging = "Debugging"
}
