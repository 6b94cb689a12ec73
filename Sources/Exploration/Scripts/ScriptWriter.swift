import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework

/// A path through a policy as a scenario.
public struct ExplorationScript: Sendable {
    /// A name for its file, without an ending; the same path has the same name.
    public var name: String
    /// The rule of the finding that it shows; `nil`: it shows what the policy does.
    public var rule: String?
    /// The scenario without its tenant and app.
    public var scenario: JSONObject
    /// Technical profiles of identity providers that the person signs in at, and whether the directory has an account for
    /// them already.
    public var providers: [String]
    public var hasAccount: Bool
    /// The name of the person of the script who signs in at a provider.
    public var providerUser: String
    /// The acts of the path in one text.
    public var path = ""
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

    /// The counter-examples of all findings: of each that has a path and can be shown, a script; of the others that are
    /// errors or have a path, why there is none.
    ///
    /// A script expects what a sound policy does: it fails now, and passes once the policy is fixed.
    ///
    /// - Parameter name: The policy's name in the tenant file.
    public func counterExamples(policy name: String) -> [Written] {
        found().compactMap { found in
            guard !found.isUndecided, found.trail != nil || found.severity == .error else { return nil }
            return Written(rule: found.rule.id, message: found.message, script: script(found, name))
        }
    }

    private static let noToken: JSONValue = [
        "$any": [["error": ["$exists": true]], ["pending": ["$exists": true]]]
    ]

    /// What a sound policy does at the end of a finding's path.
    private func expected(_ found: Found, _ trail: Int) throws(Unscriptable) -> JSONValue {
        func orNoToken(_ token: JSONValue) -> JSONValue {
            ["$any": [["error": ["$exists": true]], ["pending": ["$exists": true]], ["result": ["idToken": token]]]]
        }
        let name = found.names.first ?? ""
        switch found.expected ?? found.rule.entry.expectation {
        case .noToken: return Self.noToken
        case .pageStays:
            guard let page = lastPage(trail) else { throw Unscriptable(reason: "the path ends at no page") }
            return ["pending": ["page": page.json]]
        case .claimAbsent: return orNoToken(["claims": .object([name: ["$exists": false]])])
        case .claimPresent: return ["result": ["idToken": ["claims": .object([name: ["$exists": true]])]]]
        case .claims(let claims): return orNoToken(["claims": claims])
        case .noException:
            return ["$any": [["result": ["$exists": true]], ["pending": ["page": ["name": ["$not": "error"]]]]]]
        case .otherPage:
            return [
                "$any": [
                    ["result": ["$exists": true]], ["pending": ["page": ["technicalProfile": ["$not": .string(name)]]]],
                ]
            ]
        case .notShown(let reason): throw Unscriptable(reason: reason)
        }
    }

    /// The page at which the path's last act is done.
    private func lastPage(_ trail: Int) -> PageMark? {
        var place: Int? = trail
        while let index = place {
            for act in self.trail[index].script.reversed() {
                switch act {
                case .page(let mark, _, _), .code(let mark): return mark
                case .provider, .call, .wait, .administer, .other: continue
                }
            }
            place = self.trail[index].parent
        }
        return nil
    }

