import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TrustFramework

/// `RestfulProvider`: calls a web API with claims and takes claims from its answer (Microsoft docs: restful-technical-
/// profile).
struct RESTHandler: ConversingHandler {
    func begin(_ call: ProfileCall, random: inout SeededGenerator) throws(ProfileFailure) -> HandlerMove {
        try attempt(1, call)
    }

    private func attempt(_ number: Int, _ call: ProfileCall) throws(ProfileFailure) -> HandlerMove {
        var request = try request(call)
        if let problem = request.headers.problem {
            // .NET refuses such a field too, before anything is sent; that AADB2C90037 is what the app gets is inferred.
            throw .policyFault(.c90037, [], detail: "\(call.profile.id): \(problem)")
        }
        request.profile = call.profile.id
        let timeout = call.journey.environment.switches.restTimeout
        return .ask(.callout(request, timeout: timeout), remember: .rest(attempt: number))
    }

    func resume(
        _ event: JourneyEvent, from memory: HandlerMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        guard case .finished(let result) = event, case .rest(let number) = memory else {
            return .refuse("a call to a web API is under way")
        }
        switch result.outcome {
        case .failure(let error):
            if Self.isRetried(error), number < call.journey.environment.switches.restAttempts {
                return try attempt(number + 1, call)
            }
            throw unreachable(error, call)
        case .success(let response): return .done(try claims(response, call))
        }
    }

    /// Whether a failed attempt is repeated: the service calls again when there is "slow or no response" (Microsoft docs:
    /// api-connectors-overview). That every lost connection counts, and no HTTP answer does, is inferred.
    private static func isRetried(_ error: TransportError) -> Bool {
        switch error {
        case .offline, .refused, .reset, .dns, .timeout, .tls, .truncated: true
        // Not the network: nobody stubs the call, or the run is over. Another attempt ends the same way.
        case .cancelled, .other: false
        }
    }

    // MARK: Request

    private func request(_ call: ProfileCall) throws(ProfileFailure) -> RequestMessage {
        let metadata = call.profile.metadata
        let sends = (metadata["SendClaimsIn"] ?? "Body").lowercased()
        let text = address(call)
        guard var url = Resolvers.address(text) else {
            throw .policyFault(
                .c90023, [call.profile.id, "ServiceUrl"],
                detail: "\(call.profile.id): ServiceUrl is not an address: \(text)")
        }
        var headers: Headers = ["Accept": "application/json"]
        try authenticate(&headers, call)
        switch sends {
        case "body":
            if let claim = metadata["ClaimUsedForRequestPayload"] {
                let payload = call.journey.policy.claimType(claim).flatMap { call.bag[$0]?.text } ?? ""
                headers.append("Content-Type", "application/json")
                return RequestMessage(method: "POST", url: url, headers: headers, body: Array(payload.utf8))
            }
            return .post(url, json: .object(body(call)), headers: headers)
        case "form":
            var form = FormItems()
            for input in call.inputs.entries { form.append(input.name, input.value.text ?? "") }
            return .post(url, form: form, headers: headers)
        case "querystring":
            var items = url.queryItems
            for input in call.inputs.entries { items.append(input.name, input.value.text ?? "") }
            url.queryItems = items
            return .get(url, headers: headers)
        case "url":
            return .get(url, headers: headers)
        case "header":
            for input in call.inputs.entries { headers.append(input.name, input.value.text ?? "") }
            return .get(url, headers: headers)
        default:
            throw .notSimulated("SendClaimsIn \(metadata["SendClaimsIn"] ?? "")", at: call.profile.location)
        }
    }

    private func body(_ call: ProfileCall) -> JSONObject {
        var object = JSONObject()
        for input in call.inputs.entries {
            let type = input.claim.map { call.journey.policy[$0].dataType } ?? .string
            object.append(input.name, input.value.json(as: type))
        }
        return object
    }

