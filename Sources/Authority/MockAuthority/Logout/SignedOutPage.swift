import Markup
import TenantFiles

/// The page after sign-out: for requests that name no place to go to, or with the frames of single sign-out.
enum SignedOutPage {
    static func html(
        frames: [String], next: String?, language: OwnLanguage, template: PageTemplate = .oceanBlue
    ) -> String {
        let frame = PageFrameHTML(template)
        let isGerman = language == .german
        let iframes = frames.map { "<iframe hidden src=\"\(HTMLEntities.escaped($0))\"></iframe>" }.joined()
        let onward = next.map { address in
            "<p><a id=\"next\" href=\"\(HTMLEntities.escaped(address))\">\(isGerman ? "Weiter" : "Continue")</a></p>"
                + "<script>\(PageScripts.goOn)</script>"
        }
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">\(viewport)\
            <title>\(isGerman ? "Abgemeldet" : "Signed out")</title>\
            <link rel="stylesheet" href="/static/harness/page.css"></head>
            <body class="\(frame.bodyClass)">\(frame.opening)<div id="api" data-name="SignedOut" role="main">
            <h1 class="heading">\(isGerman ? "Die Abmeldung ist erfolgt." : "You are signed out.")</h1>\
            \(iframes)\(onward ?? "")
            </div>\(frame.closing)</body></html>
            """
    }
}
