import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// Which acts are tried at a page: every button, link and provider, and each field right, wrong, empty and beyond its
/// restriction. What is typed is known to ``FieldValues``; which fields and buttons a page has, and what it sends, to
/// `HostedForm`.
struct PageActs {
    let cast: TestActors
    let person: TestPerson
    let place: PathState
    let page: Page
    /// The account of the person, where the journey has found it.
    let account: GUID?
    let form: HostedForm
    let values: FieldValues

    /// How often a wrong code or password is handed in where the page sets no limit.
    static let tries = 12
    /// How long somebody waits at a page.
    static let pause = TimeSpan.hours(1)

    init(_ cast: TestActors, person: TestPerson, place: PathState, page: Page, account: GUID?) {
        self.cast = cast
        self.person = person
        self.place = place
        self.page = page
        self.account = account
        form = HostedForm(page, in: cast.policy)
        let profile = cast.policy.profile(page.technicalProfile).map { cast.policy[$0] }
        values = FieldValues(
            cast: cast, person: person, place: place, form: form,
            called: profile?.validationProfiles.map(\.profile) ?? [])
    }

    var policy: ResolvedPolicy { cast.policy }
    var now: Timestamp { place.now }
    var mark: PageMark { PageMark(page) }

    func all() -> [Act] {
        var acts: [Act] = captchas()
        switch form.kind {
        case .phone: acts += phone()
        case .signIn, .selfAsserted: acts += verifications() + posts()
        case .selection: break
        }
        return acts + choices() + links()
    }

    private func choices() -> [Act] {
        page.providers.map { choice in
            let isSignUp = choice.displayType == "SignUpLink"
            return Act(
                event: .chose(choice.id), words: "chooses \(choice.id)",
                change: { if isSignUp { $0.signsUp = true } }, script: [.press(choice.id, at: mark)])
        }
    }

