import AzureSignIn
import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON

/// What a write of a policy did.
public enum UploadAnswer: String, Hashable, Sendable {
    /// HTTP 201.
    case created
    /// HTTP 200.
    case updated
}

/// Custom policies, policy keys and what belongs to them, over Microsoft Graph (Microsoft docs: trustFrameworkPolicy,
/// trustFrameworkKeySet). Names of objects are sent as they are given; the service compares them without letter case.
///
/// Reads are sent again if the service or the network fails. A write is sent again only where the service has not acted: HTTP
/// 429, a token that has expired, AADB2C95043 and AADB2C95053. ``PolicyGraphProblem/isOutcomeUnknown`` says that it may have
/// acted.
public struct PolicyGraph: Sendable {
    /// How often a write is sent again because the service is busy with another one.
    private static let mostRepeated = 5
    /// Pages of a list. A tenant has 200 policies (Microsoft docs: service limits), and a page may have one.
    private static let mostPages = 1_000

    let source: GraphSource
    private let surroundings: AzureSurroundings
    private let tokens: AzureTokens
    private var sender: AzureSender
    private var token: String?

    /// - Throws: ``AzureProblem`` if variables of the environment do not fit together.
    public init(_ source: GraphSource, _ surroundings: AzureSurroundings) throws(AzureProblem) {
        self.source = source
        self.surroundings = surroundings
        tokens = try AzureTokens(source, surroundings)
        sender = AzureSender(source, surroundings)
    }

    /// How the token is obtained.
    public var credential: AzureCredential { tokens.credential }

    /// The GUID of the directory that issued the token; `nil`: the token does not say.
    mutating func tenantID() async throws(PolicyGraphProblem) -> String? {
        AccessTokenFacts(try await bearer())?.tenant
    }

    // MARK: Tenant

    /// The tenant that the token is for.
    public mutating func organization() async throws(PolicyGraphProblem) -> TenantOrganization {
        let what = "reading the organization"
        let found = try await list(
            source.url("organization", version: "v1.0", query: "$select=id,verifiedDomains"), .readOrganization, what)
        guard let organization = found.first, let id = organization["id"]?.stringValue else {
            throw notUnderstood(what)
        }
        let domains = organization["verifiedDomains"]?.arrayValue ?? []
        let names = { (isInitial: Bool) in
            domains.filter { ($0["isInitial"]?.boolValue ?? false) == isInitial }.compactMap { $0["name"]?.stringValue }
        }
        return TenantOrganization(id: id, domains: names(true) + names(false))
    }

    /// App registrations that policies name: the two of the Identity Experience Framework and the one of extension attributes.
    public mutating func applications() async throws(PolicyGraphProblem) -> [TenantApp] {
        var apps: [TenantApp] = []
        for name in ["IdentityExperienceFramework", "ProxyIdentityExperienceFramework", "b2c-extensions-app"] {
            let query = "$filter=startsWith(displayName,'\(name)')&$select=id,appId,displayName"
            let found = try await list(
                source.url("applications", query: query), .readApplications, "reading the app registrations")
            for app in found {
                guard let client = app["appId"]?.stringValue, let object = app["id"]?.stringValue else { continue }
                guard !apps.contains(where: { $0.objectID == object }) else { continue }
                apps.append(
                    TenantApp(
                        clientID: client, objectID: object, displayName: app["displayName"]?.stringValue ?? name))
            }
        }
        return apps
    }

    // MARK: Policies

    /// Ids of all custom policies, in the order of the service.
    public mutating func policyIDs() async throws(PolicyGraphProblem) -> [String] {
        let found = try await list(source.url("trustFramework/policies"), .readPolicies, "reading the list of policies")
        return found.compactMap { $0["id"]?.stringValue }
    }

    /// The XML of a policy; `nil`: there is no such policy.
    public mutating func policy(_ id: String) async throws(PolicyGraphProblem) -> [UInt8]? {
        let what = "reading \(Self.shown(id))"
        let response = try await read(value(of: id), accept: "application/xml", .readPolicies, what)
        guard let response else { return nil }
        guard response.body.contains(UInt8(ascii: "<")), response.headers.mediaType?.contains("html") != true else {
            throw notUnderstood(what)
        }
        return response.body
    }

