import HTTPMessages
import JSON
import TenantFiles
import Testing

@testable import Clients

/// How each library reads the parameters of an answer: B2C writes spaces as `+`.
@Suite struct AnswerDecodingTests {
    struct Row: Sendable {
        var text: String
        /// What MSAL for Apple systems reads; `nil`: nothing.
        var apple: String?
        /// What the others read.
        var others: String
    }

    static let rows = [
        Row(text: "a+b", apple: "a+b", others: "a b"), Row(text: "a%20b", apple: "a b", others: "a b"),
        Row(text: "a%2Bb", apple: "a+b", others: "a+b"), Row(text: "a=b", apple: nil, others: "a=b"),
        Row(text: "a%3Db", apple: "a=b", others: "a=b"),
        Row(text: "1+%2B+1+%3d+2", apple: "1+++1+=+2", others: "1 + 1 = 2"),
    ]

    private static let kinds = ClientKind.allCases
    private static let decodesPercentAlone: Set<ClientKind> = [.msalIOS, .msalMacOS]

    @Test(arguments: kinds) func `each part is read the same way`(_ kind: ClientKind) throws {
        for row in Self.rows {
            let wanted = Self.decodesPercentAlone.contains(kind) ? row.apple : row.others
            for address in ["https://a.test/?x=\(row.text)", "https://a.test/#x=\(row.text)"] {
                let url = try #require(WebURL(address))
                let read = RedirectAnswer(formDecodes: kind.behaviour.formDecodesAnswers).parameters(of: url).first {
                    $0.name == "x"
                }?.value
                #expect(read == wanted, "\(kind) \(address)")
            }
        }
    }

    /// MSAL.NET takes posted forms alone; scenarios/sign-in/msal-dotnet-browser-closed.json has its part.
    @Test(arguments: kinds.filter { $0 != .msalDotNet }) func `the description of an error is decoded`(
        _ kind: ClientKind
    ) async throws {
        let stage = try Stage(
            patch: Stage.client(["kind": .string(kind.rawValue)]).merging(patch: ["browser": ["cors": false]]))
        let outcome = try await stage.acquire(
            InteractiveParameters(),
            .query("error=server_error&error_description=AADB2C90037%3a+It+went+wrong.&state={state}"))
        #expect(outcome.error?.oauthError == "server_error", "\(String(describing: outcome.error))")
        let text = try #require(outcome.error?.description)
        #expect(text.contains(Self.decodesPercentAlone.contains(kind) ? "It+went+wrong." : "It went wrong."), "\(text)")
    }

    /// Every kind of client reads the fields of a form post in the same way.
    @Test(arguments: [ClientKind.web, .appAuth, .msalIOS]) func `a form post is decoded`(_ kind: ClientKind)
        async throws
    {
        let stage = try Stage(patch: Stage.client(["kind": .string(kind.rawValue)]))
        guard
            case .browse(_, let session) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else { throw StageError.noBrowser }
        let form: FormItems = [
            "error": "server_error", "error_description": "1 + 1 = 2", "state": session.state,
        ]
        let outcome = try await stage.client.finish(
            session, .callback(try #require(WebURL(session.redirectURI)), form: form), lane: stage.lane)
        #expect(outcome.error?.description?.contains("1 + 1 = 2") == true, "\(String(describing: outcome.error))")
    }
}
