import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Verbs

/// Writes what the person did on the pages of one flow, as actions of a script.
struct ActionWriter {
    let flow: Flow
    let actor: Int?
    private let context: ScriptContext
    private let attempt: CaptureImport.Attempt
    private(set) var actions: [PageAction] = []
    private(set) var faults: [JSONValue] = []
    /// The person who finds their own way through the pages once the actions are done, where more is not known.
    private(set) var person: String?
    /// Records of the requests that the pages made, for what is expected.
    private(set) var requests: [JSONValue] = []
    /// Codes with which pages refused by themselves, without a rule.
    private(set) var saidByPages: Set<String> = []
    /// Less is written than was captured.
    var isShort: Bool { flow.isBlind || attempt.fidelity > .asCaptured }
    /// Who is at the browser, and what they do there.
    var user: JSONValue? { UserMove.json(actions.map { .action($0) } + (person.map { [.person($0)] } ?? [])) }

    /// How many posts of each path came before, for rules that strike one of them.
    private var posts: [String: Int] = [:]
    /// Rules by the path that they are about: a later rule does not see what an earlier one has taken.
    private var rules: [String: Int] = [:]
    private var wasRefused = false
    /// When the person did the last thing.
    private var last: Timestamp
    /// The addresses that were proved in this flow.
    private var proved: Set<String> = []
    /// Pages on which a text with a code was asked for before.
    private var sentOn: Set<String?> = []
    /// The position of what is written now.
    private var index = 0

    /// The position of the last thing that is not an accepted post; -1 if there is none.
    private let lastStop: Int
    /// For each position whether a code is asked for next, except for characters of pictures.
    private var leadsToSend: [Bool] = []

    /// - Parameter attempt: What became of the flow when it was tried.
    init(flow: Flow, actor: Int?, context: ScriptContext, attempt: CaptureImport.Attempt) {
        self.flow = flow
        self.actor = actor
        self.context = context
        self.attempt = attempt
        last = flow.started
        lastStop = flow.acts.lastIndex { !$0.isSubmit || $0.refusal != nil || $0.brokenStatus != nil } ?? -1
        var leads = false
        for act in flow.acts.reversed() {
            if case .wrongCaptcha = act.kind {} else { leads = act.isSend }
            leadsToSend.append(leads)
        }
        leadsToSend.reverse()
    }

    private var tenant: CapturedTenant { context.tenant }

    mutating func run() {
        if isShort {
            writeBlindly()
            return
        }
        for (position, act) in flow.acts.enumerated() {
            index = position
            write(act)
            if act.isSend { sentOn.insert(act.page?.record.name) }
        }
        if !flow.providerHosts.isEmpty {
            context.note(
                "\(flow.place): what happened at the identity provider (\(flow.providerHosts.sorted().joined(separator: ", "))) "
                    + "is omitted; a stand-in signs the person in.")
        }
    }

    /// What is left where neither the pages nor what was typed is known: which buttons led on, and how it ended.
    private mutating func writeBlindly() {
        let why =
            attempt.reasons.first.map { "what the capture has does not suffice to play the pages (\($0))" }
            ?? "neither the pages nor what was typed on them is in the capture"
        context.note("\(flow.place): \(why). \(attempt.fidelity.replacement(for: flow))")
        guard attempt.fidelity < .endOnly || flow.knownCode == nil else { return }
        guard attempt.fidelity < .accountGiven else {
            if flow.endsWell { person = name(actor ?? 0) }
            return
        }
        for (position, act) in flow.acts.enumerated() {
            switch act.kind {
            case .press(let button): actions.append(PageAction { $0.press = button })
            case .provider(let exchange):
                actions.append(PageAction { $0.press = exchange })
                // A person who is still there when the capture ends has not signed in.
                guard flow.ending != nil || position != flow.acts.count - 1 else { continue }
                actions.append(.signInAtProvider(as: name(actor ?? 0)))
            case .submit, .sendCode, .verifyCode, .wrongCaptcha: continue
            }
        }
        // A flow that failed behind its last page got through the pages all the same.
        let isThrough = flow.ending != nil && (flow.acts.last.map { $0.isSubmit && $0.isLeft } ?? false)
        if flow.endsWell || isThrough { person = name(actor ?? 0) }
    }

    /// The person gives up and closes the window.
    mutating func close() { actions.append(.closeWindow) }

    private func pageName(_ act: Flow.PersonAction) -> String? {
        guard let name = act.page?.record.name, name != "error" else { return nil }
        return tenant.pageName(name, of: flow)
    }

