import Diagnostics
import HTTPMessages
import JOSE
import JSON
import Markup

/// A form in which a value occurs inside other texts.
package enum SecretSpelling: CaseIterable {
    case component, form, dotNetForm, json, html, base64, base64URL

    /// The value in this form.
    private func of(_ value: String) -> String {
        switch self {
        case .component: PercentCoding.encodeComponent(value)
        case .form: String(FormItems([(name: "", value: value)]).encoded.dropFirst())
        case .dotNetForm: String(FormItems([(name: "", value: value)]).dotNetEncoded.dropFirst())
        case .json: String(JSONWriter.compact(.string(value)).dropFirst().dropLast())
        case .html: HTMLEntities.escaped(value)
        case .base64: Base64.encode(Array(value.utf8))
        case .base64URL: Base64URL.encode(Array(value.utf8))
        }
    }

    /// The value as it is, and in these forms where they differ.
    package static func all(of value: String, in forms: [SecretSpelling] = allCases) -> [String] {
        // Most secrets have no other bytes.
        let isPlain = value.utf8.allSatisfy(SecretShape.isTokenByte)
        var all = [value]
        for form in forms where !isPlain || form == .base64 || form == .base64URL {
            let other = form.of(value)
            if !other.isEmpty, !all.contains(other) { all.append(other) }
        }
        return all
    }

    /// A text as it is, in lower and upper case, and as the first word of a sentence, where these differ.
    package static func cases(of text: String) -> [String] {
        let lower = text.lowercased()
        var all = [text]
        for other in [lower, text.uppercased(), lower.prefix(1).uppercased() + lower.dropFirst()]
        where !all.contains(other) { all.append(other) }
        return all
    }
}
