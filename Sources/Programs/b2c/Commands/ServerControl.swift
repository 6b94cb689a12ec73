import CommandKit
import CurlHTTP
import Determinism
import HTTPMessages
import JSON

/// A running mock-server as `exec` and `token` see it.
struct ServerControl: Sendable {
    /// Scheme, host and port.
    let origin: String
    /// Shows it to a server that asks for one. (B2C_CONTROL_TOKEN)
    var token: String? = Machine.environment("B2C_CONTROL_TOKEN")
    /// The PEM file of its certificate authority.
    var authorityFile: String?

    /// - Parameter text: Its address; a path in it does not count.
    init(_ text: String, authorityFile: String? = nil) throws {
        guard let url = WebURL(called: text) else {
            throw Failure.usage("\(text) is not the address of a server: expected one such as http://localhost:9400")
        }
        origin = url.origin
        self.authorityFile = authorityFile
    }

    /// Address of the control API.
    var address: String { origin + "/_b2c/v1" }

    /// A call of the control API.
    ///
    /// - Parameter path: Below its address, with its query.
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await fetch(method, address + path, body)
    }

    /// A document of the server.
    func fetch(_ method: String, _ address: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        guard let url = WebURL(address) else { throw Failure.usage("\(address) is not an address") }
        var headers: Headers = ["Accept": "application/json"]
        if let token { headers.append("Authorization", "Bearer \(token)") }
        var request = RequestMessage(method: method, url: url, headers: headers)
        if let body {
            request.headers.append("Content-Type", "application/json")
            request.body = JSONWriter.compactBytes(body)
        }
        var options = CurlOptions()
        if let authorityFile { options.trust = .file(authorityFile) }
        let response: ResponseMessage
        do throws(CurlFailure) {
            response = try await CurlTransport(options).exchange(request)
        } catch {
            throw Failure.machine("\(origin) cannot be reached: \(error.text). Start a server there with `b2c serve`")
                as any Error
        }
        guard (200..<300).contains(response.status), let json = response.json else {
            let text = response.json?["error", "message"]?.stringValue ?? "is it a mock-server?"
            throw Failure.machine("\(method) \(address) answered \(response.status): \(text)")
        }
        return json
    }
}

extension WebURL {
    /// An address that can be called: http or https, with a host; `nil` for other texts.
    init?(called text: String) {
        self.init(text)
        guard ["http", "https"].contains(scheme), host?.isEmpty == false else { return nil }
    }
}
