import CurlHTTP
import Determinism
import Diagnostics
import HTTPMessages
import JSON

/// The control API of a mock-server, as a client of it: JSON in, JSON out.
struct ControlClient: Sendable {
    /// Why a call came to nothing, in a sentence.
    struct Problem: Error, Sendable {
        var text: String
        /// The HTTP status; 0 where there was no answer.
        var status: Int
    }

    static let prefix = "/_b2c/v1"

    let transport: CurlTransport
    let base: WebURL
    let token: String?

    /// - Parameter path: Below the prefix, with its query: `/events?since=4`.
    func call(
        _ method: String, _ path: String, world: String? = nil, _ body: JSONValue? = nil
    ) async throws(Problem) -> JSONValue {
        let address = "\(base.scheme)://\(base.authority)\(Self.prefix)\(path)"
        guard let url = WebURL(address) else { throw Problem(text: "\(address) is not a URL", status: 0) }
        var headers: Headers = ["Accept": "application/json"]
        if let token { headers.append("Authorization", "Bearer \(token)") }
        if let world { headers.append("B2C-World", world) }
        var request = RequestMessage(method: method, url: url, headers: headers)
        if method != "GET" {
            request.headers.append("Content-Type", "application/json")
            request.body = JSONWriter.compactBytes(body ?? [:])
        }
        let response: ResponseMessage
        do throws(CurlFailure) {
            response = try await transport.exchange(request)
        } catch {
            throw Problem(text: "\(base) cannot be reached: \(error.text)", status: 0)
        }
        guard (200..<300).contains(response.status) else {
            throw Problem(text: Self.words(response, method, path), status: response.status)
        }
        if response.body.isEmpty { return .null }
        guard let json = response.json else {
            throw Problem(
                text: "\(base) does not answer as a mock-server does (\(method) \(Self.prefix)\(path) gave no JSON)",
                status: response.status)
        }
        return json
    }

    /// What an error answer says, with all its findings.
    private static func words(_ response: ResponseMessage, _ method: String, _ path: String) -> String {
        guard let error = response.json?["error"], let message = error["message"]?.stringValue else {
            return "\(method) \(prefix)\(path.prefix { $0 != "?" }) answered \(response.status): is this a mock-server?"
        }
        let findings = (error["findings"]?.arrayValue ?? []).compactMap { finding -> String? in
            guard let text = finding["message"]?.stringValue else { return nil }
            let place = finding["pointer"]?.stringValue ?? ""
            return place.isEmpty ? text : "\(place): \(text)"
        }
        if response.status == 401 { return message + "; give the token as `controlToken` in the target file" }
        return findings.isEmpty ? message : findings.joined(separator: "; ")
    }
}
