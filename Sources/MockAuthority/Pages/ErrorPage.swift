import Determinism
import Journeys

/// The languages in which pages speak that no policy has texts for: the error page and the page after sign-out.
public enum OwnLanguage: String, Sendable {
    case english = "en"
    case german = "de"

    init(wanted: [String]) {
        self =
            wanted.lazy.compactMap { OwnLanguage(rawValue: String($0.lowercased().prefix { $0 != "-" })) }.first
            ?? .english
    }

    init(_ call: Call, uiLocales: String? = nil) {
        self.init(
            wanted: Languages.wanted(
                uiLocales: uiLocales ?? call.request.url.queryItems["ui_locales"],
                acceptLanguage: call.request.headers["Accept-Language"]))
    }
}

/// The page `GlobalException`: what went wrong, for the person at the browser, with the ids support asks for. Element
/// names: Microsoft docs, customize-ui-with-html.
public struct ErrorPageDraft: Sendable {
    /// `AADB2Cnnnnn: text`, or the text without a number.
    public var detail: String
    public var correlationID: GUID
    /// `2026-01-15 12:00:00Z`.
    public var timestamp: String
    public var language: OwnLanguage
    /// Address of the policy's own template for this page.
    public var template: String?
    /// Nonce of the page's script.
    var nonce: String

    private var texts: (title: String, heading: String, help: String) {
        switch language {
        case .english:
            (
                "Error", "Signing in did not work.",
                "Something is wrong with the request or with the policy that served it. "
                    + "Close the browser, open the app again and try once more."
            )
        case .german:
            (
                "Fehler", "Die Anmeldung hat nicht geklappt.",
                "Mit der Anfrage oder mit der Richtlinie, die sie bearbeitet hat, stimmt etwas nicht. "
                    + "Bitte den Browser schließen, die App neu öffnen und noch einmal versuchen."
            )
        }
    }

    func html() -> String {
        let texts = self.texts
        let script =
            template == nil ? "" : "<script defer src=\"/static/harness/error.js\" nonce=\"\(nonce)\"></script>"
        let place = template.map { " data-template=\"\(HTML.attribute($0))\"" } ?? ""
        return """
            <!DOCTYPE html>
            <!-- Build: \(pageBuild) -->
            <!-- StateVersion: 2.1.1 -->
            <!-- DeploymentMode: Production -->
            <!-- CorrelationId: \(correlationID) -->
            <!-- DataCenter: DB3 -->
            <!-- Slice: 001-000 -->
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">\(viewport)<title>\(texts.title)</title>\
            <link rel="stylesheet" href="/static/harness/page.css">\(script)</head>
            <body class="harness-page"\(place)><main class="panel">\
            <div id="api" class="error-page-content" data-name="GlobalException">
            <h1 class="heading">\(texts.heading)</h1>
            <p class="error-page-help">\(texts.help)</p>
            <div class="error-page-messagedetails">
            <div class="error-page-correlationid">Correlation ID: \(correlationID)</div>
            <div class="error-page-timestamp">Timestamp: \(timestamp)</div>
            <div class="error-page-detail">\(HTML.text(detail))</div>
            </div></div></main></body></html>
            """
    }
}

/// Phones show a page as wide as they are, not as wide as a desk.
let viewport = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
