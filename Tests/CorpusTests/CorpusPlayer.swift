import B2CProtocol
import HTTPMessages
import JSON
import Journeys
import TrustFramework

/// Plays one case: does what its inputs say, page by page, and compares what happened.
struct CorpusPlayer {
    /// What a case ended with, for relations between cases.
    struct Result {
        var problems: [String]
        var claims = JSONObject()
    }

    private var world: CorpusWorld
    private let expect: JSONValue
    private var stop: JourneyStop
    private var number = 0
    private var problems: [String] = []
    private var error: String?

    static func play(_ item: JSONValue, _ policy: ResolvedPolicy) -> Result {
        for need in item["needs"]?.arrayValue ?? [] {
            let name = (need.stringValue ?? "").prefix { $0 != ":" }
            if !CorpusWorld.needs.contains(String(name)) { return Result(problems: ["needs \(need), not supported"]) }
        }
        var player = CorpusPlayer(CorpusWorld(item, policy), item["expect"] ?? [:])
        player.run(item["inputs"]?.arrayValue ?? [])
        return player.result()
    }

    private init(_ world: CorpusWorld, _ expect: JSONValue) {
        self.world = world
        self.expect = expect
        stop = self.world.tell(.begin)
        if case .page(let page) = stop { show(page) }
    }

    // MARK: Pages

    private mutating func show(_ page: Page) {
        number += 1
        for wanted in expect["pages"]?.arrayValue ?? [] where wanted["page"]?.intValue == Int64(number) {
            for (name, value) in wanted["values"]?.objectValue?.members ?? [] {
                let shown = Self.field(name, of: page)?.prefilled ?? ""
                let isSame =
                    value.objectValue != nil
                    ? CorpusMatching.mismatch(.string(shown), value) == nil
                    : shown.lowercased() == (value.stringValue ?? value.description).lowercased()
                if !isSame { problems.append("page \(number): \(name) shows \"\(shown)\", wanted \(value)") }
            }
            for part in wanted["load_uri_contains"]?.arrayValue ?? (wanted["load_uri_contains"].map { [$0] } ?? [])
            where !page.templateURL.contains(part.stringValue ?? "") {
                problems.append("page \(number): template \(page.templateURL) lacks \(part)")
            }
            let offered = page.providers.map(\.id) + (page.signUpExchange.map { [$0] } ?? [])
            for option in wanted["options"]?.arrayValue ?? []
            where !offered.contains(where: { sameID($0, option.stringValue ?? "") }) {
                problems.append("page \(number): offers \(offered), wanted \(option)")
            }
            for (name, value) in wanted["features"]?.objectValue?.members ?? [] {
                if let actual = Self.feature(name, of: page), actual == value.boolValue { continue }
                problems.append("page \(number): \(name) is not \(value)")
            }
        }
    }

    private static func field(_ name: String, of page: Page) -> PageField? {
        page.fields.flatMap { [$0] + $0.displayFields }.first { sameID($0.id, name) }
    }

    private static func feature(_ name: String, of page: Page) -> Bool? {
        switch name {
        case "remember_me": page.showsKeepMeSignedIn
        case "cancel_button": page.showsCancel
        case "continue_button":
            page.config.first { $0.name == "showContinueButton" }?.value.lowercased() != "false"
        default: nil
        }
    }

    // MARK: Inputs

    private mutating func run(_ inputs: [JSONValue]) {
        for input in inputs {
            guard case .page(let page) = stop else { return }
            error = nil
            if let choice = input["select"]?.stringValue {
                let isSignUp = page.signUpExchange.map { sameID($0, choice) } == true
                stop = world.tell(isSignUp ? .signUp(hint: nil) : .chose(choice))
            } else if input["cancel"]?.boolValue == true {
                stop = world.tell(.cancelled(code: nil, description: nil))
            } else if !submit(input, page) {
                continue
            }
            if case .page(let page) = stop { show(page) }
        }
    }

    /// Fills and posts the page; false when it stays.
    private mutating func submit(_ input: JSONValue, _ page: Page) -> Bool {
        var form = FormItems()
        for field in page.fields.flatMap({ $0.displayFields.isEmpty ? [$0] : $0.displayFields }) {
            if !field.isReadOnly, let text = field.prefilled { form.append(field.id, text) }
        }
        for action in input["actions"]?.arrayValue ?? [] {
            for (name, value) in action["fields"]?.objectValue?.members ?? [] { type(name, value, page, &form) }
            guard act(action, form) else { return false }
        }
        for claim in input["verified"]?.arrayValue ?? [] { prove(claim.stringValue ?? "", input) }
        for (name, value) in input["fields"]?.objectValue?.members ?? [] { type(name, value, page, &form) }
        if page.api == .phoneFactor { return answerPhone(page, input) }
        form.append("request_type", "RESPONSE")
        return post(form)
    }

