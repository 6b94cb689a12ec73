import Determinism
import Exchanges
import JSON
import Scenarios
import TenantFiles
import Verbs

/// One change of a script by which an experiment finds out whether a line of it matters.
struct Mutation {
    /// The rule that a change breaks which no run notices.
    var rule: ProofRule
    /// The line that it is about.
    var pointer: JSONPointer
    /// What the line is, in words: "the setting `maxTries`".
    var subject: String
    /// The changed scripts. One that a run notices is enough.
    var ways: [ScriptEdit]
    /// Whether the line is missing in the first way; otherwise all ways give it another value.
    var removes = true
    /// A step that only one of the two runs has.
    var leavingOut: JSONPointer?
    /// A parameter of a request, by name: the texts that carry it may differ.
    var carrying: String?
    /// The cases in which the line counts; `nil`: all.
    var cases: [String]?
    /// Lines with the same key show each other: in one case a setting has an effect, in another it has none on purpose.
    var contrast: String?
    /// Whether another time alone does not count: that is what the change makes.
    var ignoresTime = false
    /// Whether an expectation must notice the change, not only a byte.
    var needsVerdict = false
    /// Further values, of which an expectation must notice one where it does not notice the first ways.
    var others: [ScriptEdit] = []
    /// Values far away, tried last. Those that the reader refuses show nothing.
    var extremes: [ScriptEdit] = []
    /// What to do about it.
    var remedy = "Remove it, or expect what it changes."
    /// Changes of the lines inside, tried when this change is noticed.
    var inner: [Mutation] = []
}

/// The changes that are tried with a script.
struct ProofChanges {
    private let scenario: Scenario
    private let root: JSONValue
    /// Places of steps that have an expectation that can fail.
    private let tests: Set<JSONPointer>
    /// The tenant as it is before the patch at hand.
    private var tenant: JSONValue
    private var changes: [Mutation] = []

    /// Every change of a script, the ones inside others below them.
    static func all(of scenario: Scenario, tests: Set<JSONPointer>) -> [Mutation] {
        var made = ProofChanges(scenario, tests)
        made.walk()
        return made.changes
    }

    /// Whether there are changes of which time alone is none.
    static func areOfTime(in scenario: Scenario) -> Bool {
        scenario.allSteps.contains { step in
            step.verb == .advanceClock || (step.user?.arrayValue ?? []).contains { $0["wait"] != nil }
        }
    }

    /// Whether there are changes of parameters that only the requests that carry them may show.
    static func areCarried(in scenario: Scenario) -> Bool {
        scenario.allSteps.contains { step in
            let interactive = step.call(AcquireToken.self)
            return interactive?.extraQueryParameters.isEmpty == false || interactive?.claimsRequest != nil
                || step.call(AcquireTokenSilent.self)?.claimsRequest != nil
        }
    }

    private init(_ scenario: Scenario, _ tests: Set<JSONPointer>) {
        self.scenario = scenario
        self.tests = tests
        root = scenario.document.root
        tenant = scenario.tenant.json
    }

    private mutating func walk() {
        variables()
        if root["expectedFailure"] != nil { mark(["expectedFailure"], "expectedFailure", nil) }
        if root["skip"] != nil { mark(["skip"], "skip", nil) }
        changes += settings(["configure"], cases: nil, isContrasted: false)
        if let patch = root["configure"] { tenant = tenant.patched(tenant: patch) }
        faults([], cases: nil)
        for variant in scenario.cases {
            let place = ["cases", variant.name]
            changes += settings(place + ["configure"], cases: [variant.name], isContrasted: true)
            faults(place, cases: [variant.name])
            if variant.skip != nil { mark(place + ["skip"], "skip", [variant.name]) }
        }
        var seen: Set<String> = []
        for step in scenario.steps { self.step(step, cases: nil, &seen) }
        for step in scenario.finally {
            for inner in step.withInner {
                if Self.cleansUp(inner) {
                    parts(of: inner, cases: inner.only)
                } else {
                    self.step(inner, cases: nil, &seen)
                }
            }
        }
        places()
    }

