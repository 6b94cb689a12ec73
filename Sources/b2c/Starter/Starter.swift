/// The files that `b2c init` writes.
enum Starter {
    /// A small tenant: two flows, one app, two people.
    static let tenant = """
        {
          "$schema": "../schemas/tenant.schema.json",
          "name": "contoso",
          "policies": {
            "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" },
            "reset": { "id": "B2C_1_reset", "type": "passwordReset" }
          },
          "apps": {
            "ios": { "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.contoso.app" } }
          },
          "users": {
            "ada": { "email": "ada@example.test", "password": "Analytical-1843", "newPassword": "Difference-1822", "displayName": "Ada" },
            "nina": { "registered": false, "email": "nina@example.test", "password": "Newcomer-2026", "displayName": "Nina" }
          }
        }

        """

    /// A sign-in, and the silent call that an app makes afterwards.
    static let scenario = """
        {
          "$schema": "schemas/scenario.schema.json",
          "name": "Ada signs in, and the second call needs no network",
          "tags": ["first"],
          "tenant": "tenants/contoso.json",
          "app": "ios",
          "steps": [
            {
              "id": "signIn",
              "acquireToken": {},
              "user": "ada",
              "expect": { "result": { "idToken": { "claims": { "tfp": "B2C_1_susi", "name": "Ada" } } } }
            },
            {
              "name": "The token comes from the cache",
              "acquireTokenSilent": {},
              "expect": { "requests": 0 }
            }
          ]
        }

        """

    /// What to do now.
    static func next(scenarios: String) -> String {
        """

        Now run it:
          b2c run \(scenarios)
        Then change "Ada" in \(scenarios)/first-sign-in.json and run it again to see a failure.
        Look inside the sign-in:
          b2c policy trace susi --tenant \(scenarios)/tenants/contoso.json --as ada

        """
    }
}
