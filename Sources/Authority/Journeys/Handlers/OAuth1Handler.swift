import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TrustFramework

/// OAuth 1.0 identity providers such as Twitter's (RFC 5849; Microsoft docs: oauth1-technical-profile): a request token,
/// the redirect, an access token, and the claims endpoint where the metadata names one. Requests are signed with
/// HMAC-SHA1. OAuth 1.0 has no `state`: the return address carries ours in its query (inferred).
struct OAuth1Handler: ConversingHandler {
    func begin(_ call: ProfileCall, random: inout SeededGenerator) throws(ProfileFailure) -> HandlerMove {
        var memory = ProviderMemory(.requestToken)
        let properties = "{\"SID\":\"x-ms-cpim-rc:\(random.guid())\",\"TID\":\"\(call.journey.request.correlationID)\"}"
        memory.state = "StateProperties=" + Base64URL.encode(Array(properties.utf8))
        let endpoint = try endpoint("request_token_endpoint", call)
        let header = try authorization(
            method: "POST", endpoint, parameters: [("oauth_callback", callback(memory, call))], secret: "", call,
            random: &random)
        return ask(.post(endpoint, form: FormItems(), headers: ["Authorization": header]), memory, call)
    }

    func resume(
        _ event: JourneyEvent, from memory: HandlerMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        guard case .provider(let memory) = memory else { return .refuse("the provider waits for nothing") }
        switch (memory.stage, event) {
        case (.redirect, .providerReturned(let response)):
            return try returned(response.parameters, memory, call, random: &random)
        case (.redirect, .reloaded): return .ask(.provider(try stop(memory, call)), remember: .provider(memory))
        case (.redirect, .cancelled): throw FederationFailures.cancelled("the person went back", call)
        case (.redirect, _): return .refuse("the browser is at identity provider \(call.profile.id)")
        case (_, .finished(let result)): return try answered(result, memory, call, random: &random)
        default: return .refuse("a call to identity provider \(call.profile.id) is under way")
        }
    }

    // MARK: Steps

    private func returned(
        _ parameters: FormItems, _ given: ProviderMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        guard parameters["state"] == given.state else { return .refuse("state is not that of the request") }
        if parameters["denied"] != nil { throw FederationFailures.cancelled("access_denied", call) }
        let tokens = FormItems(parsing: given.tokens ?? "")
        guard let token = parameters["oauth_token"], token == tokens["oauth_token"],
            let verifier = parameters["oauth_verifier"]
        else { throw FederationFailures.invalid("the answer holds no oauth_verifier for the request token", call) }
        var memory = given
        memory.stage = .token
        let endpoint = try endpoint("access_token_endpoint", call)
        let header = try authorization(
            method: "POST", endpoint, parameters: [("oauth_token", token), ("oauth_verifier", verifier)],
            secret: tokens["oauth_token_secret"] ?? "", call, random: &random)
        return ask(.post(endpoint, form: FormItems(), headers: ["Authorization": header]), memory, call)
    }

    private func answered(
        _ result: CalloutResult, _ given: ProviderMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        let response: ResponseMessage
        switch result.outcome {
        case .failure(let error): throw FederationFailures.unreachable(error.description, call)
        case .success(let answer): response = answer
        }
        guard (200..<300).contains(response.status) else {
            throw FederationFailures.unreachable(
                "status \(response.status) from the \(given.stage.rawValue) call", call)
        }
        var memory = given
        switch given.stage {
        case .requestToken:
            let tokens = FormItems(parsing: response.body)
            guard let token = tokens["oauth_token"], tokens["oauth_callback_confirmed"] == "true" else {
                throw FederationFailures.invalid("the answer holds no request token", call)
            }
            memory.tokens = tokens.encoded
            var address = try endpoint("authorization_endpoint", call)
            var items = address.queryItems
            items.append("oauth_token", token)
            for input in call.inputs.entries {
                if let text = input.value.text, !text.isEmpty { items.append(input.name, text) }
            }
            address.queryItems = items
            memory.address = address.description
            memory.stage = .redirect
            return .ask(.provider(try stop(memory, call)), remember: .provider(memory))
        case .token:
            let tokens = FormItems(parsing: response.body)
            guard let token = tokens["oauth_token"] else {
                throw FederationFailures.invalid("the answer holds no access token", call)
            }
            memory.tokens = tokens.encoded
            guard call.profile.metadata["ClaimsEndpoint"] != nil else { return .done(claims(JSONObject(), memory)) }
            if let format = call.profile.metadata["ClaimsResponseFormat"], !sameID(format, "json") {
                throw .notSimulated("ClaimsResponseFormat \(format)", at: call.profile.location)
            }
            memory.stage = .userInfo
            let endpoint = try endpoint("ClaimsEndpoint", call)
            let header = try authorization(
                method: "GET", endpoint, parameters: [("oauth_token", token)],
                secret: tokens["oauth_token_secret"] ?? "", call,
                random: &random)
            return ask(.get(endpoint, headers: ["Accept": "application/json", "Authorization": header]), memory, call)
        case .userInfo:
            guard let object = response.json?.objectValue else {
                throw FederationFailures.unreachable("an answer of the claims endpoint that is not a JSON object", call)
            }
            return .done(claims(object, memory))
        case .metadata, .redirect, .keys:
            return .refuse("no call is under way")
        }
    }

