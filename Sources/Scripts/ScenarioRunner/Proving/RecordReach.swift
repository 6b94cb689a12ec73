import AuthorityHosting
import Browser
import Exchanges
import JSON
import Scenarios
import TenantFiles
import TrustFramework
import Verbs

/// Which records the logs of a step can have at all: its verb, the kind of its client and its policies decide that. That
/// there is none of another kind holds of every outcome.
struct RecordReach: Sendable {
    /// The step in words, such as "`acquireToken` of the app kind `msal-ios` with the policy `susi`".
    private(set) var subject: String
    /// By log, the kinds that can occur; a log without an entry can have any record, one with an empty set none.
    private var kinds: [LogName: Set<String>] = [:]
    /// Members of the outcome that there cannot be, as paths.
    private var absent: Set<[String]> = []
    /// Members of requests with a value that no request has.
    private(set) var lackingMembers: [String: JSONValue] = [:]
    /// The only step; `nil` for what several steps have together.
    private var verb: Verb?

    /// Nothing is known: every record can occur.
    private init(_ subject: String) { self.subject = subject }

    /// Whether no such record can occur.
    ///
    /// - Parameter kind: `nil`: whether no record of the log can.
    func lacks(_ log: LogName, _ kind: String?) -> Bool {
        guard let possible = kinds[log] else { return false }
        return kind.map { !possible.contains($0) } ?? possible.isEmpty
    }

    /// Whether an outcome can never have a member.
    func lacks(_ member: [String]) -> Bool { absent.contains(member) }

    /// Why a member of the outcome has what a matcher asks for whatever happens, in words; `nil` where it need not.
    func constant(_ member: [String], _ matcher: JSONValue) -> String? {
        guard let verb else { return nil }
        switch member {
        case ["elapsed"] where verb == .advanceClock: return "it takes as long as the clock is moved"
        case ["elapsed"] where [.configure, .mintToken, .inspect, .importCache].contains(verb):
            return "`\(verb.rawValue)` takes no time"
        case ["result", "now"] where verb == .advanceClock && matcher.stringValue != nil:
            return "it is the time to which the clock was moved"
        case ["result", "current"], ["result", "previous"]:
            return verb == .currentAccount && matcher == ["$exists": true]
                ? "it is always present, and may be null" : nil
        case ["steps"] where verb.isGroup:
            let tests = matcher.objectValue?.keys ?? []
            return !tests.isEmpty && tests.allSatisfy { ["$length", "$exists", "$type"].contains($0) }
                ? "`\(verb.rawValue)` always shows each of its steps" : nil
        default: return nil
        }
    }

    private mutating func keep(_ names: Set<String>, in log: LogName) {
        kinds[log] = kinds[log]?.intersection(names) ?? names
    }

    private mutating func remove(_ names: Set<String>, from log: LogName) {
        kinds[log] = (kinds[log] ?? Self.all[log] ?? []).subtracting(names)
    }

    private static let all: [LogName: Set<String>] = [
        .requests: Set(ExchangeWords.endpoints.map(\.value)), .pages: Set(PageWords.pages.map(\.value)),
        .messages: Set(ScenarioWords.messageKinds.map(\.value)), .events: Set(ScenarioWords.events.map(\.value)),
    ]

    /// What the steps of a group can have together.
    init(_ subject: String, verb: Verb, of parts: [RecordReach]) {
        self.init(subject)
        if verb.isGroup { self.verb = verb }
        for log in LogName.allCases {
            let sets = parts.compactMap { $0.kinds[log] }
            if sets.count == parts.count, !parts.isEmpty { kinds[log] = sets.reduce(into: []) { $0.formUnion($1) } }
        }
        absent = parts.dropFirst().reduce(parts.first?.absent ?? []) { $0.intersection($1.absent) }
        lackingMembers = (parts.first?.lackingMembers ?? [:]).filter { member in
            parts.allSatisfy { $0.lackingMembers[member.key] == member.value }
        }
    }

