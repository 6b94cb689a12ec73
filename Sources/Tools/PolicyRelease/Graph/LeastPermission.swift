/// Permissions of Microsoft Graph, the least for each request (Microsoft docs: permissions reference).
enum LeastPermission: String {
    case readPolicies = "Policy.Read.All"
    case writePolicies = "Policy.ReadWrite.TrustFramework"
    case readKeys = "TrustFrameworkKeySet.Read.All"
    case writeKeys = "TrustFrameworkKeySet.ReadWrite.All"
    case readApplications = "Application.Read.All"
    case readOrganization = "Organization.Read.All"
}
