import HTTPMessages
import JSON
import MockAuthority
import Testing

/// Programs that manage the people of the test tenant.
extension TestWorld {
    static let tokenURL = "https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token"
    static let extensions = "extension_0123456789ab4cdef0123456789abcde"

    /// A world whose app `web` has permissions.
    static func graph(
        _ permissions: [JSONValue] = ["User.ReadWrite.All"], userAdministrator: Bool = true, patch: JSONValue = [:]
    ) throws -> TestWorld {
        let own: JSONValue = [
            "authority": ["extensionsAppId": "01234567-89ab-4cde-f012-3456789abcde"],
            "apps": [
                "web": [
                    "registration": [
                        "graph": .array(permissions), "userAdministrator": .bool(userAdministrator),
                    ]
                ]
            ],
        ]
        return try TestWorld(patch: own.merging(patch: patch))
    }

    /// One token request with changes to a good one; a `nil` takes a member away.
    mutating func directoryToken(
        _ changes: [(String, String?)] = [], url: String = TestWorld.tokenURL, headers: Headers = [:]
    ) throws -> ResponseMessage {
        var form: FormItems = [
            "grant_type": "client_credentials", "client_id": clientID("web"), "client_secret": "s3cret+/=",
            "scope": "https://graph.microsoft.com/.default",
        ]
        for (name, value) in changes { form[name] = value }
        return send(.post(try #require(WebURL(url)), form: form, headers: headers))
    }

    /// The token of the app `web`.
    mutating func graphToken() throws -> String {
        let response = try directoryToken()
        return try #require(response.json?["access_token"]?.stringValue, "\(response.text)")
    }

    /// One request to Graph.
    ///
    /// - Parameter target: Behind the version, the query percent-encoded or not.
    mutating func graph(
        _ method: String, _ target: String, _ json: JSONValue? = nil, token: String? = nil, headers: Headers = [:],
        version: String = "v1.0"
    ) throws -> ResponseMessage {
        let token = try token ?? graphToken()
        let text =
            "https://graph.microsoft.com/\(version)" + target.replacing(" ", with: "%20").replacing("'", with: "%27")
        var request = RequestMessage(method: method, url: try #require(WebURL(text)), headers: headers)
        request.headers["Authorization"] = "Bearer " + token
        if let json {
            request.headers["Content-Type"] = "application/json"
            request.body = JSONWriter.compactBytes(json)
        }
        return send(request)
    }

    /// A body that creates a local account.
    static func person(_ email: String, _ more: JSONValue = [:]) -> JSONValue {
        let body: JSONValue = [
            "accountEnabled": true, "displayName": "Eve",
            "identities": [
                ["signInType": "emailAddress", "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": .string(email)]
            ],
            "passwordProfile": ["password": "Evening-2026", "forceChangePasswordNextSignIn": false],
            "passwordPolicies": "DisablePasswordExpiration",
        ]
        return body.merging(patch: more)
    }
}
