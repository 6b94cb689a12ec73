/// What a file is to an editor.
package enum LanguageKind: String, Sendable, CaseIterable {
    /// A custom policy (TrustFrameworkPolicy).
    case policy
    case scenario, tenant, target
    /// `b2c.json`.
    case project
    /// `appsettings.json` with environments.
    case settings
    /// Nothing that names something; it may have findings all the same.
    case other

    /// Whether it is JSON.
    package var isJSON: Bool { self != .policy && self != .other }
}
