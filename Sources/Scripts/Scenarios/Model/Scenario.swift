import B2CProtocol
import Determinism
import Diagnostics
import JSON
import Verbs

/// A scenario file, read and checked.
public struct Scenario: Sendable {
    /// The file's text, for the places of later findings.
    public var document: JSONDocument
    /// The file as the user named it.
    public var file: String { document.file }
    /// Title.
    public var name: String
    /// Prose.
    public var description: String?
    /// URLs of sources.
    public var links: [String]
    /// Words for `--tags`.
    public var tags: [String]
    /// The tenant that the script plays in.
    public var tenant: LoadedTenant
    /// The app that acts when a step names no client; the tenant's only one where the script names none.
    public var app: String?
    /// Named running copies of apps; the apps themselves are clients too.
    public var clients: [ClientDeclaration]
    /// True time at the first step, perhaps as `{{...}}`; `nil` for the usual one.
    public var clock: JSONValue?
    /// Variables with their defaults; `null` marks one that must be given.
    public var variables: JSONObject
    /// Patch over the tenant file before the first step.
    public var configure: JSONValue?
    /// Fault rules for the whole scenario: a list, or a `{{...}}` that becomes one.
    public var faults: JSONValue?
    /// Named variants; empty when the scenario runs once.
    public var cases: [ScenarioCase]
    /// The steps.
    public var steps: [Step]
    /// The id of the step after which it was cut off; `nil` for a whole scenario.
    public var lastStep: String?
    /// Steps that always run.
    public var finally: [Step]
    /// Capabilities beyond those that follow from the steps.
    public var needs: [Capability]
    /// Why the scenario does not run.
    public var skip: String?
    /// The failure that is known and waited for.
    public var expectedFailure: ExpectedFailure?
    /// Findings that do not keep the scenario from running.
    public var advice: [Diagnostic]

    /// True time at the first step unless the script says otherwise: 2026-01-15T12:00:00Z.
    public static let usualClock = Timestamp(seconds: 1_768_478_400)

    /// Every step, also inner ones and those of `finally`, in the order of the text.
    public var allSteps: [Step] { (steps + finally).flatMap(\.withInner) }

    /// The place of a value of the script; without line and column where a program made it: nobody has such a file, and
    /// reports ask for the place of every step.
    public func location(of pointer: JSONPointer, key: Bool = false) -> SourceLocation {
        document.isText
            ? document.location(of: pointer, key: key)
            : SourceLocation(file: file, pointer: pointer.description)
    }

    /// The client of a name: one of `clients`, or an app of the tenant.
    public func client(named name: String) -> ClientDeclaration {
        clients.first { $0.name == name } ?? ClientDeclaration(name: name, app: name)
    }
}

/// A running copy of an app.
public struct ClientDeclaration: Hashable, Sendable {
    /// Name by which steps know it.
    public var name: String
    /// The app in the tenant file.
    public var app: String
    /// The device it runs on: one clock, one network, one keychain per team and group.
    public var device: String
    /// The browser it uses: one cookie jar, one local storage per origin.
    public var browser: String

    /// A client; left out, the device is `device` and the browser is called like the device.
    public init(name: String, app: String, device: String? = nil, browser: String? = nil) {
        self.name = name
        self.app = app
        self.device = device ?? "device"
        self.browser = browser ?? self.device
    }
}

/// A variant of a scenario.
public struct ScenarioCase: Hashable, Sendable {
    /// Name in reports and in `only` and `expectIn`.
    public var name: String
    /// Values for `{{...}}`.
    public var values: JSONObject
    /// A patch after the scenario's own.
    public var configure: JSONValue?
    /// Fault rules for this case.
    public var faults: JSONValue?
    /// Why the case does not run.
    public var skip: String?
    /// The case's place in the script.
    public var pointer: JSONPointer
}

/// A known failure: the run counts as expected only if it fails there.
public struct ExpectedFailure: Hashable, Sendable {
    /// Why it fails.
    public var reason: String
    /// The step that fails; `nil` for any.
    public var step: String?
    /// The cases that fail; `nil` for all.
    public var cases: [String]?
    /// The targets on which it fails: `in-process`, `mock-server`, `live`; `nil` for all.
    public var targets: [String]?

    /// Whether a run is expected to fail.
    public func applies(to caseName: String?, target: String) -> Bool {
        if let cases, !(caseName.map(cases.contains) ?? false) { return false }
        return targets?.contains(target) ?? true
    }
}