    /// Whether a step of `finally` may put something in order for the scenario that comes after.
    static func cleansUp(_ step: Step) -> Bool {
        switch step.verb {
        case .advanceClock, .restart, .cancelInteraction, .createClient, .inspect, .accounts, .currentAccount: false
        default: true
        }
    }

    /// Devices and browsers of clients: each alone may differ from the others, so all go at once.
    private mutating func places() {
        for member in ["device", "browser"] {
            let named = scenario.clients.filter {
                root.value(at: JSONPointer(tokens: ["clients", $0.name, member])) != nil
            }
            guard !named.isEmpty else { continue }
            let places = named.map { ["clients", $0.name, member] }
            changes.append(
                Mutation(
                    rule: .settingWithoutEffect, pointer: JSONPointer(tokens: places[0]),
                    subject: "the \(member) of each client", ways: [ScriptEdit(removing: places, floor: 2)]))
        }
    }

    // MARK: Values

    private mutating func variables() {
        for (name, value) in scenario.variables.members {
            another(["variables", name], value, "the variable `\(name)`", cases: nil, contrast: nil)
        }
        guard scenario.cases.contains(where: { !$0.values.isEmpty }) else { return }
        let uses = ValueUses(in: root)
        for variant in scenario.cases {
            for (name, value) in variant.values.members {
                let path = ["cases", variant.name, "set", name]
                another(
                    path, value, "the value `\(name)`", cases: [variant.name], contrast: "set/\(name)",
                    others: others(value, name, at: path, uses))
            }
        }
    }

    /// What else could be in the place of a value of a case: words of the keys that it is filled in at, values of other
    /// cases, texts of its kind in the tenant file, and nothing.
    private func others(
        _ value: JSONValue, _ name: String, at path: [String], _ uses: ValueUses
    ) -> [ScriptEdit]? {
        guard let places = uses.wholes(of: name), !places.contains(where: isProperty) else { return nil }
        let keys = places.compactMap(\.last)
        var values = keys.flatMap { otherNames(value, $0) ?? Alternatives.of(value, named: $0) }
        values += scenario.cases.lazy.filter { $0.name != path[1] }.compactMap { $0.values[name] }.prefix(4)
        switch value {
        case .array(let elements): values += [[], .array(elements.prefix(1).map(Alternatives.altered))]
        case .object(let object):
            values.append(.object(JSONObject(object.members.map { ($0.key, Alternatives.altered($0.value)) })))
        default: break
        }
        if let text = value.stringValue, let sign = ["://", "@"].first(where: text.contains) {
            values += uses.texts(of: scenario.tenant.tenant.json, with: sign).map(JSONValue.string)
        }
        var seen: Set<JSONValue> = [value]
        let edits = values.filter { !Interpolation.isNeeded(in: $0) && seen.insert($0).inserted }.prefix(12)
            .map { replacing(path, $0) }
        return edits + (uses.isWhole(name) ? [ScriptEdit(removing: places, floor: 2)] : [])
    }

    /// Whether a step says of each value that is filled in at a place that it is refused, or that what others show survives
    /// it: any value of that kind will do.
    private func isProperty(_ place: [String]) -> Bool {
        let pointer = JSONPointer(tokens: place)
        let all = scenario.allSteps
        let step = all.last { pointer.tokens.starts(with: $0.pointer.tokens) }
        if step?.verb == .restart { return true }
        // What a setting does, any step may show.
        let shown = step.flatMap { $0.verb == .configure ? nil : [$0] } ?? all
        return shown.contains { step in
            ([step.expect].compactMap { $0 } + step.expectIn.map(\.expectation)).contains(where: Self.isRefusal)
        }
    }

    private static func isRefusal(_ expected: JSONValue) -> Bool {
        switch expected {
        case .array(let elements): elements.contains(where: isRefusal)
        case .object(let object):
            object.members.contains { name, inner in
                ["error", "pending", "oauthError", "b2cCode"].contains(name)
                    || name == "status" && inner.intValue.map { $0 >= 400 } == true || isRefusal(inner)
            }
        default: false
        }
    }

