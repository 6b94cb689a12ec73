import Browser
import Exchanges
import JSON
import TenantFiles
import Verbs

/// The one table of the scenario file: its check, its JSON Schema and an editor's completion come from here.
public enum ScenarioShapes {
    /// A scenario file.
    public static let root = Shape.object(
        ObjectShape(
            title: "scenario",
            doc: "What an app, the person at the browser and an administrator do, and what to expect.",
            fields: fields))

    /// What the shapes refer to by name.
    public static let named: [String: Shape] = {
        var all = Shape.patches(of: TenantShapes.named)
        for part in [ExchangeShapes.named, PageShapes.named, OutcomeShapes.named, CallParts.named, StepShapes.named] {
            all.merge(part) { _, new in new }
        }
        all["tenant"] = TenantShapes.root
        all["tenantPatch"] = TenantShapes.patch
        return all
    }()

    private static let fields: [Field] = [
        Field("$schema", .string, "Path or URL of this schema, for editors."),
        Field("name", .nonEmptyString, required: true, "Title, as reports show it."),
        Field("description", .string, "Prose."),
        Field("links", .array(of: .url), "URLs of sources."),
        Field("tags", .array(of: .nonEmptyString), "Words for `--tags`."),
        Field(
            "tenant", .anyOf([.nonEmptyString, .ref("tenant")]), required: true,
            "Path of the tenant file, or a tenant object in place."),
        Field(
            "app", .name(.app), "The app that acts when a step names no client.", defaultText: "the tenant's only app"),
        Field(
            "clients", .map(of: client, keyHint: "name of the client", keys: .client),
            "Running copies of apps by name; every app is a client of its own name already."),
        Field("clock", .instant, "True time at the first step.", defaultText: "2026-01-15T12:00:00Z"),
        Field(
            "variables", .map(of: .any, keyHint: "name of the variable", keys: .variable),
            "Variables and their defaults; null marks one that must be given with `--variable`."),
        Field("configure", .ref("tenantPatch"), "Patch over the tenant file before the first step."),
        Field("faults", FaultShapes.list, "Fault rules in force for the whole scenario."),
        Field(
            "cases", .map(of: variant, keyHint: "name of the case", keys: .caseName),
            "Named variants; the scenario runs once for each."),
        Field("steps", .array(of: .ref("step")), required: true, "The steps."),
        Field("finally", .array(of: .ref("step")), "Steps that always run, also after a failure."),
        Field(
            "needs", .array(of: .oneOf(ScenarioWords.capabilities)),
            "Capabilities of the target beyond those that follow from the steps."),
        Field("skip", .nonEmptyString, "Why the scenario does not run."),
        Field(
            "expectedFailure", expectedFailure,
            "A known failure: the run counts as expected only if it fails there."),
        Field(
            "proves", .map(of: .nonEmptyString, keyHint: "JSON pointer"),
            "By pointer, why a line is right though no run notices a change of it. For `b2c check --prove`."),
    ]

    private static let client = Shape.object(
        ObjectShape(
            title: "client", doc: "A running copy of an app.",
            fields: [
                Field("app", .name(.app), "The app in the tenant file.", defaultText: "the scenario's"),
                Field(
                    "device", .nonEmptyString, "The device; equal names share clock, network and keychain.",
                    defaultText: "device"),
                Field(
                    "browser", .nonEmptyString, "The browser; equal names share cookies and local storage.",
                    defaultText: "the device's name"),
            ]))

    private static let variant = Shape.object(
        ObjectShape(
            title: "case", doc: "A variant of the scenario.",
            fields: [
                Field(
                    "set", .map(of: .any, keyHint: "name of the value", keys: .variable), "Values for `{{...}}`."),
                Field("configure", .ref("tenantPatch"), "A patch after the scenario's own."),
                Field("faults", FaultShapes.list, "Fault rules for this case."),
                Field("skip", .nonEmptyString, "Why the case does not run."),
                Field(
                    "proves", StepShapes.proves,
                    "Why a line here is right though no run notices a change of it: one reason for the case, or reasons "
                        + "by pointer. For `b2c check --prove`."),
            ]))

    private static let expectedFailure = Shape.object(
        ObjectShape(
            title: "expected failure",
            fields: [
                Field("reason", .nonEmptyString, required: true, "Why it fails."),
                Field("step", .name(.step), "The id of the step that fails.", defaultText: "any"),
                Field("cases", .array(of: .name(.caseName)), "The cases that fail.", defaultText: "all"),
                Field(
                    "targets", .array(of: .oneOf(ScenarioWords.targets)), "The targets on which it fails.",
                    defaultText: "all"),
            ]))
}