    private func links() -> [Act] {
        var acts: [Act] = []
        if form.controls.contains(.signUp) {
            acts.append(
                Act(
                    event: .signUp(hint: nil), words: "presses the sign-up link", change: { $0.signsUp = true },
                    script: [.press(.signUp, at: mark)]))
        }
        if form.controls.contains(.forgotPassword) {
            acts.append(
                Act(
                    event: .forgotPassword, words: "presses the link for a forgotten password",
                    script: [.press(.forgotPassword, at: mark)]))
        }
        if form.controls.contains(.cancel) {
            acts.append(
                Act(
                    event: .cancelled(code: nil, description: nil), words: "cancels",
                    script: [.press(.cancel, at: mark)]))
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
        switch form.kind {
        case .phone: acts += phoneDetours()
        case .signIn, .selfAsserted: acts += verificationDetours() + postDetours()
        case .selection: break
        }
        return acts
    }

    // MARK: Captchas

    private var captcha: PageField? {
        form.captcha.flatMap { policy.displayControl($0.id) == nil ? nil : $0 }
    }

    var waitsForCaptcha: Bool { captcha != nil && !place.facts.done.contains("solved captcha") }

    private func captchas() -> [Act] {
        guard let captcha, waitsForCaptcha else { return [] }
        guard let open = place.journey.openCaptcha(at: now) else {
            return [
                Act(
                    event: JourneyEvent(form.pictureRequest(of: captcha)), words: "asks for a picture",
                    pending: .captcha)
            ]
        }
        func solve(_ text: String, _ words: String, isRight: Bool) -> Act {
            Act(
                event: JourneyEvent(form.pictureCheck(of: captcha, challenge: open.id, text: text)), words: words,
                pending: .captcha, change: { if isRight { $0.done.insert("solved captcha") } },
                script: isRight ? [] : [.other("a script solves captchas")])
        }
        return [
            solve(open.text, "solves the captcha", isRight: true),
            solve("-", "answers the captcha wrongly", isRight: false),
        ]
    }

    // MARK: Posts of the page

    /// The code that the policy has made itself for a field of this page.
    private var ownCode: String? {
        for field in form.openFields {
            if case .own(let claim)? = values.source(field), let text = place.journey.claims[claim]?.text {
                return text
            }
        }
        return nil
    }

    /// Values for the fields of the page, in their order.
    struct Filling {
        let fields: [PageField]
        var values: [String]

        var typed: [String: String] {
            Dictionary(zip(fields.map(\.id), values)) { first, _ in first }
        }

        var script: [(name: String, value: String)] { zip(fields, values).map { ($0.id, $1) } }

        func with(_ value: String, at index: Int) -> Filling {
            var other = self
            other.values[index] = value
            return other
        }
    }

    /// An address that no account has.
    static let otherAddress = "other@example.test"
    private static let wrongPassword = "Wrong-Password-1"

    private func post(
        _ filling: Filling, _ words: String, forged: String? = nil, secret: String = "",
        change: @escaping @Sendable (inout PathFacts) -> Void = { _ in }
    ) -> Act {
        let namesAnother =
            person.name != TestPeople.second.name
            && filling.values.contains { TestPeople.secondNames.contains($0) }
        return Act(
            event: JourneyEvent(form.submission(filling.typed)), words: words,
            pending: .leave(AwaitedAnswer.Leave(proves: nil, forged: forged, secret: secret)),
            change: { facts in
                if namesAnother { facts.namesAnother = true }
                change(&facts)
            }, script: [.fill(filling.script, at: mark)])
    }

    /// The page filled in as usual, with the words for it; `nil` where the page has nothing to post.
    private var usualPost: (filling: Filling, words: String)? {
        let fields = form.openFields
        guard form.kind == .signIn ? !fields.isEmpty : form.controls.contains(.continueButton) else { return nil }
        let names = fields.map(\.id).joined(separator: ", ")
        return (
            Filling(fields: fields, values: values.usual(fields)), fields.isEmpty ? "continues" : "fills in \(names)"
        )
    }

    private func posts() -> [Act] {
        guard let (usual, words) = usualPost else { return [] }
        var acts = [post(usual, words)]
        // Without the captcha the page takes nothing.
        if waitsForCaptcha { return acts }
        for (index, field) in usual.fields.enumerated() {
            acts += wrongProofs(usual, at: index)
            if !usual.values[index].isEmpty {
                acts.append(
                    post(usual.with("", at: index), "leaves \(field.id) empty") {
                        if !field.isRequired { $0.hasGap = true }
                    })
            }
            for value in values.others(field, than: usual.values[index]) {
                acts.append(post(usual.with(value, at: index), "fills in \(field.id) as \(value)"))
            }
            if field.pattern != nil || field.inputValidation != nil {
                acts.append(post(usual.with("\u{1}", at: index), "fills in \(field.id) beyond its restriction"))
            }
            acts += otherAddresses(usual, at: index)
        }
        return acts
    }

    /// A wrong password or code must not be taken, nor one that has expired.
    private func wrongProofs(_ usual: Filling, at index: Int) -> [Act] {
        let field = usual.fields[index]
        var acts: [Act] = []
        if values.asksForPassword(field), person.hasAccount {
            acts.append(
                post(
                    usual.with(Self.wrongPassword, at: index), "fills in a wrong \(field.id)",
                    forged: "a wrong \(field.id)", secret: Self.wrongPassword))
        }
        guard let source = values.source(field) else { return acts }
        let wrong = CodeFields.wrong(cast.codes.code(source, of: person, at: place))
        acts.append(
            post(
                usual.with(wrong, at: index), "fills in a wrong \(field.id)", forged: "a wrong code in \(field.id)",
                secret: wrong))
        if let expired = CodeFields.readable(place.journey.expiredCodes(at: now), by: person), source == .sent {
            acts.append(
                post(
                    usual.with(expired, at: index), "fills in \(field.id) too late",
                    forged: "an expired code in \(field.id)", secret: expired))
        }
        return acts
    }

    private func otherAddresses(_ usual: Filling, at index: Int) -> [Act] {
        let field = usual.fields[index]
        let isAddress = cast.purposes.of(field) == .email && values.source(field) == nil
        var acts: [Act] = []
        if isAddress {
            acts.append(
                post(usual.with(Self.otherAddress, at: index), "fills in \(field.id) as \(Self.otherAddress)"))
        }
        let key = isAddress ? .email : values.claim(field).flatMap { cast.purposes.keys[$0] }
        if let second = key.flatMap({ TestPeople.second.text($0.key) }), second != usual.values[index],
            mayBeSeconds(field)
        {
            acts.append(
                post(usual.with(second, at: index), "fills in \(field.id) as \(second), which another account has"))
        }
        return acts
    }

    /// Whether it makes a difference that somebody types the name of another account: next to a password that is checked
    /// it is a wrong password.
    private func mayBeSeconds(_ field: PageField) -> Bool {
        let checksPassword = form.openFields.contains { field in
            values.claim(field).map { cast.codes.isPassword($0, called: values.called) } ?? false
        }
        return !checksPassword || values.claim(field).map { cast.values.partners[$0] != nil } ?? false
    }

    private func postDetours() -> [Act] {
        guard !waitsForCaptcha, let (usual, words) = usualPost else { return [] }
        var acts: [Act] = []
        if form.controls.contains(.keepSignedIn) {
            var act = post(usual, "\(words) and stays signed in") { $0.detour = .kept }
            act.pending = .leave(AwaitedAnswer.Leave(remembers: true))
            act.script = [.other("a script of an exploration does not tick the box to stay signed in")]
            acts.append(act)
        }
        if values.called.contains(where: { [.directory, .rest].contains(policy[$0].handler) }) {
            var act = post(usual, "\(words) and presses the button twice") { $0.detour = .twice }
            if case .submitted(let form) = act.event { act.pending = .leave(AwaitedAnswer.Leave(again: form.encoded)) }
            act.script = [.other("a script presses a button once")]
            acts.append(act)
        }
        for (index, field) in usual.fields.enumerated() {
            if let act = exhausting(usual, at: index) { acts.append(act) }
            for text in values.lengths(field) where text != usual.values[index] {
                acts.append(
                    post(longer(usual, at: index, text), "fills in \(field.id) with \(text.count) characters") {
                        $0.detour = .length
                    })
            }
        }
        return acts
    }

    /// A wrong password or code, again and again; `nil` where a field asks for neither.
    private func exhausting(_ usual: Filling, at index: Int) -> Act? {
        let field = usual.fields[index]
        var wrong: String?
        if values.asksForPassword(field), person.hasAccount { wrong = Self.wrongPassword }
        if let source = values.source(field) {
            wrong = CodeFields.wrong(cast.codes.code(source, of: person, at: place))
        }
        guard let wrong else { return nil }
        var act = post(
            usual.with(wrong, at: index), "fills in a wrong \(field.id) \(Self.tries) times", secret: wrong
        ) { $0.detour = .exhausted }
        act.pending = .nothing
        act.special = .repeated(Self.tries)
        act.script = Array(repeating: act.script, count: Self.tries).flatMap(\.self)
        return act
    }

    /// A text in a field, and the same where a password is repeated.
    private func longer(_ usual: Filling, at index: Int, _ text: String) -> Filling {
        var filling = usual.with(text, at: index)
        guard usual.fields[index].isPassword else { return filling }
        for other in usual.fields.indices
        where usual.fields[other].isPassword && filling.values[other] == usual.values[index] {
            filling.values[other] = text
        }
        return filling
    }
}

extension Page {
    /// Whether somebody can post the page; a page without the button may be the end that a policy wants.
    var showsContinue: Bool {
        api == .selfAsserted && !config.contains { $0.name == "showContinueButton" && $0.value == "False" }
    }
}

extension HostedForm {
    /// The form of a page that a journey shows.
    init(_ page: Page, in policy: ResolvedPolicy) {
        var controls: Controls = []
        if page.signUpExchange != nil { controls.insert(.signUp) }
        if page.forgotPassword != .absent { controls.insert(.forgotPassword) }
        if page.showsCancel { controls.insert(.cancel) }
        if page.showsContinue { controls.insert(.continueButton) }
        if page.showsKeepMeSignedIn { controls.insert(.keepSignedIn) }
        var codes: [String: String] = [:]
        for field in page.fields where field.isDisplayControl {
            guard let control = policy.displayControl(field.id) else { continue }
            codes[field.id] = policy[control].codeClaim.map { policy[$0].id }
        }
        self.init(
            Kind(api: page.api.rawValue), fields: page.fields, phones: page.phones, controls: controls,
            codeInputs: codes)
    }
}

extension JourneyEvent {
    /// A post of a page as the service hands it to a journey.
    init(_ post: HostedPost) {
        switch post {
        case .fields(let items), .claim(let items), .phone(let items): self = .submitted(items)
        case .action(let control, let name, let items): self = .action(control: control, name: name, items)
        }
    }
}