    private mutating func another(
        _ path: [String], _ value: JSONValue, _ subject: String, cases: [String]?, contrast: String?,
        others: [ScriptEdit]? = nil
    ) {
        let own = Alternatives.of(value, named: path.last ?? "").map { replacing(path, $0) }
        let ways = own.isEmpty ? others ?? [] : own
        guard !ways.isEmpty else { return }
        changes.append(
            Mutation(
                rule: .settingWithoutEffect, pointer: JSONPointer(tokens: path), subject: subject, ways: ways,
                removes: false, cases: cases, contrast: contrast, needsVerdict: others != nil,
                others: own.isEmpty ? [] : others ?? []))
    }

    private mutating func mark(_ path: [String], _ name: String, _ cases: [String]?) {
        changes.append(
            Mutation(
                rule: .markWithoutEffect, pointer: JSONPointer(tokens: path), subject: "`\(name)`",
                ways: [removing(path)], cases: cases, remedy: "Remove it."))
    }

    // MARK: Settings

    /// The settings of a patch: each as a whole first, then what is in it.
    private func settings(_ path: [String], cases: [String]?, isContrasted: Bool) -> [Mutation] {
        guard let patch = root.value(at: JSONPointer(tokens: path)), case .object = patch else { return [] }
        let whole = tenant.patched(tenant: patch)
        let context = PatchContext(
            floor: path.count, whole: whole, patch: patch, cases: cases, isContrasted: isContrasted)
        return members(of: patch, at: path, in: context)
    }

    /// A patch over the tenant, and where it counts.
    private struct PatchContext {
        /// How long the path of the patch is.
        var floor: Int
        /// The tenant with the patch.
        var whole: JSONValue
        var patch: JSONValue
        /// The cases in which it counts; `nil`: all.
        var cases: [String]?
        /// Whether another case has another value.
        var isContrasted: Bool
    }

    private func members(of value: JSONValue, at path: [String], in context: PatchContext) -> [Mutation] {
        guard case .object(let object) = value, !object.isEmpty else { return [] }
        return object.members.flatMap { name, inner -> [Mutation] in
            let place = path + [name]
            let relative = Array(place.dropFirst(context.floor))
            let below = members(of: inner, at: place, in: context)
            // What calls a stub answers is asked of the stub: one that answers none is tried as a whole.
            if relative.count == 3, relative[0] == "rest", name == "match" { return [] }
            // One setting in an object is tried as itself.
            if inner.objectValue?.count == 1, !below.isEmpty { return below }
            var without = context.patch
            without.remove(relative, floor: 0)
            let states = Self.sameTenant(tenant.patched(tenant: without), context.whole)
            var ways = [removing(place, floor: context.floor)]
            if states { ways += Alternatives.of(inner, named: name).map { replacing(place, $0) } }
            // Nobody can see what is stated once more and has no other value either.
            if states, ways.count == 1 { return below }
            // A new person is one thing: what a script does not use of a record does no harm.
            let isNew = relative.count == 2 && relative[0] == "users" && tenant["users"]?[name] == nil
            return [
                Mutation(
                    rule: .settingWithoutEffect, pointer: JSONPointer(tokens: place), subject: "the setting `\(name)`",
                    ways: ways, cases: context.cases,
                    contrast: context.isContrasted ? relative.joined(separator: "/") : nil,
                    needsVerdict: below.isEmpty && !isNew,
                    others: below.isEmpty && !isNew ? others(inner, name, place, states: states) : [],
                    extremes: Alternatives.extremes(of: inner).map { replacing(place, $0) },
                    inner: isNew ? [] : below)
            ]
        }
    }