    /// Writes a policy once.
    public mutating func upload(_ id: String, _ bytes: [UInt8]) async throws(PolicyGraphProblem) -> UploadAnswer {
        let request = RequestMessage(
            method: "PUT", url: value(of: id),
            // Without the charset each character outside ASCII may be stored as U+FFFD.
            headers: ["Content-Type": "application/xml; charset=utf-8", "Accept": "application/xml"], body: bytes)
        let response = try await write(
            request, expecting: [200, 201, 204], .writePolicies, "uploading \(Self.shown(id))")
        return response.status == 201 ? .created : .updated
    }

    /// Deletes a policy; one that does not exist counts as deleted.
    public mutating func deletePolicy(_ id: String) async throws(PolicyGraphProblem) {
        let url = source.url("trustFramework/policies/\(PercentCoding.encodeComponent(id))")
        try await delete(url, .writePolicies, "deleting \(Self.shown(id))")
    }

    private func value(of id: String) -> WebURL {
        source.url("trustFramework/policies/\(PercentCoding.encodeComponent(id))/$value")
    }

    // MARK: Key sets

    /// All key sets, in the order of the service.
    public mutating func keySets() async throws(PolicyGraphProblem) -> [KeySet] {
        let found = try await list(source.url("trustFramework/keySets"), .readKeys, "reading the key sets")
        return found.compactMap { KeySet($0) }
    }

    /// A key set; `nil`: there is no such set.
    public mutating func keySet(_ id: String) async throws(PolicyGraphProblem) -> KeySet? {
        let what = "reading key set \(Self.shown(id))"
        let response = try await read(keySetURL(id), accept: "application/json", .readKeys, what)
        guard let response else { return nil }
        guard let set = response.json.flatMap({ KeySet($0) }) else { throw notUnderstood(what) }
        return set
    }

    /// Creates an empty key set. The service adds the prefix `B2C_1A_`.
    public mutating func createKeySet(_ id: String) async throws(PolicyGraphProblem) {
        let body: JSONObject = ["id": .string(KeySet.bare(id))]
        _ = try await write(
            json(source.url("trustFramework/keySets"), body), expecting: [200, 201], .writeKeys,
            "creating key set \(Self.shown(id))")
    }

    /// Lets the service generate a key.
    public mutating func generateKey(
        in id: String, use: PolicyKey.Use, kind: PolicyKey.Kind, activates: Timestamp?, expires: Timestamp?
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        var body: JSONObject = ["use": .string(use.rawValue), "kty": .string(kind.rawValue)]
        Self.add(activates, expires, to: &body)
        return try await key("generateKey", body, in: id, "generating a key")
    }

    /// Adds a secret as a key.
    public mutating func uploadSecret(
        _ secret: String, in id: String, use: PolicyKey.Use, activates: Timestamp?, expires: Timestamp?
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        sender.hide(secret)
        var body: JSONObject = ["use": .string(use.rawValue), "k": .string(secret)]
        Self.add(activates, expires, to: &body)
        return try await key("uploadSecret", body, in: id, "uploading a secret")
    }

    /// Adds a key with its certificate.
    ///
    /// - Parameter bytes: A .pfx file.
    public mutating func uploadPKCS12(
        _ bytes: [UInt8], password: String, in id: String
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        sender.hide(password)
        let body: JSONObject = ["key": .string(Base64.encode(bytes)), "password": .string(password)]
        return try await key("uploadPkcs12", body, in: id, "uploading a .pfx file")
    }

    /// Adds a certificate without its key.
    ///
    /// - Parameter bytes: A .cer file.
    public mutating func uploadCertificate(
        _ bytes: [UInt8], in id: String
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        let body: JSONObject = ["key": .string(Base64.encode(bytes))]
        return try await key("uploadCertificate", body, in: id, "uploading a certificate")
    }

    /// Enables or disables a key.
    public mutating func setKey(
        _ kid: String, in id: String, isEnabled: Bool
    ) async throws(PolicyGraphProblem) {
        let body: JSONObject = ["status": isEnabled ? "enabled" : "disabled"]
        var request = json(keySetURL(id, "/keys_v2/\(PercentCoding.encodeComponent(kid))"), body)
        request.method = "PATCH"
        let verb = isEnabled ? "enabling" : "disabling"
        _ = try await write(
            request, expecting: [200, 204], .writeKeys, "\(verb) key \(Self.shown(kid)) of \(Self.shown(id))")
    }

