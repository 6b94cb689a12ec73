import HTTPMessages

/// The inspector page and what it loads: three texts inside the program.
enum InspectorFiles {
    /// Whether a request asks for one of them.
    static func isOne(_ request: RequestMessage) -> Bool { answer(request) != nil }

    /// What is at an address below `/_b2c`, if it is one of these.
    static func answer(_ request: RequestMessage) -> ResponseMessage? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        switch request.url.path {
        case "/_b2c": return .redirect("/_b2c/", headers: headers("text/plain; charset=utf-8"))
        case "/_b2c/": return message("text/html; charset=utf-8", page)
        case "/_b2c/inspector.css": return message("text/css; charset=utf-8", style)
        case "/_b2c/inspector.js": return message("text/javascript; charset=utf-8", script)
        default: return nil
        }
    }

    private static func message(_ type: String, _ text: String) -> ResponseMessage {
        ResponseMessage(status: 200, headers: headers(type), body: Array(text.utf8))
    }

    /// Nothing from elsewhere, no inline script or style, in nobody's frame (W3C CSP3).
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"

    private static func headers(_ type: String) -> Headers {
        [
            "Content-Type": type, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
        ]
    }
}
