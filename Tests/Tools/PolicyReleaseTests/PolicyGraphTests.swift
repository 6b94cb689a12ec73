import AzureSignIn
import Determinism
import HTTPMessages
import JSON
import PolicyRelease
import TestSupport
import Testing

/// Requests to Microsoft Graph, their answers, and what is repeated. Answers have the documented or recorded form.
struct PolicyGraphTests {
    private static let list = "GET /beta/trustFramework/policies"
    private static let put = "PUT /beta/trustFramework/policies/B2C_1A_Base/$value"
    private static let base = "<TrustFrameworkPolicy PolicyId=\"B2C_1A_Base\" TenantId=\"contoso.onmicrosoft.com\"/>"

    private static func problem<Value>(_ run: () async throws -> Value) async throws -> PolicyGraphProblem {
        do {
            _ = try await run()
        } catch let problem as PolicyGraphProblem {
            return problem
        }
        Issue.record("there is no problem")
        throw TransportError.cancelled
    }

    // MARK: Addresses

    @Test(
        arguments: [
            (
                nil, "https://graph.microsoft.com", "https://login.microsoftonline.com", "https://graph.microsoft.com"
            ),
            (
                "https://graph.microsoft.us/", "https://graph.microsoft.us", "https://login.microsoftonline.us",
                "https://graph.microsoft.us"
            ),
            (
                "https://dod-graph.microsoft.us/beta", "https://dod-graph.microsoft.us",
                "https://login.microsoftonline.us",
                "https://dod-graph.microsoft.us"
            ),
            (
                "https://microsoftgraph.chinacloudapi.cn/v1.0", "https://microsoftgraph.chinacloudapi.cn",
                "https://login.chinacloudapi.cn", "https://microsoftgraph.chinacloudapi.cn"
            ),
            (
                "http://localhost:9400", "http://localhost:9400/_hosts/graph.microsoft.com",
                "http://localhost:9400/_hosts/login.microsoftonline.com", "https://graph.microsoft.com"
            ),
            (
                "https://mock.test/_hosts/graph.microsoft.com/beta/", "https://mock.test/_hosts/graph.microsoft.com",
                "https://mock.test/_hosts/login.microsoftonline.com", "https://graph.microsoft.com"
            ),
        ] as [(String?, String, String, String)])
    func `each cloud and a mock have their addresses`(
        _ api: String?, _ address: String, _ authority: String, _ audience: String
    ) throws {
        let source = try GraphSource(api: api)
        #expect(source.api.description == address)
        #expect(source.authority == authority)
        #expect(source.audience == audience)
    }

    @Test(arguments: [
        ("graph", "is not an address"), ("ftp://graph.microsoft.com", "is not an address"),
        ("http://graph.microsoft.com", "plain http"), ("https://a:b@graph.microsoft.com", "a user"),
        ("https://graph.microsoft.com?a=b", "a query"),
    ])
    func `an address that cannot be one is refused`(_ api: String, _ text: String) {
        do throws(AzureProblem) {
            _ = try GraphSource(api: api)
            Issue.record("\(api) is accepted")
        } catch {
            #expect(error.kind == .usage && error.text.contains(text), "\(error)")
            #expect(!error.description.contains("a:b@"))
        }
    }

