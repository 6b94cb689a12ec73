import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// Writes what the person did on the pages of one flow, as actions of a script.
struct ActWriter {
    let flow: Flow
    let actor: Int?
    private let tried: [String]
    var writing: Writing
    private(set) var actions: [JSONObject] = []
    private(set) var faults: [JSONValue] = []
    /// The person who finds their own way through the pages once the actions are done, where more is not known.
    private(set) var person: String?
    /// Records of the requests that the pages made, for what is expected.
    private(set) var requests: [JSONValue] = []
    /// People whose password is the new one by now.
    var hasNewPassword: Set<Int>
    /// Codes with which pages refused by themselves, without a rule.
    private(set) var saidByPages: Set<String> = []
    /// Less is written than was captured.
    var isShort: Bool { flow.isBlind || !tried.isEmpty }
    /// How many posts of each path came before, for rules that strike one of them.
    private var posts: [String: Int] = [:]
    /// Rules by the path that they are about: a later rule does not see what an earlier one has taken.
    private var rules: [String: Int] = [:]
    private var wasRefused = false
    /// When the person did the last thing.
    private var last: Timestamp
    /// The addresses that were proved in this flow.
    private var proved: [String] = []

    /// - Parameter tried: Why the flow did not pass when it was written whole.
    init(flow: Flow, actor: Int?, writing: Writing, hasNewPassword: Set<Int>, tried: [String] = []) {
        self.flow = flow
        self.tried = tried
        self.actor = actor
        self.writing = writing
        self.hasNewPassword = hasNewPassword
        last = flow.started
    }

    mutating func run() {
        if isShort {
            writeBlindly()
            return
        }
        for act in flow.acts { write(act) }
        if !flow.providerHosts.isEmpty {
            writing.note(
                "\(flow.place): what happened at the identity provider (\(flow.providerHosts.sorted().joined(separator: ", "))) "
                    + "is omitted; a stand-in signs the person in.")
        }
    }

    /// What is left where neither the pages nor what was typed is known: which buttons led on, and how it ended.
    private mutating func writeBlindly() {
        let why =
            tried.first.map { "what the capture has does not suffice to play the pages (\($0))" }
            ?? "neither the pages nor what was typed on them is in the capture"
        writing.note("\(flow.place): \(why). \(lessInWords)")
        guard tried.count < 2 || flow.knownCode == nil else { return }
        guard tried.count < 3 else {
            if flow.endsWell { person = name(actor ?? 0) }
            return
        }
        for act in flow.acts {
            switch act.kind {
            case .press(let button): actions.append(["press": .string(button)])
            case .provider(let exchange):
                actions.append(["press": .string(exchange)])
                // A person who is still there when the capture ends has not signed in.
                guard flow.ending != nil || act.exchange.place != flow.acts.last?.exchange.place else { continue }
                actions.append(signInAtProvider)
            case .submit, .sendCode, .verifyCode, .wrongCaptcha: continue
            }
        }
        // A flow that failed behind its last page got through the pages all the same.
        let isThrough = flow.ending != nil && (flow.acts.last.map { $0.isSubmit && $0.isLeft } ?? false)
        if flow.endsWell || isThrough { person = name(actor ?? 0) }
    }

    /// What a script with less does instead.
    private var lessInWords: String {
        if tried.count > 1, let code = flow.knownCode {
            return "The script has the service refuse with \(code) at once, and expects that the flow ends so."
        }
        guard tried.count > 2 else {
            return "The script lets the person go through them, and expects "
                + (tried.count > 1
                    ? "only whether the flow ended well." : "how the flow ended, not what passed on its pages.")
        }
        return flow.endsWell
            ? "A sign-in of one person replaces it, and the script expects only that it succeeds."
            : "The script begins the flow in a browser without a session, and expects no more than that a page is shown."
    }

    /// The person gives up and closes the window.
    mutating func close() { actions.append(["window": "close"]) }

    private func pageName(_ act: Flow.Act) -> String? {
        guard let name = act.page?.record.name, name != "error" else { return nil }
        let type = flow.policy.flatMap { writing.policyIndex[$0] }.map { writing.policies[$0].type }
        return name == "selfAsserted" && type == .profileEditing ? "editProfile" : name
    }

    private func action(_ act: Flow.Act) -> JSONObject {
        var action = JSONObject()
        guard let name = pageName(act) else { return action }
        action["on"] = wasRefused ? ["name": .string(name), "error": ["$exists": true]] : .string(name)
        return action
    }

    private func name(_ person: Int) -> String { writing.people[person].name }

    /// The provider's own page, which is not in the capture: with a session there the provider asks for nothing.
    private var signInAtProvider: JSONObject {
        ["on": "provider", "as": .string(name(actor ?? 0)), "optional": true]
    }

