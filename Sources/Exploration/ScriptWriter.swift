import Determinism
import Diagnostics
import JSON
import TrustFramework

/// A path through a policy as a scenario.
public struct ExplorationScript: Sendable {
    /// A name for its file, without an ending; the same path has the same name.
    public var name: String
    /// The rule of the finding that it shows; `nil`: it shows what the policy does.
    public var rule: String?
    /// The scenario without its tenant and app.
    public var scenario: JSONObject
    /// Technical profiles of identity providers that the person signs in at, and whether an account is there already.
    public var providers: [String]
    public var hasAccount: Bool
}

/// Why a path cannot be written as a script, in one sentence.
public struct Unscriptable: Error, Sendable {
    public var reason: String
}

extension Exploration {
    /// What of a finding can be written.
    public struct Written: Sendable {
        public var rule: String
        public var message: String
        public var script: Result<ExplorationScript, Unscriptable>
    }

    /// The counter-examples of all findings that have a path.
    ///
    /// A script expects what a sound policy does: it fails now, and passes once the policy is fixed.
    ///
    /// - Parameters:
    ///   - policy: The policy's name in the tenant file.
    ///   - app: The app's name there.
    public func counterExamples(policy name: String) -> [Written] {
        shownBy().map { shown in
            Written(rule: shown.rule, message: shown.message, script: script(shown, name))
        }
    }

    /// A path with what a sound policy does at its end.
    private struct ShownBy {
        var rule: String
        var message: String
        var trail: Int
        /// `nil`: a script cannot tell.
        var expected: JSONValue?
    }

    private static let noToken: JSONValue = [
        "$any": [["error": ["$exists": true]], ["pending": ["$exists": true]]]
    ]

    private func shownBy() -> [ShownBy] {
        var shown: [ShownBy] = []
        for notice in notices {
            let (rule, message) = words(notice)
            shown.append(ShownBy(rule: rule, message: message, trail: notice.trail, expected: expected(notice)))
        }
        if let (factor, bare) = bareToken {
            shown.append(
                ShownBy(
                    rule: "B2C-EXP-014", message: "a path reaches a token without \(factor)", trail: bare,
                    expected: Self.noToken))
        }
        for lost in claimsLost {
            shown.append(
                ShownBy(
                    rule: "B2C-EXP-015", message: "claim \(lost.name) is missing from the next token",
                    trail: lost.trail,
                    expected: ["result": ["idToken": ["claims": .object([lost.name: ["$exists": true]])]]]))
        }
        for (invariant, asked) in zip(invariants.all, asked) {
            guard let trail = asked.broken else { continue }
            var expected: JSONValue?
            if invariant.event == .token {
                let claims = invariant.always?["claims"]
                let isAboutClaims = claims != nil && invariant.always?.objectValue?.keys == ["claims"]
                expected =
                    isAboutClaims
                    ? [
                        "$any": [
                            ["error": ["$exists": true]], ["pending": ["$exists": true]],
                            ["result": ["idToken": ["claims": claims ?? .null]]],
                        ]
                    ] : Self.noToken
            }
            shown.append(
                ShownBy(
                    rule: "B2C-EXP-020", message: "\"\(invariant.name)\" does not hold", trail: trail,
                    expected: expected))
        }
        return shown
    }

    private func words(_ notice: Notice) -> (rule: String, message: String) {
        switch notice.kind {
        case .forged: ("B2C-EXP-006", "\(notice.subject) is accepted")
        case .unverified: ("B2C-EXP-007", "claim \(notice.subject) holds an e-mail address that nobody verified")
        case .disabled: ("B2C-EXP-008", "\(notice.subject) gets a token")
        case .disabledSocial: ("B2C-EXP-018", "\(notice.subject) gets a token")
        case .overwritten: ("B2C-EXP-009", "a sign-up changes the password of an account that exists already")
        case .exception: ("B2C-EXP-010", "ordinary input ends the journey: \(notice.subject)")
        case .writtenThoughFailed: ("B2C-EXP-011", "an account is written though the journey then fails")
        case .writtenThoughRefused:
            ("B2C-EXP-012", "page \(notice.subject) refuses after the directory has been written")
        case .notSimulated: ("B2C-EXP-013", "not explored further: \(notice.subject)")
        case .unproved: ("B2C-EXP-019", "somebody who has proved nothing gets a token")
        case .factorForgotten: ("B2C-EXP-022", "page \(notice.subject) asks for a number again")
        case .madeAgain: ("B2C-EXP-023", "somebody who comes again from \(notice.subject) gets a further account")
        }
    }

