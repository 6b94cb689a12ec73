import AzureSignIn
import HTTPMessages
import JSON

/// Why the query API refused a query, and what to do about it (Microsoft docs: Log Analytics API errors, Application Insights
/// API errors).
struct LogRefusal {
    private let response: ResponseMessage
    private let source: LogSource
    private let credential: AzureCredential
    private let secrets: SentSecrets
    private let failure: LogAnswer.APIError

    /// - Parameter secrets: What the request and those before it carried.
    init(_ response: ResponseMessage, _ source: LogSource, _ credential: AzureCredential, secrets: SentSecrets) {
        self.response = response
        self.source = source
        self.credential = credential
        self.secrets = secrets
        failure = Self.failure(response)
    }

    private static func failure(_ response: ResponseMessage) -> LogAnswer.APIError {
        let json = (try? JSONParser.parse(response.body)) ?? .null
        return LogAnswer.APIError(json["error"] ?? json)
    }

    /// Whether a smaller answer would be whole.
    static func isSize(_ response: ResponseMessage) -> Bool {
        response.status == 413 || response.status == 504 || failure(response).isSize
    }

    /// Whether the token, and not a permission, is at fault.
    static func isTokenRefused(_ response: ResponseMessage) -> Bool {
        response.status == 403 && failure(response).codes.contains("InvalidAuthenticationToken")
    }

    private var words: String {
        failure.codes.isEmpty && failure.messages.isEmpty ? "" : ": \(secrets.shown(failure.text))"
    }

    private func refused(_ text: String, _ remedy: String) -> AzureProblem {
        AzureProblem(.service, text, remedy: remedy)
    }

    var problem: AzureProblem {
        let codes = failure.codes
        switch response.status {
        case 300..<400:
            let place = response.location.map { " to \(secrets.shown($0.authority))" } ?? ""
            return refused(
                "\(source.api) answers with a redirect\(place), which is not followed",
                "Check --api: give the address of the API itself.")
        case 401: return tokenRefused
        case 403 where codes.contains("InvalidAuthenticationTokenAudience"):
            return refused(
                "the token of \(credential.shown) is for another API",
                "Get one for \(source.audience): az account get-access-token --resource \(source.audience)")
        case 403 where codes.contains("InvalidAuthenticationToken"): return tokenRefused
        case 403: return permission
        case 404: return notFound
        case 400: return badQuery
        case 500...:
            return refused(
                "\(source.shown) failed several times with HTTP \(response.status)\(words)",
                "Try again later, or ask for a shorter time with --since and --until.")
        default:
            return refused(
                "\(source.shown) answers with HTTP \(response.status)\(words)",
                "Check --api and the \(source.kind == .workspace ? "workspace" : "application") ID.")
        }
    }

    private var tokenRefused: AzureProblem {
        let remedy: String =
            switch credential {
            case .token:
                "It has expired or is damaged. Get a new one: az account get-access-token --resource \(source.audience)"
            case .azureCLI: "Run `az login` again."
            default:
                "Check AZURE_TENANT_ID: the directory that issues the token must be the one that owns the Azure subscription."
            }
        return refused("\(source.shown) does not accept \(credential.shown)\(words)", remedy)
    }

    private var permission: AzureProblem {
        let place =
            source.kind == .workspace
            ? "Log Analytics workspace > Access control (IAM): Log Analytics Reader"
            : "Application Insights > Access control (IAM): Reader or Monitoring Reader"
        return refused(
            "\(credential.shown) may not read \(source.shown) (HTTP 403\(words))",
            "Assign a role: \(place). It takes effect after some minutes.")
    }

    private var notFound: AzureProblem {
        let id =
            source.kind == .workspace
            ? "the workspace ID of Log Analytics workspace > Overview"
            : "the application ID of Application Insights > Configure > API Access"
        return refused(
            "\(source.shown) is not found (HTTP 404\(words))",
            "Check that the ID is \(id), and --api for other clouds.")
    }

    private var badQuery: AzureProblem {
        let isMissing = failure.messages.contains {
            $0.contains("'\(source.table.name)'") || $0.contains("table \(source.table.name)")
        }
        guard isMissing || failure.codes.contains("SemanticError") || failure.codes.contains("SEM0100") else {
            return refused(
                "\(source.shown) refuses the query\(words)", "Check --correlation, --policy and --api.")
        }
        let remedy =
            source.kind == .workspace
            ? "No Application Insights resource writes to this workspace. Use the workspace that Application Insights > Overview "
                + "names, or ask the resource itself: --app APPLICATION-ID."
            : "The ID may be one of a workspace: --workspace \(source.id). Else check that the resource is an Application Insights "
                + "resource that has received data."
        return refused("\(source.shown) has no table \(source.table.name) as it is expected\(words)", remedy)
    }

    /// HTTP 200 without an answer of the API.
    var notAnAnswer: AzureProblem {
        let isPage = response.headers.mediaType?.contains("html") ?? false || response.text.prefix(64).contains("<")
        return refused(
            "\(source.api) answers with \(isPage ? "an HTML page" : "something else") instead of rows",
            isPage
                ? "A proxy or a sign-in page answers in place of the API: check --api, the network and https_proxy."
                : "Check --api: give the address of the API itself.")
    }
}
