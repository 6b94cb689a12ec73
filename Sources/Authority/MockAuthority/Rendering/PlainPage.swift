import HTTPMessages
import Markup

/// Ordinary HTML pages with plain forms: those of identity providers and of a directory tenant, and the form that posts
/// a response by itself.
public enum PlainPage {
    /// Something to type into.
    public struct TextInput {
        var id: String
        var label: String
        var type: String
        var value: String
        var isRequired: Bool

        /// - Parameters:
        ///   - id: Also the name it is sent under.
        ///   - isRequired: The browser sends the form only when it is filled in.
        public init(id: String, label: String, type: String = "text", value: String = "", isRequired: Bool = false) {
            self.id = id
            self.label = label
            self.type = type
            self.value = value
            self.isRequired = isRequired
        }
    }

    /// Something to press.
    public struct Button {
        var id: String
        var value: String
        var text: String

        /// - Parameter value: Sent under the name `action`. Only `accept` wants required fields filled in.
        public init(id: String, value: String, text: String) {
            self.id = id
            self.value = value
            self.text = text
        }
    }

    /// A page with one form.
    ///
    /// - Parameters:
    ///   - name: The page's name for scripts, carried by a meta element.
    ///   - lines: Paragraphs above the form.
    ///   - error: Stands right above the form.
    ///   - hidden: Sent with the form and not shown.
    ///   - opensNewTab: What the form is sent for shows in another tab.
    public static func form(
        name: String, title: String, lines: [String], error: String? = nil, action: String,
        hidden: [(name: String, value: String)] = [], inputs: [TextInput] = [], buttons: [Button],
        opensNewTab: Bool = false
    ) -> String {
        var body = "<h1>\(escaped(title))</h1>"
        for line in lines { body += "<p>\(escaped(line))</p>" }
        if let error { body += "<p id=\"error\" role=\"alert\">\(escaped(error))</p>" }
        let target = opensNewTab ? " target=\"_blank\"" : ""
        body += "<form method=\"post\" action=\"\(escaped(action))\"\(target)>"
        for item in hidden { body += self.hidden(item.name, item.value) }
        for input in inputs {
            body += "<p><label for=\"\(escaped(input.id))\">\(escaped(input.label))</label> "
            body += "<input id=\"\(escaped(input.id))\" name=\"\(escaped(input.id))\" type=\"\(escaped(input.type))\""
            body += " value=\"\(escaped(input.value))\"\(input.isRequired ? " required" : "")></p>"
        }
        body += "<p>"
        for button in buttons {
            body += "<button type=\"submit\" id=\"\(escaped(button.id))\" name=\"action\""
            // A cancelled form need not be filled in.
            body += " value=\"\(escaped(button.value))\"\(button.value == "accept" ? "" : " formnovalidate")>"
            body += "\(escaped(button.text))</button> "
        }
        return document(title, page: name, body + "</p></form>")
    }

    /// A page that says something and asks nothing.
    ///
    /// - Parameter page: Its name for scripts; without one it is an error.
    public static func message(title: String, text: String, page: String? = nil) -> String {
        document(
            title, page: page,
            "<h1>\(escaped(title))</h1><p id=\"\(page == nil ? "errorDetail" : "text")\">\(escaped(text))</p>")
    }

    /// The page of `response_mode=form_post`: its form posts itself, and has a button for browsers without script.
    public static func autoPost(to target: String, _ items: FormItems) -> String {
        var inputs = ""
        for item in items.items {
            inputs += hidden(item.name, item.value)
        }
        return document(
            "Working...", page: nil,
            "<form id=\"auto\" method=\"post\" action=\"\(escaped(target))\">\(inputs)"
                + "<noscript><button type=\"submit\">Continue</button></noscript></form>"
                + "<script>\(PageScripts.submit)</script>")
    }

    private static func document(_ title: String, page: String?, _ body: String) -> String {
        let name = page.map { "<meta name=\"b2c-harness-page\" content=\"\(escaped($0))\">" } ?? ""
        return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\(name)"
            + "\(viewport)<title>\(escaped(title))</title>\(style)</head><body><main>\(body)</main></body></html>"
    }

    /// Enough to read and use the page on a phone.
    private static let style =
        "<style>body{margin:0;background:#f3f1ec;color:#1b1b1b;"
        + "font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif}"
        + "main{box-sizing:border-box;max-width:27rem;margin:0 auto;padding:2rem 1.5rem;background:#fff}"
        + "@media(min-width:30rem){main{margin:4vh auto;padding:2.25rem;border-radius:6px}}"
        + "h1{font-size:1.4rem;margin:0 0 .75rem}p{margin:0 0 1rem;overflow-wrap:anywhere}form p:last-child{margin:0}"
        + "label{display:block;margin-bottom:.25rem}input:not([type=checkbox]){box-sizing:border-box;width:100%;"
        + "min-height:2.75rem;padding:.5rem;border:1px solid #767676;border-radius:4px;font:inherit}"
        + "button{min-height:2.75rem;padding:.5rem 1.1rem;border:1px solid #4a4a4a;border-radius:4px;background:#fff;"
        + "color:inherit;font:inherit}button[value=accept]{background:#4a4a4a;color:#fff}[role=alert]{color:#b00020}"
        + "</style>"

    private static func hidden(_ name: String, _ value: String) -> String {
        "<input type=\"hidden\" name=\"\(escaped(name))\" value=\"\(escaped(value))\">"
    }

    private static func escaped(_ text: String) -> String { HTMLEntities.escaped(text) }
}
