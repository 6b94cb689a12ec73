import Diagnostics
import JSON
import JourneyLogs
import Testing

/// What a session did, out of its clips.
struct SessionStoryTests {
    private static let manager = RecorderClip.action(RecorderHandler.orchestrationManager)

    private static func result(
        _ entries: [(String, String)] = [], claims: JSONObject? = nil, _ record: [RecorderRecord.Entry] = [],
        result: Bool = true, predicate: Bool? = nil, exception: RecorderException? = nil
    ) -> RecorderClip {
        .handlerResult(
            RecorderResult(
                result: result, predicateResult: predicate,
                statebag: RecorderStatebag(
                    entries: entries.map { RecorderStatebag.Entry($0.0, $0.1, created: Sessions.time(0).text) },
                    claims: claims), record: record.isEmpty ? nil : RecorderRecord(record), exception: exception))
    }

    private static func step(_ order: Int) -> [RecorderClip] { [manager, result([("ORCH_CS", String(order))])] }

    private static func skip(_ order: Int) -> [RecorderClip] {
        step(order) + [
            .predicate(RecorderHandler.name("ShouldOrchestrationStepBeInvokedHandler")),
            result(
                [],
                [
                    .preconditions(
                        [
                            RecorderRecord.Entry.Condition(
                                isEquality: false, values: ["objectId"], executeActionsIf: true)
                        ], skipping: order)
                ], predicate: false),
        ]
    }

    private static func handler(_ name: String) -> RecorderClip { .action(RecorderHandler.name(name)) }

    /// Ada signs in, a service answers, a step is skipped, a sub-journey runs, and a token is issued.
    static let signIn: [RecorderMessage] = [
        Sessions.message("Event:AUTH", asked), Sessions.message("Event:SELFASSERTED", refused),
        Sessions.message("Event:SELFASSERTED", accepted), Sessions.message("Event:API", wentOn),
    ]

    private static var asked: [RecorderClip] {
        var clips = step(0) + step(1)
        clips.append(.predicate(RecorderHandler.name("IsClaimsExchangeProtocolAnApiHandler")))
        clips.append(
            result([("CTP", "SelfAsserted-SignIn:1"), ("EID", "api.selfasserted"), ("CLIENTID", "app-1")]))
        return clips
    }

    private static let validator = RecorderClip.predicate(RecorderHandler.name("SelfAssertedMessageValidationHandler"))

    private static func validation(_ details: [RecorderRecord.Entry]) -> [RecorderRecord.Entry] {
        [
            .validation(
                submittedBy: "User", provider: "SelfAssertedAttributeProvider",
                details: [.validationProfile("login-NonInteractive")] + details)
        ]
    }

    private static var refused: [RecorderClip] {
        let exception = RecorderException(message: "Your password is incorrect")
        return [
            validator,
            result(
                [("ORCH_CS", "1")], claims: ["signInName": "ada@contoso.com"], validation([.exception(exception)]),
                result: false, predicate: false), handler("SendRetryHandler"), result(),
        ]
    }

    private static let person: JSONObject = [
        "signInName": "ada@contoso.com", "objectId": "8b0e5a3e-0000-4000-8000-00000000ada0",
    ]

    private static var accepted: [RecorderClip] {
        [validator, result([("ORCH_CS", "1")], claims: person, validation([]), predicate: true)]
    }

