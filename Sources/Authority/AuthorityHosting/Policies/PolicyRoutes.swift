import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import TrustFramework

/// Microsoft Graph's routes of custom policies (Microsoft docs: api/trustframework-list-trustframeworkpolicies and the pages
/// beside it; bodies of errors as people published them). Statuses of errors other than malformed XML and a missing
/// permission are inferred, as is whatever is said to be so here.
struct PolicyRoutes: Sendable {
    /// Most policies and user flows of a tenant (Microsoft docs: service-limits).
    static let mostPolicies = 200
    /// Largest policy, in bytes (Microsoft docs: service-limits).
    static let largest = 1024 * 1024

    let directory: PolicyDirectory

    /// What became of a request.
    struct Outcome: Sendable {
        var answer: GraphManagementAnswer
        /// The policy that is being written until the answer goes out.
        var written: String?
        /// What a state file keeps of it.
        var rows: [RowChange] = []

        init(_ answer: GraphManagementAnswer) { self.answer = answer }
    }

    /// - Returns: `nil`: the request is not about policies.
    func answer(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights, at now: Timestamp
    ) throws(GraphFault) -> Outcome? {
        let words = request.words
        guard (2...4).contains(words.count), words[0] == "trustframework", words[1] == "policies",
            words.count < 4 || words[3] == "$value"
        else { return nil }
        let id = words.count > 2 ? request.path[2] : ""
        switch (words.count, request.method) {
        case (2, "GET"):
            try rights.need(Self.reading)
            let ids = directory.newest().map { JSONValue.object(["id": .string($0.id)]) }
            return Outcome(
                GraphManagementAnswer(
                    200,
                    .json(["@odata.context": request.context("trustFramework/policies"), "value": .array(ids)])))
        case (2, "POST"):
            try rights.need(Self.writing)
            return try create(request, at: now)
        case (3, "GET"):
            try rights.need(Self.reading)
            let policy = try policy(id)
            return Outcome(
                GraphManagementAnswer(
                    200,
                    .json([
                        "@odata.context": request.context("trustFramework/policies/$entity"),
                        "id": .string(policy.id),
                    ])))
        case (3, "DELETE"):
            try rights.need(Self.writing)
            return try delete(id, at: now)
        case (3, "PUT"):
            try rights.need(Self.writing)
            // The code is documented (Microsoft docs: error-codes), its words are ours.
            throw GraphFault(
                400, "AADB2C99009",
                "A policy cannot be updated at this address. Append $value to the address of the policy.",
                why: "PUT of a policy needs /$value at the end of the address")
        case (4, "GET"):
            try rights.need(Self.reading)
            return Outcome(GraphManagementAnswer(200, .bytes(try policy(id).bytes, contentType: Self.xml)))
        case (4, "PUT"):
            try rights.need(Self.writing)
            return try put(id, request, at: now)
        default:
            throw GraphFault(
                405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.",
                why: "\(request.method) is not a method of \(request.message.url.path)")
        }
    }

    private static let reading: [GraphPermissionName] = [.policyReadAll, .policyReadWriteTrustFramework]
    private static let writing: [GraphPermissionName] = [.policyReadWriteTrustFramework]
    private static let xml = "application/xml"

    private func policy(_ id: String) throws(GraphFault) -> StoredPolicy {
        guard let policy = directory.newest(id) else { throw missing(id, status: 404) }
        return policy
    }

    /// The text was published for a parent that is missing (Azure-Samples/active-directory-b2c-custom-policy-starterpack#113).
    private func missing(_ id: String, status: Int) -> GraphFault {
        GraphFault(
            status, "AADB2C",
            "Policy with 'policyId': \(id) cannot be found in the directory '\(directory.tenant.domain)'.")
    }

    // MARK: Writing

    private func create(_ request: GraphManagementRequest, at now: Timestamp) throws(GraphFault) -> Outcome {
        let policy = try received(request, id: nil)
        return try writing(policy.id) { () throws(GraphFault) in
            if let known = directory.newest(policy.id) {
                throw GraphFault(
                    400, "AADB2C",
                    "Tenant \"\(directory.tenant.domain)\" already has a policy with id \"\(known.id)\". Another policy with the "
                        + "same id cannot be stored.")
            }
            try check(policy)
            let location = "https://\(GraphAPI.host)/\(request.version)/trustFramework/policies/\(policy.id)/"
            return GraphManagementAnswer(
                201, .bytes(policy.bytes, contentType: Self.xml),
                fields: [HeaderField(name: "Location", value: location)])
        } keeping: {
            directory.write(policy, id: policy.id, at: now)
        }
    }

    private func put(_ id: String, _ request: GraphManagementRequest, at now: Timestamp) throws(GraphFault) -> Outcome {
        let policy = try received(request, id: id)
        return try writing(policy.id) { () throws(GraphFault) in
            try check(policy)
            return GraphManagementAnswer(
                directory.newest(policy.id) == nil ? 201 : 200, .bytes(policy.bytes, contentType: Self.xml))
        } keeping: {
            directory.write(policy, id: policy.id, at: now)
        }
    }

    /// Children of a policy that is deleted stay, and fail (inferred).
    private func delete(_ id: String, at now: Timestamp) throws(GraphFault) -> Outcome {
        let policy = try policy(id)
        return try writing(policy.id) { () throws(GraphFault) in
            GraphManagementAnswer(204)
        } keeping: {
            directory.write(nil, id: policy.id, at: now)
        }
    }

