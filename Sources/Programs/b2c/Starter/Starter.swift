import AuthorityHosting

/// The files that `b2c init` writes.
enum Starter {
    /// A sign-in, and the silent call that an app makes afterwards.
    static func scenario(app: StarterTenant.App) -> String {
        """
        {
          "$schema": "../.b2c/schemas/scenario.schema.json",
          "name": "Ada signs in, and the second call needs no network",
          "tags": ["first"],
          "tenant": "tenants/contoso.json",
          "app": "\(app.rawValue)",
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
    }

    /// How the folder's scenarios run.
    static let project = """
        {
          "$schema": ".b2c/schemas/project.schema.json",
          "paths": ["scenarios"],
          "profiles": {
            "ci": {
              "strict": true,
              "reports": { "junit": "reports/junit.xml", "html": "reports/report.html" }
            }
          }
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
