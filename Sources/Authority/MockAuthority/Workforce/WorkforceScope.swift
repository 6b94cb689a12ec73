import JSON
import Journeys
import TenantFiles

/// One permission an app asks for: of an API, of Microsoft Graph, or one of OpenID Connect's own.
struct WorkforceScope: Sendable, Hashable {
    enum Resource: Sendable, Hashable {
        /// `openid`, `profile`, `email`, `offline_access`.
        case basic
        case graph
        /// An API of the tenant, by name.
        case api(String)
    }

    var resource: Resource
    /// The short name in the resource's own spelling, or `.default`.
    var name: String
    /// As responses write it: the prefix is there where the request wrote one.
    var written: String
    /// An administrator must grant it.
    var needsAdmin = false
    /// Personal accounts cannot have it.
    var isWorkOnly = false

    var isDefault: Bool { name == ".default" }

    /// The same permission however it was written.
    var key: String {
        switch resource {
        case .basic: name
        case .graph: "graph/\(name.lowercased())"
        case .api(let api): "api/\(api)/\(name)"
        }
    }

    static func basic(_ name: String) -> WorkforceScope {
        WorkforceScope(resource: .basic, name: name, written: name)
    }

    /// Reads one scope of a request.
    ///
    /// - Parameter knownOnly: Whether a permission that the resource does not have is an error.
    static func parse(
        _ text: String, apis: [APISettings], knownOnly: Bool = true
    ) -> Result<WorkforceScope, WorkforceError> {
        if ["openid", "profile", "email", "offline_access"].contains(text.lowercased()) {
            return .success(.basic(text.lowercased()))
        }
        guard let slash = text.lastIndex(of: "/") else {
            return graph(text, prefix: "", knownOnly: knownOnly)
        }
        // `https://x//.default` is the default scope of `https://x/`: only the last slash divides.
        let resource = String(text[..<slash])
        let name = String(text[text.index(after: slash)...])
        let wanted = trimmed(resource)
        if wanted == "https://graph.microsoft.com" || wanted == "00000003-0000-0000-c000-000000000000" {
            return graph(name, prefix: resource + "/", knownOnly: knownOnly)
        }
        let found = apis.first { api in
            [api.appIdUri, api.clientId, "api://\(api.clientId)"].contains { trimmed($0) == wanted }
        }
        guard let api = found else { return .failure(.unknownResource(resource)) }
        let own = api.scopes.first { $0.lowercased() == name.lowercased() }
        guard let canonical = name == ".default" ? name : own ?? (knownOnly ? nil : name) else {
            return .failure(.unknownScope(name, resource: resource))
        }
        return .success(
            WorkforceScope(resource: .api(api.name), name: canonical, written: resource + "/" + canonical))
    }

    private static func graph(
        _ name: String, prefix: String, knownOnly: Bool
    ) -> Result<WorkforceScope, WorkforceError> {
        if name == ".default" {
            return .success(WorkforceScope(resource: .graph, name: name, written: prefix + name))
        }
        if let known = GraphPermission.named(name) {
            return .success(
                WorkforceScope(
                    resource: .graph, name: known.name, written: prefix + known.name, needsAdmin: known.needsAdmin,
                    isWorkOnly: known.isWorkOnly))
        }
        guard !knownOnly else { return .failure(.unknownScope(name, resource: "Microsoft Graph")) }
        return .success(WorkforceScope(resource: .graph, name: name, written: prefix + name))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text.lowercased()
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

/// Delegated permissions of Microsoft Graph (Microsoft docs: permissions-reference).
struct GraphPermission: Sendable {
    var name: String
    var needsAdmin = false
    var isWorkOnly = false

    static func named(_ name: String) -> GraphPermission? {
        let wanted = name.lowercased()
        return all.first { $0.name.lowercased() == wanted }
    }

    static let all: [GraphPermission] =
        [
            "User.Read", "User.ReadWrite", "Calendars.Read", "Calendars.ReadWrite", "Contacts.Read",
            "Contacts.ReadWrite", "Files.Read", "Files.Read.All", "Files.ReadWrite", "Files.ReadWrite.All", "Mail.Read",
            "Mail.ReadWrite", "Mail.Send", "MailboxSettings.Read", "MailboxSettings.ReadWrite", "Notes.Create",
            "Notes.Read", "Notes.ReadWrite", "Tasks.Read", "Tasks.ReadWrite",
        ].map { GraphPermission(name: $0) }
        + [
            "User.ReadBasic.All", "People.Read", "Presence.Read", "Sites.Read.All", "Sites.ReadWrite.All",
            "Chat.Read", "Chat.ReadWrite", "OnlineMeetings.Read", "OnlineMeetings.ReadWrite",
        ].map { GraphPermission(name: $0, isWorkOnly: true) }
        + [
            "User.Read.All", "User.ReadWrite.All", "Directory.Read.All", "Directory.ReadWrite.All", "Group.Read.All",
            "Group.ReadWrite.All", "GroupMember.Read.All", "AuditLog.Read.All", "Application.Read.All",
        ].map { GraphPermission(name: $0, needsAdmin: true, isWorkOnly: true) }
}

extension WorkforceScope: Internable {
    func hasSameTexts(as other: WorkforceScope) -> Bool {
        guard sameText(name, other.name), sameText(written, other.written) else { return false }
        if case (.api(let one), .api(let two)) = (resource, other.resource) { return sameText(one, two) }
        return true
    }
}

/// The scopes of one request.
struct WorkforceScopes: Sendable, Hashable {
    /// In the order of the request, each once.
    var all: [WorkforceScope]

    static func parse(_ text: String, apis: [APISettings]) -> Result<WorkforceScopes, WorkforceError> {
        var scopes: [WorkforceScope] = []
        for word in text.split(separator: " ") {
            switch WorkforceScope.parse(String(word), apis: apis) {
            case .failure(let error): return .failure(error)
            case .success(let scope):
                if !scopes.contains(where: { $0.key == scope.key }) { scopes.append(scope) }
            }
        }
        let result = WorkforceScopes(all: scopes)
        for resource in result.resources {
            let own = scopes.filter { $0.resource == resource }
            if own.count > 1, own.contains(where: \.isDefault) {
                return .failure(
                    .invalidScope(text, "the .default scope stands alone, not beside other scopes of its resource"))
            }
        }
        return .success(result)
    }

    /// The APIs asked for, in order.
    var resources: [WorkforceScope.Resource] {
        var found: [WorkforceScope.Resource] = []
        for scope in all where scope.resource != .basic && !found.contains(scope.resource) {
            found.append(scope.resource)
        }
        return found
    }

    func has(_ basic: String) -> Bool { all.contains { $0.resource == .basic && $0.name == basic } }

    /// The scopes with `.default` replaced by what the app has configured for the resource, and without what personal
    /// accounts cannot have.
    func expanded(for app: WorkforceApp, isPersonal: Bool) -> [WorkforceScope] {
        var result: [WorkforceScope] = []
        for scope in all {
            var found = [scope]
            if scope.isDefault {
                let prefix = String(scope.written.dropLast(".default".count))
                found = app.permissions.filter { $0.resource == scope.resource }.map { permission in
                    var permission = permission
                    permission.written = prefix + permission.name
                    return permission
                }
            }
            for scope in found where !result.contains(where: { $0.key == scope.key }) {
                if !(isPersonal && scope.isWorkOnly) { result.append(scope) }
            }
        }
        return result
    }
}
