import Records

/// An application permission of Microsoft Graph: what an app may do without a person (Microsoft docs:
/// permissions-reference). Those of people, policies, key sets, apps and the organization have an effect here; the others
/// can be granted because registrations have them.
public enum GraphPermissionName: String, SettingWord {
    case userReadBasicAll = "User.ReadBasic.All"
    case userReadAll = "User.Read.All"
    case userReadWriteAll = "User.ReadWrite.All"
    case userManageIdentitiesAll = "User.ManageIdentities.All"
    case userEnableDisableAccountAll = "User.EnableDisableAccount.All"
    case userPasswordProfileReadWriteAll = "User-PasswordProfile.ReadWrite.All"
    case userDeleteRestoreAll = "User.DeleteRestore.All"
    case userRevokeSessionsAll = "User.RevokeSessions.All"
    case directoryReadAll = "Directory.Read.All"
    case directoryReadWriteAll = "Directory.ReadWrite.All"
    case applicationReadAll = "Application.Read.All"
    case applicationReadWriteAll = "Application.ReadWrite.All"
    case applicationReadWriteOwnedBy = "Application.ReadWrite.OwnedBy"
    case auditLogReadAll = "AuditLog.Read.All"
    case domainReadAll = "Domain.Read.All"
    case groupReadAll = "Group.Read.All"
    case groupReadWriteAll = "Group.ReadWrite.All"
    case groupMemberReadAll = "GroupMember.Read.All"
    case groupMemberReadWriteAll = "GroupMember.ReadWrite.All"
    case identityProviderReadAll = "IdentityProvider.Read.All"
    case identityProviderReadWriteAll = "IdentityProvider.ReadWrite.All"
    case identityUserFlowReadAll = "IdentityUserFlow.Read.All"
    case identityUserFlowReadWriteAll = "IdentityUserFlow.ReadWrite.All"
    case mailSend = "Mail.Send"
    case organizationReadAll = "Organization.Read.All"
    case policyReadAll = "Policy.Read.All"
    case policyReadWriteTrustFramework = "Policy.ReadWrite.TrustFramework"
    case roleManagementReadDirectory = "RoleManagement.Read.Directory"
    case trustFrameworkKeySetReadAll = "TrustFrameworkKeySet.Read.All"
    case trustFrameworkKeySetReadWriteAll = "TrustFrameworkKeySet.ReadWrite.All"
    case userAuthenticationMethodReadAll = "UserAuthenticationMethod.Read.All"
    case userAuthenticationMethodReadWriteAll = "UserAuthenticationMethod.ReadWrite.All"

    package var doc: String {
        switch self {
        case .userReadBasicAll: "Reads names and mail address of people."
        case .userReadAll: "Reads people."
        case .userReadWriteAll: "Reads, creates, changes and deletes people. A new password needs more."
        case .userManageIdentitiesAll: "Changes the identities of people."
        case .userEnableDisableAccountAll: "Changes `accountEnabled` of people."
        case .userPasswordProfileReadWriteAll: "Sets a new password of people."
        case .userDeleteRestoreAll: "Deletes people."
        case .userRevokeSessionsAll: "Revokes the refresh tokens of people."
        case .directoryReadAll: "Reads the directory, its people included."
        case .directoryReadWriteAll:
            "Reads and changes the directory: reads, creates and changes people, but does not delete them."
        case .applicationReadAll, .applicationReadWriteAll: "Reads the apps."
        case .organizationReadAll: "Reads the organization."
        case .policyReadAll: "Reads custom policies."
        case .policyReadWriteTrustFramework: "Reads, uploads and deletes custom policies."
        case .trustFrameworkKeySetReadAll: "Reads key sets, without their secrets."
        case .trustFrameworkKeySetReadWriteAll: "Reads, creates, changes and deletes key sets."
        default: "Can be granted; what it is for is not simulated."
        }
    }
}
