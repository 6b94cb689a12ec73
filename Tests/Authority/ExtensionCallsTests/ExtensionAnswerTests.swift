import Determinism
import Diagnostics
import ExtensionCalls
import HTTPMessages
import JSON
import Testing

/// What the service makes of an answer, the table behind it, and the comparison with a REST technical profile.
struct ExtensionAnswerTests {
    private func outcome(_ receiver: Receiver) async throws -> ExtensionOutcome {
        let transport = ReceiverTransport(receiver)
        return try await Sample.call(receiver.event).send(
            over: transport, clock: transport.time.clock, using: SeededGenerator(seed: 5))
    }

    /// Receiver, row of the service's table, its name, and place.
    @Test(
        arguments: [
            ("certificate", 1003027, "CustomExtensionConnectionError", nil),
            ("time-out", 1003005, "CustomExtensionTimedOut", nil),
            ("not-found", 1003002, "CustomExtensionInvalidHTTPStatus", nil),
            ("throttled", 1003004, "CustomExtensionThrottlingError", nil),
            ("empty", 1003009, "CustomExtensionEmptyResponse", nil),
            ("html", 1003006, "CustomExtensionInvalidResponseContentType", nil),
            ("not-json", 1003003, "CustomExtensionInvalidResponseBody", ""),
            ("schema-version", 1003008, "CustomExtensionInvalidResponseApiSchemaVersion", "/data/apiSchemaVersion"),
            ("too-big", 1003024, "CustomExtensionResponseSizeExceeded", nil),
            ("action-count", 1003010, "CustomExtensionInvalidNumberOfActions", "/data/actions"),
            ("action-type", 1003012, "CustomExtensionInvalidActionType", "/data/actions/0/@odata.type"),
            ("claims-null", 1003007, "CustomExtensionNullClaimsResponse", "/data/actions/0/claims"),
            ("claims-size", 1003025, "CustomExtensionResponseClaimsSizeExceeded", "/data/actions/0/claims"),
            ("claim-name", 1003026, "CustomExtensionNullOrEmptyClaimKeyNotSupported", "/data/actions/0/claims/"),
            ("claim-type", 1003003, "CustomExtensionInvalidResponseBody", "/data/actions/0/claims/points"),
        ] as [(String, Int, String, String?)])
    func `an error has its row`(_ row: (name: String, code: Int, service: String, place: String?)) async throws {
        let receiver = try #require(Receiver.broken.first { $0.name == row.name })
        let outcome = try await outcome(receiver)
        let finding = try #require(outcome.findings.first)
        #expect(outcome.findings.count == 1 && finding.id == row.name && finding.severity == .error)
        #expect(finding.code == row.code && finding.name == row.service)
        #expect(finding.pointer?.description == row.place)
        #expect(outcome.action == nil)
        #expect(outcome.whatServiceDoes.contains("\(row.code) \(row.service)"))
        #expect(outcome.whatServiceDoes.contains("(inferred)") == finding.isInferred)
    }

    @Test(arguments: ["letter-case", "nonce", "attribute-name", "failed-claims"])
    func `a remark does not keep the service from going on`(_ name: String) async throws {
        let receiver = try #require(Receiver.broken.first { $0.name == name })
        let outcome = try await outcome(receiver)
        #expect(outcome.findings.map(\.severity) == [.warning] && outcome.findings.first?.code == nil)
        #expect(outcome.action != nil)
    }

    @Test func `the person sees title and message of a block page`() async throws {
        let action = Sample.action("attributeCollectionSubmit.showBlockPage", ["title": "Stop", "message": "Call us."])
        let outcome = try await outcome(Receiver(name: "", event: .attributeCollectionSubmit, action: action))
        #expect(outcome.findings == [] && outcome.whatServiceDoes == "The service ends the sign-up.")
        #expect(outcome.whatPersonSees == "A page with the title \"Stop\" and the text \"Call us.\".")
    }

