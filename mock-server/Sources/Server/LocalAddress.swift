import B2CProtocol
import HTTPMessages

/// An address of the server that does without name mapping: `http://localhost:9400`, or a tenant's host at a port of its
/// own.
///
/// Somebody who came this way cannot reach the other hosts of the tenant file, so they stand below a path of the same
/// address: `/_hosts/api.contoso.example/tasks`. What leads to them in answers is rewritten.
struct LocalAddress: Sendable {
    /// The path below which the other hosts stand.
    static let prefix = "/_hosts/"

    /// `http://localhost:9400`.
    let origin: String
    /// Whether the host is none of the tenant's.
    let isForeign: Bool

    /// Nil where a client has mapped names to this server, so that every host is in its place.
    init?(url: WebURL, place: ServerWorld.Place) {
        guard place != .neighbour else { return nil }
        let usesOwnPort = url.port != nil && url.port != (url.scheme == "https" ? 443 : 80)
        guard place == .elsewhere || usesOwnPort else { return nil }
        origin = url.origin
        isForeign = place == .elsewhere
    }

    /// The host and the path that a path below the prefix stands for.
    static func hosted(_ path: String) -> (host: String, path: String)? {
        guard path.hasPrefix(prefix) else { return nil }
        let rest = path.dropFirst(prefix.count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        return (rest[..<end].lowercased(), end == rest.endIndex ? "/" : String(rest[end...]))
    }

    /// Lets an answer lead to neighbours under this address.
    func adapt(_ message: inout ResponseMessage, of world: ServerWorld) {
        if isForeign {
            // A browser would keep it for every port of localhost.
            message.headers["Strict-Transport-Security"] = nil
        }
        if let location = message.headers["Location"], let url = WebURL(location), let host = url.host,
            world.place(of: host) == .neighbour
        {
            message.headers["Location"] = moved(url)
        }
        guard message.headers.mediaType == "text/html" else { return }
        var text: String?
        for host in world.neighbours {
            let absolute = "https://\(host)/"
            let current = text ?? message.text
            guard current.contains(absolute) else { continue }
            text = current.replacing(absolute, with: origin + Self.prefix + host + "/")
        }
        if let text { message.body = Array(text.utf8) }
    }

    private func moved(_ url: WebURL) -> String {
        var text = origin + Self.prefix + (url.host ?? "") + (url.path.isEmpty ? "/" : url.path)
        if let query = url.query { text += "?" + query }
        if let fragment = url.fragment { text += "#" + fragment }
        return text
    }
}
