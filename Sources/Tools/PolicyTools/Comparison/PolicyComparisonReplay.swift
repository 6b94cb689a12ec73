import Exploration
import JSON
import TrustFramework
import Verbs

/// What happens on a path beside what an exploration tries: time passes, the app refreshes its tokens, the person comes
/// back, an administrator changes the account, or other values are typed. It is played with both states of a policy.
struct PolicyReplay {
    /// Sets its script apart from others of the same path: lower case letters, digits and hyphens.
    var name: String
    /// What happens, as the end of a path in words.
    var words: String
    /// Steps after those of the path.
    var after: [Step] = []
    /// A patch over the request of each sign-in of the path.
    var request: JSONObject?
    /// A patch over the script's `configure`.
    var configure: JSONObject?
    /// What is typed into a field, and into those that repeat it, instead of what the path says.
    var typed: (field: String, value: String)?
    /// What happens before the first code, or password, of the path is typed.
    var beforeCode: CodeAct?
    /// Whether the person ticks the box that keeps them signed in, where a page offers it.
    var keepsSignedIn = false

    /// Whether the path may end before all of its acts.
    var mayEndEarly = false

    /// What happens before a code or a password is typed.
    enum CodeAct {
        /// Seconds pass.
        case wait(Int)
        /// So many wrong codes are typed.
        case wrongCodes(Int)
        /// The code is asked for so many times more.
        case moreCodes(Int)
        /// So many wrong passwords are typed, before a password and not before a code.
        case wrongPasswords(Int)

        /// Whether a page that is filled in so comes after it.
        func precedes(_ fill: JSONObject) -> Bool {
            if case .wrongPasswords = self { return fill["password"] != nil }
            return fill["code"]?.stringValue?.hasPrefix("{{inbox") == true
        }
    }

    /// The script of a path with this.
    func applied(to script: ExplorationScript) -> ExplorationScript {
        var script = script
        script.name += "-" + name
        let path = script.scenario.name
        script.scenario.name = path.isEmpty ? words : "\(path); \(words)"
        if let description = script.scenario.description {
            script.scenario.description = String(description.dropLast()) + "; \(words)."
        }
        if let configure {
            script.scenario.configure = (script.scenario.configure ?? [:]).merging(patch: .object(configure))
        }
        var isBefore = true
        for index in script.scenario.steps.indices where script.scenario.steps[index].verb == .acquireToken {
            var step = script.scenario.steps[index]
            if let request { step.parameters = step.parameters.merging(patch: .object(request)) }
            let actions = (step.user?.arrayValue ?? []).flatMap { changed($0, &isBefore) }
            if !actions.isEmpty {
                step.user = .array(
                    actions.enumerated().map { place, action in
                        mayEndEarly && place > 0 ? action.merging(patch: ["optional": true]) : action
                    })
            }
            script.scenario.steps[index] = step
        }
        script.scenario.steps += after
        return script
    }

    private func changed(_ action: JSONValue, _ isBefore: inout Bool) -> [JSONValue] {
        guard var object = action.objectValue, let fill = object["fill"]?.objectValue else { return [action] }
        if let typed, let usual = fill[typed.field] {
            let fields = fill.members.map { ($0.key, $0.value == usual ? .string(typed.value) : $0.value) }
            object["fill"] = .object(JSONObject(fields))
            return [.object(object)]
        }
        guard let beforeCode, isBefore, beforeCode.precedes(fill) else { return [action] }
        isBefore = false
        func more(_ count: Int, _ members: JSONObject) -> [JSONValue] {
            var act: JSONObject = ["on": object["on"] ?? .null, "optional": true]
            for (name, value) in members.members { act[name] = value }
            return Array(repeating: .object(act), count: max(0, count)) + [action]
        }
        switch beforeCode {
        case .wait(let seconds):
            object["wait"] = .string("PT\(seconds)S")
            return [.object(object)]
        case .wrongCodes(let count):
            return more(count, ["fill": ["code": "000000"], "press": "verifyCode"])
        case .moreCodes(let count):
            return more(count, ["press": "resendCode"])
        case .wrongPasswords(let count):
            var other = fill
            other["password"] = "Wrong-Password-9"
            return more(count, ["fill": .object(other)])
        }
    }

    /// Whether it changes anything of a path.
    func fits(_ script: ExplorationScript) -> Bool {
        let fills = script.scenario.steps.flatMap { $0.user?.arrayValue ?? [] }
            .compactMap { $0["fill"]?.objectValue }
        if let typed { return fills.contains { $0[typed.field] != nil } }
        if let beforeCode { return fills.contains { beforeCode.precedes($0) } }
        return true
    }
}