    /// Other values of a setting: names of the same list of the tenant file, lists with less or with something else.
    private func others(_ value: JSONValue, _ name: String, _ place: [String], states: Bool) -> [ScriptEdit] {
        var values: [JSONValue] = []
        if let text = value.stringValue {
            for (_, list) in tenant.objectValue?.members ?? [] {
                guard let names = list.objectValue?.keys, names.containsText(text) else { continue }
                values += names.filter { !sameText($0, text) }.prefix(3).map(JSONValue.string)
            }
        }
        if let elements = value.arrayValue, let first = elements.first {
            values.append([])
            values.append([first.stringValue.map { .string($0 + OtherValues.otherText) } ?? first])
        }
        if !states { values += Alternatives.of(value, named: name) }
        return values.filter { $0 != value }.map { replacing(place, $0) }
    }

    /// The only setting of a patch and where it is; `nil` where there are more.
    private static func onlyLeaf(_ value: JSONValue) -> (path: [String], value: JSONValue)? {
        guard case .object(let object) = value, !object.isEmpty else { return ([], value) }
        guard object.count == 1, let (name, inner) = object.members.first else { return nil }
        return onlyLeaf(inner).map { ([name] + $0.path, $0.value) }
    }

    private static func leaves(_ value: JSONValue) -> Int {
        guard case .object(let object) = value, !object.isEmpty else { return 1 }
        return object.members.reduce(0) { $0 + leaves($1.value) }
    }

    /// Whether two tenant files mean the same with all defaults filled in.
    private static func sameTenant(_ left: JSONValue, _ right: JSONValue) -> Bool {
        guard let left = try? Tenant(json: left), let right = try? Tenant(json: right) else { return false }
        return left.json.sameValue(as: right.json)
    }

    // MARK: Faults

    private mutating func faults(_ owner: [String], cases: [String]?) {
        let place = owner + ["faults"]
        guard let rules = root.value(at: JSONPointer(tokens: place))?.arrayValue else { return }
        for (index, rule) in rules.enumerated() {
            let path = place + ["\(index)"]
            var change = Mutation(
                rule: .faultWithoutEffect, pointer: JSONPointer(tokens: path), subject: "the fault rule",
                ways: [removing(path, floor: owner.count)], cases: cases,
                contrast: owner.first == "cases" ? "faults" : nil, needsVerdict: true)
            if let span = rule["delay"]?.stringValue.flatMap({ TimeSpan(iso8601: $0) }) {
                change.others = [4, 30].map { replacing(path + ["delay"], Alternatives.longer(than: span, times: $0)) }
            }
            change.inner = members(of: rule, path, cases)
            for name in ["optional", "skip"] where rule[name] != nil {
                change.inner.append(
                    Mutation(
                        rule: .markWithoutEffect, pointer: JSONPointer(tokens: path + [name]), subject: "`\(name)`",
                        ways: [removing(path + [name])], cases: cases, remedy: "Remove it."))
            }
            changes.append(change)
        }
    }

    /// What of a fault rule may say nothing: a limit that is not reached, a member of what it does, a condition that keeps
    /// nothing out. That it strikes at all is asked of the rule.
    private func members(of rule: JSONValue, _ path: [String], _ cases: [String]?) -> [Mutation] {
        (rule.objectValue?.members ?? []).flatMap { name, value -> [Mutation] in
            switch name {
            case "optional", "skip", "rate": []
            case "match": conditions(value, at: path + [name], floor: path.count, cases: cases)
            case "times": [member(path + [name], value, cases: cases)]
            default: effects(value, path + [name], cases)
            }
        }
    }

    private func effects(_ value: JSONValue, _ path: [String], _ cases: [String]?) -> [Mutation] {
        if let object = value.objectValue, !object.isEmpty {
            return object.members.flatMap { effects($0.value, path + [$0.key], cases) }
        }
        return [member(path, value, others: Alternatives.of(value, named: path.last ?? ""), cases: cases)]
    }

