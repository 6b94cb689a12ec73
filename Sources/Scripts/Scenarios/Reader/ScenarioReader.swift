import Diagnostics
import Exchanges
import JSON
import TenantFiles
import Verbs

/// Reads scenario files: the shape, every name, every `{{...}}`, and how the steps fit together. All findings at once.
public enum ScenarioReader {
    /// Reads a scenario whose tenant file is looked up by `files`.
    ///
    /// - Parameters:
    ///   - file: the path as the user named it.
    ///   - files: the content of other files by path; `nil` where there is none.
    /// - Throws: ``InvalidInput`` with everything that is wrong.
    public static func read(
        file: String, bytes: [UInt8], files: @escaping @Sendable (String) -> [UInt8]?
    ) throws(InvalidInput) -> Scenario {
        try read(file: file, bytes: bytes, tenants: TenantLibrary(files: files))
    }

    /// Reads a scenario; tenant files come from a library that many scenarios share.
    ///
    /// - Parameters:
    ///   - target: path of a tenant file that takes the place of the scenario's own (`--target`).
    public static func read(
        file: String, bytes: [UInt8], tenants: TenantLibrary, target: String? = nil
    ) throws(InvalidInput) -> Scenario {
        try read(try JSONDocument(file: file, bytes: bytes), tenants: tenants, target: target)
    }

    /// Reads a scenario of a document, which may be a value that no file holds.
    ///
    /// - Parameters:
    ///   - target: path of a tenant file that takes the place of the scenario's own (`--target`).
    ///   - acceptsAnything: expectations that cannot fail are taken: a program compares what the steps did.
    public static func read(
        _ document: JSONDocument, tenants: TenantLibrary, target: String? = nil, acceptsAnything: Bool = false
    ) throws(InvalidInput) -> Scenario {
        let findings = Findings(document: document)
        let checker = ShapeChecker(
            document: document, named: ScenarioShapes.named, allowTemplates: true, rulePrefix: "B2C-SCN")
        findings.add(checker.check(document.root, at: .root, as: ScenarioShapes.root))
        guard document.root.objectValue != nil else { throw InvalidInput(diagnostics: findings.all) }

        let loaded = TenantReading.load(document, tenants, target: target, findings)
        let steps = StepBuilder.steps(document.root["steps"], at: JSONPointer(tokens: ["steps"]))
        let finally = StepBuilder.steps(document.root["finally"], at: JSONPointer(tokens: ["finally"]))
        let walk = ScriptWalk(root: document.root, steps: steps + finally)
        let outlines = TenantOutlines(over: loaded.tenant?.base)
        var names = KnownNames(tenant: loaded.json, root: document.root, walk: walk, outlines: outlines)
        if let tenant = loaded.tenant {
            names.policyClaims = PolicyClaims(
                tenant: loaded.json, patches: names.patches, folder: tenant.folder, library: tenants,
                outlines: outlines)
        }
        let context = ReadContext(
            document: document, findings: findings, tenant: loaded, names: names, outlines: outlines, steps: steps,
            finally: finally, walk: walk)

        let checks: [() -> Void] = [
            NameChecks(context: context).run,
            StructureChecks(context: context).run,
            ResumeChecks(context: context).run,
            ValueChecks(context: context).run,
            { FaultChecks.run(context) },
            UserChecks(context: context).run,
            RequestChecks(context: context).run,
            ExpectationChecks(context: context).run,
            SelfComparisonChecks(context: context).run,
            PatchChecks(context: context).run,
            { RestMatchChecks.run(context) },
            PlaceChecks(context: context).run,
            EffectChecks(context: context).run,
            FilledChecks(context: context).run,
            LifetimeChecks(context: context).run,
        ]
        for check in checks {
            findings.nextCheck()
            check()
        }

        let isGood = !findings.all.contains {
            $0.severity == .error && !(acceptsAnything && $0.rule == ScenarioRule.cannotFail.rawValue)
        }
        guard isGood, let tenant = loaded.tenant else {
            throw InvalidInput(diagnostics: findings.all.inSourceOrder)
        }
        return scenario(context, tenant)
    }

