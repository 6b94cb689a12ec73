import Diagnostics
import JSON

/// A tenant file that was read and found good.
public struct TenantFile: Sendable {
    /// The text with its places.
    public let document: JSONDocument
    /// The tenant as the file writes it: nothing filled in, `{{...}}` not replaced. Patches go over this.
    public let json: JSONValue
    /// The tenant as far as it is known: values that hold `{{...}}` are at their defaults. For checks of names.
    public let outline: Tenant

    /// Reads a file. Throws every finding at once: faults of the JSON, unknown keys, wrong values, names that exist
    /// nowhere, settings that are not built yet.
    public static func read(file: String, bytes: [UInt8]) throws(InvalidInput) -> TenantFile {
        let document = try JSONDocument(file: file, bytes: bytes)
        let findings = check(document.root, in: document, at: .root)
        if findings.hasErrors { throw InvalidInput(diagnostics: findings) }
        return TenantFile(document: document, json: document.root, outline: outline(of: document.root))
    }

    /// What is wrong with a tenant object somewhere in a document.
    ///
    /// With `patched` the value is a merge patch over that tenant (RFC 7396): keys may be missing, `null` removes, and
    /// names may be those of the tenant. Findings are about the patch alone.
    public static func check(
        _ json: JSONValue, in document: JSONDocument, at pointer: JSONPointer, patching base: JSONValue? = nil
    ) -> [Diagnostic] {
        let checker = ShapeChecker(
            document: document, named: TenantShapes.named, allowTemplates: true, rulePrefix: "B2C-TEN")
        let shape = base == nil ? TenantShapes.root : TenantShapes.patch
        let findings = checker.check(json, at: pointer, as: shape)
        if findings.hasErrors { return findings }
        let whole = base?.merging(patch: json) ?? json
        let cursor = SettingsCursor(allowsTemplates: true)
        let tenant = Tenant.read(whole, cursor)
        var names = TenantNameCheck(tenant: tenant, json: whole)
        names.run()
        let more = (cursor.findings.all + names.findings)
            .filter { base == nil || json.value(at: $0.pointer) != nil }
            .map { $0.diagnostic(in: document, at: pointer) }
        return (findings + more).inSourceOrder
    }

    /// The tenant of a JSON object as far as it can be known before `{{...}}` are replaced.
    public static func outline(of json: JSONValue) -> Tenant {
        Tenant.read(json, SettingsCursor(allowsTemplates: true))
    }
}

extension Tenant {
    /// The names that scenario files can use, by kind.
    public var names: [NameKind: [String]] {
        [
            .policy: policies.map(\.name), .app: apps.map(\.name), .client: apps.map(\.name),
            .person: users.map(\.name), .api: apis.map(\.name), .apiName: apis.map(\.name),
            .provider: providers.map(\.name), .restStub: rest.map(\.name), .keySet: keySets.map(\.name),
            .host: hosts, .key: keyNames, .policyKey: policyKeys.map(\.name),
        ]
    }

    /// The names of all signing keys, in the order of the key sets.
    public var keyNames: [String] {
        var names: [String] = []
        for set in keySets {
            for name in [set.use] + set.publish where !names.contains(name) { names.append(name) }
        }
        return names
    }
}
