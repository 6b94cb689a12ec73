import Determinism
import HTTPMessages
import Journeys
import TenantFiles
import Testing

/// How often a RESTful profile calls a service, and which error the app gets in the end.
@Suite struct RESTAttemptTests {
    private static let address = "https://loyalty.contoso.test/tier"

    private func begin(
        _ metadata: KeyValuePairs<String, String> = [:], _ change: (inout PolicyDefaults) -> Void = { _ in }
    ) throws -> Run {
        let items = metadata.map { "<Item Key=\"\($0.key)\">\($0.value)</Item>" }.joined()
        let world = try World(xml: [
            Inline.policy(
                claims: ["tier": "string"],
                profiles: """
                    <TechnicalProfile Id="REST-Tier"><DisplayName>Tier</DisplayName>\
                    \(Inline.handler("Providers.RestfulProvider"))<Metadata><Item Key="ServiceUrl">\(Self.address)</Item>\
                    <Item Key="AuthenticationType">None</Item>\(items)</Metadata><OutputClaims>\
                    <OutputClaim ClaimTypeReferenceId="tier" /></OutputClaims></TechnicalProfile>
                    """, steps: Inline.steps("REST-Tier"), outputs: ["tier"])
        ])
        change(&world.switches)
        return world.begin()
    }

    /// How long the call that is under way may take.
    private func limit(_ run: Run) -> TimeSpan? {
        if case .callout(_, let timeout) = run.stop { timeout } else { nil }
    }

    @Test(arguments: [(2, TimeSpan.seconds(10)), (3, .seconds(30)), (1, .seconds(5))])
    func `a service that does not answer is called again`(_ attempts: Int, _ timeout: TimeSpan) throws {
        let run = try begin {
            if attempts != 2 { ($0.restAttempts, $0.restTimeout) = (attempts, timeout) }
        }
        let first = try #require(run.callout)
        for attempt in 1...attempts {
            #expect(run.callout == first, "attempt \(attempt)")
            #expect(limit(run) == timeout)
            run.tell(.finished(.failed(.timeout)))
        }
        let text = try #require(run.failure?.text)
        #expect(run.failure?.code == .c90075)
        #expect(text.contains("'REST-Tier'") && text.contains("step '1'"), "\(text)")
        #expect(text.contains("Code 'Conflict'"), "\(text)")
        #expect(text.contains("\(timeout.wholeSeconds) seconds"), "\(text)")
        #expect(text.contains("Restful service URL: \(Self.address)"), "\(text)")
    }

    @Test(arguments: TransportError.scriptable) func `each way not to answer counts`(_ error: TransportError) throws {
        let run = try begin()
        run.tell(.finished(.failed(error)))
        #expect(run.callout != nil)
        run.answer(["tier": "gold"])
        #expect(run.claims["tier"] == "gold")
    }

    @Test(arguments: [TransportError.cancelled, .other("no REST stub answers")])
    func `what is not the network ends the call`(_ error: TransportError) throws {
        let run = try begin()
        run.tell(.finished(.failed(error)))
        #expect(run.failure?.code == .c90075)
    }

    @Test(arguments: [
        (404, "Code 'NotFound' and Reason 'Not Found'"), (400, "Code 'BadRequest' and Reason 'Bad Request'"),
        (500, "Code 'InternalServerError' and Reason 'Internal Server Error'"),
        (503, "Code 'ServiceUnavailable' and Reason 'Service Unavailable'"),
        (422, "Code 'UnprocessableEntity' and Reason 'Unprocessable Content'"), (599, "Code '599' and Reason ''"),
    ])
    func `an answer of any status is final`(_ status: Int, _ words: String) throws {
        let run = try begin()
        run.answer([:], status: status)
        let failure = try #require(run.failure)
        #expect(failure.text.contains(words), "\(failure.text)")
        #expect(failure.detail.contains(Self.address) && failure.detail.contains("\(status)"), "\(failure.detail)")
    }

    /// The reason has the profile's own text, as a page would.
    @Test(
        arguments: [
            (["UserMessageIfRequestTimeout": "{0} s, {1}"], "Reason '10 s, \(address)'"),
            (["DefaultUserMessageIfRequestFailed": "Later: {0}"], "Reason 'Later: \(address)'"),
            (
                ["UserMessageIfRequestTimeout": "Slow.", "DefaultUserMessageIfRequestFailed": "Later."],
                "Reason 'Slow.'"
            ),
        ] as [(KeyValuePairs<String, String>, String)])
    func `the profile's own text is the reason`(_ metadata: KeyValuePairs<String, String>, _ words: String) throws {
        let run = try begin(metadata)
        run.fail(.timeout)
        let text = try #require(run.failure?.text)
        #expect(text.contains(words), "\(text)")
    }
}
