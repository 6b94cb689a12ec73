import Determinism
import Diagnostics
import JSON
import Journeys
import TrustFramework
import Verbs

/// A path through a policy as a scenario.
public struct ExplorationScript: Sendable {
    /// A name for its file, without an ending; the same path has the same name.
    public var name: String
    /// The rule of the finding that it shows; `nil`: it shows what the policy does.
    public var rule: String?
    /// The scenario. Its tenant is empty and it has no app: both are those of the place where it plays.
    public var scenario: ScenarioDraft
    /// Who signs in at identity providers.
    public var visits: [ProviderVisit]
    /// The acts of the path in one text.
    public var path = ""
    /// What sets the person apart who comes first, such as `a local account with a phone number`.
    public var person = ""

    /// A few letters and digits that differ between texts.
    public static func fingerprint(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(("0000000000000" + String(hash, radix: 36)).suffix(6))
    }
}

/// A person of a script who signs in at an identity provider.
public struct ProviderVisit: Sendable, Hashable {
    /// The person's name in the script.
    public var user: String
    /// The technical profile of the provider.
    public var profile: String
    /// Whether the directory has an account for this identity at the start.
    public var hasAccount: Bool
    /// Claims that differ from the usual ones.
    public var claims: JSONObject
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
    private func expected(_ found: ExplorationFinding, _ trail: Int) throws(Unscriptable) -> JSONValue {
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
        for act in places(trail).flatMap({ self.trail[$0].script }).reversed() {
            switch act {
            case .page(let mark, _, _), .code(let mark): return mark
            case .provider, .call, .wait, .administer, .other: continue
            }
        }
        return nil
    }

    private func script(_ found: ExplorationFinding, _ policy: String) -> Result<ExplorationScript, Unscriptable> {
        do throws(Unscriptable) {
            guard let trail = found.trail else { throw Unscriptable(reason: "the finding is about what no path does") }
            let outcome = try expected(found, trail)
            var script = try self.script(trail, policy, isOptional: true)
            script.rule = found.rule.id
            script.name = "\(found.rule.id)-\(fingerprint(trail, found.message))"
            script.scenario.name = "\(found.rule.id): \(found.message)"
            script.scenario.tags = ["explored", found.rule.id]
            if let last = script.scenario.steps.indices.last { script.scenario.steps[last].expect = outcome }
            return .success(script)
        } catch {
            return .failure(error)
        }
    }

