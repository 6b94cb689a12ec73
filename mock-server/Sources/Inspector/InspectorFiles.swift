import CAssets
import Diagnostics
import HTTPMessages
import MockAuthority
import Viewer

/// The inspector page and what it loads: texts inside the program.
enum InspectorFiles {
    /// Whether a request asks for one of them.
    static func isOne(_ request: RequestMessage) -> Bool { answer(request) != nil }

    /// What is at an address below `/_b2c`, if it is one of these.
    static func answer(_ request: RequestMessage) -> ResponseMessage? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        switch request.url.path {
        case "/_b2c": return .redirect("/_b2c/", headers: headers("text/plain; charset=utf-8"))
        case "/_b2c/": return message("text/html; charset=utf-8", asset_inspector_page().data)
        case "/_b2c/inspector.css": return message("text/css; charset=utf-8", asset_inspector_style().data)
        case "/_b2c/inspector.js": return message("text/javascript; charset=utf-8", asset_inspector_script().data)
        case "/_b2c/records.css": return message("text/css; charset=utf-8", Array(Viewer.style.utf8))
        case "/_b2c/hosted.css": return message("text/css; charset=utf-8", Array(HostedPages.style.utf8))
        case "/_b2c/hosted.js": return message("text/javascript; charset=utf-8", Array(HostedPages.script.utf8))
        case "/_b2c/records.js": return message("text/javascript; charset=utf-8", Array(Viewer.records.utf8))
        default: return nil
        }
    }

    /// The page's own script.
    static var script: String { asset_inspector_script().text }

    private static func message(_ type: String, _ text: [UInt8]) -> ResponseMessage {
        ResponseMessage(status: 200, headers: headers(type), body: text)
    }

    /// Nothing from elsewhere, no inline script or style, in no frame (W3C CSP3).
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    private static func headers(_ type: String) -> Headers {
        [
            "Content-Type": type, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin",
        ]
    }
}