    /// The action at the page that shows, without what is done there.
    private mutating func action(_ act: Flow.PersonAction) -> PageAction {
        // Time that counts: another code comes after half a minute, a page stands open for hours.
        let pause = act.exchange.started - last
        let isRepeat = isRepeatedSend(act)
        last = act.exchange.started
        return PageAction {
            $0.on = pageName(act).map { name in
                wasRefused ? ["name": .string(name), "error": ["$exists": true]] : .string(name)
            }
            if pause >= (isRepeat ? .seconds(1) : .minutes(5)) {
                $0.wait = TimeSpan.seconds((pause + .milliseconds(500)).wholeSeconds)
            }
        }
    }

    /// Whether a text with a code was asked for on this page before.
    private func isRepeatedSend(_ act: Flow.PersonAction) -> Bool {
        act.isSend && !act.isCall && sentOn.contains(act.page?.record.name)
    }

    private func name(_ person: Int) -> String { tenant.people[person].name }

    /// The person that a form is about, else the flow's.
    private func person(_ form: FormItems) -> Int {
        guard let typed = CapturedTenant.signInName(in: form) else { return actor ?? 0 }
        return context.tenant.people.person(signInName: typed)
    }

    private mutating func write(_ act: Flow.PersonAction) {
        let pause = act.exchange.started - last
        var action = action(act)
        switch act.kind {
        case .press(let button):
            action.press = button
            actions.append(action)
        case .provider(let exchange):
            action.press = exchange
            actions.append(action)
            if flow.isAtProvider, index == flow.acts.count - 1 {
                leaveAtProvider()
                return
            }
            // A person who was sent back without being signed in has cancelled.
            actions.append(
                act.providerError == "access_denied" ? .cancelAtProvider : .signInAtProvider(as: name(actor ?? 0)))
        case .wrongCaptcha:
            action.person = name(actor ?? 0)
            action.fill = ["captcha": "WRONG"]
            // A page proves an address before it is posted.
            if leadsToSend[index] { action.press = "sendCode" }
            actions.append(action)
            expect(act)
            wasRefused = true
            return
        case .sendCode(let form, let voice):
            action.person = name(person(form))
            action.press = voice ? "call" : "sendCode"
            actions.append(action)
            expect(act, form: voice ? ["auth_type": "dialphone"] : JSONObject())
            // The mock makes people wait half a minute as well.
            if act.refusal != nil, !(act.isTooSoon && isRepeatedSend(act) && pause < .seconds(30)) { answer(act) }
            if let unanswered = act.unanswered { expect(unanswered, of: act) }
        case .verifyCode(let form): verify(act, form, action)
        case .submit(let form): write(act, form, action)
        }
        // What a code is refused with is next to its field, in some layouts without being the page's error.
        if act.isSubmit { wasRefused = act.refusal != nil }
    }

    private mutating func verify(_ act: Flow.PersonAction, _ form: FormItems, _ start: PageAction) {
        var action = start
        let name = name(person(form))
        action.fill = ["code": .string(act.refusal == nil ? "{{inbox/\(name)/code}}" : "000000")]
        action.press = "verifyCode"
        actions.append(action)
        expect(act)
        if let refusal = act.refusal {
            if let code = refusal.code { saidByPages.insert(code) }
        } else if let typed = CapturedTenant.signInName(in: form) {
            proved.insert(typed.lowercased())
        }
    }

    /// Nobody came back from the identity provider: its page stays, or it refused.
    private mutating func leaveAtProvider() {
        guard let status = flow.providerStatus, status >= 400 else { return }
        let match: JSONValue = ["endpoint": "provider", "from": "browser"]
        faults.append(["match": match, "respond": CapturedExpectation.status(status)])
        context.note(
            "\(flow.place): why the identity provider answered \(status) is not in the capture; the script has it answer so."
        )
    }

    /// Nobody answers: what the page was shown when it had asked often enough.
    private mutating func expect(_ end: (code: String?, message: String?), of act: Flow.PersonAction) {
        var record = match(act)
        record["form"] = ["request_type": "VALIDATION_REQUEST"]
        record["response"] = ["status": 200, "json": .object(Self.answer(end, isKnown: true))]
        requests.append(.object(record))
        if let code = end.code { saidByPages.insert(code) }
    }

