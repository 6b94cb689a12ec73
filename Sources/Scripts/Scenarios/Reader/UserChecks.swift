import Browser
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Checks what people do at pages: fields and buttons.
struct UserChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }

    func run() {
        for step in context.allSteps {
            if step.user != nil, let why = whyNoPage(step) {
                findings.add(
                    .noPage, "no page can be shown here: \(why)", remedy: "Remove `user`.",
                    at: step.pointer.appending("user"), key: true, severity: .warning)
            }
            // What the pages of a custom policy hold, only they can say.
            let isCustom = showsCustomPages(step)
            for (action, pointer) in step.actions {
                if let on = action["on"] { Patterns.check(on, at: pointer.appending("on"), findings) }
                for name in action["fill"]?.objectValue?.keys ?? [] where !isCustom && !isField(name) {
                    findings.unknown(
                        .unknownField, "field", name, among: fieldNames, plural: "fields",
                        at: pointer.appending("fill").appending(name), key: true)
                }
                if let name = action["press"]?.stringValue, !isCustom, !Template.mayHoldReference(name),
                    !isButton(name)
                {
                    findings.unknown(
                        .unknownButton, "button", name, among: buttonNames, plural: "buttons",
                        at: pointer.appending("press"))
                }
            }
        }
    }

    /// Why a step that takes a person cannot come to a page; `nil` if it can.
    private func whyNoPage(_ step: Step) -> String? {
        switch step.record {
        case let call as SignOut:
            return call.fromBrowser == false ? "`signOut` without `fromBrowser` does not open a browser" : nil
        case let call as Open:
            switch call.request.endpoint {
            case .discovery?, .keys?, .token?, .userinfo?:
                return "the endpoint `\(call.request.endpoint?.rawValue ?? "")` does not answer with a page"
            case .authorize?:
                return whyNoPage(prompt: call.request.query?["prompt"], policy: call.request.policy)
            case .logout?, nil: return nil
            }
        case let call as AcquireToken:
            return whyNoPage(prompt: call.extraQueryParameters["prompt"], policy: call.target.policy)
        default: return nil
        }
    }

    private func whyNoPage(prompt: JSONValue?, policy: String?) -> String? {
        if prompt == "none" { return "with `prompt` `none` the service answers without one" }
        guard let policy, context.names.whole.policy(named: policy)?.type == .ropc else { return nil }
        return "the policy `\(policy)` answers the resource owner password grant only"
    }

    /// Whether the pages of a step are those of a custom policy, or may be.
    private func showsCustomPages(_ step: Step) -> Bool {
        let custom = context.names.customPolicies
        guard !custom.isEmpty else { return false }
        if let call = step.call(Resume.self) {
            guard let first = context.definitions[call.value]?.step, first.verb != .resume else { return true }
            return showsCustomPages(first)
        }
        let authority = step.record.authority
        if let policy = authority.policy { return custom.contains(policy) || Template.mayHoldReference(policy) }
        if authority.url != nil { return true }
        let client = step.client ?? context.root["app"]?.stringValue ?? context.names.apps.first ?? ""
        let app = context.root["clients"]?[client]?["app"]?.stringValue ?? client
        return context.names.whole.app(named: app)?.client.policy.map(custom.contains) ?? false
    }

    private var fieldNames: [String] { PageWords.fields.map(\.value) + context.names.attributes }

    private static let userFlowAttributes = UserFlowAttribute.all.filter(\.isAttribute).map(\.name)

    private var buttonNames: [String] { PageWords.buttons.map(\.value) + context.names.providers }

    /// Extension attributes and the ids that hosted pages use are fields as well; which of them a page has only the
    /// page can say.
    private func isField(_ name: String) -> Bool {
        fieldNames.contains(name) || name.hasPrefix(UserFlowAttribute.customPrefix)
            || Self.userFlowAttributes.contains(name) || PageIDs.fields.contains(name) || name.contains("_ver_")
    }

    private func isButton(_ name: String) -> Bool {
        buttonNames.contains(name) || context.names.exchanges.contains(name)
            || PageIDs.buttons.contains(name)
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
