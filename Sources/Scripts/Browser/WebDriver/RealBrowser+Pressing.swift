import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// Typing into fields and pressing buttons, by the element ids of B2C's pages.
extension RealBrowser {
    func press(_ name: String, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
        guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
        await witness.acts(lane.id)
        let step = await pressed(name, on: page, in: tab)
        await witness.rests(lane.id)
        return step
    }

    private func pressed(_ name: String, on page: ShownPage, in tab: TabID) async -> PageStep {
        do throws(WebDriverError) {
            let session = try await session(of: tab)
            switch page.content {
            case .message:
                return .end(.scriptDoesNotFit("the page \(describe(page)) has nothing to press, \"\(name)\" neither"))
            case .form(let form):
                return try await press(name, of: form, page, in: tab, session)
            case .hosted(let settings):
                return try await press(name, on: settings, page, in: tab, session)
            }
        } catch {
            return .end(await gone(error))
        }
    }

    private func press(
        _ name: String, on settings: PageSettings, _ page: ShownPage, in tab: TabID, _ session: WebDriverSession
    ) async throws(WebDriverError) -> PageStep {
        let driver = HostedPageDriver(page: settings, url: page.url)
        guard let meaning = driver.press(name, providers: providers) else {
            let known = HostedPageDriver.buttons(of: settings).map { "\"\($0)\"" }.joined(separator: ", ")
            return .end(.scriptDoesNotFit("the page \(describe(page)) has no \"\(name)\" to press; it has \(known)"))
        }
        try await enter(in: tab, driver, session)
        guard let button = try await shown(Self.buttons(for: meaning, name, driver), session) else {
            return .end(.scriptDoesNotFit("the page \(describe(page)) shows no button for \"\(name)\""))
        }
        if case .submit = meaning, let captcha = settings.allFields.first(where: \.isCaptcha),
            await challenge(of: captcha.id, session) == nil, try await !isSolved(captcha.id, session)
        {
            let what = "the page at \(page.url.host ?? "")\(page.url.path) asks for a captcha (`\(captcha.id)`)"
            await witness.blocked("\(what), which only a person can answer: --browser-window shows the browser to one")
            return .end(.scriptDoesNotFit(what))
        }
        let number = page.record.number
        let leaves =
            switch meaning {
            case .cancel, .navigate: true
            default: false
            }
        try await click(button, session)
        if let end = try await settle(in: tab, session, leaves: leaves) {
            pageAccepted(in: tab)
            return .end(end)
        }
        if case .sendCode(let verifier, call: false) = meaning, tabs[tab.number]?.page?.record.error == nil {
            tabs[tab.number]?.sent.insert(verifier.key)
        }
        if case .verifyCode(let verifier) = meaning, tabs[tab.number]?.page?.record.error == nil {
            tabs[tab.number]?.verified.append(verifier.key)
        }
        if case .changeEmail(let verifier) = meaning {
            tabs[tab.number]?.verified.removeAll { $0 == verifier.key }
        }
        if case .submit = meaning, let shown = tabs[tab.number]?.page?.record, shown.number != number,
            shown.error == nil
        {
            pageAccepted(in: tab)
        }
        return .goOn
    }

    private func click(
        _ element: WebDriverSession.ElementReference, _ session: WebDriverSession
    ) async throws(WebDriverError) {
        _ = try await session.execute(Self.pressed)
        try await session.click(element)
    }

    /// Ids of the elements that may stand for a press, the one that shows counts.
    static func buttons(for press: HostedPageDriver.Press, _ name: String, _ driver: HostedPageDriver) -> [String] {
        switch press {
        case .submit: return driver.isPhone ? ["verifyCode"] : ["next", "continue"]
        case .cancel: return ["cancel"]
        case .navigate(let action):
            let query = action.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
            let exchange = FormItems(parsing: Array(query.utf8))["claimsexchange"]
            return ["forgotPassword", "createAccount"].contains(name)
                ? [name]
                : exchange.map { [$0] } ?? [name == "signUp" ? "createAccount" : name]
        case .sendCode(.claim(let id), _): return ["\(id)_ver_but_send", "\(id)_ver_but_resend"]
        case .sendCode(.control(let id), _): return ["\(id)_but_send_code", "\(id)_but_send_new_code"]
        case .sendCode(.phone, let call): return call ? ["verifyPhone"] : ["retryCode", "verifyCode"]
        case .verifyCode(.claim(let id)): return ["\(id)_ver_but_verify"]
        case .verifyCode(.control(let id)): return ["\(id)_but_verify_code"]
        case .verifyCode(.phone): return ["verifyCode"]
        case .changeEmail(.claim(let id)): return ["\(id)_ver_but_edit"]
        case .changeEmail(.control(let id)): return ["\(id)_but_change_claims"]
        case .changeEmail(.phone): return []
        }
    }

