import B2CProtocol
import HTTPMessages
import JSON

/// A hosted page in the browser: what the words of a script mean on it, and the requests that carry what its ``HostedForm``
/// sends.
struct HostedPageDriver {
    typealias VerifierID = HostedForm.Verifier

    let page: PageSettings
    let url: WebURL

    /// The page's fields and what its script sends.
    var form: HostedForm { HostedForm(page) }

    // MARK: Fields

    /// The field a script means: an id on the page wins, else the field of that purpose under whatever id.
    func field(_ name: String) -> PageField? {
        let fields = page.allFields
        if let exact = fields.first(where: { $0.id == name }) { return exact }
        guard let purpose = FieldPurpose(rawValue: name) else {
            return fields.first { $0.id.lowercased() == name.lowercased() }
        }
        if purpose == .captcha, let control = page.captcha { return control }
        for id in purpose.ids {
            if let found = fields.first(where: { $0.id.lowercased() == id && !$0.isDisplayControl }) { return found }
        }
        let passwords = fields.filter(\.isPassword)
        switch purpose {
        case .username: return isSignIn ? fields.first { !$0.isPassword && !$0.isDisplayControl } : nil
        case .password, .newPassword: return passwords.first
        case .confirmPassword: return passwords.count > 1 ? passwords[1] : nil
        default: return nil
        }
    }

    var isSignIn: Bool { HostedForm.Kind(api: page.api) == .signIn }
    var isPhone: Bool { HostedForm.Kind(api: page.api) == .phone }

    /// Boxes and inputs that the script adds without them standing in the list of fields.
    static func extraFields(of page: PageSettings) -> [String] { HostedForm(page).extraInputs }

    /// Every name that `fill` may use here.
    var fillable: [String] {
        page.allFields.filter { !$0.isDisplayControl || $0.isCaptchaControl }.map(\.id) + Self.extraFields(of: page)
    }

    // MARK: Buttons

    /// What `press` may use here, by the ids that B2C's page gives its elements.
    static func buttons(of page: PageSettings) -> [String] {
        let form = HostedForm(page)
        var ids: [String] = []
        switch form.kind {
        case .signIn:
            if !page.fields.isEmpty { ids.append("next") }
            if form.controls.contains(.forgotPassword) { ids.append("forgotPassword") }
            if form.controls.contains(.signUp) { ids.append("createAccount") }
        case .phone: ids += ["verifyCode", "verifyPhone", "retryCode"]
        case .selection: break
        case .selfAsserted:
            for field in page.fields {
                if field.verify {
                    ids += ["\(field.id)_ver_but_send", "\(field.id)_ver_but_verify", "\(field.id)_ver_but_resend"]
                    ids.append("\(field.id)_ver_but_edit")
                }
                if field.isDisplayControl && !field.isCaptchaControl {
                    ids += [
                        "\(field.id)_but_send_code", "\(field.id)_but_verify_code", "\(field.id)_but_send_new_code",
                    ]
                    ids.append("\(field.id)_but_change_claims")
                }
            }
        }
        if form.controls.contains(.continueButton) { ids.append("continue") }
        if form.controls.contains(.cancel) { ids.append("cancel") }
        return ids + page.providers.map(\.id)
    }

    enum Press: Equatable {
        case submit
        case navigate(String)
        case cancel
        case sendCode(VerifierID, call: Bool)
        case verifyCode(VerifierID)
        case changeEmail(VerifierID)
    }

    /// The verifiers of the page in order.
    var verifiers: [VerifierID] { form.verifiers }

    /// The ids of what a verifier proves.
    func proves(_ verifier: VerifierID) -> Set<String> { Set(form.proves(verifier)) }

