import Capture
import Determinism
import HTTPMessages
import JOSE
import Testing

/// What a capture has of a sign-in that a log has too.
struct CapturedSignInTests {
    private static let id = "0a1b2c3d-0000-4000-8000-00000000ada0"
    private static let base = "https://fabrikam.b2clogin.com/fabrikam.onmicrosoft.com/b2c_1a_signin"
    private static let authorize =
        "\(base)/oauth2/v2.0/authorize?client_id=11111111-2222-3333-4444-555555555555&response_type=code&state=s"
        + "&redirect_uri=https%3A%2F%2Fapp.fabrikam.com%2F"
    private static let transaction = "StateProperties=" + Base64URL.encode(Array("{\"TID\":\"\(id)\"}".utf8))

    /// Where a capture may have the id.
    enum Place: CaseIterable {
        case comment, header, settings, post, answer, page, client

        func tape() throws -> CaptureTape {
            var tape = CaptureTape()
            let page = ResponseMessage.html(200, "<html><title>Sign in</title></html>")
            switch self {
            case .comment:
                try tape.add("GET", authorize, answer: .html(200, "<!-- CorrelationId: \(id) --><html></html>"))
            case .header:
                var answer = page
                answer.headers["X-Request-ID"] = id
                try tape.add("GET", authorize, answer: answer)
            case .settings:
                let text = "<script>var SETTINGS = {\"api\":\"x\",\"transId\":\"\(transaction)\"};</script>"
                try tape.add("GET", authorize, answer: .html(200, text))
                try tape.add(
                    "POST", "\(base)/SelfAsserted?tx=\(transaction)&p=B2C_1A_signin", form: ["signInName": "a@b.test"])
            case .post:
                try tape.add("GET", authorize, answer: page)
                // Some captures have the transaction with padding.
                try tape.add(
                    "POST", "\(base)/SelfAsserted?tx=\(transaction)%3D%3D&p=B2C_1A_signin",
                    form: ["signInName": "a@b.test"])
            case .answer:
                let said = "AADB2C90091%3A+The+user+has+cancelled.%0D%0ACorrelation+ID%3A+\(id)%0D%0ATimestamp%3A+2026"
                try tape.add(
                    "GET", authorize,
                    answer: .redirect("https://app.fabrikam.com/#error=access_denied&error_description=\(said)&state=s")
                )
            case .page:
                let text = "<html><title>Error</title><div>Correlation ID: \(id.uppercased())</div></html>"
                try tape.add("GET", authorize, answer: .html(400, text))
            case .client: try tape.add("GET", authorize + "&client-request-id=\(id)", answer: page)
            }
            return tape
        }

        private var id: String { CapturedSignInTests.id }
        private var base: String { CapturedSignInTests.base }
        private var authorize: String { CapturedSignInTests.authorize }
        private var transaction: String { CapturedSignInTests.transaction }
    }

    private static func signIns(_ tape: CaptureTape) throws -> [CaptureImport.CapturedSignIn] {
        try CaptureImport.Reading(tape.exchanges, source: "flow.har").signIns
    }

    @Test(arguments: Place.allCases) func `the correlation id is found where captures have it`(_ place: Place) throws {
        let found = try Self.signIns(place.tape())
        #expect(found.map(\.correlationIDs) == [[Self.id]])
        #expect(found.map(\.policy) == ["b2c_1a_signin"])
        #expect(found.map(\.tenant) == ["fabrikam.onmicrosoft.com"])
    }

    @Test func `what is not an id is not taken for one`() throws {
        var tape = CaptureTape()
        let text = "<!-- CorrelationId: none --> Correlation ID: \(Self.id.dropLast()) correlation" + "Correlation ID:"
        try tape.add("GET", Self.authorize + "&client-request-id=17", answer: .html(200, "<html>\(text)</html>"))
        #expect(try Self.signIns(tape).map(\.correlationIDs) == [[]])
    }

    @Test func `the service's own id comes before that of the app`() throws {
        var tape = CaptureTape()
        let other = "22222222-0000-4000-8000-000000000000"
        try tape.add(
            "GET", Self.authorize + "&client-request-id=\(other)",
            answer: .html(200, "<!-- CorrelationId: \(Self.id) --><html></html>"))
        let found = try #require(try Self.signIns(tape).first)
        #expect(found.correlationIDs == [Self.id, other])
        #expect(found.end == .open)
        #expect(found.ended >= found.started)
    }
}