    @Test func `a mock is asked for the token and then for the policies`() async throws {
        let service = GraphService([
            "GET /_hosts/graph.microsoft.com/beta/trustFramework/policies": [
                .json(200, ["value": [["id": "B2C_1A_Base"]]])
            ]
        ])
        var graph = try service.graph(api: "http://localhost:9400")
        #expect(try await graph.policyIDs() == ["B2C_1A_Base"])
        let token = try #require(service.tokenRequests.first)
        #expect(
            token.url.description
                == "http://localhost:9400/_hosts/login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token")
        #expect(token.form?["scope"] == "https://graph.microsoft.com/.default")
        #expect(service.requests.first?.headers["Authorization"] == "Bearer token-1")
    }

    // MARK: Reading

    @Test func `a list is read to its last page`() async throws {
        let service = GraphService([
            Self.list: [
                .json(
                    200,
                    [
                        "value": [["id": "B2C_1A_Base"]],
                        "@odata.nextLink": "https://graph.microsoft.com/beta/trustFramework/policies?$skiptoken=2",
                    ])
            ],
            "GET /beta/trustFramework/policies?$skiptoken=2": [.json(200, ["value": [["id": "B2C_1A_SignIn"]]])],
        ])
        var graph = try service.graph()
        #expect(try await graph.policyIDs() == ["B2C_1A_Base", "B2C_1A_SignIn"])
        #expect(service.tokenRequests.count == 1)
    }

    @Test(arguments: [
        ("https://evil.test/beta/trustFramework/policies", "another server"),
        ("https://graph.microsoft.com/beta/trustFramework/policies", "no end"), ("not a link", "another server"),
    ])
    func `a page that is elsewhere or was read is an error`(_ link: String, _ text: String) async throws {
        let service = GraphService([
            Self.list: [.json(200, ["value": [["id": "B2C_1A_Base"]], "@odata.nextLink": .string(link)])]
        ])
        var graph = try service.graph()
        let problem = try await Self.problem { try await graph.policyIDs() }
        #expect(problem.description.contains(text), "\(problem)")
        #expect(service.requests.count == 1)
    }

    @Test func `a policy is read as it is stored`() async throws {
        let missing = GraphService.refusal("AADB2C", "Policy was not found.")
        let service = GraphService([
            "GET /beta/trustFramework/policies/B2C_1A_Base/$value": [GraphService.xml(200, Self.base)],
            "GET /beta/trustFramework/policies/B2C_1A_Gone/$value": [.json(404, missing)],
        ])
        var graph = try service.graph()
        #expect(try await graph.policy("B2C_1A_Base") == Array(Self.base.utf8))
        #expect(try await graph.policy("B2C_1A_Gone") == nil)
        // A server without such a route does not say that a policy is missing.
        let problem = try await Self.problem { try await graph.policy("B2C_1A_Elsewhere") }
        #expect(problem.refusal?.status == 404 && problem.description.contains("--api"), "\(problem)")
    }

    @Test func `a read is repeated after faults of the service and the network`() async throws {
        let service = GraphService([
            Self.list: [.json(503, [:]), .failure(.reset), .json(200, ["value": []])]
        ])
        var graph = try service.graph()
        #expect(try await graph.policyIDs() == [])
        #expect(service.requests.count == 3 && service.waits == [1, 2])
    }

    @Test func `organization and app registrations are read`() async throws {
        let apps = "GET /beta/applications?$filter=startsWith(displayName,'"
        let app: JSONValue = ["id": "o-1", "appId": "a-1", "displayName": "IdentityExperienceFramework"]
        let service = GraphService([
            "GET /v1.0/organization?$select=id,verifiedDomains": [
                .json(
                    200,
                    [
                        "value": [
                            [
                                "id": "t-1",
                                "verifiedDomains": [
                                    ["name": "contoso.com", "isInitial": false],
                                    ["name": "contoso.onmicrosoft.com", "isInitial": true],
                                ],
                            ]
                        ]
                    ])
            ],
            apps + "IdentityExperienceFramework')&$select=id,appId,displayName": [.json(200, ["value": [app]])],
            apps + "ProxyIdentityExperienceFramework')&$select=id,appId,displayName": [.json(200, ["value": [app]])],
            apps + "b2c-extensions-app')&$select=id,appId,displayName": [
                .json(
                    200,
                    ["value": [["id": "o-2", "appId": "a-2", "displayName": "b2c-extensions-app. Do not modify."]]])
            ],
        ])
        var graph = try service.graph()
        #expect(
            try await graph.organization()
                == TenantOrganization(id: "t-1", domains: ["contoso.onmicrosoft.com", "contoso.com"]))
        #expect(try await graph.applications().map(\.clientID) == ["a-1", "a-2"])
    }

    // MARK: Writing

    @Test(arguments: [(201, UploadAnswer.created), (200, .updated)])
    func `a policy is sent with its encoding`(_ status: Int, _ answer: UploadAnswer) async throws {
        let service = GraphService([Self.put: [GraphService.xml(status, Self.base)]])
        var graph = try service.graph()
        #expect(try await graph.upload("B2C_1A_Base", Array(Self.base.utf8)) == answer)
        let request = try #require(service.requests.first)
        #expect(
            request.url.description == "https://graph.microsoft.com/beta/trustFramework/policies/B2C_1A_Base/$value")
        #expect(request.headers["Content-Type"] == "application/xml; charset=utf-8")
        #expect(request.body == Array(Self.base.utf8))
    }

    @Test(arguments: [
        (GraphService.Answer.failure(.reset), true), (.failure(.truncated), true), (.failure(.timeout), true),
        (.json(503, [:]), true), (.json(500, GraphService.refusal("AADB2C90063", "There is a problem.")), true),
        (.failure(.refused), false), (.failure(.dns), false),
        (.json(400, GraphService.refusal("AADB2C", "Validation failed: 1 validation error(s) found.")), false),
    ])
    func `a write is sent once and an unknown outcome is said`(
        _ answer: GraphService.Answer, _ isUnknown: Bool
    ) async throws {
        let service = GraphService([Self.put: [answer, GraphService.xml(200, Self.base)]])
        var graph = try service.graph()
        let problem = try await Self.problem { try await graph.upload("B2C_1A_Base", [1]) }
        #expect(service.requests.count == 1 && service.waits.isEmpty)
        #expect(problem.isOutcomeUnknown == isUnknown)
        #expect(problem.description.contains("may have acted") == isUnknown, "\(problem)")
        #expect(problem.description.contains("uploading B2C_1A_Base"), "\(problem)")
    }

    @Test func `a write waits as long as a busy service asks`() async throws {
        let service = GraphService([
            Self.put: [.json(429, [:], ["Retry-After": "7"]), GraphService.xml(200, Self.base)]
        ])
        var graph = try service.graph()
        #expect(try await graph.upload("B2C_1A_Base", [1]) == .updated)
        #expect(service.waits == [7] && service.requests.count == 2)
    }

    @Test(arguments: ["AADB2C95053", "AADB2C95043"])
    func `a write waits for another one, a few times`(_ code: String) async throws {
        let busy = GraphService.Answer.json(409, GraphService.refusal(code, "Busy."))
        let short = GraphService([Self.put: [busy, GraphService.xml(200, Self.base)]])
        var graph = try short.graph()
        #expect(try await graph.upload("B2C_1A_Base", [1]) == .updated)
        #expect(short.waits == [2])
        let long = GraphService([Self.put: [busy]])
        graph = try long.graph()
        let problem = try await Self.problem { try await graph.upload("B2C_1A_Base", [1]) }
        #expect(long.waits == [2, 4, 8, 16, 32] && long.requests.count == 6)
        #expect(problem.refusal?.code == code && !problem.isOutcomeUnknown)
    }

    @Test func `what does not exist is deleted already`() async throws {
        let service = GraphService([
            "DELETE /beta/trustFramework/policies/B2C_1A_Base": [
                .response(ResponseMessage(status: 204)), .json(404, GraphService.refusal("AADB2C", "Not found.")),
            ],
            "DELETE /beta/trustFramework/keySets/B2C_1A_Key": [.response(ResponseMessage(status: 204))],
        ])
        var graph = try service.graph()
        try await graph.deletePolicy("B2C_1A_Base")
        try await graph.deletePolicy("B2C_1A_Base")
        try await graph.deleteKeySet("B2C_1A_Key")
        #expect(service.requests.count == 3)
    }

    // MARK: Keys

    @Test func `keys are read in every form of the service`() async throws {
        let service = GraphService([
            "GET /beta/trustFramework/keySets": [
                .json(
                    200,
                    [
                        "value": [
                            [
                                "id": "B2C_1A_Token",
                                "keys": [
                                    [
                                        "k": nil, "x5c": [], "kty": "RSA", "use": "sig", "exp": 1_893_456_000,
                                        "nbf": 1_767_225_600, "kid": "k-1", "e": "AQAB", "n": "AQAB",
                                    ],
                                    [
                                        "kid": "k-2", "use": "enc", "kty": "OCT", "nbf": "1767225600",
                                        "exp": "1893456000",
                                        "status": "disabled",
                                    ],
                                    ["kid": "k-3", "kty": "rsa", "x5c": ["AQID"], "status": "enabled"],
                                ],
                            ], ["id": "B2C_1A_Empty", "keys": []],
                        ]
                    ])
            ]
        ])
        var graph = try service.graph()
        let (start, end) = (Timestamp(seconds: 1_767_225_600), Timestamp(seconds: 1_893_456_000))
        #expect(
            try await graph.keySets() == [
                KeySet(
                    id: "B2C_1A_Token",
                    keys: [
                        PolicyKey(kid: "k-1", use: .signature, kind: .rsa, activates: start, expires: end),
                        PolicyKey(
                            kid: "k-2", use: .encryption, kind: .secret, activates: start, expires: end,
                            isEnabled: false),
                        PolicyKey(kid: "k-3", use: nil, kind: .rsa, hasCertificate: true),
                    ]), KeySet(id: "B2C_1A_Empty", keys: []),
            ])
    }

    @Test func `keys are made as the service expects`() async throws {
        let set = "/beta/trustFramework/keySets"
        let key: JSONValue = ["kid": "k-1", "use": "sig", "kty": "OCT"]
        let service = GraphService([
            "POST \(set)": [.json(201, ["id": "B2C_1A_Key", "keys": []])],
            "GET \(set)/B2C_1A_Key": [
                .json(200, ["id": "B2C_1A_Key", "keys": [key]]), .response(ResponseMessage(status: 404)),
            ],
            "POST \(set)/B2C_1A_Key/generateKey": [.json(200, ["kid": "k-1", "use": "sig", "kty": "RSA"])],
            "POST \(set)/B2C_1A_Key/uploadSecret": [.json(200, key)],
            "POST \(set)/B2C_1A_Key/uploadPkcs12": [.json(200, ["kid": "k-2", "kty": "RSA", "x5c": ["AQID"]])],
            "POST \(set)/B2C_1A_Key/uploadCertificate": [.json(200, ["kid": "k-3", "kty": "RSA", "x5c": ["AQID"]])],
            "PATCH \(set)/B2C_1A_Key/keys_v2/k%2F1": [.response(ResponseMessage(status: 204))],
        ])
        var graph = try service.graph()
        let (start, end) = (Timestamp(seconds: 1_767_225_600), Timestamp(seconds: 1_893_456_000))
        try await graph.createKeySet("B2C_1A_Key")
        #expect(try await graph.keySet("B2C_1A_Key")?.keys.map(\.kid) == ["k-1"])
        #expect(try await graph.keySet("B2C_1A_Key") == nil)
        let made = try await graph.generateKey(
            in: "B2C_1A_Key", use: .signature, kind: .rsa, activates: start, expires: end)
        #expect(made == PolicyKey(kid: "k-1", use: .signature, kind: .rsa))
        let secret = try await graph.uploadSecret(
            "text", in: "B2C_1A_Key", use: .signature, activates: nil, expires: end)
        #expect(secret.kind == .secret)
        #expect(try await graph.uploadPKCS12([1, 2, 3], password: "p", in: "B2C_1A_Key").hasCertificate)
        #expect(try await graph.uploadCertificate([1, 2, 3], in: "B2C_1A_Key").kid == "k-3")
        try await graph.setKey("k/1", in: "B2C_1A_Key", isEnabled: false)
        #expect(
            service.requests.compactMap(\.json) == [
                ["id": "Key"], ["use": "sig", "kty": "RSA", "nbf": 1_767_225_600, "exp": 1_893_456_000],
                ["use": "sig", "k": "text", "exp": 1_893_456_000], ["key": "AQID", "password": "p"], ["key": "AQID"],
                ["status": "disabled"],
            ])
    }

    // MARK: Tokens and permissions

    @Test func `a token that has expired is replaced once`() async throws {
        let expired = GraphService.Answer.json(
            401, GraphService.refusal("InvalidAuthenticationToken", "Lifetime validation failed, the token is expired.")
        )
        let renewed = GraphService(
            [Self.put: [expired, GraphService.xml(200, Self.base)]], tokens: ["token-1", "token-2"])
        var graph = try renewed.graph()
        #expect(try await graph.upload("B2C_1A_Base", [1]) == .updated)
        #expect(renewed.requests.map { $0.headers["Authorization"] } == ["Bearer token-1", "Bearer token-2"])
        let refused = GraphService([Self.put: [expired]])
        graph = try refused.graph()
        let problem = try await Self.problem { try await graph.upload("B2C_1A_Base", [1]) }
        #expect(refused.requests.count == 2 && problem.refusal?.status == 401)
        #expect(problem.description.contains("AZURE_TENANT_ID is the B2C tenant"), "\(problem)")
        // A token of a variable has no successor.
        let fixed = GraphService([Self.put: [expired]])
        graph = try fixed.graph(["B2C_GRAPH_TOKEN": "token-9"])
        let other = try await Self.problem { try await graph.upload("B2C_1A_Base", [1]) }
        #expect(fixed.requests.count == 1 && other.description.contains("B2C_GRAPH_TOKEN"), "\(other)")
    }

    @Test func `a person's token of the Azure CLI is refused before the first request`() async throws {
        let answer = JSONWriter.compact(["accessToken": .string(GraphTokens.person)])
        for (variables, az) in [([:], .success(answer)), (["B2C_GRAPH_TOKEN": GraphTokens.person], .failure(.missing))]
            as [([String: String], Result<String, AzureSurroundings.ProgramProblem>)]
        {
            let service = GraphService([:])
            var graph = try service.graph(variables, az: az)
            let problem = try await Self.problem { try await graph.policyIDs() }
            #expect(service.requests.isEmpty)
            guard case .azure(let azure) = problem else { throw problem }
            #expect(azure.kind == .usage && azure.text.contains("cannot get it"))
            #expect(
                azure.remedy.contains("az login --service-principal") && azure.remedy.contains("AZURE_CLIENT_SECRET"))
            #expect(!problem.description.contains(GraphTokens.person))
        }
    }

    @Test(arguments: [
        (GraphTokens.reader, "The token has Policy.Read.All."), (GraphTokens.none, "The token has no permission."),
        ("opaque", "grant admin consent."),
    ])
    func `a missing permission is named`(_ token: String, _ state: String) async throws {
        let refusal = GraphService.Answer.json(
            403,
            GraphService.refusal(
                "AADB2C",
                "The application does not have any of the required application permissions "
                    + "(Policy.ReadWrite.TrustFramework) to access the resource."))
        let set = "/beta/trustFramework/keySets"
        let service = GraphService([
            Self.list: [refusal], Self.put: [refusal], "GET \(set)": [refusal], "POST \(set)": [refusal],
        ])
        var graph = try service.graph(["B2C_GRAPH_TOKEN": token])
        let problems = [
            (try await Self.problem { try await graph.policyIDs() }, "Policy.Read.All"),
            (try await Self.problem { try await graph.upload("B2C_1A_Base", [1]) }, "Policy.ReadWrite.TrustFramework"),
            (try await Self.problem { try await graph.keySets() }, "TrustFrameworkKeySet.Read.All"),
            (try await Self.problem { try await graph.createKeySet("Key") }, "TrustFrameworkKeySet.ReadWrite.All"),
        ]
        for (problem, permission) in problems {
            #expect(problem.refusal?.isPermission == true)
            #expect(
                problem.description.contains("application permission \(permission) of Microsoft Graph"), "\(problem)")
            #expect(problem.description.contains(state), "\(problem)")
        }
    }

    // MARK: Refusals

    private static let noResource =
        #"{"message":"No HTTP resource was found that matches the request URI "#
        + #"'https://cpim.windows.net/graph/trustFramework/policies'.","messageDetail":"No type","stackTrace":null}"#

    @Test(arguments: [
        (
            GraphService.Answer.json(
                400,
                GraphService.refusal(
                    "AADB2C",
                    "The policy being uploaded is not XML or is not correctly formatted: Line 1, position 1.")),
            "uploading B2C_1A_Base failed (HTTP 400, AADB2C): The policy being uploaded is not XML or is not correctly "
                + "formatted: Line 1, position 1. Request id: c0ffee00-0000-4000-8000-000000000001"
        ),
        (
            .json(
                400,
                GraphService.refusal(
                    "AADB2C",
                    "Validation failed: 1 validation error(s) found in policy \"B2C_1A_BASE\" of tenant "
                        + "\"contoso.onmicrosoft.com\".Policy with 'policyId': B2C_1A_Root cannot be found.")),
            "Validation failed: 1 validation error(s) found in policy \"B2C_1A_BASE\" of tenant "
                + "\"contoso.onmicrosoft.com\".Policy with 'policyId': B2C_1A_Root cannot be found."
        ),
        (
            .json(400, GraphService.refusal("UnknownError", noResource)),
            "uploading B2C_1A_Base failed (HTTP 400, UnknownError): the service answers \"No HTTP resource was found\", which "
                + "is also its answer to a policy that it cannot process. Check the XML of the policy"
        ),
        (
            .response(
                ResponseMessage(
                    status: 404, headers: ["Content-Type": "application/json"], body: Array(noResource.utf8))),
            "uploading B2C_1A_Base failed (HTTP 404): the service answers \"No HTTP resource was found\""
        ),
        (
            .json(400, GraphService.refusal("UnknownError", "")),
            "(HTTP 400, UnknownError): the service gives no reason. Try again."
        ),
        (
            .json(400, ["error": ["code": "AADB2C95044", "message": "Tenant mismatch."]]),
            "(HTTP 400, AADB2C95044): Tenant mismatch. Set TenantId of the policy"
        ),
        (
            .response(.html(502, "<html><body>Bad gateway</body></html>")),
            "(HTTP 502): the answer is a page and not one of Microsoft Graph. A proxy"
        ),
        (
            .response(.redirect("https://login.test/")),
            "(HTTP 302): the answer is a redirect to login.test, which is not followed. Check --api"
        ),
        (.response(ResponseMessage(status: 400)), "(HTTP 400): the answer is empty."),
        (.response(.text(403, "No.")), "(HTTP 403): the answer is a text and not one of Microsoft Graph. Give"),
    ])
    func `each refusal is one clear line`(_ answer: GraphService.Answer, _ expected: String) async throws {
        let service = GraphService([Self.put: [answer]])
        var graph = try service.graph()
        let problem = try await Self.problem { try await graph.upload("B2C_1A_Base", [1]) }
        #expect(problem.description.contains(expected), "\(problem)")
        #expect(!problem.description.contains(where: \.isNewline) && !problem.description.contains(".."))
    }

    @Test(arguments: [
        (
            409, "AADB2C95028", "Can't create trustframework key set with name 'Key' because it already exists.",
            "exists"
        ),
        (400, "AADB2C95059", "A key has a kid.", "Remove kid"),
        (500, "AADB2C90063", "There is a problem with the service.", "may have acted"),
    ])
    func `refusals of keys have their remedy`(
        _ status: Int, _ code: String, _ message: String, _ text: String
    ) async throws {
        let service = GraphService([
            "POST /beta/trustFramework/keySets": [.json(status, GraphService.refusal(code, message))]
        ])
        var graph = try service.graph()
        let problem = try await Self.problem { try await graph.createKeySet("Key") }
        #expect(problem.refusal?.code == code)
        #expect(problem.description.contains(text), "\(problem)")
    }

    @Test(arguments: SecretEchoes.forms.indices)
    func `secrets are masked wherever the service repeats them`(_ index: Int) async throws {
        let echo = SecretEchoes.forms[index](SecretEchoes.sent)
        let refusal = GraphService.Answer.json(400, GraphService.refusal("AADB2C95029", "Invalid: \(echo)"))
        let set = "POST /beta/trustFramework/keySets/B2C_1A_Key"
        let service = GraphService(["\(set)/uploadSecret": [refusal], "\(set)/uploadPkcs12": [refusal]])
        var graph = try service.graph()
        let secret = try await Self.problem {
            try await graph.uploadSecret(
                SecretEchoes.sent, in: "B2C_1A_Key", use: .signature, activates: nil, expires: nil)
        }
        #expect(SecretEchoes.isMasked(echo, in: secret.description), "\(secret)")
        graph = try service.graph()
        let password = try await Self.problem {
            try await graph.uploadPKCS12([1], password: SecretEchoes.sent, in: "B2C_1A_Key")
        }
        #expect(SecretEchoes.isMasked(echo, in: password.description), "\(password)")
    }

    // MARK: The whole tenant

    @Test func `a tenant is read as far as the permissions go`() async throws {
        let denied = GraphService.Answer.json(403, GraphService.refusal("AADB2C", "No permission."))
        let ids = (0..<9).map { "B2C_1A_P\($0)" }
        var routes: [String: [GraphService.Answer]] = [
            Self.list: [.json(200, ["value": .array(ids.map { ["id": .string($0)] })])],
            "GET /v1.0/organization?$select=id,verifiedDomains": [denied], "GET /beta/trustFramework/keySets": [denied],
            "GET /beta/applications?$filter=startsWith(displayName,'IdentityExperienceFramework')&$select=id,appId,displayName":
                [
                    denied
                ],
        ]
        for id in ids {
            routes["GET /beta/trustFramework/policies/\(id)/$value"] = [
                GraphService.xml(200, "<TrustFrameworkPolicy PolicyId=\"\(id)\" TenantId=\"contoso.onmicrosoft.com\"/>")
            ]
        }
        // Deleted between the list and the read.
        routes["GET /beta/trustFramework/policies/B2C_1A_P4/$value"] = [.response(ResponseMessage(status: 404))]
        let service = GraphService(routes)
        var graph = try service.graph(["B2C_GRAPH_TOKEN": GraphTokens.reader])
        let (all, notes) = try await TenantSnapshot.read(&graph, wanted: nil, keys: true, apps: true)
        #expect(all.policies.map(\.id) == ids.filter { $0 != "B2C_1A_P4" })
        #expect(all.policies.allSatisfy { String(decoding: $0.bytes, as: UTF8.self).contains($0.id) })
        #expect(all.keySets == nil && all.apps == nil)
        #expect(all.organization == TenantOrganization(id: GraphTokens.tenant, domains: ["contoso.onmicrosoft.com"]))
        #expect(notes.count == 3 && notes[0].contains("Organization.Read.All"))
        #expect(notes[1].contains("TrustFrameworkKeySet.Read.All") && notes[2].contains("Application.Read.All"))
        let (some, none) = try await TenantSnapshot.read(&graph, wanted: ["b2c_1a_p2"], keys: false, apps: false)
        #expect(some.policies.map(\.id) == ["B2C_1A_P2"] && none.count == 1)
    }

    @Test func `a policy that cannot be read fails the whole tenant`() async throws {
        let service = GraphService([
            Self.list: [.json(200, ["value": [["id": "B2C_1A_Base"], ["id": "B2C_1A_SignIn"]]])],
            "GET /v1.0/organization?$select=id,verifiedDomains": [.json(200, ["value": [["id": "t-1"]]])],
            "GET /beta/trustFramework/policies/B2C_1A_Base/$value": [GraphService.xml(200, Self.base)],
            "GET /beta/trustFramework/policies/B2C_1A_SignIn/$value": [.json(500, [:])],
        ])
        var graph = try service.graph()
        let problem = try await Self.problem {
            try await TenantSnapshot.read(&graph, wanted: nil, keys: false, apps: false)
        }
        #expect(problem.description.hasPrefix("reading B2C_1A_SignIn failed (HTTP 500)"), "\(problem)")
        #expect(!problem.isOutcomeUnknown)
    }
}
