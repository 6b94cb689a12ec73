import JSON

/// What a tenant file may hold: the one table behind the check of a file, its JSON Schema and an editor's completion.
public enum TenantShapes {
    /// The whole file.
    public static let root: Shape = TenantTable.shape

    /// Shapes that `root` refers to by name; it needs none.
    public static let named: [String: Shape] = [:]

    /// A merge patch over a tenant file (RFC 7396), as `configure` takes it: every key is optional, and `null` removes.
    public static let patch: Shape = root.asPatch

    /// The settings of a client, as `createClient` takes them: a patch.
    public static let clientPatch: Shape = ClientSettings.shape.asPatch
}