    /// The person that a form is about, else the flow's.
    private mutating func person(_ form: FormItems) -> Int {
        guard let typed = Writing.signInName(in: form) else { return actor ?? 0 }
        return writing.people.person(signInName: typed)
    }

    private mutating func write(_ act: Flow.Act) {
        var action = action(act)
        // Time that counts: another code comes after half a minute, a page stands open for hours.
        let pause = act.exchange.started - last
        let isRepeat: Bool
        if case .sendCode(_, false) = act.kind { isRepeat = !act.isFirstSend(flow) } else { isRepeat = false }
        if pause >= (isRepeat ? .seconds(1) : .minutes(5)) {
            action["wait"] = .string(TimeSpan.seconds((pause + .milliseconds(500)).wholeSeconds).iso8601)
        }
        last = act.exchange.started
        switch act.kind {
        case .press(let button):
            action["press"] = .string(button)
            actions.append(action)
        case .provider(let exchange):
            action["press"] = .string(exchange)
            actions.append(action)
            if flow.isAtProvider, flow.acts.last?.exchange.place == act.exchange.place {
                leaveAtProvider()
                return
            }
            // A person who was sent back without being signed in has cancelled.
            actions.append(
                act.providerError == "access_denied" ? ["on": "provider", "press": "cancel"] : signInAtProvider)
        case .wrongCaptcha:
            action["as"] = .string(name(actor ?? 0))
            action["fill"] = ["captcha": "WRONG"]
            if isBeforeCode(act) { action["press"] = "sendCode" }
            actions.append(action)
            expect(act, form: JSONObject())
            wasRefused = true
            return
        case .sendCode(let form, let voice):
            action["as"] = .string(name(person(form)))
            action["press"] = voice ? "call" : "sendCode"
            actions.append(action)
            expect(act, form: voice ? ["auth_type": "dialphone"] : JSONObject())
            // The mock makes people wait half a minute as well.
            if act.refusal != nil, !(act.isTooSoon && isRepeat && pause < .seconds(30)) { answer(act) }
            if let unanswered = act.unanswered { expectUnanswered(unanswered) }
        case .verifyCode(let form):
            let person = person(form)
            let isWrong = act.refusal != nil
            action["fill"] = ["code": .string(isWrong ? "000000" : "{{inbox/\(name(person))/code}}")]
            action["press"] = "verifyCode"
            actions.append(action)
            expect(act, form: JSONObject())
            if isWrong, let code = act.refusal?.code { saidByPages.insert(code) }
            if !isWrong, let typed = Writing.signInName(in: form) { proved.append(typed.lowercased()) }
        case .submit(let form):
            write(act, form, action)
        }
        // What a code is refused with is next to its field, in some layouts without being the page's error.
        if act.isSubmit { wasRefused = act.refusal != nil }
    }

    /// Whether the button that was pressed asks for a code: a page proves an address before it is posted.
    private func isBeforeCode(_ act: Flow.Act) -> Bool {
        guard let index = flow.acts.firstIndex(where: { $0.exchange.place == act.exchange.place }) else { return false }
        let next = flow.acts[index...].dropFirst().first { if case .wrongCaptcha = $0.kind { false } else { true } }
        if case .sendCode = next?.kind { return true }
        return false
    }

    /// Nobody came back from the identity provider: its page stays, or it refused.
    private mutating func leaveAtProvider() {
        guard let status = flow.providerStatus, status >= 400 else { return }
        faults.append([
            "match": ["endpoint": "provider", "from": "browser"], "respond": ["status": .integer(Int64(status))],
        ])
        writing.note(
            "\(flow.place): why the identity provider answered \(status) is not in the capture; the script has it answer so."
        )
    }

    /// Nobody answers: what the page was shown when it had asked often enough.
    private mutating func expectUnanswered(_ end: (code: String?, message: String?)) {
        var json: JSONObject = ["status": ["$not": "200"]]
        if let code = end.code {
            json["errorCode"] = .string(code)
            saidByPages.insert(code)
        }
        requests.append([
            "endpoint": "page", "method": "POST", "path": ["$endsWith": "/Phonefactor/verify"],
            "form": ["request_type": "VALIDATION_REQUEST"], "response": ["status": 200, "json": .object(json)],
        ])
    }