    /// Conditions by which a rule keeps requests out, and alternatives.
    private func conditions(
        _ value: JSONValue, at path: [String], floor: Int, cases: [String]?
    ) -> [Mutation] {
        (value.objectValue?.members ?? []).flatMap { name, inner -> [Mutation] in
            let place = path + [name]
            switch name {
            case "$not": return [member(place, inner, cases: cases, floor: floor)]
            case "$exists": return inner.boolValue == false ? [member(place, inner, cases: cases, floor: floor)] : []
            case "$any":
                let count = inner.arrayValue?.count ?? 0
                return count < 2 ? [] : (0..<count).map { member(place + ["\($0)"], .null, cases: cases) }
            case _ where name.hasPrefix("$"): return []
            default: return conditions(inner, at: place, floor: floor, cases: cases)
            }
        }
    }

    private func member(
        _ path: [String], _ value: JSONValue, others: [JSONValue] = [], cases: [String]?, floor: Int? = nil
    ) -> Mutation {
        Mutation(
            rule: .faultWithoutEffect, pointer: JSONPointer(tokens: path),
            subject: "`\(path.last ?? "")` of the fault rule",
            ways: [removing(path, floor: floor)] + others.filter { $0 != value }.map { replacing(path, $0) },
            cases: cases, remedy: "Remove it.")
    }

    // MARK: Steps

    private mutating func step(_ step: Step, cases: [String]?, isInGroup: Bool = false, _ seen: inout Set<String>) {
        let cases = step.only ?? cases
        let before = changes.count
        parts(of: step, cases: cases)
        if step.verb == .configure {
            let path = step.pointer.tokens + ["configure"]
            let patch = root.value(at: JSONPointer(tokens: path)) ?? .null
            if Self.leaves(patch) > 1 { changes += settings(path, cases: cases, isContrasted: cases != nil) }
            tenant = tenant.patched(tenant: patch)
        }
        let client = step.client ?? scenario.app ?? ""
        let isFirst = seen.insert(client).inserted
        if !tests.contains(step.pointer), !Self.canFail(step, isFirst: isFirst), !waits(step) {
            let parts = Array(changes[before...])
            changes.removeSubrange(before...)
            // A step that makes one setting is that setting.
            let single = step.verb == .configure ? Self.onlyLeaf(step.parameters) : nil
            let path = step.pointer.tokens + [step.verb.rawValue]
            let longer = step.call(AdvanceClock.self)?.value.map {
                [replacing(path, Alternatives.longer(than: $0, times: 30))]
            }
            changes.append(
                Mutation(
                    rule: .stepDoesNothing, pointer: step.pointer, subject: "this step",
                    // A step of a group is a part of what the group shows, so it stays and moves as good as nothing.
                    ways: [
                        isInGroup && longer != nil
                            ? replacing(path, "PT0.001S") : replacing(step.pointer.tokens + ["only"], [])
                    ] + (longer ?? []),
                    leavingOut: step.pointer, cases: cases,
                    contrast: cases != nil ? "step \(step.verb.rawValue)" : nil,
                    ignoresTime: step.verb == .advanceClock && !looksAtTime(after: step), needsVerdict: single != nil,
                    others: single.map { path, value in
                        others(value, path.last ?? "", step.pointer.tokens + ["configure"] + path, states: false)
                    } ?? [],
                    extremes: single.map { leaf in
                        Alternatives.extremes(of: leaf.value).map { replacing(path + leaf.path, $0) }
                    } ?? [],
                    remedy: "Remove the step, or expect something that it changes.", inner: parts))
        }
        for inner in step.steps + step.then {
            self.step(inner, cases: cases, isInGroup: isInGroup || step.verb.isGroup, &seen)
        }
    }

    /// Whether a step without expectation fails if its verb does not succeed. Any HTTP status is a success.
    private static func canFail(_ step: Step, isFirst: Bool) -> Bool {
        if let call = step.call(CreateClient.self) { return isFirst || !call.value.isEmpty }
        return step.verb.record.traits.contains(.failing) || step.verb == .open && step.user != nil
    }

