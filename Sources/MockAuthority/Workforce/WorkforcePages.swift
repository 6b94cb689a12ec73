import HTTPMessages

/// The pages of a directory tenant: plain forms, for they are not what scripts are about.
enum WorkforcePages {
    struct Input {
        var id: String
        var label: String
        var type = "text"
        var value = ""
    }

    struct Button {
        var id: String
        /// Sent under the name `action`.
        var value: String
        var text: String
    }

    /// A page with one form that carries the flow's context.
    static func form(
        name: String, title: String, lines: [String], error: String? = nil, action: String, context: String,
        inputs: [Input] = [], buttons: [Button]
    ) -> String {
        var body = "<h1>\(HTML.text(title))</h1>"
        for line in lines { body += "<p>\(HTML.text(line))</p>" }
        if let error { body += "<p id=\"error\" role=\"alert\">\(HTML.text(error))</p>" }
        body += "<form method=\"post\" action=\"\(HTML.attribute(action))\">"
        body += "<input type=\"hidden\" name=\"ctx\" value=\"\(HTML.attribute(context))\">"
        for input in inputs {
            body += "<p><label for=\"\(input.id)\">\(HTML.text(input.label))</label> "
            body += "<input id=\"\(input.id)\" name=\"\(input.id)\" type=\"\(input.type)\""
            body += " value=\"\(HTML.attribute(input.value))\"></p>"
        }
        body += "<p>"
        for button in buttons {
            body += "<button type=\"submit\" id=\"\(button.id)\" name=\"action\" value=\"\(button.value)\">"
            body += "\(HTML.text(button.text))</button> "
        }
        return document(title, page: name, body + "</p></form>")
    }

    /// A page that asks nothing: an error, or that somebody is signed out.
    static func message(title: String, text: String, isError: Bool) -> String {
        document(
            title, page: isError ? nil : "signedOut",
            "<h1>\(HTML.text(title))</h1><p id=\"\(isError ? "errorDetail" : "text")\">\(HTML.text(text))</p>")
    }

    private static func document(_ title: String, page: String?, _ body: String) -> String {
        let name = page.map { "<meta name=\"b2c-harness-page\" content=\"\($0)\">" } ?? ""
        return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\(name)"
            + "\(viewport)<title>\(HTML.text(title))</title>\(style)</head><body><main>\(body)</main></body></html>"
    }

    /// Enough to read and use the page on a phone.
    private static let style =
        "<style>body{margin:0 auto;max-width:26rem;padding:2rem 1.25rem;color:#1b1b1b;"
        + "font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif}h1{font-size:1.4rem}"
        + "label{display:block;margin-bottom:.25rem}input:not([type=checkbox]){box-sizing:border-box;width:100%;"
        + "min-height:2.75rem;padding:.5rem;border:1px solid #767676;border-radius:4px;font:inherit}"
        + "button{min-height:2.75rem;padding:.5rem 1.1rem;font:inherit}[role=alert]{color:#b00020}"
        + "p{overflow-wrap:anywhere}</style>"
}
