import Diagnostics
import JSON
import TenantFiles
import TrustFramework

/// A tenant with what the flows of these tests need.
func makeTenant(_ policies: JSONValue = ["susi": [:]], users: JSONValue = [:]) throws -> Tenant {
    try Tenant(json: [
        "name": "contoso",
        "policies": policies,
        "providers": [
            "facebook": [:], "contosoid": ["type": "oidc"],
        ],
        "users": users,
    ])
}

/// Compiles one flow from its settings.
func compile(_ settings: JSONValue, users: JSONValue = [:]) throws -> ResolvedPolicy {
    let tenant = try makeTenant(["flow": settings.merging(patch: ["id": "B2C_1_flow"])], users: users)
    return try UserFlowCompiler.compile(tenant.policies[0], tenant: tenant)
}

extension ResolvedPolicy {
    /// The steps of a journey in short: type and profiles.
    func outline(_ handle: JourneyHandle) -> [String] {
        self[handle].steps.map { step in
            let profiles = step.exchanges.map { self[$0.profile].id }.joined(separator: "|")
            let journeys = step.subJourneys.map { self[$0].id }.joined(separator: "|")
            let detail = profiles.isEmpty ? journeys : profiles
            return detail.isEmpty ? step.type.rawValue : "\(step.type.rawValue) \(detail)"
        }
    }
}
