import Diagnostics
import JSON
import Records

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
        try read(try JSONDocument(file: file, bytes: bytes))
    }

    /// The same of a document that was read before, or that a program made.
    public static func read(_ document: JSONDocument) throws(InvalidInput) -> TenantFile {
        let findings = check(document.root, in: document, at: .root)
        if findings.hasErrors { throw InvalidInput(diagnostics: findings) }
        return TenantFile(document: document, json: document.root, outline: outline(of: document.root))
    }

    /// What is wrong with a tenant object somewhere in a document.
    ///
    /// With `patched` the value is a merge patch over that tenant (RFC 7396): keys may be missing, `null` removes, and
    /// names may be those of the tenant. Findings are about the patch alone.
    ///
    /// - Parameters:
    ///   - places: Whether settings are refused that have no effect where they are written; see
    ///     ``misplaced(_:patching:in:at:part:outlines:)``.
    ///   - outlines: Reads the tenant with the patch over it.
    public static func check(
        _ json: JSONValue, in document: JSONDocument, at pointer: JSONPointer, patching base: JSONValue? = nil,
        places: Bool = true, outlines: TenantOutlines = TenantOutlines()
    ) -> [Diagnostic] {
        let checker = ShapeChecker(
            document: document, named: TenantShapes.named, allowTemplates: true, rulePrefix: "B2C-TEN")
        let shape = base == nil ? TenantShapes.root : TenantShapes.patch
        let findings = checker.check(json, at: pointer, as: shape)
        if findings.hasErrors { return findings }
        let whole = base?.patched(tenant: json) ?? json
        let outline = outlines.outline(of: whole)
        var names = TenantNameCheck(tenant: outline.tenant, json: whole)
        names.run()
        let misplaced = places ? SettingPlaceCheck.findings(in: json, of: whole, outline.tenant) : []
        let more = (outline.findings + names.findings + misplaced)
            .filter { base == nil || json.value(at: $0.pointer) != nil }
            .map { $0.diagnostic(in: document, at: pointer) }
        let credentials = whole["live"] == true ? LiveCredentials.findings(document, of: json, at: pointer) : []
        return (findings + more + credentials).inSourceOrder
    }

    /// Settings of a patch that have no effect where they are written: those of a user flow on a custom policy, those of
    /// MSAL.js for an app of another kind.
    ///
    /// - Parameters:
    ///   - patch: A merge patch over a tenant. Only what it sets is looked at.
    ///   - base: The tenant as written, before the patch.
    ///   - pointer: The patch's place in the document.
    ///   - part: The part of the patch at that place; default: the whole.
    ///   - outlines: Reads the tenant with the patch over it.
    public static func misplaced(
        _ patch: JSONValue, patching base: JSONValue, in document: JSONDocument, at pointer: JSONPointer,
        part: JSONPointer = .root, outlines: TenantOutlines = TenantOutlines()
    ) -> [Diagnostic] {
        let whole = base.patched(tenant: patch)
        return SettingPlaceCheck.findings(in: patch, of: whole, outlines.tenant(of: whole)).map { finding in
            var finding = finding
            finding.pointer.tokens.removeFirst(part.tokens.count)
            return finding.diagnostic(in: document, at: pointer)
        }
    }

    /// Refuses settings that have no effect where they are written: for tenants and patches whose `{{...}}` have been
    /// replaced, and of which no file is known.
    ///
    /// - Parameters:
    ///   - written: A tenant, or a merge patch over one. Only what it sets is looked at.
    ///   - whole: The tenant as written, with the patch over it; default: `written` is the tenant.
    ///   - tenant: The same tenant with everything filled in.
    /// - Throws: All such settings, by their JSON pointers.
    public static func refuseMisplaced(
        _ written: JSONValue, whole: JSONValue? = nil, in tenant: Tenant
    ) throws(InvalidInput) {
        let findings = SettingPlaceCheck.findings(in: written, of: whole ?? written, tenant)
        guard !findings.isEmpty else { return }
        throw InvalidInput(diagnostics: findings.map { $0.diagnostic(in: nil, at: .root) })
    }

    /// A tenant without the settings that have no effect where they are written: for tenants that a program writes.
    ///
    /// - Parameter tenant: The same with everything filled in; `nil` where that is not known.
    public static func placed(_ json: JSONValue, of tenant: Tenant? = nil) -> JSONValue {
        var json = json
        for place in SettingPlaceCheck.places(in: json, of: tenant ?? outline(of: json)) {
            _ = json.set(nil, at: place)
        }
        return json
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

    /// The names of all signing keys: those of the key sets in their order, then those of policy keys.
    public var keyNames: [String] {
        var names: [String] = []
        for set in keySets {
            for name in [set.use] + set.publish where !names.contains(name) { names.append(name) }
        }
        for name in policyKeys.compactMap(\.key) where !names.contains(name) { names.append(name) }
        return names
    }
}
