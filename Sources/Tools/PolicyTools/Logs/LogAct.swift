import JSON
import JourneyLogs
import TrustFramework
import Verbs

/// What the person of a session did on one page.
struct LogAct {
    /// The technical profile of the page; `nil` for the page of an identity provider.
    var page: String?
    /// What they pressed, by its id or word; `nil`: they filled the page and went on.
    var press: String?
    /// What they typed beside their record.
    var fill: JSONObject?
    /// Whether from here on the person gets through the pages as they come, until one refuses what they typed.
    var goesOn = false

    /// What is verified on the page with a code before the person goes on.
    var verified: VerifiedValue?

    enum VerifiedValue {
        case address
        /// The code itself leads to the next page.
        case phone
    }

    /// Actions of the scenario language.
    func moves(as name: String) -> [UserMove] {
        if goesOn { return [.person(name)] }
        var action = PageAction {
            $0.on = page.map { ["technicalProfile": .string($0)] } ?? "provider"
            $0.person = press == nil ? name : nil
            $0.press = press
        }
        guard let verified, press == nil, page != nil else {
            action.fill = fill ?? [:]
            return [.action(action)]
        }
        action.press = "sendCode"
        let code = PageAction {
            $0.fill = ["code": .string("{{inbox/\(name)/code}}")]
            $0.press = "verifyCode"
        }
        let rest = PageAction {
            $0.person = name
            $0.fill = fill ?? [:]
        }
        return ([action, code] + (verified == .phone ? [] : [rest])).map { .action($0) }
    }

    /// The actions of a session in which the person does more than fill each page from their record: types something else,
    /// stops at a page, cancels or is refused; `nil` if they get through the pages as they come.
    ///
    /// - Parameter typed: What they typed on a page that their record does not have, by its technical profile.
    static func acts(
        _ story: LoggedSession, _ policy: ResolvedPolicy, typed: [String: JSONObject]
    ) -> [LogAct]? {
        guard let last = story.steps.last else { return story.end == .waiting ? [] : nil }
        var acts: [LogAct] = []
        for step in story.steps.dropLast() where step.ran {
            acts += attempts(step, policy) + left(step, story, policy, typed: typed)
        }
        let isOwn = acts.contains { $0.fill != nil }
        let page = shown(last, policy)
        let attempts = attempts(last, policy)
        switch story.end {
        case .token, .unknown:
            guard isOwn || !attempts.isEmpty else { return nil }
            return acts + attempts + [LogAct(goesOn: true)]
        case .error(let text):
            let press =
                text.contains("AADB2C90091")
                ? "cancel" : text.contains("AADB2C90118") ? "forgotPassword" : nil
            guard let page else { return nil }
            if let press { return acts + attempts + [LogAct(page: page, press: press)] }
            guard isOwn || !attempts.isEmpty else { return nil }
            return acts + attempts + [LogAct(goesOn: true)]
        case .waiting:
            acts += attempts
            guard let refused = last.items.last(where: { $0.error != nil && !$0.isRetried }) else {
                return acts
            }
            // The page refuses again what the person types.
            guard refused.kind == .validation, isLogin(refused, policy), page != nil else {
                return acts + [LogAct(goesOn: true)]
            }
            return acts + [attempt(refused, last, policy)]
        }
    }

    /// What the person typed before a page accepted it, if the simulator can be made to refuse the same: a wrong password,
    /// the name of an account that nobody has, and what a service said no to.
    static func attempts(_ step: LoggedStep, _ policy: ResolvedPolicy) -> [LogAct] {
        let refused = step.items.filter { $0.kind == .validation && $0.isRetried && $0.error != nil }
        let canRepeat = refused.allSatisfy { item in
            // An account that exists is refused again, so only a step that was left can be repeated with it.
            isLogin(item, policy)
                || policy.profile(item.id).map {
                    policy[$0].handler == .rest || (policy[$0].handler == .directory && !step.isFinished)
                } ?? false
        }
        guard shown(step, policy) != nil, canRepeat else { return [] }
        return refused.map { attempt($0, step, policy) }
    }

    private static func attempt(
        _ item: LoggedSession.Item, _ step: LoggedStep, _ policy: ResolvedPolicy
    ) -> LogAct {
        var act = LogAct(page: shown(step, policy))
        guard isLogin(item, policy) else {
            let isFirst =
                step.items.first { $0.kind == .validation && $0.error != nil }.map { $0.id == item.id } ?? true
            act.verified = isFirst ? act.page.flatMap { proof(on: $0, policy) } : nil
            return act
        }
        if DirectoryAnswer(item, policy) == .wrongPassword {
            act.fill = ["password": "Wrong-password-1"]
        } else if item.isRetried, let page = act.page.flatMap({ policy.profile($0) }).map({ policy[$0] }) {
            // An account that is not found in the end comes with a record that has no account.
            let name = page.outputClaims.map { policy[$0.claim] }.first {
                $0.userInputType == .textBox || $0.userInputType == .emailBox
            }
            act.fill = name.map { JSONObject([($0.id, "nobody@example.com")]) }
        }
        return act
    }

