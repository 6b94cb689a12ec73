import JSON
import TenantFiles

/// The JSON Schemas of scenario, tenant and target files.
public enum SchemaText {
    /// Folder in which the schemas are shipped, relative to the repository.
    public static let folder = "scenarios/schemas"

    /// The schema of scenario files.
    ///
    /// - Parameter tenant: a tenant whose names are filled in, so that an editor completes them too.
    public static func scenario(namesOf tenant: Tenant? = nil) -> JSONValue {
        SchemaWriter.schema(
            id: "https://b2c-harness.github.io/schemas/scenario.schema.json", title: "B2C scenario",
            root: ScenarioShapes.root, named: ScenarioShapes.named, templates: true, names: names(of: tenant))
    }

    /// The schema of tenant files.
    ///
    /// - Parameter tenant: a tenant whose names are filled in.
    public static func tenant(namesOf tenant: Tenant? = nil) -> JSONValue {
        SchemaWriter.schema(
            id: "https://b2c-harness.github.io/schemas/tenant.schema.json", title: "B2C tenant file",
            root: TenantShapes.root, named: TenantShapes.named, templates: true, names: names(of: tenant))
    }

    /// The schema of target files.
    public static func target() -> JSONValue {
        SchemaWriter.schema(
            id: "https://b2c-harness.github.io/schemas/target.schema.json", title: "B2C target file",
            root: TargetShapes.root, named: TargetShapes.named, templates: true, names: [:])
    }

    /// A schema as the shipped files hold it.
    public static func text(of schema: JSONValue) -> String {
        JSONWriter.pretty(schema) + "\n"
    }

    /// The names that completion offers. A scenario may add clients of its own, so those stay open.
    private static func names(of tenant: Tenant?) -> [NameKind: [String]] {
        var names = tenant?.names ?? [:]
        names[.client] = nil
        names[.key] = nil
        names[.keySet] = nil
        names[.restStub] = nil
        return names
    }
}
