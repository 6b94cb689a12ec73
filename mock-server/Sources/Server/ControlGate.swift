import HTTPMessages

/// Who may use the control API and the inspector page.
///
/// With a token: callers that send it. Without one: programs of this machine, and the inspector page.
///
/// The sign-in pages of the authority, the pages of providers and templates all live at the server's main port, and any
/// script in one of them runs in the origin of that port. So pages have no part in the control API there: browsers say
/// with each request which page it comes from, and a script cannot change what they say. The inspector is a page too and
/// is at the console, a port of its own, where nothing else is served.
struct ControlGate: Sendable {
    /// The token that callers must show as `Authorization: Bearer`.
    let token: String?
    /// Host names besides those of loopback that the server may be called by: the tenant's own, and the address it is
    /// bound to.
    let hosts: [String]
    /// Whether a proxy leads others to the main port: what it sends comes from this machine all the same.
    let isPublic: Bool

    init(token: String? = nil, hosts: [String] = [], isPublic: Bool = false) {
        self.token = token
        self.isPublic = isPublic
        self.hosts = hosts.map { $0.lowercased() }
    }

    /// Why a request may not pass, as an answer.
    ///
    /// - Parameter opensPage: The request is for the inspector page itself, at the console. A link of another page may lead
    ///   there: the page has no data of its own, and no other page can show it in a frame or reach its window.
    func problem(_ request: IncomingRequest, opensPage: Bool = false) -> ResponseMessage? {
        if let token {
            let shown = request.headers["Authorization"] ?? ""
            guard Self.isEqual(shown, "Bearer \(token)") else {
                var message = Self.refusal(.unauthorized, "the control token is missing or wrong")
                message.headers.append("WWW-Authenticate", "Bearer realm=\"b2c control\"")
                return message
            }
            return nil
        }
        guard request.isLoopback else {
            return Self.refusal(
                .forbidden,
                "the control API answers this machine alone; start the server with --control-token to use it from others"
            )
        }
        guard !Forwarding.isRelayed(request.headers), request.isConsole || !isPublic else {
            return Self.refusal(
                .forbidden,
                "behind a proxy the control API takes a token: start the server with --control-token, or call the "
                    + "inspector's port on the machine of the server (--control-port)")
        }
        // A page of another site that had its name point here would show that name (DNS rebinding).
        guard isOwn(request.host) else {
            return Self.refusal(.forbidden, "the control API is not served under the host name \(request.host)")
        }
        let origin = request.headers["Origin"]
        let site = request.headers["Sec-Fetch-Site"]
        guard request.isConsole else {
            if origin != nil || (site != nil && site != "none") {
                return Self.refusal(
                    .forbidden,
                    "web pages may not use the control API at this address; the inspector page has an address of its own"
                )
            }
            // Browsers say where a request comes from only at addresses that they consider secure.
            guard request.scheme == "https" || Self.isLoopbackName(request.host) else {
                return Self.refusal(
                    .forbidden,
                    "without TLS the control API is served under the names of this machine alone, such as localhost, not "
                        + request.host)
            }
            return nil
        }
        if opensPage, origin == nil, request.headers["Sec-Fetch-Mode"] == "navigate",
            request.headers["Sec-Fetch-Dest"] == "document"
        {
            return nil
        }
        if let origin, WebURL(origin).map({ $0.authority != request.host }) ?? true {
            return Self.refusal(.forbidden, "a page of another site may not use the control API")
        }
        if let site, !["same-origin", "none"].contains(site) {
            return Self.refusal(.forbidden, "a page of another site may not use the control API")
        }
        return nil
    }

    private static func isLoopbackName(_ host: String) -> Bool { WebURL("http://\(host)/")?.isLoopback ?? false }

    private func isOwn(_ host: String) -> Bool {
        guard let url = WebURL("http://\(host)/"), let name = url.host else { return false }
        return url.isLoopback || hosts.contains(name)
    }

    /// Compares in a time that does not depend on where the texts differ.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let a = Array(a.utf8)
        let b = Array(b.utf8)
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func refusal(_ code: ControlFault.Code, _ text: String) -> ResponseMessage {
        ControlFault(code, text).answer
    }
}
