import TrustFramework

/// Transformations that read the texts of the page's language (Microsoft docs: string-transformations).
enum LocalizedTextTransformations {
    /// The texts of the content definition of the profile that runs, else of the page that called it.
    private static func language(of call: TransformationCall) -> PageTexts {
        let definition =
            call.profile.contentDefinition
            ?? call.page.flatMap { call.journey.policy[$0].contentDefinition }
        return PageTexts(definition, call.journey)
    }

    /// Claims without a role go into `{0}`, `{1}` ... of a text.
    static func format(_ call: inout TransformationCall) throws(ProfileFailure) {
        let id = call.parameter("stringFormatId") ?? ""
        let text = language(of: call).text("FormatLocalizedStringTransformationClaimType", nil, id)
        let values = call.transformation.inputClaims.map { call.bag[$0.claim]?.text ?? "" }
        guard let text else { return call.set("outputClaim", nil) }
        call.set("outputClaim", text: try Strings.filled(text, values, call))
    }

    /// An output claim for each text; a language without it gives an empty one.
    static func texts(_ call: inout TransformationCall) {
        let texts = language(of: call)
        for output in call.transformation.outputClaims {
            let text = texts.text("GetLocalizedStringsTransformationClaimType", nil, output.role) ?? ""
            call.bag[output.claim] = .text(text)
        }
    }

    /// The value of the output claim's choice whose text is the input claim's value.
    static func mapped(_ call: inout TransformationCall) {
        guard let text = call.text("mapFromClaim"), let claim = call.transformation.output("restrictionValueClaim")
        else {
            return call.set("restrictionValueClaim", nil)
        }
        let option = language(of: call).options(call.journey.policy[claim]).first { $0.text == text }
        call.set("restrictionValueClaim", text: option?.value)
    }
}
