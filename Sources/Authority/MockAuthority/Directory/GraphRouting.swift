import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TenantFiles

/// Microsoft Graph at a B2C tenant: its people (Microsoft docs: microsoft-graph-operations).
public enum GraphAPI {
    /// The host it answers at.
    public static let host = "graph.microsoft.com"
}

/// What a path of Graph is about.
private enum GraphTarget {
    case users
    case count
    case user(String)
    case revokeSessions(String)
    case memberOf(String)
    case me
    case batch

    /// - Throws: HTTP 404 outside of Graph's versions, 501 for what the mock does not serve.
    init(_ request: RequestMessage) throws(GraphFault) {
        let path = request.url.path
        var parts = path.split(separator: "/").map { PercentCoding.decode(String($0), plusIsSpace: false) }
        guard let version = parts.first?.lowercased(), ["v1.0", "beta"].contains(version), parts.count > 1 else {
            throw .noSuchSegment("not simulated: Graph \(path)")
        }
        parts.removeFirst()
        guard let target = Self(parts) else { throw .notSimulated("\(request.method) \(path)") }
        self = target
    }

    /// `nil` for a path that is not served.
    ///
    /// - Parameter path: What is behind the version.
    private init?(_ path: [String]) {
        var parts = path
        guard let first = parts.first else { return nil }
        if first.lowercased() == "$batch", parts.count == 1 {
            self = .batch
            return
        }
        if first.lowercased() == "me" {
            self = .me
            return
        }
        // A key may be in parentheses: `users('ID')` (OData).
        if first.lowercased().hasPrefix("users("), first.hasSuffix(")") {
            let key = first.dropFirst("users(".count).dropLast()
            parts.replaceSubrange(0...0, with: ["users", String(key).trimmingQuotes])
        }
        guard parts[0].lowercased() == "users", parts.count <= 3 else { return nil }
        let words = parts.map { part in
            let word = part.lowercased()
            return word.hasPrefix("microsoft.graph.") ? String(word.dropFirst("microsoft.graph.".count)) : word
        }
        switch parts.count {
        case 1: self = .users
        case 2 where words[1] == "$count": self = .count
        case 2 where Self.functions.contains(words[1].replacing("()", with: "")): return nil
        case 2: self = .user(parts[1])
        case _ where words[2] == "revokesigninsessions": self = .revokeSessions(parts[1])
        case _ where words[2] == "memberof" || words[2] == "transitivememberof": self = .memberOf(parts[1])
        default: return nil
        }
    }

    /// Functions, which paths have where the id of a person would be (Microsoft docs: resources/user).
    private static let functions: Set<String> = ["delta", "getbyids", "validateproperties", "$ref"]

    var methods: [String] {
        switch self {
        case .users: ["GET", "POST"]
        case .count, .memberOf: ["GET"]
        case .user: ["GET", "PATCH", "DELETE"]
        case .revokeSessions, .batch: ["POST"]
        case .me: ["GET", "POST", "PATCH", "PUT", "DELETE"]
        }
    }
}

extension String {
    fileprivate var trimmingQuotes: String {
        count >= 2 && hasPrefix("'") && hasSuffix("'") ? String(dropFirst().dropLast()) : self
    }
}

/// What a token may do.
private struct GraphRights {
    let permissions: Set<String>
    let isUserAdministrator: Bool

    init(_ claims: JSONObject) {
        permissions = Set((claims["roles"]?.arrayValue ?? []).compactMap(\.stringValue))
        isUserAdministrator =
            claims["wids"]?.arrayValue?.contains(.string(GraphToken.userAdministrator)) ?? false
    }

    func has(_ names: [GraphPermissionName]) -> Bool { names.contains { permissions.contains($0.rawValue) } }

    /// - Throws: HTTP 403 without any of them.
    func need(_ names: [GraphPermissionName], for what: String) throws(GraphFault) {
        guard !has(names) else { return }
        let held = permissions.isEmpty ? "no application permission" : permissions.sorted().joined(separator: ", ")
        throw .denied(
            "\(what) needs one of \(names.map(\.rawValue).joined(separator: ", ")) in registration.graph; the token has "
                + held)
    }

    static let reading: [GraphPermissionName] = [
        .userReadBasicAll, .userReadAll, .userReadWriteAll, .directoryReadAll, .directoryReadWriteAll,
    ]
    static let writing: [GraphPermissionName] = [.userReadWriteAll, .directoryReadWriteAll]

