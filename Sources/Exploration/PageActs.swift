import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// What a person can do at a page: every button, link and provider, and each field right, wrong, empty and beyond its
/// restriction.
struct PageActs {
    let policy: ResolvedPolicy
    let person: Roster.Person
    let classes: ClaimClasses
    let place: Place
    let page: Page
    let now: Timestamp

    func all() -> [Act] {
        var acts: [Act] = []
        switch page.api {
        case .phoneFactor: acts += phone()
        case .combined, .selfAsserted: acts += verifications() + posts()
        case .providerSelection: break
        }
        for choice in page.providers {
            let isSignUp = choice.displayType == "SignUpLink"
            acts.append(
                Act(
                    event: .chose(choice.id), words: "chooses \(choice.id)",
                    change: { if isSignUp { $0.signsUp = true } }, script: [press(choice.id)]))
        }
        if page.signUpExchange != nil {
            acts.append(
                Act(
                    event: .signUp(hint: nil), words: "presses the sign-up link", change: { $0.signsUp = true },
                    script: [press("signUp")]))
        }
        if page.forgotPassword != .absent {
            acts.append(
                Act(
                    event: .forgotPassword, words: "presses the link for a forgotten password",
                    script: [press("forgotPassword")]))
        }
        if page.showsCancel {
            acts.append(
                Act(event: .cancelled(code: nil, description: nil), words: "cancels", script: [press("cancel")]))
        }
        return acts
    }

    private func press(_ name: String) -> ScriptAct { .page(PageMark(page), fill: [], press: name) }

    // MARK: Posts of the page

    private typealias Form = [(name: String, value: String)]

    private func posts() -> [Act] {
        let fields = Self.flat(page.fields).filter { !$0.isReadOnly && $0.inputType != .paragraph }
        guard page.api != .combined || !fields.isEmpty else { return [] }
        var acts: [Act] = []
        let standard = fields.map { (name: $0.id, value: value(of: $0)) }
        let names = fields.map(\.id).joined(separator: ", ")
        acts.append(post(standard, fields.isEmpty ? "continues" : "fills in \(names)"))
        for (index, field) in fields.enumerated() {
            func with(_ value: String) -> Form {
                var form = standard
                form[index].value = value
                return form
            }
            // A wrong password must not be taken.
            if page.api == .combined || sameID(field.id, "oldPassword"), field.inputType == .password, person.hasAccount
            {
                acts.append(
                    post(with("Wrong-Password-1"), "fills in a wrong \(field.id)", forged: "a wrong \(field.id)"))
            }
            if !standard[index].value.isEmpty {
                acts.append(
                    post(with(""), "leaves \(field.id) empty") { if !field.isRequired { $0.hasGap = true } })
            }
            for value in others(field, than: standard[index].value) {
                acts.append(post(with(value), "fills in \(field.id) as \(value)"))
            }
            if field.pattern != nil || field.inputValidation != nil {
                acts.append(post(with("\u{1}"), "fills in \(field.id) beyond its restriction"))
            }
            if Self.isAddress(field) {
                acts.append(post(with(Self.otherAddress), "fills in \(field.id) as \(Self.otherAddress)"))
            }
        }
        return acts
    }

    /// An address that is nobody's.
    static let otherAddress = "other@example.test"

    private func post(
        _ form: Form, _ words: String, forged: String? = nil,
        change: @escaping @Sendable (inout PathFacts) -> Void = { _ in }
    ) -> Act {
        var items = FormItems(form)
        items.append("request_type", "RESPONSE")
        return Act(
            event: .submitted(items), words: words, pending: .leave(proves: nil, forged: forged), change: change,
            script: [.page(PageMark(page), fill: form, press: form.isEmpty ? "continue" : nil)])
    }

    static func isAddress(_ field: PageField) -> Bool {
        let id = field.id.lowercased()
        return field.inputType == .emailBox || id == "email" || id.hasSuffix("email") || id.hasSuffix("emailaddress")
    }

    /// The fields that are posted: those of display controls with the rest.
    static func flat(_ fields: [PageField]) -> [PageField] {
        fields.flatMap { $0.inputType == .displayControl ? $0.displayFields : [$0] }
    }

    // MARK: Codes

    private func verifications() -> [Act] {
        var acts: [Act] = []
        for field in page.fields {
            if field.verify {
                let address = value(of: field)
                let base: Form = [("claim_id", field.id), ("claim_value", address)]
                acts += codes(of: field.id, address, field.isReadOnly ? [] : [(field.id, address)]) { type, code in
                    .submitted(FormItems(base + [("request_type", type)] + (code.map { [("user_input", $0)] } ?? [])))
                }
            }
            guard field.inputType == .displayControl, let handle = policy.displayControl(field.id) else { continue }
            let control = policy[handle]
            guard control.type == .verification else { continue }
            let code = control.codeClaim.map { policy[$0].id }
            let base: Form = field.displayFields.filter { $0.id != code }.map { ($0.id, value(of: $0)) }
            let address = base.first?.value ?? ""
            let filled = field.displayFields.filter { $0.id != code && !$0.isReadOnly }.map { ($0.id, value(of: $0)) }
            acts += codes(of: field.id, address, filled) { type, entered in
                let name = type == "VERIFICATION_REQUEST" ? "SendCode" : "VerifyCode"
                let entry: Form = entered.flatMap { text in code.map { [($0, text)] } } ?? []
                return .action(control: control.id, name: name, FormItems(base + entry))
            }
        }
        return acts
    }

