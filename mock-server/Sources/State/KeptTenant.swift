import AuthorityHosting
import Diagnostics
import JSON
import MockAuthority
import TrustFramework

extension RowChange.TableName {
    /// One row: how the settings differ from the tenant file, as a merge patch (RFC 7396) without its `users`.
    static let settings = Self(rawValue: "settings")
    /// People whose record differs from the tenant file, by name; null for one who was removed.
    static let people = Self(rawValue: "people")
    /// One row: custom policies that came over the control API, and the folder they are seen from.
    static let policies = Self(rawValue: "policies")
    /// One row: how the clock differs from the system's.
    static let clock = Self(rawValue: "clock")

    /// The key in a table of one row.
    static let onlyKey = "default"
}

/// What was changed of a tenant file at run time.
struct KeptTenant: Sendable {
    private var settings: JSONValue = [:]
    private var people: [(name: String, record: JSONValue)] = []
    private var policies: (texts: [String: String], folder: String?)?
    /// Policies that were uploaded over Microsoft Graph. They do not change the tenant file.
    private(set) var uploads = KeptPolicies()

    /// Takes in a row.
    ///
    /// - Returns: Whether it is of one of these tables and can be read.
    mutating func add(_ table: RowChange.TableName, key: String, _ json: JSONValue) -> Bool {
        switch table {
        case .settings:
            guard json.objectValue != nil else { return false }
            settings = json
        case .people:
            guard json.isNull || json.objectValue != nil else { return false }
            people.append((key, json))
        case .policies:
            guard let members = json["texts"]?.objectValue?.members else { return false }
            var texts: [String: String] = [:]
            for (path, text) in members {
                guard let text = text.stringValue else { return false }
                texts[path] = text
            }
            policies = (texts, json["folder"]?.stringValue)
        case .uploadedPolicies: return uploads.add(json)
        default: return false
        }
        return true
    }

    /// The tenant of the file with these changes.
    ///
    /// - Throws: Everything that is wrong with it.
    func applied(to file: CompiledTenant) throws(InvalidInput) -> CompiledTenant {
        var json = file.json.patched(tenant: settings)
        if !people.isEmpty, var root = json.objectValue {
            var users = root["users"]?.objectValue ?? JSONObject()
            // A record that was changed is what it was then, whatever the file says by now.
            for (name, record) in people { users[name] = record.isNull ? JSONValue?.none : record }
            root["users"] = .object(users)
            json = .object(root)
        }
        guard let policies else { return json == file.json ? file : try file.replaced(by: json) }
        return try Self.compile(json, policies: policies.texts, folder: policies.folder)
    }

    /// A tenant with custom policies that came with it.
    static func compile(
        _ json: JSONValue, policies: [String: String], folder: String?
    ) throws(InvalidInput) -> CompiledTenant {
        try CompiledTenant.compile(json, shelf: PolicyShelf(files: .texts(policies)), folder: folder ?? ".")
    }

    // MARK: Rows

    static func row(policies: [String: String], folder: String?) -> RowChange {
        var row: JSONObject = [
            "texts": .object(JSONObject(policies.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        ]
        if let folder { row["folder"] = .string(folder) }
        return .put(.policies, key: RowChange.TableName.onlyKey, KeptRow(.object(row)))
    }

    /// The rows that change when a tenant does.
    ///
    /// - Parameter file: The tenant as its file has it. Rows hold the differences.
    static func rows(file: JSONValue, before: JSONValue, after: JSONValue) -> [RowChange] {
        var rows: [RowChange] = []
        if withoutUsers(before) != withoutUsers(after) {
            let patch = difference(from: withoutUsers(file), to: withoutUsers(after))
            rows.append(
                patch.map { .put(.settings, key: RowChange.TableName.onlyKey, KeptRow($0)) }
                    ?? .remove(.settings, key: RowChange.TableName.onlyKey))
        }
        let old = before["users"]?.objectValue ?? JSONObject()
        let new = after["users"]?.objectValue ?? JSONObject()
        for name in old.keys + new.keys.filter({ old[$0] == nil }) where old[name] != new[name] {
            if new[name] == file["users"]?[name] {
                rows.append(.remove(.people, key: name))
            } else {
                rows.append(.put(.people, key: name, KeptRow(new[name] ?? .null)))
            }
        }
        return rows
    }

    private static func withoutUsers(_ tenant: JSONValue) -> JSONValue {
        guard var members = tenant.objectValue else { return tenant }
        members["users"] = nil
        return .object(members)
    }

    /// The merge patch that makes `new` of `old`; `nil` when they are the same. A member that is null cannot be told
    /// from one that is absent: patches have no word for it.
    static func difference(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard old != new else { return nil }
        guard let before = old.objectValue, let after = new.objectValue else { return new }
        var patch = JSONObject()
        for name in before.keys where after[name] == nil { patch[name] = .null }
        for (name, value) in after.members {
            guard let earlier = before[name] else {
                patch[name] = value
                continue
            }
            patch[name] = difference(from: earlier, to: value)
        }
        return patch.isEmpty ? nil : .object(patch)
    }
}
