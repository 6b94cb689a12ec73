import Diagnostics
import JSON
import TenantFiles

/// The tenant of somebody who has no tenant file yet: `b2c init` writes it, `b2c serve` serves it without one, and tests
/// that need no tenant of their own run in it.
///
/// Three user flows, an app for phones and one for browsers, an API with one scope, and two people; the second has no account
/// yet. `/signed-in` is the page of mock-server that shows the tokens: B2C ignores the port of a loopback address.
public enum StarterTenant {
    /// An app that the file can have.
    public enum App: String, CaseIterable, Sendable {
        case ios, android, spa, web

        fileprivate var text: String {
            switch self {
            case .ios:
                """
                    "ios": {
                      "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.contoso.app" },
                      "registration": { "redirectUris": { "native": ["msauth.com.contoso.app://auth", "http://localhost/signed-in"] } }
                    }
                """
            case .android:
                """
                    "android": {
                      "client": { "kind": "msal-android", "policy": "susi" }, "platform": { "bundleId": "com.contoso.app" }
                    }
                """
            case .spa:
                """
                    "spa": {
                      "client": { "kind": "msal-browser", "policy": "susi" }, "platform": { "origin": "http://localhost:3000" },
                      "registration": {
                        "redirectUris": { "spa": ["http://localhost:3000/"], "native": ["http://localhost/signed-in"] }
                      }
                    }
                """
            case .web:
                """
                    "web": {
                      "client": { "kind": "web", "policy": "susi", "redirectUri": "http://localhost:5000/signin-oidc" },
                      "registration": { "secrets": ["S3cret-of-the-web-app"] }
                    }
                """
            }
        }
    }

    /// The file of somebody who names no apps.
    public static let text = text(of: [.ios, .spa])

    /// The file, as `b2c init` writes it.
    public static func text(of apps: [App]) -> String {
        """
        {
          "$schema": "../../.b2c/schemas/tenant.schema.json",
          "name": "contoso",
          "policies": {
            "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" },
            "edit": { "id": "B2C_1_edit", "type": "profileEditing" },
            "reset": { "id": "B2C_1_reset", "type": "passwordReset" }
          },
          "apis": {
            "tasks": { "appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read"] }
          },
          "apps": {
        \(apps.map(\.text).joined(separator: ",\n"))
          },
          "users": {
            "ada": { "email": "ada@example.test", "password": "Analytical-1843", "newPassword": "Difference-1822", "displayName": "Ada" },
            "nina": { "registered": false, "email": "nina@example.test", "password": "Newcomer-2026", "displayName": "Nina" }
          }
        }

        """
    }

    /// How messages name it in place of a file.
    public static let name = "the embedded tenant"

    /// The tenant, decoded and with its user flows compiled.
    public static func compiled() throws(InvalidInput) -> CompiledTenant {
        let file = try TenantFile.read(file: name, bytes: Array(text.utf8))
        return try CompiledTenant.compile(file.json)
    }
}
