import Browser
import HTTPMessages
import JSON
import TenantFiles

extension CapturedTenant {
    mutating func learnPeople() {
        for item in story.items {
            switch item {
            case .flow(let flow): actors.append(learnPeople(of: flow))
            case .token(let call) where call.grant == "password":
                let index = people.person(signInName: call.form["username"] ?? "")
                if call.isGood {
                    people[index].password = people[index].password ?? call.form["password"]
                    people.note(tokenOf: index, call.claims("id_token"))
                }
                actors.append(index)
            case .token(let call):
                actors.append(call.isGood ? people.person(ofToken: call.claims("id_token")) : nil)
            case .logout, .api, .userInfo: actors.append(nil)
            }
        }
        // A capture may hold nothing but requests for tokens.
        if people.all.isEmpty { _ = people.person(of: nil, orElse: nil) }
        for (item, actor) in zip(story.items, actors) {
            guard let actor else { continue }
            switch item {
            case .flow(let flow): learnAttributes(of: flow, actor)
            case .token(let call) where call.isGood: learn(attributesIn: call.claims("id_token"), actor)
            case .token, .logout, .api, .userInfo: continue
            }
        }
    }

    /// Gives everybody what no account of the directory is without, where the capture does not show it.
    mutating func giveNames() {
        for index in people.all.indices where people[index].record.attributes["displayName"] == nil {
            people[index].record.attributes["displayName"] = people.attribute("displayName", Self.unseen)
        }
    }

    /// What replaces a value that the capture does not show.
    static let unseen: JSONValue = .string("not in the capture")

    /// Whether a value says of an attribute that it is not there.
    static func isNothing(_ value: JSONValue) -> Bool { value == .string("") || value == .null }

    /// The ids under which pages ask for a sign-in name, most important first.
    static let signInNames = [
        "signInName", "logonIdentifier", "signInNames.emailAddress", "userid", "username", "email", "emailAddress",
        "phoneNumber", "readonlyEmail", "claim_value",
    ]

    static func signInName(in form: FormItems) -> String? {
        for id in signInNames {
            if let value = form.items.first(where: { $0.name.lowercased() == id.lowercased() })?.value, !value.isEmpty,
                // Pages may show an address in part, and send it so.
                !value.contains("*")
            {
                return value
            }
        }
        return nil
    }

    static func password(in form: FormItems, new: Bool = false) -> String? {
        form.items.first { item in
            let name = item.name.lowercased()
            return new ? name == "newpassword" : name == "password" || name == "oldpassword"
        }?.value
    }

    /// The person of a flow; `nil` if nobody did anything in it.
    private mutating func learnPeople(of flow: Flow) -> Int? {
        var actor = learnTyped(in: flow)
        if let actor {
            if flow.setsForcedPassword { people[actor].record.forcePasswordChange = true }
            if flow.pages.contains(where: \.isWall) { people[actor].isRisky = true }
        }
        for act in flow.acts {
            guard case .provider(let exchange) = act.kind, let name = provider(exchange)?.name else { continue }
            let person = people.person(of: flow.idToken, orElse: actor)
            learn(provider: name, of: person, in: flow)
            actor = person
        }
        guard flow.endsWell || actor != nil || !flow.acts.isEmpty else { return nil }
        let person = people.person(of: flow.endsWell ? flow.idToken : nil, orElse: actor)
        if policy(flow.policy)?.signInName == .username,
            flow.acts.contains(where: { $0.isSubmit && $0.exchange.lacksRequestBody })
        {
            people[person].hasUsername = true
        }
        if flow.isBlind, flow.signsUp, flow.endsWell { people[person].record.registered = false }
        learnNeeds(of: flow, person)
        return person
    }

    /// Learns from what was typed on the pages of a flow, and returns who typed it last.
    private mutating func learnTyped(in flow: Flow) -> Int? {
        var actor: Int?
        for act in flow.acts {
            guard let form = act.form else { continue }
            if let name = Self.signInName(in: form) { actor = person(called: name, act, form, known: actor) }
            // Somebody typed something, though the capture does not say what.
            if actor == nil, act.exchange.lacksRequestBody { actor = people.person(of: flow.idToken, orElse: nil) }
            if let actor, act.isSubmit { learn(act, form, actor) }
        }
        return actor
    }