    /// What a sound policy does at the end of a notice's path; `nil`: no outcome of a step shows it.
    private func expected(_ notice: Notice) -> JSONValue? {
        switch notice.kind {
        case .forged, .overwritten:
            // The page stays.
            return lastPage(notice.trail).map { ["pending": ["page": $0.json]] }
        case .unverified:
            return [
                "$any": [
                    ["error": ["$exists": true]], ["pending": ["$exists": true]],
                    ["result": ["idToken": ["claims": .object([notice.subject: ["$exists": false]])]]],
                ]
            ]
        case .disabled, .disabledSocial, .unproved: return Self.noToken
        case .exception:
            return [
                "$any": [["result": ["$exists": true]], ["pending": ["page": ["name": ["$not": "error"]]]]]
            ]
        case .factorForgotten:
            return [
                "$any": [
                    ["result": ["$exists": true]],
                    ["pending": ["page": ["technicalProfile": ["$not": .string(notice.subject)]]]],
                ]
            ]
        case .writtenThoughFailed, .writtenThoughRefused, .notSimulated, .madeAgain: return nil
        }
    }

    /// The page at which the path's last act is done.
    private func lastPage(_ trail: Int) -> PageMark? {
        var place: Int? = trail
        while let index = place {
            for act in self.trail[index].script.reversed() {
                switch act {
                case .page(let mark, _, _), .code(let mark): return mark
                case .provider, .call: continue
                }
            }
            place = self.trail[index].parent
        }
        return nil
    }

    private func script(_ shown: ShownBy, _ policy: String) -> Result<ExplorationScript, Unscriptable> {
        guard let expected = shown.expected else {
            return .failure(Unscriptable(reason: "what is wrong does not show in the outcome of a step"))
        }
        do throws(Unscriptable) {
            var script = try self.script(shown.trail, policy, isOptional: true)
            script.rule = shown.rule
            script.name = "\(shown.rule)-\(fingerprint(shown.trail, shown.message))"
            script.scenario["name"] = .string("\(shown.rule): \(shown.message)")
            script.scenario["tags"] = ["explored", .string(shown.rule)]
            if var steps = script.scenario["steps"]?.arrayValue, let last = steps.indices.last {
                var step = steps[last].objectValue ?? JSONObject()
                step["expect"] = expected
                steps[last] = .object(step)
                script.scenario["steps"] = .array(steps)
            }
            return .success(script)
        } catch {
            return .failure(error)
        }
    }

    /// A few letters and digits that differ between paths.
    private func fingerprint(_ trail: Int, _ more: String) -> String {
        let hash = (path(trail).joined(separator: "\n") + more).utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(("0000000000000" + String(hash, radix: 36)).suffix(6))
    }

    // MARK: Suites

    /// The fewest paths, as far as is easily found, that together run everything that any path runs. Their scripts say
    /// nothing yet of what they expect.
    public func suite(policy name: String) -> (scripts: [ExplorationScript], left: [Unscriptable]) {
        var parents: [Int: Set<Int>] = [:]
        func news(_ trail: Int) -> Set<Int> {
            if let known = parents[trail] { return known }
            let found = self.news(trail)
            parents[trail] = found
            return found
        }
        let all = Set(trail.indices.filter { trail[$0].news > 0 })
        var scripts: [ExplorationScript] = []
        var left: [Unscriptable] = []
        var open = all
        var candidates = ends(news)
        while !open.isEmpty {
            let gains = candidates.map { news($0).intersection(open).count }
            guard let best = candidates.indices.max(by: { gains[$0] < gains[$1] || gains[$0] == gains[$1] && $0 > $1 }),
                gains[best] > 0
            else { break }
            let end = candidates.remove(at: best)
            do throws(Unscriptable) {
                scripts.append(try named(end, name, isOptional: false))
                open.subtract(news(end))
            } catch {
                left.append(error)
            }
        }
        return (scripts, left)
    }

