import B2CProtocol
import Browser
import Exchanges
import HTTPMessages

/// Finds what keeps a page of a real tenant from being used without a real browser.
enum LiveBlocks {
    /// Why the page that a failed step ended at needs one; nil where it failed for another reason.
    static func reason(_ exchanges: [Exchange]) -> String? {
        guard
            let last = exchanges.last(where: {
                $0.context.from == .browser && $0.response?.headers.mediaType == "text/html"
            }), let response = last.response
        else { return nil }
        let place = "the page at \(last.request.url.host ?? "")\(last.request.url.path)"
        let html = response.text
        if let settings = PageSettings.read(html: html) {
            let fields = settings.fields.flatMap { [$0] + $0.displayFields }
            guard let field = fields.first(where: \.isCaptcha) else {
                return nil
            }
            return "\(place) asks for a captcha (`\(field.id)`): \(offer)"
        }
        let lower = html.lowercased()
        guard lower.contains("<script"), lower.contains("<noscript"), !lower.contains("<form") else { return nil }
        return "\(place) shows nothing without JavaScript: \(offer)"
    }

    static let offer = "only a person or a real browser gets past it; --browser drives a real one with the same script"
}
