import B2CProtocol
import Determinism
import JSON

/// A person of a plain directory tenant, as tokens and Microsoft Graph name them.
///
/// Everybody has a home: the tenant that keeps the account, or the one tenant of all personal Microsoft accounts. In
/// another tenant they are a guest, under an object id of that tenant.
public struct WorkforceIdentity: Sendable, Hashable {
    /// The tenant of all personal Microsoft accounts (MSAL objc, MSIDConstants.m).
    public static let personalTenantID = GUID(high: 0x9188_040d_6c67_4c5b, low: 0xb112_36a3_04b6_6dad)

    public var user: UserRecord
    /// Tenant that keeps the account: `utid`.
    public var homeTenantID: GUID
    /// The object id there: `uid`.
    public var homeObjectID: GUID
    /// The tenant of the tenant file.
    public var tenantID: GUID
    private var domain: String

    init(user: UserRecord, in tenant: Tenant) {
        self.user = user
        tenantID = tenant.id
        homeTenantID = tenant.homeTenantID(of: user)
        domain = tenant.domain
        // A personal account has a number of 64 bits; its object id is that, filled up with zeros.
        homeObjectID =
            homeTenantID == Self.personalTenantID ? GUID(high: 0, low: user.objectId.low) : user.objectId
    }

    public var isPersonal: Bool { homeTenantID == Self.personalTenantID }
    public var isGuest: Bool { homeTenantID != tenantID }

    /// The object id in a tenant: the home's own there, a guest's in the tenant of the file. Nil where the person is
    /// unknown.
    public func objectID(in tenant: GUID) -> GUID? {
        if tenant == homeTenantID { return homeObjectID }
        guard tenant == tenantID else { return nil }
        return GUID.derived(from: "guest \(homeObjectID) in \(tenantID)")
    }

    /// The name to sign in with: `preferred_username`.
    public var userPrincipalName: String {
        if let name = user.attributes["userPrincipalName"]?.stringValue { return name }
        return user.email ?? "\(user.username ?? user.name)@\(domain)"
    }

    public var displayName: String { user.attributes["displayName"]?.stringValue ?? user.name }

    /// `uid.utid`, which stays the same whatever tenant signs the person in.
    public var clientInfo: ClientInfo {
        ClientInfo(uid: homeObjectID.description, utid: homeTenantID.description)
    }

    /// Whether somebody who types this means this person; letter case does not count.
    public func isNamed(_ typed: String) -> Bool {
        let wanted = typed.lowercased()
        return [userPrincipalName, user.email, user.username, user.name].contains { $0?.lowercased() == wanted }
    }
}

extension Tenant {
    /// The people of a plain directory tenant, in the order of the file.
    public var workforceIdentities: [WorkforceIdentity] {
        users.filter(\.registered).map { WorkforceIdentity(user: $0, in: self) }
    }

    /// The person with an object id, in their home or as a guest here.
    public func workforceIdentity(objectID: GUID) -> WorkforceIdentity? {
        workforceIdentities.first { $0.homeObjectID == objectID || $0.objectID(in: id) == objectID }
    }

    /// The tenant that keeps a person's account. A `homeTenant` that is not a GUID is the name or domain of a tenant,
    /// whose id is derived from it as everywhere.
    public func homeTenantID(of user: UserRecord) -> GUID {
        guard let home = user.homeTenant, !isNamed(home), home != name else { return id }
        if home.lowercased() == "personal" { return WorkforceIdentity.personalTenantID }
        return Tenant.id(named: home)
    }

    /// The id of a tenant by GUID, domain or short name.
    public static func id(named text: String) -> GUID {
        if let id = GUID(text) { return id }
        let short = text.lowercased().split(separator: ".").first.map(String.init) ?? text
        return GUID.derived(from: "tenant/\(short)")
    }
}
