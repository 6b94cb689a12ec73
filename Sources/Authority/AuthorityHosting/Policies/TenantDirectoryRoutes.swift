import Determinism
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles

/// `/organization` and `/applications` of Microsoft Graph, as far as programs that upload policies read them: the tenant's
/// id and domains, and the client ids of its apps (Microsoft docs: organization-list, application-list).
package struct TenantDirectoryRoutes: GraphManagementRoutes {
    private var tenant: Tenant

    package init(tenant: Tenant) {
        self.tenant = tenant
    }

    package mutating func configure(tenant: Tenant) {
        self.tenant = tenant
    }

    package func answer(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights, at now: Timestamp
    ) throws(GraphFault) -> GraphManagementAnswer? {
        guard request.words == ["organization"] || request.words == ["applications"] else { return nil }
        guard request.method == "GET" else {
            throw .notSimulated("\(request.method) \(request.message.url.path)")
        }
        let name = request.words[0]
        let isOrganization = name == "organization"
        try need(
            isOrganization
                ? [.organizationReadAll, .directoryReadAll, .directoryReadWriteAll]
                : [.applicationReadAll, .applicationReadWriteAll, .directoryReadAll, .directoryReadWriteAll],
            rights, for: request.message.url.path)
        let query = try Query(request)
        if isOrganization, query.beginning != nil {
            throw GraphFault(
                400, "Request_UnsupportedQuery", "The query filter is not supported for this resource.",
                why: "not simulated: $filter of organization")
        }
        let rows = isOrganization ? [organization] : applications(beginning: query.beginning)
        var document: JSONObject = ["@odata.context": request.context(query.context(name))]
        document["value"] = .array(rows.map { .object(query.selected($0)) })
        return .init(200, .json(document))
    }

    private func need(
        _ names: [GraphPermissionName], _ rights: GraphManagementRights, for what: String
    ) throws(GraphFault) {
        let held = rights.permissions
        guard !names.contains(where: { held.contains($0.rawValue) }) else { return }
        throw .denied(
            "\(what) needs one of \(names.map(\.rawValue).joined(separator: ", ")) in registration.graph; the token has "
                + (held.isEmpty ? "no permission" : held.sorted().joined(separator: ", ")))
    }

    // MARK: Rows

    private var organization: JSONObject {
        [
            "id": .string(tenant.id.description), "displayName": .string(tenant.name),
            "verifiedDomains": [
                ["name": .string(tenant.domain), "isInitial": true, "isDefault": true, "type": "Managed"]
            ],
        ]
    }

    /// The apps of the tenant file, and those that every tenant with custom policies has.
    private func applications(beginning: String?) -> [JSONObject] {
        let own = ["IdentityExperienceFramework", "ProxyIdentityExperienceFramework"]
            .filter { name in !tenant.apps.contains { sameText($0.name, name) } }
            .map { ($0, GUID.derived(from: "tenant/\(tenant.name)/\($0)").description) }
        var apps = tenant.apps.map { ($0.name, $0.registration.clientId) } + own
        if tenant.authority.extensionsApp {
            apps.append((Self.extensionsApp, tenant.authority.extensionsAppId.description))
        }
        if let beginning = beginning?.lowercased() { apps.removeAll { !$0.0.lowercased().hasPrefix(beginning) } }
        return apps.map { name, clientID in
            [
                "id": .string(GUID.derived(from: "application object of \(clientID) in \(tenant.id)").description),
                "appId": .string(clientID), "displayName": .string(name),
            ]
        }
    }

    private static let extensionsApp = "b2c-extensions-app. Do not modify. Used by AADB2C for storing user data."

    // MARK: Query

    /// `$filter=startsWith(displayName,'X')` and `$select`; others are refused.
    private struct Query {
        var beginning: String?
        var select: [String]?

        init(_ request: GraphManagementRequest) throws(GraphFault) {
            for (name, value) in request.message.url.queryItems.items {
                switch name.lowercased() {
                case "$filter": beginning = try Self.beginning(value)
                case "$select":
                    select = value.split(separator: ",").map { String($0.filter { $0 != " " }) }
                // The lists are short and come whole.
                case "$top", "$count": break
                default: throw .notSimulated("the option \(name) of \(request.message.url.path)")
                }
            }
        }

        /// The text in `startsWith(displayName,'TEXT')`. OData doubles a quote in it.
        private static func beginning(_ filter: String) throws(GraphFault) -> String {
            let start = "startswith(displayname,"
            let text = filter.trimmingSpaces
            guard text.lowercased().filter({ $0 != " " }).hasPrefix(start), text.hasSuffix(")"),
                let open = text.firstIndex(of: "'"), let close = text.lastIndex(of: "'"), open < close,
                text[text.index(after: close)...].dropLast().allSatisfy({ $0 == " " })
            else {
                throw GraphFault(
                    400, "Request_UnsupportedQuery", "The specified filter is not supported.",
                    why: "not simulated: filters other than startsWith(displayName,'X') of applications")
            }
            return String(text[text.index(after: open)..<close]).replacing("''", with: "'")
        }

        func context(_ name: String) -> String { name + (select.map { "(\($0.joined(separator: ",")))" } ?? "") }

        func selected(_ row: JSONObject) -> JSONObject {
            guard let select else { return row }
            let names = select.map { $0.lowercased() }
            return JSONObject(
                row.members.filter { names.contains($0.key.lowercased()) }.map { ($0.key, $0.value) })
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
