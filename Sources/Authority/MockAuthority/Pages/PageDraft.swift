import B2CProtocol
import Determinism
import JOSE
import JSON
import Journeys
import Markup

/// A hosted page that is decided, but not yet written.
public struct PageDraft: Sendable {
    /// What the journey wants shown.
    public let page: Page
    let transactionID: GUID
    let pageViewID: GUID
    let antiForgery: String
    let target: PolicyAddress
    let isProduction: Bool

    /// The nonce of the page's scripts.
    var nonce: String { Self.nonce(of: pageViewID) }

    static func nonce(of id: GUID) -> String { Base64.encode(id.bytes) }

    /// Where the service says that the page was made, in comments, script and cookies.
    static let slice = "001-000"
    static let dataCenter = "DB3"

    /// The objects of the data script.
    var settings: PageSettings {
        settings(
            csrf: antiForgery, transaction: TransactionParameter.text(transactionID), view: pageViewID.description)
    }

    private func settings(csrf: String, transaction: String, view: String) -> PageSettings {
        let (language, country) = Self.locale(page.locale)
        let base = "\(target.origin)/static/"
        return PageSettings(
            // That spaces around a password go is recorded once; no setting of a policy is known for it.
            api: page.api.rawValue, remoteResource: template(base), retryLimit: page.retryLimit,
            trimSpacesInPassword: true, csrf: csrf,
            transId: transaction, pageViewId: view, pageMode: page.allowsScript ? 1 : 0, config: config,
            tenantPath: "/\(target.tenantSegment)/\(target.policy.id)",
            policy: target.policy.id, staticHost: base, language: language, country: country, fields: page.fields,
            providers: page.providers, phones: page.api == .phoneFactor ? page.phones : nil, content: content)
    }

    /// Texts by name; what the journey says wins over what the flags come to.
    private var config: JSONObject {
        var config = JSONObject()
        for (name, value) in page.config { config[name] = .string(value) }
        func add(_ name: String, _ value: String) {
            if config[name] == nil { config[name] = .string(value) }
        }
        add("showCancelButton", page.showsCancel ? "True" : "False")
        if page.api == .combined {
            add("showSignupLink", page.signUpExchange == nil ? "False" : "True")
            add("enableRememberMe", page.showsKeepMeSignedIn ? "True" : "False")
            switch page.forgotPassword {
            case .absent: add("forgotPasswordLinkLocation", "None")
            case .legacy: add("forgotPasswordLinkLocation", "AfterLabel")
            case .exchange(let id):
                add("forgotPasswordLinkLocation", "AfterLabel")
                add("forgotPasswordLinkOverride", id)
            }
        }
        if page.api == .combined || page.api == .selfAsserted {
            // In these spellings (recorded).
            add("includePasswordRequirements", "true")
            add("announceVerCompleteMsg", "True")
        }
        return config
    }

    private var content: JSONObject {
        var content = JSONObject()
        for (id, text) in page.strings { content[id] = .string(HTML.entities(text)) }
        return content
    }

    /// `~/tenant/...` lies among the service's own files.
    private func template(_ base: String) -> String {
        if page.templateURL.isEmpty { return base + "tenant/templates/AzureBlue/" + Self.standardTemplate(page.api) }
        guard page.templateURL.hasPrefix("~/") else { return page.templateURL }
        return base + page.templateURL.dropFirst(2)
    }

    private static func standardTemplate(_ api: PageAPI) -> String {
        switch api {
        case .combined: "unified.cshtml"
        case .selfAsserted: "selfAsserted.cshtml"
        case .phoneFactor: "multifactor-1.0.0.cshtml"
        case .providerSelection: "idpSelector.cshtml"
        }
    }

    /// `pt-br` is language `pt` and country `BR`.
    private static func locale(_ tag: String) -> (language: String, country: String?) {
        let parts = tag.split(separator: "-", maxSplits: 1)
        guard parts.count == 2 else { return (tag, nil) }
        return (String(parts[0]), parts[1].uppercased())
    }

