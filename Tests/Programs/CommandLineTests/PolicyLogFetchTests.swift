import Foundation
import HTTPMessages
import JSON
import Synchronization
import TestSupport
import Testing

/// `b2c policy log --app` and `--workspace`: the options, the environment, the exit codes, and where secrets are not.
@Suite(.blocking) struct PolicyLogFetchTests {
    private static let secret = "S3cret-of-the-log-reader"
    private static let id = "3f1c9a3e-0000-4000-8000-000000000001"
    private static let correlation = "0a1b2c3d-0000-4000-8000-00000000ada0"

    /// A query API with one sign-in of Ada, a minute ago by its own clock, and a token endpoint.
    private struct Service {
        private final class Notes: Sendable {
            let requests = Mutex<[RequestMessage]>([])
        }

        private let notes = Notes()
        private let server: LoopbackServer

        init(query: (@Sendable () -> ResponseMessage)? = nil) throws {
            server = try LoopbackServer { [notes] request in
                notes.requests.withLock { $0.append(request) }
                if request.form != nil { return .response(.json(200, ["access_token": "token-of-the-service"])) }
                if let query { return .response(query()) }
                return .response(.json(200, Service.answer(request.json?["query"]?.stringValue ?? "")))
            }
        }

        /// What was asked, in order.
        var requests: [RequestMessage] { notes.requests.withLock { $0 } }

        var address: String { "http://127.0.0.1:\(server.port)" }

        private static func answer(_ query: String) -> JSONValue {
            if query.contains("summarize") {
                return table(["Start", "Found", "Characters"], [["2026-11-02T09:10:00Z", 1, 400]])
            }
            let clips: JSONValue = [
                [
                    "Kind": "Headers",
                    "Content": [
                        "CorrelationId": .string(correlation), "EventInstance": "Event:AUTH",
                        "TenantId": "contoso.onmicrosoft.com", "PolicyId": "B2C_1A_Asks",
                    ],
                ],
                [
                    "Kind": "HandlerResult",
                    "Content": ["Result": true, "Statebag": ["Complex-CLMS": ["email": "ada@contoso.test"]]],
                ],
            ]
            let dimensions: JSONValue = [
                "CorrelationId": .string(correlation), "EventName": "Journey Recorder Event v1.0.0",
                "Tenant": "contoso.onmicrosoft.com", "UserJourney": "B2C_1A_Asks",
            ]
            return table(
                ["TimeGenerated", "Message", "Properties"],
                [
                    [
                        "2026-11-02T09:10:11.1234567Z", .string(JSONWriter.compact(clips)),
                        .string(JSONWriter.compact(dimensions)),
                    ]
                ])
        }

        private static func table(_ columns: [String], _ rows: [JSONValue]) -> JSONValue {
            let named: [JSONValue] = columns.map { ["name": .string($0), "type": "string"] }
            return ["tables": [["name": "PrimaryResult", "columns": .array(named), "rows": .array(rows)]]]
        }
    }

    private static let app = [
        "AZURE_TENANT_ID": "contoso.test", "AZURE_CLIENT_ID": id, "AZURE_CLIENT_SECRET": secret,
    ]