    /// Whether no more than names and mail address may be seen.
    var isBasic: Bool { !has(Self.reading.filter { $0 != .userReadBasicAll }) }

    /// Each member of an update has permissions of its own (Microsoft docs: user-update).
    func needUpdate(of members: [String]) throws(GraphFault) {
        if members.isEmpty { try need(Self.writing, for: "an update") }
        for member in members {
            switch member.lowercased() {
            case "accountenabled":
                try need(Self.writing + [.userEnableDisableAccountAll], for: "accountEnabled")
            case "identities":
                try need(Self.writing + [.userManageIdentitiesAll], for: "identities")
            case "passwordprofile":
                guard !isUserAdministrator, !has([.userPasswordProfileReadWriteAll]) else { continue }
                throw .denied(
                    "passwordProfile of an account needs User-PasswordProfile.ReadWrite.All in registration.graph, or the "
                        + "directory role of registration.userAdministrator")
            default: try need(Self.writing, for: member)
            }
        }
    }
}

extension Authority {
    /// Answers a request to Graph.
    mutating func graphReply(_ call: Call) -> Reply {
        let requestID = random.guid().description
        let clientRequestID = call.request.headers["client-request-id"] ?? requestID
        do throws(GraphFault) {
            let answer = try graphAnswer(call)
            var fields = GraphFault.fields(requestID: requestID, clientRequestID: clientRequestID).fields
            fields.append(HeaderField(name: "OData-Version", value: "4.0"))
            fields += answer.fields
            return .send(
                Draft(status: answer.status, fields: fields, headers: .own, body: answer.body), after: .zero)
        } catch {
            refuse(error, call)
            return .send(
                Draft(
                    status: error.status,
                    fields: GraphFault.fields(
                        requestID: requestID, clientRequestID: clientRequestID, isUnauthorized: error.status == 401
                    ).fields, headers: .own,
                    body: .json(
                        error.json(requestID: requestID, clientRequestID: clientRequestID, at: call.now),
                        contentType: "application/json"), refusal: error.why), after: .zero)
        }
    }

    private mutating func refuse(_ fault: GraphFault, _ call: Call) {
        refuse(call, fault.why)
        if fault.status == 501 { events.append(.notSimulated(exchange: call.exchange.number, what: fault.why)) }
    }

    private struct GraphAnswer {
        var status = 200
        var fields: [HeaderField] = []
        var body = Draft.Body.none

        init(status: Int, fields: [HeaderField] = [], _ body: Draft.Body = .none) {
            self.status = status
            self.fields = fields
            self.body = body
        }

        static func document(
            _ object: JSONObject, status: Int = 200, fields: [HeaderField] = []
        ) -> GraphAnswer {
            GraphAnswer(
                status: status, fields: fields,
                .json(
                    object,
                    contentType: "application/json;odata.metadata=minimal;odata.streaming=true;"
                        + "IEEE754Compatible=false;charset=utf-8"))
        }
    }

    private mutating func graphAnswer(_ call: Call) throws(GraphFault) -> GraphAnswer {
        let request = call.request
        let target = try GraphTarget(request)
        guard target.methods.contains(request.method) else {
            throw .noSuchMethod("\(request.url.path) takes \(target.methods.joined(separator: ", "))")
        }
        let keys = JWKSet(keys: configuration.keys.ring("service")?.published.map(\.key.jwk) ?? [])
        let claims = try GraphToken.claims(
            request.headers["Authorization"], keys: keys, tenants: [configuration.tenant.id], at: call.now)
        let rights = GraphRights(claims)
        let users = GraphUsers(configuration.tenant)
        switch (target, request.method) {
        case (.users, "GET"):
            try rights.need(GraphRights.reading, for: "reading people")
            return try list(call, users, basicOnly: rights.isBasic)
        case (.count, _):
            try rights.need(GraphRights.reading, for: "counting people")
            return try count(call, users)
        case (.users, _):
            try rights.need(GraphRights.writing, for: "creating a person")
            return try create(call, users)
        case (.user(let key), "GET"):
            try rights.need(GraphRights.reading, for: "reading a person")
            return try read(key, call, users, basicOnly: rights.isBasic)
        case (.user(let key), "PATCH"):
            let body: GraphUserBody
            do throws(GraphFault) {
                body = try GraphUserBody(request, users)
            } catch {
                try rights.needUpdate(of: [])
                throw error
            }
            try rights.needUpdate(of: body.members.keys.filter { !$0.hasPrefix("@odata.") })
            return try update(key, body, call)
        case (.user(let key), _):
            try rights.need([.userReadWriteAll, .userDeleteRestoreAll], for: "deleting a person")
            tenancy.deleteAccount(try account(key).objectID)
            return GraphAnswer(status: 204)
        case (.revokeSessions(let key), _):
            try rights.need(GraphRights.writing + [.userRevokeSessionsAll], for: "revokeSignInSessions")
            tenancy.directory.revokeRefreshTokens(of: try account(key).objectID, at: call.now)
            return .document(["@odata.context": Self.context("Edm.Boolean", call), "value": true])
        case (.memberOf(let key), _):
            try rights.need(GraphRights.reading, for: "reading a person")
            _ = try account(key)
            // The directory here has no groups, and no way to make one.
            return .document(["@odata.context": Self.context("directoryObjects", call), "value": []])
        case (.me, _): throw .needsPerson
        case (.batch, _): return try batch(call)
        }
    }

