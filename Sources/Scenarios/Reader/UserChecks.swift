import B2CProtocol
import JSON

/// Checks what people do at pages: fields and buttons.
struct UserChecks {
    private let context: ReadContext
    private var findings: Findings { context.findings }

    init(_ context: ReadContext) {
        self.context = context
    }

    func run() {
        for step in context.allSteps {
            for (index, action) in (step.user?.arrayValue ?? []).enumerated() {
                let pointer = step.pointer.appending("user").appending(index)
                if let on = action["on"] { Patterns.check(on, at: pointer.appending("on"), findings) }
                for name in action["fill"]?.objectValue?.keys ?? [] where !isField(name) {
                    findings.unknown(
                        .unknownField, "field", name, among: fieldNames, plural: "fields",
                        at: pointer.appending("fill").appending(name), key: true)
                }
                if let name = action["press"]?.stringValue, !Template.mayHoldReference(name), !isButton(name) {
                    findings.unknown(
                        .unknownButton, "button", name, among: buttonNames, plural: "buttons",
                        at: pointer.appending("press"))
                }
            }
        }
    }

    private var fieldNames: [String] { ScenarioWords.fields.map(\.value) + context.names.attributes }

    private static let userFlowAttributes = UserFlowAttribute.all.filter(\.isAttribute).map(\.name)

    private var buttonNames: [String] { ScenarioWords.buttons.map(\.value) + context.names.providers }

    /// Extension attributes and the ids that hosted pages use are fields as well; which of them a page has only the
    /// page can say.
    private func isField(_ name: String) -> Bool {
        fieldNames.contains(name) || name.hasPrefix(UserFlowAttribute.customPrefix)
            || Self.userFlowAttributes.contains(name) || PageIDs.fields.contains(name) || name.contains("_ver_")
    }

    private func isButton(_ name: String) -> Bool {
        buttonNames.contains(name) || context.names.exchanges.contains(name) || PageIDs.buttons.contains(name)
            || name.hasSuffix("Exchange") || name.contains("_but_")
    }
}

/// Ids of elements on hosted pages, as user flows and the starter pack's policies have them.
enum PageIDs {
    static let fields = [
        "signInName", "logonIdentifier", "UserId", "signInNames.emailAddress", "signInNames.userName", "oldPassword",
        "reenterPassword", "rememberMe", "verificationCode", "emailVerificationCode", "otpCode", "totpVerificationCode",
        "readOnlyEmail", "displayEmailAddress", "displayPhoneNumber", "emailMfa", "phoneNumber", "nationalNumber",
        "countryCode", "localNumber", "number", "mobile", "captchaControlChallengeCode", "surName", "mfaEnabledRadio",
    ]

    static let buttons = [
        "next", "continue", "cancel", "createAccount", "forgotPassword", "ForgotPassword", "verifyCode", "sendCode",
        "verifyPhone", "retryCode", "emailVerificationControl", "SignUpWithLogonEmailExchange",
    ]
}
