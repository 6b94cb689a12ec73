import Determinism
import JSON
import JourneyLogs
import Testing

/// Messages of the journey recorder as values.
struct RecorderModelTests {
    private static let time = "2026-11-02T09:10:11.1234567Z"

    /// One clip of each kind, with everything that the model has a name for.
    static let clips: [RecorderClip] = [
        .headers(
            RecorderHeaders(
                correlationID: "0a1b2c3d-0000-4000-8000-00000000ada0", eventInstance: "Event:SELFASSERTED",
                tenantID: "contoso.onmicrosoft.com", policyID: "B2C_1A_loyalty",
                other: ["CurrentOrchestrationStep": 3])),
        .transition(RecorderTransition(eventName: "SELFASSERTED", stateName: "AwaitingNextStep")),
        .predicate(RecorderHandler.name("SelfAssertedMessageValidationHandler")),
        .action(RecorderHandler.orchestrationManager),
        .handlerResult(
            RecorderResult(
                predicateResult: true,
                statebag: RecorderStatebag(
                    entries: [
                        RecorderStatebag.Entry("ORCH_CS", "1", created: time),
                        RecorderStatebag.Entry("MSG(0)", "eyJ", created: time, isPersisted: false, token: "Jwt"),
                    ], complexItems: "_MachineEventQ, TCTX",
                    claims: ["email": "ada@example.test", "count": 2], apiResult: ["IsErrored": false],
                    other: ["TOKEN": ["ContentType": "Jwt", "Value": "x"]]),
                record: RecorderRecord([
                    .enabled(
                        .selection, step: 1,
                        profiles: [RecorderRecord.Entry.Enabled(technicalProfile: "Facebook-OAUTH", isEnabled: true)]),
                    .preconditions(
                        [
                            RecorderRecord.Entry.Condition(
                                isEquality: true, values: ["tier", "gold"], executeActionsIf: true)
                        ], skipping: 4),
                    .initiatingClaimsExchange(
                        "Read", technicalProfile: "AAD-Read", protocolType: "backend protocol",
                        provider: "AzureActiveDirectoryProvider"),
                    .gettingClaims(
                        technicalProfile: "REST-Tier", provider: "RestfulProvider",
                        url: "https://api.example.test/tier",
                        mappings: [
                            .mappingToPartner("mail", from: "email"), .mappingFromPartner("tier", to: "loyaltyTier"),
                            .mappingDefault("none", to: "loyaltyTier"),
                        ]),
                    .validation(
                        provider: "SelfAssertedAttributeProvider",
                        details: [
                            .validationProfile("REST-Tier", details: [.exception(RecorderException(message: "no"))])
                        ]),
                    .transformations(
                        .output,
                        [
                            .claimsTransformation(
                                "MakeName", inputs: [("givenName", "Ada")], parameters: [("format", "{0}")],
                                results: [("displayName", "Ada")])
                        ]), .subJourney("PasswordReset"),
                ]),
                exception: RecorderException(
                    kind: "Handled", message: "outer", inner: RecorderException(hResult: "80070057", message: "inner")))
        ),
        .fatalException(RecorderException(message: "fatal", data: nil), time: time),
        .unknown(["Kind": "Weather", "Content": ["rain": true]]), .unknown(["Kind": "Action", "Content": 7]),
        .unknown("no object"),
    ]

    @Test(arguments: clips)
    func `a clip is the same after it was written and read`(_ clip: RecorderClip) throws {
        let text = JSONWriter.compact(clip.json)
        #expect(RecorderClip(try JSONParser.parse(text)) == clip)
    }

    @Test func `a message in the form of the service is written with the same values`() throws {
        let text = """
            [{"Kind":"Headers","Content":{"UserJourneyRecorderEndpoint":"urn:journeyrecorder:applicationinsights",\
            "CorrelationId":"c","EventInstance":"Event:API","TenantId":"t","PolicyId":"p","TargetEntity":"x"}},\
            {"Kind":"HandlerResult","Content":{"Result":true,"RecorderRecord":{"Values":[{"Key":"SkippingStep","Value":2},\
            {"Key":"Odd","Value":{"Values":[1,2]}},{"Key":"Validation","Value":{"Values":[\
            {"Key":"SubmittedBy","Value":"Application"}]}}]},"Statebag":{"ORCH_CS":{"c":"2026-11-02T09:10:11.1234567Z",\
            "k":"ORCH_CS","v":"1","p":true},"SA_FIELDS":{"k":"other","v":"1"},"Complex-CLMS":{"email":"a@example.test"}},\
            "PredicateResult":"True","Later":[1]}},{"Kind":"HandlerResult","Content":{"Result":"odd","PredicateResult":"Maybe"}}]
            """
        let value = try JSONParser.parse(text)
        let message = try #require(RecorderMessage(value))
        #expect(message.json.sameValue(as: value))
        #expect(message.headers?.policyID == "p")
    }

    @Test func `the name of a .NET class is not a part of a value`() throws {
        let value = try JSONParser.parse(
            #"{"Kind":"Transition","Content":{"$type":"A, B","EventName":"AUTH","StateName":"Initial"}}"#)
        #expect(
            RecorderClip(value) == .transition(RecorderTransition(eventName: "AUTH", stateName: "Initial")))
    }

    @Test(arguments: [
        ("2026-11-02T09:10:11.1234567Z", "2026-11-02T09:10:11.1234567Z"),
        ("2026-11-02T09:10:11Z", "2026-11-02T09:10:11.0000000Z"),
        ("2026-11-02 09:10:11.5", "2026-11-02T09:10:11.5000000Z"),
        ("2026-11-02T10:10:11.123+01:00", "2026-11-02T09:10:11.1230000Z"),
        ("11/2/2026, 9:10:11.123 AM", "2026-11-02T09:10:11.1230000Z"),
        ("11/2/2026, 12:10:11.123 AM", "2026-11-02T00:10:11.1230000Z"),
        ("11/2/2026, 1:10:11.1 PM", "2026-11-02T13:10:11.1000000Z"),
    ])
    func `times of exports are read`(_ written: String, _ meant: String) throws {
        #expect(try #require(RecorderTime(written)).text == meant)
    }

    @Test(arguments: ["", "yesterday", "13/13/2026, 9:10:11.123 AM", "11/2/2026, 13:10:11.123 PM", "1/2/3"])
    func `what is not a time is refused`(_ written: String) {
        #expect(RecorderTime(written) == nil)
    }

    @Test(arguments: 0..<40)
    func `pieces have the length that a row holds and make the text again`(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var text = ""
        for _ in 0..<Int(generator.next() % 91) {
            text += ["a", "\u{E9}", "\u{1F600}", "e\u{301}", "\r\n"][Int(generator.next() % 5)]
        }
        let pieces = RecorderRow.pieces(of: text, limit: 7)
        #expect(pieces.allSatisfy { $0.utf16.count <= 7 })
        #expect(Array(pieces.joined().utf8) == Array(text.utf8))
        #expect(pieces.dropLast().allSatisfy { $0.utf16.count >= 6 })
    }

    @Test func `dimensions are read from an object and from its text`() {
        let dimensions = RecorderDimensions(
            correlationID: "c", tenant: "contoso.onmicrosoft.com", userJourney: "B2C_1A_loyalty")
        #expect(RecorderDimensions(.object(dimensions.json)) == dimensions)
        #expect(RecorderDimensions(.string(JSONWriter.compact(.object(dimensions.json)))) == dimensions)
    }
}
