import HTTPMessages

/// The icon that browsers ask for at an address of their own accord.
enum SiteIcon {
    static let path = "/favicon.ico"

    static func isAsked(_ request: RequestMessage) -> Bool { request.method == "GET" && request.url.path == path }

    static let answer = ResponseMessage(
        status: 200,
        headers: [
            "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=86400",
            "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
        ],
        body: Array(picture.utf8))

    /// A key on a plate.
    private static let picture = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b5cad"/>\
        <g fill="none" stroke="#fff" stroke-width="1.6"><circle cx="5.5" cy="8" r="2.3"/><path d="M7.8 8H13v2.4M10.8 8v1.8"/>\
        </g></svg>
        """
}