    private static var wentOn: [RecorderClip] {
        var clips = skip(2) + step(3)
        clips += [
            handler("IsClaimsExchangeProtocolAServiceCallHandler"),
            result(
                [],
                [
                    .initiatingClaimsExchange(
                        "Tier", technicalProfile: "REST-Tier", protocolType: "backend protocol",
                        provider: "RestfulProvider")
                ]), handler("OutputClaimsTransformationHandler"),
        ]
        var claims = person
        claims["loyaltyTier"] = "gold"
        claims["greeting"] = "Hello gold"
        let exchange = RecorderRecord.Entry.gettingClaims(
            technicalProfile: "REST-Tier", provider: "RestfulProvider", url: "https://api.contoso.com/tier",
            mappings: [.mappingFromPartner("tier", to: "loyaltyTier")])
        let transformation = RecorderRecord.Entry.claimsTransformation(
            "MakeGreeting", inputs: [("loyaltyTier", "gold")], results: [("greeting", "Hello gold")])
        clips.append(result([], claims: claims, [exchange, .transformations(.output, [transformation])]))
        clips += step(4)
        clips += [handler("EnqueueNewJourneyHandler"), result([], [.subJourney("Consent")])]
        clips += step(1) + step(5)
        clips += [
            handler("SendResponseHandler"), result(), .unknown(["Kind": "Weather", "Content": .null]),
            .action("Contoso.OwnHandler"), result(), result([], [RecorderRecord.Entry("Odd", .integer(1))]),
        ]
        return clips
    }

    private static func story(_ messages: [RecorderMessage]) throws -> LoggedSession {
        let log = try RecorderLog(files: [("log.csv", Array(Exports.csv(Sessions.rows(messages)).utf8))])
        return LoggedSession(log.session(try #require(log.entries.first)))
    }

    @Test func `steps, profiles and claims of a sign-in are in order`() throws {
        let story = try Self.story(Self.signIn)
        #expect(
            story.steps.map { "\($0.journey) \($0.order) \($0.ran ? "ran" : "skipped")" } == [
                "B2C_1A_loyalty 1 ran", "B2C_1A_loyalty 2 skipped", "B2C_1A_loyalty 3 ran", "B2C_1A_loyalty 4 ran",
                "Consent 1 ran", "B2C_1A_loyalty 5 ran",
            ])
        #expect(story.steps[1].because == "objectId exists")
        #expect(
            story.steps[0].items.map(\.id) == ["SelfAsserted-SignIn", "login-NonInteractive", "login-NonInteractive"])
        #expect(story.steps[0].items.map(\.isRetried) == [false, true, false])
        #expect(story.steps[0].contentDefinition == "api.selfasserted")
        let items = story.steps[2].items
        #expect(items.map(\.id) == ["REST-Tier", "MakeGreeting"])
        #expect(items[0].output == ["loyaltyTier": "gold"])
        #expect(items[0].url == "https://api.contoso.com/tier")
        #expect(items[1].output == ["greeting": "Hello gold"])
        #expect(story.end == .token)
        #expect(story.clientID == "app-1")
        #expect(story.raised.map(\.exception.message) == ["Your password is incorrect"])
        #expect(story.raised.map(\.isHandled) == [true])
    }

    @Test func `what is not known is named`() throws {
        let story = try Self.story(Self.signIn)
        #expect(story.unknown.map(\.what) == ["clip Weather", "handler Contoso.OwnHandler", "record Odd"])
        #expect(story.unknown.map(\.count) == [1, 1, 1])
    }

    @Test func `a fatal exception ends the session with the text of its cause`() throws {
        let inner = RecorderException(message: "The claim is missing")
        let messages = [
            Sessions.message(
                "Event:AUTH",
                Self.step(1) + [
                    .fatalException(
                        RecorderException(message: "An error occurred while processing the request.", inner: inner),
                        time: nil)
                ])
        ]
        let story = try Self.story(messages)
        #expect(story.end == .error("The claim is missing"))
        #expect(story.raised.first?.step == 1)
        #expect(story.steps.map(\.isFinished) == [false])
    }

    // MARK: What happened

    private static func plain(_ key: String, _ value: JSONValue) -> RecorderRecord.Entry {
        RecorderRecord.Entry(key, value)
    }

    private static let equality = plain(
        "Precondition",
        [
            "Type": "ClaimEquals", "Claims": ["authenticationSource", "socialIdpAuthentication"],
            "ExecuteActionsIf": "True",
        ])