    /// Whether an expectation of a step, or of one after it, is about time: then it is an effect that another time is
    /// shown.
    private func looksAtTime(after step: Step) -> Bool {
        let all = scenario.allSteps
        guard let place = all.firstIndex(where: { $0.pointer == step.pointer }) else { return false }
        return all[place...].contains { step in
            ([step.expect].compactMap { $0 } + step.expectIn.map(\.expectation)).contains(where: Self.isAboutTime)
        }
    }

    private static func isAboutTime(_ expected: JSONValue) -> Bool {
        switch expected {
        case .array(let elements): elements.contains(where: isAboutTime)
        case .object(let object):
            object.members.contains { timely.contains($0.key) || isAboutTime($0.value) }
        case .string(let text): text.contains("{{now")
        default: false
        }
    }

    private static let timely: Set = [
        MatcherTest.time.rawValue, "elapsed", "at", "auth_time", "iat", "nbf", "exp", "expiresOn", "secondsLeft",
    ]

    /// A restart before other steps shows that they work in spite of it, and so does the removal of an account between a
    /// sign-in and an expectation.
    private func waits(_ step: Step) -> Bool {
        let all = scenario.steps.flatMap(\.withInner).filter { !$0.verb.isGroup }
        guard let place = all.firstIndex(where: { $0.pointer == step.pointer }) else { return false }
        let before = all[..<place]
        let after = all[(place + 1)...]
        if let removal = step.call(RemoveAccount.self) {
            return removal.account != .none && step.repeatCount == nil
                && before.contains { [.acquireToken, .resume, .importCache].contains($0.verb) }
                && after.contains { tests.contains($0.pointer) }
        }
        guard let restart = step.call(Restart.self) else { return false }
        let uses = { (step: Step) in restart.what != .api || step.verb == .callApi }
        return before.contains(where: uses) && after.contains(where: uses)
    }

    private mutating func parts(of step: Step, cases: [String]?) {
        let path = step.pointer.tokens
        faults(path, cases: cases)
        person(step, path, cases)
        parameters(step, path, cases)
        if step.only != nil, !scenario.cases.isEmpty {
            changes.append(
                Mutation(
                    rule: .markWithoutEffect, pointer: JSONPointer(tokens: path + ["only"]), subject: "`only`",
                    ways: [removing(path + ["only"])], remedy: "Remove it."))
        }
        for name in ["repeat", "copies"] where root.value(at: step.pointer)?[name] == 1 {
            changes.append(
                Mutation(
                    rule: .markWithoutEffect, pointer: JSONPointer(tokens: path + [name]), subject: "`\(name)`",
                    ways: [removing(path + [name])], cases: cases, remedy: "Remove it."))
        }
        if let count = step.repeatCount, count != 1, !tests.contains(step.pointer),
            !Self.canFail(step, isFirst: true)
        {
            changes.append(
                Mutation(
                    rule: .markWithoutEffect, pointer: JSONPointer(tokens: path + ["repeat"]), subject: "`repeat`",
                    ways: [removing(path + ["repeat"])], leavingOut: step.pointer, cases: cases, remedy: "Remove it."))
        }
    }

