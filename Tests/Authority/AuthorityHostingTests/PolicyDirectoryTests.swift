import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Synchronization
import TenantFiles
import Testing
import TrustFramework

/// Custom policies that are managed over Microsoft Graph.
@Suite struct PolicyDirectoryTests {
    private static let list = PolicyStage.list

    private static func error(_ response: ResponseMessage) -> (code: String, message: String) {
        (
            response.json?["error", "code"]?.stringValue ?? "",
            response.json?["error", "message"]?.stringValue ?? response.text
        )
    }

    // MARK: Reading

    @Test(arguments: ["/beta/trustFramework/policies", "/v1.0/trustframework/policies"])
    func `the list has the ids of the tenant's policies with their parents`(path: String) async throws {
        let stage = try await PolicyStage()
        let list = try await stage.send("GET", path, token: try stage.token(["Policy.Read.All"]))
        #expect(list.status == 200)
        #expect(list.json?["value"] == [["id": "B2C_1A_Defaults"], ["id": "B2C_1A_SampleBase"]])
        #expect(list.json?["@odata.context"]?.stringValue?.hasSuffix("/$metadata#trustFramework/policies") == true)
        #expect(list.headers["request-id"]?.count == 36)
    }

    @Test func `a policy comes with its tenant filled in and without byte order mark`() async throws {
        let stage = try await PolicyStage()
        let answer = try await stage.send("GET", Self.list + "/b2c_1a_samplebase/$value")
        #expect(answer.status == 200)
        #expect(answer.headers.mediaType == "application/xml")
        #expect(answer.text == (try PolicyStage.policy(.base)))
        #expect(answer.text.contains("TenantId=\"contoso.onmicrosoft.com\""))
    }

