import B2CProtocol
import Determinism

extension Authority {
    /// Files of the service that pages refer to.
    mutating func staticAsset(_ name: String, _ call: Call) -> Reply {
        guard let (text, type) = StaticAssets.file(name) else {
            return notFound(call, why: "there is no static file \(name)")
        }
        return .send(Draft(headers: .document, body: .text(text, contentType: type)), after: .zero)
    }
}

enum StaticAssets {
    /// The file and its media type; names are compared without letter case, as the service does (inferred).
    static func file(_ name: String) -> (text: String, type: String)? {
        switch name.lowercased() {
        case "harness/page.js": (pageScript, "application/javascript; charset=utf-8")
        case "harness/error.js": (errorScript, "application/javascript; charset=utf-8")
        case "harness/page.css": (pageStyle, "text/css; charset=utf-8")
        case let path where templates.contains { path.hasSuffix("/" + $0) }: (template, htmlContentType)
        default: nil
        }
    }

    /// Templates of the families Ocean Blue, Slate Gray and Classic look alike here.
    private static let templates = [
        "unified.cshtml", "selfasserted.cshtml", "multifactor-1.0.0.cshtml", "idpselector.cshtml", "exception.cshtml",
    ]

    private static let template = """
        <!DOCTYPE html>
        <html><head><title></title></head>
        <body class="harness-page"><main class="panel"><div id="api"></div></main></body></html>
        """
}