    /// What the person did on the page that they left, or at the identity provider.
    private static func left(
        _ step: LoggedStep, _ story: LoggedSession, _ policy: ResolvedPolicy, typed: [String: JSONObject]
    ) -> [LogAct] {
        guard let page = shown(step, policy) else {
            let isAway = step.items.contains { item in
                item.kind == .profile && policy.profile(item.id).map { policy[$0].handler.isFederation } ?? false
            }
            return isAway ? [LogAct()] : []
        }
        guard let next = chosen(after: step, story, policy) else {
            let isVerified = !attempts(step, policy).isEmpty
            return [LogAct(page: page, fill: typed[page], verified: isVerified ? nil : proof(on: page, policy))]
        }
        let isListed = self.step(step, policy)?.selections.contains { sameID($0.id, next) } ?? false
        return [LogAct(page: page, press: isListed ? next : link(next, on: page, policy))]
    }

    /// The claims exchange of the next step that the person chose on a page: it shows a page itself, or leads to a provider.
    private static func chosen(
        after step: LoggedStep, _ story: LoggedSession, _ policy: ResolvedPolicy
    ) -> String? {
        guard let handle = policy.journey(step.journey), self.step(step, policy)?.type.isSelection == true else {
            return nil
        }
        let next = policy[handle].steps.first { $0.order == step.order + 1 }
        return next?.exchanges.first { exchange in
            let handler = policy[exchange.profile].handler
            return (handler.showsPage || handler.isFederation) && story.chosen.contains { sameID($0, exchange.id) }
        }?.id
    }

    /// The link that leads to a claims exchange which the page does not list as a choice (Microsoft docs: the metadata
    /// `setting.forgotPasswordLinkOverride`).
    private static func link(_ exchange: String, on page: String, _ policy: ResolvedPolicy) -> String {
        let metadata = policy.profile(page).map { policy[$0].metadata }
        let forgotten = metadata?["setting.forgotPasswordLinkOverride"] ?? ""
        return sameID(forgotten, exchange) ? "forgotPassword" : "signUp"
    }

    /// What the person pressed on the first page; the link for signing up is not in the policy's list of choices.
    static func pressed(_ story: LoggedSession, _ policy: ResolvedPolicy) -> String? {
        story.steps.first.flatMap { left($0, story, policy, typed: [:]).first?.press }
    }

    /// What a page verifies with a code that it sends.
    private static func proof(on page: String, _ policy: ResolvedPolicy) -> VerifiedValue? {
        guard let profile = policy.profile(page).map({ policy[$0] }) else { return nil }
        if profile.handler == .phoneFactor { return .phone }
        let hasControl = profile.displayClaims.contains { claim in
            guard case .control(let control) = claim.target else { return false }
            return policy[control].type == .verification
        }
        let isVerified = profile.outputClaims.contains { $0.wireName.lowercased().hasPrefix("verified.") }
        return hasControl || isVerified ? .address : nil
    }

    private static func step(_ step: LoggedStep, _ policy: ResolvedPolicy)
        -> OrchestrationStep?
    {
        policy.journey(step.journey).flatMap { policy[$0].steps.first { $0.order == step.order } }
    }

    /// The technical profile of the page that a step showed.
    private static func shown(_ step: LoggedStep, _ policy: ResolvedPolicy) -> String? {
        guard step.contentDefinition != nil else { return nil }
        if let page = step.page, policy.profile(page).map({ policy[$0].handler.showsPage }) ?? false { return page }
        return step.items.first { item in
            item.kind == .profile && policy.profile(item.id).map { policy[$0].handler.showsPage } ?? false
        }?.id
    }

    /// Whether a validation technical profile signs in with a password at the directory.
    static func isLogin(_ item: LoggedSession.Item, _ policy: ResolvedPolicy) -> Bool {
        policy.profile(item.id).map {
            policy[$0].metadata["grant_type"]?.lowercased() == "password"
                || item.id.lowercased().hasPrefix("login-noninteractive")
        } ?? false
    }

    /// Whether the person came to a page that makes an account, although they may not have got one.
    static func isSignUp(_ story: LoggedSession, _ policy: ResolvedPolicy) -> Bool {
        story.steps.flatMap(\.items).contains { item in
            guard item.kind == .profile, let handle = policy.profile(item.id) else { return false }
            return ([handle] + policy[handle].validationProfiles.map(\.profile)).contains { candidate in
                let profile = policy[candidate]
                return profile.handler == .directory
                    && profile.metadata["Operation"]?.lowercased() == "write"
                    && profile.metadata["RaiseErrorIfClaimsPrincipalAlreadyExists"]?.lowercased() == "true"
            }
        }
    }
}

/// Why the directory refused a sign-in with a password, by what an exception says.
enum DirectoryAnswer {
    case wrongPassword, unknownAccount, locked, disabled

    /// - Returns: `nil` if it did not refuse.
    init?(_ item: LoggedSession.Item, _ policy: ResolvedPolicy) {
        guard let texts = item.error?.texts else { return nil }
        let metadata = policy.profile(item.id).map { policy[$0].metadata }
        func says(_ code: String, _ key: String, _ words: [String]) -> Bool {
            texts.contains { text in
                text.hasPrefix(code) || text == metadata?[key] || words.contains { text.lowercased().contains($0) }
            }
        }
        if says("AADSTS50053", "UserMessageIfUserAccountLocked", ["temporarily locked"]) {
            self = .locked
        } else if says("AADSTS50057", "UserMessageIfUserAccountDisabled", ["has been locked", "disabled"]) {
            self = .disabled
        } else if says("AADSTS50126", "UserMessageIfInvalidPassword", ["password"]) {
            self = .wrongPassword
        } else if says(
            "AADSTS50034", "UserMessageIfClaimsPrincipalDoesNotExist", ["account", "not exist", "not found"])
        {
            self = .unknownAccount
        } else {
            // In another language, or a policy's own words.
            self = .wrongPassword
        }
    }
}
