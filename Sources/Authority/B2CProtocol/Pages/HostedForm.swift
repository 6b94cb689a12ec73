import HTTPMessages

/// A hosted page as a form: its fields, what can be pressed, and what the page's script sends for what was typed and pressed.
/// It does what B2C's own page script does (recorded from live tenants), for everybody who uses a page in its place.
///
/// What was typed is a dictionary by field id. The inputs that the script adds beside the fields are in it under the ids
/// of ``extraInputs``.
public struct HostedForm: Sendable {
    /// The handlers of pages, by how their scripts differ.
    public enum Kind: Sendable, Hashable {
        case signIn, selfAsserted, phone, selection

        /// - Parameter api: `SETTINGS.api`, in any letter case.
        public init(api: String) {
            switch api.lowercased() {
            case "combinedsigninandsignup": self = .signIn
            case "phonefactor": self = .phone
            case "claimsproviderselection", "idpselector": self = .selection
            default: self = .selfAsserted
            }
        }
    }

    /// The links and buttons that a page's settings show or hide.
    public struct Controls: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let continueButton = Controls(rawValue: 1)
        public static let cancel = Controls(rawValue: 2)
        public static let signUp = Controls(rawValue: 4)
        public static let forgotPassword = Controls(rawValue: 8)
        public static let keepSignedIn = Controls(rawValue: 16)
    }

    /// What proves an address or a number on a page.
    public enum Verifier: Sendable, Hashable {
        /// Legacy verification of one claim.
        case claim(String)
        case control(String)
        case phone

        /// A name for it among those of the page.
        public var key: String {
            switch self {
            case .claim(let id): "claim \(id)"
            case .control(let id): "control \(id)"
            case .phone: "phone"
            }
        }
    }

    public let kind: Kind
    /// `SA_FIELDS`, in order.
    public let fields: [PageField]
    /// `UV_PHONE`: the numbers to choose from.
    public let phones: [PagePhone]
    public let controls: Controls
    /// The script drops white space around passwords.
    public let trimsPasswords: Bool
    /// The fields that codes go into, by display control; of the others ``PageField/codeField`` decides.
    private let codeInputs: [String: String]

    /// - Parameter codeInputs: The fields that codes go into, by the id of their display control, where the policy says it.
    public init(
        _ kind: Kind, fields: [PageField], phones: [PagePhone] = [], controls: Controls, trimsPasswords: Bool = true,
        codeInputs: [String: String] = [:]
    ) {
        self.kind = kind
        self.fields = fields
        self.phones = phones
        self.controls = controls
        self.trimsPasswords = trimsPasswords
        self.codeInputs = codeInputs
    }

    /// The form of a page whose settings objects have been read.
    public init(_ page: PageSettings) {
        func isShown(_ name: String) -> Bool { page.config(name)?.lowercased() != "false" }
        let kind = Kind(api: page.api)
        var controls: Controls = page.isOn("enableRememberMe") ? .keepSignedIn : []
        if kind == .selfAsserted, isShown("showContinueButton") { controls.insert(.continueButton) }
        if kind == .selfAsserted || kind == .phone, isShown("showCancelButton") { controls.insert(.cancel) }
        if kind == .signIn, isShown("showSignupLink") { controls.insert(.signUp) }
        if kind == .signIn, page.config("forgotPasswordLinkLocation")?.lowercased() != "none" {
            controls.insert(.forgotPassword)
        }
        self.init(
            kind, fields: page.fields, phones: page.phones ?? [], controls: controls,
            trimsPasswords: page.trimSpacesInPassword)
    }

    // MARK: Fields

    /// The fields with those inside display controls, in the order of the page. A captcha is one field: its script
    /// alone knows the others.
    public var allFields: [PageField] { fields.withInner }

    /// The captcha that the script has checked before it posts.
    public var captcha: PageField? { fields.first(where: \.isCaptchaControl) }

    /// What a person can type or choose, without the captcha and what is only shown.
    public var openFields: [PageField] {
        allFields.filter { $0.isTyped && !$0.isReadOnly && !$0.isCaptchaControl }
    }

    /// Where the number goes on the phone page.
    public static let numberInput = "number"
    /// Where the code goes on the phone page.
    public static let phoneCodeInput = "verificationCode"
    /// The box to stay signed in.
    public static let keepSignedInInput = "rememberMe"

    /// Boxes and inputs that the script adds beside the fields, by their ids.
    public var extraInputs: [String] {
        var extra = controls.contains(.keepSignedIn) ? [Self.keepSignedInInput] : []
        if kind == .phone {
            if phones.isEmpty { extra.append(Self.numberInput) }
            extra.append(Self.phoneCodeInput)
        } else {
            extra += fields.filter(\.verify).compactMap { codeInput(of: .claim($0.id)) }
        }
        return extra
    }

    // MARK: Proofs

    /// The verifiers of the page in order.
    public var verifiers: [Verifier] {
        if kind == .phone { return [.phone] }
        return fields.compactMap { field in
            if field.verify { return .claim(field.id) }
            return field.isDisplayControl && !field.isCaptchaControl ? .control(field.id) : nil
        }
    }

    /// The ids of the fields that a verifier sends to have them proved, that of the code not among them.
    public func proves(_ verifier: Verifier) -> [String] {
        switch verifier {
        case .claim(let id): return [id]
        case .control(let id):
            let code = codeInput(of: verifier)
            return inner(id).map(\.id).filter { $0 != code }
        case .phone: return [Self.numberInput]
        }
    }

    /// The id of the input that a verifier's code goes into; `nil` where a display control has none.
    public func codeInput(of verifier: Verifier) -> String? {
        switch verifier {
        case .claim(let id): "\(id)_ver_input"
        case .control(let id): codeInputs[id] ?? fields.first { $0.id == id }?.codeField?.id
        case .phone: Self.phoneCodeInput
        }
    }

    private func inner(_ control: String) -> [PageField] { fields.first { $0.id == control }?.displayFields ?? [] }

    // MARK: What is sent

    /// A field's value: what was typed, else what the page brings.
    private func value(of id: String, _ typed: [String: String]) -> String {
        typed[id] ?? allFields.first { $0.id == id }?.prefilled ?? ""
    }

    /// The main button: the fields in the order of the page, drop-downs after the inputs.
    public func submission(_ typed: [String: String]) -> HostedPost {
        var inputs = FormItems()
        var lists = FormItems()
        // The sign-in page says first what it posts, the others last.
        if kind == .signIn { inputs.append("request_type", "RESPONSE") }
        for field in allFields where field.isTyped {
            guard let value = typed[field.id] ?? field.prefilled else {
                if field.isReadOnly || field.isOptionList { continue }
                inputs.append(field.id, "")
                continue
            }
            let sent = field.isPassword && trimsPasswords ? Self.trimmed(value) : value
            if field.isOptionList { lists.append(field.id, sent) } else { inputs.append(field.id, sent) }
        }
        inputs.append(contentsOf: lists)
        if kind != .signIn { inputs.append("request_type", "RESPONSE") }
        return .fields(inputs)
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.drop { $0.isWhitespace }
        return String(rest.dropLast(rest.reversed().prefix { $0.isWhitespace }.count))
    }

    /// The button that has a code sent.
    ///
    /// - Parameter calls: On the phone page: the number is called.
    public func codeRequest(_ verifier: Verifier, _ typed: [String: String], calls: Bool = false) -> HostedPost {
        switch verifier {
        case .claim(let id):
            return .claim([
                "request_type": "VERIFICATION_REQUEST", "claim_id": id, "claim_value": value(of: id, typed),
            ])
        case .control(let id):
            return .action(control: id, name: "SendCode", inner(id, typed, without: codeInput(of: verifier)))
        case .phone:
            var items: FormItems = [
                "request_type": "VERIFICATION_REQUEST", "auth_type": calls ? "dialphone" : "onewaysms",
            ]
            if let phone = phones.first {
                items.append("id", "\(phone.id)")
            } else {
                items.append("id", "UserAsserted")
                items.append("number", typed[Self.numberInput] ?? "")
            }
            return .phone(items)
        }
    }

    /// The button that hands a code in.
    public func codeCheck(_ verifier: Verifier, _ typed: [String: String]) -> HostedPost {
        let code = codeInput(of: verifier).flatMap { typed[$0] } ?? ""
        switch verifier {
        case .claim(let id):
            return .claim([
                "request_type": "VALIDATION_REQUEST", "claim_id": id, "claim_value": value(of: id, typed),
                "user_input": code,
            ])
        case .control(let id): return .action(control: id, name: "VerifyCode", inner(id, typed))
        case .phone: return .phone(["request_type": "VALIDATION_REQUEST", "verification_code": code])
        }
    }

    /// Whether a call was answered: the phone page asks again and again.
    public var callCheck: HostedPost { .phone(["request_type": "VALIDATION_REQUEST"]) }

    /// The inputs of a display control with what is typed in them.
    private func inner(_ control: String, _ typed: [String: String], without code: String? = nil) -> FormItems {
        var items = FormItems()
        for field in inner(control) where code == nil || field.id != code {
            items.append(field.id, typed[field.id] ?? field.prefilled ?? "")
        }
        return items
    }

    /// The picture of a captcha is asked for. The script sends this as a GET with a query.
    public func pictureRequest(of captcha: PageField) -> HostedPost {
        .action(control: captcha.id, name: "GetChallenge", ["challengeType": "Visual"])
    }

    /// What somebody has read off the picture.
    ///
    /// - Parameter region: What the answer with the picture says as `azureregion`.
    public func pictureCheck(
        of captcha: PageField, challenge: String, text: String, region: String = ""
    ) -> HostedPost {
        .action(
            control: captcha.id, name: "VerifyChallenge",
            [
                "challengeId": challenge, "captchaEntered": text, "challengeType": "Visual", "azureRegion": region,
            ])
    }
}

