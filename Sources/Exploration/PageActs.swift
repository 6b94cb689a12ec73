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
    let values: ValueClasses
    let rules: KnownRules
    let purpose: Purpose
    let place: Place
    let page: Page
    /// The account of the person, where the journey has found it.
    let account: GUID?
    private let codeFields: CodeFields
    private let profile: TechnicalProfile?

    /// How often a wrong code or password is handed in where the page sets no limit.
    static let tries = 12
    /// How long somebody waits at a page.
    static let pause = TimeSpan.hours(1)

    init(
        policy: ResolvedPolicy, person: Roster.Person, classes: ClaimClasses, values: ValueClasses, rules: KnownRules,
        purpose: Purpose, place: Place, page: Page, account: GUID?
    ) {
        self.policy = policy
        self.person = person
        self.classes = classes
        self.values = values
        self.rules = rules
        self.purpose = purpose
        self.place = place
        self.page = page
        self.account = account
        codeFields = CodeFields(policy: policy, values: values)
        profile = policy.profile(page.technicalProfile).map { policy[$0] }
    }

    private var now: Timestamp { place.now }

    func all() -> [Act] {
        var acts: [Act] = captchas()
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

    /// Acts beside the plain ways: time, an administrator, impatience, forgetfulness.
    func detours() -> [Act] {
        var acts: [Act] = []
        let hasCode = !place.journey.livingCodes(at: now).isEmpty || ownCode != nil
        if hasCode {
            acts.append(
                Act(
                    event: .reloaded, words: "waits an hour", change: { $0.detour = .waited },
                    script: [.wait(Self.pause)],
                    special: .wait(Self.pause)))
        }
        if account != nil {
            for (act, words) in [(Directory.AdministratorAct.disable, "disables"), (.delete, "deletes")] {
                acts.append(
                    Act(
                        event: .reloaded, words: "an administrator \(words) the account",
                        change: { $0.detour = .administered(act) }, script: [.administer(act)],
                        special: .administer(act)))
            }
        }
        switch page.api {
        case .phoneFactor: acts += phoneDetours()
        case .combined, .selfAsserted: acts += verificationDetours() + postDetours()
        case .providerSelection: break
        }
        return acts
    }

    private func press(_ name: String) -> ScriptAct { .page(PageMark(page), fill: [], press: name) }

    // MARK: Captchas

    private var captcha: DisplayControl? {
        page.fields.lazy.filter { $0.controlType == DisplayControlType.captcha.rawValue }
            .compactMap { policy.displayControl($0.id).map { policy[$0] } }.first
    }

    private var waitsForCaptcha: Bool { captcha != nil && !place.facts.done.contains("solved captcha") }

    private func captchas() -> [Act] {
        guard let control = captcha, waitsForCaptcha else { return [] }
        guard let open = place.journey.openCaptcha(at: now) else {
            return [
                Act(
                    event: .action(control: control.id, name: "GetChallenge", FormItems()), words: "asks for a picture",
                    pending: .captcha)
            ]
        }
        func solve(_ text: String, _ words: String, isRight: Bool) -> Act {
            let form: Form = [("challengeId", open.id), ("captchaEntered", text), ("challengeType", "Visual")]
            return Act(
                event: .action(control: control.id, name: "VerifyChallenge", FormItems(form)), words: words,
                pending: .captcha, change: { if isRight { $0.done.insert("solved captcha") } },
                script: isRight ? [] : [.other("a script solves captchas")])
        }
        return [
            solve(open.text, "solves the captcha", isRight: true),
            solve("-", "answers the captcha wrongly", isRight: false),
        ]
    }

    // MARK: Posts of the page

    private typealias Form = [(name: String, value: String)]

    private var fields: [PageField] {
        Self.flat(page.fields.filter { $0.controlType != DisplayControlType.captcha.rawValue })
            .filter { !$0.isReadOnly && $0.inputType != .paragraph }
    }

    private func claim(_ field: PageField) -> ClaimTypeHandle? { policy.claimType(field.id) }

    private var called: [ProfileHandle] { profile?.validationProfiles.map(\.profile) ?? [] }

    private func source(_ field: PageField) -> CodeFields.Source? {
        guard field.inputType != .displayControl, let claim = claim(field) else { return nil }
        return codeFields.source(of: claim, called: called)
    }

    /// The code that the policy has made itself for a field of this page.
    private var ownCode: String? {
        for field in fields {
            if case .own(let claim)? = source(field), let text = place.journey.claims[claim]?.text { return text }
        }
        return nil
    }

    private func asksForPassword(_ field: PageField) -> Bool {
        guard field.inputType == .password else { return false }
        if page.api == .combined || sameID(field.id, "oldPassword") { return true }
        guard let claim = claim(field) else { return false }
        return codeFields.isPassword(claim, called: called) || purpose.asksExistingPassword(claim)
    }

    private func standard(_ fields: [PageField]) -> Form {
        var form = fields.map { (name: $0.id, value: value(of: $0)) }
        // A password that is chosen is repeated as it is.
        let new = fields.indices.filter { fields[$0].inputType == .password && !asksForPassword(fields[$0]) }
        if let first = new.first {
            let passwords = new.map { form[$0].value } + [form[first].value]
            let common = passwords.first { text in new.allSatisfy { rules.keeps(text, fields[$0], now) } }
            for index in new { form[index].value = common ?? form[index].value }
        }
        return form
    }

    private func posts() -> [Act] {
        let fields = fields
        guard page.api != .combined || !fields.isEmpty else { return [] }
        var acts: [Act] = []
        let standard = standard(fields)
        let names = fields.map(\.id).joined(separator: ", ")
        acts.append(post(standard, fields.isEmpty ? "continues" : "fills in \(names)"))
        // Without the captcha the page takes nothing.
        if waitsForCaptcha { return acts }
        for (index, field) in fields.enumerated() {
            func with(_ value: String) -> Form {
                var form = standard
                form[index].value = value
                return form
            }
            // A wrong password must not be taken.
            if asksForPassword(field), person.hasAccount {
                acts.append(
                    post(
                        with(Self.wrongPassword), "fills in a wrong \(field.id)", forged: "a wrong \(field.id)",
                        secret: Self.wrongPassword))
            }
            if let source = source(field) {
                let right = codeFields.code(source, at: place)
                let wrong = CodeFields.wrong(right)
                acts.append(
                    post(
                        with(wrong), "fills in a wrong \(field.id)", forged: "a wrong code in \(field.id)",
                        secret: wrong))
                if let expired = CodeFields.readable(place.journey.expiredCodes(at: now)), source == .sent {
                    acts.append(
                        post(
                            with(expired), "fills in \(field.id) too late", forged: "an expired code in \(field.id)",
                            secret: expired))
                }
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
                if let second = Roster.second.text("email"), second != standard[index].value, mayBeSeconds(field) {
                    acts.append(post(with(second), "fills in \(field.id) as \(second), which another account has"))
                }
            }
        }
        return acts
    }

    /// Whether it makes a difference that somebody types the address of another account: next to a password that is checked
    /// it is a wrong password.
    private func mayBeSeconds(_ field: PageField) -> Bool {
        let checksPassword = fields.contains { field in
            claim(field).map { codeFields.isPassword($0, called: called) } ?? false
        }
        return !checksPassword || claim(field).map { values.partners[$0] != nil } ?? false
    }

    private func postDetours() -> [Act] {
        let fields = fields
        guard page.api != .combined || !fields.isEmpty, !waitsForCaptcha else { return [] }
        let standard = standard(fields)
        let names = fields.map(\.id).joined(separator: ", ")
        let filled = fields.isEmpty ? "continues" : "fills in \(names)"
        var acts: [Act] = []
        if page.showsKeepMeSignedIn {
            var act = post(standard, "\(filled) and stays signed in") { $0.detour = .kept }
            act.pending = .leave(AwaitedAnswer.Leave(remembers: true))
            act.script = [.other("a script of an exploration does not tick the box to stay signed in")]
            acts.append(act)
        }
        if called.contains(where: { [.directory, .rest].contains(policy[$0].handler) }) {
            var act = post(standard, "\(filled) and presses the button twice") { $0.detour = .twice }
            if case .submitted(let form) = act.event { act.pending = .leave(AwaitedAnswer.Leave(again: form.encoded)) }
            act.script = [.other("a script presses a button once")]
            acts.append(act)
        }
        for (index, field) in fields.enumerated() {
            var wrong: String?
            if asksForPassword(field), person.hasAccount { wrong = Self.wrongPassword }
            if let source = source(field) { wrong = CodeFields.wrong(codeFields.code(source, at: place)) }
            if let wrong {
                var form = standard
                form[index].value = wrong
                var act = post(form, "fills in a wrong \(field.id) \(Self.tries) times", secret: wrong) {
                    $0.detour = .exhausted
                }
                act.pending = .nothing
                act.special = .repeated(Self.tries)
                act.script = Array(repeating: act.script, count: Self.tries).flatMap(\.self)
                acts.append(act)
            }
            for text in lengths(field) where text != standard[index].value {
                var form = standard
                form[index].value = text
                // The repeated password is the same.
                if field.inputType == .password {
                    for other in fields.indices
                    where fields[other].inputType == .password && form[other].value == standard[index].value {
                        form[other].value = text
                    }
                }
                acts.append(
                    post(form, "fills in \(field.id) with \(text.count) characters") { $0.detour = .length })
            }
        }
        return acts
    }

    /// Texts of the lengths at both sides of what a predicate allows.
    private func lengths(_ field: PageField) -> [String] {
        let predicates = field.inputValidation?.groups.flatMap(\.predicates) ?? []
        var found: [Int] = []
        for predicate in predicates where predicate.method == .isLengthRange {
            for (name, beyond) in [("Minimum", -1), ("Maximum", 1)] {
                guard let parameter = predicate.parameters.first(where: { sameID($0.name, name) }),
                    let length = Int(parameter.value.filter { !$0.isWhitespace }), (1...1024).contains(length)
                else { continue }
                found += [length, length + beyond].filter { $0 > 0 && !found.contains($0) }
            }
        }
        return found.map { length in
            var text = "aB3!"
            while text.count < length { text += "aB3!" }
            return String(text.prefix(length))
        }
    }

    /// An address that is nobody's.
    static let otherAddress = "other@example.test"
    private static let wrongPassword = "Wrong-Password-1"

    private func post(
        _ form: Form, _ words: String, forged: String? = nil, secret: String = "",
        change: @escaping @Sendable (inout PathFacts) -> Void = { _ in }
    ) -> Act {
        var items = FormItems(form)
        items.append("request_type", "RESPONSE")
        return Act(
            event: .submitted(items), words: words,
            pending: .leave(AwaitedAnswer.Leave(proves: nil, forged: forged, secret: secret)), change: change,
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

    /// A field or display control whose value is proved by a code.
    private struct Proof {
        var id: String
        var address: String
        var filled: Form
        var source: CodeFields.Source
        /// The post that asks for a code, or hands one in.
        var event: (_ code: String?) -> JourneyEvent
    }

    private func proofs() -> [Proof] {
        var all: [Proof] = []
        for field in page.fields {
            if field.verify {
                let address = value(of: field)
                let base: Form = [("claim_id", field.id), ("claim_value", address)]
                all.append(
                    Proof(
                        id: field.id, address: address, filled: field.isReadOnly ? [] : [(field.id, address)],
                        source: .sent
                    ) { code in
                        let type = code == nil ? "VERIFICATION_REQUEST" : "VALIDATION_REQUEST"
                        return .submitted(
                            FormItems(base + [("request_type", type)] + (code.map { [("user_input", $0)] } ?? [])))
                    })
            }
            guard field.inputType == .displayControl, let handle = policy.displayControl(field.id) else { continue }
            let control = policy[handle]
            guard control.type == .verification else { continue }
            let code = control.codeClaim.map { policy[$0].id }
            let base: Form = field.displayFields.filter { $0.id != code }.map { ($0.id, value(of: $0)) }
            let filled = field.displayFields.filter { $0.id != code && !$0.isReadOnly }.map { ($0.id, value(of: $0)) }
            let profiles = control.action("VerifyCode")?.profiles.map(\.profile) ?? []
            let source = control.codeClaim.flatMap { codeFields.source(of: $0, called: profiles) } ?? .service
            all.append(
                Proof(id: field.id, address: base.first?.value ?? "", filled: filled, source: source) { entered in
                    let entry: Form = entered.flatMap { text in code.map { [($0, text)] } } ?? []
                    return .action(
                        control: control.id, name: entered == nil ? "SendCode" : "VerifyCode", FormItems(base + entry))
                })
        }
        return all
    }

    /// Asking for a code, and handing in the right one and a wrong one.
    private func verifications() -> [Act] {
        var acts: [Act] = []
        for proof in proofs() {
            let sent = "sent \(proof.id)"
            guard place.facts.done.contains(sent) else {
                acts.append(ask(proof, "asks for a code for \(proof.id)") { $0.done.insert(sent) })
                continue
            }
            let verified = "verified \(proof.id)"
            guard !place.facts.done.contains(verified) else { continue }
            let right = codeFields.code(proof.source, at: place)
            func hand(
                _ code: String, _ words: String, _ forged: AwaitedAnswer.Forgery?, _ script: ScriptAct
            ) -> Act {
                let id = proof.id
                return Act(
                    event: proof.event(code), words: "\(words) for \(id)",
                    pending: .verified(proof.address, field: id, secret: code, forged: forged),
                    change: { if forged == nil { $0.done.insert(verified) } }, script: [script])
            }
            if let right { acts.append(hand(right, "hands in the code", nil, .code(PageMark(page)))) }
            let wrong = CodeFields.wrong(right)
            acts.append(hand(wrong, "hands in a wrong code", .code, fillCode(wrong)))
            if let expired = CodeFields.readable(place.journey.expiredCodes(at: now)), expired != right {
                acts.append(
                    hand(expired, "hands in the expired code", .expired, .other("a script reads the newest code")))
            }
        }
        return acts
    }

    private func verificationDetours() -> [Act] {
        var acts: [Act] = []
        for proof in proofs() where place.facts.done.contains("sent \(proof.id)") {
            guard !place.facts.done.contains("verified \(proof.id)") else { continue }
            acts.append(ask(proof, "asks for another code for \(proof.id)") { $0.detour = .sentAgain })
            let wrong = CodeFields.wrong(codeFields.code(proof.source, at: place))
            acts.append(
                Act(
                    event: proof.event(wrong), words: "hands in a wrong code for \(proof.id) \(Self.tries) times",
                    change: { $0.detour = .exhausted }, script: Array(repeating: fillCode(wrong), count: Self.tries),
                    special: .repeated(Self.tries)))
        }
        return acts
    }

    private func ask(
        _ proof: Proof, _ words: String, change: @escaping @Sendable (inout PathFacts) -> Void
    ) -> Act {
        Act(
            event: proof.event(nil), words: words, pending: .sent, change: change,
            script: [.page(PageMark(page), fill: proof.filled, press: "sendCode")])
    }

    private func fillCode(_ code: String) -> ScriptAct {
        .page(PageMark(page), fill: [("code", code)], press: "verifyCode")
    }

    // MARK: The phone page

    private var number: String { page.phones.isEmpty ? person.text("phone") ?? "+442079460009" : "1" }

    private func call(by way: String, _ words: String, change: @escaping @Sendable (inout PathFacts) -> Void) -> Act {
        let form: Form = page.phones.isEmpty ? [("id", "UserAsserted"), ("number", number)] : [("id", "1")]
        return Act(
            event: .submitted(FormItems(form + [("auth_type", way), ("request_type", "VERIFICATION_REQUEST")])),
            words: words, pending: .sent, change: change,
            script: [
                .page(
                    PageMark(page), fill: page.phones.isEmpty ? [("phone", number)] : [],
                    press: way == "dialphone" ? "call" : "sendCode")
            ])
    }

    private func hand(_ code: String, forged: String?, _ script: [ScriptAct]) -> Act {
        Act(
            event: .submitted(FormItems([("request_type", "VALIDATION_REQUEST"), ("verification_code", code)])),
            words: forged.map { "hands in \($0)" } ?? "hands in the code",
            pending: .leave(AwaitedAnswer.Leave(proves: number, forged: forged, secret: forged == nil ? "" : code)),
            script: script)
    }

    private func phone() -> [Act] {
        guard place.facts.done.contains("sent phone") else {
            if waitsForCaptcha { return [] }
            return [("onewaysms", "asks for a code by SMS"), ("dialphone", "asks to be called")].map { way, words in
                call(by: way, words) { facts in
                    facts.done.insert("sent phone")
                    facts.done.insert(way)
                }
            }
        }
        // A call is answered, whatever is handed in.
        if place.facts.done.contains("dialphone") { return [hand("", forged: nil, [])] }
        let right = CodeFields.readable(place.journey.livingCodes(at: now)) ?? ""
        let wrong = CodeFields.wrong(right)
        var acts = [
            hand(right, forged: nil, [.code(PageMark(page))]),
            hand(wrong, forged: AwaitedAnswer.Forgery.code.rawValue, [fillCode(wrong)]),
        ]
        if let expired = CodeFields.readable(place.journey.expiredCodes(at: now)) {
            acts.append(
                hand(
                    expired, forged: AwaitedAnswer.Forgery.expired.rawValue, [.other("a script reads the newest code")])
            )
        }
        return acts
    }

    private func phoneDetours() -> [Act] {
        guard place.facts.done.contains("sent phone"), !place.facts.done.contains("dialphone") else { return [] }
        let wrong = CodeFields.wrong(CodeFields.readable(place.journey.livingCodes(at: now)))
        var act = hand(
            wrong, forged: AwaitedAnswer.Forgery.code.rawValue, Array(repeating: fillCode(wrong), count: Self.tries))
        act.words = "hands in a wrong code \(Self.tries) times"
        act.change = { $0.detour = .exhausted }
        act.pending = .nothing
        act.special = .repeated(Self.tries)
        return [call(by: "onewaysms", "asks for another code by SMS") { $0.detour = .sentAgain }, act]
    }

    // MARK: Values

    /// What the person fills in.
    func value(of field: PageField) -> String {
        if let given = field.prefilled, !given.isEmpty { return given }
        if let source = source(field) { return codeFields.code(source, at: place) ?? "" }
        let type = policy.claimType(field.id).map { policy[$0] }
        if let option = field.options.first(where: { !$0.value.isEmpty }) {
            var wanted = type.map { classes.values(of: $0) } ?? []
            // A number goes with its country.
            if field.id.lowercased().contains("country"), let country = person.text("country") {
                wanted.append(country)
            }
            return wanted.first { value in field.options.contains { $0.value == value } } ?? option.value
        }
        let usual = usual(field, type)
        guard !rules.keeps(usual, field, now) else { return usual }
        return Self.candidates(person).first { rules.keeps($0, field, now) }
            ?? rules.built(field).first { rules.keeps($0, field, now) } ?? usual
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
        let known = type.map { values.of($0.handle, for: person.name) } ?? []
        if known.isEmpty, id.contains("phone") || id.contains("mobile") || id.contains("number") {
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
        if let literal = classes.values(of: type).first ?? known.first { return literal }
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
        let claim = policy.claimType(field.id)
        var known = claim.map { classes.values(of: policy[$0]) } ?? []
        if let claim {
            known += values.of(claim, for: person.name)
            // What the journey has so far is compared as it is.
            for other in values.partners[claim] ?? [] where !values.secrets.contains(other) {
                if let text = place.journey.claims[other]?.text { known.append(text) }
            }
            if values.partners[claim] != nil { known.append("other") }
        }
        var seen: Set<String> = []
        known = known.filter { seen.insert($0).inserted }
        let options = field.options.map(\.value).filter { !$0.isEmpty }
        let wanted = options.isEmpty ? known : options.count <= 4 ? options : known.filter { options.contains($0) }
        return wanted.filter { $0 != value }
    }
}