    private mutating func write(_ act: Flow.Act, _ form: FormItems, _ start: JSONObject) {
        var action = start
        let person = person(form)
        let page = pageName(act)
        // A person who sets the app up reads its key off the page, and goes on from there by themselves.
        if act.page?.showsQRCode ?? false, act.refusal == nil, isLedOn(after: act) { self.person = name(person) }
        if self.person != nil {
            expect(act, form: form["request_type"] != nil ? ["request_type": "RESPONSE"] : JSONObject())
            return
        }
        if page == "signUp", act.refusal != nil, isUnproved(form) {
            writeUnproved(act, form, person, action)
            return
        }
        var fill = JSONObject()
        switch page {
        case "editProfile":
            for item in form.items where UserFlowAttribute.isAsked(item.name) && isEditable(item.name, act) {
                // A custom policy may take what the directory of a user flow refuses: the field stays as it is shown.
                if item.value.isEmpty, act.refusal == nil, UserFlowAttribute.refusesEmptyText(item.name) { continue }
                fill[item.name] = writing.people.attribute(item.name, .string(item.value))
            }
            if fill.isEmpty { action["as"] = .string(name(person)) }
        default:
            action["as"] = .string(name(person))
            if let typed = Writing.password(in: form), page != "signUp" { fillPassword(typed, act, person, &fill) }
            // A person who corrects a field after a refusal may have typed something else before.
            for item in form.items where UserFlowAttribute.isAsked(item.name) && !item.value.isEmpty {
                let stand = writing.people.attribute(item.name, .string(item.value))
                if writing.people[person].attributes[item.name] != stand { fill[item.name] = stand }
            }
        }
        let isWrongCode = act.refusal != nil && Self.typesCode(form)
        if isWrongCode { fill["code"] = "000000" }
        if act.remembers { fill["keepSignedIn"] = true }
        if act.exchange.lacksRequestBody {
            writing.note(
                "\(act.exchange.place): what was typed is not in the capture; the script types what is on record.")
        }
        if !fill.isEmpty { action["fill"] = .object(fill) }
        actions.append(action)
        var sent = JSONObject()
        if form["request_type"] != nil { sent["request_type"] = "RESPONSE" }
        expect(act, form: sent)
        if let status = act.brokenStatus {
            breakDown(act, status)
            return
        }
        if act.refusal == nil {
            if Writing.password(in: form, new: true) != nil, page != "signUp" { hasNewPassword.insert(person) }
            return
        }
        if isWrongCode || isNatural(act, form, person) {
            if let code = act.refusal?.code { saidByPages.insert(code) }
        } else {
            answer(act)
        }
    }

    /// A page that posts the code of an authenticator app as its form.
    private static func typesCode(_ form: FormItems) -> Bool {
        Writing.password(in: form) == nil
            && form.items.contains { ["otpcode", "totpverificationcode"].contains($0.name.lowercased()) }
    }

    /// Whether a page that proves addresses was posted with one that is not proved.
    private func isUnproved(_ form: FormItems) -> Bool {
        let policy = flow.policy.flatMap { writing.policyIndex[$0] }.map { writing.policies[$0] }
        guard policy?.emailVerification != "off", let typed = Writing.signInName(in: form), typed.contains("@") else {
            return false
        }
        return !proved.contains(typed.lowercased())
    }

    /// Types field by field: a person who signs up by themselves would prove their address first.
    private mutating func writeUnproved(_ act: Flow.Act, _ form: FormItems, _ person: Int, _ start: JSONObject) {
        var action = start
        if !proved.isEmpty {
            var change = action
            change["press"] = "changeEmail"
            actions.append(change)
            action["wait"] = nil
        }
        var fill: JSONObject = ["email": .string(writing.people.email(of: person))]
        if Writing.password(in: form, new: true) != nil {
            fill["newPassword"] = .string(writing.people.password(of: person))
        }
        if proved.isEmpty,
            form.items.contains(where: { $0.name.lowercased().contains("verificationcode") && !$0.value.isEmpty })
        {
            fill["code"] = "000000"
        }
        for item in form.items where UserFlowAttribute.isAsked(item.name) && !item.value.isEmpty {
            fill[item.name] = writing.people.attribute(item.name, .string(item.value))
        }
        action["fill"] = .object(fill)
        action["press"] = "continue"
        actions.append(action)
        expect(act, form: form["request_type"] != nil ? ["request_type": "RESPONSE"] : JSONObject())
    }

    /// Nothing but accepted posts follows.
    private func isLedOn(after act: Flow.Act) -> Bool {
        let rest = flow.acts.drop { $0.exchange.place != act.exchange.place }
        return flow.endsWell && rest.allSatisfy { $0.isSubmit && $0.refusal == nil && $0.brokenStatus == nil }
    }

    private func isEditable(_ name: String, _ act: Flow.Act) -> Bool {
        act.page?.record.fields.first { $0.id == name }?.readOnly != true
    }