    private func type(_ name: String, _ value: JSONValue, _ page: Page, _ form: inout FormItems) {
        let id = Self.field(name, of: page)?.id ?? name
        form[id] = nil
        // A code that the case fixes stands for the one that was sent.
        let code = world.item["stubs", "mfa", "code"]?.stringValue
        if let text = value.stringValue, text == code, let sent = world.tenancy.outbox.messages.last?.code {
            form.append(id, sent)
        } else if let list = value.arrayValue {
            for element in list { form.append(id, element.stringValue ?? "") }
        } else {
            form.append(id, value.stringValue ?? value.description)
        }
    }

    private mutating func act(_ action: JSONValue, _ form: FormItems) -> Bool {
        let event = JourneyEvent.action(
            control: action["control"]?.stringValue ?? "", name: action["action"]?.stringValue ?? "", form)
        switch world.tell(event) {
        case .answer(let answer):
            if answer.status == "200" { return true }
            error = answer.message ?? "status \(answer.status)"
            return false
        case .refused(let failure):
            problems.append("refused: \(failure.detail)")
            return false
        case let other:
            stop = other
            return false
        }
    }

    private mutating func prove(_ claim: String, _ input: JSONValue) {
        let address = input["fields", claim]?.stringValue ?? ""
        var form: FormItems = ["request_type": "VERIFICATION_REQUEST", "claim_id": claim, "claim_value": address]
        _ = world.tell(.submitted(form))
        form["request_type"] = "VALIDATION_REQUEST"
        form["user_input"] = world.tenancy.outbox.newest(to: address)?.code ?? ""
        _ = world.tell(.submitted(form))
    }

    private mutating func answerPhone(_ page: Page, _ input: JSONValue) -> Bool {
        let number = input["fields", "phone"]?.stringValue ?? "+15551234567"
        _ = world.tell(
            .submitted([
                "request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms",
                "id": page.phones.isEmpty ? "UserAsserted" : "1", "number": number,
            ]))
        let code = world.tenancy.outbox.messages.last?.code ?? ""
        return post(["request_type": "VALIDATION_REQUEST", "verification_code": code])
    }

    private mutating func post(_ form: FormItems) -> Bool {
        switch world.tell(.submitted(form)) {
        case .answer(let answer) where answer.status == "200":
            stop = world.tell(.confirmed(rememberMe: false))
            return true
        case .answer(let answer):
            error = answer.message ?? "status \(answer.status)"
            return false
        case let other:
            stop = other
            return true
        }
    }

    // MARK: Outcome

    private func result() -> Result {
        var problems = problems
        var claims = JSONObject()
        var message = error ?? ""
        let outcome: String
        switch stop {
        case .page: outcome = error == nil ? "page" : "page_error"
        case .issue(let issuance):
            outcome = "token"
            for claim in issuance.claims { claims[claim.name] = claim.value }
            if let subject = issuance.subject { claims["sub"] = .string(subject) }
        case .failed(let failure):
            outcome = "redirect_error"
            message = failure.text + " " + failure.detail
        case .refused(let failure):
            outcome = "refused"
            message = failure.detail
        case .answer, .provider, .callout: outcome = "unfinished"
        }
        let wanted = expect["outcome"]?.stringValue ?? ""
        if wanted == "no_token" ? outcome == "token" : outcome != wanted {
            problems.append("ended in \(outcome)\(message.isEmpty ? "" : " (\(message))"), wanted \(wanted)")
            return Result(problems: problems, claims: claims)
        }
        if let part = expect["error_contains"]?.stringValue, !message.lowercased().contains(part.lowercased()) {
            problems.append("says \"\(message)\", wanted \"\(part)\"")
        }
        if let page = expect["page"]?.intValue, Int(page) != number {
            problems.append("is at page \(number), expected \(page)")
        }
        for (name, value) in expect["claims"]?.objectValue?.members ?? [] {
            if let why = CorpusMatching.mismatch(claims[name], value) { problems.append("\(name) \(why)") }
        }
        for name in expect["absent"]?.arrayValue ?? [] where claims[name.stringValue ?? ""] != nil {
            problems.append("\(name) must not be in the token")
        }
        return Result(problems: problems, claims: claims)
    }
}
