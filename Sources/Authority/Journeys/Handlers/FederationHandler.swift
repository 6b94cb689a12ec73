import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TrustFramework

/// OAuth 2.0 and OpenID Connect identity providers (Microsoft docs: oauth2-technical-profile, openid-connect-technical-
/// profile): discovery where the metadata names a document, the redirect, the token call, and then the keys (OpenID
/// Connect) or the claims endpoint (OAuth 2.0). Each step is a stop of the journey.
struct FederationHandler: ConversingHandler {
    func begin(_ call: ProfileCall, random: inout SeededGenerator) throws(ProfileFailure) -> HandlerMove {
        if isOpenID(call), let address = call.metadata("METADATA"),
            call.profile.metadata["authorization_endpoint"] == nil
        {
            return try ask(.get(try url(address, "METADATA", call)), ProviderMemory(.metadata), call)
        }
        return try redirect(ProviderMemory(.redirect), call, random: &random)
    }

    func resume(
        _ event: JourneyEvent, from memory: HandlerMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        guard case .provider(let memory) = memory else { return .refuse("the provider waits for nothing") }
        switch (memory.stage, event) {
        case (.redirect, .providerReturned(let response)): return try returned(response.parameters, memory, call)
        case (.redirect, .reloaded): return .ask(.provider(try stop(memory, call)), remember: .provider(memory))
        case (.redirect, .cancelled):
            throw FederationFailures.cancelled("the person went back", call)
        case (.redirect, _): return .refuse("the browser is at identity provider \(call.profile.id)")
        case (_, .finished(let result)): return try answered(result, memory, call, random: &random)
        default: return .refuse("a call to identity provider \(call.profile.id) is under way")
        }
    }

    private func isOpenID(_ call: ProfileCall) -> Bool { call.profile.handler == .openIdConnectProvider }

    // MARK: Redirect

    private func redirect(
        _ given: ProviderMemory, _ call: ProfileCall, more: [MetadataItem] = [], random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        var memory = given
        memory.stage = .redirect
        let request = call.journey.request
        let session = random.guid()
        // The shape recorded from a live tenant: the session of the relay state, and the transaction.
        let properties = "{\"SID\":\"x-ms-cpim-rc:\(session)\",\"TID\":\"\(request.correlationID)\"}"
        memory.state = "StateProperties=" + Base64URL.encode(Array(properties.utf8))
        memory.nonce = Base64.encode(random.bytes(16))
        let endpoint =
            memory.metadata.flatMap { member("authorization_endpoint", of: $0) }
            ?? call.metadata("authorization_endpoint")
        var address = try url(endpoint ?? "", "authorization_endpoint", call)
        var items = address.queryItems
        let metadata = call.profile.metadata
        items.append("client_id", try clientID(call))
        items.append("redirect_uri", redirectURI(call))
        items.append("response_type", metadata["response_types"] ?? "code")
        var scope = metadata["scope"] ?? ""
        // Where an OAuth 2.0 profile says nothing, nothing is sent: the provider's own default holds (inferred).
        let mode = metadata["response_mode"] ?? (isOpenID(call) ? "form_post" : nil)
        if isOpenID(call) {
            if !scope.split(separator: " ").contains("openid") { scope = "openid" + (scope.isEmpty ? "" : " " + scope) }
        }
        if let mode { items.append("response_mode", mode) }
        if !scope.isEmpty { items.append("scope", scope) }
        items.append("state", memory.state)
        if isOpenID(call) { items.append("nonce", memory.nonce) }
        for input in call.inputs.entries {
            if let text = input.value.text, !text.isEmpty { items.append(input.name, text) }
        }
        if let extra = metadata["AdditionalRequestQueryParameters"] {
            for item in additional(extra).items { items.append(item.name, item.value) }
        }
        for item in more { items[item.key] = item.value }
        address.queryItems = items
        memory.address = address.description
        return .ask(.provider(try stop(memory, call)), remember: .provider(memory))
    }