    private static func context(_ what: String, _ call: Call) -> JSONValue {
        .string("https://\(GraphAPI.host)/\(call.graphVersion)/$metadata#\(what)")
    }

    /// `users`, with what was selected in parentheses.
    private static func context(_ select: [String]?, isOne: Bool, _ call: Call) -> JSONValue {
        let selected = select.map { "(\($0.joined(separator: ",")))" } ?? ""
        return context("users" + selected + (isOne ? "/$entity" : ""), call)
    }

    /// Many requests in one (Microsoft docs: json-batching). They run one after another; one that depends on a refused
    /// one is not tried.
    private mutating func batch(_ call: Call) throws(GraphFault) -> GraphAnswer {
        guard let requests = call.request.json?["requests"]?.arrayValue, !requests.isEmpty else {
            throw GraphFault(400, "BadRequest", "Invalid batch payload format.", why: "the body has no requests")
        }
        guard requests.count <= 20 else {
            throw GraphFault(
                400, "BadRequest", "Number of batch request steps exceeds the maximum value of 20.")
        }
        var refused: Set<String> = []
        var responses: [JSONValue] = []
        for item in requests {
            let id = item["id"]?.stringValue ?? ""
            var response: JSONObject = ["id": .string(id)]
            do throws(GraphFault) {
                guard !(item["dependsOn"]?.arrayValue ?? []).contains(where: { refused.contains($0.stringValue ?? "") })
                else { throw GraphFault(424, "FailedDependency", "Failed Dependency") }
                let answer = try graphAnswer(try call.batched(item))
                response["status"] = .integer(Int64(answer.status))
                if case .json(let body, let type) = answer.body {
                    response["headers"] = ["Content-Type": .string(type)]
                    response["body"] = .object(body)
                } else if case .text(let text, let type) = answer.body {
                    response["headers"] = ["Content-Type": .string(type)]
                    response["body"] = .string(text)
                }
            } catch {
                refuse(error, call)
                refused.insert(id)
                let requestID = random.guid().description
                response["status"] = .integer(Int64(error.status))
                response["headers"] = ["Content-Type": "application/json"]
                response["body"] = .object(error.json(requestID: requestID, clientRequestID: requestID, at: call.now))
            }
            responses.append(.object(response))
        }
        return .document(["responses": .array(responses)])
    }

    /// The account of an object id or a user principal name.
    private func account(_ key: String) throws(GraphFault) -> Account {
        let found = tenancy.directory.find(.objectID(key)) ?? tenancy.directory.find(.userPrincipalName(key))
        guard let found else { throw .noSuchUser(key) }
        return found
    }

    /// The properties to show. Unless the request selects, the beta version shows all: inferred from its documents.
    private func names(
        _ select: [String]?, of account: Account, _ users: GraphUsers, _ call: Call
    ) -> [String] {
        guard let select = select ?? (call.graphVersion == "beta" ? ["*"] : nil) else {
            return GraphUserProperty.standard
        }
        return select.contains("*") ? users.allNames(of: account) : select
    }

    // MARK: Reading

    private func list(_ call: Call, _ users: GraphUsers, basicOnly: Bool) throws(GraphFault) -> GraphAnswer {
        let query = try GraphQuery(call.request, users)
        let page = try query.page(of: tenancy.directory, users)
        var document: JSONObject = ["@odata.context": Self.context(query.select, isOne: false, call)]
        if query.wantsCount { document["@odata.count"] = .integer(Int64(page.count)) }
        if let next = page.next {
            document["@odata.nextLink"] = .string(GraphQuery.nextLink(call.request.url, token: next))
        }
        document["value"] = .array(
            page.accounts.map { account in
                let names = names(query.select, of: account, users, call)
                return .object(users.view(account, names, basicOnly: basicOnly, in: tenancy.directory))
            })
        return .document(document)
    }