    /// Writes a policy unless somebody else is writing it.
    private func writing(
        _ id: String, _ work: () throws(GraphFault) -> GraphManagementAnswer, keeping: () -> [RowChange]
    ) throws(GraphFault) -> Outcome {
        guard directory.beginWriting(id) else {
            // The code is documented (Microsoft docs: error-codes), its words are ours.
            throw GraphFault(
                409, "AADB2C95053",
                "Parallel requests to update the same object are not allowed. Send requests one after the other.",
                why: "policy \(id) is being written by another request")
        }
        do throws(GraphFault) {
            var outcome = Outcome(try work())
            outcome.rows = keeping()
            outcome.written = id
            return outcome
        } catch {
            directory.endWriting(id)
            throw error
        }
    }

    // MARK: Checks

    /// The policy of a request, as far as it can be read.
    ///
    /// - Parameter id: The policy of the address; `nil`: the address names none.
    private func received(_ request: GraphManagementRequest, id: String?) throws(GraphFault) -> StoredPolicy {
        let message = request.message
        guard !message.body.isEmpty else {
            let path = "graph/" + request.path.joined(separator: "/")
            let text = "No HTTP resource was found that matches the request URI 'https://cpim.windows.net/\(path)'."
            throw GraphFault(
                400, "UnknownError", JSONWriter.compact(["message": .string(text)]),
                why: "the request has no body; send the policy as application/xml")
        }
        guard message.body.count <= Self.largest else {
            // The code is documented (Microsoft docs: error-codes), its words are ours.
            throw GraphFault(
                400, "AADB2C95024",
                "The size of the uploaded resource file exceeds the maximum of \(Self.largest / 1024) KB.",
                why: "the policy has \(message.body.count) bytes; a policy has at most \(Self.largest)")
        }
        let type = message.headers.mediaType ?? Self.xml
        guard type == Self.xml || type == "text/xml" else {
            throw malformed("The content type is \(type); expected \(Self.xml).")
        }
        let name = id ?? PolicyReader.policyID(bytes: message.body) ?? "policy"
        let policy: StoredPolicy
        do throws(InvalidInput) {
            policy = try StoredPolicy(message.body, file: name + ".xml")
        } catch {
            throw unreadable(error, message.body, id: name)
        }
        if let id, !sameID(id, policy.id) {
            throw GraphFault(
                400, "AADB2C",
                "The policy id in the address '\(id)' is not same as the PolicyId in the policy xml '\(policy.id)'.")
        }
        return policy
    }

    private func malformed(_ why: String) -> GraphFault {
        GraphFault(400, "AADB2C", "The policy being uploaded is not XML or is not correctly formatted: \(why)")
    }

    private func unreadable(_ error: InvalidInput, _ bytes: [UInt8], id: String) -> GraphFault {
        let errors = error.diagnostics.filter { $0.severity == .error }
        guard let first = errors.first(where: { $0.rule == "B2C-POL-001" }) else {
            let domain = directory.tenant.domain
            let text = directory.rules(id, [(id + ".xml", bytes)], domain, directory.keySets)
            return GraphFault(
                400, "AADB2C", text ?? UploadLinking.message(errors.map(\.message), id, domain))
        }
        let place = first.location.flatMap { place in
            place.line.map { " Line \($0), position \(place.column ?? 1)." }
        }
        return malformed(first.message + "." + (place ?? ""))
    }

    /// Whether the tenant accepts a policy.
    private func check(_ policy: StoredPolicy) throws(GraphFault) {
        let tenant = directory.tenant
        let owner = policy.tenantID ?? ""
        guard sameID(owner, tenant.domain) || sameID(owner, tenant.id.description) else {
            throw GraphFault(
                400, "AADB2C95044",
                "TenantId in the policy xml '\(owner)' is not same as the one in login tenant '\(tenant.domain)'.")
        }
        if directory.newest(policy.id) == nil,
            directory.newest().count + directory.userFlows >= Self.mostPolicies
        {
            throw GraphFault(
                400, "AADB2C", "The tenant has reached the limit of \(Self.mostPolicies) policies and user flows.",
                why: "a tenant has at most \(Self.mostPolicies) policies and user flows together; delete some")
        }
        let chain = try chain(of: policy)
        let files = chain.map { (file: $0.id + ".xml", bytes: $0.bytes) }
        if let text = directory.rules(policy.id, files, tenant.domain, directory.keySets) {
            throw GraphFault(400, "AADB2C", text)
        }
    }

    /// A policy with its parents in the tenant, root first. The base that is built in has no file.
    private func chain(of policy: StoredPolicy) throws(GraphFault) -> [StoredPolicy] {
        var chain = [policy]
        while let base = chain[chain.count - 1].base {
            func refuse(_ text: String) -> GraphFault {
                GraphFault(400, "AADB2C", UploadLinking.message([text], policy.id, directory.tenant.domain))
            }
            if chain.contains(where: { sameID($0.id, base) }) {
                throw refuse("Policy '\(policy.id)' is not allowed to inherit from the specified base policy '\(base)'")
            }
            guard let parent = directory.newest(base) else {
                if (try? UserFlowCompiler.builtIn(base)) ?? nil != nil { break }
                throw missing(base, status: 400)
            }
            chain.append(parent)
            guard chain.count <= PolicyLibrary.deepestInheritance else {
                throw refuse("inheritance is deeper than \(PolicyLibrary.deepestInheritance) levels")
            }
        }
        return chain.reversed()
    }
}