    /// What pressing means, or nil if the page has no such button or link.
    ///
    /// - Parameter providers: The tenant file's provider names with their claims exchange ids.
    func press(_ name: String, providers: [(name: String, exchange: String)]) -> Press? {
        let token = "csrf_token=\(page.csrf)&tx=\(page.transId)&p=\(page.policy)"
        if let provider = page.providers.first(where: { $0.id == name }) {
            return .navigate("unified?claimsexchange=\(provider.id)&\(token)")
        }
        if let exchange = providers.first(where: { $0.name == name })?.exchange,
            let provider = page.providers.first(where: { $0.id.lowercased() == exchange.lowercased() })
        {
            return .navigate("unified?claimsexchange=\(provider.id)&\(token)")
        }
        let buttons = Self.buttons(of: page)
        let first = verifiers.first
        switch name {
        case "next" where buttons.contains("next"), "continue" where buttons.contains("continue"),
            "verifyCode" where isPhone:
            return .submit
        case "signIn":
            return buttons.contains("next")
                || (buttons.contains("continue") && page.allFields.contains(where: \.isPassword))
                ? .submit : nil
        case "continue":
            return buttons.contains("next") || isPhone ? .submit : nil
        case "createAccount", "signUp":
            if buttons.contains("createAccount") { return .navigate("unified?local=signup&\(token)") }
            return name == "signUp" && buttons.contains("continue") && field("newPassword") != nil ? .submit : nil
        case "forgotPassword":
            guard buttons.contains("forgotPassword") else { return nil }
            if let exchange = page.config("forgotPasswordLinkOverride"), !exchange.isEmpty {
                return .navigate("unified?claimsexchange=\(exchange)&\(token)")
            }
            return .navigate("forgotPassword?\(token)")
        case "cancel": return buttons.contains("cancel") ? .cancel : nil
        case "sendCode", "resendCode", "retryCode": return first.map { .sendCode($0, call: false) }
        case "call", "verifyPhone": return isPhone ? .sendCode(.phone, call: name == "call") : nil
        case "verifyCode": return first.map { .verifyCode($0) }
        case "changeEmail": return first.map { .changeEmail($0) }
        default: break
        }
        for verifier in verifiers {
            switch verifier {
            case .claim(let id):
                if name == "\(id)_ver_but_send" || name == "\(id)_ver_but_resend" {
                    return .sendCode(verifier, call: false)
                }
                if name == "\(id)_ver_but_verify" { return .verifyCode(verifier) }
                if name == "\(id)_ver_but_edit" { return .changeEmail(verifier) }
            case .control(let id):
                if name == "\(id)_but_send_code" || name == "\(id)_but_send_new_code" {
                    return .sendCode(verifier, call: false)
                }
                if name == "\(id)_but_verify_code" { return .verifyCode(verifier) }
                if name == "\(id)_but_change_claims" { return .changeEmail(verifier) }
            case .phone: continue
            }
        }
        return nil
    }

    // MARK: Requests

    /// A request of the page's script for something that it does not change.
    func get(_ path: String, _ query: String) -> RequestMessage? {
        guard var message = post(path, ""),
            let target = WebURL("\(url.origin)\(page.tenantPath)/\(path)?tx=\(page.transId)&p=\(page.policy)&\(query)")
        else { return nil }
        message.method = "GET"
        message.url = target
        message.headers["Content-Type"] = nil
        message.headers["Origin"] = nil
        return message
    }

    /// A post of the page's script.
    func message(_ post: HostedPost) -> RequestMessage? { self.post(post.path, post.body) }

    private func post(_ path: String, _ body: String) -> RequestMessage? {
        guard
            let target = WebURL(
                "\(url.origin)\(page.tenantPath)/\(path)?tx=\(page.transId)&p=\(page.policy)")
        else { return nil }
        var headers: Headers = [
            "Accept": "application/json, text/javascript, */*; q=0.01",
            "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8",
            "X-CSRF-TOKEN": page.csrf,
            "X-Requested-With": "XMLHttpRequest",
            "Origin": url.origin,
            "Referer": url.description,
        ]
        if page.isPageViewIdSentWithHeader { headers.append("x-ms-cpim-pageviewid", page.pageViewId) }
        return RequestMessage(method: "POST", url: target, headers: headers, body: Array(body.utf8))
    }

    /// A navigation of the page's script.
    func navigation(_ action: String) -> RequestMessage? {
        WebURL("\(url.origin)\(page.tenantPath)/api/\(page.api)/\(action)").map {
            RequestMessage.get($0, headers: ["Referer": url.description])
        }
    }

    var token: String { "csrf_token=\(page.csrf)&tx=\(page.transId)&p=\(page.policy)" }

    /// What the page's own script finds wrong before it sends anything.
    func refusal(_ typed: [String: String], verified: [String]) -> String? {
        for field in page.allFields where field.isRequired && field.isTyped {
            let value = typed[field.id] ?? field.prefilled ?? ""
            if value.isEmpty {
                if isSignIn {
                    return page.text(field.isPassword ? "requiredField_password" : "requiredField_generic")?
                        .replacing("{0}", with: field.displayName) ?? "Please enter: \(field.displayName)"
                }
                return page.text("required_field") ?? "A required field is missing: \(field.displayName)"
            }
        }
        if let first = field("newPassword"), let second = field("confirmPassword"), first.id != second.id, !isSignIn,
            FieldPurpose.confirmPassword.ids.contains(second.id.lowercased()),
            typed[first.id] ?? "" != typed[second.id] ?? ""
        {
            return page.text("error_passwordEntryMismatch") ?? "The password entry fields do not match."
        }
        return nil
    }
}
