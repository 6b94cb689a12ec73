import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// Gets tokens for an API of Azure.
public struct AzureTokens: Sendable {
    /// What the environment offers.
    public let credential: AzureCredential
    private let resource: any AzureResource
    private let surroundings: AzureSurroundings

    /// - Throws: ``AzureProblem`` if variables of the environment do not fit together.
    public init(_ resource: any AzureResource, _ surroundings: AzureSurroundings) throws(AzureProblem) {
        self.resource = resource
        self.surroundings = surroundings
        credential = try AzureCredential(resource, surroundings.variable)
    }

    /// A token for ``AzureResource/audience``.
    public func token(_ sender: inout AzureSender) async throws(AzureProblem) -> String {
        switch credential {
        case .token(let token, let variable):
            guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw AzureProblem(
                    .usage, "\(variable) is not a token: it has white space or other characters",
                    remedy: "Set it to an access token for \(resource.audience), without quotes.")
            }
            return token
        case .secret(let app, let secret):
            return try await grant(app, [("client_secret", secret)], &sender)
        case .certificate(let app, let path):
            return try await certificate(app, path, &sender)
        case .federatedFile(let app, let path):
            let name = "AZURE_FEDERATED_TOKEN_FILE"
            guard let bytes = surroundings.read(path) else { throw Self.unreadable(name, path) }
            return try await grant(app, Self.proof(String(decoding: bytes, as: UTF8.self).trimmingWhitespace), &sender)
        case .github(let app, let url, let token):
            return try await grant(app, Self.proof(try await github(url, token, &sender)), &sender)
        case .azureDevOps(let app, let url, let token, let connection):
            return try await grant(
                app, Self.proof(try await azureDevOps(url, token, connection: connection, &sender)), &sender)
        case .azureCLI(let tenant): return try await azure(tenant)
        }
    }

    private static func unreadable(_ name: String, _ path: String) -> AzureProblem {
        AzureProblem(
            .usage, "\(path) (\(name)) cannot be read", remedy: "Check that the file exists and that you may read it.")
    }

    /// A signed assertion in place of a secret (RFC 7523).
    private static func proof(_ assertion: String) -> [(String, String)] {
        [
            ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            ("client_assertion", assertion),
        ]
    }

    private func certificate(
        _ app: AzureApp, _ path: String, _ sender: inout AzureSender
    ) async throws(AzureProblem) -> String {
        let name = "AZURE_CLIENT_CERTIFICATE_PATH"
        guard let bytes = surroundings.read(path) else { throw Self.unreadable(name, path) }
        let certificate = try AppCertificate(bytes, name: name, path: path)
        let sendsChain = ["1", "true"].contains(
            surroundings.variable("AZURE_CLIENT_SEND_CERTIFICATE_CHAIN")?.lowercased())
        let assertion = certificate.assertion(
            client: app.client, endpoint: try endpoint(app).description, identifier: surroundings.identifier(),
            now: surroundings.now(), sendsChain: sendsChain)
        return try await grant(app, Self.proof(assertion), &sender)
    }

    // MARK: Client credentials

    /// The token endpoint of the directory (Microsoft docs: v2-oauth2-client-creds-grant-flow).
    private func endpoint(_ app: AzureApp) throws(AzureProblem) -> WebURL {
        var text = surroundings.variable("AZURE_AUTHORITY_HOST") ?? resource.authority
        // The Azure SDKs also take the host alone.
        if !text.contains("://") { text = "https://" + text }
        while text.hasSuffix("/") { text.removeLast() }
        guard let url = WebURL("\(text)/\(app.tenant)/oauth2/v2.0/token"), url.host?.isEmpty == false,
            url.userInfo == nil,
            url.scheme == "https" || (url.scheme == "http" && url.isLoopback)
        else {
            throw AzureProblem(
                .usage, "AZURE_AUTHORITY_HOST is \"\(text)\", expected an https address",
                remedy: "Set one such as https://login.microsoftonline.com, or remove it.")
        }
        return url
    }

    private func grant(
        _ app: AzureApp, _ proof: [(String, String)], _ sender: inout AzureSender
    ) async throws(AzureProblem) -> String {
        var form: FormItems = [
            "grant_type": "client_credentials", "client_id": app.client, "scope": resource.audience + "/.default",
        ]
        for (name, value) in proof { form.append(name, value) }
        let endpoint = try endpoint(app)
        let request = RequestMessage.post(endpoint, form: form, headers: ["Accept": "application/json"])
        let response = try await sender.send(request, to: "the token endpoint")
        if response.status == 200, let token = response.json?["access_token"]?.stringValue, !token.isEmpty {
            return token
        }
        throw refusal(response, app, endpoint, secrets: sender.secrets)
    }

    /// Why the directory gives no token, by its AADSTS number (Microsoft docs: reference-error-codes).
    private func refusal(
        _ response: ResponseMessage, _ app: AzureApp, _ endpoint: WebURL, secrets: SentSecrets
    ) -> AzureProblem {
        let description = response.json?["error_description"]?.stringValue ?? ""
        let code = description.prefixMatch(of: /AADSTS[0-9]+/).map { String($0.output) } ?? ""
        var sentence = description.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
        // Ids of the request follow, on the same line or on lines of their own.
        if let ids = sentence.firstRange(of: " Trace ID:") { sentence = String(sentence[..<ids.lowerBound]) }
        let words = secrets.shown(sentence, most: 300)
        let error = response.json?["error"]?.stringValue.map { secrets.shown($0, most: 100) }
        let shown =
            words.isEmpty ? [error, "HTTP \(response.status)"].compactMap { $0 }.joined(separator: ", ") : words
        let known: String? =
            switch code {
            case "AADSTS500011": resource.unknownRemedy
            case "AADSTS700016":
                "Check AZURE_CLIENT_ID and AZURE_TENANT_ID: the app must be registered in \(resource.directory)."
            default: Self.remedies[code]
            }
        return AzureProblem(
            .service, "\(endpoint.authority) gives no token to \(credential.shown): \(shown)",
            remedy: known ?? remedy(response, app))
    }

    private func remedy(_ response: ResponseMessage, _ app: AzureApp) -> String {
        if response.json == nil {
            return
                "The answer is not of a token endpoint: check AZURE_AUTHORITY_HOST and AZURE_TENANT_ID (\(app.tenant))."
        }
        return "Check AZURE_TENANT_ID, AZURE_CLIENT_ID and the credential of the app registration."
    }

    private static let remedies = [
        "AADSTS7000215":
            "Set AZURE_CLIENT_SECRET to the value of a secret of this app; the portal also shows its ID, which is not the value.",
        "AADSTS7000222": "The secret has expired. Add one at App registrations > Certificates & secrets.",
        "AADSTS90002": "Check AZURE_TENANT_ID, and AZURE_AUTHORITY_HOST for other clouds.",
        "AADSTS700027":
            "Upload the certificate of AZURE_CLIENT_CERTIFICATE_PATH at App registrations > Certificates & secrets, and check "
            + "that it has not expired.",
        "AADSTS700211": "Add a federated credential with this issuer at App registrations > Certificates & secrets.",
        "AADSTS70021":
            "Add a federated credential with this issuer and subject at App registrations > Certificates & secrets.",
        "AADSTS700213": "Add a federated credential with this subject at App registrations > Certificates & secrets.",
        "AADSTS700212": "Add a federated credential with this audience: api://AzureADTokenExchange.",
        "AADSTS700024":
            "The assertion is not valid now. Check the clock of this machine, and that the federated token is new.",
        "AADSTS7000112": "The app is disabled. Enable it at Enterprise applications > Properties.",
    ]

    // MARK: GitHub Actions

    /// The ID token of the job (GitHub docs: OpenID Connect reference).
    private func github(
        _ text: String, _ token: String, _ sender: inout AzureSender
    ) async throws(AzureProblem) -> String {
        guard var url = WebURL(text), url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
            throw AzureProblem(
                .usage, "ACTIONS_ID_TOKEN_REQUEST_URL is not an https address",
                remedy: "GitHub sets it for jobs with `permissions: id-token: write`. Do not set it yourself.")
        }
        var items = url.queryItems
        items.append("audience", "api://AzureADTokenExchange")
        url.queryItems = items
        let request = RequestMessage.get(
            url, headers: ["Authorization": "Bearer \(token)", "Accept": "application/json"])
        let response = try await sender.send(request, to: "the token service of GitHub Actions")
        guard response.status == 200, let value = response.json?["value"]?.stringValue, !value.isEmpty else {
            throw AzureProblem(
                .service, "the token service of GitHub Actions answers with HTTP \(response.status) and no token",
                remedy: "Give the job `permissions: id-token: write`.")
        }
        return value
    }

    // MARK: Azure DevOps

    static let mapsAccessToken =
        "In the step, set `env: SYSTEM_ACCESSTOKEN: $(System.AccessToken)`. Azure DevOps sets SYSTEM_OIDCREQUESTURI itself."

    /// The token of a service connection (Microsoft docs: Azure DevOps REST API, Oidctoken - Create).
    private func azureDevOps(
        _ text: String, _ token: String, connection: String, _ sender: inout AzureSender
    ) async throws(AzureProblem) -> String {
        guard var url = WebURL(text), url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
            throw AzureProblem(
                .usage, "SYSTEM_OIDCREQUESTURI is not an https address",
                remedy: "Azure DevOps sets it in each job. Do not set it yourself.")
        }
        var items = url.queryItems
        items.append("api-version", "7.1")
        items.append("serviceConnectionId", connection)
        url.queryItems = items
        let request = RequestMessage(
            method: "POST", url: url,
            headers: [
                "Authorization": "Bearer \(token)", "Accept": "application/json", "Content-Type": "application/json",
                // Without it a token that is not accepted is answered with a redirect to a sign-in page.
                "X-TFS-FedAuthRedirect": "Suppress",
            ])
        let response = try await sender.send(request, to: "the token service of Azure DevOps")
        guard response.status == 200, let value = response.json?["oidcToken"]?.stringValue, !value.isEmpty else {
            throw AzureProblem(
                .service, "the token service of Azure DevOps answers with HTTP \(response.status) and no token",
                remedy:
                    "Check that AZURE_SERVICE_CONNECTION_ID is the ID of a service connection with workload identity "
                    + "federation that this pipeline may use. \(Self.mapsAccessToken)")
        }
        return value
    }

    // MARK: Azure CLI

    private func azure(_ tenant: String?) async throws(AzureProblem) -> String {
        var arguments = ["az", "account", "get-access-token", "--resource", resource.audience, "--output", "json"]
        if let tenant { arguments += ["--tenant", tenant] }
        switch await surroundings.run(arguments) {
        case .success(let text):
            if let token = (try? JSONParser.parse(text))?["accessToken"]?.stringValue, !token.isEmpty { return token }
            throw AzureProblem(
                .service, "az account get-access-token printed no accessToken",
                remedy: "Run it yourself to see why: az account get-access-token --resource \(resource.audience)")
        case .failure(.missing):
            throw AzureProblem(
                .usage, "there is no credential for \(resource.shown): no variable has one, and az is not on the PATH",
                remedy:
                    "Install the Azure CLI and run `\(resource.commandLineSignIn(tenant: tenant))`; or set "
                    + "AZURE_TENANT_ID, AZURE_CLIENT_ID and one of AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH, AZURE_FEDERATED_TOKEN_FILE; or set "
                    + "\(resource.tokenVariable).")
        case .failure(.failed(let how)):
            throw AzureProblem(
                .service, "az account get-access-token brought no token: \(how)",
                remedy:
                    "Run `\(resource.commandLineSignIn(tenant: tenant))`, with an account of \(resource.directory).")
        }
    }
}
