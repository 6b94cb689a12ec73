import B2CProtocol
import JSON
import Scenarios

/// Finds what a scenario would change in a real tenant: people who sign up, edit their profile or set a password.
enum LiveChanges {
    /// The first change in words: `the step "sign up" signs somebody up`; nil where nothing changes.
    static func first(in variant: ScenarioVariant) -> String? {
        for step in (variant.steps + variant.finally).flatMap(\.withInner) {
            if let what = change(of: step, in: variant) { return "the step \(step.title) \(what)" }
        }
        return nil
    }

    private static func change(of step: Step, in variant: ScenarioVariant) -> String? {
        guard let user = step.user else { return nil }
        let tenant = variant.scenario.tenant.tenant
        let app = variant.scenario.client(named: step.client ?? variant.scenario.app ?? "").app
        let name = step.parameters["policy"]?.stringValue ?? tenant.app(named: app)?.client.policy
        switch name.flatMap({ tenant.policy(named: $0) })?.type {
        case .passwordReset: return "resets a password"
        case .profileEditing: return "edits a profile"
        case .signUp: return "signs somebody up"
        default: break
        }
        for name in people(of: user) where tenant.user(named: name)?.registered == false {
            return "signs `\(name)` up"
        }
        for action in user.arrayValue ?? [] where ["signUp", "createAccount"].contains(action["press"]?.stringValue) {
            return "presses sign-up"
        }
        return nil
    }

    /// The people of the tenant file who act in a step.
    static func people(of user: JSONValue?) -> [String] {
        if let name = user?.stringValue { return [name] }
        return (user?.arrayValue ?? []).compactMap { $0.stringValue ?? $0["as"]?.stringValue }
    }

    /// Everybody who acts in a scenario.
    static func people(of variant: ScenarioVariant) -> [String] {
        var names: [String] = []
        for step in (variant.steps + variant.finally).flatMap(\.withInner) {
            for name in people(of: step.user) where !names.contains(name) { names.append(name) }
        }
        return names
    }
}
