import B2CProtocol
import HTTPMessages
import JSON
import Markup

/// A page as the browser has it in front of it.
struct ShownPage: Sendable {
    enum Content: Sendable {
        /// One of B2C's hosted pages: everything a driver needs is in its settings.
        case hosted(PageSettings)
        /// An ordinary form.
        case form(PlainForm)
        /// Nothing can be filled or pressed.
        case message
    }

    var content: Content
    var record: PageRecord
    var url: WebURL
    /// Why nothing answered: the page's address, so that the browser shows a page of its own, or the last request of the
    /// page's script.
    var failure: TransportError?
    /// The page's script got an answer that is not its own, such as the error page of a sign-in that has ended: to press
    /// the button again leads nowhere.
    var isOver = false

    /// What a response holds for the browser: a page, or a form that posts itself.
    enum Reading {
        case page(ShownPage)
        case autoPost(action: String, FormItems)
    }

    /// Reads an HTML answer. It never fails: what is not recognised is a page that says something.
    static func read(_ response: ResponseMessage, at url: WebURL) -> Reading {
        let text = response.text
        if let type = response.headers.mediaType, !htmlTypes.contains(type) {
            var page = ShownPage(content: .message, record: blank(url: url, status: response.status), url: url)
            page.record.name = response.status >= 400 ? "error" : "document"
            page.record.text = text
            if response.status >= 400 {
                page.record.error = text
                page.record.b2cCode = firstB2CCode(in: text)
            }
            return .page(page)
        }
        if let settings = PageSettings.read(html: text), settings.api.lowercased() != "globalexception" {
            let notes = PageNotes(HTMLScanner.leadingNotes(text))
            var page = ShownPage(
                content: .hosted(settings), record: blank(url: url, status: response.status), url: url)
            page.describe(settings, notes)
            return .page(page)
        }
        let html = HTMLScanner(text)
        if let form = PlainForm.first(in: html), form.id == "auto" {
            return .autoPost(action: form.action, form.hidden)
        }
        var page = ShownPage(content: .message, record: blank(url: url, status: response.status), url: url)
        page.record.title = html.tags.first { $0.name == "title" }?.textAfter ?? ""
        page.record.locale = html.tags.first { $0.name == "html" }?["lang"]
        page.record.text = visibleText(html)
        let declared = html.tags.first { $0.name == "meta" && $0["name"] == "b2c-harness-page" }?["content"]
        if let form = PlainForm.first(in: html) {
            page.content = .form(form)
            page.record.name = declared ?? "provider"
            page.record.fields = form.inputs.filter { $0.type != "hidden" }.map {
                PageRecord.RecordedField(
                    id: $0.id, label: $0.label, value: $0.type == "password" ? "" : $0.value, readOnly: false,
                    required: $0.required, options: $0.options)
            }
            page.record.buttons = form.buttons.map { $0.id.isEmpty ? $0.value : $0.id }
            page.record.error = html.tags.first { $0["id"] == "error" || $0["role"] == "alert" }?.textAfter
        } else {
            let isError =
                response.status >= 400 || html.tags.contains { $0["data-name"] == "GlobalException" }
                || GlobalExceptionPage.detail(in: text) != nil
            page.record.name = declared ?? (isError ? "error" : isSignedOut(html, url) ? "signedOut" : "document")
            if isError {
                // The service's own page says it in its data script alone.
                let detail =
                    html.tags.first {
                        $0["id"] == "errorDetail"
                            || ($0["class"] ?? "").split(separator: " ").contains("error-page-detail")
                    }?.textAfter ?? GlobalExceptionPage.detail(in: text)
                page.record.error = detail ?? page.record.text
                page.record.b2cCode = firstB2CCode(in: detail ?? page.record.text)
            }
        }
        return .page(page)
    }

    /// What a browser shows when nothing answered.
    static func unreachable(_ error: TransportError, url: WebURL) -> ShownPage {
        var page = ShownPage(content: .message, record: blank(url: url, status: 0), url: url)
        page.failure = error
        page.record.name = "error"
        page.record.title = "This page cannot be reached"
        page.record.error = "the browser could not load \(url.origin)\(url.path): \(error.word)"
        page.record.text = page.record.error ?? ""
        return page
    }

    private static let htmlTypes = ["text/html", "application/xhtml+xml"]

    /// Whether a page says that somebody is signed out: the mock marks it, and the service shows it at the address of its
    /// logout endpoint.
    private static func isSignedOut(_ html: HTMLScanner, _ url: WebURL) -> Bool {
        url.path.lowercased().hasSuffix("/logout") || html.tags.contains { $0["data-name"] == "SignedOut" }
    }