    /// `AdditionalRequestQueryParameters`: `name=value`, several with a comma or an ampersand between them. A comma that no
    /// further name follows belongs to the value (inferred).
    private func additional(_ text: String) -> FormItems {
        var joined = ""
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isNew = part.split(separator: "&", maxSplits: 1).first?.contains("=") ?? false
            joined += (joined.isEmpty ? "" : isNew ? "&" : "%2C") + part.trimmingSpaces
        }
        return FormItems(parsing: joined)
    }

    private func stop(_ memory: ProviderMemory, _ call: ProfileCall) throws(ProfileFailure) -> ProviderRedirect {
        ProviderRedirect(
            url: try url(memory.address, "authorization_endpoint", call), technicalProfile: call.profile.id,
            state: memory.state)
    }

    private func clientID(_ call: ProfileCall) throws(ProfileFailure) -> String {
        guard let id = call.metadata("client_id"), !id.isEmpty else {
            throw .policyFault(.c90023, [call.profile.id, "client_id"], detail: "\(call.profile.id) has no client_id")
        }
        return id
    }

    /// The return address registered at the provider.
    func redirectURI(_ call: ProfileCall) -> String {
        let request = call.journey.request
        let policy =
            call.profile.metadata.bool("UsePolicyInRedirectUri", default: false)
            ? "/\(request.policyID.lowercased())" : ""
        return "\(request.scheme)://\(request.host)/\(request.tenantSegment)\(policy)/oauth2/authresp"
    }

    private func returned(
        _ parameters: FormItems, _ memory: ProviderMemory, _ call: ProfileCall
    ) throws(ProfileFailure) -> HandlerMove {
        guard parameters["state"] == memory.state else { return .refuse("state is not that of the request") }
        if let error = parameters["error"] {
            throw FederationFailures.answered(parameters, error: error, call)
        }
        var memory = memory
        if call.profile.metadata.bool("ReadBodyClaimsOnIdpRedirect", default: false) {
            memory.body = parameters["user"]
        }
        if let token = parameters["id_token"], !(call.profile.metadata["response_types"] ?? "code").contains("code") {
            memory.idToken = token
            return try keys(memory, call)
        }
        guard let code = parameters["code"] else {
            throw FederationFailures.invalid("the answer holds neither code nor error", call)
        }
        return try tokenRequest(code, memory, call)
    }

    // MARK: Call-outs

    private func tokenRequest(
        _ code: String, _ given: ProviderMemory, _ call: ProfileCall
    ) throws(ProfileFailure) -> HandlerMove {
        var memory = given
        memory.stage = .token
        let endpoint =
            memory.metadata.flatMap { member("token_endpoint", of: $0) }
            ?? call.metadata("AccessTokenEndpoint") ?? call.metadata("token_endpoint")
        let id = try clientID(call)
        var form: FormItems = ["grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI(call)]
        var headers: Headers = ["Accept": "application/json"]
        switch call.profile.metadata["token_endpoint_auth_method"] ?? "client_secret_post" {
        case "client_secret_post":
            form.append("client_id", id)
            form.append("client_secret", try call.secret(try key("client_secret", call)))
        case "client_secret_basic":
            let secret = try call.secret(try key("client_secret", call))
            let pair = "\(PercentCoding.encodeComponent(id)):\(PercentCoding.encodeComponent(secret))"
            headers.append("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
        case "private_key_jwt":
            form.append("client_id", id)
            form.append("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            form.append("client_assertion", try assertion(id, for: endpoint ?? "", memory, call))
        case let method:
            throw .notSimulated("token_endpoint_auth_method \(method)", at: call.profile.location)
        }
        let address = try url(endpoint ?? "", "token endpoint", call)
        return try ask(.post(address, form: form, headers: headers), memory, call)
    }

    /// The storage reference id of a key that the profile must have.
    private func key(_ name: String, _ call: ProfileCall) throws(ProfileFailure) -> String {
        guard let key = call.profile.key(name) else {
            throw .policyFault(
                .c90025, [call.profile.id, call.journey.policy.id, call.journey.environment.tenantDomain, name],
                detail: "\(call.profile.id) has no key \(name)")
        }
        return key
    }

    /// Who the client is, signed with its own key (RFC 7523, section 2.2). The key is a test key by its storage name.
    private func assertion(
        _ clientID: String, for endpoint: String, _ memory: ProviderMemory, _ call: ProfileCall
    ) throws(ProfileFailure) -> String {
        let algorithm = call.profile.metadata["token_signing_algorithm"] ?? "RS256"
        // Others than RS256 are named in the header and signed as RS256: the stub provider does not check which it is.
        guard ["RS256", "RS384", "RS512"].contains(algorithm) else {
            throw .notSimulated("token_signing_algorithm \(algorithm)", at: call.profile.location)
        }
        let reference = try key("assertion_signing_key", call)
        try call.journey.environment.requireActiveKey(reference)
        let key = TestKeys.named(reference)
        let now = call.journey.now.secondsSinceEpoch
        let claims: JSONObject = [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(endpoint), "nbf": .integer(now),
            "exp": .integer(now + 300), "iat": .integer(now),
            "jti": .string(GUID.derived(from: "assertion " + memory.state).description),
        ]
        return JWS.sign(
            header: ["alg": .string(algorithm), "typ": "JWT", "kid": .string(key.kid)], claims: claims, key: key)
    }

    private func keys(_ given: ProviderMemory, _ call: ProfileCall) throws(ProfileFailure) -> HandlerMove {
        var memory = given
        memory.stage = .keys
        guard let address = memory.metadata.flatMap({ member("jwks_uri", of: $0) }) ?? call.metadata("jwks_uri") else {
            throw .policyFault(
                .c90023, [call.profile.id, "METADATA"], detail: "\(call.profile.id): no jwks_uri is known")
        }
        return try ask(.get(try url(address, "jwks_uri", call)), memory, call)
    }

    private func ask(
        _ request: RequestMessage, _ memory: ProviderMemory, _ call: ProfileCall
    ) throws(ProfileFailure) -> HandlerMove {
        var request = request
        request.profile = call.profile.id
        return .ask(
            .callout(request, timeout: call.journey.environment.calloutTimeout), remember: .provider(memory))
    }

    private func answered(
        _ result: CalloutResult, _ given: ProviderMemory, _ call: ProfileCall, random: inout SeededGenerator
    ) throws(ProfileFailure) -> HandlerMove {
        var memory = given
        let response: ResponseMessage
        switch result.outcome {
        case .failure(let error): throw FederationFailures.unreachable(error.description, call)
        case .success(let answer): response = answer
        }
        let answer = response.json ?? form(response, memory.stage)
        if memory.stage == .token, memory.repeats < 3,
            let action = try ErrorHandlers.action(for: answer, call.profile.errorHandlers)
        {
            switch action {
            case .reauthenticate(let parameters):
                memory.repeats += 1
                return try redirect(memory, call, more: parameters, random: &random)
            case .invalidClient: throw FederationFailures.refused(error: "invalid_client", call)
            }
        }
        guard (200..<300).contains(response.status), let json = answer, case .object(let object) = json else {
            let error = response.json?["error"]?.stringValue
            if let error, memory.stage == .token { throw FederationFailures.refused(error: error, call) }
            throw FederationFailures.unreachable(
                error.map { "'\($0)'" } ?? "status \(response.status) from the \(memory.stage.rawValue) call", call)
        }
        if let name = call.profile.metadata["ResponseErrorCodeParamName"], let error = object[name], !error.isNull {
            throw FederationFailures.unreachable("'\(error.stringValue ?? error.description)'", call)
        }
        switch memory.stage {
        case .metadata:
            memory.metadata = JSONWriter.compact(json)
            return try redirect(memory, call, random: &random)
        case .token:
            memory.tokens = JSONWriter.compact(json)
            if isOpenID(call) {
                guard let token = object["id_token"]?.stringValue else {
                    throw FederationFailures.invalid("the token answer holds no id_token", call)
                }
                memory.idToken = token
                return try keys(memory, call)
            }
            return try claimsRequest(object, memory, call)
        case .keys:
            let claims = try verified(memory, json, call)
            return .done(partnerClaims(claims, memory, call))
        case .userInfo:
            return .done(partnerClaims(object, memory, call))
        case .redirect, .requestToken:
            return .refuse("no call is under way")
        }
    }

    /// A token answer in the older form of a query, or as `callback({...});` (`AccessTokenResponseFormat` is not `json`).
    private func form(_ response: ResponseMessage, _ stage: ProviderMemory.Stage) -> JSONValue? {
        guard stage == .token, (200..<300).contains(response.status) else { return nil }
        // JsonP: the object is the argument of a call.
        if let open = response.text.firstIndex(of: "("), let close = response.text.lastIndex(of: ")"), open < close,
            let json = try? JSONParser.parse(String(response.text[response.text.index(after: open)..<close]))
        {
            return json
        }
        let items = FormItems(parsing: response.body)
        return items["access_token"] == nil ? nil : .object(items.json)
    }

    private func claimsRequest(
        _ tokens: JSONObject, _ given: ProviderMemory, _ call: ProfileCall
    ) throws(ProfileFailure) -> HandlerMove {
        var memory = given
        memory.stage = .userInfo
        guard let token = tokens["access_token"]?.stringValue else {
            throw FederationFailures.invalid("the token answer holds no access_token", call)
        }
        guard let endpoint = call.metadata("ClaimsEndpoint") else {
            return .done(partnerClaims(JSONObject(), memory, call))
        }
        if let format = call.profile.metadata["ClaimsResponseFormat"], !sameID(format, "json") {
            throw .notSimulated("ClaimsResponseFormat \(format)", at: call.profile.location)
        }
        var address = try url(endpoint, "ClaimsEndpoint", call)
        var headers: Headers = ["Accept": "application/json"]
        let metadata = call.profile.metadata
        var items = address.queryItems
        let before = items.items.count
        if sameID(metadata["BearerTokenTransmissionMethod"] ?? "", "AuthorizationHeader") {
            headers.append("Authorization", "Bearer \(token)")
        } else {
            items.append(metadata["ClaimsEndpointAccessTokenName"] ?? "access_token", token)
        }
        if let name = metadata["ClaimsEndpointFormatName"] {
            items.append(name, metadata["ClaimsEndpointFormat"] ?? "json")
        }
        // Names of parameters of the token answer that the claims endpoint wants too.
        for name in (metadata["ExtraParamsInClaimsEndpointRequest"] ?? "").split(separator: ",") {
            if let value = tokens[name.trimmingSpaces] {
                items.append(name.trimmingSpaces, value.stringValue ?? value.description)
            }
        }
        if items.items.count > before { address.queryItems = items }
        if let agent = metadata["UserAgentForClaimsExchange"] { headers.append("User-Agent", agent) }
        return try ask(.get(address, headers: headers), memory, call)
    }

    // MARK: Answers

    /// The claims of an id token that is what it must be (OpenID Connect Core 3.1.3.7).
    private func verified(
        _ memory: ProviderMemory, _ keys: JSONValue, _ call: ProfileCall
    ) throws(ProfileFailure) -> JSONObject {
        guard let text = memory.idToken, let token = JWS(compact: text), let claims = token.claims else {
            throw FederationFailures.refusedToken(.c90240, "the id_token cannot be read", call)
        }
        guard let set = JWKSet(json: keys) else {
            throw FederationFailures.invalid("the provider's keys cannot be read", call)
        }
        if case .failure(let error) = token.verify(in: set) {
            throw FederationFailures.refusedToken(.c90239, "the id_token's signature: \(error)", call)
        }
        let audiences =
            claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? claims["aud"]?.stringValue.map { [$0] } ?? []
        let clientID = try clientID(call)
        let wanted = call.profile.metadata["IdTokenAudience"] ?? clientID
        guard audiences.contains(wanted) else {
            throw FederationFailures.refusedToken(
                .c90237, inserts: [wanted],
                "the id_token is for \(audiences.joined(separator: ", ")), not for \(wanted)", call)
        }
        let issuer = call.profile.metadata["issuer"] ?? memory.metadata.flatMap { member("issuer", of: $0) }
        let prefixes = call.profile.metadata["ValidTokenIssuerPrefixes"]?.split(separator: ",").map {
            $0.trimmingSpaces
        }
        let actual = claims["iss"]?.stringValue ?? ""
        let issuerFits =
            prefixes.map { list in list.contains { actual.hasPrefix($0) } } ?? (issuer == nil || issuer == actual)
        guard issuerFits else {
            let accepted = prefixes?.map { String($0) } ?? issuer.map { [$0] } ?? []
            throw FederationFailures.refusedToken(
                .c90238, inserts: [accepted.joined(separator: ", ")], "the id_token was issued by \(actual)", call)
        }
        if let expires = claims["exp"]?.intValue, Timestamp(seconds: expires) + .minutes(5) < call.journey.now {
            throw FederationFailures.refusedToken(.c90235, "the id_token has expired", call)
        }
        if let nonce = claims["nonce"]?.stringValue, nonce != memory.nonce {
            throw FederationFailures.invalid("the nonce of the id_token is not that of the request", call)
        }
        return claims
    }

    /// Members under their own names, those of nested objects under dotted paths where the metadata allow it, what came
    /// with the redirect, and the token answer's.
    private func partnerClaims(_ object: JSONObject, _ memory: ProviderMemory, _ call: ProfileCall) -> PartnerClaims {
        var claims = PartnerClaims()
        let resolvesPaths = call.profile.metadata.bool("ResolveJsonPathsInJsonTokens", default: false)
        JSONPaths.flatten(.object(object), resolvesPaths: resolvesPaths, into: &claims)
        if let body = memory.body.flatMap({ try? JSONParser.parse($0) }) {
            JSONPaths.flatten(.object(["user": body]), into: &claims)
        }
        let extra = (call.profile.metadata["ExtraParamsInAccessTokenEndpointResponse"] ?? "").split(separator: ",")
            .map(\.trimmingSpaces)
        if let tokens = memory.tokens.flatMap({ try? JSONParser.parse($0) })?.objectValue {
            for member in tokens.members {
                guard let value = ClaimValue(free: member.value) else { continue }
                claims.append("{oauth2:\(member.key)}", value)
                if extra.contains(member.key) { claims.append(member.key, value) }
            }
        }
        return claims
    }

    private func member(_ name: String, of text: String) -> String? {
        (try? JSONParser.parse(text))?[name]?.stringValue
    }

    private func url(_ text: String, _ what: String, _ call: ProfileCall) throws(ProfileFailure) -> WebURL {
        // The browser goes to no placeholder.
        guard let url = what == "authorization_endpoint" ? WebURL(text) : Resolvers.address(text), url.host != nil
        else {
            throw FederationFailures.noAddress(what, text, call)
        }
        return url
    }
}