    /// - Parameters:
    ///   - app: The app that acts; `nil` where none does.
    ///   - policies: The policies that it can come to; `nil` where that is not known.
    init(_ step: Step, app: AppSettings?, policies: [PolicyRecordReach]?) {
        let verb = step.verb
        var words = "`\(verb.rawValue)`"
        if let app, verb.record.traits.contains(.app) { words += " of the app kind `\(app.client.kind.rawValue)`" }
        if let policies, policies.count == 1, verb.takesUser || verb.record.traits.contains(.app) || verb == .http {
            words += " with the policy `\(policies[0].name)`"
        }
        self.init(words)
        self.verb = verb
        let isInPage = app?.client.kind.traits.runsInPage ?? true
        endpoints(of: step, isInPage: isInPage)
        // That a silent call opens no browser is what an app relies on.
        let hasBrowser = verb.takesUser || [.deliver, .restart, .acquireTokenSilent].contains(verb)
        if !verb.takesUser { absent.insert(["pending"]) }
        if app?.client.kind.traits.takesState == false { absent.insert(["result", "state"]) }
        if app?.client.kind.traits.throttles == false { absent.insert(["error", "throttled"]) }
        if !hasBrowser {
            absent.insert(["callback"])
            keep([], in: .pages)
            keep([], in: .messages)
            remove(["browserOpened", "browserClosed", "newTab", "frameBlocked", "callback"], from: .events)
        }
        if verb != .signOut, verb != .open, verb != .resume { remove(["signedOut"], from: .pages) }
        if let app, verb.record.traits.contains(.app) { events(of: app) }
        if let policies { self.policies(policies) }
        if !isInPage, [.acquireToken, .acquireTokenSilent, .callApi].contains(verb) {
            // The pages of the service are in no frame, and load nothing from elsewhere but their template.
            lackingMembers["frame"] = true
            remove(["frameBlocked"], from: .events)
            if lacks(.requests, "template") {
                lackingMembers["blocked"] = "cors"
                remove(["corsBlocked"], from: .events)
            }
        }
        if kinds[.requests]?.isEmpty == true { for log in [LogName.pages, .messages, .trace] { keep([], in: log) } }
        // What is not a call of an app has no events of its library, and opens no browser for it.
        if !hasBrowser, !verb.record.traits.contains(.app) { keep(["cookieBlocked"], in: .events) }
    }

    private mutating func endpoints(of step: Step, isInPage: Bool) {
        switch step.verb {
        case .advanceClock, .configure, .mintToken, .inspect, .importCache, .barrier:
            for log in LogName.allCases { keep([], in: log) }
        case .accounts, .currentAccount, .removeAccount, .deviceInformation, .cancelInteraction, .createClient:
            // What a library asks by itself: that it does not is worth a line.
            keep(["discovery", "keys", "instanceDiscovery", "authorize", "token", "logout"], in: .requests)
            keep([], in: .trace)
        case .callApi:
            keep(["api", "keys", "discovery", "instanceDiscovery", "token", "graph", "other"], in: .requests)
        case .callExtension:
            keep(["rest"], in: .requests)
            keep([], in: .trace)
            keep([], in: .events)
        case .acquireToken, .acquireTokenSilent, .deliver: remove(["api", "logout", "userRealm"], from: .requests)
        case .signOut: remove(["api", "userinfo", "userRealm", "graph"], from: .requests)
        case .restart:
            // Only a page sends something when it is loaded.
            if !isInPage { for log in LogName.allCases { keep([], in: log) } }
        case .http:
            guard let endpoint = step.call(HTTP.self)?.request.endpoint else { break }
            if [.keys, .discovery].contains(endpoint) { keep([], in: .trace) }
            keep([endpoint.rawValue, "token", "rest", "graph", "provider", "keys", "discovery"], in: .requests)
        default: break
        }
    }

    private mutating func events(of app: AppSettings) {
        let kind = app.client.kind
        if ![.msalIOS, .msalMacOS].contains(kind) { remove(["keychainError"], from: .events) }
        if !kind.traits.throttles { remove(["throttled"], from: .events) }
        if kind == .appAuth { remove(["instanceDiscovery"], from: .requests) }
        if app.client.serverRetries == 0 { remove(["retry"], from: .events) }
    }

