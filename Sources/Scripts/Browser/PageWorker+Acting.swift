import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// What an action leads to: go on with the next one, or the visit has ended.
enum PageStep {
    case goOn
    case end(BrowseEnd)
}

/// Carrying out what a script says the person does.
extension PageWorker {
    func act(_ user: UserScript, in tab: TabID, lane: Lane) async throws(WorldError) -> BrowseEnd {
        for (index, entry) in user.entries.enumerated() {
            switch entry {
            case .person(let person):
                if case .end(let end) = try await perform(as: person, in: tab, lane: lane) { return end }
            case .action(let action):
                for _ in 0..<max(1, action.repeatCount) {
                    if case .end(let end) = try await perform(action, at: index, in: tab, lane: lane) { return end }
                }
            }
        }
        let page = tabs[tab.number]?.page
        return .pending(Pending(reason: "page", page: page?.record, url: page?.url, failure: page?.failure))
    }

    /// - Parameter index: The action's place in the script, where progress is noted.
    private func perform(
        _ action: UserAction, at index: Int, in tab: TabID, lane: Lane
    ) async throws(WorldError) -> PageStep {
        guard let page = tabs[tab.number]?.page else { return .end(.userClosed) }
        if let on = action.on {
            let reasons = on(page.record.json)
            if !reasons.isEmpty, action.optional { return .goOn }
            if !reasons.isEmpty {
                return .end(
                    .scriptDoesNotFit(
                        "the page that shows is \(describe(page)), expected \(action.onText ?? "another"): "
                            + reasons.joined(separator: "; ")))
            }
        }
        if let span = action.wait { try await lane.pause(span) }
        if let barrier = action.barrier { try await lane.turnstile.wait(lane.id, for: .barrier(barrier)) }
        var didFill = false
        let challenge = await readyCaptcha(in: tab, lane: lane)
        if let person = action.person {
            tabs[tab.number]?.actor = person
            await read(challenge, in: tab)
            if let problem = fillAll(as: person, in: tab, now: lane.time.now) {
                return .end(.scriptDoesNotFit(problem))
            }
            await takeCodes(of: person, in: tab)
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
            if case .end(let end) = try await press(name, in: tab, lane: lane) {
                if action.window == nil {
                    logs.progress[tab.number, default: UserProgress()].finish(index)
                } else {
                    logs.progress[tab.number, default: UserProgress()].end(beforeWindowOf: index)
                }
                return .end(end)
            }
        }
        logs.progress[tab.number, default: UserProgress()].finish(index)
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

    private func change(_ window: String, in tab: TabID, lane: Lane) async throws(WorldError) -> PageStep {
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
            // A person types a new password twice, unless the script says otherwise.
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

    private static func input(_ name: String, of form: PlainForm) -> PlainForm.FormInput? {
        let inputs = form.inputs.filter { $0.type != "hidden" }
        if let exact = inputs.first(where: { $0.id == name || $0.name == name }) { return exact }
        guard let purpose = FieldPurpose(rawValue: name) else { return nil }
        if purpose == .password { return inputs.first { $0.type == "password" } }
        return inputs.first { purpose.ids.contains($0.id.lowercased()) || purpose.ids.contains($0.name.lowercased()) }
    }

    /// Fills every field the person has something for; a sentence naming the fields that stay empty and must not.
    ///
    /// - Parameter attempt: How often the page has refused what was typed.
    func fillAll(as person: Person, in tab: TabID, now: Timestamp, attempt: Int = 0) -> String? {
        guard let page = tabs[tab.number]?.page else { return nil }
        switch page.content {
        case .message: return nil
        case .form(let form):
            fillAll(of: form, from: person.record, in: tab)
            return nil
        case .hosted(let settings):
            return fillAll(of: settings, on: page, as: person, in: tab, now: now, attempt: attempt)
        }
    }

    /// Fills in the sign-in form of a page that is not the authority's.
    private func fillAll(of form: PlainForm, from record: UserRecord, in tab: TabID) {
        for input in form.inputs where input.type != "hidden" && input.type != "submit" {
            let id = input.id.lowercased()
            if input.type == "password" {
                tabs[tab.number]?.typed[input.name] = record.password ?? "provider-password"
            } else if FieldPurpose.username.ids.contains(id) || FieldPurpose.email.ids.contains(id) {
                tabs[tab.number]?.typed[input.name] = record.email ?? record.username ?? record.name
            }
        }
    }

    private func fillAll(
        of settings: PageSettings, on page: ShownPage, as person: Person, in tab: TabID, now: Timestamp, attempt: Int
    ) -> String? {
        let record = person.record
        let driver = HostedPageDriver(page: settings, url: page.url)
        let typesNewPassword = driver.field("newPassword").map { !driver.isSignIn && $0.isPassword } ?? false
        // On a page that only sets a password the person takes the new one; when signing up, the one on record.
        let sets = page.record.name == "newPassword"
        if typesNewPassword && sets && record.newPassword == nil && answers == nil {
            tabs[tab.number]?.missing = ["newPassword"]
            return
                "the page \(describe(page)) asks \(person.name) for a new password, and the record has no \"newPassword\""
        }
        let (values, missing) = values(for: driver, of: record, setsPassword: sets, in: tab, now: now, attempt: attempt)
        tabs[tab.number]?.typed.merge(values) { $1 }
        // A person who sets up an authenticator app scans its key off the page.
        if record.totpSecret == nil {
            tabs[tab.number]?.scannedSecret = settings.allFields.first { $0.id == "secretKey" }?.prefilled
        }
        if typesNewPassword {
            let typed = driver.field("newPassword").flatMap { values[$0.id] }
            tabs[tab.number]?.chosenPassword = typed ?? (sets ? record.newPassword : record.password)
        }
        if driver.isPhone, settings.knownPhones.isEmpty {
            guard let phone = answers?.phone(of: record, attempt: attempt) ?? record.phone else {
                tabs[tab.number]?.missing = ["phone"]
                return "the page \(describe(page)) asks for a phone number, and \(person.name) has no \"phone\""
            }
            tabs[tab.number]?.typed["number"] = phone
        }
        tabs[tab.number]?.missing = missing
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

    /// What the person types into the fields of a page, and the required fields for which there is nothing. Codes are not
    /// among them.
    private func values(
        for driver: HostedPageDriver, of record: UserRecord, setsPassword: Bool, in tab: TabID, now: Timestamp,
        attempt: Int
    ) -> (values: [String: String], missing: [String]) {
        let codes = codeFields(of: driver.page)
        let fields = driver.page.allFields.filter {
            !$0.isDisplayControl && !$0.isParagraph && !$0.isReadOnly && !codes.contains($0.id)
        }
        var values: [String: String] = [:]
        var missing: [String] = []
        for field in fields {
            // Who has no script leaves what the page brings, such as the address of an invitation.
            let keepsPrefilled = answers != nil && attempt == 0 && !driver.isSignIn && !field.isPassword
            if keepsPrefilled, field.prefilled?.isEmpty == false { continue }
            if let value = value(for: field, of: record, driver: driver, setsPassword: setsPassword) {
                values[field.id] = value
            } else if field.isRequired && (field.prefilled ?? "").isEmpty && !(leavesCaptchas && field.isCaptcha) {
                missing.append(field.id)
            }
        }
        if let answers {
            let open = fields.filter { !$0.isCaptcha }
            let more = answers.values(
                for: open, isSignIn: driver.isSignIn, usual: values, record: record, attempt: attempt, at: now)
            values.merge(more) { $1 }
            missing.removeAll { !(more[$0] ?? "").isEmpty }
            // A code that came before the page refused may be an old one.
            if attempt > 0 { for id in codes { tabs[tab.number]?.typed[id] = nil } }
        }
        return (values, missing)
    }

    func isCode(_ field: PageField) -> Bool { field.isCode }

    /// The ids of the fields that a code goes into.
    func codeFields(of page: PageSettings) -> Set<String> {
        Set(page.allFields.filter(\.isCode).map(\.id) + page.fields.compactMap { $0.codeField?.id })
    }

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
            if wantsName, let said = nameOnLabel(field, of: record) { return said }
            if !wantsName, FieldPurpose.phone.ids.contains(id), let phone = record.phone { return phone }
            return wantsName
                ? (record.username ?? record.email ?? record.name) : (record.email ?? record.username ?? record.name)
        }
        // A name beside a field for the address is a user name.
        let asksAddressToo = driver.page.allFields.contains { $0.id.lowercased() == "email" && $0.id != field.id }
        if asksAddressToo, id == "logonidentifier" || id == "signinname" {
            return record.username ?? record.email ?? record.name
        }
        // Outside the combined page too the mode says which name signs in (`setting.operatingMode`).
        if id == "signinname" || id == "logonidentifier", driver.page.config("operatingMode")?.lowercased() == "email" {
            return record.email ?? record.username ?? record.name
        }
        if id == "username" || id == "userid" || id == "signinnames.username" || id == "signinname" {
            return record.username ?? record.email ?? record.name
        }
        if FieldPurpose.email.ids.contains(id) { return record.email }
        if FieldPurpose.phone.ids.contains(id) { return record.phone }
        return nil
    }

    /// Which of somebody's names a label asks for, where it does not ask for a user name.
    private func nameOnLabel(_ field: PageField, of record: UserRecord) -> String? {
        let label = field.displayName.lowercased()
        if label.contains("user") { return nil }
        if label.contains("email") || label.contains("e-mail"), let email = record.email { return email }
        return label.contains("phone") ? record.phone : nil
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
}
