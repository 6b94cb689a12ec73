import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// Pressing: the requests that a page's script or form would make.
extension Browser {
    func press(_ name: String, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
        guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
        switch page.content {
        case .message:
            return .end(.scriptDoesNotFit("the page \(describe(page)) has nothing to press, \"\(name)\" neither"))
        case .form(let form):
            return try await press(name, of: form, page, in: tab, lane: lane)
        case .hosted(let settings):
            let driver = HostedPageDriver(page: settings, url: page.url)
            guard let meaning = driver.press(name, providers: providers) else {
                let known = HostedPageDriver.buttons(of: settings).map { "\"\($0)\"" }.joined(separator: ", ")
                return .end(
                    .scriptDoesNotFit("the page \(describe(page)) has no \"\(name)\" to press; it has \(known)"))
            }
            return try await carryOut(meaning, driver, in: tab, lane: lane)
        }
    }

    /// Cancels what the page asks for, as its script does. The script takes this on every page, the sign-in page too, which
    /// has no button for it.
    public func cancel(_ tab: TabID, lane: Lane) async throws(WorldError) -> BrowseEnd {
        guard let page = tabs[tab.number]?.page else { return .userClosed }
        guard case .hosted(let settings) = page.content else {
            return .scriptDoesNotFit("the page \(describe(page)) has nothing to cancel")
        }
        let driver = HostedPageDriver(page: settings, url: page.url)
        switch try await carryOut(.cancel, driver, in: tab, lane: lane) {
        case .end(let end): return finish(tab, end)
        case .goOn: return try await run(tab, user: nil, lane: lane)
        }
    }

    private func press(
        _ name: String, of form: PlainForm, _ page: ShownPage, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        guard let button = form.button(name) else {
            let known = form.buttons.map { "\"\($0.id.isEmpty ? $0.value : $0.id)\"" }.joined(separator: ", ")
            return .end(.scriptDoesNotFit("the page \(describe(page)) has no \"\(name)\" to press; it has \(known)"))
        }
        guard let target = page.url.resolving(form.action) else {
            return .end(
                .scriptDoesNotFit("the form of the page \(describe(page)) posts to \"\(form.action)\", not an address"))
        }
        let typed = tabs[tab.number]?.typed ?? [:]
        var items = FormItems()
        for input in form.inputs where !input.name.isEmpty {
            if input.type == "checkbox" && (typed[input.name] ?? "") != "true" { continue }
            items.append(
                input.name,
                input.type == "checkbox" ? (input.value.isEmpty ? "on" : input.value) : typed[input.name] ?? input.value
            )
        }
        if !button.name.isEmpty { items.append(button.name, button.value) }
        if form.opensNewTab, !isInNewTab(tab) {
            movedTabs.insert(tab.number)
            record("newTab", in: tab)
        }
        var message = RequestMessage.post(
            target, form: items, headers: ["Origin": page.url.origin, "Referer": page.url.description])
        if form.method == "GET" {
            var url = target
            url.queryItems = items
            message = .get(url)
        }
        if let end = try await load(message, in: tab, initiator: page.url, lane: lane) { return .end(end) }
        return .goOn
    }

    private func carryOut(
        _ press: HostedPageDriver.Press, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        clearError(in: tab)
        switch press {
        case .submit: return try await submit(driver, in: tab, lane: lane)
        case .navigate(let action):
            return try await navigate(action + hint(for: action, driver, in: tab), driver, in: tab, lane: lane)
        case .cancel:
            // The page's own script reports what the person chose as a client-side end with the localised text
            // (inferred: the exact code value was not recorded).
            let text = driver.page.text("cancel_message") ?? "The user has cancelled entering self-asserted information"
            let action = "error?code=AADB2C90091&desc=\(PercentCoding.encodeComponent(text))&\(driver.token)"
            return try await navigate(action, driver, in: tab, lane: lane)
        case .sendCode(let verifier, let call):
            return try await sendCode(verifier, call: call, driver, in: tab, lane: lane)
        case .verifyCode(let verifier): return try await verifyCode(verifier, driver, in: tab, lane: lane)
        case .changeEmail(let verifier):
            tabs[tab.number]?.verified.removeAll { $0 == verifier.key }
            return .goOn
        }
    }

    /// The sign-up link carries the text of the name field if the page asks for it (`setting.sendHintOnSignup`).
    private func hint(for action: String, _ driver: HostedPageDriver, in tab: TabID) -> String {
        guard action.hasPrefix("unified?local=signup"),
            driver.page.config("sendHintOnSignup")?.lowercased() == "true", let first = driver.page.fields.first,
            let typed = tabs[tab.number]?.typed[first.id] ?? first.prefilled, !typed.isEmpty
        else { return "" }
        return "&hint=\(PercentCoding.encodeComponent(typed))"
    }