// MARK: After a sign-in

extension PolicyReplay {
    /// What follows any sign-in. What it shows depends on more than on numbers that can be compared: on the journey of
    /// the token endpoint, on session providers, on what the directory is asked.
    ///
    /// - Parameters:
    ///   - policy: The policy's name in the script.
    ///   - states: What the name stands for.
    static func afterwards(_ policy: String, of states: [ResolvedPolicy]) -> [PolicyReplay] {
        let visits = [refresh(policy), comesBack(policy)]
        let pause = pause(of: states)
        func administrator(_ name: String, _ words: String, _ patch: JSONValue) -> PolicyReplay {
            let change = Configure { $0.value = ["users": ["visitor": patch]] }
            return PolicyReplay(
                name: name, words: "an administrator \(words); the app refreshes its tokens; the person comes back",
                after: [wait(pause), Step(change), wait(60)] + visits)
        }
        return [
            PolicyReplay(
                name: "again", words: "the app refreshes its tokens; the person comes back", after: [wait(60)] + visits),
            PolicyReplay(
                name: "signed-out", words: "the person signs out and comes back",
                after: [wait(60), Step(SignOut { $0.fromBrowser = true }, expect: anyEnd), comesBack(policy)]),
            administrator("revoked", "revokes the sessions", ["refreshTokensValidFrom": "{{now}}"]),
            administrator("disabled", "disables the account", ["accountEnabled": false]),
            administrator("renamed", "changes the account's name", ["displayName": "Changed Name"]),
        ]
    }

    /// Somebody signs up with an address that an account has already; `nil` for every other path.
    static func signsUpAgain(_ script: ExplorationScript) -> PolicyReplay? {
        guard script.visits.isEmpty, let visitor = script.scenario.configure?["users", "visitor"],
            visitor["registered"] == false, let email = visitor["email"]
        else { return nil }
        return PolicyReplay(
            name: "address-exists", words: "an account has the address already",
            configure: ["users": ["twin": ["email": email, "password": "Password-1850"]]], mayEndEarly: true)
    }

    /// Seconds after which instants differ to every claims transformation that compares two of them: a policy may count a
    /// token as new for minutes after it was revoked.
    private static func pause(of policies: [ResolvedPolicy]) -> Int {
        let parameters = policies.flatMap { $0.transformations.flatMap(\.inputParameters) }
        let spans = parameters.compactMap { parameter -> Int? in
            guard let number = Int(parameter.value) else { return nil }
            switch parameter.id.lowercased() {
            case "treatasequalifwithinmillseconds", "treatasequalifwithinmilliseconds":
                return Int(min(number.magnitude, 1 << 40)) / 1000
            case "timespaninseconds": return Int(min(number.magnitude, 1 << 40))
            default: return nil
            }
        }
        // Refresh tokens last for a day at least.
        return 60 + min(spans.max() ?? 0, 80_000)
    }

    /// Both sides of each number of either policy that says how long something lasts, where the two differ.
    ///
    /// - Parameter other: The name of another policy that the same browser is used with; `nil`: there is none.
    package static func lifetimes(
        of policy: String, old: ResolvedPolicy, new: ResolvedPolicy, other: String?, left: inout [String]
    ) -> [PolicyReplay] {
        refreshLimits(of: policy, old: old, new: new, left: &left)
            + sessionLimits(of: policy, old: old, new: new, other: other, left: &left)
    }

    private static func refreshLimits(
        of policy: String, old: ResolvedPolicy, new: ResolvedPolicy, left: inout [String]
    ) -> [PolicyReplay] {
        guard let before = old.tokenIssuer, let after = new.tokenIssuer else { return [] }
        var replays: [PolicyReplay] = []
        let lives = [before, after].map { Int(clamping: $0.refreshTokenLifetime.milliseconds / 1000) }
        if lives[0] != lives[1] {
            replays += bothSides(of: lives).map { seconds in
                PolicyReplay(
                    name: "refresh-\(seconds)", words: "after \(span(seconds)) the app refreshes its tokens",
                    after: [wait(seconds), refresh(policy)])
            }
        }
        let windows = [before, after].map { $0.slidingWindow.map { Int(clamping: $0.milliseconds / 1000) } }
        guard windows[0] != windows[1] else { return replays }
        let pause = max(60, (lives.min() ?? 86_400) - 3600)
        for seconds in bothSides(of: windows.compactMap(\.self)) {
            let rounds = seconds / pause
            guard rounds <= mostRounds else {
                left.append(
                    "refresh tokens after \(span(seconds)), which needs \(rounds) refreshes: at most \(mostRounds) are "
                        + "made")
                continue
            }
            let rest = seconds - rounds * pause
            let steps = (0..<rounds).flatMap { _ in [wait(pause), refresh(policy)] }
            replays.append(
                PolicyReplay(
                    name: "window-\(seconds)",
                    words: "the app refreshes its tokens every \(span(pause)), the last time after \(span(seconds))",
                    after: steps + [wait(max(1, rest)), refresh(policy)]))
        }
        return replays
    }