    private static func existence(_ isWanted: Bool) -> RecorderRecord.Entry {
        plain("Precondition", ["Type": 0, "Claims": ["phone"], "ExecuteActionsIf": .bool(isWanted)])
    }

    /// Where logs have the reason, and the words for it.
    private static let reasons: [(record: [RecorderRecord.Entry], because: String)] = [
        ([RecorderRecord.Entry("PreconditionList", [existence(true)]), plain("SkippingStep", 2)], "phone exists"),
        (
            [RecorderRecord.Entry("PreconditionList", [existence(false), plain("SkippingStep", 2)])],
            "phone does not exist"
        ),
        ([existence(true), plain("SkippingStep", "2")], "phone exists"),
        (
            [RecorderRecord.Entry("EnabledForUserJourneysTrue", [existence(true), plain("SkippingStep", 2)])],
            "phone exists"
        ),
        // The claims of the session say which of two it was.
        (
            [RecorderRecord.Entry("PreconditionList", [existence(false), equality]), plain("SkippingStep", 2)],
            "authenticationSource equals socialIdpAuthentication"
        ),
        (
            [
                RecorderRecord.Entry(
                    "EnabledForUserJourneysFalse",
                    [
                        plain("CurrentStep", 2),
                        RecorderRecord.Entry(
                            "TechnicalProfileEnabled",
                            [
                                "EnabledRule": "OnClaimsExistence", "EnabledResult": false,
                                "TechnicalProfile": "REST-Tier",
                            ]),
                    ]), plain("SkippingStep", 2),
            ], "REST-Tier is not enabled (OnClaimsExistence)"
        ),
    ]

    @Test(arguments: reasons.indices)
    func `the reason of a skipped step is read wherever it stands`(_ index: Int) throws {
        let claims: JSONObject = ["phone": "+4420", "authenticationSource": "socialIdpAuthentication"]
        let story = try Self.story([
            Sessions.message(
                "Event:API",
                Self.step(1) + [Self.result([], claims: claims)] + Self.step(2) + [
                    .predicate(RecorderHandler.name("ShouldOrchestrationStepBeInvokedHandler")),
                    Self.result([], Self.reasons[index].record, result: false, predicate: false),
                ])
        ])
        #expect(story.steps.map(\.ran) == [true, false])
        #expect(story.steps.last?.because == Self.reasons[index].because)
        #expect(story.unknown.isEmpty, "\(story.unknown)")
    }

    private static func exception(_ json: JSONValue) throws -> RecorderException {
        let clip = RecorderClip(["Kind": "FatalException", "Content": ["Exception": json]])
        guard case .fatalException(let exception, _) = clip else { throw Mistake() }
        return exception
    }

    private struct Mistake: Error {}

