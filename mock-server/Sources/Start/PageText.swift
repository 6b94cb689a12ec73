import HTTPMessages
import JOSE
import Markup

/// What the server's own pages have in common: they run no script but that which copies a text, load nothing, and stay out of
/// frames.
enum PageText {
    /// The answer with a page.
    ///
    /// - Parameter copies: The page ends with ``copying``.
    static func answer(_ html: String, status: Int = 200, copies: Bool = false) -> ResponseMessage {
        .html(
            status, html,
            headers: [
                "Content-Security-Policy": copies ? "\(policy); script-src \(hash(script))" : policy,
                "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
            ])
    }

    /// No script, nothing from elsewhere, and the one style sheet of the pages (W3C CSP3).
    private static let policy =
        "default-src 'none'; style-src \(hash(style)); img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static func hash(_ text: String) -> String { "'sha256-\(Base64.encode(SHA2.sha256(Array(text.utf8))))'" }

    /// A whole page.
    ///
    /// - Parameters:
    ///   - title: The title of the window, as text.
    ///   - body: HTML.
    static func page(_ title: String, _ body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(text(title)) - mock-server</title>
        <style>\(style)</style></head>
        <body><main>
        \(body)
        </main></body></html>
        """
    }

    /// A table, or a sentence where it has no rows.
    static func table(_ title: String, _ columns: [String], _ rows: [String], none: String) -> String {
        guard !rows.isEmpty else { return "<h2>\(title)</h2><p class=\"quiet\">\(none)</p>" }
        let head = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        // A region that scrolls is reached with the keyboard.
        return """
            <h2>\(title)</h2><div class="wide" role="region" aria-label="\(title)" tabindex="0"><table><thead><tr>\(head)</tr>\
            </thead><tbody>\(rows.map { labeled($0, columns) }.joined())</tbody></table></div>
            """
    }

    /// A row whose cells name their columns: on a phone each cell is a line of its own, without the head of the table.
    private static func labeled(_ row: String, _ columns: [String]) -> String {
        let parts = row.split(separator: "<td", omittingEmptySubsequences: false)
        // The head of a row, where it has one, needs no name.
        let first = columns.count - (parts.count - 1)
        return parts.enumerated().map { place, part in
            let column = first + place - 1
            guard place > 0, columns.indices.contains(column) else { return (place == 0 ? "" : "<td") + part }
            return "<td data-column=\"\(columns[column])\"" + part
        }.joined()
    }

    /// A link.
    static func link(_ address: String, _ words: String) -> String {
        "<a href=\"\(text(address))\">\(text(words))</a>"
    }

    /// A command to copy, on as many lines as it has.
    static func command(_ line: String) -> String {
        "<pre tabindex=\"0\"><code>\(text(line))</code></pre>"
    }

    /// A text to copy, behind its title.
    ///
    /// - Parameter title: HTML.
    static func copied(_ title: String, _ content: String) -> String {
        """
        <details><summary>\(title)</summary><button type="button" hidden>Copy</button>\(command(content))</details>
        """
    }

    /// What the buttons of ``copied(_:_:)`` need, for the end of a page.
    static let copying = "<script>\(script)</script>"

    /// Without it there are no buttons, and where a page may not write to the clipboard the text is selected.
    private static let script = """
        for(const button of document.querySelectorAll("button")){button.hidden=false;button.onclick=async()=>{\
        const text=button.nextElementSibling;try{await navigator.clipboard.writeText(text.textContent);\
        button.textContent="Copied"}catch{getSelection().selectAllChildren(text)}}}
        """

    /// For the content of an element or a quoted attribute.
    static func text(_ text: String) -> String { HTMLEntities.escaped(text) }

    private static let style = """
        :root{color-scheme:light dark;--back:#eef2f6;--page:#fff;--text:#1b1b1b;--quiet:#555;--line:#dde3e9;--link:#0b5cad;\
        --code:#f3f5f8;--bad:#a4262c}\
        @media(prefers-color-scheme:dark){:root{--back:#14171b;--page:#1d2126;--text:#e8eaed;--quiet:#a9b1ba;--line:#363c44;\
        --link:#8ab8ff;--code:#272c33;--bad:#ff9a9a}}\
        body{margin:0;background:var(--back);color:var(--text);\
        font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}\
        main{box-sizing:border-box;max-width:60rem;margin:0 auto;padding:1.5rem 1rem;background:var(--page);min-height:100vh}\
        @media(min-width:40rem){main{padding:2rem}}\
        h1{font-size:1.5rem;margin:0 0 .5rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.75rem 0 .5rem}\
        p{margin:0 0 .75rem}a{color:var(--link)}.quiet{color:var(--quiet)}.bad{color:var(--bad)}.wide{overflow-x:auto}\
        table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;\
        border-bottom:1px solid var(--line);overflow-wrap:anywhere}\
        th,th code{overflow-wrap:normal;white-space:nowrap}thead th{font-weight:600;font-size:.85rem;color:var(--quiet)}\
        @media(max-width:40rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
        table,tbody,tr,td,tbody th{display:block}tr{padding:.4rem 0;border-bottom:1px solid var(--line)}\
        td,tbody th{border:0;padding:.1rem 0}td{position:relative;padding-left:7.5rem;min-height:1.45rem}\
        td::before{content:attr(data-column);position:absolute;left:0;width:7rem;font-size:.85rem;color:var(--quiet)}}\
        code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}\
        pre{background:var(--code);padding:.75rem;overflow-x:auto;margin:0 0 .75rem}pre code{overflow-wrap:normal}\
        li{margin:.25rem 0}details{margin:0 0 .5rem}summary{cursor:pointer}button{font:inherit;margin:.5rem 0}
        """
}
