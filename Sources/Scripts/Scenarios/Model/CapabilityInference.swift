import Determinism
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Finds what a scenario needs of its target, so that it is skipped before its first request where that is missing.
public enum CapabilityInference {
    /// The needs of one variant, each with the first place that has it; in the order of ``Capability``.
    public static func needs(of variant: ScenarioVariant) -> [CapabilityNeed] {
        var search = CapabilitySearch(variant: variant)
        search.run()
        return Capability.allCases.compactMap { search.found[$0] }
    }
}

private struct CapabilitySearch {
    let variant: ScenarioVariant
    /// Steps by id, the first if an id occurs twice.
    private let steps: [String: Step]
    var found: [Capability: CapabilityNeed] = [:]

    init(variant: ScenarioVariant) {
        self.variant = variant
        steps = Dictionary(
            variant.scenario.allSteps.compactMap { step in step.id.map { ($0, step) } },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func run() {
        let scenario = variant.scenario
        for capability in scenario.needs {
            need(capability, "/needs", "`needs`", because: "the script says so")
        }
        if let patch = scenario.configure { patched(patch, "/configure", "`configure`") }
        if let patch = variant.variant?.configure {
            patched(patch, "/cases/\(variant.caseName ?? "")/configure", "the case `\(variant.caseName ?? "")`")
        }
        for list in variant.faults {
            faults(list.rules, list.pointer.description, "`faults`")
            browserFaults(list.rules, list.pointer.description, "`faults`")
        }
        for step in (variant.steps + variant.finally).flatMap(\.withInner) { look(at: step) }
    }

    private mutating func need(_ capability: Capability, _ pointer: String, _ place: String, because reason: String) {
        guard found[capability] == nil else { return }
        found[capability] = CapabilityNeed(capability: capability, pointer: pointer, place: place, reason: reason)
    }

    private mutating func need(_ capability: Capability, _ step: Step, _ reason: String) {
        need(capability, step.pointer.description, "the step \(step.title)", because: reason)
    }

    // MARK: Steps

    private mutating func look(at step: Step) {
        if let call = step.call(Configure.self) {
            patched(call.parameters, step.pointer.description, "the step \(step.title)")
        }
        for need in step.record.needs(keys: variant.scenario.tenant.tenant.keyNames) {
            self.need(need.capability, step, need.reason)
        }
        if let rules = step.faults {
            faults(rules, step.pointer.description, "the step \(step.title)")
            if Self.usesBrowser(step) { browserFaults(rules, step.pointer.description, "the step \(step.title)") }
        }
        if let expect = step.expectation(in: variant.caseName) { expectation(expect, of: step) }
        user(of: step)
        let texts = [step.parameters, step.user, step.expect].compactMap { $0 }
        let reads = texts.contains { value in
            Interpolation.occurrences(in: value).references.contains { $0.reference.root == ValueRoot.inbox.rawValue }
        }
        if reads { need(.inbox, step, "reads a message") }
        let looksBack = texts.contains { value in
            Interpolation.occurrences(in: value).references.contains { place in
                guard place.reference.path.first == "requests",
                    let other = steps[place.reference.root]
                else { return false }
                return Self.usesBrowser(other)
            }
        }
        if looksBack { need(.browserRequests, step, "reads requests of the browser") }
    }

    private mutating func expectation(_ expect: JSONValue, of step: Step) {
        guard case .object(let object) = expect else { return }
        if object["trace"] != nil { need(.trace, step, "expects a trace") }
        if case .object(let elapsed)? = object["elapsed"], elapsed["$lt"] != nil || elapsed["$lte"] != nil {
            need(.virtualTime, step, "bounds the time that passes")
        }
        if object["messages"] != nil { need(.inbox, step, "expects messages") }
        if Self.usesBrowser(step) {
            if let requests = object["requests"], Self.countsBrowser(requests) {
                need(.browserRequests, step, "expects requests of the browser")
            }
            if let events = object["events"], Self.namesBrowserRule(events) {
                need(.browserRequests, step, "expects what the browser held back")
            }
        }
        for inner in object["steps"]?.arrayValue ?? [] { expectation(inner, of: step) }
        for name in [MatcherTest.all.rawValue, MatcherTest.any.rawValue] {
            for inner in object[name]?.arrayValue ?? [] { expectation(inner, of: step) }
        }
    }

    // MARK: People

    private mutating func user(of step: Step) {
        guard let user = step.user else { return }
        var people: [String] = []
        if let name = user.stringValue { people.append(name) }
        for action in user.arrayValue ?? [] {
            if let name = action.stringValue { people.append(name) }
            if let press = action["press"]?.stringValue, press.hasPrefix("sendCode") || press == "resendCode" {
                need(.inbox, step, "has a code sent")
            }
            if isLong(action["wait"]) { need(.virtualTime, step, "waits more than a minute") }
        }
        guard !people.isEmpty, needsCode(step, people) else { return }
        need(.inbox, step, "proves an address or phone with a code")
    }

    /// Whether acting as these people meets a page that asks for a code.
    private func needsCode(_ step: Step, _ people: [String]) -> Bool {
        let tenant = variant.scenario.tenant.tenant
        let app = variant.scenario.client(named: step.client ?? variant.scenario.app ?? "").app
        let name = step.record.authority.policy ?? tenant.app(named: app)?.client.policy
        guard let policy = name.flatMap({ tenant.policy(named: $0) }) else { return false }
        let patched = tenant.json["policies"]?[policy.name] ?? .null
        let settings = variant.configure.reduce(patched) { value, patch in
            patch["policies"]?[policy.name].map { value.merging(patch: $0) } ?? value
        }
        let type = settings["type"]?.stringValue
        if type == PolicyType.passwordReset.rawValue { return true }
        let mfa = settings["mfa"]?["when"]?.stringValue
        if let mfa, mfa != "off", settings["mfa"]?["method"]?.stringValue != "totp" { return true }
        let signsUp = people.contains { tenant.user(named: $0)?.registered == false }
        return signsUp && settings["emailVerification"]?.stringValue != "off"
            && (type == PolicyType.signUp.rawValue || type == PolicyType.signUpOrSignIn.rawValue)
    }

    // MARK: Settings and faults

    private mutating func patched(_ patch: JSONValue, _ pointer: String, _ place: String) {
        for (key, value) in patch.objectValue?.members ?? [] {
            switch key {
            case "device", "inbox", "$schema": continue
            case "browser":
                let own: Set<String> = ["available", "acceptLanguage"]
                let keys = value.objectValue?.keys ?? []
                if keys.contains(where: { !own.contains($0) }) {
                    need(.browserRequests, pointer, place, because: "sets rules of the browser")
                }
            case "users": need(.directory, pointer, place, because: "changes people")
            case "apps":
                let touchesRegistration =
                    value.objectValue?.members.contains { $0.value["registration"] != nil } ?? false
                if touchesRegistration {
                    need(.settings, pointer, place, because: "changes what the tenant knows of an app")
                }
            default: need(.settings, pointer, place, because: "changes `\(key)`")
            }
        }
    }

    private mutating func faults(_ rules: JSONValue, _ pointer: String, _ place: String) {
        for rule in rules.arrayValue ?? [] {
            let from = rule["match"]?["from"]?.stringValue
            if from == "authority" || from == "api" {
                need(.protocolFaults, pointer, place, because: "meddles with calls of the \(from ?? "")")
            }
            for effect in ["claims", "b2cError"] where rule[effect] != nil {
                need(.protocolFaults, pointer, place, because: "has the effect `\(effect)`")
            }
            if isLong(rule["delay"]) { need(.virtualTime, pointer, place, because: "delays for more than a minute") }
        }
    }

    // MARK: The browser

    /// Endpoints that a browser asks. `provider` is asked by the authority too, then with `from`.
    private static let browserEndpoints: Set<String> = ["authorize", "page", "logout", "provider", "template", "other"]
    /// Events of a browser that holds something back by its own rules.
    private static let browserEvents = ["cookieBlocked", "corsBlocked", "frameBlocked"]

    /// Whether a browser acts in a step or in one inside it.
    private static func usesBrowser(_ step: Step) -> Bool {
        step.withInner.contains(where: \.verb.takesUser)
    }

    /// Whether a matcher over exchanges can mean one of the browser's.
    private static func mayMeanBrowser(_ record: JSONValue) -> Bool {
        if let from = record["from"]?.stringValue { return from == "browser" }
        guard let endpoint = record["endpoint"]?.stringValue else { return true }
        return browserEndpoints.contains(endpoint)
    }

    /// Whether an expectation on the log of requests counts or looks at those of the browser.
    private static func countsBrowser(_ requests: JSONValue) -> Bool {
        switch requests {
        case .array(let records): return records.contains(where: mayMeanBrowser)
        case .object(let counts): return counts.keys.contains { $0.hasPrefix("$") || browserEndpoints.contains($0) }
        default: return true
        }
    }

    private static func namesBrowserRule(_ events: JSONValue) -> Bool {
        switch events {
        case .array(let records):
            return records.contains { browserEvents.contains($0["type"]?.stringValue ?? "") }
        case .object(let counts): return counts.keys.contains { browserEvents.contains($0) }
        default: return false
        }
    }

    private mutating func browserFaults(_ rules: JSONValue, _ pointer: String, _ place: String) {
        for rule in rules.arrayValue ?? [] where Self.mayMeanBrowser(rule["match"] ?? [:]) {
            need(.browserRequests, pointer, place, because: "meddles with requests of the browser")
        }
    }

    private func isLong(_ value: JSONValue?) -> Bool {
        guard let text = value?.stringValue, let span = TimeSpan(iso8601: text) else { return false }
        return span > .minutes(1)
    }
}

/// A capability that a scenario needs, and the place that needs it.
public struct CapabilityNeed: Hashable, Sendable {
    /// What is needed.
    public var capability: Capability
    /// The step's or the key's place in the script.
    public var pointer: String
    /// The step in words: its name, id or number; or the key.
    public var place: String
    /// Why, as the end of "needs ... because it ...".
    public var reason: String
}
