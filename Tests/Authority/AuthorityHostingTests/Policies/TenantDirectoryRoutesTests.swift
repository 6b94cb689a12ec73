import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles
import Testing

/// `/organization` and `/applications` of Microsoft Graph.
@Suite struct TenantDirectoryRoutesTests {
    private static let extensions = "b2c-extensions-app. Do not modify. Used by AADB2C for storing user data."

    private static func send(
        _ path: String, _ permissions: [String], method: String = "GET", patch: JSONValue = [:]
    ) throws -> (status: Int, json: JSONValue) {
        let file: JSONValue = [
            "name": "contoso", "authority": ["extensionsAppId": "01234567-89ab-4cde-f012-3456789abcde"],
            "apps": ["web": ["client": ["kind": "web"]], "O'Brien": ["client": ["kind": "web"]]],
        ]
        let routes = TenantDirectoryRoutes(tenant: try tenant(file.merging(patch: patch)))
        let encoded = path.replacing(" ", with: "%20").replacing("'", with: "%27")
        let address = try url("https://graph.microsoft.com/v1.0" + encoded)
        let request = try #require(GraphManagementRequest(RequestMessage(method: method, url: address)))
        let rights = GraphManagementRights(["roles": .array(permissions.map { .string($0) })])
        do throws(GraphFault) {
            guard let answer = try routes.answer(request, rights, at: Timestamp(seconds: 0)),
                case .json(let object) = answer.body
            else { return (0, .null) }
            return (answer.status, .object(object))
        } catch {
            return (error.status, .string(error.code))
        }
    }

    private static func names(_ json: JSONValue) -> [String] {
        (json["value"]?.arrayValue ?? []).compactMap { $0["displayName"]?.stringValue }
    }

    @Test(arguments: ["Organization.Read.All", "Directory.Read.All"])
    func `the organization has the id and the domain of the tenant`(_ permission: String) throws {
        let answer = try Self.send("/organization", [permission])
        #expect(answer.status == 200)
        let row = try #require(answer.json["value"]?[0])
        #expect(row["id"]?.stringValue == (try tenant(["name": "contoso"])).id.description)
        #expect(row["verifiedDomains"]?[0]?["name"] == "contoso.onmicrosoft.com")
        #expect(row["verifiedDomains"]?[0]?["isInitial"] == true && row["verifiedDomains"]?[0]?["isDefault"] == true)
    }

    @Test func `apps are those of the file and those of custom policies`() throws {
        let answer = try Self.send("/applications", ["Application.Read.All"])
        #expect(
            Self.names(answer.json)
                == [
                    "web", "O'Brien", "IdentityExperienceFramework", "ProxyIdentityExperienceFramework",
                    Self.extensions,
                ])
        let ids = (answer.json["value"]?.arrayValue ?? []).compactMap { $0["appId"]?.stringValue }
        #expect(ids.last == "01234567-89ab-4cde-f012-3456789abcde" && Set(ids).count == 5)
    }

    @Test func `an app of the file takes the place of the one of custom policies`() throws {
        let id = "41111111-2222-4333-8444-555555555555"
        let answer = try Self.send(
            "/applications?$filter=startsWith(displayName,'IdentityExperienceFramework')", ["Application.Read.All"],
            patch: ["apps": ["IdentityExperienceFramework": ["registration": ["clientId": .string(id)]]]])
        #expect(answer.json["value"]?.arrayValue?.compactMap { $0["appId"]?.stringValue } == [id])
    }

    @Test(arguments: [
        ("startsWith(displayName,'IdentityExperience')", ["IdentityExperienceFramework"]),
        ("startswith(displayName, 'b2c-extensions-app')", [extensions]),
        ("startsWith(displayName,'proxy')", ["ProxyIdentityExperienceFramework"]),
        ("startsWith(displayName,'O''B')", ["O'Brien"]), ("startsWith(displayName,'Absent')", []),
    ])
    func `a filter takes the beginning of the name`(_ filter: String, _ expected: [String]) throws {
        let answer = try Self.send(
            "/applications?$select=appId,displayName&$filter=\(filter)", ["Application.Read.All"])
        #expect(Self.names(answer.json) == expected)
        #expect(answer.json["value"]?.arrayValue?.allSatisfy { $0["id"] == nil && $0["appId"] != nil } == true)
    }

    @Test(arguments: [
        ("/organization", ["Application.Read.All"], "GET", 403, "Authorization_RequestDenied"),
        ("/applications", ["Organization.Read.All"], "GET", 403, "Authorization_RequestDenied"),
        ("/applications", ["Application.ReadWrite.All"], "POST", 501, "NotSimulated"),
        (
            "/applications?$filter=appId eq 'x'", ["Application.Read.All"], "GET", 400, "Request_UnsupportedQuery"
        ),
        ("/applications?$expand=owners", ["Application.Read.All"], "GET", 501, "NotSimulated"),
    ])
    func `others are refused`(
        _ path: String, _ permissions: [String], _ method: String, _ status: Int, _ code: String
    ) throws {
        let answer = try Self.send(path, permissions, method: method)
        #expect(answer.status == status && answer.json == .string(code))
    }
}