    /// Asking for a code, and handing in the right one and a wrong one.
    private func codes(
        of id: String, _ address: String, _ filled: Form, _ event: (_ type: String, _ code: String?) -> JourneyEvent
    ) -> [Act] {
        let sent = "sent \(id)"
        guard place.facts.done.contains(sent) else {
            return [
                Act(
                    event: event("VERIFICATION_REQUEST", nil), words: "asks for a code for \(id)", pending: .sent,
                    change: { $0.done.insert(sent) },
                    script: [.page(PageMark(page), fill: filled, press: "sendCode")])
            ]
        }
        let verified = "verified \(id)"
        guard !place.facts.done.contains(verified) else { return [] }
        var acts: [Act] = []
        let right = place.journey.livingCodes(at: now).first?.code
        if let right {
            acts.append(
                Act(
                    event: event("VALIDATION_REQUEST", right), words: "hands in the code for \(id)",
                    pending: .verified(address, forged: false), change: { $0.done.insert(verified) },
                    script: [.code(PageMark(page))]))
        }
        acts.append(
            Act(
                event: event("VALIDATION_REQUEST", Self.wrongCode(right)), words: "hands in a wrong code for \(id)",
                pending: .verified(address, forged: true), script: [wrongCode(right)]))
        return acts
    }

    private func wrongCode(_ right: String?) -> ScriptAct {
        .page(PageMark(page), fill: [("code", Self.wrongCode(right))], press: "verifyCode")
    }

    private static func wrongCode(_ right: String?) -> String { right == "000000" ? "111111" : "000000" }

    private func phone() -> [Act] {
        let number = page.phones.isEmpty ? person.text("phone") ?? "+442079460009" : "1"
        guard place.facts.done.contains("sent phone") else {
            let form: Form =
                page.phones.isEmpty
                ? [("id", "UserAsserted"), ("number", number)] : [("id", "1")]
            let ways = ["onewaysms", "dialphone"]
            return ways.map { way in
                Act(
                    event: .submitted(
                        FormItems(form + [("auth_type", way), ("request_type", "VERIFICATION_REQUEST")])),
                    words: way == "dialphone" ? "asks to be called" : "asks for a code by SMS", pending: .sent,
                    change: { $0.done = ["sent phone", way] },
                    script: [
                        .page(
                            PageMark(page), fill: page.phones.isEmpty ? [("phone", number)] : [],
                            press: way == "dialphone" ? "call" : "sendCode")
                    ])
            }
        }
        let right = place.journey.livingCodes(at: now).first?.code ?? ""
        func hand(_ code: String, forged: String?, _ script: [ScriptAct]) -> Act {
            Act(
                event: .submitted(FormItems([("request_type", "VALIDATION_REQUEST"), ("verification_code", code)])),
                words: forged.map { "hands in \($0)" } ?? "hands in the code",
                pending: .leave(proves: number, forged: forged), script: script)
        }
        // A call is answered, whatever is handed in.
        if place.facts.done.contains("dialphone") { return [hand("", forged: nil, [])] }
        return [
            hand(right, forged: nil, [.code(PageMark(page))]),
            hand(Self.wrongCode(right), forged: "a wrong code", [wrongCode(right)]),
        ]
    }

    // MARK: Values

    /// What the person fills in.
    func value(of field: PageField) -> String {
        if let given = field.prefilled, !given.isEmpty { return given }
        let type = policy.claimType(field.id).map { policy[$0] }
        if let option = field.options.first(where: { !$0.value.isEmpty }) {
            return (type.map { classes.values(of: $0) } ?? []).first { value in
                field.options.contains { $0.value == value }
            } ?? option.value
        }
        let usual = usual(field, type)
        guard let pattern = field.pattern, let rule = try? TextPattern(pattern), !rule.matches(usual) else {
            return usual
        }
        return Self.candidates(person).first { rule.matches($0) } ?? usual
    }

    private static func candidates(_ person: Roster.Person) -> [String] {
        [
            person.text("email"), person.text("username"), person.text("givenName"), person.text("phone"), "2079460000",
            "1234", "12345", "123456", "12345678", "123456789", "12345678901", "AB123456", "A1", "ABC", "abcdefgh",
            "GB",
            "SW1A 1AA", "1990-05-17", "17/05/1990", "true", "Password-1843", "https://example.test",
        ].compactMap(\.self)
    }

    private func usual(_ field: PageField, _ type: ClaimType?) -> String {
        let id = field.id.lowercased()
        if field.inputType == .password || id.contains("password") {
            let isNew = id.contains("new") || id.contains("reenter") || id.contains("confirm")
            return isNew ? Roster.newPassword : person.text("password") ?? "Password-1843"
        }
        if Self.isAddress(field) || id == "signinname" || id == "logonidentifier" || id.contains("mail") {
            return person.text("email") ?? ""
        }
        if id.contains("phone") || id.contains("mobile") || id.contains("number") {
            return person.text("phone") ?? "+442079460009"
        }
        if id.contains("username") || id.contains("nickname") || id.contains("login") {
            return person.text("username") ?? ""
        }
        for key in ["displayName", "givenName", "surname", "city", "country", "postalCode", "jobTitle"]
        where id.contains(key.lowercased()) {
            return person.text(key) ?? ""
        }
        guard let type else { return "text" }
        if let literal = classes.values(of: type).first { return literal }
        switch type.dataType {
        case .date: return "1990-05-17"
        case .dateTime: return "1990-05-17T00:00:00Z"
        case .int, .long: return "7"
        case .phoneNumber: return person.text("phone") ?? "+442079460009"
        default: return "text"
        }
    }

    /// Further values that the policy distinguishes.
    private func others(_ field: PageField, than value: String) -> [String] {
        let known = policy.claimType(field.id).map { classes.values(of: policy[$0]) } ?? []
        let options = field.options.map(\.value).filter { !$0.isEmpty }
        let wanted = options.isEmpty ? known : options.count <= 4 ? options : known.filter { options.contains($0) }
        return wanted.filter { $0 != value }
    }
}
