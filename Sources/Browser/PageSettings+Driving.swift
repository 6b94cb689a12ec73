import B2CProtocol
import JSON

extension PageSettings {
    /// A localised text of the page by its string id. On the wire it is HTML.
    func text(_ id: String) -> String? {
        guard let text = content[id]?.stringValue, !text.isEmpty else { return nil }
        return text.utf8.contains(0x26) ? HTMLScanner.decoded(Array(text.utf8)[...]) : text
    }

    /// The fields with those inside display controls, in the order of the page. A captcha is one field: its script
    /// alone knows the others.
    var allFields: [PageField] {
        fields.flatMap { $0.isDisplayControl && !$0.isCaptchaControl ? [$0] + $0.displayFields : [$0] }
    }

    /// The captcha that the page's script has checked before it posts.
    var captcha: PageField? { fields.first(where: \.isCaptchaControl) }

    var knownPhones: [PagePhone] { phones ?? [] }
}

extension PageField {
    /// Asks for what only a person can read.
    public var isCaptcha: Bool { id.lowercased().contains("captcha") }
    /// A code goes there, by the names that such fields have in Microsoft's policies.
    var isCode: Bool { FieldPurpose.code.ids.contains(id.lowercased()) }

    /// The field of a display control that the code goes into. Its name is the policy's own; that the other fields have
    /// been typed before the code comes is all that such controls have in common (inferred).
    var codeField: PageField? {
        guard isDisplayControl, !isCaptchaControl else { return nil }
        if let usual = displayFields.first(where: \.isCode) { return usual }
        let open = displayFields.filter { !$0.isReadOnly && !$0.isParagraph && $0.options.isEmpty }
        guard displayFields.count > 1, controlType == "VerificationControl" else { return nil }
        return open.last { field in
            let id = field.id.lowercased()
            let isOther = ["country", "postal", "zip", "area", "dial"].contains { id.contains($0) }
            return !isOther && (id.contains("code") || id.contains("otp"))
        }
    }

    var isPassword: Bool { inputType == .password }
    var isCaptchaControl: Bool { isDisplayControl && controlType == "CaptchaControl" }
    /// Something can be typed or chosen there.
    var isTyped: Bool { (!isDisplayControl || isCaptchaControl) && !isParagraph }
    var isDisplayControl: Bool { inputType == .displayControl }
    var isParagraph: Bool { inputType == .paragraph }
    var isOptionList: Bool {
        inputType == .dropdownSingleSelect || inputType == .radioSingleSelect || inputType == .checkboxMultiSelect
    }
}

/// The first AADB2C code that stands in a text.
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
