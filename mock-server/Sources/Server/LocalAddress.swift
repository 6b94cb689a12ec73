import B2CProtocol
import HTTPMessages
import JSON
import MockAuthority

/// An address of the server that does without name mapping: `http://localhost:9400`, or a tenant's host at a port of its
/// own.
///
/// Somebody who came this way cannot reach the other hosts of the tenant file, so they are below a path of the same
/// address: `/_hosts/api.contoso.example/tasks`. What leads to them in answers is rewritten.
struct LocalAddress: Sendable {
    /// The path below which the other hosts are.
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

    /// Nothing of the world is at the host that a path below the prefix names.
    struct Unknown: Error {
        let host: String

        var text: String { "no API, provider or template of this world is at \(host)" }
    }

    /// Lets a request for a path below the prefix lead to the neighbour that it stands for.
    func lead(_ request: inout RequestMessage, in world: ServerWorld) throws(Unknown) {
        guard let (host, path) = Self.hosted(request.url.path) else { return }
        guard world.place(of: host) == .neighbour || host == InstanceDiscovery.host else { throw Unknown(host: host) }
        request.url = WebURL(scheme: "https", host: host, path: path, query: request.url.query)
        request.headers["Host"] = host
    }

    /// Lets an answer lead to neighbours under this address.
    ///
    /// - Parameter host: Who answered.
    func adapt(_ message: inout ResponseMessage, of world: ServerWorld, from host: String? = nil) {
        if isForeign {
            // A browser would keep it for every port of localhost.
            message.headers["Strict-Transport-Security"] = nil
        }
        if let location = message.headers["Location"], let url = WebURL(location), let host = url.host,
            world.place(of: host) == .neighbour
        {
            message.headers["Location"] = moved(url)
        }
        // Clients follow addresses in documents of the directory and of Graph: endpoints, the next page of a list. A policy
        // comes back as it was uploaded.
        let isDocument =
            (host == InstanceDiscovery.host || host == GraphAPI.host) && message.headers.mediaType != "application/xml"
        guard message.headers.mediaType == "text/html" || isDocument else { return }
        if let body = adapted(message.body, of: world) { message.body = body }
    }

    /// A page whose addresses at neighbours lead here; `nil` where there are none, as on most pages.
    private func adapted(_ page: [UInt8], of world: ServerWorld) -> [UInt8]? {
        let scheme = Array("https://".utf8)
        var result: [UInt8]?
        /// Where the part begins that `result` lacks.
        var kept = 0
        page.withUnsafeBufferPointer { page in
            var start = 0
            while start < page.count {
                let rest = UnsafeBufferPointer(rebasing: page[start...])
                let found = start + scheme.withUnsafeBufferPointer { ByteSearch.offset(of: $0, in: rest) }
                guard found < page.count else { return }
                start = found + scheme.count
                let end = ByteSearch.offset(of: UInt8(ascii: "/"), in: page, from: start)
                guard end < page.count, end - start <= 260 else { continue }
                let authority = String(decoding: page[start..<end], as: UTF8.self)
                guard world.isNeighbour(authority) || isForeign && authority == InstanceDiscovery.host else { continue }
                var made = result ?? []
                made += page[kept..<found]
                made += Array((origin + Self.prefix + authority).utf8)
                result = made
                kept = end
                start = end
            }
        }
        return result.map { $0 + page[kept...] }
    }

    private func moved(_ url: WebURL) -> String {
        var text = origin + Self.prefix + (url.host ?? "") + (url.path.isEmpty ? "/" : url.path)
        if let query = url.query { text += "?" + query }
        if let fragment = url.fragment { text += "#" + fragment }
        return text
    }
}

extension ServerWorld {
    /// The address of the server that a URL uses, and notes it; `nil` where every host is in its place. A runner maps every
    /// name of its world to this server.
    func local(_ url: WebURL) -> LocalAddress? {
        guard isDefault else { return nil }
        let place = place(of: url.host ?? "")
        if place == .elsewhere { ownAddresses.note(url) }
        return LocalAddress(url: url, place: place)
    }
}