    /// Exceptions with causes, and their texts in the order in which they are shown.
    private static let exceptions: [(json: JSONValue, texts: [String])] = [
        (
            ["Message": "Try again.", "Exception": ["Message": "AADSTS50126: wrong"]],
            ["Try again.", "AADSTS50126: wrong"]
        ),
        (
            ["Message": "An error occurred while processing the request.", "InnerException": ["Message": "No claim."]],
            ["No claim.", "An error occurred while processing the request."]
        ),
        (
            [
                "Message": "AADB2C90075: failed",
                "Exception": ["Message": "409", "Data": ["userMessage": "Card is taken."]],
            ],
            ["Card is taken.", "AADB2C90075: failed", "409"]
        ),
        (
            [
                "Message": "outside",
                "Exception": ["Message": #"answer: {"version":"1.0.0","status":409,"userMessage":"Card is taken."}"#],
            ],
            [
                "Card is taken.", "outside",
                #"answer: {"version":"1.0.0","status":409,"userMessage":"Card is taken."}"#,
            ]
        ),
        (["Message": "twice", "Exception": ["Message": "twice"]], ["twice"]), (["HResult": "80131500"], []),
    ]

    @Test(arguments: exceptions.indices)
    func `the texts of an exception begin with what the person sees`(_ index: Int) throws {
        #expect(try Self.exception(Self.exceptions[index].json).texts == Self.exceptions[index].texts)
    }

    @Test func `cancelling belongs to the page, and a page's words come before those of the directory`() throws {
        var refused = Self.refused
        let inner = RecorderException(message: "AADSTS50126: Error validating credentials.")
        refused[1] = Self.result(
            [("CMESSAGE", "That is not the password.")], claims: ["signInName": "ada@contoso.com"],
            Self.validation([.exception(inner)]), result: false, predicate: false)
        let cancel = RecorderException(message: "AADB2C90091: The user has cancelled.")
        let story = try Self.story([
            Sessions.message("Event:AUTH", Self.asked), Sessions.message("Event:SELFASSERTED", refused),
            Sessions.message(
                "Event:API",
                [
                    .transition(
                        RecorderTransition(eventName: "API", stateName: "Microsoft.Cpim.Common.PolicyException")),
                    .predicate(RecorderHandler.name("ValidateApiResponseHandler")),
                    Self.result([], result: false, predicate: false, exception: cancel),
                    Self.handler("SendErrorHandler"), Self.result(),
                ]),
        ])
        #expect(story.raised.map(\.element) == ["login-NonInteractive", "SelfAsserted-SignIn"])
        #expect(story.raised.first?.exception.texts == ["That is not the password.", inner.message ?? ""])
        #expect(story.end == .error("AADB2C90091: The user has cancelled."))
        let items = story.steps.last?.items ?? []
        #expect(items.map { $0.error?.text } == ["AADB2C90091: The user has cancelled.", "That is not the password."])
    }

    private static let shown = result([("CTP", "SelfAsserted-SignIn:1"), ("EID", "api.selfasserted")])
    private static let sent: [RecorderClip] = [handler("SendResponseHandler"), result()]

    /// Requests, and how the session ends by the state that they leave.
    private static let ends: [(name: String, requests: [[RecorderClip]], end: LoggedSession.End)] = [
        ("a page is sent", [step(1) + [shown] + sent], .waiting),
        (
            "a page is sent after a step that calls nothing",
            [step(1) + step(2) + [handler("ApiUIManager"), result([], [plain("ApiUiManagerInfo", "x")])] + sent],
            .waiting
        ),
        ("the last step sends the claims", [step(1) + step(2) + sent], .token),
        ("a state that is complete", [step(1) + [result([("MACHSTATE", "Complete")])]], .token),
        ("a state that waits", [step(1) + [result([("MACHSTATE", "AwaitingNextStep")])] + sent, []], .token),
        ("a token in the state", [step(1) + [result([("id_token", "eyJ")])]], .token),
        (
            "a token that was not made",
            [step(1) + [shown], [handler("PresentationTokenGenerationHandler"), result(result: false)]],
            .waiting
        ),
        ("a journey that is completed", [step(1) + [result([], [plain("JourneyCompleted", 1)])]], .token),
        (
            "a step after an error",
            [
                step(1) + [handler("SendErrorHandler"), result(exception: RecorderException(message: "no"))],
                step(2) + [shown],
            ],
            .waiting
        ),
        (
            "an error of this request, not of the one before",
            [
                step(1) + [shown], refused,
                [.transition(RecorderTransition(eventName: "API", stateName: "Microsoft.Cpim.Common.PolicyException"))],
            ], .error("Microsoft.Cpim.Common.PolicyException")
        ),
    ]

    @Test(arguments: ends.indices)
    func `how a session ends is in its state`(_ index: Int) throws {
        let end = Self.ends[index]
        let story = try Self.story(
            end.requests.enumerated().map { Sessions.message($0.offset == 0 ? "Event:AUTH" : "Event:API", $0.element) })
        #expect(story.end == end.end, "\(end.name)")
    }

    // MARK: Privacy

    @Test func `personal data is replaced and stays the same`() throws {
        let story = try Self.story(Self.signIn)
        var mask = LogMask(showsClaims: false)
        #expect(mask.learn(story) == "person 1")
        #expect(mask.learn(story) == "person 1")
        let shown = JSONWriter.compact(mask.masked(story.outcome))
        for value in ["ada@contoso.com", "8b0e5a3e-0000-4000-8000-00000000ada0", "gold"] {
            #expect(!shown.contains(value), "\(value) in \(shown)")
        }
        #expect(shown.contains("person1@example.com"))
        #expect(shown.contains("<loyaltyTier of person 1>"))
        #expect(
            mask.masked("The user 'ada@contoso.com' and 'eve@fabrikam.com' exist")
                == "The user 'person1@example.com' and '<email>' exist")
    }

