import HTTPMessages

/// The address of an API that a person names with `--api`.
public enum AzureAddress {
    /// Checks an address, and returns it without slashes and without a version at its end.
    ///
    /// - Parameters:
    ///   - example: Addresses that the option takes, for remedies.
    ///   - content: What requests carry besides the token, for messages.
    ///   - versions: Endings to remove, such as `/v1`.
    /// - Throws: ``AzureProblem`` if it is not an address, or if it would carry the token over plain http.
    public static func checked(
        _ text: String, example: String, content: String, versions: [String]
    ) throws(AzureProblem) -> WebURL {
        guard var url = WebURL(text), let host = url.host, !host.isEmpty, ["http", "https"].contains(url.scheme) else {
            throw AzureProblem(.usage, "--api is \"\(text)\", which is not an address", remedy: example)
        }
        guard url.userInfo == nil, url.query == nil, url.fragment == nil else {
            throw AzureProblem(
                .usage, "--api has a user, a query or a fragment, expected scheme, host and path only", remedy: example)
        }
        guard url.scheme == "https" || url.isLoopback else {
            throw AzureProblem(
                .usage,
                "--api is \"\(url)\": plain http would send the token and \(content) readable over the network",
                remedy: "Use https. Plain http is for addresses of this machine only.")
        }
        while url.path.hasSuffix("/") { url.path.removeLast() }
        for version in versions where url.path.hasSuffix(version) { url.path.removeLast(version.utf8.count) }
        return url
    }
}