    private mutating func person(_ step: Step, _ path: [String], _ cases: [String]?) {
        guard let user = step.user else { return }
        let place = path + ["user"]
        // Somebody may well be there where the expectation says that nothing is asked of them.
        let isNoticed = tests.contains(step.pointer) && step.verb != .signOut
        var change = Mutation(
            rule: .personDoesNothing, pointer: JSONPointer(tokens: place), subject: "`user`", ways: [removing(place)],
            cases: cases, remedy: "Remove it: no page of this step needs anybody.")
        if let actions = user.arrayValue {
            for (index, action) in actions.enumerated() {
                let own = place + ["\(index)"]
                // An action that names its page fails on another.
                let page = (action["on"]?.stringValue).map { $0 == "signIn" ? "consent" : "signIn" }
                var ways = [removing(own)] + (page.map { [replacing(own + ["on"], .string($0))] } ?? [])
                let pause = action.objectValue?.count == 1 ? action["wait"]?.stringValue : nil
                if let span = pause.flatMap({ TimeSpan(iso8601: $0) }) {
                    ways.append(replacing(own + ["wait"], Alternatives.longer(than: span, times: 30)))
                }
                var inner = Mutation(
                    rule: .personDoesNothing, pointer: JSONPointer(tokens: own), subject: "this action", ways: ways,
                    cases: cases, ignoresTime: pause != nil && !looksAtTime(after: step))
                if action["optional"] != nil {
                    inner.inner.append(
                        Mutation(
                            rule: .markWithoutEffect, pointer: JSONPointer(tokens: place + ["\(index)", "optional"]),
                            subject: "`optional`", ways: [removing(place + ["\(index)", "optional"])], cases: cases,
                            remedy: "Remove it."))
                }
                for name in ["wait", "window", "press", "repeat"] where (action.objectValue?.count ?? 0) > 1 {
                    guard let value = action[name], !Interpolation.isNeeded(in: value) else { continue }
                    let span = name == "wait" ? value.stringValue.flatMap { TimeSpan(iso8601: $0) } : nil
                    let others: [JSONValue] =
                        name == "press"
                        ? ["cancel", "signUp"]
                        : span.map { [Alternatives.longer(than: $0, times: 30)] } ?? Alternatives.of(value, named: name)
                    inner.inner.append(
                        Mutation(
                            rule: .personDoesNothing, pointer: JSONPointer(tokens: own + [name]),
                            subject: "`\(name)`",
                            ways: [removing(own + [name])]
                                + others.filter { $0 != value }.map { replacing(own + [name], $0) },
                            cases: cases, ignoresTime: name == "wait" && !looksAtTime(after: step)))
                }
                for (name, value) in action["fill"]?.objectValue?.members ?? [] where !Interpolation.isNeeded(in: value)
                {
                    let field = place + ["\(index)", "fill", name]
                    inner.inner.append(
                        Mutation(
                            rule: .personDoesNothing, pointer: JSONPointer(tokens: field),
                            subject: "the field `\(name)`",
                            ways: [removing(field)] + Alternatives.of(value, named: name).map { replacing(field, $0) },
                            cases: cases))
                }
                if isNoticed, action.stringValue != nil { continue }
                if actions.count > 1 || !inner.inner.isEmpty { change.inner.append(inner) }
            }
        }
        if isNoticed { changes += change.inner } else { changes.append(change) }
    }

    private mutating func parameters(_ step: Step, _ path: [String], _ cases: [String]?) {
        guard !step.verb.isGroup, step.verb != .configure, let object = step.parameters.objectValue else { return }
        let place = path + [step.verb.rawValue]
        for (name, value) in object.members {
            switch name {
            case "extraQueryParameters":
                for (parameter, _) in value.objectValue?.members ?? [] {
                    carried(place + [name, parameter], parameter, cases)
                }
            case "claimsRequest": carried(place + [name], "claims", cases)
            default:
                let others = otherNames(value, name) ?? Alternatives.of(value, named: name)
                // A filter of an empty list, or a setting of a call that fails, says that it makes no difference.
                guard !others.isEmpty, !tests.contains(step.pointer) else { continue }
                changes.append(
                    Mutation(
                        rule: .parameterWithoutEffect, pointer: JSONPointer(tokens: place + [name]),
                        subject: "the parameter `\(name)`",
                        ways: [removing(place + [name])] + others.map { replacing(place + [name], $0) }, cases: cases))
            }
        }
    }

    /// Other names that could replace one that the tenant file knows; `nil` if the parameter is not such a name.
    private func otherNames(_ value: JSONValue, _ parameter: String) -> [JSONValue]? {
        let lists = ["policy": "policies", "api": "apis", "host": "hosts"]
        guard let list = lists[parameter], let known = scenario.tenant.tenant.json[list] else { return nil }
        let names = known.objectValue?.keys ?? known.arrayValue?.compactMap(\.stringValue) ?? []
        return names.map(JSONValue.string).filter { $0 != value }
    }