    private func count(_ call: Call, _ users: GraphUsers) throws(GraphFault) -> GraphAnswer {
        guard call.request.headers["ConsistencyLevel"]?.lowercased() == "eventual" else {
            throw .needsConsistencyLevel("Raw count (/$count)")
        }
        var request = call.request
        let options = request.url.queryItems.items.filter { $0.name.lowercased() == "$filter" } + [("$count", "true")]
        request.url.query = FormItems(options).encoded
        let page = try GraphQuery(request, users).page(of: tenancy.directory, users)
        return GraphAnswer(status: 200, .text(String(page.count), contentType: "text/plain"))
    }

    private func read(
        _ key: String, _ call: Call, _ users: GraphUsers, basicOnly: Bool
    ) throws(GraphFault) -> GraphAnswer {
        let query = try GraphQuery(call.request, users)
        let account = try account(key)
        var document: JSONObject = ["@odata.context": Self.context(query.select, isOne: true, call)]
        let names = names(query.select, of: account, users, call)
        for (name, value) in users.view(account, names, basicOnly: basicOnly, in: tenancy.directory).members {
            document[name] = value
        }
        return .document(document)
    }

    // MARK: Writing

    private mutating func create(_ call: Call, _ users: GraphUsers) throws(GraphFault) -> GraphAnswer {
        let body = try GraphUserBody(call.request, users)
        let change = try body.creation()
        let id: GUID
        do throws(Directory.DirectoryRefusal) {
            id = try tenancy.directory.create(change, id: random.guid(), at: call.now)
        } catch {
            throw GraphFault(error, change)
        }
        guard let account = tenancy.directory[id] else { throw .noSuchUser(id.description) }
        // What was written comes back too (Microsoft docs: user-post-users, the examples).
        let written = body.members.keys.filter { name in
            GraphExtension(name) != nil
                || ["identities", "passwordPolicies"].contains(GraphUserProperty.named(name)?.name)
        }.map { GraphUserProperty.named($0)?.name ?? $0 }
        var document: JSONObject = ["@odata.context": Self.context(nil, isOne: true, call)]
        let view = users.view(
            account, names(nil, of: account, users, call) + written, basicOnly: false, in: tenancy.directory)
        for (name, value) in view.members { document[name] = value }
        let location =
            "https://\(GraphAPI.host)/v2/\(configuration.tenant.id)/directoryObjects/\(id)/"
            + "Microsoft.DirectoryServices.User"
        return .document(document, status: 201, fields: [HeaderField(name: "Location", value: location)])
    }

    private mutating func update(
        _ key: String, _ body: GraphUserBody, _ call: Call
    ) throws(GraphFault) -> GraphAnswer {
        let account = try account(key)
        let change = try body.change(of: account)
        do throws(Directory.DirectoryRefusal) {
            try tenancy.directory.change(account.objectID, change, at: call.now)
        } catch {
            throw GraphFault(error, change)
        }
        return GraphAnswer(status: 204)
    }
}

extension Call {
    /// `v1.0` or `beta`.
    fileprivate var graphVersion: String {
        request.url.path.lowercased().hasPrefix("/beta/") ? "beta" : "v1.0"
    }

    /// One request of a batch, with the token of the whole.
    fileprivate func batched(_ item: JSONValue) throws(GraphFault) -> Call {
        let target = item["url"]?.stringValue ?? ""
        guard let method = item["method"]?.stringValue,
            let url = WebURL("https://\(GraphAPI.host)/\(graphVersion)/" + target.drop { $0 == "/" })
        else { throw GraphFault(400, "BadRequest", "Invalid batch payload format.", why: "\(target) is not a request") }
        var inner = RequestMessage(method: method.uppercased(), url: url)
        // However the path is spelled, a batch has no batches in it.
        if case .batch? = try? GraphTarget(inner) {
            throw GraphFault(400, "BadRequest", "Invalid batch payload format.", why: "\(target) is a batch in a batch")
        }
        for (name, value) in item["headers"]?.objectValue?.members ?? [] {
            if let value = value.stringValue { inner.headers[name] = value }
        }
        inner.headers["Authorization"] = request.headers["Authorization"]
        if let body = item["body"] { inner.body = JSONWriter.compactBytes(body) }
        return Call(request: inner, exchange: exchange, now: now, address: address)
    }
}
