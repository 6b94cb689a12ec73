import B2CProtocol
import Determinism
import JSON
import Journeys
import Synchronization

/// Data scripts of a policy's pages, written once and filled in for every showing.
///
/// Of a page's script only the anti-forgery value, the transaction and the view differ from one showing to the next;
/// fields and texts rarely do. The parts between are kept; the least recently made ones are dropped.
final class PageDataScripts: Sendable {
    private struct Entry: Sendable {
        let page: Page
        let target: String
        /// The script's text around the three values.
        let parts: [[UInt8]]
    }

    private static let limit = 24
    private let entries = Mutex<[Entry]>([])

    /// Values of a showing, in the order in which the script has them.
    struct Showing: Sendable {
        var csrf: String
        var transaction: String
        var view: String
    }

    /// Placeholders of the values. They have no character that a script would escape.
    private static let placeholders = ["@csrf@0d1f@", "@trans@0d1f@", "@view@0d1f@"]

    /// Appends the data script of a page.
    func write(
        _ page: Page, target: String, showing: Showing, to html: inout [UInt8],
        settings: (_ csrf: String, _ transaction: String, _ view: String) -> PageSettings
    ) {
        let parts = entries.withLock { entries -> [[UInt8]] in
            if let known = entries.first(where: { $0.target == target && $0.page.hasSameTexts(as: page) }) {
                return known.parts
            }
            let script = settings(Self.placeholders[0], Self.placeholders[1], Self.placeholders[2]).script()
            let parts = Self.split(script)
            if entries.count >= Self.limit { entries.removeFirst() }
            entries.append(Entry(page: page, target: target, parts: parts))
            return parts
        }
        let values = [showing.csrf, showing.transaction, showing.view]
        for (index, part) in parts.enumerated() {
            if index > 0, index <= values.count { html.append(contentsOf: values[index - 1].utf8) }
            html.append(contentsOf: part)
        }
    }

    private static func split(_ script: String) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var rest = Array(script.utf8)[...]
        for placeholder in placeholders {
            let wanted = Array(placeholder.utf8)
            let offset = rest.withUnsafeBufferPointer { bytes in
                wanted.withUnsafeBufferPointer { ByteSearch.offset(of: $0, in: bytes) }
            }
            guard offset < rest.count else { break }
            parts.append(Array(rest.prefix(offset)))
            rest = rest.dropFirst(offset + wanted.count)
        }
        parts.append(Array(rest))
        return parts
    }
}

extension Page {
    /// Whether the data scripts of both are the same except for the values of a showing.
    fileprivate func hasSameTexts(as other: Page) -> Bool {
        api == other.api && contentDefinition == other.contentDefinition
            && technicalProfile == other.technicalProfile && locale == other.locale
            && templateURL == other.templateURL && retryLimit == other.retryLimit && fields == other.fields
            && providers == other.providers && phones == other.phones && signUpExchange == other.signUpExchange
            && forgotPassword == other.forgotPassword && showsKeepMeSignedIn == other.showsKeepMeSignedIn
            && showsCancel == other.showsCancel && allowsScript == other.allowsScript
            && config.count == other.config.count
            && config.indices.allSatisfy {
                sameText(config[$0].name, other.config[$0].name) && sameText(config[$0].value, other.config[$0].value)
            } && hasSameStrings(as: other)
    }

    private func hasSameStrings(as other: Page) -> Bool {
        guard strings.count == other.strings.count else { return false }
        // Nearly always both are the one list that the policy holds.
        let isOneList = strings.withUnsafeBytes { own in
            other.strings.withUnsafeBytes { own.baseAddress == $0.baseAddress }
        }
        return isOneList
            || strings.indices.allSatisfy {
                sameText(strings[$0].id, other.strings[$0].id) && sameText(strings[$0].text, other.strings[$0].text)
            }
    }
}
