import B2CProtocol
import JSON
import Markup

extension PageSettings {
    /// A localised text of the page by its string id. On the wire it is HTML.
    func text(_ id: String) -> String? {
        guard let text = content[id]?.stringValue, !text.isEmpty else { return nil }
        return text.utf8.contains(0x26) ? HTMLEntities.unescaped(Array(text.utf8)[...]) : text
    }

    /// The fields with those inside display controls, in the order of the page.
    var allFields: [PageField] { fields.withInner }

    /// The captcha that the page's script has checked before it posts.
    var captcha: PageField? { fields.first(where: \.isCaptchaControl) }

    var knownPhones: [PagePhone] { phones ?? [] }
}

extension PageField {
    /// Asks for what only a person can read.
    public var isCaptcha: Bool { id.lowercased().contains("captcha") }
}

/// The first AADB2C code in a text.
func firstB2CCode(in text: String) -> String? {
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "A") {
        rest = rest[start...]
        if rest.hasPrefix("AADB2C") {
            let digits = rest.dropFirst(6).prefix { $0.isASCII && $0.isNumber }
            if digits.count == 5 { return "AADB2C" + digits }
        }
        rest = rest.dropFirst()
    }
    return nil
}
