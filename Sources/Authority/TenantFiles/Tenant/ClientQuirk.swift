import Records

/// Defects of library versions that neither a setting nor a fault can express, each under a name of its own.
public enum ClientQuirk: String, SettingWord {
    /// MSAL.js 2.0 to 2.5 (AzureAD/microsoft-authentication-library-for-js#1936; docs/bugs.md, B38).
    case matchesReservedScopes
    /// MSAL.NET for Xamarin, MSAL.js 1.2 (AzureAD/microsoft-authentication-library-for-dotnet#1566; B41).
    case metadataBeforeCache
    /// MSAL for iOS with a single sign-on extension (AzureAD/microsoft-authentication-library-for-objc#1839; B117).
    case offlineIsInteractionRequired
    /// MSAL.js 2.7 (AzureAD/microsoft-authentication-library-for-js#2617; B49).
    case clearsInteractionLate
    /// MSAL.NET in web apps (Azure-Samples/active-directory-b2c-dotnet-webapp-and-webapi#149; B31).
    case comparesIdentifierCase
    /// MSAL.js 1 (AzureAD/microsoft-authentication-library-for-js#701; B53).
    case readsEveryHash

    public var doc: String {
        switch self {
        case .matchesReservedScopes:
            "A cached access token must name the reserved scopes too, which the service does not echo (MSAL.js 2.0)."
        case .metadataBeforeCache:
            "A silent call asks for the metadata before it looks into the cache (MSAL.NET, issue 1566)."
        case .offlineIsInteractionRequired:
            "A silent call without network reports that the person must sign in (MSAL for iOS, issue 1839)."
        case .clearsInteractionLate:
            "An interactive call counts as running until its completion handler has returned (MSAL.js 2.7)."
        case .comparesIdentifierCase:
            "Accounts are found by their identifier in the same letter case only (MSAL.NET in web apps)."
        case .readsEveryHash:
            "The library takes any answer in the page's address for its own when it is created (MSAL.js 1)."
        }
    }
}