    /// Acts of a path that ran something for the first time.
    private func news(_ trail: Int) -> Set<Int> {
        var found: Set<Int> = []
        var place: Int? = trail
        while let index = place {
            if self.trail[index].news > 0 { found.insert(index) }
            place = self.trail[index].parent
        }
        return found
    }

    /// Where paths end: with a token, without one, and where something ran for the first time that no end has.
    private func ends(_ news: (Int) -> Set<Int>) -> [Int] {
        let ends = issues.map(\.trail) + self.ends.map(\.trail)
        let all = Set(trail.indices.filter { trail[$0].news > 0 })
        // What leads to no end that is known ends where it is.
        let reached = ends.reduce(into: Set<Int>()) { $0.formUnion(news($1)) }
        return ends + all.subtracting(reached).sorted()
    }

    /// A script of every path that ends in its own way, shortest first, without an expectation. Actions are optional: the
    /// path may end earlier with another policy.
    ///
    /// - Parameters:
    ///   - name: The policy's name in the tenant file.
    ///   - most: How many at most.
    public func paths(policy name: String, most: Int) -> (scripts: [ExplorationScript], left: Int) {
        var known: Set<Int> = []
        let ends = ends(news).filter { known.insert($0).inserted }.map { (end: $0, length: path($0).count) }
            .sorted { $0.length < $1.length }.map(\.end)
        var scripts: [ExplorationScript] = []
        for end in ends where scripts.count < most {
            // A path that has no script (a provider without e-mail address) is one less to compare.
            if let script = try? named(end, name, isOptional: true) { scripts.append(script) }
        }
        return (scripts, ends.count - scripts.count)
    }

    private func named(_ end: Int, _ policy: String, isOptional: Bool) throws(Unscriptable) -> ExplorationScript {
        var script = try self.script(end, policy, isOptional: isOptional)
        let start = starts.indices.contains(startIndex(end)) ? starts[startIndex(end)].person.name : "person"
        script.name = "\(start)-\(fingerprint(end, ""))"
        script.scenario["name"] = .string(told(end))
        script.scenario["tags"] = ["explored"]
        return script
    }

    private func startIndex(_ trail: Int) -> Int {
        var place: Int? = trail
        while let index = place {
            if let start = self.trail[index].start { return start }
            place = self.trail[index].parent
        }
        return -1
    }

    // MARK: A path

    /// - Parameter isOptional: Later actions may stay undone, since a policy that was fixed may end the path early.
    private func script(
        _ trail: Int, _ policy: String, isOptional: Bool
    ) throws(Unscriptable) -> ExplorationScript {
        var places: [Int] = []
        var place: Int? = trail
        while let index = place {
            places.append(index)
            place = self.trail[index].parent
        }
        places.reverse()
        var builder = ScriptBuilder(policy: policy, isOptional: isOptional)
        for index in places {
            let step = self.trail[index]
            if let start = step.start { builder.enter(starts[start]) }
            for act in step.script { try builder.take(act) }
        }
        return try builder.script(description: "Path: \(told(trail)).")
    }
}

/// Puts the acts of a path together.
private struct ScriptBuilder {
    let policy: String
    let isOptional: Bool
    private var person: Roster.Person?
    private var steps: [JSONValue] = []
    private var actions: [JSONValue] = []
    private var isOpen = false
    private var providers: [String] = []
    private var calls: [(profile: String, url: String, replies: [JSONValue], isLate: Bool)] = []
    /// The name of the person in the script.
    private static let name = "visitor"
    /// Somebody whose phone rings when the person gives a number that is on no record of theirs.
    private static let phone = "phone"
    private var number: String?
    /// Whose inbox has the code that was asked for last.
    private var owner = Self.name