    /// Deletes a key set; one that does not exist counts as deleted.
    public mutating func deleteKeySet(_ id: String) async throws(PolicyGraphProblem) {
        try await delete(keySetURL(id), .writeKeys, "deleting key set \(Self.shown(id))")
    }

    private func keySetURL(_ id: String, _ rest: String = "") -> WebURL {
        source.url("trustFramework/keySets/\(PercentCoding.encodeComponent(id))\(rest)")
    }

    private static func add(_ activates: Timestamp?, _ expires: Timestamp?, to body: inout JSONObject) {
        if let activates { body["nbf"] = .integer(activates.secondsSinceEpoch) }
        if let expires { body["exp"] = .integer(expires.secondsSinceEpoch) }
    }

    private mutating func key(
        _ action: String, _ body: JSONObject, in id: String, _ what: String
    ) async throws(PolicyGraphProblem) -> PolicyKey {
        let what = "\(what) in \(Self.shown(id))"
        let response = try await write(
            json(keySetURL(id, "/\(action)"), body), expecting: [200, 201], .writeKeys, what)
        guard let key = response.json.flatMap({ PolicyKey($0) }) else {
            throw .azure(
                AzureProblem(
                    .lost, "\(what): the service accepted it, and its answer has no key",
                    remedy: "Check which keys the set has before you repeat the command."))
        }
        return key
    }

    private func json(_ url: WebURL, _ body: JSONObject) -> RequestMessage {
        .post(url, json: .object(body), headers: ["Accept": "application/json"])
    }

    /// A name of the tenant or of a file, for messages.
    private static func shown(_ name: String) -> String { VisibleText.of(String(name.prefix(200)), keeping: []) }

    // MARK: Requests

    /// The elements of a list, page by page.
    private mutating func list(
        _ url: WebURL, _ permission: LeastPermission, _ what: String
    ) async throws(PolicyGraphProblem) -> [JSONValue] {
        var elements: [JSONValue] = []
        var seen: Set<WebURL> = []
        var next: WebURL? = url
        while let page = next {
            guard seen.insert(page).inserted, seen.count <= Self.mostPages else {
                throw .azure(
                    AzureProblem(
                        .service, "\(what): the list has no end",
                        remedy: "Check --api: its @odata.nextLink goes in circles."))
            }
            let response = try await exchange(
                .get(page, headers: ["Accept": "application/json"]), permission, what, isRepeatable: true)
            guard response.status == 200 else { throw refused(response, permission, what) }
            guard let json = response.json, let found = json["value"]?.arrayValue else { throw notUnderstood(what) }
            elements += found
            next = nil
            guard let link = json["@odata.nextLink"]?.stringValue else { continue }
            guard let url = source.page(link) else {
                throw .azure(
                    AzureProblem(
                        .service, "\(what): the next page is at another server, which must not get the token",
                        remedy: "Check --api: give the address of Microsoft Graph itself."))
            }
            next = url
        }
        return elements
    }

    /// The answer to a read; `nil`: there is no such object.
    private mutating func read(
        _ url: WebURL, accept: String, _ permission: LeastPermission, _ what: String
    ) async throws(PolicyGraphProblem) -> ResponseMessage? {
        let response = try await exchange(
            .get(url, headers: ["Accept": accept]), permission, what, isRepeatable: true)
        if ServiceRefusal.isNotFound(response) { return nil }
        guard response.status == 200 else { throw refused(response, permission, what) }
        return response
    }

    private mutating func delete(
        _ url: WebURL, _ permission: LeastPermission, _ what: String
    ) async throws(PolicyGraphProblem) {
        let request = RequestMessage(method: "DELETE", url: url, headers: ["Accept": "application/json"])
        _ = try await write(request, expecting: [200, 204, 404], permission, what)
    }

