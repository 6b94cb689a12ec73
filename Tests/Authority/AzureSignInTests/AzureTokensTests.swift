import AzureSignIn
import HTTPMessages
import JOSE
import JSON
import TestSupport
import Testing

/// Tokens for an API of Azure: each credential, refusals with their remedies, and variables that do not fit.
struct AzureTokensTests {
    private static let id = "3f1c9a3e-0000-4000-8000-000000000001"
    private static let app = ["AZURE_TENANT_ID": "contoso.com", "AZURE_CLIENT_ID": id]

    @Test func `a client secret is exchanged for a token`() async throws {
        let service = TokenService()
        #expect(try await service.token(Self.app.merging(["AZURE_CLIENT_SECRET": "s3cret"]) { $1 }) == "token-2")
        let request = try #require(service.requests.first)
        #expect(request.url.description == "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token")
        let form = try #require(request.form)
        #expect(form["grant_type"] == "client_credentials" && form["client_id"] == Self.id)
        #expect(form["client_secret"] == "s3cret" && form["scope"] == "https://api.test/.default")
        #expect(service.requests.count == 1)
    }

    @Test(arguments: [
        ("https://api.test.us", "https://login.microsoftonline.us"),
        ("https://api.test.cn", "https://login.chinacloudapi.cn"),
        ("http://localhost:9400/logs", "http://localhost:9400"),
    ])
    func `each cloud has its authority`(_ api: String, _ authority: String) async throws {
        let service = TokenService()
        let variables = Self.app.merging(["AZURE_CLIENT_SECRET": "s3cret"]) { $1 }
        _ = try await service.token(variables, for: TestAPI(api))
        #expect(service.requests.map(\.url.description) == ["\(authority)/contoso.com/oauth2/v2.0/token"])
    }

    @Test(arguments: ["token-1", " token-1\n", "Bearer token-1", "bearer  token-1"])
    func `a token of a variable is taken without what is pasted along`(_ text: String) async throws {
        let service = TokenService()
        #expect(try await service.token(["TEST_TOKEN": text]) == "token-1")
        #expect(service.requests.isEmpty && service.commands.isEmpty)
    }