    private mutating func fillPassword(_ typed: String, _ act: Flow.Act, _ person: Int, _ fill: inout JSONObject) {
        let record = writing.people[person]
        let current = hasNewPassword.contains(person) ? record.newPassword : record.password
        if let current, typed == current { return }
        if act.refusal == nil {
            // Accepted, and not what is on record: the capture does not show how it changed.
            return
        }
        let reason = RefusalReason(act.refusal?.code, act.refusal?.message)
        if hasNewPassword.contains(person), typed == record.password {
            fill["password"] = .string(writing.people.password(of: person))
        } else if current != nil || reason == .wrongPassword || reason == .locked {
            fill["password"] = .string(writing.people.wrongPassword(typed))
        }
    }

    /// Whether the mock refuses for the same reason by itself.
    private func isNatural(_ act: Flow.Act, _ form: FormItems, _ person: Int) -> Bool {
        let record = writing.people[person]
        switch RefusalReason(act.refusal?.code, act.refusal?.message) {
        case .wrongPassword: return Writing.password(in: form) != record.password || hasNewPassword.contains(person)
        case .unknownUser: return !record.isRegistered
        case .locked: return record.isLocked
        case .disabled: return record.isDisabled
        case .wrongCode: return false
        case .other:
            // The capture does not say why; another password than the right one is reason enough.
            let right = hasNewPassword.contains(person) ? record.newPassword : record.password
            guard act.refusal?.code == nil, act.refusal?.message == nil, let right,
                let typed = Writing.password(in: form)
            else { return false }
            return typed != right
        }
    }

    // MARK: What the service answers

    private static let selfAsserted: JSONValue = ["$endsWith": "/SelfAsserted"]

    private func path(_ act: Flow.Act) -> (matcher: JSONValue, key: String) {
        guard let address = B2CAddress.parse(act.exchange.request.url) else {
            return (Self.selfAsserted, "SelfAsserted")
        }
        switch address.endpoint {
        case .phoneFactorVerify: return (["$endsWith": "/Phonefactor/verify"], "Phonefactor")
        case .displayControlAction(_, let action): return (["$endsWith": .string("/\(action)")], action)
        default: return (Self.selfAsserted, "SelfAsserted")
        }
    }

    /// Notes what passed on the wire.
    private mutating func expect(_ act: Flow.Act, form: JSONObject) {
        let path = path(act)
        posts[path.key, default: 0] += 1
        var record: JSONObject = ["endpoint": "page", "method": "POST", "path": path.matcher]
        if !form.isEmpty { record["form"] = .object(form) }
        if let response = act.exchange.response, !act.isPending {
            var answer: JSONObject = ["status": .integer(Int64(response.status))]
            if case .wrongCaptcha = act.kind {
                answer["json"] = ["isCaptchaSolved": "False"]
            } else if response.json?["status"] != nil {
                // Which status a refusal has differs with what refuses; that it is one does not.
                var json: JSONObject = ["status": act.refusal == nil ? "200" : ["$not": "200"]]
                if let code = act.refusal?.code, code.hasPrefix("AADB2C") { json["errorCode"] = .string(code) }
                answer["json"] = .object(json)
            }
            record["response"] = .object(answer)
        }
        requests.append(.object(record))
    }

    /// Has the service break down as in the capture, unless it does so by itself: a page ends after four hours.
    private mutating func breakDown(_ act: Flow.Act, _ status: Int) {
        if act.exchange.started - flow.started >= .minutes(240) { return }
        let path = path(act)
        let before = (posts[path.key] ?? 1) - 1 - rules[path.key, default: 0]
        rules[path.key, default: 0] += 1
        var rule: JSONObject = ["match": ["endpoint": "page", "method": "POST", "path": path.matcher]]
        if before > 0 { rule["skip"] = .integer(Int64(before)) }
        rule["times"] = 1
        rule["respond"] = ["status": .integer(Int64(status))]
        faults.append(.object(rule))
        writing.note(
            "\(act.exchange.place): why the page's post was answered with HTTP \(status) is not in the capture; the script has "
                + "it answered so.")
    }

    /// Has the service refuse in the words of the capture: the cause is out of its sight.
    private mutating func answer(_ act: Flow.Act) {
        let path = path(act)
        var json: JSONObject = ["status": "400"]
        json["errorCode"] = act.refusal?.code.map { .string($0) }
        json["message"] = .string(writing.people.scrubbed(act.refusal?.message ?? "refused"))
        var rule: JSONObject = ["match": ["endpoint": "page", "method": "POST", "path": path.matcher]]
        let before = (posts[path.key] ?? 1) - 1 - rules[path.key, default: 0]
        rules[path.key, default: 0] += 1
        if before > 0 { rule["skip"] = .integer(Int64(before)) }
        rule["times"] = 1
        rule["respond"] = ["status": 200, "json": .object(json)]
        faults.append(.object(rule))
        writing.note(
            "\(act.exchange.place): why the page was refused (\(json["message"]?.stringValue ?? "")) is not in the capture; "
                + "the script has the service answer so.")
    }
}