    private func navigate(
        _ action: String, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        guard let message = driver.navigation(action) else {
            return .end(
                .scriptDoesNotFit("the page's address for \"\(driver.page.api)\" cannot be built from its settings"))
        }
        if let end = try await load(message, in: tab, initiator: driver.url, lane: lane) { return .end(end) }
        return .goOn
    }

    /// One post of the page's script.
    private func call(
        _ post: HostedPost, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async -> ScriptAnswer {
        await call(current(driver, in: tab).message(post), driver, in: tab, lane: lane)
    }

    private func call(
        _ message: RequestMessage?, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async -> ScriptAnswer {
        guard let request = tabs[tab.number]?.request, let message else { return ScriptAnswer(status: "400") }
        let response: ResponseMessage
        do throws(TransportError) {
            response = try await fetch(message, request, initiator: driver.url, script: true, in: tab, lane: lane)
        } catch {
            tabs[tab.number]?.page?.failure = error
            return ScriptAnswer(
                status: "0",
                message: driver.page.text("unknown_error") ?? "The page could not reach the service: \(error.word)")
        }
        tabs[tab.number]?.page?.failure = nil
        renewToken(by: response, in: tab)
        guard let json = response.json else {
            tabs[tab.number]?.page?.isOver = true
            return ScriptAnswer(
                status: "\(response.status)",
                message: driver.page.text("unknown_error") ?? "The answer to the page's script was not JSON")
        }
        let status = json["status"]?.stringValue ?? json["status"]?.intValue.map { String($0) } ?? "\(response.status)"
        return ScriptAnswer(
            status: status, message: json["message"]?.stringValue, code: json["errorCode"]?.stringValue, json: json)
    }

    /// If an answer sets the token's cookie again, the page continues with that token: both have to be the same
    /// (Microsoft docs: cookie-definitions). That an answer may set it again is inferred.
    private func renewToken(by response: ResponseMessage, in tab: TabID) {
        let name = "x-ms-cpim-csrf="
        let tokens = response.headers.all("Set-Cookie").filter { $0.hasPrefix(name) }.map {
            String($0.dropFirst(name.count).prefix { $0 != ";" })
        }
        guard let token = tokens.last(where: { !$0.isEmpty }),
            case .hosted(var settings)? = tabs[tab.number]?.page?.content, settings.csrf != token
        else { return }
        settings.csrf = token
        tabs[tab.number]?.page?.content = .hosted(settings)
    }

    /// How the page stands now, whose token an answer may have changed since.
    private func current(_ driver: HostedPageDriver, in tab: TabID) -> HostedPageDriver {
        guard case .hosted(let settings)? = tabs[tab.number]?.page?.content else { return driver }
        return HostedPageDriver(page: settings, url: driver.url)
    }

    private func submit(_ driver: HostedPageDriver, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
        let typed = tabs[tab.number]?.typed ?? [:]
        if driver.isPhone { return try await verifyCode(.phone, driver, in: tab, lane: lane) }
        if let refusal = driver.refusal(typed, verified: tabs[tab.number]?.verified ?? []) {
            showError(refusal, code: nil, in: tab)
            return .goOn
        }
        guard await solveCaptcha(driver, in: tab, lane: lane) else { return .goOn }
        let answer = await call(driver.form.submission(typed), driver, in: tab, lane: lane)
        guard answer.status == "200" else {
            let message = answer.message ?? driver.page.text("unknown_error") ?? "We are having trouble signing you in."
            forgetCaptcha(driver, in: tab)
            showError(message, code: answer.code, in: tab)
            return .goOn
        }
        pageAccepted(in: tab)
        return try await confirm(driver, in: tab, lane: lane)
    }

    private func confirm(_ driver: HostedPageDriver, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
        let remember = tabs[tab.number]?.typed["rememberMe"] == "true"
        let driver = current(driver, in: tab)
        let action =
            driver.isSignIn ? "confirmed?rememberMe=\(remember)&\(driver.token)" : "confirmed?\(driver.token)"
        return try await navigate(action, driver, in: tab, lane: lane)
    }

    // MARK: Captcha

    func captchaChallenge(in tab: TabID, lane: Lane) async -> String? {
        if let known = tabs[tab.number]?.captcha { return known.challenge }
        guard let page = tabs[tab.number]?.page, case .hosted(let settings) = page.content else { return nil }
        let driver = HostedPageDriver(page: settings, url: page.url)
        guard let captcha = settings.captcha else { return nil }
        let asked = driver.form.pictureRequest(of: captcha)
        let answer = await call(driver.get(asked.path, asked.body), driver, in: tab, lane: lane)
        guard answer.status == "200", let challenge = answer.json?["challengeId"]?.stringValue else { return nil }
        let region = answer.json?["azureregion"]?.stringValue ?? answer.json?["azureRegion"]?.stringValue
        tabs[tab.number]?.captcha = CaptchaState(challenge: challenge, region: region ?? "")
        return challenge
    }

    /// Has what was typed for the picture checked, where there is one and this has not been done.
    ///
    /// - Returns: Whether the script goes on; else the page says what is wrong, and there is another picture.
    private func solveCaptcha(_ driver: HostedPageDriver, in tab: TabID, lane: Lane) async -> Bool {
        guard let field = driver.page.captcha, !(tabs[tab.number]?.captcha?.isSolved ?? false) else { return true }
        let typed = tabs[tab.number]?.typed[field.id] ?? ""
        guard !typed.isEmpty else {
            showError("Enter the characters of the picture.", code: nil, in: tab)
            return false
        }
        _ = await captchaChallenge(in: tab, lane: lane)
        let shown = tabs[tab.number]?.captcha
        let check = driver.form.pictureCheck(
            of: field, challenge: shown?.challenge ?? "", text: typed, region: shown?.region ?? "")
        let answer = await call(check, driver, in: tab, lane: lane)
        guard answer.status == "200", answer.isCaptchaSolved else {
            forgetCaptcha(driver, in: tab)
            showError(
                answer.message ?? "These are not the characters of the picture.", code: answer.code, in: tab)
            return false
        }
        tabs[tab.number]?.captcha?.isSolved = true
        return true
    }

    /// The picture has done its work: the script asks for another one.
    private func forgetCaptcha(_ driver: HostedPageDriver, in tab: TabID) {
        guard let field = driver.page.captcha else { return }
        tabs[tab.number]?.captcha = nil
        tabs[tab.number]?.typed[field.id] = nil
    }

    // MARK: Proof of addresses and numbers

    private func sendCode(
        _ verifier: HostedPageDriver.VerifierID, call voice: Bool, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        // The button for a code has the captcha checked first (Microsoft docs: display-control-captcha).
        guard await solveCaptcha(driver, in: tab, lane: lane) else { return .goOn }
        if verifier == .phone { forgetCaptcha(driver, in: tab) }
        let form = driver.form
        let request = form.codeRequest(verifier, tabs[tab.number]?.typed ?? [:], calls: voice)
        let answer = await call(request, driver, in: tab, lane: lane)
        if verifier == .phone, voice, answer.status == "200" {
            // A call is answered, not typed: the page asks again and again until the service knows.
            let limit = driver.page.config("pollLimit").flatMap { Int($0) } ?? 20
            let pause = driver.page.config("pollIntervalInMilliseconds").flatMap { Int64($0) } ?? 5_000
            var poll = await call(form.callCheck, driver, in: tab, lane: lane)
            var asked = 1
            while poll.status == "449", asked < limit {
                try await lane.pause(.milliseconds(pause))
                poll = await call(form.callCheck, driver, in: tab, lane: lane)
                asked += 1
            }
            guard poll.status == "200" else {
                showError(poll.message ?? "The call was not answered.", code: poll.code, in: tab)
                return .goOn
            }
            return try await confirm(driver, in: tab, lane: lane)
        }
        if answer.status == "200" {
            tabs[tab.number]?.sent.insert(verifier.key)
        } else {
            showError(answer.message ?? "The code could not be sent.", code: answer.code, in: tab)
        }
        return .goOn
    }

    private func verifyCode(
        _ verifier: HostedPageDriver.VerifierID, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        let check = driver.form.codeCheck(verifier, tabs[tab.number]?.typed ?? [:])
        let answer = await call(check, driver, in: tab, lane: lane)
        guard answer.status == "200" else {
            let known = driver.page.text("error_\(answer.status)") ?? driver.page.text("error_incorrect_code")
            showError(answer.message ?? known ?? "That code is incorrect.", code: answer.code, in: tab)
            return .goOn
        }
        tabs[tab.number]?.verified.append(verifier.key)
        if verifier == .phone { return try await confirm(driver, in: tab, lane: lane) }
        return .goOn
    }
}

/// What the service answers a page's script.
private struct ScriptAnswer {
    var status: String
    var message: String?
    var code: String?
    var json: JSONValue?

    /// Live pages go on for a picture that was read and for one that the service lets pass (both seen in published
    /// sign-in scripts; Microsoft does not document the values).
    var isCaptchaSolved: Bool {
        let reason = json?["reason"]?.stringValue?.lowercased()
        return reason == "solved" || reason == "usermessageifbypass"
    }
}
