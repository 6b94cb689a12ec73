import Determinism
import JSON
import Journeys

/// What a script does for an act.
enum ScriptAct: Sendable {
    /// At a page: fields in their order, and what is pressed; `nil` presses the main button.
    case page(PageMark, fill: [(name: String, value: String)], press: String?)
    /// The code that was sent is entered at a page.
    case code(PageMark)
    /// The person is at an identity provider.
    case provider(profile: String, ProviderAnswer)
    /// A web API answers; without a status it does not.
    case call(profile: String, url: String, status: Int?, json: JSONValue)
    /// Time passes.
    case wait(TimeSpan)
    /// An administrator acts.
    case administer(Directory.AdministratorAct)
    /// What scripts have no words for, as a reason.
    case other(String)

    enum ProviderAnswer: Sendable, Hashable {
        case full, withoutAddress, refused
        /// With these claims in place of the usual ones.
        case other(JSONObject)
    }

    /// Names of buttons in scripts.
    enum Button: String {
        case mainButton = "continue"
        case signUp, forgotPassword, cancel, sendCode, verifyCode, call
    }

    static func press(_ button: Button, at page: PageMark) -> ScriptAct { press(button.rawValue, at: page) }

    /// - Parameter name: The id of a choice that the page offers.
    static func press(_ name: String, at page: PageMark) -> ScriptAct { .page(page, fill: [], press: name) }

    /// Fields are filled in and a button is pressed, the main one by default.
    static func fill(
        _ values: [(name: String, value: String)], at page: PageMark, press button: Button? = nil
    ) -> ScriptAct {
        // Who fills in nothing has to say that the main button is pressed.
        let button = button ?? (values.isEmpty ? .mainButton : nil)
        return .page(page, fill: values, press: button?.rawValue)
    }

    static func wrongCode(_ code: String, at page: PageMark) -> ScriptAct {
        .fill([("code", code)], at: page, press: .verifyCode)
    }

    static let expiredCode = ScriptAct.other("a script reads the newest code")
}

/// How a script names a page.
enum PageMark: Sendable, Hashable {
    case technicalProfile(String)
    case contentDefinition(String)

    init(_ page: Page) {
        self =
            page.technicalProfile.isEmpty
            ? .contentDefinition(page.contentDefinition) : .technicalProfile(page.technicalProfile)
    }

    /// For the key `on` of an action.
    var json: JSONValue {
        switch self {
        case .technicalProfile(let id): ["technicalProfile": .string(id)]
        case .contentDefinition(let id): ["contentDefinition": .string(id)]
        }
    }
}
