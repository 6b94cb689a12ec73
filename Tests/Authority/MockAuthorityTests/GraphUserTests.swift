import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

/// Microsoft Graph over the people of a B2C tenant.
@Suite struct GraphUserTests {
    private let people: JSONValue = [
        "users": [
            "ada": [
                "city": "London", "jobTitle": "Analyst", "otherMails": ["a@home.test"], "extension_shoe": "42",
                "objectId": "aaaaaaaa-0000-4000-8000-000000000001",
            ],
            "bob": ["city": "Paris", "accountEnabled": false, "mail": "bob@work.test", "surname": "O'Neil"],
            "cy": ["username": "cy", "password": "Cycling-2026", "displayName": "Cy", "city": "London"],
        ]
    ]

    private func world(_ permissions: [JSONValue] = ["User.ReadWrite.All"]) throws -> TestWorld {
        try TestWorld.graph(permissions, patch: people)
    }

    // MARK: Permissions

    @Test(arguments: [
        ("", [403, 403, 403, 403, 403, 403, 403, 403, 403]),
        ("Mail.Send", [403, 403, 403, 403, 403, 403, 403, 403, 403]),
        ("User.ReadBasic.All", [200, 200, 403, 403, 403, 403, 403, 403, 403]),
        ("User.Read.All", [200, 200, 403, 403, 403, 403, 403, 403, 403]),
        ("Directory.Read.All", [200, 200, 403, 403, 403, 403, 403, 403, 403]),
        ("User.ReadWrite.All", [200, 200, 201, 204, 403, 204, 204, 204, 200]),
        ("Directory.ReadWrite.All", [200, 200, 201, 204, 403, 204, 204, 403, 200]),
        ("User.EnableDisableAccount.All", [403, 403, 403, 204, 403, 403, 403, 403, 403]),
        ("User-PasswordProfile.ReadWrite.All", [403, 403, 403, 403, 204, 403, 403, 403, 403]),
        ("User.ManageIdentities.All", [403, 403, 403, 403, 403, 204, 403, 403, 403]),
        ("User.DeleteRestore.All", [403, 403, 403, 403, 403, 403, 403, 204, 403]),
        ("User.RevokeSessions.All", [403, 403, 403, 403, 403, 403, 403, 403, 200]),
    ])
    func `each operation needs its permission`(_ permission: String, _ expected: [Int]) throws {
        let identities: JSONValue = [
            ["signInType": "userName", "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": "ada"]
        ]
        let ada = "/users/aaaaaaaa-0000-4000-8000-000000000001"
        let calls: [(String, String, JSONValue?)] = [
            ("GET", "/users", nil), ("GET", ada, nil), ("POST", "/users", TestWorld.person("eve@example.test")),
            ("PATCH", ada, ["accountEnabled": true]),
            ("PATCH", ada, ["passwordProfile": ["password": "Another-2026"]]),
            ("PATCH", ada, ["identities": identities]), ("PATCH", ada, ["displayName": "Ada L."]),
            ("DELETE", ada, nil), ("POST", ada + "/revokeSignInSessions", nil),
        ]
        let granted: [JSONValue] = permission.isEmpty ? [] : [.string(permission)]
        for (call, status) in zip(calls, expected) {
            var world = try TestWorld.graph(granted, userAdministrator: false, patch: people)
            let response = try world.graph(call.0, call.1, call.2)
            #expect(response.status == status, "\(call) \(response.text)")
            guard status == 403 else { continue }
            #expect(response.json?["error", "code"] == "Authorization_RequestDenied")
            #expect(response.refusal?.contains("registration.") == true)
        }
    }

    @Test func `a user administrator sets passwords`() throws {
        var world = try world()
        let body: JSONValue = ["passwordProfile": ["password": "Another-2026"]]
        #expect(try world.graph("PATCH", "/users/aaaaaaaa-0000-4000-8000-000000000001", body).status == 204)
    }

    @Test(arguments: [("", "Access token is empty."), ("x.y", "CompactToken parsing failed with error code: 80049217")])
    func `other tokens are refused`(_ token: String, _ message: String) throws {
        var world = try world()
        let response = try world.graph("GET", "/users", token: token)
        #expect(response.status == 401)
        #expect(response.json?["error", "message"]?.stringValue == message)
        #expect(response.headers["WWW-Authenticate"]?.isEmpty == false)
    }

