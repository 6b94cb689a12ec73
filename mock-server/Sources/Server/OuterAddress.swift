import CommandKit
import HTTPMessages

/// What clients call the server when it is behind a proxy. Everything that an answer says about addresses follows from
/// it: links, redirects, issuers, discovery documents, cookies.
struct OuterAddress: Sendable {
    typealias Malformed = Forwarding.Malformed

    /// Scheme, host and port that clients use (`--public-url`).
    var publicURL: WebURL?
    /// Whether header fields of a proxy are read (`--forwarded`). Any client can write them, so never by default.
    var readsForwarded = false
    /// The host in addresses for somebody at the server's machine.
    var ownHost = "localhost"

    /// The address at which a request was made.
    struct Seen: Equatable {
        var scheme: String
        /// With a port where it has one.
        var host: String
        /// Whether it is another one than the connection shows.
        var isOuter = false
    }

    /// What the client of a request called the server.
    ///
    /// The public URL takes the place of any address outside of the world's hosts: proxies may pass on their own name
    /// for the server. Fields of the proxy come before it.
    func address(of incoming: IncomingRequest, in world: ServerWorld?) throws(Malformed) -> Seen {
        let own = Seen(scheme: incoming.scheme, host: incoming.host)
        // A runner says itself which address of its world it means.
        guard publicURL != nil || readsForwarded, !incoming.isConsole, incoming.headers[WorldSelector.header] == nil
        else { return own }
        let said = readsForwarded ? try Forwarding(incoming.headers) : nil
        if let publicURL, said?.host == nil, isReplaced(incoming, by: publicURL, in: world) {
            return Seen(scheme: publicURL.scheme, host: publicURL.authority, isOuter: true)
        }
        guard let said, said.scheme != nil || said.host != nil || said.port != nil else { return own }
        let scheme = said.scheme ?? incoming.scheme
        guard var url = WebURL("\(scheme)://\(said.host ?? incoming.host)/") else { return own }
        if let port = said.port, said.host == nil || url.port == nil { url.port = port }
        if url.port == (scheme == "https" ? 443 : 80) { url.port = nil }
        return Seen(scheme: scheme, host: url.authority, isOuter: true)
    }

    private func isReplaced(_ incoming: IncomingRequest, by url: WebURL, in world: ServerWorld?) -> Bool {
        guard let host = WebURL("http://\(incoming.host)/")?.host else { return false }
        return host == url.host || world?.place(of: host) != .authority && world?.place(of: host) != .neighbour
    }

    /// Reads `--public-url`.
    ///
    /// - Parameter option: Its name, for the message.
    static func url(_ text: String, option: String) throws(Failure) -> WebURL {
        guard var url = WebURL(text), url.scheme == "http" || url.scheme == "https", url.userInfo == nil,
            HostName.isValid(url.authority), url.port != 0
        else {
            throw .usage(
                "\(option) is \"\(text)\"; expected the address that clients use, such as https://b2c.example.test or "
                    + "https://localhost:8443")
        }
        guard url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil else {
            throw .usage(
                "\(option) is \"\(text)\"; expected an address without a path, such as \(url.origin): apps and policies "
                    + "have addresses of their own below it, so give the server a host name or a port of its own")
        }
        url.path = ""
        if url.port == (url.scheme == "https" ? 443 : 80) { url.port = nil }
        return url
    }
}