    private func stop(_ memory: ProviderMemory, _ call: ProfileCall) throws(ProfileFailure) -> ProviderRedirect {
        guard let url = WebURL(memory.address) else {
            throw FederationFailures.noAddress("authorization_endpoint", memory.address, call)
        }
        return ProviderRedirect(url: url, technicalProfile: call.profile.id, state: memory.state)
    }

    private func ask(_ request: RequestMessage, _ memory: ProviderMemory, _ call: ProfileCall) -> HandlerMove {
        .ask(.callout(request, timeout: call.journey.environment.calloutTimeout), remember: .provider(memory))
    }

    /// Members of the claims answer, then what came with the access token (`user_id`, `screen_name`).
    private func claims(_ object: JSONObject, _ memory: ProviderMemory) -> PartnerClaims {
        var claims = PartnerClaims()
        JSONPaths.flatten(.object(object), into: &claims)
        for item in FormItems(parsing: memory.tokens ?? "").items where !item.name.hasPrefix("oauth_") {
            claims.append(item.name, .text(item.value))
        }
        return claims
    }

    // MARK: Signatures

    private func endpoint(_ key: String, _ call: ProfileCall) throws(ProfileFailure) -> WebURL {
        let text = call.metadata(key) ?? ""
        guard let url = key == "authorization_endpoint" ? WebURL(text) : Resolvers.address(text), url.host != nil else {
            throw FederationFailures.noAddress(key, text, call)
        }
        return url
    }

    private func callback(_ memory: ProviderMemory, _ call: ProfileCall) -> String {
        let request = call.journey.request
        let policy =
            call.profile.metadata.bool("UsePolicyInRedirectUri", default: true)
            ? "/\(request.policyID.lowercased())" : ""
        return "https://\(request.host)/\(request.tenantSegment)\(policy)/oauth1/authresp?state="
            + PercentCoding.encodeComponent(memory.state)
    }

    /// The `Authorization` header of a request (RFC 5849, sections 3.4.1, 3.4.2 and 3.5.1).
    private func authorization(
        method: String, _ url: WebURL, parameters more: [(String, String)], secret tokenSecret: String,
        _ call: ProfileCall,
        random: inout SeededGenerator
    ) throws(ProfileFailure) -> String {
        guard let consumer = call.metadata("client_id"), !consumer.isEmpty else {
            throw .policyFault(.c90023, [call.profile.id, "client_id"], detail: "\(call.profile.id) has no client_id")
        }
        guard let key = call.profile.key("client_secret") else {
            throw .policyFault(
                .c90025,
                [call.profile.id, call.journey.policy.id, call.journey.environment.tenantDomain, "client_secret"],
                detail: "\(call.profile.id) has no key client_secret")
        }
        var parameters: [(name: String, value: String)] = [
            ("oauth_consumer_key", consumer), ("oauth_nonce", Base64URL.encode(random.bytes(16))),
            ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", String(call.journey.now.secondsSinceEpoch)), ("oauth_version", "1.0"),
        ]
        parameters += more.map { (name: $0.0, value: $0.1) }
        let signed = (parameters + url.queryItems.items).map { item in
            (PercentCoding.encodeComponent(item.name), PercentCoding.encodeComponent(item.value))
        }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        var base = url
        base.query = nil
        let text = [method, base.description, signed].map(PercentCoding.encodeComponent).joined(separator: "&")
        let secrets = [try call.secret(key), tokenSecret]
            .map(PercentCoding.encodeComponent).joined(separator: "&")
        let signature = SHA1.hmac(key: Array(secrets.utf8), Array(text.utf8))
        parameters.append(("oauth_signature", Base64.encode(signature)))
        return "OAuth "
            + parameters.map { "\($0.name)=\"\(PercentCoding.encodeComponent($0.value))\"" }.joined(separator: ", ")
    }
}
