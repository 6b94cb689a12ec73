import HTTPMessages
import JSON
import TenantFiles
import TrustFramework

/// Page templates of your own, which `pages` of a tenant file finds on the disk, and what they refer to: styles, scripts,
/// pictures. A file is read at each request, so that a browser shows what was saved last.
public struct PageFiles: Responder {
    /// The beginning of an address, which ends with a slash, and the folder, also as the tenant file has it; of two that fit,
    /// the longer one comes first.
    private let folders: [(base: String, folder: String, written: String)]
    private let read: @Sendable (String) -> [UInt8]?

    /// - Parameters:
    ///   - folder: The folder of the tenant file.
    ///   - read: The content of a file; `nil`: there is none.
    public init(_ tenant: Tenant, folder: String, read: @escaping @Sendable (String) -> [UInt8]?) {
        folders = tenant.pageFolders.members.compactMap { base, path in
            guard let text = path.stringValue else { return nil }
            let written = text.hasSuffix("/") ? String(text.dropLast()) : text
            let place = written.hasPrefix("/") || folder == "." ? written : folder + "/" + written
            return (base.hasSuffix("/") ? base : base + "/", place, written)
        }.sorted { $0.base.utf8.count > $1.base.utf8.count }
        self.read = read
    }

    /// Nothing is on the disk.
    public static let none = PageFiles(Tenant(name: "none"), folder: ".") { _ in nil }

    /// The addresses to attach it at.
    var addresses: [WebURL] { folders.compactMap { WebURL($0.base) } }

    /// The file for an address; `nil`: it is below none of the folders.
    public func path(for address: String) -> String? {
        place(of: address).map { $0.folder + "/" + $0.rest }
    }

    /// The file that an address needs and that does not exist; `nil`: nothing is missing.
    public func missing(for address: String) -> String? {
        // What a claims resolver stands for only a sign-in says.
        guard !address.contains("{"), let place = place(of: address), content(place) == nil else { return nil }
        return place.folder + "/" + place.rest
    }

    /// The templates of policies with their paths as seen from the tenant file: for handing a tenant over to somebody who has
    /// another disk.
    func texts(of policies: [ResolvedPolicy]) -> [(path: String, text: String)] {
        var texts: [String: String] = [:]
        for definition in policies.flatMap(\.contentDefinitions) {
            guard let place = place(of: definition.loadURI), let bytes = content((place.folder, place.rest)),
                let written = folders.first(where: { $0.folder == place.folder })?.written
            else { continue }
            texts[written + "/" + place.rest] = String(decoding: bytes, as: UTF8.self)
        }
        return texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func place(of address: String) -> (folder: String, rest: String)? {
        let start = address.prefix { $0 != "?" && $0 != "#" }
        guard let (base, folder, _) = folders.first(where: { start.hasPrefix($0.base) }) else { return nil }
        return (folder, PercentCoding.decode(String(start.dropFirst(base.count)), plusIsSpace: false))
    }

    private func content(_ place: (folder: String, rest: String)) -> [UInt8]? {
        place.rest.split(separator: "/").contains("..") ? nil : read(place.folder + "/" + place.rest)
    }

    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        let place = place(of: request.url.origin + request.url.path)
        var response: ResponseMessage
        if let place, let bytes = content(place) {
            var headers = Headers()
            headers.append("Content-Type", Self.type(of: place.rest))
            // A browser that kept it would not show what was saved.
            headers.append("Cache-Control", "no-cache")
            response = ResponseMessage(status: 200, headers: headers, body: bytes)
        } else {
            response = .text(404, "Not Found")
            response.refusal = place.map {
                "`pages` of the tenant file leads to \($0.folder)/\($0.rest), which does not exist"
            }
        }
        response.headers.append("Access-Control-Allow-Origin", request.headers["Origin"] ?? "*")
        response.headers.append("Access-Control-Allow-Methods", "GET, OPTIONS")
        return response
    }

    private static func type(of path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "html", "htm", "cshtml": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "woff": "font/woff"
        default: "application/octet-stream"
        }
    }
}
