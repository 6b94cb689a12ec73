/// A directory attribute or claim that user flows know without being told (Microsoft docs: user-flow-user-attributes).
public struct UserFlowAttribute: Hashable, Sendable {
    /// The name in tenant files and policies: the claim type id.
    public var name: String
    /// What the page and the portal call it.
    public var label: String
    /// The name of the claim in tokens.
    public var tokenName: String
    /// It can be asked for on a page.
    public var isAttribute: Bool
    /// It can be returned in tokens.
    public var isClaim: Bool

    /// Every built-in one, in the order of the portal.
    public static let all: [UserFlowAttribute] = [
        attribute("city", "City"),
        attribute("country", "Country/Region"),
        attribute("displayName", "Display Name", "name"),
        attribute("emails", "Email Addresses", "emails", isAttribute: false),
        attribute("email", "Email Address", "email", isClaim: false),
        attribute("givenName", "Given Name", "given_name"),
        attribute("identityProvider", "Identity Provider", "idp", isAttribute: false),
        attribute(
            "identityProviderAccessToken", "Identity Provider Access Token", "idp_access_token", isAttribute: false),
        attribute("jobTitle", "Job Title"),
        attribute("newUser", "User is new", "newUser", isAttribute: false),
        attribute("objectId", "User's Object ID", "oid", isAttribute: false),
        attribute("postalCode", "Postal Code"),
        attribute("state", "State/Province"),
        attribute("streetAddress", "Street Address"),
        attribute("surname", "Surname", "family_name"),
        attribute("isForgotPassword", "Password was reset", "isForgotPassword", isAttribute: false),
    ]

    /// The built-in one of that name.
    public static func named(_ name: String) -> UserFlowAttribute? {
        all.first { $0.name == name }
    }

    /// Whether the directory refuses an empty text for an attribute. It removes any other one that is written so (Microsoft
    /// docs: active-directory-technical-profile).
    public static func refusesEmptyText(_ name: String) -> Bool { name.lowercased() == "displayname" }

    /// Custom attributes carry this before their name, in policies and tokens alike.
    public static let customPrefix = "extension_"

    private static func attribute(
        _ name: String, _ label: String, _ tokenName: String? = nil, isAttribute: Bool = true, isClaim: Bool = true
    ) -> UserFlowAttribute {
        UserFlowAttribute(
            name: name, label: label, tokenName: tokenName ?? name, isAttribute: isAttribute, isClaim: isClaim)
    }
}
