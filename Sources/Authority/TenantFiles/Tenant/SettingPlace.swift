import JSON
import Records

/// What surrounds a setting: what decides whether it applies. All settings of an entry share one.
package final class SettingPlace: Sendable {
    /// The kind of the tenant.
    let tenantKind: TenantKind
    /// The type of the policy that the setting belongs to.
    let policyType: PolicyType?
    /// The app that the setting belongs to, with everything filled in.
    let app: AppSettings?
    /// The kind of that app. Most limits ask for nothing else.
    let clientKind: ClientKind?
    /// The entry of that policy or app as written.
    let written: JSONValue

    init(in tenant: Tenant, policy: PolicySettings? = nil, app: AppSettings? = nil, written: JSONValue) {
        tenantKind = tenant.kind
        policyType = policy?.type
        self.app = app
        clientKind = app?.client.kind
        self.written = written
    }
}

extension JSONValue {
    /// Whether a member, or a value that contains it, is filled in later, so that it is not known yet.
    func isOpen(_ path: String...) -> Bool {
        var value = self
        for key in path {
            guard !value.isTemplate, let member = value[key] else { break }
            value = member
        }
        return value.isTemplate
    }

    private var isTemplate: Bool { stringValue?.contains("{{") ?? false }
}

extension SettingLimit<SettingPlace> {
    /// For policies of some types. For a custom policy the finding names the XML that says the same.
    ///
    /// - Parameters:
    ///   - why: Why user flows of other types do not have it.
    ///   - xml: Where a custom policy says the same.
    static func userFlows(_ types: [PolicyType], _ why: String, xml: String) -> SettingLimit {
        let isEveryFlow = types.count == PolicyType.allCases.count - 1
        let doc = isEveryFlow ? "Not for `custom`." : "For \(names(types.map(\.rawValue)))."
        return SettingLimit(doc: doc) { place, _ in
            guard let type = place.policyType, !types.contains(type) else { return nil }
            if type == .custom {
                return SettingProblem(
                    reason: "does nothing on a custom policy", remedy: "A custom policy sets this in its XML: \(xml).")
            }
            return SettingProblem(
                reason: "does nothing on a policy of type \(type.rawValue): \(why)",
                remedy: "Remove it; it applies to \(names(types.map(\.rawValue))).")
        }
    }

    /// For custom policies alone.
    static func customPolicies(_ why: String) -> SettingLimit {
        SettingLimit(doc: "For `custom`.") { place, _ in
            guard let type = place.policyType, type != .custom else { return nil }
            return SettingProblem(
                reason: "does nothing on a policy of type \(type.rawValue): \(why)",
                remedy: "Remove it; it applies to `custom`.")
        }
    }

    /// For apps of some client kinds.
    static func kinds(_ kinds: [ClientKind], _ why: String) -> SettingLimit {
        SettingLimit(doc: "For \(names(kinds.map(\.rawValue))).") { place, _ in
            guard let kind = place.clientKind, !kinds.contains(kind) else { return nil }
            return SettingProblem(
                reason: "does nothing for an app of kind \(kind.rawValue): \(why)",
                remedy: "Remove it; it applies to \(names(kinds.map(\.rawValue))).")
        }
    }

    /// For apps whose library is of a sort.
    static func kinds(where fits: (ClientTraits) -> Bool, _ why: String) -> SettingLimit {
        kinds(ClientKind.allCases.filter { fits($0.traits) }, why)
    }

    /// For tenants of one kind.
    static func tenants(_ kind: TenantKind, _ why: String) -> SettingLimit {
        SettingLimit(doc: "For tenants of kind `\(kind.rawValue)`.") { place, _ in
            guard place.tenantKind != kind else { return nil }
            return SettingProblem(
                reason: "does nothing in a tenant of kind \(place.tenantKind.rawValue): \(why)", remedy: "Remove it.")
        }
    }

    private static func names(_ words: [String]) -> String {
        let quoted = words.map { "`\($0)`" }
        guard quoted.count > 1, let last = quoted.last else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// A group of settings in a tenant or target file.
package protocol TenantRecord: SettingsRecord where Place == SettingPlace {}

extension TenantRecord {
    /// A record whose members differ from their defaults where `change` says so.
    package init(_ change: (inout Self) -> Void) {
        self.init()
        change(&self)
    }
}
