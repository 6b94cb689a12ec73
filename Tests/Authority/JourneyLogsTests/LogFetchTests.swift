import AzureSignIn
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import JourneyLogs
import TestSupport
import Testing

/// Logs that are fetched: windows of time, busy and failing services, refusals with their remedies.
struct LogFetchTests {
    private static let id = "3f1c9a3e-0000-4000-8000-000000000001"

    private static func problem(
        _ service: QueryService, _ kind: LogSource.Kind = .app,
        variables: [String: String] = ["B2C_LOG_TOKEN": "token-1"]
    ) async throws -> AzureProblem? {
        do throws(AzureProblem) {
            _ = try await fetch(service, kind, since: "1h", with: service.surroundings(variables))
            return nil
        } catch {
            return error
        }
    }

    @discardableResult
    private static func fetch(
        _ service: QueryService, _ kind: LogSource.Kind = .app, since: String = "1h", correlation: String? = nil,
        policy: String? = nil, api: String? = nil, with surroundings: AzureSurroundings? = nil
    ) async throws(AzureProblem) -> LogFetch.Result {
        var fetch = try LogFetch(
            try LogSource(kind, id: id, api: api), try LogRange(since: since, until: nil, now: QueryService.start),
            correlation: correlation, policy: policy, surroundings: surroundings ?? service.surroundings())
        return try await fetch.run()
    }

    // MARK: Rows

    @Test func `rows are counted, fetched and read`() async throws {
        let service = QueryService(rows: 5)
        let found = try await Self.fetch(service)
        #expect(found.rows == 5 && found.counted == 5 && found.requests == 2 && found.findings.isEmpty)
        let log = try RecorderLog(files: [("app", found.bytes)])
        #expect(log.findings.map(\.description) == [])
        #expect(log.entries.map(\.correlationID) == [Sessions.correlation])
        #expect(service.requests.allSatisfy { $0.headers["Authorization"] == "Bearer token-1" })
        #expect(service.requests[0].url.description == "https://api.applicationinsights.io/v1/apps/\(Self.id)/query")
        let span = "\((QueryService.start - .hours(1)).rfc3339)/\(QueryService.start.rfc3339)"
        #expect(service.requests.allSatisfy { $0.json?["timespan"]?.stringValue == span })
    }

    @Test func `many rows come in several windows, each one once`() async throws {
        let service = QueryService(rows: 50_000)
        let found = try await Self.fetch(service, since: "1d")
        #expect(found.rows == 50_000 && found.counted == 50_000)
        #expect(found.requests > 3)
        let log = try RecorderLog(files: [("app", found.bytes)])
        #expect(log.findings.map(\.description) == [])
        let times = log.session(try #require(log.entries.first)).requests.compactMap(\.time)
        #expect(times.count == 50_000 && times == times.sorted() && Set(times).count == times.count)
    }

    @Test func `long messages make windows too`() async throws {
        let service = QueryService(rows: 1000, length: 30_000)
        #expect(try await Self.fetch(service, since: "1h").rows == 1000)
        #expect(service.queries.count { !$0.contains("summarize") } > 1)
    }

    @Test(arguments: [1, 3, 7])
    func `a window that the service cuts off is divided`(_ most: Int) async throws {
        let service = QueryService(rows: 20, most: most)
        let found = try await Self.fetch(service)
        #expect(found.rows == 20 && found.findings.isEmpty)
        let log = try RecorderLog(files: [("app", found.bytes)])
        #expect(log.findings.map(\.description) == [])
    }

    @Test(arguments: [
        QueryService.Trouble.answer(504, QueryService.error("GatewayTimeout", "Gateway timeout"), [:]),
        .answer(413, [:], [:]),
        .answer(400, QueryService.error("ResponsePayloadTooLarge", "The answer is too large"), [:]),
        .answer(
            200,
            QueryService.table(
                ["timestamp", "message", "customDimensions"],
                [["OneApiErrors": [["error": QueryService.tooLarge]], "Exceptions": ["x"]]]), [:]),
    ])
    func `an answer that is too large or too slow is asked for in halves`(_ trouble: QueryService.Trouble) async throws
    {
        let count = QueryService.table(["Start", "Found", "Characters"], [["2026-11-02T09:00:00Z", 4, 400]])
        let service = QueryService(rows: 4, troubles: [.answer(200, count, [:]), trouble])
        let found = try await Self.fetch(service)
        #expect(found.rows == 4 && found.requests == 4 && found.findings.isEmpty)
    }

    @Test func `a fetch sends a limited number of requests`() async throws {
        let spans: [JSONValue] = (0..<5000).map { index in
            [.string((QueryService.start - .minutes(10) + .milliseconds(Int64(index) * 100)).rfc3339), 20_000, 400]
        }
        let service = QueryService(
            rows: 550, troubles: [.answer(200, QueryService.table(["Start", "Found", "Characters"], spans), [:])])
        let problem = await #expect(throws: AzureProblem.self) { try await Self.fetch(service, since: "10m") }
        #expect(service.requests.count == 1000)
        #expect(
            problem?.text
                == "the log of app \(Self.id) needs more than 1000 requests, the limit of a fetch; 50 of the 100000000 rows "
                + "that the service counted were read")
        #expect(problem?.kind == .service && problem?.remedy.contains("--correlation or --policy") == true)
    }

