import Foundation
import JOSE
import JSON

/// Sign-ins at a server that runs already, for `peers/peers.py`: one client for several servers that costs them little.
///
/// A sign-in counts when the signature of its ID token is verified by the published keys.
enum PeerBenchmark {
    /// What the command line asks for.
    struct Request {
        /// `mock-server` with the tenant of `peers.py`, or `oidc-provider-mock`.
        var server: String
        /// `http://localhost:9417`.
        var url: String
        /// Where its keys are.
        var keysPath: String
        var clients: Int
    }

    /// Prints `rate`, `done` and `failures` as a JSON object.
    static func run(_ request: Request, seconds: Double) {
        guard let keys = keys(request) else {
            print("no keys at \(request.url)\(request.keysPath)")
            exit(3)
        }
        let result: Load.Result
        switch request.server {
        case "mock-server":
            let app = SignInErrand.App(
                clientId: "5d6e6b7a-0a4e-4b1e-9c6e-2b7b5a3c9d0f", redirectUri: "http://localhost/callback",
                scope: "openid", keys: keys)
            result = Load.run(request.url, clients: request.clients, seconds: seconds) {
                SignInErrand(app: app, random: $0)
            }
        case "oidc-provider-mock":
            let app = SignInErrand.App(
                clientId: "bench", redirectUri: "http://localhost/callback", scope: "openid", keys: keys)
            result = Load.run(request.url, clients: request.clients, seconds: seconds) {
                ProviderMockErrand(app: app, random: $0)
            }
        default:
            print("\(request.server) is not known: mock-server or oidc-provider-mock")
            exit(1)
        }
        print(
            JSONWriter.compact([
                "rate": .number(result.rate), "done": .integer(Int64(result.done)),
                "failures": .array(result.failures.map { .string($0) }),
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