/// A post of a hosted page's script.
public enum HostedPost: Sendable {
    /// The fields of the page.
    case fields(FormItems)
    /// The legacy verification of a claim.
    case claim(FormItems)
    /// The phone page.
    case phone(FormItems)
    /// An action of a display control.
    case action(control: String, name: String, FormItems)

    /// Behind `/{tenant}/{policy}/`.
    public var path: String {
        switch self {
        case .fields, .claim: "SelfAsserted"
        case .phone: "Phonefactor/verify"
        case .action(let control, let name, _): "SelfAsserted/DisplayControlAction/vbeta/\(control)/\(name)"
        }
    }

    public var items: FormItems {
        switch self {
        case .fields(let items), .claim(let items), .phone(let items), .action(_, _, let items): items
        }
    }

    /// The body on the wire.
    public var body: String {
        switch self {
        // The page's own script begins this body with a stray ampersand.
        case .claim(let items): "&" + items.encoded
        case .fields(let items), .phone(let items), .action(_, _, let items): items.encoded
        }
    }
}

extension [PageField] {
    /// The fields with those inside display controls, in the order of the page, each captcha as one field.
    public var withInner: [PageField] {
        // Most pages have none, and a page is read often.
        guard contains(where: { $0.isDisplayControl }) else { return self }
        return flatMap { $0.isDisplayControl && !$0.isCaptchaControl ? [$0] + $0.displayFields : [$0] }
    }
}

extension PageField {
    public var isPassword: Bool { inputType == .password }
    public var isDisplayControl: Bool { inputType == .displayControl }
    public var isCaptchaControl: Bool { isDisplayControl && controlType == "CaptchaControl" }
    public var isParagraph: Bool { inputType == .paragraph }
    /// Something can be typed or chosen there.
    public var isTyped: Bool { (!isDisplayControl || isCaptchaControl) && !isParagraph }
    public var isOptionList: Bool {
        inputType == .dropdownSingleSelect || inputType == .radioSingleSelect || inputType == .checkboxMultiSelect
    }

    /// Names of fields for codes in Microsoft's policies, in lower case.
    public static let codeIDs = [
        "verificationcode", "emailverificationcode", "otpcode", "totpverificationcode", "verification_code",
        "user_input", "code", "phoneverificationcode",
    ]

    /// A code goes there, by its name.
    public var isCode: Bool { Self.codeIDs.contains(id.lowercased()) }

    /// The field of a display control that the code goes into. Its name is the policy's own; that the other fields have
    /// been typed before the code comes is all that such controls have in common (inferred).
    public var codeField: PageField? {
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
}
