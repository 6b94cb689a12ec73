import JSON
import JourneyLogs
import TrustFramework

/// What the person of a session did on one page.
struct LogAct {
    /// The technical profile of the page.
    var page: String?
    /// What they pressed, by its id or word; `nil`: they filled the page and went on.
    var press: String?
    /// What they typed beside their record.
    var fill: JSONObject?
    /// Whether from here on the person gets through the pages as they come, until one refuses what they typed.
    var goesOn = false

    /// An action of the scenario language.
    func json(as name: String) -> JSONValue {
        if goesOn { return .string(name) }
        var action = JSONObject()
        action["on"] = page.map { ["technicalProfile": .string($0)] }
        if let press { action["press"] = .string(press) } else { action["as"] = .string(name) }
        action["fill"] = fill.map { .object($0) }
        return .object(action)
    }

    /// The actions of a session in which the person stops at a page, cancels or types a wrong password; `nil` if they get
    /// through the pages, or if an error ends the session by itself.
    static func acts(_ story: SessionStory, _ policy: ResolvedPolicy) -> [LogAct]? {
        var acts = left(story, policy)
        guard let last = story.steps.last else { return story.end == .waiting ? [] : nil }
        let page = shown(last, policy)
        switch story.end {
        case .token: return nil
        case .error(let text):
            let press =
                text.contains("AADB2C90091")
                ? "cancel" : text.contains("AADB2C90118") ? "forgotPassword" : nil
            guard let press, let page else { return nil }
            return acts + [LogAct(page: page, press: press)]
        case .waiting:
            guard let refused = last.items.last(where: { $0.error != nil && !$0.isRetried }) else {
                return acts
            }
            // The page refuses again what the person types.
            guard refused.kind == .validation, isLogin(refused, policy), let page else {
                return acts + [LogAct(goesOn: true)]
            }
            acts.append(LogAct(page: page))
            // Whose account is not found comes with a record that has no account.
            if isPassword(refused) { acts[acts.count - 1].fill = ["password": "Wrong-password-1"] }
            return acts
        }
    }

    /// What the person did on the pages that they left.
    private static func left(_ story: SessionStory, _ policy: ResolvedPolicy) -> [LogAct] {
        story.steps.dropLast().filter(\.ran).compactMap { step in
            guard let page = shown(step, policy) else { return nil }
            guard let next = chosen(after: step, story, policy) else { return LogAct(page: page) }
            let isListed = self.step(step, policy)?.selections.contains { sameID($0.id, next) } ?? false
            return LogAct(page: page, press: isListed ? next : link(next, on: page, policy))
        }
    }

    /// The claims exchange of the next step that the person chose on a page: it shows a page itself, or leads to a provider.
    private static func chosen(
        after step: SessionStory.Step, _ story: SessionStory, _ policy: ResolvedPolicy
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

    /// Whether the person pressed the link for signing up on the first page, which is not in the policy's list of choices.
    static func pressesSignUp(_ story: SessionStory, _ policy: ResolvedPolicy) -> Bool {
        left(story, policy).first?.press == "signUp"
    }

    private static func step(_ step: SessionStory.Step, _ policy: ResolvedPolicy)
        -> OrchestrationStep?
    {
        policy.journey(step.journey).flatMap { policy[$0].steps.first { $0.order == step.order } }
    }

    /// The technical profile of the page that a step showed.
    private static func shown(_ step: SessionStory.Step, _ policy: ResolvedPolicy) -> String? {
        guard step.contentDefinition != nil else { return nil }
        return step.items.first { item in
            item.kind == .profile && policy.profile(item.id).map { policy[$0].handler.showsPage } ?? false
        }?.id
    }

    /// Whether a validation technical profile signs in with a password at the directory.
    private static func isLogin(_ item: SessionStory.Item, _ policy: ResolvedPolicy) -> Bool {
        policy.profile(item.id).map {
            policy[$0].metadata["grant_type"]?.lowercased() == "password"
                || item.id.lowercased().hasPrefix("login-noninteractive")
        } ?? false
    }

    private static func isPassword(_ item: SessionStory.Item) -> Bool {
        item.error?.deepest.lowercased().contains("password") ?? false
    }

    /// Whether the session ends because nobody has the account.
    static func isUnknownAccount(_ story: SessionStory, _ policy: ResolvedPolicy) -> Bool {
        guard case .waiting = story.end,
            let refused = story.steps.last?.items.last(where: { $0.error != nil && !$0.isRetried })
        else { return false }
        return refused.kind == .validation && isLogin(refused, policy) && !isPassword(refused)
    }

    /// Whether the person came to a page that makes an account, although they may not have got one.
    static func isSignUp(_ story: SessionStory, _ policy: ResolvedPolicy) -> Bool {
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