    /// The environment of a run: nothing of this machine's Azure.
    private static func environment(_ more: [String: String]) -> [String: String] {
        let names = [
            "AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PATH",
            "AZURE_FEDERATED_TOKEN_FILE", "AZURE_AUTHORITY_HOST", "ACTIONS_ID_TOKEN_REQUEST_URL",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, "") }).merging(more) { $1 }
    }

    @Test func `a log is fetched, listed without personal data, and saved for its owner`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let service = try Service()
        let run = try tool.run(
            ["policy", "log", "--workspace", Self.id, "--api", service.address, "--since", "2d", "--save", "raw.json"],
            environment: Self.environment(Self.app))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.out.contains(Self.correlation) && run.out.contains("person 1"), "\(run.out)")
        #expect(!(run.out + run.error).contains("ada@contoso.test"))
        #expect(!(run.out + run.error).contains(Self.secret) && !run.error.contains("token-of-the-service"))
        #expect(run.error == "wrote raw.json with 1 rows. It contains personal data.\n", "\(run.error)")
        let path = tool.folder.appendingPathComponent("raw.json").path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try tool.run("policy", "log", "raw.json").out == run.out)
        let requests = service.requests
        #expect(
            requests.map(\.url.path) == [
                "/contoso.test/oauth2/v2.0/token",
                "/v1/workspaces/\(Self.id)/query", "/v1/workspaces/\(Self.id)/query",
            ])
        #expect(requests[0].form?["client_secret"] == Self.secret)
        #expect(requests[2].headers["Authorization"] == "Bearer token-of-the-service")
    }

    @Test func `a correlation id narrows the query, and a token may be ready`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let service = try Service()
        let run = try tool.run(
            ["policy", "log", "--app", Self.id, "--correlation", "0a1b2c3d"],
            environment: Self.environment(["B2C_LOG_TOKEN": "ready-token", "B2C_LOG_API": service.address]))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.out.hasPrefix("session \(Self.correlation) of B2C_1A_Asks, person 1, 1 request\n"), "\(run.out)")
        let requests = service.requests
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.json?["query"]?.stringValue?.contains("startswith '0a1b2c3d'") == true)
            #expect(request.headers["Authorization"] == "Bearer ready-token")
        }
    }

    /// A program `az` of the test.
    @Test(arguments: [
        ("echo '{\"accessToken\": \"cli-token\"}'", 0, ""), ("echo nothing", 3, "printed no accessToken"),
        ("echo 'ERROR: no account' >&2; exit 1", 3, "Run `az login`"),
    ])
    func `the Azure CLI of the PATH gives the token`(_ script: String, _ status: Int32, _ text: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let service = try Service()
        // By another process: a file that this one has open for writing cannot be started, and other tests fork.
        try tool.write("#!/bin/sh\n\(script)\n", to: "az")
        _ = try tool.shell("mkdir bin; cp az bin/az; chmod 755 bin/az")
        let path = tool.folder.appendingPathComponent("bin").path + ":/usr/bin:/bin"
        let run = try tool.run(
            ["policy", "log", "--app", Self.id, "--api", service.address],
            environment: Self.environment(["PATH": path]))
        #expect(run.status == status, "\(run.error)")
        guard status == 0 else {
            #expect(run.error.contains(text), "\(run.error)")
            return
        }
        #expect(service.requests.allSatisfy { $0.headers["Authorization"] == "Bearer cli-token" })
        #expect(!(run.out + run.error).contains("cli-token"))
    }

    @Test func `without any credential the ways to get one are named`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(
            ["policy", "log", "--app", Self.id], environment: Self.environment(["PATH": tool.folder.path]))
        #expect(run.status == 1)
        #expect(run.error.contains("az is not on the PATH") && run.error.contains("AZURE_FEDERATED_TOKEN_FILE"))
    }

    @Test(arguments: [
        (403, "InsufficientAccessError", Int32(3), "Log Analytics Reader"),
        (404, "WorkspaceNotFoundError", 3, "the workspace ID"),
        (401, "AuthenticationFailed", 3, "does not accept app"),
        (400, "BadArgumentError", 3, "Check --correlation, --policy"),
        (429, "ThrottledError", 3, "Run the command again later"),
    ])
    func `refusals end with their remedy`(_ status: Int, _ code: String, _ exit: Int32, _ remedy: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let echo = "no: token-of-the-service, \(Self.secret)"
        let answer: JSONValue = ["error": ["code": .string(code), "message": .string(echo)]]
        let service = try Service { .json(status, answer, headers: ["Retry-After": "3600"]) }
        let run = try tool.run(
            ["policy", "log", "--workspace", Self.id, "--api", service.address],
            environment: Self.environment(Self.app))
        #expect(run.status == exit, "\(run.error)")
        #expect(run.error.contains(remedy) && run.out.isEmpty, "\(run.error)")
        #expect(!run.error.contains(Self.secret) && !run.error.contains("token-of-the-service"))
        #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
    }

    @Test func `a server that is not there is said`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let port = try LoopbackServer.closedPort()
        let run = try tool.run(
            ["policy", "log", "--app", Self.id, "--api", "http://127.0.0.1:\(port)"],
            environment: Self.environment(["B2C_LOG_TOKEN": "t"]))
        #expect(run.status == 3)
        #expect(run.error.contains("cannot be reached (refused). Start the server there"), "\(run.error)")
    }

    @Test(arguments: [
        ([], "name a log: FILE, --workspace ID or --app ID"),
        (["--since", "1h"], "--since needs --workspace ID or --app ID"),
        (["x.csv", "--api", "http://localhost:1"], "--api needs --workspace ID or --app ID"),
        (["x.csv", "--app", id], "--app and x.csv exclude each other"),
        (["--workspace", id, "--app", id], "--workspace and --app exclude each other"),
        (["--workspace", "my-workspace"], "expected a GUID"),
        (["--app", id, "--since", "soon"], "neither a time span nor"),
        (["--app", id, "--api", "http://api.loganalytics.us"], "plain http"),
        (["--app", id, "--save", "-"], "--save needs a file"),
    ])
    func `options that do not fit are refused`(_ arguments: [String], _ text: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(["policy", "log"] + arguments, environment: Self.environment(["B2C_LOG_TOKEN": "t"]))
        #expect(run.status == 1)
        #expect(run.error.contains(text), "\(run.error)")
    }
}
