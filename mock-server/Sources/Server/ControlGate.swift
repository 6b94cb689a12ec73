import HTTPMessages

/// Who may use the control API and the inspector page.
///
/// Without a token: processes of this machine alone, and no web page of another site. With one: whoever shows it.
struct ControlGate: Sendable {
    /// The token that callers must show as `Authorization: Bearer`.
    let token: String?
    /// Host names besides those of loopback that the server may be called by: the tenant's own, and the address it is
    /// bound to.
    let hosts: [String]

    init(token: String? = nil, hosts: [String] = []) {
        self.token = token
        self.hosts = hosts.map { $0.lowercased() }
    }

    /// Why a request may not pass, as an answer.
    func problem(_ request: IncomingRequest) -> ResponseMessage? {
        if let token {
            let shown = request.headers["Authorization"] ?? ""
            guard Self.isEqual(shown, "Bearer \(token)") else {
                var message = Self.refusal(401, "unauthorized", "the control token is missing or wrong")
                message.headers.append("WWW-Authenticate", "Bearer realm=\"b2c control\"")
                return message
            }
            return nil
        }
        guard request.isLoopback else {
            return Self.refusal(
                403, "forbidden",
                "the control API answers this machine alone; start the server with --control-token to use it from others"
            )
        }
        // A page of another site that had its name point here would show that name (DNS rebinding).
        guard isOwn(request.host) else {
            return Self.refusal(403, "forbidden", "the control API is not served under the host name \(request.host)")
        }
        if let origin = request.headers["Origin"], WebURL(origin).map({ $0.authority != request.host }) ?? true {
            return Self.refusal(403, "forbidden", "a page of another site may not use the control API")
        }
        if let site = request.headers["Sec-Fetch-Site"], !["same-origin", "none"].contains(site) {
            return Self.refusal(403, "forbidden", "a page of another site may not use the control API")
        }
        return nil
    }

    private func isOwn(_ host: String) -> Bool {
        guard let url = WebURL("http://\(host)/"), let name = url.host else { return false }
        return url.isLoopback || hosts.contains(name)
    }

    /// Compares without telling by the time it takes where the texts differ.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let a = Array(a.utf8)
        let b = Array(b.utf8)
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func refusal(_ status: Int, _ code: String, _ text: String) -> ResponseMessage {
        var message = ResponseMessage.json(
            status, ["error": ["code": .string(code), "message": .string(text)]])
        message.refusal = text
        return message
    }
}