    /// Changes of a good token, and the sentence of the refusal. `TENANT` is the id of the tenant.
    private static let tokens: [(changes: JSONValue, refusal: String?)] = {
        let other = "99999999-0000-4000-8000-000000000009"
        let tenantOrIssuer = "Access token validation failure."
        let expired = "Lifetime validation failed, the token is expired."
        let audience = "Access token validation failure. Invalid audience."
        return [
            ([:], nil), (["aud": "https://graph.microsoft.com/"], nil),
            (["tid": .string(other)], tenantOrIssuer),
            (["iss": .string("https://sts.windows.net/\(other)/")], tenantOrIssuer),
            (["tid": .string(other), "iss": .string("https://sts.windows.net/\(other)/")], tenantOrIssuer),
            (["tid": .null], tenantOrIssuer), (["tid": "no id"], tenantOrIssuer), (["iss": .null], tenantOrIssuer),
            (["iss": "https://contoso.b2clogin.com/TENANT/v2.0/"], tenantOrIssuer),
            (["iss": "https://sts.windows.net/TENANT"], tenantOrIssuer),
            (["exp": 1], expired), (["exp": .null], expired), (["nbf": 4_000_000_000], expired),
            (["aud": "https://graph.windows.net"], audience), (["aud": .null], audience),
        ]
    }()

    @Test(arguments: tokens.indices)
    func `audience, tenant, issuer and times of a token are checked`(_ index: Int) throws {
        let (changes, refusal) = Self.tokens[index]
        var world = try world()
        let good = try #require(JWS(compact: try world.graphToken()))
        let text = JSONWriter.compact(changes).replacing("TENANT", with: world.tenant.id.description)
        let claims = JSONValue.object(try #require(good.claims)).merging(patch: try JSONParser.parse(text))
        let key = TestKeys.named(try #require(world.tenant.keySet(named: "service")?.publish.first))
        #expect(key.kid == good.header["kid"]?.stringValue)
        let token = JWS.sign(header: good.header, claims: try #require(claims.objectValue), key: key)
        let response = try world.graph("GET", "/users", token: token)
        #expect(response.status == (refusal == nil ? 200 : 401), "\(response.text)")
        #expect(response.json?["error", "message"]?.stringValue == refusal)
        #expect(response.json?["error", "code"]?.stringValue == refusal.map { _ in "InvalidAuthenticationToken" })
    }

    @Test func `tokens of policies are refused`() throws {
        var world = try world()
        let ofPolicy = try world.tokens(scope: "openid https://contoso.onmicrosoft.com/tasks/read")
        let access = try #require(ofPolicy["access_token"]?.stringValue)
        #expect(
            try world.graph("GET", "/users", token: access).json?["error", "message"]
                == "Access token validation failure. Invalid audience.")
    }

    // MARK: Reading

    @Test func `a person has the standard properties`() throws {
        var world = try world()
        let response = try world.graph("GET", "/users/aaaaaaaa-0000-4000-8000-000000000001")
        #expect(response.headers["Content-Type"]?.hasPrefix("application/json;odata.metadata=minimal") == true)
        #expect(response.headers["request-id"]?.count == 36)
        let upn = "aaaaaaaa-0000-4000-8000-000000000001@contoso.onmicrosoft.com"
        let expected: JSONValue = [
            "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users/$entity", "businessPhones": [],
            "displayName": "Ada", "givenName": .null, "jobTitle": "Analyst", "mail": "ada@example.test",
            "mobilePhone": .null, "officeLocation": .null, "preferredLanguage": .null, "surname": .null,
            "userPrincipalName": .string(upn), "id": "aaaaaaaa-0000-4000-8000-000000000001",
        ]
        #expect(response.json == expected)
        #expect(try world.graph("GET", "/users/" + upn).json == expected)
        #expect(try world.graph("GET", "/users('\(upn)')").json == expected)
    }

    @Test func `a person has the selected properties`() throws {
        var world = try world()
        let names =
            "displayname,accountEnabled,identities,otherMails,creationType,userType,passwordProfile,createdDateTime,"
            + TestWorld.extensions + "_shoe," + TestWorld.extensions + "_none"
        let target = "/users/aaaaaaaa-0000-4000-8000-000000000001?$select=" + names
        let user = try #require(try world.graph("GET", target).json?.objectValue)
        #expect(
            user.keys == [
                "@odata.context", "displayName", "accountEnabled", "identities", "otherMails", "creationType",
                "userType",
                "passwordProfile", "createdDateTime", TestWorld.extensions + "_shoe",
            ])
        #expect(user["creationType"] == "LocalAccount")
        #expect(user["userType"] == "Member")
        #expect(user["passwordProfile"] == .null)
        #expect(user["createdDateTime"] == "2026-01-14T12:00:00Z")
        #expect(user[TestWorld.extensions + "_shoe"] == "42")
        #expect(
            user["identities"]?.arrayValue?.map { $0["signInType"] } == [
                "emailAddress", "userName", "userPrincipalName",
            ])
        #expect(user["identities"]?[0]?["issuer"] == "contoso.onmicrosoft.com")
    }

