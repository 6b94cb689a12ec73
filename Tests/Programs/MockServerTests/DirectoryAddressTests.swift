import HTTPMessages
import JSON
import MockServerCore
import Testing

/// The directory and Microsoft Graph for programs without name mapping.
@Suite struct DirectoryAddressTests {
    private func stage() async throws -> Stage {
        let patch: JSONValue = [
            "apps": [
                "ios": [
                    "registration": [
                        "clientId": "11111111-2222-4333-8444-555555555555", "secrets": ["S3cret-of-the-job"],
                        "graph": ["User.ReadWrite.All"],
                    ]
                ]
            ],
            "users": ["bob": ["email": "bob@example.test", "password": "Builder-1999"]],
        ]
        return try await Stage(tenant: Stage.tenant.merging(patch: patch))
    }

    private func token(_ stage: Stage) async -> String? {
        let form: FormItems = [
            "grant_type": "client_credentials", "client_id": "11111111-2222-4333-8444-555555555555",
            "client_secret": "S3cret-of-the-job", "scope": "https://graph.microsoft.com/.default",
        ]
        let answer = await stage.send(
            "/_hosts/login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token", method: "POST",
            headers: ["Content-Type": "application/x-www-form-urlencoded"], body: form.encoded)
        return answer?.json?["access_token"]?.stringValue
    }

    @Test func `endpoints of the document lead here`() async throws {
        let stage = try await stage()
        let path = "/_hosts/login.microsoftonline.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration"
        let document = try #require(await stage.send(path)?.json)
        let endpoint = try #require(document["token_endpoint"]?.stringValue)
        #expect(endpoint.hasPrefix("http://localhost:9400/_hosts/login.microsoftonline.com/"))
    }

    @Test func `the next page is at the same address`() async throws {
        let stage = try await stage()
        let bearer = "Bearer " + (try #require(await token(stage)))
        let first = try #require(
            await stage.send(
                "/_hosts/graph.microsoft.com/v1.0/users?$top=1", headers: ["Authorization": bearer])?.json)
        let next = try #require(first["@odata.nextLink"]?.stringValue)
        let origin = "http://localhost:9400"
        #expect(next.hasPrefix(origin + "/_hosts/graph.microsoft.com/v1.0/users?"))
        let second = try #require(
            await stage.send(String(next.dropFirst(origin.count)), headers: ["Authorization": bearer])?.json)
        #expect(second["value"]?.arrayValue?.count == 1)
        #expect(second["value"] != first["value"])
        #expect(second["@odata.nextLink"] == nil)
    }

    @Test func `pages of other origins may read`() async throws {
        let stage = try await stage()
        let answer = try #require(
            await stage.send(
                "/v1.0/users", host: "graph.microsoft.com", scheme: "https", headers: ["Origin": "https://a.test"]))
        #expect(answer.status == 401)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        let asked = try #require(
            await stage.send(
                "/v1.0/users", method: "OPTIONS", host: "graph.microsoft.com", scheme: "https",
                headers: ["Origin": "https://a.test", "Access-Control-Request-Method": "DELETE"]))
        #expect(asked.headers["Access-Control-Allow-Methods"] == "DELETE")
    }

    /// The log has neither the token nor a password.
    @Test func `the log is masked`() async throws {
        let stage = try await stage()
        let bearer = try #require(await token(stage))
        _ = await stage.send(
            "/_hosts/graph.microsoft.com/v1.0/users", method: "POST",
            headers: ["Authorization": "Bearer " + bearer, "Content-Type": "application/json"],
            body: "{\"passwordProfile\": {\"password\": \"Evening-2026\"}}")
        let log = stage.lines.all.joined(separator: "\n")
        #expect(log.contains("/v1.0/users"))
        #expect(!log.contains("Evening-2026") && !log.contains(bearer) && !log.contains("S3cret"))
    }
}
