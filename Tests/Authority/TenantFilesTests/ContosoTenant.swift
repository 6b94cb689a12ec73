import Diagnostics
import JSON
import TenantFiles

/// The tenant file of the language reference, and helpers to read tenants from texts.
enum Contoso {
    static let text = """
        {
          "$schema": "../schemas/tenant.schema.json",
          "name": "contoso",
          "policies": {
            "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn", "providers": ["facebook"] },
            "edit": { "id": "B2C_1_edit_profile", "type": "profileEditing" },
            "reset": { "id": "B2C_1_reset", "type": "passwordReset" },
            "loyalty": { "id": "B2C_1A_loyalty", "type": "custom", "file": "../policies/Loyalty.xml" }
          },
          "apis": { "tasks": { "appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read"], "routes": { "/tasks": { "scopes": ["read"], "json": [] } } } },
          "apps": {
            "ios": { "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.contoso.tasks" } },
            "spa": { "client": { "kind": "msal-browser", "policy": "susi" }, "platform": { "origin": "https://tasks.contoso.test" } },
            "desk": { "client": { "kind": "appauth", "policy": "susi", "redirectUri": "com.contoso.desk://oauth/callback" } }
          },
          "providers": { "facebook": { "type": "oauth2" } },
          "users": {
            "ada": { "email": "ada@example.test", "password": "Analytical-1843", "newPassword": "Difference-1822", "displayName": "Ada", "phone": "+442079460000" },
            "nina": { "registered": false, "email": "nina@example.test", "password": "Newcomer-2026", "displayName": "Nina" }
          }
        }
        """

    static func file() throws -> TenantFile { try read(text) }

    static func tenant() throws -> Tenant { try Tenant(json: try file().json) }

    static func read(_ text: String) throws -> TenantFile {
        try TenantFile.read(file: "contoso.json", bytes: Array(text.utf8))
    }

    /// The findings of a text that is not a good tenant file; none when it is one.
    static func findings(_ text: String) -> [Diagnostic] {
        do {
            _ = try TenantFile.read(file: "contoso.json", bytes: Array(text.utf8))
            return []
        } catch {
            return error.diagnostics
        }
    }

    /// The findings of a patch over the tenant file.
    static func patchFindings(_ patch: String) throws -> [Diagnostic] {
        let document = try JSONDocument(file: "patch.json", bytes: Array(patch.utf8))
        return TenantFile.check(document.root, in: document, at: .root, patching: try file().json)
    }
}