    /// Refreshes of one replay at most.
    private static let mostRounds = 60

    private static func sessionLimits(
        of policy: String, old: ResolvedPolicy, new: ResolvedPolicy, other: String?, left: inout [String]
    ) -> [PolicyReplay] {
        let (before, after) = (old.sessionBehavior, new.sessionBehavior)
        var replays: [PolicyReplay] = []
        let lives = [before.expiryInSeconds, after.expiryInSeconds]
        let back = comesBack(policy)
        if before.expiryInSeconds != after.expiryInSeconds || before.expiryType != after.expiryType {
            replays += bothSides(of: lives).map { seconds in
                PolicyReplay(
                    name: "again-\(seconds)", words: "after \(span(seconds)) the person comes back",
                    after: [wait(seconds), back])
            }
            // A rolling session starts again each time, an absolute one does not.
            replays += Set(lives).sorted().map { life in
                let part = life * 6 / 10
                return PolicyReplay(
                    name: "again-\(life)-twice",
                    words: "the person comes back after \(span(part)), and once more after as long",
                    after: [wait(part), back, wait(part), back])
            }
        }
        if before.scope != after.scope {
            replays.append(
                PolicyReplay(
                    name: "other-app", words: "the person comes to another app with the same browser",
                    after: [wait(60), comesBack(policy, client: otherApp)],
                    configure: ["apps": .object(JSONObject([(otherApp, app(policy))]))]))
            if let other {
                replays.append(
                    PolicyReplay(
                        name: "other-policy", words: "the person comes to \(other) with the same browser",
                        after: [wait(60), comesBack(other)]))
            } else {
                left.append("single sign-on to another policy: there is no other policy to come to")
            }
        }
        if before.enforceIdTokenHintOnLogout != after.enforceIdTokenHintOnLogout {
            let visit = Open {
                $0.request.endpoint = .logout
                $0.request.policy = policy
            }
            replays.append(
                PolicyReplay(
                    name: "plain-sign-out", words: "the browser signs out without an id_token_hint",
                    after: [wait(60), Step(visit, expect: anyEnd), back]))
        }
        return replays + keepSignedIn(policy, old, new)
    }

    /// The browser is closed and opened again, where what keeps people signed in differs.
    private static func keepSignedIn(
        _ policy: String, _ old: ResolvedPolicy, _ new: ResolvedPolicy
    ) -> [PolicyReplay] {
        let (before, after) = (old.sessionBehavior, new.sessionBehavior)
        let offers = [old, new].map(offersKeepSignedIn)
        guard before.keepAliveInDays != after.keepAliveInDays || offers[0] != offers[1] else { return [] }
        let restart = Step(Restart { $0.what = .browser })
        func kept(_ name: String, _ words: String, _ seconds: Int) -> PolicyReplay {
            PolicyReplay(
                name: "kept-\(name)", words: "the person ticks \"keep me signed in\", \(words)",
                after: [restart, wait(seconds), comesBack(policy)], keepsSignedIn: true)
        }
        let days = [before.keepAliveInDays, after.keepAliveInDays].filter { $0 > 0 }
        let limits = days.map { $0 * 86_400 } + [before.expiryInSeconds, after.expiryInSeconds]
        return [kept("restart", "closes the browser and comes back", 60)]
            + bothSides(of: limits).map { seconds in
                kept("\(seconds)", "closes the browser and comes back after \(span(seconds))", seconds)
            }
    }

    /// Whether a page of the policy asks whether the person wants to stay signed in.
    static func offersKeepSignedIn(_ policy: ResolvedPolicy) -> Bool {
        policy.sessionBehavior.keepAliveInDays > 0 && policy.profiles.contains(where: hasBox)
    }

    /// Whether the page of a technical profile has the box.
    static func hasBox(_ profile: TechnicalProfile) -> Bool {
        profile.metadata.bool("setting.enableRememberMe", default: false)
    }