    private mutating func write(_ act: Flow.PersonAction, _ form: FormItems, _ start: PageAction) {
        var action = start
        let person = person(form)
        let sent: JSONObject = form["request_type"] != nil ? ["request_type": "RESPONSE"] : JSONObject()
        let page = pageName(act)
        // A person who sets the app up reads its key off the page, and goes on from there by themselves.
        if act.page?.showsQRCode ?? false, act.refusal == nil, isLedOn { self.person = name(person) }
        if self.person != nil {
            expect(act, form: sent)
            return
        }
        if page == "signUp", act.refusal != nil, isUnproved(form) {
            writeUnproved(form, of: person, action)
            expect(act, form: sent)
            return
        }
        action.fill = page == "editProfile" ? edited(act, form) : typed(act, form, by: person, on: page)
        if page != "editProfile" || action.fill.isEmpty { action.person = name(person) }
        let isWrongCode = act.refusal != nil && Self.typesCode(form)
        if isWrongCode { action.fill["code"] = "000000" }
        if act.remembers { action.fill["keepSignedIn"] = true }
        if act.exchange.lacksRequestBody {
            context.note(
                "\(act.exchange.place): what was typed is not in the capture; the script types what is on record.")
        }
        actions.append(action)
        expect(act, form: sent)
        if let status = act.brokenStatus {
            breakDown(act, status)
            return
        }
        if act.refusal == nil {
            if CapturedTenant.password(in: form, new: true) != nil, page != "signUp" {
                context.tenant.people[person].hasNewPassword = true
            }
            return
        }
        if isWrongCode || isNatural(act, form, person) {
            if let code = act.refusal?.code { saidByPages.insert(code) }
        } else {
            answer(act)
        }
    }

    /// What was changed on the profile page.
    private func edited(_ act: Flow.PersonAction, _ form: FormItems) -> JSONObject {
        var fill = JSONObject()
        for item in form.items where UserFlowAttribute.isAsked(item.name) && isEditable(item.name, act) {
            // A custom policy may take what the directory of a user flow refuses: the field stays as it is shown.
            if item.value.isEmpty, act.refusal == nil, UserFlowAttribute.refusesEmptyText(item.name) { continue }
            fill[item.name] = context.tenant.people.attribute(item.name, .string(item.value))
        }
        return fill
    }

    /// What was typed that is not on the person's record.
    private func typed(_ act: Flow.PersonAction, _ form: FormItems, by person: Int, on page: String?) -> JSONObject {
        var fill = JSONObject()
        if page != "signUp", let typed = CapturedTenant.password(in: form) {
            fill["password"] = password(typed, act, of: person).map { .string($0) }
        }
        // A person who corrects a field after a refusal may have typed something else before.
        for item in form.items where UserFlowAttribute.isAsked(item.name) && !item.value.isEmpty {
            let stand = context.tenant.people.attribute(item.name, .string(item.value))
            if tenant.people[person].record.attributes[item.name] != stand { fill[item.name] = stand }
        }
        return fill
    }

    /// A page that posts the code of an authenticator app as its form.
    private static func typesCode(_ form: FormItems) -> Bool {
        CapturedTenant.password(in: form) == nil
            && form.items.contains { ["otpcode", "totpverificationcode"].contains($0.name.lowercased()) }
    }

    /// Whether a page that proves addresses was posted with one that is not proved.
    private func isUnproved(_ form: FormItems) -> Bool {
        guard tenant.policy(flow.policy)?.emailVerification != .off, let typed = CapturedTenant.signInName(in: form),
            typed.contains("@")
        else {
            return false
        }
        return !proved.contains(typed.lowercased())
    }

    /// Types field by field: a person who signs up by themselves would prove their address first.
    private mutating func writeUnproved(_ form: FormItems, of person: Int, _ start: PageAction) {
        var action = start
        if !proved.isEmpty {
            var change = action
            change.press = "changeEmail"
            actions.append(change)
            action.wait = nil
        }
        let people = tenant.people
        action.fill = ["email": .string(people.email(of: person))]
        if CapturedTenant.password(in: form, new: true) != nil {
            action.fill["newPassword"] = .string(people.password(of: person))
        }
        if proved.isEmpty,
            form.items.contains(where: { $0.name.lowercased().contains("verificationcode") && !$0.value.isEmpty })
        {
            action.fill["code"] = "000000"
        }
        for item in form.items where UserFlowAttribute.isAsked(item.name) && !item.value.isEmpty {
            action.fill[item.name] = context.tenant.people.attribute(item.name, .string(item.value))
        }
        action.press = "continue"
        actions.append(action)
    }

    /// Nothing but accepted posts follows.
    private var isLedOn: Bool {
        flow.endsWell && index > lastStop
    }

    private func isEditable(_ name: String, _ act: Flow.PersonAction) -> Bool {
        act.page?.record.fields.first { $0.id == name }?.readOnly != true
    }

    /// What stands for a password that is not the person's own by now.
    private func password(_ typed: String, _ act: Flow.PersonAction, of person: Int) -> String? {
        let known = tenant.people[person]
        let current = known.currentPassword
        // Accepted, and not what is on record: the capture does not show how it changed.
        guard typed != current, let refusal = act.refusal else { return nil }
        if known.hasNewPassword, typed == known.password { return tenant.people.password(of: person) }
        let reason = RefusalReason(refusal.code, refusal.message)
        guard current != nil || reason == .wrongPassword || reason == .locked else { return nil }
        return context.tenant.people.wrongPassword(typed)
    }

