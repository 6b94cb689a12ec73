import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// What a person does after filling a page in.
private enum PersonIntent {
    /// Presses the main button.
    case submits
    /// Looks at the page that shows now.
    case sees
    /// Does nothing more.
    case stops(PageStep)
}

/// Acting as a person until the flow ends: every page is filled from the record, every code fetched from the inbox, the
/// main button pressed. A person never signs up, resets, cancels or picks a provider on their own. With ``PageAnswers`` they
/// also type what their record does not know, pick a provider or sign up, and try other values where a page refuses.
extension PageWorker {
    func perform(as person: Person, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
        tabs[tab.number]?.actor = person
        // An error that the page already shows does not stop the person from trying. An error that answers them does.
        var hasTried = false
        var refusals = 0
        for _ in 0..<40 {
            guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
            if page.record.error == nil || !hasTried {
                refusals = 0
            } else {
                guard answers != nil, refusals < 3, !page.isOver else { return .goOn }
                refusals += 1
            }
            hasTried = true
            switch page.content {
            case .message:
                return .goOn
            case .form:
                if let problem = fillAll(as: current(person, in: tab), in: tab, now: lane.time.now) {
                    return .end(.scriptDoesNotFit(problem))
                }
            case .hosted(let settings):
                switch try await fillIn(settings, on: page, as: person, refusals: refusals, in: tab, lane: lane) {
                case .stops(let step): return step
                case .sees: continue
                case .submits: break
                }
            }
            guard let button = mainButton(in: tab) else { return .goOn }
            if case .end(let end) = try await press(button, in: tab, lane: lane) { return .end(end) }
        }
        let last =
            tabs[tab.number]?.page.map { "; the last is \(describe($0)) at \($0.url.host ?? "")\($0.url.path)" } ?? ""
        return .end(.scriptDoesNotFit("\(person.name) was shown 40 pages and the flow has not ended\(last)"))
    }