    private func shown(_ ids: [String], _ session: WebDriverSession) async throws(WebDriverError)
        -> WebDriverSession.ElementReference?
    {
        for id in ids {
            if let element = try await session.find(.id(id)), try await session.isDisplayed(element) { return element }
        }
        return nil
    }

    private func press(
        _ name: String, of form: PlainForm, _ page: ShownPage, in tab: TabID, _ session: WebDriverSession
    ) async throws(WebDriverError) -> PageStep {
        guard let button = form.button(name) else {
            let known = form.buttons.map { "\"\($0.id.isEmpty ? $0.value : $0.id)\"" }.joined(separator: ", ")
            return .end(.scriptDoesNotFit("the page \(describe(page)) has no \"\(name)\" to press; it has \(known)"))
        }
        for (id, value) in pending(in: tab) {
            if let element = try await session.find(.css("[name=\"\(id)\"]")) {
                try await put(value, into: element, session)
            }
            entered[tab.number, default: [:]][id] = value
        }
        let locator: WebDriverSession.Locator =
            button.id.isEmpty ? .css("[name=\"\(button.name)\"][value=\"\(button.value)\"]") : .id(button.id)
        guard let element = try await session.find(locator) else {
            return .end(.scriptDoesNotFit("the page \(describe(page)) shows no button for \"\(name)\""))
        }
        guard form.opensNewTab else {
            try await click(element, session)
            if let end = try await settle(in: tab, session, leaves: true) { return .end(end) }
            return .goOn
        }
        let left = try await openTab(session)
        try await session.click(element)
        try await session.switchTo(window: left.next)
        noteNewTab(tab)
        let end = try await settle(in: tab, session)
        // Nobody goes back to the tab that was left. A visit that is over has gone on in yet another.
        let current = try await session.currentWindow()
        try await session.switchTo(window: left.first)
        try await session.closeWindow()
        try await session.switchTo(window: current)
        return end.map { .end($0) } ?? .goOn
    }

    /// Opens the tab in which the form of the page that shows is going to be answered.
    ///
    /// A tab that the form itself opens comes too late: Chromium's log holds nothing of what it was opened for, and one
    /// that is sent on to an app's own scheme never finishes to load, so the driver waits for it until it gives up. One
    /// that is there already, and that the form names, is a tab of its own all the same.
    private func openTab(_ session: WebDriverSession) async throws(WebDriverError) -> (first: String, next: String) {
        let first = try await session.currentWindow()
        let known = try await session.windows()
        openedTabs += 1
        let name: JSONValue = .string("next-tab-\(openedTabs)")
        _ = try await session.execute("window.open('about:blank', arguments[0]);", [name])
        guard let next = try await session.windows().first(where: { !known.contains($0) }) else {
            throw .malformed("no new window after one was opened")
        }
        // The driver listens to a window once it has been there.
        try await session.switchTo(window: next)
        try await session.repeatHeaders()
        try await session.switchTo(window: first)
        _ = try await session.execute(
            """
            for (const form of document.forms) if (form.target.toLowerCase() === "_blank") form.target = arguments[0];
            """, [name])
        return (first, next)
    }

    /// Whether the field has been filled; where somebody can see it they get three minutes.
    private func isSolved(_ id: String, _ session: WebDriverSession) async throws(WebDriverError) -> Bool {
        for _ in 0..<(showsWindow ? 12 : 1) {
            let value = try await session.executeAsync(
                """
                const [id, patience, done] = arguments, end = performance.now() + patience;
                (function look() {
                  const field = document.getElementById(id);
                  if (!field || field.value || performance.now() > end) return done(!field || !!field.value);
                  setTimeout(look, 200);
                })();
                """, [.string(id), .integer(showsWindow ? 15_000 : 0)])
            if value.boolValue ?? false { return true }
        }
        return false
    }

    /// Pages of the mock write the challenge into the field; those of a tenant do not.
    func captchaChallenge(in tab: TabID, lane: Lane) async -> String? {
        guard case .hosted(let settings)? = tabs[tab.number]?.page?.content, let field = settings.captcha,
            let session = try? await session(of: tab), let challenge = await challenge(of: field.id, session)
        else { return nil }
        // Another picture has another answer.
        if tabs[tab.number]?.captcha?.challenge != challenge {
            tabs[tab.number]?.captcha = CaptchaState(challenge: challenge, region: "")
            tabs[tab.number]?.typed[field.id] = nil
            entered[tab.number]?[field.id] = nil
        }
        await witness.rests(lane.id)
        return challenge
    }