    // MARK: Requests

    /// The first page in each further language.
    static func languages(_ tags: [String]) -> [PolicyReplay] {
        tags.map { tag in
            PolicyReplay(
                name: "language-\(tag.lowercased())", words: "all with ui_locales=\(tag)",
                request: ["extraQueryParameters": ["ui_locales": .string(tag)]])
        }
    }

    /// The person comes with each of the domains as a hint.
    static func domains(_ domains: [String]) -> [PolicyReplay] {
        domains.map { domain in
            PolicyReplay(
                name: "domain-" + String(domain.lowercased().map { $0.isASCII && $0.isLetter ? $0 : "-" }),
                words: "with domain_hint=\(domain)", request: ["domainHint": .string(domain)])
        }
    }

    // MARK: Codes

    /// Both sides of the limit of one-time codes that a metadata item has, where it differs.
    static func codes(_ key: String, _ limits: [Int]) -> [PolicyReplay] {
        let values = limits.map { min(max(0, $0), 100_000) }
        return switch key.lowercased() {
        case "codeexpirationinseconds":
            bothSides(of: values, by: 5).map { seconds in
                PolicyReplay(
                    name: "code-\(seconds)", words: "the code is typed after \(span(seconds))",
                    beforeCode: .wait(seconds))
            }
        case "numretryattempts":
            bothSides(of: values, by: 1).filter { $0 <= mostRounds }.map { count in
                PolicyReplay(
                    name: "wrong-\(count)", words: "\(count) wrong codes are typed before the right one",
                    beforeCode: .wrongCodes(count))
            }
        case "setting.retrylimit":
            bothSides(of: values, by: 1).filter { $0 <= mostRounds }.map { count in
                PolicyReplay(
                    name: "wrong-password-\(count)", words: "\(count) wrong passwords are typed before the right one",
                    beforeCode: .wrongPasswords(count))
            }
        case "numcodegenerationattempts":
            bothSides(of: values, by: 1).filter { $0 <= mostRounds }.map { count in
                PolicyReplay(
                    name: "resend-\(count)", words: "the code is asked for \(count) times more",
                    beforeCode: .moreCodes(count))
            }
        default: []
        }
    }

    /// Metadata items of ``codes(_:_:)``, with what holds without them ("Microsoft docs:
    /// one-time-password-technical-profile").
    static let codeLimits: [(key: String, standard: Int)] = [
        ("CodeExpirationInSeconds", 600), ("NumRetryAttempts", 5), ("NumCodeGenerationAttempts", 10),
        // Without it a page is never exhausted.
        ("setting.retryLimit", 20),
    ]

    // MARK: Steps

    /// Whatever a step ends in: what is compared is the outcome itself.
    static let anyEnd: JSONValue = [
        "$any": [["result": ["$exists": true]], ["error": ["$exists": true]], ["pending": ["$exists": true]]]
    ]

    /// Numbers on both sides of each limit and between two limits, in order.
    private static func bothSides(of limits: [Int], by margin: Int = 60) -> [Int] {
        let sorted = Set(limits).sorted()
        let between = zip(sorted, sorted.dropFirst()).map { $0 + ($1 - $0) / 2 }
        return Set(between + sorted.flatMap { [$0 - margin, $0 + margin] }).filter { $0 > 0 }.sorted()
    }

    private static func wait(_ seconds: Int) -> Step { .wait(seconds: seconds) }

    private static func refresh(_ policy: String) -> Step {
        var step = Step.refresh(policy: policy)
        step.expect = anyEnd
        return step
    }

    /// Nobody acts: a page shows that the person has to sign in.
    private static func comesBack(_ policy: String, client: String? = nil) -> Step {
        Step(AcquireToken { $0.target.policy = policy }, client: client, expect: anyEnd)
    }

    private static let otherApp = "otherApp"

    private static func app(_ policy: String) -> JSONValue {
        ["client": ["kind": "msal-ios", "policy": .string(policy)], "platform": ["bundleId": "com.contoso.other"]]
    }

    /// A number of seconds in words.
    package static func span(_ seconds: Int) -> String {
        func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
        let parts = [
            (seconds / 86_400, "day"), (seconds % 86_400 / 3600, "hour"), (seconds % 3600 / 60, "minute"),
            (seconds % 60, "second"),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { count($0.0, $0.1) }
        return shown.isEmpty ? "0 seconds" : shown.joined(separator: " ")
    }
}