    @Test func `personal data in addresses of services is replaced`() throws {
        let story = try Self.story(Self.signIn)
        var mask = LogMask(showsClaims: false)
        mask.learn(story)
        #expect(
            mask.masked("No answer of https://api.contoso.com/people/ada%40contoso.com/tier?who=eve%40fabrikam.com")
                == "No answer of https://api.contoso.com/people/person1@example.com/tier?who=<email>")
    }

    @Test func `claims are shown on request, passwords are not`() throws {
        var story = try Self.story(Self.signIn)
        var mask = LogMask(showsClaims: true)
        #expect(mask.learn(story) == "8b0e5a3e-0000-4000-8000-00000000ada0")
        #expect(JSONWriter.compact(mask.masked(story.outcome)).contains("ada@contoso.com"))
        story = try Self.story([
            Sessions.message(
                "Event:API", Self.step(1) + [Self.result(claims: ["newPassword": "Secret-1843", "a": "Secret-1843"])])
        ])
        mask.learn(story)
        #expect(!JSONWriter.compact(mask.masked(story.outcome)).contains("Secret-1843"))
        #expect(mask.masked("typed Secret-1843") == "typed <secret>")
    }

    @Test func `values of the policy are not personal data`() throws {
        let story = try Self.story(Self.signIn)
        var mask = LogMask(showsClaims: false, constants: ["gold"])
        mask.learn(story)
        #expect(JSONWriter.compact(mask.masked(story.outcome)).contains("\"loyaltyTier\":\"gold\""))
    }

    // MARK: Beside the simulator

    private static func changed(_ outcome: JSONValue, _ change: (inout [JSONValue]) -> Void) -> JSONValue {
        var trace = outcome["trace"]?.arrayValue ?? []
        change(&trace)
        return outcome.merging(patch: ["trace": .array(trace)])
    }

    /// The simulator's outcome for the sign-in, as if it did the same.
    private static func same() throws -> (story: LoggedSession, outcome: JSONValue) {
        let story = try Self.story(Self.signIn)
        // The attempt that was refused is not repeated, and the last step ends.
        let outcome = changed(story.outcome) { trace in
            trace.remove(at: 1)
        }
        return (story, outcome)
    }

    private static func first(
        _ story: LoggedSession, _ outcome: JSONValue, failure: String? = nil
    ) -> SessionComparison.StepDifference? {
        SessionComparison(story, outcome: outcome, failure: failure) { _ in true }.first
    }

    /// The simulator records a step that calls a sub-journey once the sub-journey is over.
    @Test func `the place of a step that calls a sub-journey does not count`() throws {
        let (story, outcome) = try Self.same()
        let moved = Self.changed(outcome) { trace in
            guard let place = trace.firstIndex(where: { $0["stepType"] == "InvokeSubJourney" }) else { return }
            let call = trace.remove(at: place)
            trace.insert(call, at: place + 1)
        }
        #expect(moved != outcome)
        #expect(Self.first(story, moved) == nil)
    }

    @Test func `the same outcome has no difference`() throws {
        let (story, outcome) = try Self.same()
        #expect(Self.first(story, outcome) == nil)
    }

    @Test func `a page that the person left by a link is not a difference`() throws {
        // Step 1 shows the page to sign in, and nothing was typed there.
        let shown = try Self.story([
            Sessions.message(
                "Event:AUTH",
                Self.step(1) + [
                    .predicate(RecorderHandler.name("IsClaimsExchangeProtocolAnApiHandler")),
                    Self.result(
                        [],
                        [
                            .initiatingClaimsExchange(
                                "SignIn", technicalProfile: "SelfAsserted-SignIn", protocolType: "None",
                                provider: "SelfAssertedAttributeProvider")
                        ]),
                ] + Self.step(2))
        ])
        #expect(shown.steps.first?.items.map(\.id) == ["SelfAsserted-SignIn"])
        let left: JSONValue = [
            "trace": [
                ["journey": "B2C_1A_loyalty", "step": 1, "ran": true, "claims": [:]],
                ["journey": "B2C_1A_loyalty", "step": 2, "ran": true, "claims": [:]],
            ]
        ]
        #expect(Self.first(shown, left) == nil)
        // A page on which somebody signed in is one.
        let (story, outcome) = try Self.same()
        let other = Self.changed(outcome) { trace in
            trace.removeAll { $0["step"] == 1 && $0["profile"] != nil }
        }
        #expect(Self.first(story, other) != nil)
    }

    @Test func `attempts that a page refused do not count on either side`() throws {
        let (story, outcome) = try Self.same()
        // The run repeats the wrong password: validation and page fail, and then run again.
        let again = Self.changed(outcome) { trace in
            let failed: JSONValue = ["error": "Your password is incorrect", "out": [:], "in": [:]]
            // The simulator records the page behind its validation.
            let attempt = trace.filter { $0["step"] == 1 && $0["profile"] != nil }.reversed()
            trace = attempt.map { $0.merging(patch: failed) } + trace
        }
        #expect(Self.first(story, again) == nil)
    }

    @Test func `identifiers and letter case do not count`() throws {
        let (story, outcome) = try Self.same()
        let text = JSONWriter.compact(outcome).replacing(
            "8b0e5a3e-0000-4000-8000-00000000ada0", with: "11111111-0000-4000-8000-000000000000"
        )
        .replacing("REST-Tier", with: "rest-tier")
        #expect(Self.first(story, try JSONParser.parse(text)) == nil)
    }

    @Test func `each kind of difference is the first one that is found`() throws {
        let (story, outcome) = try Self.same()
        func message(_ change: (inout [JSONValue]) -> Void) -> String? {
            Self.first(story, Self.changed(outcome, change))?.message
        }
        func index(_ trace: [JSONValue], _ key: String, _ value: JSONValue) -> Int {
            trace.firstIndex { $0[key] == value } ?? 0
        }
        #expect(
            message { trace in
                let place = index(trace, "ran", false)
                trace[place] = trace[place].merging(patch: ["ran": true])
            } == "step 2 was skipped there and runs here")
        #expect(
            message { trace in trace.remove(at: index(trace, "profile", "REST-Tier")) }
                == "REST-Tier ran there and does not run here in step 3")
        #expect(
            message { trace in
                let place = index(trace, "profile", "REST-Tier")
                trace[place] = trace[place].merging(patch: ["profile": "REST-Other"])
            } == "step 3 calls another technical profile")
        #expect(
            message { trace in
                let place = index(trace, "step", 3)
                for later in place..<trace.count where trace[later]["claims"] != nil {
                    trace[later] = trace[later].merging(patch: ["claims": ["loyaltyTier": "silver"]])
                }
            } == "loyaltyTier has another value after step 3")
        #expect(message { trace in trace.removeLast() } == "step 5 does not occur in the simulator")
        #expect(Self.first(story, outcome, failure: "AADB2C90091")?.message == "a token was issued there and not here")
    }
}
