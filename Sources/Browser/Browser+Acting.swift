import B2CProtocol
import Determinism
import HTTPMessages
import JSON

/// Carrying out what a script says the person does.
extension Browser {
    /// What an action leads to: go on with the next one, or the visit has ended.
    enum Step {
        case goOn
        case end(BrowseEnd)
    }

    func act(_ user: UserScript, in tab: TabID, lane: Lane) async throws(WorldError) -> BrowseEnd {
        for entry in user.entries {
            switch entry {
            case .person(let person):
                if case .end(let end) = try await perform(as: person, in: tab, lane: lane) { return end }
            case .action(let action):
                for _ in 0..<max(1, action.repeatCount) {
                    if case .end(let end) = try await perform(action, in: tab, lane: lane) { return end }
                }
            }
        }
        let page = tabs[tab.number]?.page
        return .pending(Pending(reason: "page", page: page?.record, url: page?.url))
    }

    private func perform(_ action: UserAction, in tab: TabID, lane: Lane) async throws(WorldError) -> Step {
        guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
        if let on = action.on {
            let reasons = on(page.record.json)
            if !reasons.isEmpty {
                return .end(
                    .scriptDoesNotFit(
                        "the page that shows is \(describe(page)), wanted \(action.onText ?? "another"): "
                            + reasons.joined(separator: "; ")))
            }
        }
        if let span = action.wait { try await lane.pause(span) }
        if let barrier = action.barrier { try await lane.turnstile.wait(lane.id, for: .barrier(barrier)) }
        var didFill = false
        if let person = action.person {
            tabs[tab.number]?.actor = person
            if let problem = fillAll(as: person, in: tab, now: lane.time.now) {
                return .end(.scriptDoesNotFit(problem))
            }
            didFill = true
        }
        let filling: [(field: String, value: JSONValue)]
        switch await action.fill() {
        case .values(let values): filling = values
        case .problem(let problem): return .end(.scriptDoesNotFit(problem))
        }
        for (field, value) in filling {
            if let problem = fill(field, text(of: value), in: tab) { return .end(.scriptDoesNotFit(problem)) }
            didFill = true
        }
        if let name = action.press ?? (didFill ? mainButton(in: tab) : nil), name != "none" {
            if case .end(let end) = try await press(name, in: tab, lane: lane) { return .end(end) }
        }
        if let window = action.window { return try await change(window, in: tab, lane: lane) }
        return .goOn
    }

