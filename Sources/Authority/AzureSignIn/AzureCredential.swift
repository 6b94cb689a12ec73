import Diagnostics

/// How a token for an API of Azure is obtained, by the variables of the environment that the Azure SDKs read (Microsoft docs:
/// EnvironmentCredential, WorkloadIdentityCredential, AzureCliCredential).
public enum AzureCredential: Hashable, Sendable {
    /// A token that is ready, in a variable.
    case token(String, variable: String)
    /// A client secret.
    case secret(AzureApp, String)
    /// A PEM file with a key and its certificate.
    case certificate(AzureApp, path: String)
    /// A file with a token of another issuer, as Kubernetes and CI services have it.
    case federatedFile(AzureApp, path: String)
    /// GitHub Actions issues a token for the job.
    case github(AzureApp, url: String, token: String)
    /// Azure DevOps issues a token for a service connection (Microsoft docs: AzurePipelinesCredential).
    case azureDevOps(AzureApp, url: String, token: String, connection: String)
    /// The account with which a person signed in by `az login`.
    case azureCLI(tenant: String?)

    /// The first of these that the environment offers, in the order of the Azure SDKs.
    ///
    /// - Parameter resource: What the token is for.
    init(_ resource: any AzureResource, _ variable: (String) -> String?) throws(AzureProblem) {
        if let token = variable(resource.tokenVariable) {
            self = .token(Self.bare(token), variable: resource.tokenVariable)
            return
        }
        let (tenant, client) = (variable("AZURE_TENANT_ID"), variable("AZURE_CLIENT_ID"))
        func app(_ reason: String) throws(AzureProblem) -> AzureApp {
            guard let tenant, let client else {
                let missing = [("AZURE_TENANT_ID", tenant), ("AZURE_CLIENT_ID", client)].filter { $0.1 == nil }.map(\.0)
                throw AzureProblem(
                    .usage,
                    "\(reason) is set, and \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") not",
                    remedy:
                        "Set AZURE_CLIENT_ID to the client ID of the app, and AZURE_TENANT_ID to the ID of "
                        + "\(resource.directory).")
            }
            guard (tenant + client).utf8.allSatisfy({ AzureApp.isSafe($0) }) else {
                throw AzureProblem(
                    .usage, "AZURE_TENANT_ID or AZURE_CLIENT_ID has characters that no ID has",
                    remedy: "A client ID is a GUID; a tenant ID is a GUID or a domain such as contoso.onmicrosoft.com.")
            }
            return AzureApp(tenant: tenant, client: client)
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
        } else if let connection = variable("AZURE_SERVICE_CONNECTION_ID") {
            let app = try app("AZURE_SERVICE_CONNECTION_ID")
            guard let url = variable("SYSTEM_OIDCREQUESTURI"), let token = variable("SYSTEM_ACCESSTOKEN") else {
                throw AzureProblem(
                    .usage,
                    "AZURE_SERVICE_CONNECTION_ID is set, and SYSTEM_OIDCREQUESTURI and SYSTEM_ACCESSTOKEN are not both set",
                    remedy: AzureTokens.mapsAccessToken)
            }
            self = .azureDevOps(app, url: url, token: token, connection: connection)
        } else {
            self = .azureCLI(tenant: tenant)
        }
    }

    /// A token without what people paste along with it.
    private static func bare(_ token: String) -> String {
        let text = token.trimmingWhitespace
        return text.lowercased().hasPrefix("bearer ") ? String(text.dropFirst(7)).trimmingWhitespace : text
    }

    /// What it is called in messages.
    public var shown: String {
        switch self {
        case .token(_, let variable): "the token in \(variable)"
        case .secret(let app, _): "app \(app.client) with AZURE_CLIENT_SECRET"
        case .certificate(let app, _): "app \(app.client) with AZURE_CLIENT_CERTIFICATE_PATH"
        case .federatedFile(let app, _): "app \(app.client) with AZURE_FEDERATED_TOKEN_FILE"
        case .github(let app, _, _): "app \(app.client) with the token of GitHub Actions"
        case .azureDevOps(let app, _, _, _): "app \(app.client) with the token of Azure DevOps"
        case .azureCLI: "the account of the Azure CLI"
        }
    }
}

/// An app registration.
public struct AzureApp: Hashable, Sendable {
    /// `AZURE_TENANT_ID`: a GUID or a domain.
    public var tenant: String
    /// `AZURE_CLIENT_ID`.
    public var client: String

    /// Characters of GUIDs and domains.
    static func isSafe(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
    }
}