    /// The policy's own names for the page, separated by semicolons.
    private var notes: String {
        var notes = "ContentDefinition: \(page.contentDefinition)"
        if !page.technicalProfile.isEmpty { notes += "; TechnicalProfile: \(page.technicalProfile)" }
        return notes + "; OrchestrationStep: \(page.step)"
    }

    /// The page: comment lines, the data script, the settings of the script, the script itself, and an empty body that
    /// the script fills (skeleton recorded from live tenants).
    func html() -> [UInt8] {
        let nonce = self.nonce
        var html = [UInt8]()
        html.reserveCapacity(12_288)
        func write(_ text: String) {
            var text = text
            text.withUTF8 { html.append(contentsOf: $0) }
        }
        write("<!DOCTYPE html>\n<!-- Build: ")
        write(pageBuild)
        write(" -->\n<!-- StateVersion: 2.1.1 -->\n<!-- DeploymentMode: ")
        write(isProduction ? "Production" : "Development")
        write(" -->\n<!-- CorrelationId: ")
        write(transactionID.description)
        write(" -->\n<!-- DataCenter: \(Self.dataCenter) -->\n<!-- Slice: \(Self.slice) -->\n")
        if !isProduction {
            // The policy's own names for the page, with DeploymentMode="Development" alone (recorded).
            write("<!-- ContentDefinition: \(page.contentDefinition) -->\n")
            if !page.technicalProfile.isEmpty { write("<!-- TechnicalProfile: \(page.technicalProfile) -->\n") }
            write("<!-- OrchestrationStep: \(page.step) -->\n")
        }
        write("<html lang=\"")
        write(page.locale)
        write("\"><head><meta charset=\"utf-8\">")
        // Scripts name pages by the policy's words, which production does not say: an element of our own says them.
        write("<meta name=\"b2c-harness-page\" content=\"")
        write(HTMLEntities.escaped(notes))
        write("\">")
        write(viewport)
        write("<title>")
        write(HTMLEntities.escaped(page.title))
        write("</title>\n<script data-container=\"true\" nonce=\"")
        write(nonce)
        write("\">")
        target.policy.pageTexts.write(
            page, target: "\(target.origin)/\(target.tenantSegment)",
            showing: .init(
                csrf: antiForgery, transaction: TransactionParameter.text(transactionID), view: pageViewID.description),
            to: &html, settings: { settings(csrf: $0, transaction: $1, view: $2) })
        if let message = page.message {
            // No member of the settings is known to carry a text that a page opens with: this one is ours.
            write("var OPENING_MESSAGE = ")
            write(JSONWriter.compact(.string(HTMLEntities.escaped(message))))
            write(";")
        }
        write("</script>\n<script data-container=\"true\" nonce=\"")
        write(nonce)
        write("\">window.staticHost=\"")
        write(target.origin)
        write("/static\";")
        write(Self.middle)
        write(nonce)
        write(Self.end)
        let isGerman = OwnLanguage(wanted: [page.locale]) == .german
        write(isGerman ? "Zum Anmelden JavaScript einschalten." : "Switch on JavaScript to sign in.")
        write("</p></noscript>\n<p id=\"no_cookie\" hidden>")
        write(isGerman ? "Zum Anmelden Cookies zulassen." : "Allow cookies to sign in.")
        write("</p>\n</body></html>")
        return html
    }

    private static let middle = """
        window.targetSlice="\(slice)";window.targetDc="\(dataCenter)";window.initializationTimeout=30000;\
        window.diagsAlways=true;window.maxTrace=1000;</script>
        <link rel="stylesheet" href="/static/harness/page.css">
        <script defer src="/static/harness/page.js" nonce="
        """
    private static let end = """
        "></script>
        </head><body>
        <noscript><p id="no_js">
        """
}