    private func challenge(of id: String, _ session: WebDriverSession) async -> String? {
        let read = try? await session.execute(
            "const field = document.getElementById(arguments[0]); return field && field.dataset.challenge;",
            [.string(id)])
        return read?.stringValue
    }

    // MARK: Typing

    /// What was meant to be typed and is not in the page yet, by id.
    private func pending(in tab: TabID) -> [(String, String)] {
        let done = entered[tab.number] ?? [:]
        let typed = tabs[tab.number]?.typed ?? [:]
        return typed.keys.sorted().compactMap { id in
            guard let value = typed[id], done[id] != value else { return nil }
            return (id, value)
        }
    }

    private func enter(
        in tab: TabID, _ driver: HostedPageDriver, _ session: WebDriverSession
    ) async throws(WebDriverError) {
        for (id, value) in pending(in: tab) {
            let isEntered: Bool
            switch id {
            case "rememberMe": isEntered = try await tick(id, value == "true", session)
            case "number" where driver.isPhone: isEntered = try await enter(number: value, session)
            default:
                let field = driver.page.allFields.first { $0.id == id }
                isEntered = try await enter(value, field: field, id: id, session)
            }
            // A field that does not show yet gets its value when it does.
            if isEntered { entered[tab.number, default: [:]][id] = value }
        }
    }

    private func enter(
        _ value: String, field: PageField?, id: String, _ session: WebDriverSession
    ) async throws(WebDriverError) -> Bool {
        switch field?.inputType {
        case PageInputType.radioSingleSelect, PageInputType.checkboxMultiSelect:
            for choice in value.split(separator: ",") { _ = try await tick("\(id)_\(choice)", true, session) }
            return true
        case PageInputType.dropdownSingleSelect:
            guard let list = try await shown([id], session) else { return false }
            return try await select(value, in: list, session)
        case PageInputType.dateTimeDropdown:
            let parts = value.split(separator: "-").map(String.init)
            guard parts.count == 3 else { break }
            for (ending, part) in [("year", parts[0]), ("month", parts[1]), ("day", parts[2])] {
                guard let list = try await shown(["\(id)_\(ending)"], session) else { return false }
                _ = try await select(part, in: list, session)
            }
            return true
        default: break
        }
        guard let element = try await shown([id], session) else { return false }
        try await put(value, into: element, session)
        return true
    }

    private func put(
        _ value: String, into element: WebDriverSession.ElementReference, _ session: WebDriverSession
    ) async throws(WebDriverError) {
        try await session.clear(element)
        if !value.isEmpty { try await session.type(value, into: element) }
    }

    private func tick(_ id: String, _ wanted: Bool, _ session: WebDriverSession) async throws(WebDriverError) -> Bool {
        guard let box = try await shown([id], session) else { return false }
        if try await session.property("checked", of: box).boolValue != wanted { try await session.click(box) }
        return true
    }

    /// Chooses by value as a person does: the list says that it has changed.
    private func select(
        _ value: String, in list: WebDriverSession.ElementReference, _ session: WebDriverSession
    ) async throws(WebDriverError) -> Bool {
        try await session.execute(
            """
            const list = arguments[0], wanted = arguments[1];
            const found = [...list.options].find(option => option.value === wanted || Number(option.value) === Number(wanted));
            if (!found) return false;
            list.value = found.value;
            for (const name of ["input", "change"]) list.dispatchEvent(new Event(name, { bubbles: true }));
            return true;
            """, [list.json, .string(value)]
        ).boolValue ?? false
    }

    /// A number in E.164 form: the country is chosen from the list, the rest typed.
    private func enter(number: String, _ session: WebDriverSession) async throws(WebDriverError) -> Bool {
        guard let field = try await shown(["localNumber"], session) else { return false }
        var rest = number
        if let list = try await session.find(.id("countryCode")) {
            let code =
                try await session.execute(
                    """
                    const codes = [...arguments[0].options].map(option => option.value).filter(code => /^\\+\\d/.test(code))
                      .filter(code => arguments[1].startsWith(code)).sort((left, right) => right.length - left.length);
                    return codes[0] || "";
                    """, [list.json, .string(number)]
                ).stringValue ?? ""
            if !code.isEmpty, try await select(code, in: list, session) { rest = String(number.dropFirst(code.count)) }
        }
        try await put(rest, into: field, session)
        return true
    }
}
