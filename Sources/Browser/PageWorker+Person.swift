import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// Acting as a person until the flow ends: every page is filled from the record, every code fetched from the inbox, the
/// main button pressed. A person never signs up, resets, cancels or picks a provider on their own.
extension PageWorker {
    func perform(as person: Person, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
        tabs[tab.number]?.actor = person
        // An error that stands there already is no reason to stop: the person tries. One that answers them is.
        var hasTried = false
        for _ in 0..<40 {
            guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
            guard page.record.error == nil || !hasTried else { return .goOn }
            hasTried = true
            switch page.content {
            case .message:
                return .goOn
            case .form:
                if let problem = fillAll(as: current(person, in: tab), in: tab, now: lane.time.now) {
                    return .end(.scriptDoesNotFit(problem))
                }
            case .hosted(let settings):
                let driver = HostedPageDriver(page: settings, url: page.url)
                if driver.page.fields.isEmpty && !driver.isPhone && !driver.page.providers.isEmpty { return .goOn }
                if let problem = fillAll(as: current(person, in: tab), in: tab, now: lane.time.now) {
                    return .end(.scriptDoesNotFit(problem))
                }
                let challenge = await readyCaptcha(in: tab, lane: lane)
                if settings.captcha != nil, await !read(challenge, in: tab), !leavesCaptchas {
                    return .end(
                        .scriptDoesNotFit(
                            "the page \(describe(page)) shows a picture whose characters nobody here can tell \(person.name)"
                        ))
                }
                if case .end(let end) = try await prove(person, driver, in: tab, lane: lane) { return .end(end) }
                // A proof can end the page (phone) or fail on it.
                if tabs[tab.number]?.page?.record.number != page.record.number { continue }
            }
            guard let button = mainButton(in: tab) else { return .goOn }
            if case .end(let end) = try await press(button, in: tab, lane: lane) { return .end(end) }
        }
        let last =
            tabs[tab.number]?.page.map { "; the last is \(describe($0)) at \($0.url.host ?? "")\($0.url.path)" } ?? ""
        return .end(.scriptDoesNotFit("\(person.name) was shown 40 pages and the flow has not ended\(last)"))
    }

    /// The person's record as it is by now: a password accepted earlier in this visit is the one to type next.
    private func current(_ person: Person, in tab: TabID) -> Person {
        tabs[tab.number]?.actor ?? person
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

    /// Gets and types the codes that the page asks for.
    private func prove(
        _ person: Person, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
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
                let fields = driver.page.fields.first { $0.id == id }?.displayFields ?? []
                guard fields.contains(where: { isCode($0) }) else { continue }
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
            let addresses = [person.record.email, person.record.phone].compactMap { $0 }
            guard let code = await mailbox.newestCode(to: addresses) else {
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
            let addresses = [person.record.email, person.record.phone].compactMap { $0 }
            if let code = await mailbox.newestCode(to: addresses) { tabs[tab.number]?.typed[field.id] = code }
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
            let fields = driver.page.fields.first { $0.id == id }?.displayFields ?? []
            if let field = fields.first(where: { isCode($0) }) { tabs[tab.number]?.typed[field.id] = code }
        }
    }
}