    private static func scenario(_ context: ReadContext, _ tenant: LoadedTenant) -> Scenario {
        let root = context.root
        let app = root["app"]?.stringValue ?? (context.names.apps.count == 1 ? context.names.apps[0] : nil)
        return Scenario(
            document: context.document, name: root["name"]?.stringValue ?? "",
            description: root["description"]?.stringValue, links: texts(root["links"]), tags: texts(root["tags"]),
            tenant: tenant, app: app, clients: clients(root["clients"], app: app), clock: root["clock"],
            variables: context.variables, configure: root["configure"], faults: root["faults"],
            cases: (root["cases"]?.objectValue?.members ?? []).map(variant), steps: context.steps,
            finally: context.finally, needs: texts(root["needs"]).compactMap(Capability.init(rawValue:)),
            skip: root["skip"]?.stringValue, expectedFailure: expectedFailure(root["expectedFailure"]),
            advice: context.findings.all + context.document.notes)
    }

    private static func texts(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    static func clients(_ value: JSONValue?, app: String?) -> [ClientDeclaration] {
        (value?.objectValue?.members ?? []).compactMap { name, client in
            guard let app = client["app"]?.stringValue ?? app else { return nil }
            return ClientDeclaration(
                name: name, app: app, device: client["device"]?.stringValue, browser: client["browser"]?.stringValue)
        }
    }

    static func variant(_ name: String, _ value: JSONValue) -> ScenarioCase {
        ScenarioCase(
            name: name, values: value["set"]?.objectValue ?? JSONObject(), configure: value["configure"],
            faults: value["faults"], skip: value["skip"]?.stringValue, pointer: JSONPointer(tokens: ["cases", name]))
    }

    static func expectedFailure(_ value: JSONValue?) -> ExpectedFailure? {
        guard let value, let reason = value["reason"]?.stringValue else { return nil }
        return ExpectedFailure(
            reason: reason, step: value["step"]?.stringValue, cases: value["cases"].map { texts($0) },
            targets: value["targets"].map { texts($0) })
    }
}

/// Finds and reads the tenant of a scenario.
enum TenantReading {
    /// The tenant of a scenario, as far as it can be read.
    struct Result {
        /// `nil` where it cannot be used.
        var tenant: LoadedTenant?
        /// As much of it as could be read.
        var json: JSONValue
        /// Whether its names can be relied on.
        var isKnown: Bool
    }

    static func load(
        _ document: JSONDocument, _ tenants: TenantLibrary, target: String?, _ findings: Findings
    ) -> Result {
        let pointer = JSONPointer(tokens: ["tenant"])
        let nothing = Result(tenant: nil, json: .object(JSONObject()), isKnown: false)
        if target == nil, let value = document.root["tenant"], value.objectValue != nil {
            return inPlace(value, in: document, at: pointer, findings)
        }
        var path = target
        if path == nil, let written = document.root["tenant"]?.stringValue {
            if Template.mayHoldReference(written) {
                findings.add(
                    .templateNotPossible, "the path of the tenant file must be known from the start", at: pointer)
                return nothing
            }
            path = ScenarioPath.resolve(written, from: document.file)
        }
        guard let path else { return nothing }
        guard let loaded = tenants.tenant(at: path) else {
            findings.add(
                .noTenantFile, "there is no tenant file \(path)",
                remedy: (tenants.nearest(to: path).map { near in
                    "Did you mean \(target == nil ? ScenarioPath.relative(near, from: document.file) : near)? "
                } ?? "")
                    + "The path is relative to the scenario file; `b2c init` writes a tenant file.", at: pointer)
            return nothing
        }
        findings.add(loaded.findings)
        guard let file = loaded.document else { return nothing }
        return Result(tenant: loaded.tenant, json: file.root, isKnown: file.root.objectValue != nil)
    }

    private static func inPlace(
        _ value: JSONValue, in document: JSONDocument, at pointer: JSONPointer, _ findings: Findings
    ) -> Result {
        let wrong =
            TenantFile.check(value, in: document, at: pointer)
            + RestMatchChecks.findings(value, in: document, at: pointer)
        findings.add(wrong)
        let tenant = LoadedTenant(
            document: document, pointer: pointer, json: value, tenant: TenantFile.outline(of: value))
        return Result(tenant: wrong.hasErrors ? nil : tenant, json: value, isKnown: true)
    }
}
