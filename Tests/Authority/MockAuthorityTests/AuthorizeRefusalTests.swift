import B2CProtocol
import HTTPMessages
import JSON
import Testing

@testable import MockAuthority

/// One row: what is changed in a good request, and how it is refused.
struct AuthorizeRefusal: CustomTestStringConvertible, Sendable {
    enum Place: Sendable { case query, fragment, page }
    var name: String
    var app = "ios"
    var changes: [(String, String?)]
    var code: String
    var error = "invalid_request"
    var place = Place.query

    var testDescription: String { name }

    static let api = "https://contoso.onmicrosoft.com/tasks/"

    /// What the service says, with the values of the request: rows by name.
    static let messages = [
        "unknown client":
            "The client id 'nobody' specified in the request is not registered in tenant 'contoso.onmicrosoft.com'.",
        "URI not registered":
            "The redirect URI 'msauth.com.contoso.tasks://other' provided in the request is not registered for the client id '11111111-2222-4333-8444-555555555555'.",
        "implicit off": "The provided application is not configured to allow the 'OAuth' Implicit flow.",
        "scope missing": "The request does not contain a scope parameter.",
        "scope of no API":
            "The scope 'https://contoso.onmicrosoft.com/none/read' provided in the request is not supported.",
        "scope not granted":
            "This application does not have sufficient permissions against this web resource to perform the operation.",
        "token without API":
            "The scope 'openid profile' provided in request must specify a resource, such as 'https://example.com/calendar.read'.",
        "prompt none without session":
            "User does not have an existing session and request prompt parameter has a value of 'None'.",
        "spa without challenge": "The supplied request must present a code_challenge",
        "response type missing": "The request is missing required parameter: response_type.",
        "method without challenge": "The request is missing required parameter: code_challenge.",
        "id_token without nonce": "The request is missing required parameter: nonce.",
    ]

    static let all: [AuthorizeRefusal] = [
        .init(name: "no client", changes: [("client_id", nil)], code: "AADB2C90008", place: .page),
        .init(name: "unknown client", changes: [("client_id", "nobody")], code: "AADB2C90018", place: .page),
        .init(name: "app disabled", app: "off", changes: [], code: "AADB2C90092", place: .page),
        .init(
            name: "URI not registered", changes: [("redirect_uri", "msauth.com.contoso.tasks://other")],
            code: "AADB2C90006", place: .page),
        .init(
            name: "URI in other letter case", changes: [("redirect_uri", "com.contoso.tasks://oauth/Done")],
            code: "AADB2C90006", place: .page),
        .init(name: "URI malformed", changes: [("redirect_uri", "no uri")], code: "AADB2C90287", place: .page),
        .init(
            name: "URI with fragment", changes: [("redirect_uri", "msauth.com.contoso.tasks://auth#x")],
            code: "AADB2C90287", place: .page),
        .init(name: "response type missing", changes: [("response_type", nil)], code: "AADB2C90083"),
        .init(name: "response type empty", changes: [("response_type", "")], code: "AADB2C90083"),
        .init(
            name: "response type unknown", changes: [("response_type", "code ticket")], code: "AADB2C90013",
            error: "unsupported_response_type"),
        .init(name: "response mode unknown", changes: [("response_mode", "web_message")], code: "AADB2C90014"),
        .init(
            name: "implicit off", app: "spa", changes: [("response_type", "id_token")], code: "AADB2C90057",
            error: "unauthorized_client", place: .fragment),
        .init(name: "scope missing", changes: [("scope", nil)], code: "AADB2C90010"),
        .init(name: "scope blank", changes: [("scope", "  ")], code: "AADB2C90010"),
        .init(name: "scope with quote", changes: [("scope", "openid \"x\"")], code: "AADB2C99005"),
        .init(
            name: "scope of no API", changes: [("scope", "openid https://contoso.onmicrosoft.com/none/read")],
            code: "AADB2C90117"),
        .init(name: "scope the API lacks", changes: [("scope", "openid \(api)delete")], code: "AADB2C90117"),
        .init(
            name: "scopes of two APIs",
            changes: [("scope", "\(api)read https://contoso.onmicrosoft.com/other/use")], code: "AADB2C90146"),
        .init(name: "scope not granted", changes: [("scope", "openid \(api)write")], code: "AADB2C90205"),
        .init(
            name: "id_token without openid", changes: [("response_type", "id_token"), ("scope", "\(api)read")],
            code: "AADB2C90110", place: .fragment),
        .init(
            name: "token without API", changes: [("response_type", "id_token token"), ("scope", "openid profile")],
            code: "AADB2C90055", place: .fragment),
        .init(name: "code with nothing to give", changes: [("scope", "profile offline_access")], code: "AADB2C90115"),
        .init(name: "prompt unknown", changes: [("prompt", "create")], code: "AADB2C90043"),
        .init(
            name: "prompt none without session", changes: [("prompt", "none")], code: "AADB2C90077",
            error: "interaction_required"),
        .init(name: "max_age no number", changes: [("max_age", "soon")], code: "AADB2C90120"),
        .init(name: "max_age negative", changes: [("max_age", "-1")], code: "AADB2C90120"),
        .init(name: "challenge method unknown", changes: [("code_challenge_method", "S512")], code: "AADB2C90184"),
        .init(
            name: "spa without challenge", app: "spa",
            changes: [("code_challenge", nil), ("code_challenge_method", nil)], code: "AADB2C99059"),
        .init(
            name: "spa with a method alone", app: "spa", changes: [("code_challenge", nil)], code: "AADB2C99059"),
        .init(name: "method without challenge", changes: [("code_challenge", nil)], code: "AADB2C90083"),
        .init(
            name: "plain without challenge", app: "web",
            changes: [("code_challenge", ""), ("code_challenge_method", "plain")], code: "AADB2C90083"),
        .init(
            name: "id_token without nonce", changes: [("response_type", "code id_token"), ("nonce", nil)],
            code: "AADB2C90083", place: .fragment),
        .init(name: "markup", changes: [("login_hint", "<script>")], code: "AADB2C90122", place: .page),
    ]
}

