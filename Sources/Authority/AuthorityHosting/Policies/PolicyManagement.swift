import Determinism
import Exchanges
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles

/// Microsoft Graph of a B2C tenant as far as it manages the tenant: policies, key sets, the organization and apps.
struct PolicyManagement: Sendable {
    let directory: PolicyDirectory
    let clock: any WallClock

    /// Answers a request.
    ///
    /// - Parameter keep: Makes what was written durable and lets sign-ins see what they may; false when it cannot.
    /// - Returns: `nil`: the request is about something else.
    func delivery(of request: RequestMessage, keep: ([RowChange]) async -> Bool) async -> Delivery? {
        guard let taken = GraphManagementRequest(request), Self.segments.contains(taken.words[0]) else { return nil }
        let requestID = directory.requestID()
        let clientRequestID = request.headers["client-request-id"] ?? requestID
        let now = clock.now()
        var written: String?
        do throws(GraphFault) {
            let (answer, rows) = try answer(taken, at: now, written: &written)
            guard let answer else { return nil }
            if let written {
                let isKept = await keep(rows)
                directory.endWriting(written)
                guard isKept else { return .failure(.reset) }
            }
            return .response(Self.message(answer, requestID: requestID, clientRequestID: clientRequestID))
        } catch {
            return .response(refusal(error, requestID: requestID, clientRequestID: clientRequestID, at: now))
        }
    }

    private static let segments: Set<String> = ["trustframework", "organization", "applications"]

    private func answer(
        _ request: GraphManagementRequest, at now: Timestamp, written: inout String?
    ) throws(GraphFault) -> (GraphManagementAnswer?, [RowChange]) {
        let tenant = directory.tenant
        let keys = JWKSet(keys: (tenant.keySet(named: "service")?.publish ?? []).map { TestKeys.named($0).jwk })
        let rights = GraphManagementRights(
            try GraphToken.claims(
                request.message.headers["Authorization"], keys: keys, tenants: [tenant.id], at: now))
        if let outcome = try PolicyRoutes(directory: directory).answer(request, rights, at: now) {
            written = outcome.written
            return (outcome.answer, outcome.rows)
        }
        return (try directory.answer(request, rights, at: now), [])
    }

    private static func message(
        _ answer: GraphManagementAnswer, requestID: String, clientRequestID: String
    ) -> ResponseMessage {
        var fields = GraphFault.fields(requestID: requestID, clientRequestID: clientRequestID)
        fields.append("OData-Version", "4.0")
        for field in answer.fields { fields.append(field.name, field.value) }
        var message = ResponseMessage(status: answer.status, headers: fields)
        switch answer.body {
        case .none: break
        case .json(let object):
            message.headers["Content-Type"] =
                "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8"
            message.body = JSONWriter.compactBytes(.object(object))
        case .bytes(let bytes, let contentType):
            message.headers["Content-Type"] = contentType
            message.body = bytes
        }
        return message
    }

    private func refusal(
        _ fault: GraphFault, requestID: String, clientRequestID: String, at now: Timestamp
    ) -> ResponseMessage {
        var body = JSONValue.object(
            fault.json(requestID: requestID, clientRequestID: clientRequestID, at: now))
        if fault.code.hasPrefix("AADB2C"), var error = body["error"]?.objectValue {
            // Recorded in front of the others (microsoftgraph/microsoft-graph-docs-contrib#2254).
            var inner: JSONObject = ["correlationId": .string(directory.requestID())]
            for (name, value) in error["innerError"]?.objectValue?.members ?? [] { inner[name] = value }
            error["innerError"] = .object(inner)
            body = ["error": .object(error)]
        }
        var message = ResponseMessage.json(
            fault.status, body,
            headers: GraphFault.fields(
                requestID: requestID, clientRequestID: clientRequestID, isUnauthorized: fault.status == 401))
        message.refusal = fault.why
        return message
    }
}

/// The authority of a tenant whose policies may change with the time: requests come to it once it has those of the instant.
struct PolicyGate: DelayingResponder {
    let host: AuthorityHost
    let directory: PolicyDirectory
    let clock: any WallClock
    /// Goes on with the policies of the instant.
    let refresh: @Sendable () async -> Void

    func delivery(of request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        if directory.isDue(at: clock.now) { await refresh() }
        return await host.delivery(of: request, context)
    }
}
