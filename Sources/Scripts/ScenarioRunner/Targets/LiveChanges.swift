import Exchanges
import JSON
import Scenarios
import TenantFiles
import Verbs

/// Finds what a scenario would change in a real tenant: people who sign up, edit their profile or set a password.
///
/// Steps are given with everything filled in that is known before the first request. What stays open counts as a
/// change, so that a policy's name in an answer cannot set a password.
enum LiveChanges {
    /// The first change in words: `the step "sign up" signs somebody up`; nil where nothing changes.
    static func first(in variant: ScenarioVariant, _ steps: [Step]) -> String? {
        let search = Search(variant: variant, steps: steps)
        for step in steps {
            if let what = search.change(of: step) { return "the step \(step.title) \(what)" }
        }
        return nil
    }

    /// The people of the tenant file who act in a step.
    static func people(of user: JSONValue?) -> [String] {
        if let name = user?.stringValue { return [name] }
        return (user?.arrayValue ?? []).compactMap { $0.stringValue ?? $0["as"]?.stringValue }
    }

    /// Everybody who acts in these steps.
    static func people(of steps: [Step]) -> [String] {
        var names: [String] = []
        for step in steps {
            for name in people(of: step.user) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    private struct Search {
        let variant: ScenarioVariant
        let steps: [Step]

        private var tenant: Tenant { variant.scenario.tenant.tenant }

        func change(of step: Step) -> String? {
            if let what = changeByHand(step) { return what }
            guard let user = step.user else { return nil }
            for name in policies(of: step) {
                guard let policy = tenant.policy(named: name) else {
                    return "names its policy by `\(name)`, and what that is shows only when it runs"
                }
                switch policy.type {
                case .passwordReset: return "resets a password"
                case .profileEditing: return "edits a profile"
                case .signUp: return "signs somebody up"
                case .custom:
                    return "runs the custom policy `\(name)`, which may change anything (its true `type`, such as "
                        + "`signIn`, says that it does not)"
                case .signUpOrSignIn, .signIn, .ropc: break
                }
            }
            for name in people(of: user) {
                guard let person = tenant.user(named: name) else {
                    return "is acted by `\(name)`, and who that is shows only when it runs"
                }
                if !person.registered { return "signs `\(name)` up" }
            }
            return change(ofPressing: user.arrayValue ?? [])
        }

        private func change(ofPressing actions: [JSONValue]) -> String? {
            for (index, action) in actions.enumerated() {
                let press = action["press"]?.stringValue ?? ""
                if Interpolation.isNeeded(in: .string(press)) { return "presses what shows only when it runs" }
                if ["signUp", "createAccount"].contains(press) { return "presses sign-up" }
                if press == "forgotPassword", index + 1 < actions.count {
                    return "goes on after it has pressed that the password is forgotten"
                }
                for name in ["newPassword", "reenterPassword"] where action["fill"]?[name] != nil {
                    return "types a new password"
                }
            }
            return nil
        }

        /// Posts to pages that a script makes itself.
        private func changeByHand(_ step: Step) -> String? {
            guard let call = step.call(HTTP.self), call.method != "GET" else { return nil }
            let texts = Self.texts(in: step.parameters).map { $0.lowercased() }
            return texts.contains { $0.contains("/selfasserted") || $0.contains("/phonefactor") }
                ? "posts to a page by hand" : nil
        }

        /// The policies that a step may be about, by name: the one it names, else those that its app may have; and
        /// every one whose id is in an address of the step. A step that continues with a page may be about the policies
        /// of all steps.
        private func policies(of step: Step) -> [String] {
            if step.verb == .resume || step.verb == .deliver {
                return steps.filter { $0.verb != .resume && $0.verb != .deliver && $0.verb != .http }.flatMap {
                    policies(of: $0)
                }
            }
            var names: [String] = []
            if let name = step.record.authority.policy {
                names.append(name)
            } else if [.acquireToken, .open, .signOut].contains(step.verb) {
                let app = variant.scenario.client(named: step.client ?? variant.scenario.app ?? "").app
                names += [tenant.app(named: app)?.client.policy].compactMap { $0 } + patchedPolicies
            }
            let texts = Self.texts(in: step.parameters).map { $0.lowercased() }
            for policy in tenant.policies where texts.contains(where: { $0.contains(policy.id.lowercased()) }) {
                names.append(policy.name)
            }
            return names
        }

        /// Policies that settings of the script give to apps.
        private var patchedPolicies: [String] {
            let patches =
                variant.configure
                + steps.filter { $0.verb == .configure || $0.verb == .createClient }.map(\.parameters)
            return patches.flatMap { Self.members("policy", in: $0) }
        }

        private static func texts(in value: JSONValue) -> [String] {
            switch value {
            case .string(let text): [text]
            case .array(let elements): elements.flatMap { texts(in: $0) }
            case .object(let object): object.members.flatMap { texts(in: $0.value) }
            default: []
            }
        }

        private static func members(_ name: String, in value: JSONValue) -> [String] {
            (value.objectValue?.members ?? []).flatMap { member in
                member.key == name ? [member.value.stringValue].compactMap { $0 } : members(name, in: member.value)
            }
        }
    }
}
