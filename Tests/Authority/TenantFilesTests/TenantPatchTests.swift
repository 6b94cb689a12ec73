import JSON
import TenantFiles
import Testing

/// Patches over a tenant file.
@Suite struct TenantPatchTests {
    private static let tenant: JSONValue = [
        "users": ["ada": ["email": "ada@example.test", "providers": ["work": ["sub": "1", "name": "Ada"]]]],
        "providers": ["work": ["type": "oidc", "claims": ["tier": "gold"]]],
    ]

    @Test(
        arguments: [
            (["users": ["ada": ["email": nil]]], ["users", "ada", "email"], nil),
            (["users": ["ada": nil]], ["users", "ada"], nil),
            (["users": ["ada": ["providers": ["work": nil]]]], ["users", "ada", "providers", "work"], nil),
            (
                ["users": ["ada": ["providers": ["work": ["name": nil]]]]],
                ["users", "ada", "providers", "work", "name"], .null
            ),
            (
                ["users": ["nina": ["providers": ["work": ["email": nil]]]]],
                ["users", "nina", "providers", "work", "email"], .null
            ),
            (["providers": ["work": ["claims": ["email": nil]]]], ["providers", "work", "claims", "email"], .null),
            (["providers": ["work": ["issuer": nil]]], ["providers", "work", "issuer"], nil),
        ] as [(JSONValue, [String], JSONValue?)])
    func `null removes a member, and takes a claim away from a provider`(
        _ patch: JSONValue, _ path: [String], _ value: JSONValue?
    ) {
        let patched = Self.tenant.patched(tenant: patch)
        #expect(patched.value(at: JSONPointer(tokens: path)) == value)
        #expect(patched["providers", "work", "type"] == "oidc")
    }
}
