import HTTPMessages

/// What tokens are for: an API of Azure, with what messages say about it.
public protocol AzureResource: Sendable {
    /// What it is called in messages.
    var shown: String { get }
    /// The address of the API.
    var api: WebURL { get }
    /// The resource that tokens are for, such as `https://api.loganalytics.io`.
    var audience: String { get }
    /// The variable of the environment with a ready token.
    var tokenVariable: String { get }
    /// The option of the command with the address of the API.
    var addressOption: String { get }
    /// The remedy if the API asks for a wait that is too long.
    var busyRemedy: String { get }
    /// The remedy if an answer takes too long.
    var slowRemedy: String { get }
    /// The remedy if the directory does not know the audience.
    var unknownRemedy: String { get }
    /// The directory that `AZURE_TENANT_ID` names, in words after "registered in".
    var directory: String { get }
    /// The authority that issues the tokens, unless the environment names another one.
    var authority: String { get }
    /// The command that signs in the Azure CLI.
    ///
    /// - Parameter tenant: `AZURE_TENANT_ID`.
    func commandLineSignIn(tenant: String?) -> String
}

extension AzureResource {
    public var authority: String { cloudAuthority }

    public func commandLineSignIn(tenant: String?) -> String {
        "az login" + (tenant.map { " --tenant \($0)" } ?? "")
    }

    /// The authority of the cloud that the address of the API belongs to.
    public var cloudAuthority: String {
        let host = api.host ?? ""
        // A secret for a server on this machine does not leave it.
        if api.isLoopback { return api.origin }
        if host.hasSuffix(".us") { return "https://login.microsoftonline.us" }
        if host.hasSuffix(".cn") { return "https://login.chinacloudapi.cn" }
        return "https://login.microsoftonline.com"
    }
}
