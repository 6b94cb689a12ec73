import LanguageService
import Testing

/// A tenant with three scenarios, as an editor has them open.
enum ScriptFixture {
    static let tenant = """
        {
          "$schema": "tenant.schema.json",
          "name": "contoso",
          "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
          "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" } } },
          "users": {
            "ada": { "email": "ada@example.test", "password": "Analytical-1843" },
            "bob": { "registered": false, "email": "bob@example.test" }
          },
          "policyKeys": { "B2C_1A_Rest": { "secret": "x" } },
          "policySettings": { "Api": "https://api.example.test" }
        }
        """

    static let scenario = """
        {
          "name": "a", "tenant": "tenants/t.json", "app": "ios",
          "variables": { "hint": "{{users/ada/email}}" },
          "cases": { "one": { "set": { "who": "x" } } },
          "steps": [
            { "acquireToken": { "policy": "susi", "loginHint": "{{hint}}" }, "user": "ada", "id": "first", "only": ["one"] },
            { "resume": "first", "user": ["ada", { "as": "bob" }],
              "expect": { "result": { "account": { "username": "{{first/result/idToken}} {{who}}" } } } }
          ]
        }
        """

    static let files = [
        "a.json": scenario,
        "b.json": #"{ "name": "b", "tenant": "./tenants/t.json", "steps": [{ "acquireToken": {}, "user": "ada" }] }"#,
        "c.json": #"{ "name": "c", "tenant": "tenants/other.json", "steps": [{ "acquireToken": {}, "user": "ada" }] }"#,
        "tenants/t.json": tenant,
        "tenants/other.json": #"{ "name": "other", "users": { "ada": {} } }"#,
    ]

    static func workspace(_ more: [String: String] = [:]) -> LanguageWorkspace {
        var workspace = LanguageWorkspace()
        for (path, text) in files.merging(more, uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) {
            workspace.set(LanguageFile(path: path, bytes: Array(text.utf8)))
        }
        return workspace
    }

    /// Where a part of a file's text begins, plus some bytes.
    static func place(of part: String, in path: String, plus: Int = 0, _ workspace: LanguageWorkspace) throws
        -> TextPlace
    {
        let bytes = try #require(workspace.file(path)).source.bytes
        let wanted = Array(part.utf8)
        let start = try #require(
            bytes.indices.first {
                $0 + wanted.count <= bytes.count && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
            })
        return TextPlace(file: path, offset: start + plus)
    }
}
