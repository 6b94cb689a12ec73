import B2CProtocol
import JSON

/// Refuses by name what the language has and this version has not: other kinds of clients. Live tenants are refused where
/// the tenant file is read.
struct KindChecks {
    private let context: ReadContext
    private let tenant: JSONValue
    private var findings: Findings { context.findings }

    /// Kinds of clients that are built.
    static let builtKinds = [ClientKind.msalIOS.rawValue, ClientKind.msalMacOS.rawValue]

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
        if let app = context.root["app"]?.stringValue { check(app: app, at: JSONPointer(tokens: ["app"])) }
        for (name, client) in context.root["clients"]?.objectValue?.members ?? [] {
            if let app = client["app"]?.stringValue {
                check(app: app, at: JSONPointer(tokens: ["clients", name, "app"]))
            }
        }
        for step in context.allSteps {
            if let client = step.client, context.root["clients"]?[client] == nil {
                check(app: client, at: step.pointer.appending("client"))
            }
        }
        if context.root["app"] == nil, context.names.apps.count == 1,
            let step = context.allSteps.first(where: { ClientNeed.exists(in: $0) })
        {
            check(app: context.names.apps[0], at: step.pointer)
        }
    }

    private func check(app name: String, at pointer: JSONPointer) {
        guard let app = tenant["apps"]?[name] else { return }
        if let kind = app["client"]?["kind"]?.stringValue, !Self.builtKinds.contains(kind) {
            findings.add(
                .notBuiltYet, "the app `\(name)` is of the client kind \(kind), which is not built yet",
                remedy: "Built are \(Self.builtKinds.joined(separator: " and ")).", at: pointer)
        }
    }

    private func check(kind value: JSONValue?, at pointer: JSONPointer) {
        guard let kind = value?.stringValue, ClientKind(rawValue: kind) != nil, !Self.builtKinds.contains(kind) else {
            return
        }
        findings.add(
            .notBuiltYet, "the client kind \(kind) is not built yet",
            remedy: "Built are \(Self.builtKinds.joined(separator: " and ")).", at: pointer)
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
