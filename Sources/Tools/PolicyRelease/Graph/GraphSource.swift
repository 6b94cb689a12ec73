import AzureSignIn
import HTTPMessages

/// Where Microsoft Graph is (Microsoft docs: national cloud deployments).
public struct GraphSource: AzureResource, Hashable {
    /// Without a version such as `/beta`.
    public let api: WebURL

    private static let host = "graph.microsoft.com"
    private static let standard = "https://\(host)"

    /// - Parameter api: The address; `nil`: the one of the public cloud. The address of a mock alone, such as
    ///   `http://localhost:9400`, means its Graph.
    /// - Throws: ``AzureProblem`` if the address cannot be one.
    public init(api: String?) throws(AzureProblem) {
        var url = try AzureAddress.checked(
            api ?? Self.standard,
            example: "Give one such as \(Self.standard), https://graph.microsoft.us or http://localhost:9400.",
            content: "the policies", versions: ["/beta", "/v1.0"])
        if url.isLoopback, url.path.isEmpty { url.path = "/_hosts/\(Self.host)" }
        self.api = url
    }

    /// Whether it is the Graph of a mock: below `/_hosts`, where a mock serves other hosts.
    private var mock: WebURL? {
        guard let place = api.path.firstRange(of: "/_hosts/") else { return nil }
        var url = api
        url.path = String(api.path[..<place.upperBound])
        return url
    }

    public var authority: String { mock.map { "\($0)login.microsoftonline.com" } ?? cloudAuthority }

    public var audience: String { mock != nil || api.isLoopback ? Self.standard : api.origin }

    public var tokenVariable: String { "B2C_GRAPH_TOKEN" }
    public var shown: String { "Microsoft Graph" }
    public var addressOption: String { "--api" }
    public var busyRemedy: String { "Run the command again later." }
    public var slowRemedy: String { "Try again; if it stays so, check the network." }
    public var unknownRemedy: String {
        "The directory does not know Microsoft Graph at this address. Check --api and AZURE_AUTHORITY_HOST: both must be "
            + "of the same cloud."
    }
    public var directory: String { "the B2C tenant" }

    /// A person's sign-in brings a token of the Azure CLI's own app, which Graph refuses for policies. A B2C tenant has no
    /// subscription.
    public func commandLineSignIn(tenant: String?) -> String {
        "az login --service-principal --username CLIENT-ID --password SECRET --tenant \(tenant ?? "TENANT") "
            + "--allow-no-subscriptions"
    }

    // MARK: Addresses

    /// An address below a version.
    ///
    /// - Parameter path: Without a slash at the beginning, percent-encoded.
    func url(_ path: String, version: String = "beta", query: String? = nil) -> WebURL {
        var url = api
        url.path += "/\(version)/\(path)"
        url.query = query
        return url
    }

    /// The address of a further page of a list; `nil`: it leads to another server, which must not get the token.
    func page(_ link: String) -> WebURL? {
        guard let url = WebURL(link) else { return nil }
        if url.hasSameOrigin(as: api), url.path.hasPrefix(api.path) { return url }
        // A mock may write the address that Graph has.
        guard mock != nil, url.host == Self.host else { return nil }
        var own = api
        own.path += url.path
        own.query = url.query
        return own
    }
}