    @Test func `a policy without $value is its id`() async throws {
        let stage = try await PolicyStage()
        let answer = try await stage.send("GET", Self.list + "('B2C_1A_Defaults')")
        #expect(answer.status == 200)
        #expect(answer.json?["id"] == "B2C_1A_Defaults")
        let missing = try await stage.send("GET", Self.list + "/B2C_1A_Nobody/$value")
        #expect(missing.status == 404)
        #expect(
            Self.error(missing).message
                == "Policy with 'policyId': B2C_1A_Nobody cannot be found in the directory 'contoso.onmicrosoft.com'.")
    }

    // MARK: Writing

    @Test func `a policy that is posted is created, and comes back as it was sent`() async throws {
        let stage = try await PolicyStage()
        let xml = try PolicyStage.party(tier: "silver", id: "B2C_1A_New")
        let answer = try await stage.send("POST", Self.list, xml)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.text == xml)
        #expect(
            answer.headers["Location"] == "https://graph.microsoft.com/beta/trustFramework/policies/B2C_1A_New/")
        #expect(try await stage.send("GET", Self.list + "/B2C_1A_New/$value").text == xml)
        let again = try await stage.send("POST", Self.list, xml)
        #expect(again.status == 400)
        #expect(Self.error(again).message.contains("already has a policy with id \"B2C_1A_New\""))
    }

    @Test func `a policy that is put is created or updated`() async throws {
        let stage = try await PolicyStage()
        let updated = try await stage.put("B2C_1A_Defaults", try PolicyStage.party(tier: "silver"))
        #expect(updated.status == 200, "\(updated.text)")
        let created = try await stage.put("B2C_1A_New", try PolicyStage.party(tier: "iron", id: "B2C_1A_New"))
        #expect(created.status == 201, "\(created.text)")
        #expect(try await stage.ids() == ["B2C_1A_Defaults", "B2C_1A_New", "B2C_1A_SampleBase"])
        #expect(try await stage.send("DELETE", Self.list + "/B2C_1A_New").status == 204)
        #expect(try await stage.ids() == ["B2C_1A_Defaults", "B2C_1A_SampleBase"])
        #expect(try await stage.send("DELETE", Self.list + "/B2C_1A_New").status == 404)
    }

    /// What is wrong with an upload, and how the answer says so.
    struct Refused: Sendable, CustomTestStringConvertible {
        var what: String
        var target = "/B2C_1A_Defaults/$value"
        var type = "application/xml"
        var status = 400
        var code = "AADB2C"
        var message: String
        var xml: @Sendable () throws -> String

        var testDescription: String { what }
    }

    @Test(arguments: [
        Refused(
            what: "not XML", message: "The policy being uploaded is not XML or is not correctly formatted: "
        ) { "<TrustFrameworkPolicy" },
        Refused(
            what: "JSON", type: "application/json",
            message: "is not correctly formatted: The content type is application/json"
        ) { "{}" },
        Refused(what: "another root", message: "Line 1, position 1.") { "<Policy/>" },
        Refused(what: "no body", code: "UnknownError", message: "No HTTP resource was found") { "" },
        Refused(what: "another id", message: "is not same as the PolicyId in the policy xml 'B2C_1A_Other'") {
            try PolicyStage.policy(id: "B2C_1A_Other")
        },
        Refused(
            what: "another tenant", code: "AADB2C95044",
            message: "TenantId in the policy xml 'fabrikam.onmicrosoft.com' is not same as the one in login tenant "
                + "'contoso.onmicrosoft.com'."
        ) {
            try PolicyStage.policy(.party, [("contoso.onmicrosoft.com", "fabrikam.onmicrosoft.com")])
        },
        Refused(
            what: "no parent",
            message: "Policy with 'policyId': B2C_1A_Gone cannot be found in the directory 'contoso.onmicrosoft.com'."
        ) {
            try PolicyStage.policy(.party, [("B2C_1A_SampleBase", "B2C_1A_Gone")])
        },
        Refused(what: "its own parent", message: "is not allowed to inherit from the specified base policy") {
            try PolicyStage.policy(.party, [("<PolicyId>B2C_1A_SampleBase", "<PolicyId>B2C_1A_Defaults")])
        },
        Refused(what: "too large", code: "AADB2C95024", message: "1024 KB") {
            try PolicyStage.policy(.party) + String(repeating: " ", count: 1024 * 1024)
        },
        Refused(
            what: "a claim that nobody declares",
            message: " validation error(s) found in policy \"B2C_1A_DEFAULTS\" of tenant "
                + "\"contoso.onmicrosoft.com\"."
        ) {
            try PolicyStage.policy(.party, [("ClaimTypeReferenceId=\"tier\"", "ClaimTypeReferenceId=\"nothing\"")])
        },
        Refused(
            what: "no $value", target: "/B2C_1A_Defaults", code: "AADB2C99009", message: "$value"
        ) {
            try PolicyStage.policy(.party)
        },
    ])
    func `a wrong upload is refused in the words of the service`(wrong: Refused) async throws {
        let stage = try await PolicyStage()
        let answer = try await stage.send("PUT", Self.list + wrong.target, try wrong.xml(), type: wrong.type)
        let (code, message) = Self.error(answer)
        #expect(answer.status == wrong.status)
        #expect(code == wrong.code)
        #expect(message.contains(wrong.message), "\(message)")
        #expect(answer.json?["error", "innerError", "request-id"]?.stringValue == answer.headers["request-id"])
        #expect((answer.json?["error", "innerError", "correlationId"] != nil) == code.hasPrefix("AADB2C"))
        #expect(
            try await stage.send("GET", Self.list + "/B2C_1A_Defaults/$value").text == (try PolicyStage.policy()))
    }

    @Test func `inheritance has ten levels at most`() async throws {
        let stage = try await PolicyStage()
        // The base has one more that is built in, which has no file.
        var parent = "B2C_1A_SampleBase"
        for level in 2...11 {
            let id = "B2C_1A_Level\(level)"
            let answer = try await stage.put(
                id, try PolicyStage.policy(.party, id: id, [("<PolicyId>B2C_1A_SampleBase", "<PolicyId>\(parent)")]))
            if answer.status != 201 {
                #expect(Self.error(answer).message.contains("deeper than 10 levels"), "\(answer.text)")
                #expect(level >= 9)
                return
            }
            parent = id
        }
        Issue.record("a policy with eleven levels was accepted")
    }

    @Test func `a tenant has 200 policies and user flows at most`() async throws {
        let stage = try await PolicyStage(rules: { _, _, _, _ in nil })
        for number in 4...200 {
            let id = "B2C_1A_N\(number)"
            #expect(try await stage.put(id, try PolicyStage.policy(.base, id: id)).status == 201)
        }
        let answer = try await stage.put("B2C_1A_Last", try PolicyStage.policy(.base, id: "B2C_1A_Last"))
        #expect(answer.status == 400)
        #expect(Self.error(answer).message.contains("200 policies and user flows"))
        #expect(try await stage.put("B2C_1A_N9", try PolicyStage.policy(.base, id: "B2C_1A_N9")).status == 200)
    }

    @Test func `the program's rules see the policy with its parents, root first`() async throws {
        let seen = Mutex<[String]>([])
        let stage = try await PolicyStage(rules: { id, chain, domain, _ in
            seen.withLock { $0 = [id, domain] + chain.map(\.file) }
            return "Validation failed: no."
        })
        let answer = try await stage.put("B2C_1A_Defaults", try PolicyStage.policy())
        #expect(Self.error(answer).message == "Validation failed: no.")
        #expect(
            seen.withLock { $0 } == [
                "B2C_1A_Defaults", "contoso.onmicrosoft.com", "B2C_1A_SampleBase.xml", "B2C_1A_Defaults.xml",
            ])
    }

    /// A store whose first write waits.
    private final class HeldStore: StateStore {
        let began: AsyncStream<Void>
        private let begin: AsyncStream<Void>.Continuation
        private let ended: AsyncStream<Void>
        private let end: AsyncStream<Void>.Continuation
        var keepsState: Bool { true }

        init() {
            (began, begin) = AsyncStream.makeStream()
            (ended, end) = AsyncStream.makeStream()
        }

        func open() { end.finish() }

        func commit(_ changes: [RowChange], upTo sequence: UInt64) async throws {
            begin.yield()
            for await _ in ended {}
        }
    }

    @Test func `two writes of one policy at a time are refused`() async throws {
        let store = HeldStore()
        let stage = try await PolicyStage(store: store)
        let xml = try PolicyStage.policy()
        async let first = stage.put("B2C_1A_Defaults", xml)
        for await _ in store.began { break }
        let second = try await stage.put("B2C_1A_Defaults", xml)
        #expect(second.status == 409)
        #expect(Self.error(second).code == "AADB2C95053")
        store.open()
        #expect(try await first.status == 200)
        #expect(try await stage.put("B2C_1A_Defaults", xml).status == 200)
    }

    // MARK: Permissions

    @Test(
        arguments: [
            ("GET", [], false, 403), ("GET", ["Policy.Read.All"], false, 200),
            ("GET", ["Policy.ReadWrite.TrustFramework"], false, 200), ("GET", ["User.ReadWrite.All"], false, 403),
            ("GET", ["Policy.Read.All"], true, 200), ("GET", ["User.Read"], true, 403),
            ("POST", ["Policy.Read.All"], false, 403),
        ] as [(String, [String], Bool, Int)])
    func `each request needs its permission`(
        method: String, permissions: [String], isOfPerson: Bool, status: Int
    ) async throws {
        let stage = try await PolicyStage()
        let answer = try await stage.send(
            method, Self.list, method == "GET" ? "" : try PolicyStage.policy(id: "B2C_1A_New"),
            token: try stage.token(permissions, isOfPerson: isOfPerson))
        #expect(answer.status == status)
        guard status == 403 else { return }
        let names = method == "GET" ? "Policy.Read.All, Policy.ReadWrite.TrustFramework" : PolicyStage.writing[0]
        #expect(
            Self.error(answer).message
                == "The application does not have any of the required \(isOfPerson ? "delegated" : "application") "
                + "permissions (\(names)) to access the resource.")
    }

    @Test func `a request without token gets 401`() async throws {
        let stage = try await PolicyStage()
        var request = try stage.request("GET", Self.list)
        request.headers["Authorization"] = nil
        let answer = try await stage.network.send(request, ExchangeContext())
        #expect(answer.status == 401)
        #expect(Self.error(answer).code == "InvalidAuthenticationToken")
    }

    @Test func `other methods are refused`() async throws {
        let stage = try await PolicyStage()
        #expect(try await stage.send("PATCH", Self.list + "/B2C_1A_Defaults").status == 405)
    }

    // MARK: What sign-ins see

    @Test func `sign-ins see an upload half an hour later`() async throws {
        let stage = try await PolicyStage()
        #expect(try await stage.signIn() == "gold")
        try await stage.put("B2C_1A_Defaults", try PolicyStage.party(tier: "silver"))
        #expect(try await stage.signIn() == "gold")
        stage.advance(minutes: 20)
        try await stage.put("B2C_1A_Defaults", try PolicyStage.party(tier: "iron"))
        stage.advance(minutes: 9)
        #expect(try await stage.signIn() == "gold")
        stage.advance(minutes: 1)
        #expect(try await stage.signIn() == "silver")
        stage.advance(minutes: 20)
        #expect(try await stage.signIn() == "iron")
    }

    @Test func `a relying party in development is seen at once, and so are its parents`() async throws {
        let stage = try await PolicyStage()
        try await stage.put("B2C_1A_Defaults", try PolicyStage.party(tier: "silver", mode: "Development"))
        #expect(try await stage.signIn() == "silver")
        try await stage.put("B2C_1A_SampleBase", try PolicyStage.baseWithoutClaim())
        #expect(try await stage.signIn() == "AADB2C90037")
        try await stage.put("B2C_1A_SampleBase", try PolicyStage.policy(.base))
        #expect(try await stage.signIn() == "silver")
    }

    @Test func `a new relying party is seen at once, its changes later`() async throws {
        let stage = try await PolicyStage()
        #expect(try await stage.signIn("B2C_1A_New") == "HTTP 404")
        try await stage.put("B2C_1A_New", try PolicyStage.party(tier: "new", id: "B2C_1A_New"))
        #expect(try await stage.signIn("B2C_1A_New") == "new")
        try await stage.put("B2C_1A_New", try PolicyStage.party(tier: "newer", id: "B2C_1A_New"))
        #expect(try await stage.signIn("B2C_1A_New") == "new")
        #expect(try await stage.signIn() == "gold")
        stage.advance(minutes: 30)
        #expect(try await stage.signIn("B2C_1A_New") == "newer")
    }

    @Test func `a child that no longer fits its parent fails, and the other policies go on`() async throws {
        let stage = try await PolicyStage()
        let free = try PolicyStage.policy(
            .party, id: "B2C_1A_Free", [("ClaimTypeReferenceId=\"tier\"", "ClaimTypeReferenceId=\"displayName\"")])
        try await stage.put("B2C_1A_Free", free)
        #expect(try await stage.put("B2C_1A_SampleBase", try PolicyStage.baseWithoutClaim()).status == 200)
        #expect(try await stage.signIn() == "gold")
        stage.advance(minutes: 30)
        #expect(try await stage.signIn() == "AADB2C90037")
        #expect(try await stage.signIn("B2C_1A_Free") == nil)
        try await stage.put("B2C_1A_SampleBase", try PolicyStage.policy(.base))
        stage.advance(minutes: 30)
        #expect(try await stage.signIn() == "gold")
    }

    @Test func `a policy that is deleted is gone half an hour later`() async throws {
        let stage = try await PolicyStage()
        #expect(try await stage.send("DELETE", Self.list + "/B2C_1A_Defaults").status == 204)
        #expect(try await stage.signIn() == "gold")
        stage.advance(minutes: 30)
        #expect(try await stage.signIn() == "HTTP 404")
    }

    @Test func `a world without uploads keeps the policies that it was made with`() async throws {
        let stage = try await PolicyStage()
        _ = try await stage.ids()
        stage.advance(minutes: 600)
        #expect(try await stage.signIn() == "gold")
        #expect(stage.directory.served === stage.compiled)
    }

    @Test func `what was uploaded stays when the tenant file changes`() async throws {
        let stage = try await PolicyStage()
        try await stage.put("B2C_1A_Defaults", try PolicyStage.party(tier: "silver", mode: "Development"))
        let patch: JSONValue = ["users": ["eve": ["email": "eve@example.test", "password": "Evening-2026"]]]
        await stage.environment.configure(try stage.compiled.patched(patch), patch: patch)
        #expect(try await stage.signIn() == "silver")
        #expect(stage.directory.served.tenant.user(named: "eve") != nil)
    }
}