    @Test func `every property can be selected`() throws {
        var world = try world()
        let user = try #require(
            try world.graph("GET", "/users/aaaaaaaa-0000-4000-8000-000000000001?$select=*").json?.objectValue)
        #expect(user["onPremisesSyncEnabled"] == .null)
        #expect(user["assignedLicenses"] == [])
        #expect(user[TestWorld.extensions + "_shoe"] == "42")
        #expect(!JSONWriter.compact(.object(user)).contains("Analytical"))
    }

    @Test func `the basic permission shows names only`() throws {
        var world = try world(["User.ReadBasic.All"])
        let user = try world.graph("GET", "/users/aaaaaaaa-0000-4000-8000-000000000001").json
        #expect(user?["displayName"] == "Ada")
        #expect(user?["jobTitle"] == .null)
    }

    @Test(arguments: [
        (
            "identities/any(c:c/issuerAssignedId eq 'ADA@example.test' and c/issuer eq 'contoso.onmicrosoft.com')",
            "Ada"
        ),
        ("identities/any(id:id/issuer eq 'contoso.onmicrosoft.com' and id/issuerAssignedId eq 'cy')", "Cy"),
        ("identities/any(c:c/issuerAssignedId eq 'ada@example.test' and c/issuer eq 'other.test')", ""),
        (
            "identities/any(c:c/issuerAssignedId eq 'aaaaaaaa-0000-4000-8000-000000000001@contoso.onmicrosoft.com' "
                + "and c/issuer eq 'contoso.onmicrosoft.com')", ""
        ),
        ("mail eq 'bob@work.test'", "Bob"), ("mail eq 'ada@example.test'", "Ada"),
        ("userPrincipalName eq 'aaaaaaaa-0000-4000-8000-000000000001@contoso.onmicrosoft.com'", "Ada"),
        ("displayName eq 'ada'", "Ada"), ("startswith(displayName,'b')", "Bob"),
        ("startsWith(displayName, 'C') or startsWith(displayName, 'A')", "Ada Cy"),
        ("id eq 'aaaaaaaa-0000-4000-8000-000000000001'", "Ada"), ("accountEnabled eq false", "Bob"),
        ("surname eq 'O''Neil'", "Bob"), ("city in ('Paris','Rome')", "Bob"),
        ("city eq 'London' and accountEnabled eq true", "Ada Cy"),
        ("city eq 'London' and (jobTitle eq 'Analyst' or displayName eq 'Bob')", "Ada"),
        ("otherMails/any(m:m eq 'A@home.test')", "Ada"), ("otherMails/any(m:startswith(m,'a@'))", "Ada"),
        ("extension_0123456789ab4cdef0123456789abcde_shoe eq '42'", "Ada"),
        ("createdDateTime ge 2026-01-01T00:00:00Z", "Ada Bob Cy"), ("createdDateTime lt 2026-01-01T00:00:00Z", ""),
        ("creationType eq 'LocalAccount'", "Ada Bob Cy"),
    ])
    func `filters find people`(_ filter: String, _ names: String) throws {
        var world = try world()
        let response = try world.graph("GET", "/users?$select=displayName&$filter=" + filter)
        #expect(response.status == 200, "\(response.text)")
        let found = response.json?["value"]?.arrayValue?.compactMap { $0["displayName"]?.stringValue }
        #expect(found?.joined(separator: " ") == names)
    }

    @Test(arguments: [
        ("endsWith(mail,'@example.test')", "Ada"), ("displayName ne 'Bob'", "Ada Cy"),
        ("not(startswith(displayName,'B'))", "Ada Cy"), ("jobTitle eq null", "Bob Cy"),
        ("otherMails/any(m:endsWith(m,'home.test'))", "Ada"),
    ])
    func `advanced filters need ConsistencyLevel: eventual and $count=true`(_ filter: String, _ names: String) throws {
        var world = try world()
        let target = "/users?$count=true&$filter=" + filter
        let plain = try world.graph("GET", target)
        #expect(plain.status == 400)
        #expect(plain.json?["error", "code"] == "Request_UnsupportedQuery")
        #expect(plain.json?["error", "message"]?.stringValue?.contains("'ConsistencyLevel:eventual'") == true)
        let eventual: Headers = ["ConsistencyLevel": "eventual"]
        #expect(try world.graph("GET", "/users?$filter=" + filter, headers: eventual).status == 400)
        let response = try world.graph("GET", target, headers: eventual)
        let found = response.json?["value"]?.arrayValue?.compactMap { $0["displayName"]?.stringValue }
        #expect(found?.joined(separator: " ") == names, "\(response.text)")
        #expect(response.json?["@odata.count"]?.intValue.map { Int($0) } == found?.count)
    }

    @Test(arguments: [
        ("$filter=displayName", "BadRequest"), ("$filter=displayName eq Ada", "BadRequest"),
        ("$filter=displayName eq 'Ada", "BadRequest"), ("$filter=displayName is 'Ada'", "BadRequest"),
        ("$filter=(displayName eq 'Ada'", "BadRequest"), ("$filter=displayName eq 'Ada')", "BadRequest"),
        ("$filter=shoe eq '42'", "Request_UnsupportedQuery"),
        ("$filter=contains(displayName,'d')", "Request_UnsupportedQuery"),
        ("$filter=passwordPolicies eq 'x'", "Request_UnsupportedQuery"),
        ("$filter=otherMails eq 'x'", "Request_UnsupportedQuery"),
        ("$filter=identities/any(c:c/issuerAssignedId eq 'ada')", "Request_UnsupportedQuery"),
        (
            "$filter=identities/any(c:c/issuerAssignedId eq 'a' and c/issuer eq 'b' and c/signInType eq 'c')",
            "Request_UnsupportedQuery"
        ),
        ("$filter=identities/any(c:startswith(c/issuerAssignedId,'ada'))", "Request_BadRequest"),
        ("$filter=extension_ffffffffffffffffffffffffffffffff_shoe eq '42'", "Request_UnsupportedQuery"),
        ("$select=shoe", "BadRequest"), ("$top=0", "Request_UnsupportedQuery"),
        ("$top=1000", "Request_UnsupportedQuery"), ("$top=x", "Request_UnsupportedQuery"),
        ("$skiptoken=x", "Directory_ExpiredPageToken"), ("$orderby=city", "Request_UnsupportedQuery"),
        ("$skip=1", "Request_BadRequest"),
    ])
    func `other query options are refused`(_ query: String, _ code: String) throws {
        var world = try world()
        let response = try world.graph("GET", "/users?" + query.replacing("\"", with: "%22"))
        #expect(response.status == 400)
        #expect(response.json?["error", "code"]?.stringValue == code, "\(response.text)")
    }

    /// Deep nesting ends in an answer.
    @Test func `a deep filter is refused`() throws {
        var world = try world()
        let filter = String(repeating: "(", count: 3000) + "id eq 'x'"
        #expect(try world.graph("GET", "/users?$filter=" + filter).json?["error", "code"] == "BadRequest")
        let nots = String(repeating: "not ", count: 1500) + "id eq 'x'"
        #expect(try world.graph("GET", "/users?$filter=" + nots).json?["error", "code"] == "BadRequest")
    }

    /// Walking the links of any page size shows everybody once, in the order of one page.
    @Test(arguments: [1, 2, 3, 100])
    func `people come in pages`(_ size: Int) throws {
        var world = try world()
        var target: String? = "/users?$select=displayName&$top=\(size)"
        var names: [String] = []
        var count = 0
        while let next = target, count < 10 {
            let page = try #require(try world.graph("GET", next).json)
            count += 1
            names += (page["value"]?.arrayValue ?? []).compactMap { $0["displayName"]?.stringValue }
            target = page["@odata.nextLink"]?.stringValue.map {
                String($0.dropFirst("https://graph.microsoft.com/v1.0".count))
            }
        }
        #expect(names == ["Ada", "Bob", "Cy"])
        #expect(count == (3 + size - 1) / size)
    }

    @Test func `sorted people come in pages`() throws {
        var world = try world()
        let first = try #require(
            try world.graph("GET", "/users?$select=displayName&$orderby=displayName desc&$top=2").json)
        #expect(first["value"] == [["displayName": "Cy"], ["displayName": "Bob"]])
        let next = try #require(first["@odata.nextLink"]?.stringValue)
        let second = try world.graph("GET", String(next.dropFirst("https://graph.microsoft.com/v1.0".count))).json
        #expect(second?["value"] == [["displayName": "Ada"]])
        #expect(second?["@odata.nextLink"] == nil)
    }

    @Test func `people are counted`() throws {
        var world = try world()
        let eventual: Headers = ["ConsistencyLevel": "eventual"]
        let all = try world.graph("GET", "/users/$count", headers: eventual)
        #expect(all.text == "3")
        #expect(all.headers["Content-Type"] == "text/plain")
        let some = try world.graph("GET", "/users/$count?$filter=city eq 'London'", headers: eventual)
        #expect(some.text == "2")
        #expect(try world.graph("GET", "/users/$count").json?["error", "code"] == "Request_UnsupportedQuery")
        #expect(try world.graph("GET", "/users?$count=true").json?["@odata.count"] == nil)
        #expect(try world.graph("GET", "/users?$count=true&$top=1", headers: eventual).json?["@odata.count"] == 3)
    }

    @Test(arguments: [
        ("GET", "/users/nobody", 404, "Request_ResourceNotFound"),
        ("GET", "/users/aaaaaaaa-0000-4000-8000-00000000000f", 404, "Request_ResourceNotFound"),
        ("DELETE", "/users/nobody", 404, "Request_ResourceNotFound"),
        ("POST", "/users/nobody/revokeSignInSessions", 404, "Request_ResourceNotFound"),
        ("GET", "/users/nobody/memberOf", 404, "Request_ResourceNotFound"), ("GET", "", 404, "ResourceNotFound"),
        ("PUT", "/users/nobody", 405, "Request_BadRequest"), ("DELETE", "/users", 405, "Request_BadRequest"),
    ])
    func `other paths and methods are refused`(_ method: String, _ path: String, _ status: Int, _ code: String) throws {
        var world = try world()
        let response = try world.graph(method, path)
        #expect(response.status == status)
        #expect(response.json?["error", "code"]?.stringValue == code)
    }

    /// What the service serves and the mock does not: the mock says so of itself.
    @Test(arguments: [
        ("GET", "/groups"), ("GET", "/organization"), ("GET", "/users/delta"), ("GET", "/users/delta()"),
        ("GET", "/users/microsoft.graph.delta()"), ("POST", "/users/getByIds"), ("GET", "/directory/deletedItems"),
        ("GET", "/users/aaaaaaaa-0000-4000-8000-000000000001/authentication/phoneMethods"),
        ("GET", "/users/aaaaaaaa-0000-4000-8000-000000000001/manager"), ("GET", "/users?$expand=manager"),
        ("GET", "/users?$search=%22displayName:Ada%22"), ("GET", "/applications/x/extensionProperties"),
    ])
    func `what is not simulated says so`(_ method: String, _ path: String) throws {
        var world = try world()
        let response = try world.graph(method, path)
        #expect(response.status == 501)
        #expect(response.json?["error", "code"] == "NotSimulated")
        #expect(response.json?["error", "message"]?.stringValue?.hasPrefix("This mock does not simulate ") == true)
        #expect(response.refusal?.hasPrefix("not simulated: ") == true)
    }

    @Test func `nobody is in a group`() throws {
        var world = try world()
        let response = try world.graph("GET", "/users/aaaaaaaa-0000-4000-8000-000000000001/memberOf")
        #expect(response.json?["value"] == [])
        #expect(response.json?["@odata.context"] == "https://graph.microsoft.com/v1.0/$metadata#directoryObjects")
    }

    /// The beta version shows all properties, unless the request selects.
    @Test func `beta has people too`() throws {
        var world = try world()
        let ada = "/users/aaaaaaaa-0000-4000-8000-000000000001"
        let one = try world.graph("GET", ada, version: "beta")
        #expect(one.json?["@odata.context"] == "https://graph.microsoft.com/beta/$metadata#users/$entity")
        #expect(one.json?["city"] == "London" && one.json?["identities"]?.arrayValue?.count == 3)
        let list = try world.graph("GET", "/users?$select=city&$top=1", version: "beta").json
        #expect(list?["value"] == [["city": "London"]])
        #expect(list?["@odata.nextLink"]?.stringValue?.hasPrefix("https://graph.microsoft.com/beta/users?") == true)
    }

    @Test func `many requests come in one`() throws {
        var world = try world()
        let ada = "/users/aaaaaaaa-0000-4000-8000-000000000001"
        func step(_ id: String, _ method: String, _ url: String, _ more: JSONValue = [:]) -> JSONValue {
            (["id": .string(id), "method": .string(method), "url": .string(url)] as JSONValue).merging(patch: more)
        }
        let json: JSONValue = ["Content-Type": "application/json"]
        let response = try world.graph(
            "POST", "/$batch",
            [
                "requests": [
                    step("1", "POST", "/users", ["headers": json, "body": TestWorld.person("eve@example.test")]),
                    step("2", "PATCH", ada, ["headers": json, "body": ["city": "Rome"], "dependsOn": ["1"]]),
                    step("3", "GET", ada + "?$select=city"), step("4", "GET", "/users/nobody"),
                    step("5", "DELETE", ada, ["dependsOn": ["4"]]), step("6", "GET", "/groups"),
                    step("7", "POST", "/$batch"), step("8", "GET", "/me"),
                ]
            ])
        #expect(response.status == 200, "\(response.text)")
        let responses = try #require(response.json?["responses"]?.arrayValue)
        #expect(responses.map { $0["id"] } == (1...8).map { .string(String($0)) })
        #expect(responses.map { $0["status"] } == [201, 204, 200, 404, 424, 501, 400, 400])
        #expect(responses[0]["body", "displayName"] == "Eve" && responses[1]["body"] == nil)
        #expect(responses[2]["body", "city"] == "Rome")
        #expect(responses[3]["body", "error", "code"] == "Request_ResourceNotFound")
        #expect(try world.graph("GET", ada).status == 200)
        let tooMany = JSONValue.array((1...21).map { step(String($0), "GET", ada) })
        for body in [["requests": tooMany], ["requests": []], [:]] as [JSONValue] {
            #expect(try world.graph("POST", "/$batch", body).status == 400)
        }
        #expect(try world.graph("POST", "/$batch", ["requests": [step("1", "GET", ada)]], token: "x.y").status == 401)
        for path in ["/$batch", "$batch", "//$batch", "/%24batch"] {
            let inner = step("1", "POST", path, ["headers": json, "body": ["requests": [step("2", "GET", ada)]]])
            let nested = try world.graph("POST", "/$batch", ["requests": [inner]])
            #expect(nested.json?["responses"]?[0]?["status"] == 400, "\(path): \(nested.text)")
        }
    }

    // MARK: Writing

    private static func identity(_ type: String, _ id: String) -> JSONValue {
        ["signInType": .string(type), "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": .string(id)]
    }

    /// Values at the limit and one beyond it, of a person who is created and of one who is changed.
    @Test(
        arguments: [
            ("displayName", 256), ("city", 128), ("country", 128), ("department", 64), ("givenName", 64),
            ("jobTitle", 128), ("mailNickname", 64), ("mobilePhone", 64), ("officeLocation", 128),
            ("postalCode", 40), ("state", 128), ("streetAddress", 1024), ("surname", 64), ("companyName", 64),
        ])
    func `texts have their limits`(_ property: String, _ limit: Int) throws {
        var world = try world()
        for (length, status) in [(limit, (201, 204)), (limit + 1, (400, 400))] {
            let value: JSONValue = [property: .string(String(repeating: "7", count: length))]
            let made = try world.graph("POST", "/users", TestWorld.person("eve@example.test", value))
            #expect(made.status == status.0, "\(made.text)")
            let changed = try world.graph("PATCH", "/users/aaaaaaaa-0000-4000-8000-000000000001", value)
            #expect(changed.status == status.1, "\(changed.text)")
            guard status.0 == 400 else { continue }
            #expect(
                changed.json?["error", "message"]?.stringValue
                    == "Invalid value specified for property '\(property)' of resource 'User'.")
        }
    }

    @Test(
        arguments: [
            (["displayName": "a<b"], false), (["displayName": "a>b"], false), (["displayName": "a&b \"c\""], true),
            (["usageLocation": "DE"], true), (["usageLocation": "DEU"], false), (["usageLocation": "D1"], false),
            (["usageLocation": "ÄÖ"], false), (["usageLocation": .null], false),
            (["ageGroup": "Adult"], true), (["ageGroup": "old"], false), (["ageGroup": .null], true),
            (["consentProvidedForMinor": "notRequired"], true), (["consentProvidedForMinor": "yes"], false),
            (["identities": [identity("userName", "eve.b-c_d+e")]], true),
            (["identities": [identity("userName", "eve b")]], false),
            (["identities": [identity("userName", "eve@b")]], false),
            (["identities": [identity("userName", ".eve")]], false),
            (["identities": [identity("userName", "e..ve")]], false),
            (["identities": [identity("userName", "ève")]], false),
            (["identities": [identity("userName", String(repeating: "e", count: 64))]], true),
            (["identities": [identity("userName", String(repeating: "e", count: 65))]], false),
            (["identities": [identity("badge", "4 2")]], false),
            (["identities": [identity("phoneNumber", "+441632960960")]], true),
            (["identities": [identity("emailAddress1", "eve")]], false),
            (["identities": [identity("emailAddress1", "eve@example.test")]], true),
            (["identities": .array((1...10).map { identity("kind\($0)", "eve\($0)") })], true),
            (["identities": .array((1...11).map { identity("kind\($0)", "eve\($0)") })], false),
        ] as [(JSONValue, Bool)])
    func `values have their form`(_ change: JSONValue, _ isTaken: Bool) throws {
        var world = try world()
        let response = try world.graph("PATCH", "/users/aaaaaaaa-0000-4000-8000-000000000001", change)
        #expect(response.status == (isTaken ? 204 : 400), "\(response.text)")
        #expect(isTaken || response.json?["error", "code"] == "Request_BadRequest")
    }

    @Test(
        arguments: [
            (["displayName": .null], "A value is required for property 'displayName' of resource 'User'."),
            (["accountEnabled": .null], "A value is required for property 'accountEnabled' of resource 'User'."),
            (["identities": .null], "A value is required for property 'mailNickname' of resource 'User'."),
            (["passwordProfile": .null], "Property passwordProfile in payload has a value that does not match schema."),
            (["passwordProfile": ["password": .null]], "A password must be specified to create a new user."),
            (
                ["passwordProfile": ["password": "weak"]],
                "The specified password does not comply with password complexity requirements. Please provide a different password."
            ),
            (["shoe": "42"], "Property 'shoe' does not exist as a declared property or extension property."),
            (["id": "x"], "Property 'id' is read-only and cannot be set."),
            (["city": ""], "Invalid value specified for property 'city' of resource 'User'."),
            (["city": 5], "Property city in payload has a value that does not match schema."),
            (["accountEnabled": "yes"], "Property accountEnabled in payload has a value that does not match schema."),
            (["otherMails": "x"], "Property otherMails in payload has a value that does not match schema."),
            (["identities": [:]], "Property identities in payload has a value that does not match schema."),
            (["identities": [["signInType": "userName"]]], "One or more properties contains invalid values."),
            (
                [
                    "identities": [
                        ["signInType": "userName", "issuer": "fabrikam.test", "issuerAssignedId": "eve"]
                    ]
                ], "One or more properties contains invalid values."
            ),
            (
                [
                    "identities": [
                        ["signInType": "emailAddress", "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": "eve"]
                    ]
                ], "One or more properties contains invalid values."
            ),
            (
                ["userPrincipalName": "eve@elsewhere.test"],
                "The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain names in your organization."
            ),
            (
                ["extension_ffffffffffffffffffffffffffffffff_shoe": "42"],
                "The following extension properties are not available: extension_ffffffffffffffffffffffffffffffff_shoe."
            ),
            (
                [
                    "identities": [
                        [
                            "signInType": "emailAddress", "issuer": "contoso.onmicrosoft.com",
                            "issuerAssignedId": "Ada@example.test",
                        ]
                    ]
                ], "Another object with the same value for property proxyAddresses already exists."
            ),
        ] as [(JSONValue, String)])
    func `wrong bodies are refused`(_ change: JSONValue, _ message: String) throws {
        var world = try world()
        var body = TestWorld.person("eve@example.test").merging(patch: change)
        // A merge patch removes what is null.
        if change["passwordProfile"] == .null, var object = body.objectValue {
            object["passwordProfile"] = .null
            body = .object(object)
        }
        let response = try world.graph("POST", "/users", body)
        #expect(response.status == 400)
        #expect(response.json?["error", "message"]?.stringValue == message, "\(response.text)")
        #expect(!response.text.contains("Evening"))
        #expect(try world.graph("GET", "/users").json?["value"]?.arrayValue?.count == 3)
    }

    @Test func `requests without JSON are refused`() throws {
        var world = try world()
        let bare = try world.graph("POST", "/users")
        #expect(bare.json?["error", "message"]?.stringValue?.hasPrefix("Write requests") == true)
        let list = try world.graph("POST", "/users", [])
        #expect(list.json?["error", "message"]?.stringValue?.hasPrefix("Unable to read JSON") == true)
    }

    @Test func `a person who was created signs in`() throws {
        var world = try world()
        let response = try world.graph(
            "POST", "/users", TestWorld.person("eve@example.test", [TestWorld.extensions + "_shoe": "37"]))
        #expect(response.status == 201, "\(response.text)")
        let id = try #require(response.json?["id"]?.stringValue)
        #expect(
            response.headers["Location"]?.hasSuffix("/directoryObjects/\(id)/Microsoft.DirectoryServices.User") == true)
        #expect(response.json?[TestWorld.extensions + "_shoe"] == "37")
        #expect(response.json?["identities"]?.arrayValue?.count == 2)
        #expect(!response.text.contains("Evening"))
        let end = try world.signIn(on: try world.authorize(), "eve@example.test", "Evening-2026")
        #expect(end.location?.queryItems["code"] != nil)
    }

    /// Somebody of the tenant file keeps their id, also after a request that was refused.
    @Test func `newcomers stay after a conflict`() throws {
        let nina: JSONValue = [
            "users": ["nina": ["registered": false, "email": "nina@example.test", "password": "Newcomer-2026"]]
        ]
        var world = try TestWorld.graph(patch: people.merging(patch: nina))
        var body = try #require(TestWorld.person("nina@example.test").objectValue)
        let good = body["identities"]
        body["identities"] = .array(
            (good?.arrayValue ?? []) + [
                ["signInType": "userName", "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": "ada"]
            ])
        let refused = try world.graph("POST", "/users", .object(body))
        #expect(refused.json?["error", "details"]?[0]?["target"] == "identities")
        body["identities"] = good
        let made = try world.graph("POST", "/users", .object(body))
        #expect(made.json?["id"]?.stringValue == world.tenant.user(named: "nina")?.objectId.description)
    }

    @Test func `a work account signs in with its principal name`() throws {
        var world = try world()
        let body: JSONValue = [
            "accountEnabled": true, "displayName": "Eve", "mailNickname": "eve",
            "userPrincipalName": "eve@contoso.onmicrosoft.com", "passwordProfile": ["password": "Evening-2026"],
        ]
        #expect(try world.graph("POST", "/users", body).status == 201)
        let again = try world.graph("POST", "/users", body)
        #expect(again.json?["error", "details"]?[0]?["target"] == "userPrincipalName")
        #expect(try world.graph("GET", "/users/eve@contoso.onmicrosoft.com").json?["displayName"] == "Eve")
    }

    @Test func `a federated identity is the provider's`() throws {
        var world = try world()
        let body: JSONValue = [
            "accountEnabled": true, "displayName": "Fay",
            "identities": [["signInType": "federated", "issuer": "facebook.com", "issuerAssignedId": "fb-fay"]],
        ]
        #expect(try world.graph("POST", "/users", body).status == 201)
        let filter = "identities/any(c:c/issuerAssignedId eq 'fb-fay' and c/issuer eq 'facebook.com')"
        let found = try world.graph("GET", "/users?$select=identities&$filter=" + filter).json?["value"]?[0]
        #expect(found?["identities"]?[0]?["issuerAssignedId"] == "fb-fay")
        let directory = world.authority.tenancy.directory
        #expect(
            directory.find(.identity(.init(issuer: "facebook.com", issuerUserID: "ZmItZmF5")))?.identities.count == 1)
    }

    @Test func `attributes are updated`() throws {
        var world = try world()
        let ada = "/users/aaaaaaaa-0000-4000-8000-000000000001"
        let shoe = TestWorld.extensions + "_shoe"
        #expect(
            try world.graph(
                "PATCH", ada, ["city": "Bath", "jobTitle": .null, "otherMails": [], shoe: .null]
            ).status == 204)
        let user = try world.graph("GET", ada + "?$select=city,jobTitle,otherMails,displayName," + shoe).json
        #expect(user?["city"] == "Bath" && user?["jobTitle"] == .null && user?["otherMails"] == [])
        #expect(user?["displayName"] == "Ada" && user?[shoe] == nil)
        for body in [["displayName": .null], ["displayName": ""], ["userPrincipalName": .null]] as [JSONValue] {
            #expect(try world.graph("PATCH", ada, body).status == 400)
        }
    }

    @Test func `without the extensions app extension attributes are refused`() throws {
        var world = try TestWorld.graph(patch: ["authority": ["extensionsApp": false]])
        let body = TestWorld.person("eve@example.test", [TestWorld.extensions + "_shoe": "37"])
        #expect(
            try world.graph("POST", "/users", body).json?["error", "message"]?.stringValue?
                .hasPrefix("The following extension properties are not available") == true)
    }

    @Test func `deleted and disabled people cannot sign in`() throws {
        var world = try world()
        let ada = "/users/aaaaaaaa-0000-4000-8000-000000000001"
        let tokens = try world.tokens(scope: "openid offline_access")
        func refresh() throws -> String? {
            let response = try world.token(
                "ios",
                [
                    ("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue),
                ])
            return code(in: response.json?["error_description"]?.stringValue)
        }
        #expect(try world.graph("PATCH", ada, ["accountEnabled": false]).status == 204)
        #expect(try refresh() != nil)
        #expect(try world.graph("PATCH", ada, ["accountEnabled": true]).status == 204)
        #expect(try refresh() == nil)
        #expect(try world.graph("DELETE", ada).status == 204)
        #expect(try refresh() == "AADB2C90128")
        #expect(try world.graph("GET", ada).status == 404)
    }

    @Test func `revoked sessions end`() throws {
        var world = try world()
        let tokens = try world.tokens(scope: "openid offline_access")
        world.now = world.now + .minutes(1)
        let response = try world.graph(
            "POST", "/users/aaaaaaaa-0000-4000-8000-000000000001/revokeSignInSessions")
        #expect(response.json?["value"] == true)
        #expect(response.json?["@odata.context"] == "https://graph.microsoft.com/v1.0/$metadata#Edm.Boolean")
        let refreshed = try world.token(
            "ios",
            [
                ("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue),
            ])
        #expect(code(in: refreshed.json?["error_description"]?.stringValue) == "AADB2C90129")
    }
}