    /// The person with a name that was typed.
    ///
    /// - Parameter known: Who typed something before.
    private mutating func person(called name: String, _ act: Flow.PersonAction, _ form: FormItems, known: Int?) -> Int {
        let isAddress = name.contains("@")
        if let known {
            // Somebody with a user name has an address too.
            if isAddress, act.page?.record.name != "signIn", !people[known].hasEmail {
                people.link(name, to: known)
                return known
            }
            // A person who signs up proves an address first, and then chooses a user name.
            if !isAddress, Self.password(in: form, new: true) != nil,
                form["email"].map({ people.has(address: $0, known) }) ?? false
            {
                people.link(userName: name, to: known)
                return known
            }
        }
        let person = people.person(signInName: name)
        // Pages for a user name ask for the address beside it.
        if !isAddress, let address = form["email"] { people.link(address, to: person) }
        return person
    }

    private mutating func learn(provider name: String, of person: Int, in flow: Flow) {
        if !people[person].uses(name) {
            people[person].record.providers.append(ProviderIdentity(provider: name))
            // A person who is asked for more than the provider shows has no account yet.
            let isNew =
                flow.pages.contains { $0.record.name == "signUp" } || flow.idToken?["newUser"] == .bool(true)
                || flow.asksAfterProvider
            if isNew, people[person].password == nil { people[person].record.registered = false }
        }
        // Nobody has an account of this name, says the service of a person that the provider knows.
        if case .error(_, let code?) = flow.ending, code == "AADB2C99002" || code == "AADB2C90053",
            people[person].password == nil
        {
            people[person].record.registered = false
        }
    }

    /// What somebody must have had to get as far as they did, where the capture does not say what they typed.
    private mutating func learnNeeds(of flow: Flow, _ person: Int) {
        var wasAtProvider = false
        var forgot = policy(flow.policy)?.settings.type == .passwordReset
        for act in flow.acts {
            switch act.kind {
            case .provider: wasAtProvider = true
            case .press(let button): forgot = forgot || button == "forgotPassword"
            case .wrongCaptcha: continue
            case .sendCode, .verifyCode: people[person].hasPhone = people[person].hasPhone || act.isPhone
            case .submit:
                guard act.exchange.lacksRequestBody else { continue }
                switch act.page?.record.name {
                case "newPassword": people[person].setsNewPassword = true
                case "signIn": people[person].usesPassword = true
                case nil where forgot: people[person].setsNewPassword = true
                case nil where !wasAtProvider: people[person].usesPassword = true
                default: break
                }
            }
        }
    }

    private mutating func learn(_ act: Flow.PersonAction, _ form: FormItems, _ person: Int) {
        let page = act.page?.record.name
        // What became of an account while the capture ran, it was not before.
        let isFirst = !people[person].hasActed
        people[person].hasActed = true
        learnAuthenticator(act, form, person)
        if let refusal = act.refusal {
            switch RefusalReason(refusal.code, refusal.message) {
            case .unknownUser where page == "signIn" || page == nil:
                if people[person].password == nil { people[person].record.registered = false }
            case .locked: people[person].record.locked = isFirst
            case .disabled: people[person].record.accountEnabled = !isFirst
            default: break
            }
            return
        }
        // Who was let in has an account, whatever name was refused before.
        if page == "signUp" { people[person].hasSignedUp = true }
        if page == "signIn", act.exchange.lacksRequestBody, !people[person].hasSignedUp {
            people[person].record.registered = true
        }
        if page == "signUp", people[person].password == nil { people[person].record.registered = false }
        if let typed = Self.password(in: form, new: true) {
            if page == "signUp" || Self.signInName(in: form) != nil {
                if people[person].password == nil {
                    people[person].password = typed
                    people[person].record.registered = false
                }
            } else {
                people[person].newPassword = typed
                people[person].setsNewPassword = true
            }
        } else if let typed = Self.password(in: form), people[person].password == nil,
            people[person].newPassword != typed
        {
            people[person].password = typed
        }
        if act.page?.settings?.api.lowercased() == "phonefactor" { people[person].hasPhone = true }
    }