    init(policy: String, isOptional: Bool) {
        self.policy = policy
        self.isOptional = isOptional
    }

    /// Somebody comes, the first time or again.
    mutating func enter(_ start: Explorer.Start) {
        close()
        if person == nil {
            person = start.person
        } else if start.session == nil {
            steps.append([
                "name": "The browser forgets the session", "restart": ["what": "browser", "wipe": ["cookies"]],
            ])
        }
        isOpen = true
    }

    private mutating func close() {
        guard isOpen else { return }
        var step: JSONObject = ["acquireToken": ["policy": .string(policy)]]
        if !actions.isEmpty { step["user"] = .array(actions) }
        steps.append(.object(step))
        actions = []
        isOpen = false
    }

    mutating func take(_ act: ScriptAct) throws(Unscriptable) {
        var action: JSONObject = [:]
        switch act {
        case .page(let mark, let fill, let press):
            action["on"] = mark.json
            if !fill.isEmpty {
                var fields = JSONObject()
                for (name, value) in fill { fields[name] = .string(value) }
                action["fill"] = .object(fields)
            }
            if press == "sendCode" { owner = Self.name }
            if let given = fill.first(where: { $0.name == "phone" })?.value, given != person?.text("phone") {
                number = given
                owner = Self.phone
            }
            action["press"] = press.map { .string($0) }
        case .code(let mark):
            action["on"] = mark.json
            action["fill"] = ["code": .string("{{inbox/\(owner)/code}}")]
            action["press"] = "verifyCode"
        case .provider(let profile, let answer):
            guard answer != .withoutAddress else {
                throw Unscriptable(reason: "a stub provider always gives an e-mail address")
            }
            if !providers.contains(profile) { providers.append(profile) }
            action["on"] = "provider"
            if answer == .refused { action["press"] = "cancel" } else { action["as"] = .string(Self.name) }
        case .call(let profile, let url, let status, let json):
            if !calls.contains(where: { $0.profile == profile }) { calls.append((profile, url, [], status == nil)) }
            guard let place = calls.firstIndex(where: { $0.profile == profile }) else { return }
            guard calls[place].isLate == (status == nil) else {
                throw Unscriptable(reason: "\(profile) answers once and not the other time")
            }
            if let status {
                var reply: JSONObject = ["status": .integer(Int64(status))]
                reply["json"] = json
                calls[place].replies.append(.object(reply))
            }
            return
        }
        if isOptional, !actions.isEmpty { action["optional"] = true }
        actions.append(.object(action))
    }

    mutating func script(description: String) throws(Unscriptable) -> ExplorationScript {
        close()
        guard let person else { throw Unscriptable(reason: "nobody comes") }
        var record = person.record
        record["providers"] = nil
        var users = JSONObject([(Self.name, .object(record))])
        if let number {
            users[Self.phone] = ["registered": false, "email": "phone@example.test", "phone": .string(number)]
        }
        var configure: JSONObject = ["users": .object(users)]
        var rest = JSONObject()
        var faults: [JSONValue] = []
        for call in calls {
            let match: JSONValue = ["url": ["$startsWith": .string(call.url)]]
            if call.isLate {
                faults.append([
                    "match": ["endpoint": "rest", "url": ["$startsWith": .string(call.url)]], "network": "timeout",
                ])
            } else {
                let reply: JSONValue = call.replies.count == 1 ? call.replies[0] : .array(call.replies)
                rest[call.profile] = ["match": match, "reply": reply]
            }
        }
        if !rest.isEmpty { configure["rest"] = .object(rest) }
        var scenario: JSONObject = ["description": .string(description), "configure": .object(configure)]
        if !faults.isEmpty { scenario["faults"] = .array(faults) }
        scenario["steps"] = .array(steps)
        return ExplorationScript(
            name: "", rule: nil, scenario: scenario, providers: providers, hasAccount: person.hasAccount)
    }
}
