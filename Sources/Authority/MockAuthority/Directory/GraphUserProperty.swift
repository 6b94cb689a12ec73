import Determinism
import JOSE
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// A property of Microsoft Graph's resource `user` (Microsoft docs: resources/user; for B2C user-profile-attributes).
struct GraphUserProperty: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case text, flag, instant, texts
        /// `identities` and `passwordProfile`.
        case structure
        /// A property that no account here has.
        case absent(JSONValue)
    }

    let name: String
    let kind: Kind
    var isWritable = true
    var isFilterable = true
    /// Names under which policies know the attribute, the first of them for new values.
    var stored: [String] = []

    static let all: [GraphUserProperty] =
        texts(
            "ageGroup", "city", "companyName", "consentProvidedForMinor", "country", "department", "displayName",
            "employeeId", "employeeType", "givenName", "jobTitle", "mail", "mailNickname", "postalCode",
            "preferredLanguage", "state", "surname", "usageLocation", "userPrincipalName", "userType")
        + texts("passwordPolicies", "streetAddress").map { $0.notFilterable }
        + [
            GraphUserProperty(name: "id", kind: .text, isWritable: false),
            GraphUserProperty(name: "accountEnabled", kind: .flag),
            GraphUserProperty(
                name: "businessPhones", kind: .texts, stored: ["businessPhones", "telephoneNumber"]),
            GraphUserProperty(name: "createdDateTime", kind: .instant, isWritable: false),
            GraphUserProperty(name: "creationType", kind: .text, isWritable: false),
            GraphUserProperty(name: "faxNumber", kind: .text, stored: ["faxNumber", "facsimileTelephoneNumber"]),
            GraphUserProperty(name: "identities", kind: .structure),
            GraphUserProperty(
                name: "lastPasswordChangeDateTime", kind: .instant, isWritable: false, isFilterable: false),
            GraphUserProperty(name: "mobilePhone", kind: .text, stored: ["mobilePhone", "mobile"]),
            GraphUserProperty(
                name: "officeLocation", kind: .text, stored: ["officeLocation", "physicalDeliveryOfficeName"]),
            GraphUserProperty(name: "otherMails", kind: .texts, stored: ["otherMails"]),
            GraphUserProperty(name: "passwordProfile", kind: .structure, isFilterable: false),
            GraphUserProperty(
                name: "signInSessionsValidFromDateTime", kind: .instant, isWritable: false, isFilterable: false),
        ]
        + absent(
            .null, "deletedDateTime", "employeeHireDate", "externalUserState", "externalUserStateChangeDateTime",
            "isResourceAccount", "legalAgeGroupClassification",
            "onPremisesDistinguishedName", "onPremisesDomainName", "onPremisesExtensionAttributes",
            "onPremisesImmutableId", "onPremisesLastSyncDateTime", "onPremisesSamAccountName",
            "onPremisesSecurityIdentifier", "onPremisesSyncEnabled", "onPremisesUserPrincipalName",
            "preferredDataLocation", "securityIdentifier", "showInAddressList")
        + absent(
            .array([]), "assignedLicenses", "assignedPlans", "imAddresses", "licenseAssignmentStates",
            "onPremisesProvisioningErrors", "provisionedPlans", "proxyAddresses")

    /// What comes unless the request selects (Microsoft docs: user-get), in the order of the documents.
    static let standard = [
        "businessPhones", "displayName", "givenName", "jobTitle", "mail", "mobilePhone", "officeLocation",
        "preferredLanguage", "surname", "userPrincipalName", "id",
    ]
    /// What `User.ReadBasic.All` shows (Microsoft docs: permissions-reference).
    static let basic: Set<String> = [
        "displayName", "givenName", "id", "mail", "securityIdentifier", "surname", "userPrincipalName",
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })

    /// Letter case does not count (inferred).
    static func named(_ name: String) -> GraphUserProperty? { byName[name.lowercased()] }

    private static func texts(_ names: String...) -> [GraphUserProperty] {
        names.map { GraphUserProperty(name: $0, kind: .text, stored: [$0]) }
    }

    private static func absent(_ value: JSONValue, _ names: String...) -> [GraphUserProperty] {
        names.map { GraphUserProperty(name: $0, kind: .absent(value), isWritable: false, isFilterable: false) }
    }

    private var notFilterable: GraphUserProperty {
        var property = self
        property.isFilterable = false
        return property
    }
}

/// An extension property as Graph names it: `extension_`, the application id without dashes, `_`, a name.
struct GraphExtension: Sendable, Hashable {
    let appID: String
    let name: String

    init?(_ text: String) {
        let prefix = UserFlowAttribute.customPrefix
        guard text.lowercased().hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        let id = rest.prefix(32)
        let name = rest.dropFirst(33)
        guard id.utf8.count == 32, id.allSatisfy({ $0.isASCII && $0.isHexDigit }), rest.dropFirst(32).first == "_",
            !name.isEmpty
        else { return nil }
        appID = id.lowercased()
        self.name = String(name)
    }

    static func digits(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
}

/// The people of a directory as Graph shows them.
struct GraphUsers: Sendable {
    let tenant: Tenant
    /// The extensions app's id without dashes; `nil`: it is gone.
    private let extensionsApp: String?
    private let otherApps: Set<String>

    init(_ tenant: Tenant) {
        self.tenant = tenant
        extensionsApp =
            tenant.authority.extensionsApp
            ? GraphExtension.digits(tenant.authority.extensionsAppId.description) : nil
        otherApps = Set(tenant.apps.map { GraphExtension.digits($0.registration.clientId) })
    }

