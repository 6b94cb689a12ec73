import AzureSignIn
import JOSE
import JSON

/// What an access token says about itself. Nothing is verified: it is for messages only.
struct AccessTokenFacts {
    /// The Azure CLI's own app in each directory.
    private static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

    private let claims: JSONObject

    /// - Returns: `nil` if the token cannot be read, which no app may rely on.
    init?(_ text: String) {
        guard let claims = JWS(compact: text)?.claims else { return nil }
        self.claims = claims
    }

    /// The directory that issued it.
    var tenant: String? { claims["tid"]?.stringValue }

    /// Application permissions, or else the delegated ones.
    var permissions: [String] {
        let roles = claims["roles"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let scopes = claims["scp"]?.stringValue?.split(separator: " ").map { String($0) } ?? []
        return roles + scopes
    }

    /// The problem of a token that a person got by `az login`: its app has a fixed list of permissions (GitHub:
    /// Azure/azure-cli#22775).
    func personProblem(_ source: GraphSource) -> AzureProblem? {
        guard (claims["appid"] ?? claims["azp"])?.stringValue?.lowercased() == Self.azureCLI else { return nil }
        return AzureProblem(
            .usage,
            "the token belongs to a person who signed in with the Azure CLI: the Azure CLI's own app has no permission for "
                + "custom policies and policy keys, and cannot get it",
            remedy:
                "Use an app registration of the B2C tenant: set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET or a "
                + "federated token; or sign in az as that app: \(source.commandLineSignIn(tenant: tenant))")
    }
}
