import B2CProtocol
import Determinism
import JSON
import Journeys
import Markup
import TenantFiles

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
///
/// It has the frame of the other pages: `SETTINGS` with the page's handler, and the error in `GLOBALEX`, which clients
/// that sign in without a browser read. The page already contains what the service's script draws from it.
public struct ErrorPageDraft: Sendable {
    /// What the page reports.
    public enum Kind: Sendable {
        /// The request or the journey failed.
        case failure
        /// The address names nothing that is served.
        case notFound
    }

    public var kind = Kind.failure
    /// `AADB2Cnnnnn: text`, or the text without a number.
    public var detail: String
    public var correlationID: GUID
    /// `2026-01-15 12:00:00Z`.
    public var timestamp: String
    public var language: OwnLanguage
    /// Address of the policy's own template for this page.
    public var template: String?
    /// The service's own template, where the policy has none.
    public var pageTemplate = PageTemplate.oceanBlue
    /// Scheme, host and port under which the service was called.
    var origin: String
    /// `/{tenant}/{policy}`; empty for an address without a policy.
    var tenantPath = ""
    var policy = ""
    /// Nonce of the page's scripts.
    var nonce: String

    private var texts: (title: String, heading: String, help: String) {
        switch (kind, language) {
        case (.failure, .english):
            (
                "Error", "Signing in did not work.",
                "Something is wrong with the request or with the policy that served it. "
                    + "Close the browser, open the app again and try once more."
            )
        case (.failure, .german):
            (
                "Fehler", "Die Anmeldung hat nicht geklappt.",
                "Mit der Anfrage oder mit der Richtlinie, die sie bearbeitet hat, stimmt etwas nicht. "
                    + "Bitte den Browser schließen, die App neu öffnen und noch einmal versuchen."
            )
        case (.notFound, .english):
            (
                "404 - Not found", "There is nothing at this address.",
                "Check the address: the tenant, the policy and the path must be spelled as they are registered."
            )
        case (.notFound, .german):
            (
                "404 - Nicht gefunden", "Unter dieser Adresse gibt es nichts.",
                "Bitte die Adresse prüfen: Mandant, Richtlinie und Pfad müssen so geschrieben sein, wie sie "
                    + "registriert sind."
            )
        }
    }

    /// The data script. Clients look for the end of `GLOBALEX` at its first closing brace, so no text in it has one.
    private var dataScript: String {
        let resource = template ?? "\(origin)/static/tenant/\(pageTemplate.folder)/exception.cshtml"
        let settings = PageSettings(
            api: "GlobalException", remoteResource: resource, transId: "", pageViewId: correlationID.description,
            tenantPath: tenantPath, policy: policy, staticHost: "\(origin)/static/", language: language.rawValue,
            content: ["error-title": .string(HTMLEntities.escaped(texts.heading))])
        var error: JSONObject = [
            "CorrelationId": .string(correlationID.description), "Timestamp": .string(timestamp),
            "Detail": .string(detail),
        ]
        if let code { error["ErrorCode"] = .string(code) }
        return settings.script() + "var GLOBALEX = " + PageSettings.flatLiteral(error) + ";\n"
    }

    /// The number of the error.
    private var code: String? {
        guard detail.hasPrefix("AADB2C") else { return nil }
        let code = detail.prefix { $0 != ":" }
        return code.utf8.dropFirst("AADB2C".utf8.count).allSatisfy { (48...57).contains($0) } && code.utf8.count > 6
            ? String(code) : nil
    }

    func html() -> String {
        let texts = self.texts
        let frame = PageFrameHTML(pageTemplate)
        let script =
            template == nil ? "" : "<script defer src=\"/static/harness/error.js\" nonce=\"\(nonce)\"></script>"
        let place = template.map { " data-template=\"\(HTMLEntities.escaped($0))\"" } ?? ""
        return """
            <!DOCTYPE html>
            <!-- Build: \(pageBuild) -->
            <!-- StateVersion: 2.1.1 -->
            <!-- DeploymentMode: Production -->
            <!-- CorrelationId: \(correlationID) -->
            <!-- DataCenter: \(PageDraft.dataCenter) -->
            <!-- Slice: \(PageDraft.slice) -->
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">\(viewport)<title>\(texts.title)</title>
            <script data-container="true" nonce="\(nonce)">\(dataScript)</script>\
            <link rel="stylesheet" href="/static/harness/page.css">\(script)</head>
            <body class="\(frame.bodyClass)"\(place)>\(frame.opening)\
            <div id="api" class="error-page-content" data-name="GlobalException" role="main">
            <h1 class="heading">\(texts.heading)</h1>
            <p class="error-page-help">\(texts.help)</p>
            <div class="error-page-messagedetails">
            <div class="error-page-correlationid">Correlation ID: \(correlationID)</div>
            <div class="error-page-timestamp">Timestamp: \(timestamp)</div>
            <div class="error-page-detail">\(HTMLEntities.escaped(detail))</div>
            </div></div>\(frame.closing)</body></html>
            """
    }
}

/// Phones show a page as wide as they are, not as wide as a desk.
let viewport = "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