    private func fingerprint(_ trail: Int, _ more: String) -> String {
        ExplorationScript.fingerprint(path(trail).joined(separator: "\n") + more)
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
        let first = signIns() + unusual()
        for end in first { take(end) }
        var candidates = ends(news).filter { !first.contains($0) }
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

    /// The shortest way with each request that is not the usual one, in the browser of somebody who was there before, and
    /// with an address from a provider that another account has.
    private func unusual() -> [Int] {
        var known: Set<[String]> = []
        return issues.filter { issue in
            let start = starts[issue.start]
            switch issue.facts.detour {
            case .handedOver: return known.insert(["handed over"]).inserted
            case nil where start.isExtra && !issue.facts.isFaulted && !issue.facts.hasGap: break
            default: return false
            }
            if start.person.name == TestPeople.second.name { return known.insert([start.words]).inserted }
            return start.session == nil && known.insert([start.request.words]).inserted
        }.map(\.trail)
    }

    /// Acts of a path that ran something for the first time.
    private func news(_ trail: Int) -> Set<Int> {
        Set(places(trail).filter { self.trail[$0].news > 0 })
    }

    /// Where paths end: with a token, without one, and where something ran for the first time that no end has.
    private func ends(_ news: (Int) -> Set<Int>) -> [Int] {
        let ends = issues.map(\.trail) + self.ends.map(\.trail)
        let all = Set(trail.indices.filter { trail[$0].news > 0 })
        // What leads to no end that is known ends where it is.
        let reached = ends.reduce(into: Set<Int>()) { $0.formUnion(news($1)) }
        return ends + all.subtracting(reached).sorted()
    }

    /// A script of every path that ends in its own way, without an expectation: first one of each kind, then the others,
    /// both shortest first. Paths of a kind differ in what is typed. Actions are optional: the path may end earlier with
    /// another policy.
    ///
    /// - Parameters:
    ///   - name: The policy's name in the tenant file.
    ///   - most: How many at most.
    public func paths(policy name: String, most: Int) -> (scripts: [ExplorationScript], left: Int) {
        let ends = endsByKind()
        var scripts: [ExplorationScript] = []
        for end in ends where scripts.count < most {
            // A path that has no script (a provider without e-mail address) is one less to compare.
            if let script = try? named(end, name, isOptional: true) { scripts.append(script) }
        }
        return (scripts, ends.count - scripts.count)
    }

    /// Where paths end: first one of each kind, then the others, both shortest first.
    func endsByKind() -> [Int] {
        var known: Set<Int> = []
        let sorted = ends(news).filter { known.insert($0).inserted }.map { (end: $0, length: path($0).count) }
            .sorted { $0.length < $1.length }.map(\.end)
        var kinds: Set<[String]> = []
        let isFirst = sorted.map { kinds.insert(summary($0)).inserted }
        return zip(sorted, isFirst).filter(\.1).map(\.0) + zip(sorted, isFirst).filter { !$0.1 }.map(\.0)
    }

    private func named(_ end: Int, _ policy: String, isOptional: Bool) throws(Unscriptable) -> ExplorationScript {
        var script = try self.script(end, policy, isOptional: isOptional)
        let mark = fingerprint(end, "")
        let parts = summary(end)
        script.name = Self.fileName(parts) + "-" + mark
        script.scenario.name = Self.title(parts, mark)
        script.path = told(end)
        script.person = person(end)
        script.scenario.tags = ["explored"]
        return script
    }

    /// What sets the person apart who comes first.
    func person(_ end: Int) -> String {
        places(end).lazy.compactMap { self.trail[$0].start }.first.map { starts[$0].person.words } ?? ""
    }

    /// The words of a step without its page, and without the name that somebody else has. It is done for every step of every
    /// path: a regular expression would be read again each time.
    private static func deed(_ words: String) -> String {
        var words = words
        if words.hasPrefix("at page "), let colon = words.firstIndex(of: ":") {
            let rest = words[words.index(after: colon)...]
            if rest.first?.isWhitespace ?? false { words = String(rest.dropFirst()) }
        }
        guard let other = words.firstRange(of: ", which another account has"),
            let blank = words[..<other.lowerBound].lastIndex(of: " "), words[..<blank].hasSuffix("as")
        else { return words }
        words.replaceSubrange(words.index(blank, offsetBy: -2)..<other.upperBound, with: "of another account")
        return words
    }

    /// Whether everybody does it on their way.
    private static func isPlain(_ words: String) -> Bool {
        if ["asks for a code", "hands in the code"].contains(where: words.hasPrefix) { return true }
        guard words.hasPrefix("fills in ") else { return words == "continues" }
        let names = words.dropFirst("fills in ".count).split(separator: ", ", omittingEmptySubsequences: false)
        return names.allSatisfy { name in
            !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_.-".contains($0) }
        }
    }

    /// Who comes, what they do that is not the plain way, and how it ends.
    func summary(_ end: Int) -> [String] {
        var parts: [String] = []
        for index in places(end) {
            let step = trail[index]
            if let start = step.start {
                let request = starts[start].request.words
                if parts.isEmpty {
                    parts.append(starts[start].person.name)
                    if !request.isEmpty { parts.append(request) }
                } else {
                    parts.append(step.words.replacing("\(parts[0]) ", with: "", maxReplacements: 1))
                }
                continue
            }
            let words = Self.deed(step.words)
                .replacing("presses the sign-up link", with: "signs up")
                .replacing("presses the link for a forgotten password", with: "forgets the password")
            if !words.isEmpty, !Self.isPlain(words) { parts.append(words) }
        }
        if issues.contains(where: { $0.trail == end })
            || renewals.contains(where: { $0.trail == end && $0.claims != nil })
        {
            parts.append("token")
        } else if let failed = ends.first(where: { $0.trail == end }) {
            parts.append(String(failed.text.prefix { $0 != ":" }.prefix(14)))
        } else {
            parts.append("no token")
        }
        return parts
    }

    /// In 60 characters at most: the path is in the description.
    private static func title(_ parts: [String], _ mark: String) -> String {
        let end = "\(parts[parts.count - 1]) (\(mark))"
        var words = parts.dropFirst().dropLast().joined(separator: ", ")
        let room = 60 - parts[0].count - end.count - 4
        if words.count > room { words = String(words.prefix(max(0, room - 3))) + "..." }
        return "\(parts[0]): \(words)\(words.isEmpty ? "" : ", ")\(end)"
    }

    /// Lower case letters, digits and hyphens; what happens last counts more than what happens first.
    private static func fileName(_ parts: [String]) -> String {
        func slug(_ text: String) -> String {
            text.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        }
        var (start, rest) = (slug(parts[0]), parts.dropFirst().map(slug))
        while rest.count > 2, rest.reduce(0, { $0 + $1.count }) > 60 { rest.removeFirst() }
        for part in rest { start += "-" + part.prefix(48) }
        return start
    }

    func places(_ trail: Int) -> [Int] {
        var places: [Int] = []
        var place: Int? = trail
        while let index = place {
            places.append(index)
            place = self.trail[index].parent
        }
        return places.reversed()
    }

    // MARK: A path

    /// - Parameter isOptional: Later actions may stay undone, since a policy that was fixed may end the path early.
    private func script(
        _ trail: Int, _ policy: String, isOptional: Bool
    ) throws(Unscriptable) -> ExplorationScript {
        var builder = ScriptBuilder(policy: policy, isOptional: isOptional)
        for index in places(trail) {
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
    /// The first person who comes, and the one who is there now.
    private var first: TestPerson?
    private var person: TestPerson?
    private var steps: [Step] = []
    private var actions: [JSONValue] = []
    private var isOpen = false
    private var visits: [ProviderVisit] = []
    private var calls: [(profile: String, url: String, replies: [JSONValue], isLate: Bool)] = []
    private static let visitor = "visitor"
    private static let second = "other"
    /// The name in the script of the person who is there.
    private var name = Self.visitor
    /// Somebody whose phone rings when the person gives a number that is on no record of theirs.
    private static let phone = "phone"
    private var number: String?
    /// Whose inbox has the code that was asked for last.
    private var owner = Self.visitor
    /// Time that passes before the next act at a page.
    private var wait: TimeSpan?

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
        if start.entry == .userInfo { obstacle = "a script of an exploration does not ask for user info" }
        if start.request.script == nil, start.refresh == nil { obstacle = "no script makes the request" }
        if let act = start.administered { administer(act) }
        if start.now > now {
            steps.append(.wait(seconds: (start.now - now).wholeSeconds))
            now = start.now
        }
        if let person, start.session == nil, start.refresh == nil, person.name == start.person.name {
            let restart = Restart {
                $0.what = .browser
                $0.wipe = [.cookies]
            }
            steps.append(Step(restart, name: "The browser forgets the session"))
        }
        if first == nil { first = start.person }
        name = first?.name == start.person.name ? Self.visitor : Self.second
        owner = name
        person = start.person
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
        case .revoke: patch = ["refreshTokensValidFrom": "{{now}}"]
        }
        let change = Configure { $0.value = ["users": .object([Self.visitor: patch])] }
        steps.append(Step(change, name: "An administrator acts"))
    }

    private mutating func close() {
        guard isOpen else { return }
        if isRefresh {
            steps.append(.refresh(policy: policy))
        } else {
            var step = Step.acquireToken(policy: policy, request: .object(request), user: [])
            if !actions.isEmpty { step.user = .array(actions) }
            steps.append(step)
        }
        actions = []
        wait = nil
        isOpen = false
    }

    mutating func take(_ act: ScriptAct) throws(Unscriptable) {
        var action: JSONObject = [:]
        switch act {
        case .page(let mark, let fill, let press):
            action["on"] = mark.json
            if !fill.isEmpty { action["fill"] = .object(JSONObject(fill.map { ($0.name, .string($0.value)) })) }
            if press == "sendCode" { owner = name }
            if let given = fill.first(where: { $0.name == "phone" })?.value, given != person?.text("phone") {
                number = given
                owner = Self.phone
            }
            action["press"] = press.map { .string($0) }
        case .code(let mark):
            action["on"] = mark.json
            action["fill"] = ["code": .string("{{inbox/\(owner)/code}}")]
            action["press"] = "verifyCode"
        case .wait(let span):
            wait = span
            return
        case .administer: throw Unscriptable(reason: "a script does not change accounts while a page is open")
        case .other(let reason): throw Unscriptable(reason: reason)
        case .provider(let profile, let answer):
            action["on"] = "provider"
            let user = try visit(profile, answer)
            if answer == .refused { action["press"] = "cancel" } else { action["as"] = .string(user) }
        case .call(let profile, let url, let status, let json):
            if !calls.contains(where: { $0.profile == profile }) { calls.append((profile, url, [], status == nil)) }
            guard let place = calls.firstIndex(where: { $0.profile == profile }) else { return }
            guard calls[place].isLate == (status == nil) else {
                throw Unscriptable(reason: "\(profile) answers once and not the other time")
            }
            if let status {
                calls[place].replies.append(["status": .integer(Int64(status)), "json": json])
            }
            return
        }
        if let wait { action["wait"] = .string("PT\(wait.wholeSeconds)S") }
        wait = nil
        if isOptional, !actions.isEmpty { action["optional"] = true }
        actions.append(.object(action))
    }

    /// The name of the person who signs in at a provider. Somebody whose own account is a local one has an account there
    /// that belongs to nobody yet: in a script it is that of another person, and so is one of which the provider says
    /// something else.
    private mutating func visit(
        _ profile: String, _ answer: ScriptAct.ProviderAnswer
    ) throws(Unscriptable) -> String {
        var claims = JSONObject()
        switch answer {
        case .full, .refused: break
        case .other(let different): claims = different
        case .withoutAddress: throw Unscriptable(reason: "a stub provider always gives an e-mail address")
        }
        let isLinked = name == Self.visitor && first?.record["providers"] != nil
        let own = name == Self.visitor && (first?.hasAccount == false || isLinked) ? name : "\(name)Newcomer"
        var user = own
        var number = 1
        while let known = visits.first(where: { $0.user == user && $0.profile == profile }), known.claims != claims {
            number += 1
            user = "\(own)\(number)"
        }
        let visit = ProviderVisit(user: user, profile: profile, hasAccount: isLinked, claims: claims)
        if !visits.contains(visit) { visits.append(visit) }
        return user
    }

    mutating func script(description: String) throws(Unscriptable) -> ExplorationScript {
        close()
        if let obstacle { throw Unscriptable(reason: obstacle) }
        guard let first else { throw Unscriptable(reason: "nobody comes") }
        var record = first.record
        record["providers"] = nil
        var users = JSONObject([(Self.visitor, .object(record))])
        if let number {
            users[Self.phone] = ["registered": false, "email": "phone@example.test", "phone": .string(number)]
        }
        let texts = JSONWriter.compact(.array((steps.map(\.json) + visits.map(\.claims)).map { .object($0) }))
        if let address = TestPeople.second.text("email"), texts.contains(address) || name == Self.second {
            users[Self.second] = .object(TestPeople.second.record)
        }
        for visit in visits where users[visit.user] == nil {
            users[visit.user] = ["registered": false, "email": .string("\(visit.user.lowercased())@example.test")]
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
        var scenario = ScenarioDraft(
            name: "", tenant: .inPlace([:]), configure: .object(configure),
            faults: faults.isEmpty ? nil : .array(faults), steps: steps)
        scenario.description = description
        scenario.order = .explored
        return ExplorationScript(name: "", rule: nil, scenario: scenario, visits: visits)
    }
}