    private mutating func policies(_ policies: [PolicyRecordReach]) {
        for log in LogName.allCases {
            let lacking = policies.compactMap { $0.lacks[log] }
            guard lacking.count == policies.count, var both = lacking.first else { continue }
            for other in lacking.dropFirst() { both.formIntersection(other) }
            remove(both, from: log)
        }
    }
}

/// What a policy keeps out of the logs.
struct PolicyRecordReach: Sendable {
    let name: String
    fileprivate private(set) var lacks: [LogName: Set<String>] = [:]

    /// - Parameter linked: The policy itself; `nil` where it cannot be played.
    init(_ settings: PolicySettings, linked: ResolvedPolicy?) {
        name = settings.name
        if settings.type == .custom { custom(linked) } else { userFlow(settings) }
    }

    /// A custom policy is known by what its technical profiles are carried out with.
    private mutating func custom(_ policy: ResolvedPolicy?) {
        guard let policy else { return }
        let handlers = Set(policy.profiles.map(\.handler))
        if !handlers.contains(.rest) { lacks[.requests, default: []].formUnion(["rest", "graph"]) }
        if !handlers.contains(where: \.isFederation) {
            lacks[.requests, default: []].insert("provider")
            lacks[.pages, default: []].formUnion(["provider", "providerSelection"])
        }
        let phone: [ProfileHandler] = [.phoneFactor, .azureMfa, .rest]
        if handlers.isDisjoint(with: phone) { lacks[.messages, default: []].formUnion(["sms", "call"]) }
        if !handlers.contains(.captcha) { lacks[.messages, default: []].insert("captcha") }
    }

    private mutating func userFlow(_ settings: PolicySettings) {
        var requests: Set = ["rest", "graph"]
        var pages: Set<String> = []
        var messages: Set<String> = []
        if settings.providers.isEmpty {
            requests.insert("provider")
            pages.formUnion(["provider", "providerSelection"])
        }
        if settings.template == nil { requests.insert("template") }
        if settings.mfa.when == .off {
            pages.insert("mfa")
            messages.formUnion(["sms", "call"])
        }
        if !settings.captcha { messages.insert("captcha") }
        if settings.type != .profileEditing { pages.insert("editProfile") }
        if settings.type == .passwordReset {
            pages.formUnion(["signIn", "signUp"])
        } else if settings.forgotPassword != .inFlow, !settings.forcedReset {
            pages.formUnion(["verifyEmail", "newPassword"])
        }
        lacks = [.requests: requests, .pages: pages, .messages: messages]
    }
}

extension World {
    /// Which records a step can have.
    func reach(of step: Step, inheriting inherited: String?) -> RecordReach {
        let origin = origin(of: step)
        let client = origin.client ?? inherited
        let app = (try? clientName(origin, inherited: client)).flatMap { try? self.app(of: $0) }
        let own = RecordReach(origin, app: app, policies: app.flatMap { policies(of: origin, $0) })
        let inner = (step.steps + step.then).map { reach(of: $0, inheriting: client) }
        if inner.isEmpty { return own }
        return RecordReach(own.subject, verb: step.verb, of: step.verb.isGroup ? inner : [own] + inner)
    }

    /// The step that `resume` goes on with in the end; any other step itself.
    func origin(of step: Step) -> Step {
        guard step.verb == .resume else { return step }
        let all = variant.scenario.allSteps
        var origin = step
        for _ in 0..<all.count {
            guard let id = origin.call(Resume.self)?.value, let next = all.first(where: { $0.id == id }) else { break }
            origin = next
        }
        return origin
    }

    /// The policies that a step can come to; `nil` where that is not known.
    private func policies(of step: Step, _ app: AppSettings) -> [PolicyRecordReach]? {
        let (named, url) = step.record.authority
        guard url == nil, tenant.tenant.kind == .b2c, let name = named ?? app.client.policy,
            !Interpolation.isNeeded(in: .string(name)), let settings = tenant.tenant.policy(named: name)
        else { return nil }
        // A chosen account brings its own policy along.
        let account = (step.record as? any TokenRequestCall)?.account ?? step.call(SignOut.self)?.account
        if let account, account != .unsaid { return nil }
        return [PolicyRecordReach(settings, linked: tenant.policies.first { sameText($0.id, settings.id) })]
    }
}
