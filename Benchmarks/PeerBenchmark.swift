import Determinism
import Foundation
import JOSE
import JSON

/// Sign-ins at a server that runs already, for `peers/peers.py`: one client for all servers that costs them little.
///
/// A sign-in counts when the signature of its ID token is verified by the published keys.
enum PeerBenchmark {
    /// What the command line asks for.
    struct Request {
        /// A server of `peers.py`, with the tenant or the configuration that it gets there.
        var server: String
        /// `http://localhost:9417`.
        var url: String
        /// Where its keys are.
        var keysPath: String
        var clients: Int
        /// The cookies of a person who is signed in, empty where the server has none; nil: everybody signs in.
        var session: String?
    }

    /// Prints `rate`, `done`, `failures` and the share of the time that the client was at work as a JSON object.
    ///
    /// - Parameter count: So many sign-ins instead, but no more than fit in the time.
    static func run(_ request: Request, seconds: Double, count: Int?) {
        guard let keys = keys(request) else {
            print("no keys at \(request.url)\(request.keysPath)")
            exit(3)
        }
        func app(_ clientId: String) -> SignInErrand.App {
            SignInErrand.App(
                clientId: clientId, redirectUri: "http://localhost/callback", scope: "openid", keys: keys)
        }
        func load<Work: Errand & SendableMetatype>(
            _ errand: @escaping @Sendable (SeededGenerator) -> Work
        ) -> Load.Result {
            Load.run(request.url, clients: request.clients, seconds: seconds, atMost: count, errand)
        }
        let session = request.session
        let result: Load.Result
        switch request.server {
        case "mock-server":
            let app = app("5d6e6b7a-0a4e-4b1e-9c6e-2b7b5a3c9d0f")
            result = load { SignInErrand(app: app, random: $0, session: session) }
        case "oidc-provider-mock":
            let app = app("bench")
            result = load { ProviderMockErrand(app: app, random: $0, seesForm: session == nil) }
        case "glewlwyd":
            let app = app("bench")
            result = load { GlewlwydErrand(app: app, random: $0, session: session) }
        default:
            print("\(request.server) is not known: mock-server, oidc-provider-mock or glewlwyd")
            exit(1)
        }
        print(
            JSONWriter.compact([
                "rate": .number(result.rate), "done": .integer(Int64(result.done)),
                "busy": .number(result.busy), "failures": .array(result.failures.map { .string($0) }),
            ]))
    }

    private static func keys(_ request: Request) -> JWKSet? {
        guard let connection = try? LeanConnection(request.url),
            let answer = try? connection.answer(to: LeanRequest(target: request.keysPath)),
            let document = try? JSONParser.parse(answer.body)
        else { return nil }
        return JWKSet(json: document)
    }
}
