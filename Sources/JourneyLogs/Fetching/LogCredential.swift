import Diagnostics

/// How a token for the query API is obtained, by the variables of the environment that the Azure SDKs read (Microsoft docs:
/// EnvironmentCredential, WorkloadIdentityCredential, AzureCliCredential).
enum LogCredential: Hashable {
    /// A token that is ready.
    case token(String)
    case secret(LogApp, String)
    case certificate(LogApp, path: String)
    /// A file with a token of another issuer, as Kubernetes and CI services have it.
    case federatedFile(LogApp, path: String)
    /// GitHub Actions issues a token for the job.
    case github(LogApp, url: String, token: String)
    case azureCLI(tenant: String?)

    /// The variable with a ready token.
    static let tokenVariable = "B2C_LOG_TOKEN"

    /// The first of these that the environment offers, in the order of the Azure SDKs.
    init(_ variable: (String) -> String?) throws(LogFetchProblem) {
        if let token = variable(Self.tokenVariable) {
            self = .token(Self.bare(token))
            return
        }
        let (tenant, client) = (variable("AZURE_TENANT_ID"), variable("AZURE_CLIENT_ID"))
        func app(_ reason: String) throws(LogFetchProblem) -> LogApp {
            guard let tenant, let client else {
                let missing = [("AZURE_TENANT_ID", tenant), ("AZURE_CLIENT_ID", client)].filter { $0.1 == nil }.map(\.0)
                throw LogFetchProblem(
                    .usage,
                    "\(reason) is set, and \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") not",
                    remedy:
                        "Set the ID of the directory that owns the Azure subscription, and the client ID of the app.")
            }
            guard (tenant + client).utf8.allSatisfy({ LogApp.isSafe($0) }) else {
                throw LogFetchProblem(
                    .usage, "AZURE_TENANT_ID or AZURE_CLIENT_ID has characters that no ID has",
                    remedy: "A client ID is a GUID; a tenant ID is a GUID or a domain such as contoso.onmicrosoft.com.")
            }
            return LogApp(tenant: tenant, client: client)
        }
        if let secret = variable("AZURE_CLIENT_SECRET") {
            self = .secret(try app("AZURE_CLIENT_SECRET"), secret)
        } else if let path = variable("AZURE_CLIENT_CERTIFICATE_PATH") {
            self = .certificate(try app("AZURE_CLIENT_CERTIFICATE_PATH"), path: path)
        } else if let path = variable("AZURE_FEDERATED_TOKEN_FILE") {
            self = .federatedFile(try app("AZURE_FEDERATED_TOKEN_FILE"), path: path)
        } else if let url = variable("ACTIONS_ID_TOKEN_REQUEST_URL"),
            let token = variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN"),
            tenant != nil, client != nil
        {
            self = .github(try app("ACTIONS_ID_TOKEN_REQUEST_URL"), url: url, token: token)
        } else {
            self = .azureCLI(tenant: tenant)
        }
    }

    /// A token without what people paste along with it.
    private static func bare(_ token: String) -> String {
        let text = token.trimmingBlanks
        return text.lowercased().hasPrefix("bearer ") ? String(text.dropFirst(7)).trimmingBlanks : text
    }

    /// What it is called in messages.
    var shown: String {
        switch self {
        case .token: "the token in \(Self.tokenVariable)"
        case .secret(let app, _): "app \(app.client) with AZURE_CLIENT_SECRET"
        case .certificate(let app, _): "app \(app.client) with AZURE_CLIENT_CERTIFICATE_PATH"
        case .federatedFile(let app, _): "app \(app.client) with AZURE_FEDERATED_TOKEN_FILE"
        case .github(let app, _, _): "app \(app.client) with the token of GitHub Actions"
        case .azureCLI: "the account of the Azure CLI"
        }
    }
}

/// An app registration.
struct LogApp: Hashable {
    /// `AZURE_TENANT_ID`: a GUID or a domain.
    var tenant: String
    /// `AZURE_CLIENT_ID`.
    var client: String

    /// Characters of GUIDs and domains.
    static func isSafe(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
    }
}
