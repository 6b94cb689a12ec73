import B2CProtocol
import HTTPMessages

/// What a browser would show for an answer that somebody captured.
package struct CapturedPage: Sendable {
    /// The page as scripts see it; its number means nothing.
    package var record: PageRecord
    /// The settings of a hosted page; `nil` for any other.
    package var settings: PageSettings?
    /// A form that posts itself: where to, and what.
    package var autoPost: (action: String, form: FormItems)?

    /// Reads an answer with HTML in it.
    package init(_ response: ResponseMessage, at url: WebURL) {
        switch ShownPage.read(response, at: url) {
        case .page(let page):
            record = page.record
            if case .hosted(let settings) = page.content { self.settings = settings }
        case .autoPost(let action, let form):
            record = PageRecord(name: "selfPosting", status: response.status, url: url.description)
            autoPost = (action, form)
        }
    }

    /// The first AADB2C code in a text.
    package static func b2cCode(in text: String) -> String? { firstB2CCode(in: text) }
}