@Suite struct AuthorizeRefusalTests {
    @Test(arguments: AuthorizeRefusal.all) func `each refusal has its code`(_ row: AuthorizeRefusal) throws {
        var world = try TestWorld()
        let response = try world.authorize(row.app, row.changes)
        #expect(response.refusal != nil)
        if row.place == .page {
            #expect(response.status == 200)
            #expect(response.text.contains("data-name=\"GlobalException\""))
            #expect(code(in: response.text) == row.code)
            if let message = AuthorizeRefusal.messages[row.name] {
                let text = response.text.replacing("&#39;", with: "'").replacing("&#x27;", with: "'")
                #expect(text.contains("\(row.code): \(message)"))
            }
            return
        }
        #expect(response.status == 302)
        let location = try #require(response.location)
        let items = row.place == .query ? location.queryItems : location.fragmentItems
        #expect(items.items.map(\.name) == ["error", "error_description", "state"])
        #expect(items["error"] == row.error)
        #expect(items["state"] == "st/1")
        #expect(code(in: items["error_description"]) == row.code)
        let lines = try #require(items["error_description"]).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.count == 4 && lines[1].hasPrefix("Correlation ID: ") && lines[2].hasPrefix("Timestamp: "))
        if let message = AuthorizeRefusal.messages[row.name] { #expect(lines[0] == "\(row.code): \(message)") }
    }

    /// Everything the checks say they refuse with is a row above or below.
    @Test func `every code of the checks is tested`() {
        let tested = Set(
            AuthorizeRefusal.all.map(\.code) + HintTests.rows.map(\.code) + [
                "AADB2C90007", "AADB2C90011", "AADB2C90068",
            ])
        for check in AuthorizeCheck.all {
            for code in check.codes { #expect(tested.contains(code.id), "\(code.id) of “\(check.name)”") }
        }
    }

    @Test(arguments: ["AzureADMyOrg", "AzureADMultipleOrgs"]) func `an app of a directory is refused`(
        _ audience: JSONValue
    ) throws {
        var world = try TestWorld(patch: ["apps": ["ios": ["registration": ["signInAudience": audience]]]])
        let response = try world.authorize("ios", [])
        #expect(response.status == 200)
        #expect(code(in: response.text) == "AADB2C90068")
        #expect(
            response.text.contains("The provided application with ID") && response.text.contains(world.clientID("ios")))
    }

    @Test func `an app without redirect URIs is refused`() throws {
        var world = try TestWorld(
            patch: [
                "apps": [
                    "ios": [
                        "registration": ["redirectUris": ["native": .array([]), "spa": .array([]), "web": .array([])]]
                    ]
                ]
            ])
        let response = try world.authorize("ios", [("redirect_uri", "msauth.com.contoso.tasks://auth")])
        #expect(code(in: response.text) == "AADB2C90007")
    }

    @Test func `a wrong URI goes to another registered one if the tenant says so`() throws {
        var world = try TestWorld(patch: ["authority": ["wrongRedirectUri": "registeredUri"]])
        let response = try world.authorize("ios", [("redirect_uri", "msauth.com.contoso.tasks://other")])
        let location = try #require(response.location)
        #expect(location.description.hasPrefix("msauth.com.contoso.tasks://auth/#error=redirect_uri_mismatch&"))
        #expect(location.fragmentItems["state"] == "st/1")
        #expect(code(in: location.fragmentItems["error_description"]) == "AADB2C90006")
    }

    @Test(arguments: ["select_account", "consent", "login"]) func `other prompts show the page`(_ prompt: String) throws
    {
        var world = try TestWorld()
        let response = try world.authorize("ios", [("prompt", prompt)])
        #expect(PageSettings.read(html: response.text) != nil)
    }

    @Test(arguments: [
        "B2C_1_SUSI", "b2c_1_susi",
    ]) func `policies are found in any letter case`(_ policy: String) throws {
        var world = try TestWorld()
        let response = try world.authorize("ios", policy: policy)
        let page = try #require(PageSettings.read(html: response.text))
        #expect(page.policy == "B2C_1_susi")
        #expect(page.tenantPath == "/contoso.onmicrosoft.com/B2C_1_susi")
    }

    @Test func `an unknown policy, tenant or host is not found`() throws {
        var world = try TestWorld()
        #expect(try world.authorize("ios", policy: "B2C_1_nope").status == 404)
        for text in [
            "https://contoso.b2clogin.com/fabrikam.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "https://fabrikam.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0/nothing",
            "https://contoso.b2clogin.com/",
        ] {
            let response = world.send(.get(try #require(WebURL(text))))
            #expect(response.status == 404, "\(text)")
            #expect(response.refusal != nil)
        }
    }
}