    /// Who was asked for the code of an authenticator app has one, whether the code was right or not.
    private mutating func learnAuthenticator(_ act: Flow.PersonAction, _ form: FormItems, _ person: Int) {
        guard act.page?.record.name == "mfa" else { return }
        if form.items.contains(where: {
            $0.name.lowercased() == "otpcode" || $0.name.lowercased() == "totpverificationcode"
        }),
            policy(act.page?.settings?.policy)?.secondFactor == .totp
        {
            people[person].usesAuthenticator = true
        }
        if !people[person].usesAuthenticator, act.page?.showsQRCode ?? false {
            people[person].setsUpAuthenticator = true
        }
    }

    private mutating func learnAttributes(of flow: Flow, _ person: Int) {
        let policy = policy(flow.policy)
        func learn(_ name: String, _ value: JSONValue) { self.learn(name, value, person) }
        for page in flow.pages where page.record.name != "signIn" {
            for field in page.settings?.fields ?? [] {
                if let text = field.prefilled, !text.isEmpty { learn(field.id, .string(text)) }
            }
        }
        for act in flow.acts {
            if act.page?.settings?.api.lowercased() == "phonefactor" { people[person].hasPhone = true }
            guard case .submit(let form) = act.kind, act.refusal == nil else { continue }
            // What a person changes on the profile page is not what they came with.
            if policy?.settings.type == .profileEditing { continue }
            for item in form.items where !item.value.isEmpty { learn(item.name, .string(item.value)) }
        }
        for claims in [flow.token?.claims("id_token"), flow.frontTokens["id_token"]] {
            self.learn(attributesIn: claims, person)
        }
        // What was refused is what somebody typed all the same.
        for act in flow.acts where act.refusal != nil && act.page?.record.name == "signUp" {
            guard case .submit(let form) = act.kind else { continue }
            for item in form.items where !item.value.isEmpty { learn(item.name, .string(item.value)) }
        }
        // Another address on the same pages is another record, of somebody who types the same.
        for act in flow.acts {
            guard case .sendCode(let form, _) = act.kind, let name = Self.signInName(in: form) else { continue }
            let other = people.person(signInName: name)
            for (name, value) in people[person].record.attributes.members
            where people[other].record.attributes[name] == nil {
                people[other].record.attributes[name] = value
            }
        }
        // A person who signs up has something for each field, though the capture may not say what.
        let isSignUp = flow.acts.contains { $0.page?.record.name == "signUp" && $0.isSubmit }
        if isSignUp || (flow.isBlind && flow.signsUp) || flow.asksAfterProvider || policy?.settings.type == .signUp {
            let asked = policy?.settings.attributes ?? []
            for name in asked.isEmpty ? ["displayName"] : asked where people[person].record.attributes[name] == nil {
                people[person].record.attributes[name] = people.attribute(name, Self.unseen)
            }
        }
    }

    /// Notes what somebody's record says, as far as nothing before it did.
    private mutating func learn(_ name: String, _ value: JSONValue, _ person: Int) {
        guard UserFlowAttribute.isAsked(name) else { return }
        let stand = people.attribute(name, value)
        if people[person].record.attributes[name] == nil, !Self.isNothing(stand) {
            people[person].record.attributes[name] = stand
        }
    }

    /// Notes what the claims of an ID token say of somebody's record.
    private mutating func learn(attributesIn claims: JSONObject?, _ person: Int) {
        for (name, value) in claims?.members ?? [] {
            guard let attribute = Self.attribute(ofClaim: name) else { continue }
            learn(attribute, value, person)
        }
    }

    /// The attribute behind a claim of a token, where it is one that a person has.
    static func attribute(ofClaim name: String) -> String? {
        if name.hasPrefix(UserFlowAttribute.customPrefix) { return name }
        return UserFlowAttribute.all.first { $0.isAttribute && $0.isClaim && $0.tokenName == name }?.name
    }
}