    @Test func `the table is well formed`() {
        #expect(ExtensionFinding.tableProblems == [])
        #expect(ExtensionFinding.serviceTable.map(\.code) == (1_003_000...1_003_027).filter { $0 != 1_003_013 })
        for event in ExtensionEvent.allCases { #expect(!event.actions.isEmpty) }
        #expect(ExtensionEvent.allCases.map(\.actions.count) == [1, 3, 4, 1, 4, 2])
    }

    // MARK: masks

    /// Places in which a function returns what it got.
    private static func echoes(_ secret: String) -> [ResponseMessage] {
        func answer(_ data: JSONObject) -> ResponseMessage { .json(200, ["data": .object(data)]) }
        let type: JSONValue = "microsoft.graph.onPasswordSubmitResponseData"
        let block = "microsoft.graph.passwordSubmit.Block"
        return [
            ResponseMessage(
                status: 302, headers: ["Location": "https://a.test/?\(PercentCoding.encodeComponent(secret))"]),
            ResponseMessage(status: 200, headers: ["Content-Type": secret], body: Array("x".utf8)),
            answer(["@odata.type": .string(secret)]),
            answer(["@odata.type": type, "actions": [["@odata.type": .string(secret)]]]),
            answer([
                "@odata.type": type,
                "actions": [["@odata.type": .string(block), "title": .string(secret), "message": .string(secret)]],
            ]),
        ]
    }

    @Test(arguments: ["Correct-Horse-9", "pass word/~1", "käse+brot\"<", "7", "{0}"])
    func `a password or code is in no text of a finding`(_ secret: String) async throws {
        for (index, response) in Self.echoes(secret).enumerated() {
            for isCode in [false, true] {
                var call = Sample.call(.passwordSubmit)
                if isCode { call.oneTimeCode = secret } else { call.password = secret }
                let transport = ReceiverTransport(Receiver(name: "", instead: { _, _ in response }))
                let outcome = try await call.send(
                    over: transport, clock: transport.time.clock, using: SeededGenerator(seed: 6))
                let texts = outcome.findings.flatMap { [$0.message, $0.remedy, $0.pointer?.description ?? ""] }
                #expect(!texts.contains { $0.contains(secret) }, "\(index)")
                #expect(!outcome.whatPersonSees.contains(secret), "\(index)")
            }
        }
    }

    // MARK: comparison

    @Test func `a profile and its extension are compared by claim`() async throws {
        let before: JSONValue = ["tier": "gold", "points": 5, "vip": true, "old": "a", "age": 3, "none": nil]
        let after: JSONValue = ["tier": "silver", "points": "5", "vip": "true", "age": 3, "new": "b"]
        let action = Sample.action("tokenIssuanceStart.provideClaimsForToken", ["claims": after])
        let transport = ReceiverTransport(
            Receiver(
                name: "", instead: { request, _ in request.url.path == "/rest" ? .json(200, before) : nil },
                action: action))
        let comparison = try await ExtensionComparison.run(
            .post(Sample.url("https://function.test/rest"), json: ["objectId": "1"]),
            beside: Sample.call(.tokenIssuanceStart), over: transport, clock: transport.time.clock,
            using: SeededGenerator(seed: 7))
        #expect(
            comparison.rows.map { "\($0.claim) \($0.kind.rawValue)" } == [
                "tier value", "points type", "vip type", "old onlyProfile", "age equal", "none equal",
                "new onlyExtension",
            ])
        #expect(!comparison.isEqual)
    }

    @Test func `a message of a refusal is compared with that of the action`() async throws {
        let action = Sample.action("attributeCollectionSubmit.showValidationError", ["message": "No."])
        let transport = ReceiverTransport(
            Receiver(
                name: "", event: .attributeCollectionSubmit,
                instead: { request, _ in
                    request.url.path == "/rest" ? .json(409, ["status": 409, "userMessage": "No."]) : nil
                }, action: action))
        let comparison = try await ExtensionComparison.run(
            .post(Sample.url("https://function.test/rest"), json: [:]),
            beside: Sample.call(.attributeCollectionSubmit), over: transport, clock: transport.time.clock,
            using: SeededGenerator(seed: 8))
        #expect(comparison.rows.map(\.message) == ["userMessage is equal."] && comparison.isEqual)
    }
}