    private func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .bool(let flag): return flag ? "true" : "false"
        case .null: return ""
        case .array(let items): return items.map { text(of: $0) }.joined(separator: ",")
        default: return JSONWriter.compact(value)
        }
    }

    func describe(_ page: ShownPage) -> String {
        var text = "\"\(page.record.name)\""
        if let error = page.record.error { text += " saying \"\(error)\"" }
        return text
    }

    // MARK: Window

    private func change(_ window: String, in tab: TabID, lane: Lane) async throws(WorldError) -> Step {
        switch window {
        case "close", "dismiss":
            return .end(.userClosed)
        case "back":
            let page = tabs[tab.number]?.page
            return .end(.pending(Pending(reason: "abandoned", page: page?.record, url: page?.url)))
        case "reload":
            guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
            if let end = try await load(.get(page.url), in: tab, initiator: page.url, lane: lane) { return .end(end) }
            return .goOn
        default:
            record(window, in: tab)
            return .goOn
        }
    }

    // MARK: Filling

    /// Types into one field; a sentence where the page has no such field.
    func fill(_ name: String, _ value: String, in tab: TabID) -> String? {
        guard let page = tabs[tab.number]?.page else { return "no page shows" }
        switch page.content {
        case .message:
            return "the page \(describe(page)) has nothing to fill"
        case .form(let form):
            guard let input = Self.input(name, of: form) else {
                return unknownField(name, on: page, known: form.inputs.filter { $0.type != "hidden" }.map(\.id))
            }
            note(input.name, value, in: tab)
            return nil
        case .hosted(let settings):
            let driver = HostedPageDriver(page: settings, url: page.url)
            if name == "keepSignedIn" || name == "rememberMe",
                HostedPageDriver.extraFields(of: settings).contains("rememberMe")
            {
                note("rememberMe", value, in: tab)
                return nil
            }
            if driver.isPhone, name == "code" || name == "verificationCode" {
                note("verificationCode", value, in: tab)
                return nil
            }
            if driver.isPhone, name == "phone" || name == "number" || name == "localNumber" {
                note("number", value, in: tab)
                return nil
            }
            if name == "code", let claim = settings.fields.first(where: { $0.verify }) {
                note("\(claim.id)_ver_input", value, in: tab)
                return nil
            }
            if HostedPageDriver.extraFields(of: settings).contains(name) {
                note(name, value, in: tab)
                return nil
            }
            guard let field = driver.field(name) else { return unknownField(name, on: page, known: driver.fillable) }
            if field.isReadOnly { return "the field \"\(field.id)\" of the page \(describe(page)) is read-only" }
            note(field.id, value, in: tab)
            // Whoever types a new password types it twice, unless the script says otherwise.
            if let confirm = driver.field("confirmPassword"), let password = driver.field("newPassword"),
                password.id == field.id, confirm.id != field.id,
                !(tabs[tab.number]?.filled.contains(confirm.id) ?? false)
            {
                tabs[tab.number]?.typed[confirm.id] = value
            }
            return nil
        }
    }

    private func note(_ id: String, _ value: String, in tab: TabID) {
        tabs[tab.number]?.typed[id] = value
        tabs[tab.number]?.filled.append(id)
    }

    private func unknownField(_ name: String, on page: ShownPage, known: [String]) -> String {
        let list = known.isEmpty ? "it has none" : "it has " + known.map { "\"\($0)\"" }.joined(separator: ", ")
        return "the page \(describe(page)) has no field \"\(name)\"; \(list)"
    }

    private static func input(_ name: String, of form: PlainForm) -> PlainForm.Input? {
        let inputs = form.inputs.filter { $0.type != "hidden" }
        if let exact = inputs.first(where: { $0.id == name || $0.name == name }) { return exact }
        guard let purpose = FieldPurpose(rawValue: name) else { return nil }
        if purpose == .password { return inputs.first { $0.type == "password" } }
        return inputs.first { purpose.ids.contains($0.id.lowercased()) || purpose.ids.contains($0.name.lowercased()) }
    }

    /// Fills every field the person has something for; a sentence naming the fields that stay empty and must not.
    func fillAll(as person: Person, in tab: TabID, now: Timestamp) -> String? {
        guard let page = tabs[tab.number]?.page else { return nil }
        let record = person.record
        switch page.content {
        case .message: return nil
        case .form(let form):
            for input in form.inputs where input.type != "hidden" && input.type != "submit" {
                let id = input.id.lowercased()
                if input.type == "password" {
                    tabs[tab.number]?.typed[input.name] = record.password ?? "provider-password"
                } else if FieldPurpose.username.ids.contains(id) || FieldPurpose.email.ids.contains(id) {
                    tabs[tab.number]?.typed[input.name] = record.email ?? record.username ?? record.name
                }
            }
            return nil
        case .hosted(let settings):
            let driver = HostedPageDriver(page: settings, url: page.url)
            var missing: [String] = []
            let typesNewPassword = driver.field("newPassword").map { !driver.isSignIn && $0.isPassword } ?? false
            // On a page that only sets a password the person takes the new one; when signing up, the one on record.
            let sets = page.record.name == "newPassword"
            if typesNewPassword && sets && record.newPassword == nil {
                return
                    "the page \(describe(page)) asks \(person.name) for a new password, and the record has no \"newPassword\""
            }
            for field in settings.allFields where !field.isDisplayControl && !field.isParagraph && !field.isReadOnly {
                if isCode(field) { continue }
                if let value = value(for: field, of: record, driver: driver, setsPassword: sets) {
                    tabs[tab.number]?.typed[field.id] = value
                } else if field.isRequired && (field.prefilled ?? "").isEmpty {
                    missing.append(field.id)
                }
            }
            // Whoever sets an authenticator app up scans its key off the page.
            if record.totpSecret == nil {
                tabs[tab.number]?.scannedSecret = settings.allFields.first { $0.id == "secretKey" }?.prefilled
            }
            if typesNewPassword { tabs[tab.number]?.chosenPassword = sets ? record.newPassword : record.password }
            if driver.isPhone, settings.knownPhones.isEmpty {
                guard let phone = record.phone else {
                    return "the page \(describe(page)) asks for a phone number, and \(person.name) has no \"phone\""
                }
                tabs[tab.number]?.typed["number"] = phone
            }
            guard missing.isEmpty else {
                return "\(person.name) cannot fill "
                    + missing.map { "\"\($0)\"" }.joined(separator: ", ")
                    + " of the page \(describe(page)): add it to the record"
            }
            if let field = settings.allFields.first(where: { isTOTP($0) }), let secret = record.totpSecret,
                let code = TOTP.code(secret: secret, at: now)
            {
                tabs[tab.number]?.typed[field.id] = code
            }
            return nil
        }
    }

    func isCode(_ field: PageField) -> Bool { FieldPurpose.code.ids.contains(field.id.lowercased()) }
    func isTOTP(_ field: PageField) -> Bool { ["otpcode", "totpverificationcode"].contains(field.id.lowercased()) }

    /// What the person would type into a field.
    private func value(
        for field: PageField, of record: UserRecord, driver: HostedPageDriver, setsPassword: Bool
    ) -> String? {
        if field.isPassword {
            if driver.isSignIn
                || FieldPurpose.password.ids.contains(field.id.lowercased())
                    && driver.field("newPassword")?.id != field.id
            {
                return record.password
            }
            return setsPassword ? record.newPassword : record.password
        }
        if let own = record.attributes[field.id] { return text(of: own) }
        let id = field.id.lowercased()
        if driver.isSignIn, driver.field("username")?.id == field.id {
            let wantsName = driver.page.config("operatingMode")?.lowercased() == "username"
            return wantsName
                ? (record.username ?? record.email ?? record.name) : (record.email ?? record.username ?? record.name)
        }
        // A name beside a field for the address is a user name.
        let asksAddressToo = driver.page.allFields.contains { $0.id.lowercased() == "email" && $0.id != field.id }
        if asksAddressToo, id == "logonidentifier" || id == "signinname" {
            return record.username ?? record.email ?? record.name
        }
        if id == "username" || id == "userid" || id == "signinnames.username" || id == "signinname" {
            return record.username ?? record.email ?? record.name
        }
        if FieldPurpose.email.ids.contains(id) { return record.email }
        if FieldPurpose.phone.ids.contains(id) { return record.phone }
        return nil
    }

    // MARK: Pressing

    func mainButton(in tab: TabID) -> String? {
        guard let page = tabs[tab.number]?.page else { return nil }
        switch page.content {
        case .message: return nil
        case .form(let form):
            guard let button = form.buttons.first(where: { $0.value != "cancel" && $0.value != "deny" }) else {
                return nil
            }
            return button.id.isEmpty ? button.value : button.id
        case .hosted(let settings):
            let buttons = HostedPageDriver.buttons(of: settings)
            return ["next", "continue", "verifyCode"].first { buttons.contains($0) }
        }
    }

    func press(_ name: String, in tab: TabID, lane: Lane) async throws(WorldError) -> Step {
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

    private func press(
        _ name: String, of form: PlainForm, _ page: ShownPage, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> Step {
        let aliases: [String: [String]] = [
            "signIn": ["signIn", "accept"], "continue": ["continue", "accept", "signIn"],
            "accept": ["accept", "signIn", "continue"],
            "deny": ["deny", "cancel"], "cancel": ["cancel", "deny"],
        ]
        let wanted = [name] + (aliases[name] ?? [])
        var found: PlainForm.Button?
        for candidate in wanted where found == nil {
            found = form.buttons.first { $0.id == candidate || $0.value == candidate }
        }
        guard let button = found else {
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
    ) async throws(WorldError) -> Step {
        clearError(in: tab)
        switch press {
        case .submit: return try await submit(driver, in: tab, lane: lane)
        case .navigate(let action): return try await navigate(action, driver, in: tab, lane: lane)
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
            tabs[tab.number]?.verified.removeAll { $0 == Self.key(verifier) }
            return .goOn
        }
    }

    private func navigate(
        _ action: String, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> Step {
        guard let message = driver.navigation(action) else {
            return .end(
                .scriptDoesNotFit("the page's address for \"\(driver.page.api)\" cannot be built from its settings"))
        }
        if let end = try await load(message, in: tab, initiator: driver.url, lane: lane) { return .end(end) }
        return .goOn
    }

    /// One post of the page's script.
    ///
    /// - Returns: The answer's status and message, or how the visit ended.
    private func call(
        _ path: String, _ body: String, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> (status: String, message: String?, code: String?) {
        guard let request = tabs[tab.number]?.request, let message = driver.post(path, body) else {
            return ("400", nil, nil)
        }
        let response: ResponseMessage
        do throws(TransportError) {
            response = try await fetch(message, request, initiator: driver.url, script: true, in: tab, lane: lane)
        } catch {
            return (
                "0", driver.page.text("unknown_error") ?? "The page could not reach the service: \(error.word)", nil
            )
        }
        guard let json = response.json else {
            return (
                "\(response.status)",
                driver.page.text("unknown_error") ?? "The answer to the page's script was not JSON", nil
            )
        }
        let status = json["status"]?.stringValue ?? json["status"]?.intValue.map { String($0) } ?? "\(response.status)"
        return (status, json["message"]?.stringValue, json["errorCode"]?.stringValue)
    }

    private func submit(_ driver: HostedPageDriver, in tab: TabID, lane: Lane) async throws(WorldError) -> Step {
        let typed = tabs[tab.number]?.typed ?? [:]
        if driver.isPhone { return try await verifyCode(.phone, driver, in: tab, lane: lane) }
        if let refusal = driver.refusal(typed, verified: tabs[tab.number]?.verified ?? []) {
            showError(refusal, code: nil, in: tab)
            return .goOn
        }
        var items = driver.submission(typed)
        if driver.isSignIn {
            var first = FormItems()
            first.append("request_type", "RESPONSE")
            first.append(contentsOf: items)
            items = first
        } else {
            items.append("request_type", "RESPONSE")
        }
        let answer = try await call("SelfAsserted", items.encoded, driver, in: tab, lane: lane)
        guard answer.status == "200" else {
            let message = answer.message ?? driver.page.text("unknown_error") ?? "We are having trouble signing you in."
            showError(message, code: answer.code, in: tab)
            return .goOn
        }
        pageAccepted(in: tab)
        return try await confirm(driver, in: tab, lane: lane)
    }

    private func confirm(_ driver: HostedPageDriver, in tab: TabID, lane: Lane) async throws(WorldError) -> Step {
        let remember = tabs[tab.number]?.typed["rememberMe"] == "true"
        let action =
            driver.isSignIn ? "confirmed?rememberMe=\(remember)&\(driver.token)" : "confirmed?\(driver.token)"
        return try await navigate(action, driver, in: tab, lane: lane)
    }

    // MARK: Proof of addresses and numbers

    static func key(_ verifier: HostedPageDriver.VerifierID) -> String {
        switch verifier {
        case .claim(let id): return "claim \(id)"
        case .control(let id): return "control \(id)"
        case .phone: return "phone"
        }
    }

    /// The inputs of a display control with what is typed in them, the code left out unless asked for.
    private func controlForm(_ id: String, withCode: Bool, _ driver: HostedPageDriver, in tab: TabID) -> FormItems {
        var items = FormItems()
        let typed = tabs[tab.number]?.typed ?? [:]
        for field in driver.page.fields.first(where: { $0.id == id })?.displayFields ?? [] {
            if isCode(field) && !withCode { continue }
            items.append(field.id, typed[field.id] ?? field.prefilled ?? "")
        }
        return items
    }

    private func sendCode(
        _ verifier: HostedPageDriver.VerifierID, call voice: Bool, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> Step {
        let typed = tabs[tab.number]?.typed ?? [:]
        let answer: (status: String, message: String?, code: String?)
        switch verifier {
        case .claim(let id):
            let value = typed[id] ?? driver.field(id)?.prefilled ?? ""
            var items = FormItems()
            items.append("request_type", "VERIFICATION_REQUEST")
            items.append("claim_id", id)
            items.append("claim_value", value)
            // The page's own script begins this body with a stray ampersand.
            answer = try await call("SelfAsserted", "&" + items.encoded, driver, in: tab, lane: lane)
        case .control(let id):
            let items = controlForm(id, withCode: false, driver, in: tab)
            answer = try await call(
                "SelfAsserted/DisplayControlAction/vbeta/\(id)/SendCode", items.encoded, driver, in: tab, lane: lane)
        case .phone:
            var items = FormItems()
            items.append("request_type", "VERIFICATION_REQUEST")
            items.append("auth_type", voice ? "dialphone" : "onewaysms")
            if let phone = driver.page.knownPhones.first {
                items.append("id", "\(phone.id)")
            } else {
                items.append("id", "UserAsserted")
                items.append("number", typed["number"] ?? "")
            }
            answer = try await call("Phonefactor/verify", items.encoded, driver, in: tab, lane: lane)
            if voice, answer.status == "200" {
                // A call is answered, not typed: the page asks until the service knows.
                let poll = try await call(
                    "Phonefactor/verify", "request_type=VALIDATION_REQUEST", driver, in: tab, lane: lane)
                guard poll.status == "200" else {
                    showError(poll.message ?? "The call was not answered.", code: poll.code, in: tab)
                    return .goOn
                }
                return try await confirm(driver, in: tab, lane: lane)
            }
        }
        if answer.status != "200" {
            showError(answer.message ?? "The code could not be sent.", code: answer.code, in: tab)
        }
        return .goOn
    }

    private func verifyCode(
        _ verifier: HostedPageDriver.VerifierID, _ driver: HostedPageDriver, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> Step {
        let typed = tabs[tab.number]?.typed ?? [:]
        let answer: (status: String, message: String?, code: String?)
        switch verifier {
        case .claim(let id):
            var items = FormItems()
            items.append("request_type", "VALIDATION_REQUEST")
            items.append("claim_id", id)
            items.append("claim_value", typed[id] ?? driver.field(id)?.prefilled ?? "")
            items.append("user_input", typed["\(id)_ver_input"] ?? "")
            answer = try await call("SelfAsserted", "&" + items.encoded, driver, in: tab, lane: lane)
        case .control(let id):
            let items = controlForm(id, withCode: true, driver, in: tab)
            answer = try await call(
                "SelfAsserted/DisplayControlAction/vbeta/\(id)/VerifyCode", items.encoded, driver, in: tab, lane: lane)
        case .phone:
            var items = FormItems()
            items.append("request_type", "VALIDATION_REQUEST")
            items.append("verification_code", typed["verificationCode"] ?? "")
            answer = try await call("Phonefactor/verify", items.encoded, driver, in: tab, lane: lane)
        }
        guard answer.status == "200" else {
            let known = driver.page.text("error_\(answer.status)") ?? driver.page.text("error_incorrect_code")
            showError(answer.message ?? known ?? "That code is incorrect.", code: answer.code, in: tab)
            return .goOn
        }
        tabs[tab.number]?.verified.append(Self.key(verifier))
        if verifier == .phone { return try await confirm(driver, in: tab, lane: lane) }
        return .goOn
    }
}