    private static func blank(url: WebURL, status: Int) -> PageRecord {
        PageRecord(name: "error", status: status, url: url.description)
    }

    private static func visibleText(_ html: HTMLScanner) -> String {
        var parts: [String] = []
        var inBody = false
        for tag in html.tags {
            if tag.name == "body" { inBody = true }
            guard inBody, tag.name != "script", tag.name != "style", tag.name != "noscript", !tag.textAfter.isEmpty
            else {
                continue
            }
            parts.append(tag.textAfter)
        }
        return parts.joined(separator: " ")
    }

    private mutating func describe(_ settings: PageSettings, _ notes: PageNotes) {
        record.contentDefinition = notes.contentDefinition
        record.technicalProfile = notes.technicalProfile
        record.step = notes.step
        record.name = PageNaming.name(of: settings, contentDefinition: notes.contentDefinition)
        record.title = settings.text("heading") ?? settings.text("title") ?? ""
        record.text = settings.text("intro") ?? ""
        record.locale = settings.locale
        record.fields = settings.allFields.map {
            PageRecord.RecordedField(
                id: $0.id, label: $0.displayName, value: $0.isPassword ? "" : ($0.prefilled ?? ""),
                readOnly: $0.isReadOnly,
                required: $0.isRequired, options: $0.options.map(\.value))
        }
        record.buttons = HostedPageDriver.buttons(of: settings)
    }
}

/// The data script of the service's error page.
enum GlobalExceptionPage {
    /// What went wrong, as the page's `GLOBALEX` has it; `nil` for every other page.
    static func detail(in html: String) -> String? {
        LooseScript.assignments(in: html, names: ["GLOBALEX"])["GLOBALEX"]?["Detail"]?.stringValue
    }
}

/// What the mock writes into an element of its own at the head of its pages, so that scripts can name a page by its
/// policy's words. A live tenant says the same in comments where the policy is in development mode, else nothing.
struct PageNotes {
    var contentDefinition: String?
    var technicalProfile: String?
    var step: Int?

    /// - Parameter notes: Texts of the form `name: value`.
    init(_ notes: [String]) {
        for note in notes {
            guard let colon = note.firstIndex(of: ":") else { continue }
            let key = note[..<colon]
            let value = note[note.index(after: colon)...].drop { $0 == " " }
            switch key {
            case "ContentDefinition": contentDefinition = String(value)
            case "TechnicalProfile": technicalProfile = String(value)
            case "OrchestrationStep": step = Int(value)
            default: continue
            }
        }
    }
}

extension HTMLScanner {
    /// The comments and our own element before the first script, read without looking at the rest of a large page.
    static func leadingNotes(_ html: String) -> [String] {
        var comments: [String] = []
        var rest = Array(html.utf8.prefix(4096))[...]
        var script = rest.firstRange(of: "<script")?.lowerBound ?? rest.endIndex
        while let open = rest.firstRange(of: "<!--"), open.lowerBound < script {
            let after = rest[open.upperBound...]
            guard let close = after.firstRange(of: "-->") else { break }
            comments.append(trimmed(after[..<close.lowerBound]))
            rest = after[close.upperBound...]
            // Text in a comment is not an element.
            if script < rest.startIndex { script = rest.firstRange(of: "<script")?.lowerBound ?? rest.endIndex }
        }
        let element: StaticString = "<meta name=\"b2c-harness-page\" content=\""
        guard let open = rest.firstRange(of: element), let close = rest[open.upperBound...].firstRange(of: "\"") else {
            return comments
        }
        let content = HTMLEntities.unescaped(rest[open.upperBound..<close.lowerBound])
        return comments
            + content.split(separator: ";").map { note in String(note.drop { $0 == " " }) }
    }

    /// The text of bytes without blanks and line breaks around it.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        func isText(_ byte: UInt8) -> Bool { byte != UInt8(ascii: " ") && !(0x0a...0x0d).contains(byte) }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// The first occurrence of a short text.
    fileprivate func firstRange(of text: StaticString) -> Range<Int>? {
        let (wanted, length) = (text.utf8Start, text.utf8CodeUnitCount)
        // A loop over memory is quick without an optimizer too; every page that a browser shows comes here.
        return withUnsafeBufferPointer { bytes in
            var at = 0
            while at + length <= bytes.count {
                if bytes[at] == wanted[0], (1..<length).allSatisfy({ bytes[at + $0] == wanted[$0] }) {
                    return (startIndex + at)..<(startIndex + at + length)
                }
                at += 1
            }
            return nil
        }
    }
}