    @Test func `a certificate signs an assertion`() async throws {
        let service = TokenService()
        let pem = try Self.pem()
        let variables = Self.app.merging([
            "AZURE_CLIENT_CERTIFICATE_PATH": "app.pem", "AZURE_AUTHORITY_HOST": "login.microsoftonline.us",
            "AZURE_CLIENT_SEND_CERTIFICATE_CHAIN": "true",
        ]) { $1 }
        _ = try await service.token(variables, files: ["app.pem": Array(pem.text.utf8)])
        let form = try #require(service.requests.first?.form)
        #expect(form["client_secret"] == nil)
        #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        let assertion = try #require(JWS(compact: form["client_assertion"] ?? ""))
        #expect(assertion.verify(with: pem.key.jwk))
        #expect(assertion.header["x5t"]?.stringValue == Base64URL.encode(SHA1.hash(pem.certificate)))
        #expect(assertion.header["x5t#S256"]?.stringValue == Base64URL.encode(SHA2.sha256(pem.certificate)))
        #expect(assertion.header["x5c"]?.arrayValue?.first?.stringValue == Base64.encode(pem.certificate))
        let claims = try #require(assertion.claims)
        #expect(claims["aud"] == "https://login.microsoftonline.us/contoso.com/oauth2/v2.0/token")
        #expect(
            claims["iss"]?.stringValue == Self.id && claims["sub"]?.stringValue == Self.id && claims["jti"] == "id-1")
        let now = TokenService.now.secondsSinceEpoch
        #expect(claims["exp"]?.intValue == now + 600 && claims["nbf"]?.intValue == now - 30)
    }

    /// A key with a certificate-like envelope: bytes that contain its modulus.
    private static func pem() throws -> (text: String, certificate: [UInt8], key: SigningKey) {
        let key = TestKeys.named("policy")
        let modulus = try #require(key.jwk.n.flatMap { Base64URL.decode($0) })
        let certificate = [0x30, 0x82, 0x01, 0x0A] + modulus + [2, 3, 1, 0, 1]
        let issuer: [UInt8] = [0x30, 0x03, 1, 2, 3]
        let blocks = [issuer, certificate].map {
            "-----BEGIN CERTIFICATE-----\n\(Base64.encode($0))\n-----END CERTIFICATE-----\n"
        }
        return ("Bag Attributes\n" + blocks.joined() + key.pem, certificate, key)
    }

    @Test func `federated tokens of a file and of GitHub prove the app`() async throws {
        let file = TokenService()
        let path = Self.app.merging(["AZURE_FEDERATED_TOKEN_FILE": "/run/token"]) { $1 }
        _ = try await file.token(path, files: ["/run/token": Array("file-token\n".utf8)])
        #expect(file.requests.first?.form?["client_assertion"] == "file-token")
        let github = TokenService()
        let actions = Self.app.merging([
            "ACTIONS_ID_TOKEN_REQUEST_URL": "https://pipelines.actions.test/oidc?api-version=2",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "request-token",
        ]) { $1 }
        _ = try await github.token(actions)
        let asked = try #require(github.requests.first)
        #expect(
            asked.url.description
                == "https://pipelines.actions.test/oidc?api-version=2&audience=api%3A%2F%2FAzureADTokenExchange")
        #expect(asked.headers["Authorization"] == "Bearer request-token")
        #expect(github.requests.last?.form?["client_assertion"] == "ci-token")
        let refused = TokenService(status: 403, [:])
        #expect(await refused.problem(actions)?.remedy.contains("id-token: write") == true)
    }

    private static let pipeline = [
        "AZURE_SERVICE_CONNECTION_ID": "c-1 2", "SYSTEM_OIDCREQUESTURI": "https://dev.azure.test/p/oidctoken?a=b",
        "SYSTEM_ACCESSTOKEN": "job-token-value",
    ]

    @Test func `a service connection of Azure DevOps proves the app`() async throws {
        let service = TokenService()
        #expect(try await service.token(Self.app.merging(Self.pipeline) { $1 }) == "token-2")
        let asked = try #require(service.requests.first)
        #expect(asked.method == "POST" && asked.body.isEmpty)
        #expect(
            asked.url.description
                == "https://dev.azure.test/p/oidctoken?a=b&api-version=7.1&serviceConnectionId=c-1+2")
        #expect(asked.headers["Authorization"] == "Bearer job-token-value")
        #expect(service.requests.last?.form?["client_assertion"] == "pipeline-token")
        #expect(service.requests.count == 2)
    }

    @Test(
        arguments: [
            (200, [:], [:], "HTTP 200 and no token", "$(System.AccessToken)"),
            (401, ["oidcToken": "x"], [:], "HTTP 401 and no token", "AZURE_SERVICE_CONNECTION_ID"),
            (200, [:], ["SYSTEM_ACCESSTOKEN": ""], "are not both set", "$(System.AccessToken)"),
            (200, [:], ["SYSTEM_OIDCREQUESTURI": "http://dev.azure.test"], "not an https address", "Do not set it"),
            (200, [:], ["AZURE_CLIENT_ID": ""], "AZURE_CLIENT_ID is not", "the directory of the test"),
        ] as [(Int, JSONValue, [String: String], String, String)])
    func `a pipeline that cannot prove the app is said with its remedy`(
        _ status: Int, _ answer: JSONValue, _ changes: [String: String], _ text: String, _ remedy: String
    ) async throws {
        let service = TokenService(status: status, answer)
        var variables = Self.app.merging(Self.pipeline) { $1 }.merging(changes) { $1 }
        // The environment has no empty variables.
        variables = variables.filter { !$0.value.isEmpty }
        let problem = try #require(await service.problem(variables))
        #expect(problem.text.contains(text) && problem.remedy.contains(remedy), "\(problem)")
        #expect(!problem.description.contains("job-token-value"))
    }

    @Test func `the Azure CLI is asked without a variable`() async throws {
        let service = TokenService(az: .success(#"{"accessToken":"cli-token"}"#))
        #expect(try await service.token([:]) == "cli-token")
        #expect(
            service.commands == [
                ["az", "account", "get-access-token", "--resource", "https://api.test", "--output", "json"]
            ])
        _ = try await service.token(["AZURE_TENANT_ID": "t.test"])
        #expect(service.commands[1].suffix(2) == ["--tenant", "t.test"])
    }

    @Test(arguments: [
        (
            az: Result<String, AzureSurroundings.ProgramProblem>.failure(.missing), "az is not on the PATH",
            "AZURE_CLIENT_SECRET"
        ),
        (az: .failure(.failed("az ended with status 1")), "az ended with status 1", "Run `az login`"),
        (az: .success("not JSON"), "printed no accessToken", "--resource"),
    ])
    func `an Azure CLI without a token is said with its remedy`(
        _ az: Result<String, AzureSurroundings.ProgramProblem>, _ text: String, _ remedy: String
    ) async throws {
        let service = TokenService(az: az)
        let problem = try #require(await service.problem([:]))
        #expect(problem.text.contains(text) && problem.remedy.contains(remedy), "\(problem)")
        #expect(service.requests.isEmpty)
    }

    @Test(arguments: [
        ("AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1", "the value of a secret"),
        ("AADSTS7000222: The provided client secret keys are expired.", "The secret has expired."),
        ("AADSTS700016: Application was not found in the directory.", "registered in the directory of the test."),
        ("AADSTS90002: Tenant 'x' not found.", "AZURE_TENANT_ID"), ("", "AZURE_CLIENT_ID"),
        ("AADSTS500011: The resource principal was not found.", "Check the audience."),
    ])
    func `a refusal of the directory has its remedy`(_ description: String, _ remedy: String) async throws {
        let answer: JSONValue = ["error": "invalid_client", "error_description": .string(description)]
        let service = TokenService(status: 401, answer)
        let variables = Self.app.merging(["AZURE_CLIENT_SECRET": "s3cret-value-1"]) { $1 }
        let problem = try #require(await service.problem(variables))
        #expect(problem.text.hasPrefix("login.microsoftonline.com gives no token to app \(Self.id)"), "\(problem)")
        #expect(problem.remedy.contains(remedy), "\(problem)")
        #expect(!problem.description.contains("s3cret-value-1") && !problem.text.contains("Trace ID"))
    }

    @Test(arguments: [
        (["AZURE_CLIENT_SECRET": "s3cret"], "AZURE_TENANT_ID and AZURE_CLIENT_ID are not"),
        (["AZURE_FEDERATED_TOKEN_FILE": "f", "AZURE_CLIENT_ID": "1"], "AZURE_TENANT_ID is not"),
        (
            ["AZURE_CLIENT_SECRET": "s3cret", "AZURE_CLIENT_ID": "1", "AZURE_TENANT_ID": "../x"],
            "characters that no ID has"
        ),
        (["TEST_TOKEN": "a b"], "TEST_TOKEN is not a token"),
        (
            [
                "AZURE_CLIENT_SECRET": "s3cret", "AZURE_CLIENT_ID": "1", "AZURE_TENANT_ID": "x",
                "AZURE_AUTHORITY_HOST": "http://x.test",
            ],
            "expected an https address"
        ),
        (
            ["AZURE_CLIENT_CERTIFICATE_PATH": "none.pem", "AZURE_CLIENT_ID": "1", "AZURE_TENANT_ID": "x"],
            "cannot be read"
        ),
    ])
    func `variables that do not fit are named`(_ variables: [String: String], _ text: String) async throws {
        let service = TokenService()
        let problem = try #require(await service.problem(variables))
        #expect(problem.kind == .usage && problem.text.contains(text), "\(problem)")
        #expect(!problem.description.contains("s3cret"))
        #expect(service.requests.isEmpty)
    }

    @Test(arguments: [
        ([0x30, 0x82] as [UInt8], "is not PEM", "openssl pkcs12"),
        (
            Array("-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n".utf8), "has no private key",
            "PEM file"
        ),
        (
            Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAQID\n-----END ENCRYPTED PRIVATE KEY-----\n".utf8),
            "encrypted private key", "openssl pkey"
        ),
        (
            Array("-----BEGIN PRIVATE KEY-----\nAQID\n-----END PRIVATE KEY-----\n".utf8), "has no certificate",
            "PEM file"
        ),
        (
            Array(
                (TestKeys.named("policy").pem + "\n-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n").utf8
            ),
            "is not the key of its certificate", "openssl x509"
        ),
    ])
    func `a certificate that cannot be used is said with its remedy`(
        _ bytes: [UInt8], _ text: String, _ remedy: String
    ) async throws {
        let service = TokenService()
        let variables = Self.app.merging(["AZURE_CLIENT_CERTIFICATE_PATH": "app.pem"]) { $1 }
        let problem = try #require(await service.problem(variables, files: ["app.pem": bytes]))
        #expect(problem.text.hasPrefix("app.pem (AZURE_CLIENT_CERTIFICATE_PATH) "))
        #expect(problem.text.contains(text) && problem.remedy.contains(remedy), "\(problem)")
    }

    @Test(arguments: SecretEchoes.forms.indices)
    func `what proves an app is masked wherever the directory repeats it`(_ index: Int) async throws {
        let echo = SecretEchoes.forms[index](SecretEchoes.sent)
        for (name, files) in [("AZURE_CLIENT_SECRET", nil), ("AZURE_FEDERATED_TOKEN_FILE", SecretEchoes.sent)]
            as [(String, String?)]
        {
            let variables = Self.app.merging([name: files == nil ? SecretEchoes.sent : "token"]) { $1 }
            let contents = files.map { ["token": Array($0.utf8)] } ?? [:]
            for answer: JSONValue in [
                ["error": "invalid_client", "error_description": .string("AADSTS7000215: Invalid: \(echo)")],
                ["error": .string(echo)],
            ] {
                let service = TokenService(status: 401, answer)
                let problem = try #require(await service.problem(variables, files: contents))
                #expect(SecretEchoes.isMasked(echo, in: problem.description), "\(problem) \(echo)")
            }
        }
    }
}