    /// Whether the mock refuses for the same reason by itself.
    private func isNatural(_ act: Flow.PersonAction, _ form: FormItems, _ person: Int) -> Bool {
        let known = tenant.people[person]
        switch RefusalReason(act.refusal?.code, act.refusal?.message) {
        case .wrongPassword: return CapturedTenant.password(in: form) != known.password || known.hasNewPassword
        case .unknownUser: return !known.record.registered
        case .locked: return known.record.locked
        case .disabled: return !known.record.accountEnabled
        case .wrongCode: return false
        case .other:
            // The capture does not say why; another password than the right one is reason enough.
            guard act.refusal?.code == nil, act.refusal?.message == nil, let right = known.currentPassword,
                let typed = CapturedTenant.password(in: form)
            else { return false }
            return typed != right
        }
    }

    // MARK: What the service answers

    /// The last part of the path of a page's request.
    private func path(_ act: Flow.PersonAction) -> String {
        switch act.endpoint {
        case .phoneFactorVerify: "/Phonefactor/verify"
        case .displayControlAction(_, let action): "/\(action)"
        default: "/SelfAsserted"
        }
    }

    private func match(_ act: Flow.PersonAction) -> JSONObject {
        ["endpoint": "page", "method": "POST", "path": ["$endsWith": .string(path(act))]]
    }

    /// What a page is answered. Which status a refusal has differs with what refuses; that it is one does not.
    private static func answer(_ refusal: (code: String?, message: String?)?, isKnown: Bool) -> JSONObject {
        var json: JSONObject = ["status": refusal == nil ? "200" : ["$not": "200"]]
        if isKnown { json["errorCode"] = refusal?.code.map { .string($0) } }
        return json
    }

    /// Notes what passed on the wire.
    private mutating func expect(_ act: Flow.PersonAction, form: JSONObject = JSONObject()) {
        posts[path(act), default: 0] += 1
        var record = match(act)
        if !form.isEmpty { record["form"] = .object(form) }
        if let response = act.exchange.response, !act.isPending {
            var answer: JSONObject = ["status": .integer(Int64(response.status))]
            if case .wrongCaptcha = act.kind {
                answer["json"] = ["isCaptchaSolved": "False"]
            } else if response.json?["status"] != nil {
                let isKnown = act.refusal?.code?.hasPrefix("AADB2C") ?? false
                answer["json"] = .object(Self.answer(act.refusal, isKnown: isKnown))
            }
            record["response"] = .object(answer)
        }
        requests.append(.object(record))
    }

    /// Has the service break down as in the capture, unless it does so by itself: a page ends after four hours.
    private mutating func breakDown(_ act: Flow.PersonAction, _ status: Int) {
        if act.exchange.started - flow.started >= .minutes(240) { return }
        respond(to: act, CapturedExpectation.status(status))
        context.note(
            "\(act.exchange.place): why the page's post was answered with HTTP \(status) is not in the capture; the script has "
                + "it answered so.")
    }

    /// Has the service refuse in the words of the capture: the cause is out of its sight.
    private mutating func answer(_ act: Flow.PersonAction) {
        if context.options.explained.contains(flow.place) { return }
        let message = context.said(act.refusal?.message ?? "refused")
        var json: JSONObject = ["status": "400"]
        json["errorCode"] = act.refusal?.code.map { .string($0) }
        json["message"] = .string(message)
        respond(to: act, ["status": 200, "json": .object(json)])
        context.note(
            "\(act.exchange.place): why the page was refused (\(message)) is not in the capture; "
                + "the script has the service answer so.")
    }

    /// Answers a post of a page in place of the service, and those before it not.
    private mutating func respond(to act: Flow.PersonAction, _ answer: JSONValue) {
        let path = path(act)
        var rule: JSONObject = ["match": .object(match(act))]
        let before = (posts[path] ?? 1) - 1 - rules[path, default: 0]
        rules[path, default: 0] += 1
        if before > 0 { rule["skip"] = .integer(Int64(before)) }
        rule["times"] = 1
        rule["respond"] = answer
        faults.append(.object(rule))
    }
}

extension UserMove {
    static let closeWindow = UserMove.action(.closeWindow)
}

extension PageAction {
    /// The provider's own page, which is not in the capture: with a session there the provider asks for nothing.
    static func signInAtProvider(as person: String) -> PageAction {
        PageAction {
            $0.on = "provider"
            $0.person = person
            $0.optional = true
        }
    }

    fileprivate static let cancelAtProvider = PageAction {
        $0.on = "provider"
        $0.press = "cancel"
    }

    fileprivate static let closeWindow = PageAction { $0.window = .close }
}