    /// The answer to a write that has one of these statuses; 404 only for an object that does not exist.
    private mutating func write(
        _ request: RequestMessage, expecting expected: Set<Int>, _ permission: LeastPermission, _ what: String
    ) async throws(PolicyGraphProblem) -> ResponseMessage {
        var repeated: Int64 = 0
        while true {
            let response = try await exchange(request, permission, what, isRepeatable: false)
            if expected.contains(response.status), response.status != 404 || ServiceRefusal.isNotFound(response) {
                return response
            }
            var problem = refused(response, permission, what)
            guard case .refused(var refusal, _) = problem else { throw problem }
            if refusal.isParallelWrite || refusal.isThrottled {
                repeated += 1
                if repeated <= Self.mostRepeated {
                    let span = refusal.retryAfter ?? .seconds(Int64(1) << repeated)
                    let reason = refusal.isThrottled ? "the service limits requests" : "another write is not finished"
                    try await pause(max(span, .seconds(1)), "\(what): \(reason) (\(refusal.code ?? ""))")
                    continue
                }
            } else if response.status >= 500 || response.status == 408 {
                refusal.isOutcomeUnknown = true
                problem = .refused(refusal, what: what)
            }
            throw problem
        }
    }

    private mutating func pause(_ span: TimeSpan, _ reason: String) async throws(PolicyGraphProblem) {
        do throws(AzureProblem) {
            try await sender.wait(span, reason)
        } catch {
            throw .azure(error)
        }
    }

    /// The answer, with a new token if the one in use has expired.
    private mutating func exchange(
        _ request: RequestMessage, _ permission: LeastPermission, _ what: String, isRepeatable: Bool
    ) async throws(PolicyGraphProblem) -> ResponseMessage {
        var isRenewed = false
        while true {
            var request = request
            request.headers["Authorization"] = "Bearer \(try await bearer())"
            let response: ResponseMessage
            do throws(AzureProblem) {
                response = try await sender.send(
                    request, to: "\(what): \(source.shown)", isRepeatable: isRepeatable)
            } catch {
                throw .azure(error)
            }
            guard response.status == 401, !isRenewed else { return response }
            if case .token = credential { return response }
            isRenewed = true
            token = nil
        }
    }

    private mutating func bearer() async throws(PolicyGraphProblem) -> String {
        if let token { return token }
        do throws(AzureProblem) {
            let new = try await tokens.token(&sender)
            if let problem = AccessTokenFacts(new)?.personProblem(source) { throw problem }
            token = new
            return new
        } catch {
            throw .azure(error)
        }
    }

    // MARK: Refusals

    private func refused(
        _ response: ResponseMessage, _ permission: LeastPermission, _ what: String
    ) -> PolicyGraphProblem {
        var refusal = ServiceRefusal(response, secrets: sender.secrets, now: surroundings.now())
        switch response.status {
        case 401: refusal.remedy = tokenRemedy
        case 403: refusal.remedy = permissionRemedy(permission)
        default: break
        }
        return .refused(refusal, what: what)
    }

    private var tokenRemedy: String {
        switch credential {
        case .token(_, let variable):
            "The token in \(variable) has expired, is damaged or is for another API. Get a new one for \(source.audience)."
        case .azureCLI: "Run `\(source.commandLineSignIn(tenant: nil))` again."
        default:
            "Check that AZURE_TENANT_ID is the B2C tenant and that --api and AZURE_AUTHORITY_HOST are of the same cloud."
        }
    }

    private func permissionRemedy(_ permission: LeastPermission) -> String {
        let has = token.flatMap { AccessTokenFacts($0) }.map(\.permissions)
        let names = (has ?? []).map { Self.shown($0) }.sorted().joined(separator: ", ")
        let state = has == nil ? "" : names.isEmpty ? " The token has no permission." : " The token has \(names)."
        return
            "Give the app the application permission \(permission.rawValue) of Microsoft Graph at App registrations > API "
            + "permissions, and grant admin consent.\(state)"
    }

    /// A success without what belongs into it.
    private func notUnderstood(_ what: String) -> PolicyGraphProblem {
        .azure(
            AzureProblem(
                .service, "\(what): the answer of \(source.api.authority) is not one of Microsoft Graph",
                remedy: "Check --api, the network and https_proxy: a proxy or another server may answer in its place."))
    }
}