    private func authenticate(_ headers: inout Headers, _ call: ProfileCall) throws(ProfileFailure) {
        let type = call.profile.metadata["AuthenticationType"] ?? "None"
        func secret(_ key: String) throws(ProfileFailure) -> String {
            guard let reference = call.profile.key(key) else {
                throw .policyFault(
                    .c90025, [call.profile.id, call.journey.policy.id, call.journey.environment.tenantDomain, key],
                    detail: "\(call.profile.id) has no key \(key)")
            }
            return try call.secret(reference)
        }
        switch type.lowercased() {
        case "none", "clientcertificate":
            // A client certificate is presented by the connection, of which a request shows nothing.
            break
        case "basic":
            let pair = "\(try secret("BasicAuthenticationUsername")):\(try secret("BasicAuthenticationPassword"))"
            headers.append("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
        case "bearer":
            if let claim = call.profile.metadata["UseClaimAsBearerToken"] {
                guard let token = call.journey.policy.claimType(claim).flatMap({ call.bag[$0]?.text }) else {
                    throw .policyFault(
                        .c90194, [claim, call.inputs.entries.map(\.name).joined(separator: ", ")],
                        detail: "\(call.profile.id): claim \(claim) for the bearer token has no value")
                }
                headers.append("Authorization", "Bearer \(token)")
            } else {
                headers.append("Authorization", "Bearer \(try secret("BearerAuthenticationToken"))")
            }
        case "apikeyheader":
            for key in call.profile.cryptographicKeys {
                headers.append(key.id, try call.secret(key.storageReferenceID))
            }
        default:
            throw .notSimulated("AuthenticationType \(type)", at: call.profile.location)
        }
    }

    // MARK: Answer

    private func claims(_ response: ResponseMessage, _ call: ProfileCall) throws(ProfileFailure) -> PartnerClaims {
        if (200..<300).contains(response.status) {
            if response.body.isEmpty { return PartnerClaims() }
            guard let json = response.json, case .object = json else {
                throw failure(.c90037, inserts: [], detail: "the answer is not a JSON object", call)
            }
            var claims = PartnerClaims()
            let resolvesPaths = call.profile.metadata.bool("ResolveJsonPathsInJsonTokens", default: false)
            JSONPaths.flatten(json, resolvesPaths: resolvesPaths, into: &claims)
            return claims
        }
        if (400..<500).contains(response.status), let message = response.json?["userMessage"]?.stringValue {
            throw refused(
                message + debugging(response.json, call), "the API refused with status \(response.status)", call)
        }
        if (400..<500).contains(response.status), !response.body.isEmpty, response.json == nil {
            throw failure(
                .c90261, inserts: [call.profile.id, ""], detail: "the API's error answer cannot be read", call)
        }
        if response.status == 401 || response.status == 403, let code = credentials(call) {
            throw failure(code, inserts: [call.profile.id], detail: "the API did not accept the credentials", call)
        }
        throw httpFailure(
            HTTPStatusWords(response.status), "\(address(call)) answered with status \(response.status)", call)
    }

    /// AADB2C90075 as the service fills it in: step later, status by its .NET name, and why in words (public threads:
    /// azure-docs#57242 for an answer, azure-docs#79137 for none).
    private func httpFailure(_ words: HTTPStatusWords, _ detail: String, _ call: ProfileCall) -> ProfileFailure {
        failure(.c90075, inserts: [call.profile.id, "", words.name, words.phrase], detail: detail, call)
    }

    /// The code for credentials that the API does not accept, of the kinds that have one.
    private func credentials(_ call: ProfileCall) -> B2CErrorCode? {
        switch call.profile.metadata["AuthenticationType"]?.lowercased() {
        case "basic": .c90027
        case "clientcertificate": .c90028
        default: nil
        }
    }

    private static let standard = "Unable to process your request right now. Please try again later."
    /// The text for whatever goes wrong with a call; `{0}` is the address (Microsoft docs: localization-string-ids).
    private static let anyFailure = "DefaultUserMessageIfRequestFailed"

    /// What `DebugMode` adds to the API's message (Microsoft docs: restful-technical-profile, "Returning error message");
    /// the form is inferred.
    private func debugging(_ answer: JSONValue?, _ call: ProfileCall) -> String {
        guard call.profile.metadata.bool("DebugMode", default: false) else { return "" }
        let parts = ["code", "requestId", "developerMessage", "moreInfo"].compactMap { name in
            answer?[name].flatMap { $0.isNull ? nil : "\(name): \($0.stringValue ?? $0.description)" }
        }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
    }

    /// The API refused in words of its own.
    private func refused(_ message: String, _ detail: String, _ call: ProfileCall) -> ProfileFailure {
        ProfileFailure(message: message, detail: "\(call.profile.id): \(detail)")
    }

    private func failure(
        _ code: B2CErrorCode, inserts: [String], detail: String, _ call: ProfileCall
    ) -> ProfileFailure {
        var failure = ProfileFailure(
            code: code, messageKey: Self.anyFailure, message: Self.standard, inserts: inserts,
            detail: "\(call.profile.id): \(detail)")
        failure.messageInserts = [address(call)]
        return failure
    }

    /// `ServiceUrl` with claims and resolvers in their places.
    private func address(_ call: ProfileCall) -> String {
        let metadata = call.profile.metadata
        var text = metadata["ServiceUrl"] ?? ""
        if sameID(metadata["SendClaimsIn"] ?? "", "Url") {
            for input in call.inputs.entries {
                text = text.replacing("{\(input.name)}", with: PercentCoding.encodeComponent(input.value.text ?? ""))
            }
        }
        return Resolvers.fill(
            text, bag: call.bag, call: call.journey, profile: call.profile, resolves: call.profile.resolvesClaims)
    }

    /// No attempt brought an answer. The service calls that a `Conflict`, and its reason is the text for a page: the
    /// profile's own where it has one (public thread azure-docs#79137).
    private func unreachable(_ error: TransportError, _ call: ProfileCall) -> ProfileFailure {
        let address = address(call)
        let limit = String(call.journey.environment.switches.restTimeout.wholeSeconds)
        var key = Self.anyFailure
        var inserts = [address]
        var reason = "The REST service cannot be reached: \(error). Restful service URL: \(address)"
        switch error {
        case .dns:
            key = "UserMessageIfDnsResolutionFailed"
            reason = "The host name of the REST service cannot be resolved. Restful service URL: \(address)"
        case .timeout:
            key = "UserMessageIfRequestTimeout"
            inserts = [limit, address]
            reason =
                "The REST service did not answer within the timeout limit of \(limit) seconds. "
                + "Restful service URL: \(address)"
        default: break
        }
        let metadata = call.profile.metadata
        if let own = metadata[key] {
            reason = own.filling(inserts)
        } else if let own = metadata[Self.anyFailure] {
            reason = own.filling([address])
        }
        var failure = httpFailure(HTTPStatusWords(name: "Conflict", phrase: reason), "\(address): \(error)", call)
        failure.messageKey = key
        failure.messageInserts = inserts
        failure.otherKey = Self.anyFailure
        failure.otherInserts = [address]
        return failure
    }
}