    /// Fills in a hosted page: takes a choice that it offers, types, reads its captcha and fetches its codes.
    ///
    /// - Parameter refusals: How often the page has refused what was typed.
    private func fillIn(
        _ settings: PageSettings, on page: ShownPage, as person: Person, refusals: Int, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PersonIntent {
        let driver = HostedPageDriver(page: settings, url: page.url)
        if let offer = offer(of: driver, in: tab) {
            // A page that has refused what was typed is filled in again.
            let asks = page.record.error == nil || !offer.isForm
            let record = current(person, in: tab).record
            if asks, let choice = answers?.choice(at: offer, record: record) {
                if case .end(let end) = try await press(choice, in: tab, lane: lane) { return .stops(.end(end)) }
                return .sees
            }
            guard offer.isForm else { return .stops(.goOn) }
        }
        let before = tabs[tab.number]?.typed ?? [:]
        if let problem = fillAll(as: current(person, in: tab), in: tab, now: lane.time.now, attempt: refusals) {
            return .stops(.end(.scriptDoesNotFit(problem)))
        }
        if refusals > 0, !(try await canTryAgain(before, driver, refusals, in: tab, lane: lane)) {
            return .stops(.goOn)
        }
        let challenge = await readyCaptcha(in: tab, lane: lane)
        if settings.captcha != nil, await !read(challenge, in: tab), !leavesCaptchas {
            let problem =
                "the page \(describe(page)) shows a captcha, and \(person.name) does not learn the characters of its picture"
            return .stops(.end(.scriptDoesNotFit(problem)))
        }
        if case .end(let end) = try await prove(person, driver, refusals, in: tab, lane: lane) {
            return .stops(.end(end))
        }
        // A proof can end the page (phone) or fail on it.
        return tabs[tab.number]?.page?.record.number == page.record.number ? .submits : .sees
    }

    /// The person's record as it is by now: a password accepted earlier in this visit is the one to type next.
    private func current(_ person: Person, in tab: TabID) -> Person {
        tabs[tab.number]?.actor ?? person
    }

    /// What a page offers besides its fields; `nil` where it only has fields.
    private func offer(of driver: HostedPageDriver, in tab: TabID) -> PageOffer? {
        let buttons = HostedPageDriver.buttons(of: driver.page)
        let hasSignUpLink = buttons.contains("createAccount")
        guard !driver.isPhone, !driver.page.providers.isEmpty || hasSignUpLink else { return nil }
        return PageOffer(
            choices: driver.page.providers, hasSignUpLink: hasSignUpLink,
            isForm: !driver.page.fields.isEmpty && mainButton(in: tab) != nil)
    }

    /// Whether it makes sense to try a page again that has refused what was typed: where something else is typed now, or
    /// where codes were perhaps asked for too quickly, and waiting helps.
    private func canTryAgain(
        _ before: [String: String], _ driver: HostedPageDriver, _ refusals: Int, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> Bool {
        let codes = codeFields(of: driver.page)
        let typed = tabs[tab.number]?.typed ?? [:]
        let changed = Set(typed.keys.filter { !codes.contains($0) && typed[$0] != before[$0] })
        guard changed.isEmpty else {
            // Another address or number has to be proved again.
            let proved = driver.verifiers.filter { !driver.proves($0).isDisjoint(with: changed) }.map(\.key)
            tabs[tab.number]?.verified.removeAll { proved.contains($0) }
            return true
        }
        guard refusals == 1, !driver.verifiers.isEmpty else { return false }
        try await lane.pause(.minutes(2))
        return true
    }

    /// Where codes for a person arrive. A person who types an address that is not on record reads the messages of that
    /// address.
    private func addresses(of person: Person, in tab: TabID) -> [String] {
        let own = [person.record.email, person.record.phone].compactMap { $0 }
        guard answers != nil, let here = tabs[tab.number], case .hosted(let settings)? = here.page?.content else {
            return own
        }
        let ids = settings.allFields.filter { !$0.isPassword && !$0.isDisplayControl }.map(\.id) + ["number"]
        return own + ids.compactMap { here.typed[$0] }.filter { !$0.isEmpty && !own.contains($0) }
    }

    /// Has the page's captcha shown, as its script does when the page opens.
    func readyCaptcha(in tab: TabID, lane: Lane) async -> String? {
        guard case .hosted(let settings)? = tabs[tab.number]?.page?.content, settings.captcha != nil else { return nil }
        return await captchaChallenge(in: tab, lane: lane)
    }

    /// Types what the picture of a challenge shows.
    ///
    /// - Returns: Whether that is known.
    @discardableResult
    func read(_ challenge: String?, in tab: TabID) async -> Bool {
        guard case .hosted(let settings)? = tabs[tab.number]?.page?.content, let field = settings.captcha,
            let challenge, let text = await mailbox.captcha(of: challenge)
        else { return false }
        tabs[tab.number]?.typed[field.id] = text
        return true
    }

    /// Types the code that came last where this page has sent one, and where it asks for one that an earlier page had sent.
    func takeCodes(of person: Person, in tab: TabID) async {
        guard let page = tabs[tab.number]?.page, case .hosted(let settings) = page.content else { return }
        let driver = HostedPageDriver(page: settings, url: page.url)
        let sent = tabs[tab.number]?.sent ?? []
        let verifiers = driver.verifiers.filter { sent.contains($0.key) }
        let fields = settings.fields.filter { isCode($0) && !isTOTP($0) && !$0.isReadOnly }
        guard !verifiers.isEmpty || !fields.isEmpty,
            let code = await mailbox.newestCode(to: addresses(of: person, in: tab))
        else { return }
        for verifier in verifiers { type(code, for: verifier, driver, in: tab) }
        for field in fields where tabs[tab.number]?.typed[field.id] == nil { tabs[tab.number]?.typed[field.id] = code }
    }

    /// Gets and types the codes that the page asks for.
    private func prove(
        _ person: Person, _ driver: HostedPageDriver, _ refusals: Int, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        let page = tabs[tab.number]?.page?.record.number
        for verifier in driver.verifiers where !(tabs[tab.number]?.verified.contains(verifier.key) ?? false) {
            let send: String
            let verify: String
            switch verifier {
            case .claim(let id):
                send = "\(id)_ver_but_send"
                verify = "\(id)_ver_but_verify"
            case .control(let id):
                guard driver.page.fields.first(where: { $0.id == id })?.codeField != nil else { continue }
                send = "\(id)_but_send_code"
                verify = "\(id)_but_verify_code"
            case .phone:
                // Where the page only calls, the call is answered, and there is no code to type.
                if driver.page.config("authenticationMode")?.lowercased() == "phone" {
                    return try await press("call", in: tab, lane: lane)
                }
                send = "sendCode"
                verify = "verifyCode"
            }
            if case .end(let end) = try await press(send, in: tab, lane: lane) { return .end(end) }
            guard tabs[tab.number]?.page?.record.number == page else { return .goOn }
            let addresses = addresses(of: person, in: tab)
            var code = await mailbox.newestCode(to: addresses)
            if code == nil, case .control(let id) = verifier { code = answers?.code(ofControl: id) }
            guard let code else {
                return .end(
                    .scriptDoesNotFit(
                        "no code has come for \(person.name), who can be reached at \(addresses.joined(separator: ", "))"
                    ))
            }
            type(code, for: verifier, driver, in: tab)
            if case .end(let end) = try await press(verify, in: tab, lane: lane) { return .end(end) }
            guard tabs[tab.number]?.page?.record.number == page else { return .goOn }
        }
        // A code that an earlier page had sent goes into a field like any other.
        for field in driver.page.fields
        where isCode(field) && !isTOTP(field) && !field.isReadOnly && tabs[tab.number]?.typed[field.id] == nil {
            let addresses = addresses(of: person, in: tab)
            if let code = await mailbox.newestCode(to: addresses) {
                tabs[tab.number]?.typed[field.id] = code
            } else if let made = answers?.values(
                for: [field], isSignIn: driver.isSignIn, usual: [:], record: person.record, attempt: refusals,
                at: lane.time.now)
            {
                // Nothing was sent: what is called a code here is something that the person knows.
                tabs[tab.number]?.typed.merge(made) { $1 }
            }
        }
        return .goOn
    }

    private func type(
        _ code: String, for verifier: HostedPageDriver.VerifierID, _ driver: HostedPageDriver, in tab: TabID
    ) {
        switch verifier {
        case .claim(let id): tabs[tab.number]?.typed["\(id)_ver_input"] = code
        case .phone: tabs[tab.number]?.typed["verificationCode"] = code
        case .control(let id):
            let control = driver.page.fields.first { $0.id == id }
            if let field = control?.codeField { tabs[tab.number]?.typed[field.id] = code }
        }
    }
}