    private mutating func carried(_ path: [String], _ parameter: String, _ cases: [String]?) {
        changes.append(
            Mutation(
                rule: .parameterWithoutEffect, pointer: JSONPointer(tokens: path),
                subject: "the parameter `\(path.last ?? "")`", ways: [removing(path)], carrying: parameter,
                cases: cases, remedy: "Correct its name, remove it, or expect it in `requests`."))
    }

    // MARK: Changed scripts

    private func replacing(_ path: [String], _ value: JSONValue) -> ScriptEdit { ScriptEdit(path, value) }

    private func removing(_ path: [String], floor: Int? = nil) -> ScriptEdit {
        ScriptEdit(removing: [path], floor: floor ?? path.count - 1)
    }
}

/// Where a script fills in values.
private struct ValueUses {
    /// By name, the places outside of expectations that have the value as a whole.
    private var places: [String: [[String]]] = [:]
    /// Names that are a part of a longer text.
    private var parts: Set<String> = []
    /// Names in expectations.
    private var expected: Set<String> = []

    init(in root: JSONValue) {
        for key in ["configure", "faults", "steps", "finally"] { if let value = root[key] { walk(value, [key]) } }
    }

    private mutating func walk(_ value: JSONValue, _ path: [String]) {
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() { walk(element, path + ["\(index)"]) }
        case .object(let object):
            for (name, inner) in object.members { walk(inner, path + [name]) }
        case .string(let text):
            for occurrence in Interpolation.occurrences(in: value).references {
                let name = occurrence.reference.root
                if path.contains("expect") || path.contains("expectIn") {
                    expected.insert(name)
                } else if text == "{{\(name)}}" {
                    places[name, default: []].append(path)
                } else {
                    parts.insert(name)
                }
            }
        default: break
        }
    }

    /// The places that have a value as a whole; `nil` where an expectation names it, or nothing does.
    func wholes(of name: String) -> [[String]]? {
        expected.contains(name) ? nil : places[name] ?? (parts.contains(name) ? [] : nil)
    }

    /// Whether the script has the value nowhere but in places of its own.
    func isWhole(_ name: String) -> Bool { !parts.contains(name) }

    /// Some texts of a tenant file that have a sign.
    func texts(of tenant: JSONValue, with sign: String) -> [String] {
        var found: [String] = []
        func gather(_ value: JSONValue) {
            switch value {
            case .array(let elements): elements.forEach(gather)
            case .object(let object): for (_, inner) in object.members { gather(inner) }
            case .string(let text): if text.contains(sign), found.count < 6 { found.append(text) }
            default: break
            }
        }
        gather(tenant)
        return found
    }
}

/// A change of a script, made when it is tried: a changed copy of a long script for each of its lines takes memory.
struct ScriptEdit {
    private let places: [[String]]
    private let value: JSONValue?
    private let floor: Int

    /// Puts a value in a place.
    init(_ place: [String], _ value: JSONValue) {
        places = [place]
        self.value = value
        floor = 0
    }

    /// Removes what is in some places, and what holds it that is then empty, down to a depth of `floor`.
    init(removing places: [[String]], floor: Int) {
        self.places = places
        value = nil
        self.floor = floor
    }

    func applied(to root: JSONValue) -> JSONValue {
        var changed = root
        for place in places {
            if let value {
                changed.set(value, at: JSONPointer(tokens: place))
            } else {
                changed.remove(place, floor: floor)
            }
        }
        return changed
    }
}

extension JSONValue {
    /// Removes a value, and what holds it that is then empty, down to a depth of `floor`.
    fileprivate mutating func remove(_ path: [String], floor: Int) {
        var path = path
        while !path.isEmpty {
            set(nil, at: JSONPointer(tokens: path))
            path.removeLast()
            guard path.count > floor else { return }
            switch value(at: JSONPointer(tokens: path)) {
            case .object(let object)? where object.isEmpty: continue
            case .array(let elements)? where elements.isEmpty: continue
            default: return
            }
        }
    }
}
