import AzureSignIn
import Determinism
import HTTPMessages
import JSON
import Synchronization

/// An API of a test.
struct TestAPI: AzureResource {
    var api: WebURL
    var shown: String { "the test API" }
    var audience: String { "https://api.test" }
    var tokenVariable: String { "TEST_TOKEN" }
    var addressOption: String { "--api" }
    var busyRemedy: String { "Try again later." }
    var slowRemedy: String { "Ask for less." }
    var unknownRemedy: String { "Check the audience." }
    var directory: String { "the directory of the test" }

    init(_ address: String = "https://api.test") { api = WebURL(address) ?? WebURL(scheme: "https", host: "api.test") }
}

/// A directory, the token service of GitHub Actions and an Azure CLI of a test.
final class TokenService: Transport {
    static let now = Timestamp(milliseconds: 1_793_610_600_000)

    private let answer: ResponseMessage
    private let az: Result<String, AzureSurroundings.ProgramProblem>
    private let sent = Mutex<[RequestMessage]>([])
    private let started = Mutex<[[String]]>([])

    /// - Parameter status: Not 200: a refusal of each request.
    init(
        status: Int = 200,
        _ json: JSONValue = ["access_token": "token-2", "value": "ci-token", "oidcToken": "pipeline-token"],
        az: Result<String, AzureSurroundings.ProgramProblem> = .failure(.missing)
    ) {
        answer = .json(status, json)
        self.az = az
    }

    var requests: [RequestMessage] { sent.withLock { $0 } }
    var commands: [[String]] { started.withLock { $0 } }

    /// The token that an environment brings.
    func token(
        _ variables: [String: String], files: [String: [UInt8]] = [:], for resource: TestAPI = TestAPI()
    ) async throws(AzureProblem) -> String {
        let surroundings = AzureSurroundings(
            transport: self, now: { Self.now }, wait: { _ in }, variable: { variables[$0] }, read: { files[$0] },
            run: { arguments in
                self.started.withLock { $0.append(arguments) }
                return self.az
            }, identifier: { "id-1" }, say: { _ in })
        var sender = AzureSender(resource, surroundings)
        return try await AzureTokens(resource, surroundings).token(&sender)
    }

    /// Why an environment brings no token.
    func problem(_ variables: [String: String], files: [String: [UInt8]] = [:]) async -> AzureProblem? {
        do throws(AzureProblem) {
            _ = try await token(variables, files: files)
            return nil
        } catch {
            return error
        }
    }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        sent.withLock { $0.append(request) }
        return answer
    }
}