    /// The name under which an account holds an extension property. Those of the extensions app are the custom attributes
    /// of policies, which write them without the id; `nil` where no app of the tenant has the id.
    func attribute(_ property: GraphExtension) -> String? {
        if property.appID == extensionsApp { return UserFlowAttribute.customPrefix + property.name }
        guard otherApps.contains(property.appID) else { return nil }
        return "\(UserFlowAttribute.customPrefix)\(property.appID)_\(property.name)"
    }

    /// The value of a property; an extension property that is not set has none.
    func value(_ name: String, of account: Account, in directory: Directory) -> JSONValue? {
        if let property = GraphExtension(name) {
            return attribute(property).flatMap { attribute in
                account.attributes.first { sameID($0.id, attribute) }?.value.graphValue
            }
        }
        guard let property = GraphUserProperty.named(name) else { return nil }
        return value(property, of: account, in: directory)
    }

    private func value(_ property: GraphUserProperty, of account: Account, in directory: Directory) -> JSONValue {
        func text(_ name: String) -> JSONValue { directory.value(name, of: account, as: .string).json(\.text) }
        switch property.name {
        case "id": return .string(account.objectID.description)
        case "accountEnabled": return .bool(account.accountEnabled)
        case "createdDateTime": return .string(account.createdAt.graphText)
        case "lastPasswordChangeDateTime":
            return account.password == nil ? .null : .string(account.passwordChangedAt.graphText)
        case "signInSessionsValidFromDateTime": return .string(account.refreshTokensValidFrom.graphText)
        case "identities": return .array(identities(of: account, in: directory))
        case "passwordProfile": return .null
        case "mailNickname":
            // What the directory makes up is inferred.
            let own = text("mailNickname")
            return own.isNull ? .string(account.objectID.description) : own
        case "mail":
            // That the address of a local account is there is inferred from the conflicts over proxyAddresses.
            let own = text("mail")
            return own.isNull ? text("signInNames.emailAddress") : own
        case "creationType", "userType": return text(property.name)
        default: break
        }
        switch property.kind {
        case .absent(let value): return value
        case .texts:
            let list = stored(property, of: account)?.listValue ?? stored(property, of: account)?.text.map { [$0] }
            return .array((list ?? []).map { .string($0) })
        default: return stored(property, of: account).json(\.graphValue.stringValue)
        }
    }

    private func stored(_ property: GraphUserProperty, of account: Account) -> ClaimValue? {
        for name in property.stored {
            if let kept = account.attributes.first(where: { sameID($0.id, name) }) { return kept.value }
        }
        return nil
    }

    /// Local names, then accounts at providers, then the user principal name (Microsoft docs: objectidentity).
    private func identities(of account: Account, in directory: Directory) -> [JSONValue] {
        func identity(_ type: String, _ issuer: String, _ id: String) -> JSONValue {
            ["signInType": .string(type), "issuer": .string(issuer), "issuerAssignedId": .string(id)]
        }
        let local = account.signInNames.map { identity($0.type, tenant.domain, $0.value) }
        let federated = account.identities.map { identity("federated", $0.issuer, $0.graphID) }
        let name = directory.value("userPrincipalName", of: account, as: .string)?.text
        return local + federated + (name.map { [identity("userPrincipalName", tenant.domain, $0)] } ?? [])
    }

    /// A person with the properties of a list of names.
    ///
    /// - Parameter basicOnly: Whether the token may see no more than names and mail address.
    func view(
        _ account: Account, _ names: [String], basicOnly: Bool, in directory: Directory
    ) -> JSONObject {
        var view = JSONObject()
        for name in names where view[name] == nil {
            guard let value = value(name, of: account, in: directory) else { continue }
            view[name] = basicOnly && !GraphUserProperty.basic.contains(name) ? .null : value
        }
        return view
    }

    /// All properties and all extension properties of an account: `$select=*`.
    func allNames(of account: Account) -> [String] {
        let prefix = UserFlowAttribute.customPrefix
        let own = account.attributes.compactMap { kept -> String? in
            guard kept.id.lowercased().hasPrefix(prefix) else { return nil }
            if GraphExtension(kept.id) != nil { return kept.id }
            return extensionsApp.map { "\(prefix)\($0)_\(kept.id.dropFirst(prefix.count))" }
        }
        return GraphUserProperty.all.map(\.name) + own
    }
}

extension Optional where Wrapped == ClaimValue {
    fileprivate func json(_ text: (ClaimValue) -> String?) -> JSONValue {
        flatMap(text).map { .string($0) } ?? .null
    }
}

extension ClaimValue {
    fileprivate var graphValue: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .boolean(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .dateTime(let instant): .string(instant.graphText)
        case .list(let items): .array(items.map { .string($0) })
        }
    }
}

extension Timestamp {
    /// `2026-01-15T12:00:00Z`: Graph writes whole seconds.
    fileprivate var graphText: String { rfc3339.prefix(19) + "Z" }
}

extension FederatedIdentity {
    /// The provider's own id. Policies keep it in base64 (`CreateAlternativeSecurityId`); that Graph shows what is behind it
    /// is inferred from the examples of objectidentity.
    var graphID: String {
        guard let bytes = Base64.decode(issuerUserID), let text = String(validating: bytes, as: UTF8.self),
            !text.isEmpty, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return issuerUserID }
        return text
    }

    init(graphID: String, issuer: String) {
        self.init(issuer: issuer, issuerUserID: Base64.encode(Array(graphID.utf8)))
    }
}