    @Test func `a fetch divides a limited number of windows`() async throws {
        let service = QueryService(rows: 3000, most: 1)
        let problem = await #expect(throws: AzureProblem.self) { try await Self.fetch(service) }
        #expect(service.requests.count < 700)
        let text = try #require(problem?.text)
        #expect(text.contains("needs more than 300 divided windows of time, the limit of a fetch; "), "\(text)")
        #expect(text.contains(" of the 3000 rows that the service counted were read"), "\(text)")
        #expect(problem?.remedy.contains("--since and --until") == true)
    }

    @Test func `rows that the service does not return are reported`() async throws {
        let found = try await Self.fetch(QueryService(rows: 5, hidden: 2))
        #expect(found.rows == 3)
        #expect(
            found.findings.map(\.description) == [
                "warning: the service returned 3 of the 5 rows that it counted [B2C-LOG-008] (Run the command again, or ask "
                    + "for a shorter time with --since and --until.)"
            ])
    }

    @Test func `a part of the rows for another reason is an error`() async throws {
        let partial: JSONValue = QueryService.table(["Start"], []).merging(
            patch: QueryService.error("PartialError", "Shard 3 of ada@contoso.com is offline"))
        let service = QueryService(troubles: Array(repeating: .answer(200, partial, [:]), count: 3))
        let problem = try await Self.problem(service)
        #expect(
            problem?.text.hasSuffix("returns a part of the rows only: Shard 3 of ada@contoso.com is offline") == true)
        #expect(service.requests.count == 3)
    }

    @Test func `a range without rows is said with what was asked`() async throws {
        let service = QueryService(rows: 0)
        let problem = await #expect(throws: AzureProblem.self) {
            try await Self.fetch(service, correlation: "0a1b", policy: "B2C_1A_x")
        }
        #expect(problem?.kind == .empty)
        #expect(
            problem?.text.hasPrefix(
                "app \(Self.id) has no rows of the journey recorder with the correlation id 0a1b of B2C_1A_x between ")
                == true)
        #expect(problem?.remedy.contains("--since 1d") == true)
    }

    @Test(arguments: [
        ("1h", "Look further back with --since 1d; rows arrive"),
        ("1d", "Look further back with --since 7d; rows arrive"),
        ("2d", "Look further back with --since 7d; "), ("PT200H", "Look further back with --since 30d; "),
        ("2026-10-01", "Look further back with --since 90d; "), ("90d", "Rows arrive some minutes after"),
        ("52w", "Rows arrive some minutes after"),
    ])
    func `the remedy for no rows is an earlier beginning than was asked for`(_ since: String, _ words: String) async {
        let service = QueryService(rows: 0)
        let problem = await #expect(throws: AzureProblem.self) { try await Self.fetch(service, since: since) }
        #expect(problem?.remedy.hasPrefix(words) == true, "\(problem?.remedy ?? "")")
    }

    // MARK: Queries

    @Test func `the service narrows to a correlation id and a policy`() async throws {
        let service = QueryService()
        try await Self.fetch(service, correlation: "0a'1\\b", policy: "B2C_1A_x")
        for query in service.queries {
            #expect(
                query.contains(#"| where tostring(customDimensions.CorrelationId) startswith '0a\'1\\b'"#), "\(query)")
            #expect(query.contains("| where tostring(customDimensions.UserJourney) =~ 'B2C_1A_x'"))
            #expect(query.hasPrefix("traces\n| where timestamp >= datetime("))
        }
        #expect(
            service.queries[1].hasSuffix(
                "| order by timestamp asc, itemId asc\n| project timestamp, message, customDimensions, cloud_RoleInstance, "
                    + "operation_Id, itemId, itemCount"))
    }

    @Test func `a workspace is asked by the names of its table`() async throws {
        let service = QueryService()
        try await Self.fetch(service, .workspace)
        #expect(service.requests[0].url.description == "https://api.loganalytics.io/v1/workspaces/\(Self.id)/query")
        #expect(service.queries.allSatisfy { $0.hasPrefix("AppTraces\n| where TimeGenerated >= datetime(") })
        #expect(
            service.queries[1].hasSuffix(
                "| order by TimeGenerated asc\n| project TimeGenerated, Message, Properties, AppRoleInstance, OperationId, "
                    + "ItemCount"))
    }

    // MARK: Busy and broken

    @Test func `a busy service is left alone as long as it asks`() async throws {
        let busy = QueryService.Trouble.answer(429, [:], ["Retry-After": "7"])
        let service = QueryService(troubles: [busy, .answer(429, [:], [:]), busy])
        #expect(try await Self.fetch(service).rows == 3)
        #expect(service.waits == [7, 4, 7])
        #expect(service.lines.first == "app \(Self.id) is busy (HTTP 429): waiting 7 s")
    }

    @Test func `waits have an end`() async throws {
        let long = QueryService(troubles: [.answer(429, [:], ["Retry-After": "3600"])])
        #expect(try await Self.problem(long)?.text.hasSuffix("asks for a wait of 3600 seconds") == true)
        #expect(long.waits.isEmpty)
        let service = QueryService(troubles: Array(repeating: .answer(429, [:], ["Retry-After": "60"]), count: 9))
        #expect(try await Self.problem(service)?.text.contains("is busy (HTTP 429)") == true)
        #expect(service.waits == [60, 60, 60, 60, 60])
    }

    @Test func `a failing service and a broken connection are asked again`() async throws {
        let down = QueryService.Trouble.answer(503, [:], [:])
        let service = QueryService(troubles: [down, .failure(.reset), .answer(500, [:], ["Retry-After": "9"])])
        #expect(try await Self.fetch(service).rows == 3)
        #expect(service.waits == [1, 2, 9])
        let lasting = QueryService(troubles: Array(repeating: down, count: 9))
        #expect(try await Self.problem(lasting)?.text.contains("failed several times with HTTP 503") == true)
        #expect(lasting.requests.count == 4)
    }

    @Test(arguments: [
        (TransportError.dns, "cannot be resolved", "https_proxy"), (.tls, "is not trusted", "B2C_CA_FILE"),
        (.timeout, "did not answer in time", "--since"), (.refused, "cannot be reached (refused)", "firewall"),
        (.offline, "cannot be reached (offline)", "network"), (.other("odd"), "odd", "--api"),
    ])
    func `each failure of the network has a remedy`(
        _ error: TransportError, _ text: String, _ remedy: String
    ) async throws {
        let service = QueryService(troubles: [.failure(error)])
        let problem = try await Self.problem(service)
        #expect(problem?.text.contains(text) == true, "\(problem as Any)")
        #expect(problem?.remedy.contains(remedy) == true, "\(problem as Any)")
        #expect(service.requests.count == 1)
    }

    @Test func `a token that ends on the way is renewed once`() async throws {
        let ended = QueryService.Trouble.answer(401, QueryService.error("AuthenticationFailed", "expired"), [:])
        let count = QueryService.table(["Start", "Found", "Characters"], [["2026-11-02T09:00:00Z", 3, 300]])
        let variables = ["AZURE_TENANT_ID": "contoso.com", "AZURE_CLIENT_ID": Self.id, "AZURE_CLIENT_SECRET": "s3cret"]
        let service = QueryService(troubles: [.answer(200, count, [:]), ended])
        #expect(try await Self.fetch(service, with: service.surroundings(variables)).rows == 3)
        #expect(service.forms.count == 2)
        let refused = QueryService(troubles: [.answer(200, count, [:]), ended, ended])
        #expect(try await Self.problem(refused, variables: variables)?.text.contains("does not accept") == true)
        #expect(refused.forms.count == 2)
    }

    // MARK: Refusals

    private struct Refusal: Sendable {
        var kind: LogSource.Kind = .app
        var trouble: QueryService.Trouble
        var text: String
        var remedy: String
    }

    private static let refusals: [Refusal] = [
        Refusal(
            trouble: .answer(401, QueryService.error("AuthenticationFailed", "no token"), [:]), text: "does not accept",
            remedy: "az account get-access-token --resource https://api.applicationinsights.io"),
        Refusal(
            trouble: .answer(
                403, QueryService.error("InvalidAuthenticationToken", "The access token is invalid."), [:]),
            text: "The access token is invalid.", remedy: "It has expired or is damaged."),
        Refusal(
            kind: .workspace,
            trouble: .answer(403, QueryService.error("InvalidAuthenticationTokenAudience", "wrong audience"), [:]),
            text: "is for another API", remedy: "--resource https://api.loganalytics.io"),
        Refusal(
            kind: .workspace,
            trouble: .answer(403, QueryService.error("InsufficientAccessError", "insufficient access"), [:]),
            text: "may not read workspace", remedy: "Log Analytics Reader"),
        Refusal(
            trouble: .answer(403, QueryService.error("InsufficientAccessError", "insufficient access"), [:]),
            text: "may not read app", remedy: "Reader or Monitoring Reader"),
        Refusal(
            kind: .workspace, trouble: .answer(404, QueryService.error("WorkspaceNotFoundError", "not found"), [:]),
            text: "is not found (HTTP 404: not found)", remedy: "the workspace ID of Log Analytics workspace > Overview"
        ),
        Refusal(
            trouble: .answer(404, QueryService.error("PathNotFoundError", "The requested path does not exist"), [:]),
            text: "The requested path does not exist", remedy: "Configure > API Access"),
        Refusal(
            kind: .workspace,
            trouble: .answer(
                400,
                QueryService.error(
                    "BadArgumentError", "The request had some invalid properties",
                    inner: [
                        "code": "SemanticError", "message": "A semantic error occurred.",
                        "innererror": [
                            "code": "SEM0100",
                            "message": "'where' operator: Failed to resolve table expression named 'AppTraces'",
                        ],
                    ]), [:]), text: "has no table AppTraces", remedy: "--app APPLICATION-ID"),
        Refusal(
            trouble: .answer(
                400,
                QueryService.error(
                    "BadArgumentError", "invalid", inner: ["code": "SemanticError", "message": "named 'traces'"]), [:]),
            text: "has no table traces", remedy: "--workspace \(id)"),
        Refusal(
            trouble: .answer(400, QueryService.error("BadArgumentError", "invalid properties"), [:]),
            text: "refuses the query: invalid properties", remedy: "--correlation"),
        Refusal(
            trouble: .redirect("https://portal.contoso.test/login?secret=1"),
            text: "a redirect to portal.contoso.test,",
            remedy: "--api"),
        Refusal(trouble: .page("<html>Sign in</html>"), text: "answers with an HTML page", remedy: "https_proxy"),
        Refusal(trouble: .answer(200, ["ok": true], [:]), text: "something else instead of rows", remedy: "--api"),
        Refusal(trouble: .answer(418, [:], [:]), text: "answers with HTTP 418", remedy: "--api"),
    ]

    @Test(arguments: refusals.indices)
    func `each refusal is one sentence with its remedy`(_ index: Int) async throws {
        let refusal = Self.refusals[index]
        let service = QueryService(troubles: [refusal.trouble])
        let problem = try #require(try await Self.problem(service, refusal.kind))
        #expect(problem.kind == .service)
        #expect(problem.text.contains(refusal.text), "\(problem)")
        #expect(problem.remedy.contains(refusal.remedy), "\(problem)")
        #expect(!problem.description.contains("token-1") && !problem.description.contains("secret=1"), "\(problem)")
        #expect(service.requests.count == 1)
    }

    // MARK: Secrets in answers

    @Test(arguments: SecretEchoes.forms.indices)
    func `an access token is masked wherever the service repeats it`(_ index: Int) async throws {
        let echo = SecretEchoes.forms[index](SecretEchoes.sent)
        let partial = QueryService.table(["Start"], []).merging(patch: QueryService.error("PartialError", echo))
        let answers: [QueryService.Trouble] = [
            .answer(400, QueryService.error("BadArgumentError", "invalid: \(echo)"), [:]),
            .answer(401, QueryService.error("AuthenticationFailed", "token \(echo) is not valid"), [:]),
            .answer(403, QueryService.error("InsufficientAccessError", echo), [:]),
            .answer(404, QueryService.error("PathNotFoundError", "no\n\(echo)"), [:]),
            .answer(418, QueryService.error(echo, ""), [:]), .answer(200, partial, [:]),
            .failure(.other("closed: \(echo)")),
        ]
        for answer in answers {
            let service = QueryService(troubles: Array(repeating: answer, count: 4))
            let variables = ["B2C_LOG_TOKEN": SecretEchoes.sent]
            let problem = try #require(try await Self.problem(service, variables: variables))
            #expect(SecretEchoes.isMasked(echo, in: problem.description), "\(problem) \(echo)")
        }
    }

    @Test func `a token at the place where words are cut is masked`() async throws {
        let words = String(repeating: "x", count: 390) + SecretEchoes.sent
        let service = QueryService(troubles: [.answer(403, QueryService.error("InsufficientAccessError", words), [:])])
        let problem = try await Self.problem(service, variables: ["B2C_LOG_TOKEN": SecretEchoes.sent])
        #expect(problem?.text.contains("xxx<secret>)") == true, "\(problem as Any)")
    }

    @Test func `a token in the address of a redirect is masked`() async throws {
        let service = QueryService(troubles: [.redirect("https://plain-value-of-the-api.evil.test/")])
        let problem = try await Self.problem(service, variables: ["B2C_LOG_TOKEN": "Plain-Value-of-the-API"])
        #expect(problem?.text.contains("a redirect to <secret>.evil.test,") == true, "\(problem as Any)")
    }

    // MARK: Options

    @Test(arguments: [
        ("30m", "2026-11-02T08:40:00Z"), ("1h", "2026-11-02T08:10:00Z"), ("2d", "2026-10-31T09:10:00Z"),
        ("90s", "2026-11-02T09:08:30Z"), ("1w", "2026-10-26T09:10:00Z"),
        ("PT1H30M", "2026-11-02T07:40:00Z"),
        ("2026-11-02T09:00:00Z", "2026-11-02T09:00:00Z"), ("2026-11-02T10:00:00+01:00", "2026-11-02T09:00:00Z"),
        ("2026-11-02T09:00Z", "2026-11-02T09:00:00Z"), ("2026-11-02T09:00", "2026-11-02T09:00:00Z"),
        ("2026-11-02", "2026-11-02T00:00:00Z"), ("2026-11-02T09:00:00", "2026-11-02T09:00:00Z"),
    ])
    func `times are read`(_ text: String, _ expected: String) throws {
        let range = try LogRange(since: text, until: nil, now: QueryService.start)
        #expect(range.since.rfc3339 == expected)
        #expect(range.until == QueryService.start)
    }

    @Test func `an end without a beginning is an hour`() throws {
        let range = try LogRange(since: nil, until: "1d", now: QueryService.start)
        #expect(range.until == QueryService.start - .days(1) && range.since == range.until - .hours(1))
    }

    @Test(
        arguments: [
            ("yesterday", nil), ("1y", nil), ("0h", nil), ("-1h", nil), ("9999999999999999999h", nil), ("h", nil),
            ("", nil),
            ("1h", "2h"), ("2026-11-03", nil), ("PT0S", nil), ("2026-13-01", nil),
        ] as [(String, String?)])
    func `other times are refused`(_ since: String, _ until: String?) {
        let problem = #expect(throws: AzureProblem.self) {
            try LogRange(since: since, until: until, now: QueryService.start)
        }
        #expect(problem?.kind == .usage && problem?.remedy.isEmpty == false)
    }

    @Test(
        arguments: [
            (LogSource.Kind.workspace, nil, "https://api.loganalytics.io", "https://api.loganalytics.io"),
            (.app, nil, "https://api.applicationinsights.io", "https://api.applicationinsights.io"),
            (
                .workspace, "https://api.loganalytics.us/v1/", "https://api.loganalytics.us",
                "https://api.loganalytics.us"
            ),
            (
                .workspace, "https://api.loganalytics.azure.com", "https://api.loganalytics.azure.com",
                "https://api.loganalytics.io"
            ),
            (
                .app, "http://localhost:9400/", "http://localhost:9400", "https://api.applicationinsights.io"
            ),
            (.app, "http://127.0.0.1:9400/logs", "http://127.0.0.1:9400/logs", "https://api.applicationinsights.io"),
        ] as [(LogSource.Kind, String?, String, String)])
    func `addresses of clouds and of a server of your own`(
        _ kind: LogSource.Kind, _ api: String?, _ address: String, _ audience: String
    ) throws {
        let source = try LogSource(kind, id: Self.id, api: api)
        #expect(source.api.description == address)
        #expect(source.audience == audience)
    }

    @Test(
        arguments: [
            ("http://api.loganalytics.io", id, "plain http"), ("ftp://x.test", id, "not an address"),
            ("https://u:p@x.test", id, "a user"), ("https://x.test?a=b", id, "a query"), ("x", id, "not an address"),
            (nil, "my-workspace", "expected a GUID"), (nil, "DEMO_APP", "expected a GUID"),
            (nil, "/subscriptions/1/x", "expected a GUID"),
            ("http://localhost:9400", "../x", "expected a GUID"), (nil, "", "expected a GUID"),
        ] as [(String?, String, String)])
    func `addresses and ids that cannot be one are refused`(_ api: String?, _ id: String, _ text: String) {
        let problem = #expect(throws: AzureProblem.self) { try LogSource(.workspace, id: id, api: api) }
        #expect(problem?.text.contains(text) == true && problem?.kind == .usage, "\(problem as Any)")
        #expect(problem?.text.contains("u:p") == false)
    }
}
