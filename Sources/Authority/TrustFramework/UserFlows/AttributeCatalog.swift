import B2CProtocol
import Diagnostics
import JSON

/// The attributes and claims that a user flow may be set to ask for and to return.
struct AttributeCatalog {
    /// Attributes of the directory that a page can ask for, declared in the base policy.
    static let builtIn = [
        "displayName", "givenName", "surname", "city", "country", "state", "postalCode", "streetAddress", "jobTitle",
        "department", "companyName", "telephoneNumber", "mobile", "preferredLanguage", "usageLocation", "dateOfBirth",
        "ageGroup", "consentProvidedForMinor", "legalCountry",
    ]

    /// Claims that a journey knows besides attributes, and the claim types that hold them.
    static let journeyClaims: [(name: String, claim: String)] = [
        ("objectId", "objectId"), ("emails", "emails"), ("email", "email"), ("identityProvider", "identityProvider"),
        ("idp", "identityProvider"), ("newUser", "newUser"),
        ("identityProviderAccessToken", "identityProviderAccessToken"),
        ("idp_access_token", "identityProviderAccessToken"), ("tenantId", "tenantId"),
        ("userPrincipalName", "userPrincipalName"), ("isForgotPassword", "isForgotPassword"),
        ("strongAuthenticationPhoneNumber", "strongAuthenticationPhoneNumber"),
    ]

    let tenant: FlowSurroundings

    static func isCustom(_ name: String) -> Bool { name.lowercased().hasPrefix("extension_") && name.utf8.count > 10 }

    /// The claim type of an attribute, or `nil` when there is no such attribute.
    static func attribute(_ name: String) -> String? {
        if isCustom(name) { return "extension_" + name.dropFirst(10) }
        return builtIn.first { sameID($0, name) }
    }

    /// The claim type of a claim in tokens, or `nil` when there is no such claim.
    static func claim(_ name: String) -> String? {
        attribute(name) ?? journeyClaims.first { sameID($0.name, name) }?.claim
    }

    /// The type of a custom attribute, as the people of the tenant have it: nothing else says.
    func dataType(ofCustom name: String) -> DataType { tenant.customAttributes[name.lowercased()] ?? .string }

    /// The claim type of a custom attribute.
    func claimType(ofCustom name: String, _ make: ElementBuilder) -> ClaimTypeElement {
        var type = ClaimTypeElement(id: name, location: make.location)
        type.displayName = String(name.dropFirst(10))
        type.dataType = dataType(ofCustom: name)
        type.userInputType = .textBox
        return type
    }
}
