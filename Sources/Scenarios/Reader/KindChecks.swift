import B2CProtocol
import JSON

/// Refuses by name what the language has and this version has not: other kinds of clients. Live tenants are refused where
/// the tenant file is read.
struct KindChecks {
    private let context: ReadContext
    private let tenant: JSONValue
    private var findings: Findings { context.findings }

    /// Kinds of clients that are built.
    static let builtKinds = ClientKind.supported.map(\.rawValue)

    /// - Parameter tenant: the tenant with its defaults, before any patch.
    init(_ context: ReadContext, tenant: JSONValue) {
        self.context = context
        self.tenant = tenant
    }

    func run() {
        checkUsedApps()
        for (patch, pointer) in patches { check(patch: patch, at: pointer) }
        for step in context.allSteps where step.verb == .createClient {
            let pointer = step.pointer.appending(Verb.createClient.rawValue)
            check(kind: step.parameters["kind"], at: pointer.appending("kind"))
        }
    }

    private var patches: [(JSONValue, JSONPointer)] {
        var found: [(JSONValue, JSONPointer)] = []
        if let patch = context.root["configure"] { found.append((patch, JSONPointer(tokens: ["configure"]))) }
        for name in context.cases {
            if let patch = context.root["cases"]?[name]?["configure"] {
                found.append((patch, JSONPointer(tokens: ["cases", name, "configure"])))
            }
        }
        for step in context.allSteps where step.verb == .configure {
            found.append((step.parameters, step.pointer.appending(Verb.configure.rawValue)))
        }
        return found
    }

    private func check(patch: JSONValue, at pointer: JSONPointer) {
        for (name, app) in patch["apps"]?.objectValue?.members ?? [] {
            let place = JSONPointer(tokens: pointer.tokens + ["apps", name, "client"])
            check(kind: app["client"]?["kind"], at: place.appending("kind"))
        }
    }

    private func checkUsedApps() {
        if let app = context.root["app"]?.stringValue,
            context.allSteps.contains(where: {
                ClientNeed.exists(in: $0) && Self.asksTheLibrary($0) && $0.client == nil
            })
        {
            check(app: app, at: JSONPointer(tokens: ["app"]))
        }
        let asked = Set(context.allSteps.filter(Self.asksTheLibrary).compactMap(\.client))
        for (name, client) in context.root["clients"]?.objectValue?.members ?? [] where asked.contains(name) {
            if let app = client["app"]?.stringValue {
                check(app: app, at: JSONPointer(tokens: ["clients", name, "app"]))
            }
        }
        for step in context.allSteps where Self.asksTheLibrary(step) {
            if let client = step.client, context.root["clients"]?[client] == nil {
                check(app: client, at: step.pointer.appending("client"))
            }
        }
        if context.root["app"] == nil, context.names.apps.count == 1,
            let step = context.allSteps.first(where: { ClientNeed.exists(in: $0) && Self.asksTheLibrary($0) })
        {
            check(app: context.names.apps[0], at: step.pointer)
        }
    }

    /// Whether a step is about what an app's library does. What a browser or a plain request does needs of the app only
    /// its settings, so that apps of every kind can be played on the wire; groups say nothing of themselves.
    private static func asksTheLibrary(_ step: Step) -> Bool {
        switch step.verb {
        case .open, .http, .callApi, .configure, .resume, .barrier, .mintToken, .advanceClock:
            false
        // A group hands its client down.
        case .steps, .parallel: step.withInner.dropFirst().contains { $0.client == nil && asksTheLibrary($0) }
        case .inspect:
            (step.parameters.stringValue ?? step.parameters["what"]?.stringValue) == "cache"
        case .restart:
            (step.parameters.stringValue ?? step.parameters["what"]?.stringValue) == "app"
        default: true
        }
    }

    private func check(app name: String, at pointer: JSONPointer) {
        guard let app = tenant["apps"]?[name] else { return }
        if let kind = app["client"]?["kind"]?.stringValue, !Self.builtKinds.contains(kind) {
            findings.add(
                .notBuiltYet, "the app `\(name)` is of the client kind \(kind), which is not built yet",
                remedy: "Built are \(Self.builtKinds.joined(separator: ", ")).", at: pointer)
        }
    }

    private func check(kind value: JSONValue?, at pointer: JSONPointer) {
        guard let kind = value?.stringValue, ClientKind(rawValue: kind) != nil, !Self.builtKinds.contains(kind) else {
            return
        }
        findings.add(
            .notBuiltYet, "the client kind \(kind) is not built yet",
            remedy: "Built are \(Self.builtKinds.joined(separator: ", ")).", at: pointer)
    }
}

/// Which steps need to know the app that acts.
enum ClientNeed {
    static func exists(in step: Step) -> Bool {
        switch step.verb {
        case .resume: false
        case .http: step.parameters["endpoint"] != nil || step.parameters["cookies"] == .bool(true)
        case .inspect:
            ["cache", "cookies", "storage"].contains(
                step.parameters.stringValue ?? step.parameters["what"]?.stringValue ?? "")
        case .restart:
            ["app", "browser", "device"].contains(
                step.parameters.stringValue ?? step.parameters["what"]?.stringValue ?? "")
        case .importCache, .open: true
        case .configure: step.parameters["device"] != nil || step.parameters["browser"] != nil
        default: step.verb.isAppVerb
        }
    }
}