    private func script(_ found: Found, _ policy: String) -> Result<ExplorationScript, Unscriptable> {
        do throws(Unscriptable) {
            guard let trail = found.trail else { throw Unscriptable(reason: "the finding is about what no path does") }
            let outcome = try expected(found, trail)
            var script = try self.script(trail, policy, isOptional: true)
            script.rule = found.rule.id
            script.name = "\(found.rule.id)-\(fingerprint(trail, found.message))"
            script.scenario["name"] = .string("\(found.rule.id): \(found.message)")
            script.scenario["tags"] = ["explored", .string(found.rule.id)]
            if var steps = script.scenario["steps"]?.arrayValue, let last = steps.indices.last {
                var step = steps[last].objectValue ?? JSONObject()
                step["expect"] = outcome
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

    /// Few paths that together run everything that any path runs: each profile with success and with each of its errors.
    /// A sign-in of each kind of person comes first. The scripts say nothing yet of what they expect.
    public func suite(policy name: String) -> (scripts: [ExplorationScript], left: [Unscriptable]) {
        var parents: [Int: Set<Int>] = [:]
        func news(_ trail: Int) -> Set<Int> {
            if let known = parents[trail] { return known }
            let found = self.news(trail)
            parents[trail] = found
            return found
        }
        var scripts: [ExplorationScript] = []
        var left: [Unscriptable] = []
        var open = Set(trail.indices.filter { trail[$0].news > 0 })
        func take(_ end: Int) {
            do throws(Unscriptable) {
                scripts.append(try named(end, name, isOptional: false))
                open.subtract(news(end))
            } catch {
                left.append(error)
            }
        }
        let signIns = self.signIns()
        for end in signIns { take(end) }
        var candidates = ends(news).filter { !signIns.contains($0) }
        while !open.isEmpty {
            let gains = candidates.map { news($0).intersection(open).count }
            guard let best = candidates.indices.max(by: { gains[$0] < gains[$1] || gains[$0] == gains[$1] && $0 > $1 }),
                gains[best] > 0
            else { break }
            take(candidates.remove(at: best))
        }
        return (scripts, left)
    }

    /// The shortest sign-in of each kind of person, the first time and again.
    private func signIns() -> [Int] {
        struct Key: Hashable {
            var person: String
            var kind: SignInKind
        }
        var known: Set<Key> = []
        return issues.filter { issue in
            guard !issue.facts.isFaulted, !issue.facts.hasGap, !issue.hasSession, issue.facts.detour == nil,
                !starts[issue.start].isExtra
            else { return false }
            var kind = kind(of: issue)
            kind.isAgain = issue.isAgain
            return known.insert(Key(person: starts[issue.start].person.name, kind: kind)).inserted
        }.map(\.trail)
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
        script.scenario["name"] = .string(title(end, start))
        script.path = told(end)
        script.scenario["tags"] = ["explored"]
        return script
    }

    /// Who comes, what they do last and how it ends, in 60 characters at most. The path is in the description.
    private func title(_ end: Int, _ person: String) -> String {
        let outcome: String
        if issues.contains(where: { $0.trail == end }) {
            outcome = "token"
        } else if let failed = ends.first(where: { $0.trail == end }) {
            outcome = String(failed.text.prefix { $0 != ":" }.prefix(14))
        } else {
            outcome = "no token"
        }
        let mark = "\(outcome) (\(fingerprint(end, "")))"
        var words = trail[end].words
        if let colon = words.firstRange(of: ": "), words.hasPrefix("at page ") {
            words = String(words[colon.upperBound...])
        }
        let room = 60 - person.count - mark.count - 4
        if words.count > room { words = String(words.prefix(max(0, room - 3))) + "..." }
        return "\(person): \(words), \(mark)"
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

    /// Who signs in at a provider. Somebody whose own account is a local one has an account there that belongs to nobody
    /// yet: in a script it is that of another person.
    private var providerUser: String {
        guard let person, person.hasAccount, person.record["providers"] == nil else { return Self.name }
        return Self.newcomer
    }
    private static let newcomer = "newcomer"

    init(policy: String, isOptional: Bool) {
        self.policy = policy
        self.isOptional = isOptional
    }

    /// Why the path cannot be written, if something before has no words in a script.
    private var obstacle: String?
    private var request = JSONObject()
    private var isRefresh = false
    private var now = Explorer.beginning

    /// Somebody comes, the first time or again.
    mutating func enter(_ start: Explorer.Start) {
        close()
        if let origin = start.origin { obstacle = "the session is one of policy \(origin)" }
        if let person, person.name != start.person.name { obstacle = "another person comes in the same browser" }
        if start.entry == .userInfo { obstacle = "a script of an exploration does not ask for user info" }
        if start.request.script == nil, start.refresh == nil { obstacle = "no script makes the request" }
        if let act = start.administered { administer(act) }
        if start.now > now {
            steps.append(["advanceClock": .string("PT\((start.now - now).wholeSeconds)S")])
            now = start.now
        }
        if person == nil {
            person = start.person
        } else if start.session == nil, start.refresh == nil {
            steps.append([
                "name": "The browser forgets the session", "restart": ["what": "browser", "wipe": ["cookies"]],
            ])
        }
        request = start.request.script ?? JSONObject()
        isRefresh = start.entry == .refresh
        isOpen = true
    }

    /// An administrator acts between two steps.
    private mutating func administer(_ act: Directory.AdministratorAct) {
        let patch: JSONValue
        switch act {
        case .disable: patch = ["accountEnabled": false]
        case .delete: patch = nil
        case .resetPassword(let password): patch = ["password": .string(password)]
        case .set(let name, let value): patch = .object([name: value.text.map { .string($0) } ?? nil])
        case .revoke:
            obstacle = "a script revokes refresh tokens by a time only"
            return
        }
        steps.append([
            "name": "An administrator acts", "configure": ["users": .object([Self.name: patch])],
        ])
    }

    private mutating func close() {
        guard isOpen else { return }
        if isRefresh {
            steps.append(["acquireTokenSilent": ["policy": .string(policy), "forceRefresh": true]])
        } else {
            var parameters: JSONObject = ["policy": .string(policy)]
            for member in request.members { parameters[member.key] = member.value }
            var step: JSONObject = ["acquireToken": .object(parameters)]
            if !actions.isEmpty { step["user"] = .array(actions) }
            steps.append(.object(step))
        }
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
        case .wait: throw Unscriptable(reason: "a script does not wait at a page")
        case .administer: throw Unscriptable(reason: "a script does not change accounts while a page is open")
        case .other(let reason): throw Unscriptable(reason: reason)
        case .provider(let profile, let answer):
            if case .other = answer { throw Unscriptable(reason: "a stub provider gives the usual claims") }
            guard answer != .withoutAddress else {
                throw Unscriptable(reason: "a stub provider always gives an e-mail address")
            }
            if !providers.contains(profile) { providers.append(profile) }
            action["on"] = "provider"
            if answer == .refused { action["press"] = "cancel" } else { action["as"] = .string(providerUser) }
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
        if let obstacle { throw Unscriptable(reason: obstacle) }
        guard let person else { throw Unscriptable(reason: "nobody comes") }
        var record = person.record
        record["providers"] = nil
        var users = JSONObject([(Self.name, .object(record))])
        if let number {
            users[Self.phone] = ["registered": false, "email": "phone@example.test", "phone": .string(number)]
        }
        if let address = Roster.second.text("email"), JSONWriter.compact(.array(steps)).contains(address) {
            users["other"] = .object(Roster.second.record)
        }
        if !providers.isEmpty, providerUser == Self.newcomer {
            users[Self.newcomer] = ["registered": false, "email": "newcomer@example.test"]
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
            name: "", rule: nil, scenario: scenario, providers: providers,
            hasAccount: person.record["providers"] != nil, providerUser: providerUser)
    }
}
