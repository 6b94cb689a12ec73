import B2CProtocol
import Diagnostics
import Exchanges
import JSON
import Scenarios
import TenantFiles
import Verbs

/// The next sentence under a failed step: what ended the grant, or what to write so that a step succeeds that fails because its
/// script says too little.
struct StepHint {
    let step: Step
    let outcome: JSONValue
    let scenario: Scenario
    let tenant: Tenant
    /// The records of all exchanges so far.
    let log: [JSONValue]

    /// One sentence with the cause or the fix; `nil` if the script says enough, or if nobody knows what to add.
    ///
    /// - Parameter mismatches: why the step fails; empty: the person did not do everything.
    func text(_ mismatches: [Mismatch]) -> String? {
        if let end = EndedGrant(outcome: outcome, log: log, scenario: scenario, step: step).text { return end }
        if let session = session(mismatches) ?? claims(mismatches) { return session }
        if mismatches.contains(where: { $0.pointer.tokens == ["pending"] }),
            outcome["pending"]?["reason"] == "page"
        {
            return page(outcome["pending"]?["page"])
        }
        switch step.verb {
        case .open:
            // A visit that stops at a page has a result, without what the redirect URI would have got.
            let wanted = mismatches.map(\.pointer.tokens)
            guard wanted.contains(where: { $0.starts(with: ["result", "response"]) || $0.first == "callback" }) else {
                return nil
            }
            return page(outcome["result"]?["page"])
        case .acquireTokenSilent: return signedOut(mismatches)
        default: return nil
        }
    }

    // MARK: Pages

    private func page(_ page: JSONValue?) -> String? {
        guard let name = page?["name"]?.stringValue else { return nil }
        switch name {
        case "error": return refused(page?["b2cCode"]?.stringValue)
        case "signedOut", "document", "provider": return nil
        default: break
        }
        if let unknown = unknownPerson(at: name, page?["error"]?.stringValue) { return unknown }
        let isNew = name == "signUp"
        let person = tenant.users.first { $0.registered != isNew } ?? tenant.users.first
        guard let user = step.user else {
            guard let person else {
                return
                    "nobody answers the page `\(name)`: add a person to `users` of the tenant file, and name them in "
                    + "`\"user\"` of this step"
            }
            return "nobody answers the page `\(name)`: add `\"user\": \"\(person.name)\"`"
        }
        // A person's name answers every page as far as the record goes.
        guard let actions = user.arrayValue, !actions.contains(where: { $0.stringValue != nil }), let person else {
            return nil
        }
        return "the actions of `user` end before the page `\(name)` is answered: add an action that presses something, "
            + "or `\"\(person.name)\"` at the end"
    }

    /// A person that the page does not know, because nobody has signed them up.
    private func unknownPerson(at page: String, _ error: String?) -> String? {
        guard error != nil, page == "signIn" || page == "verifyEmail", let person = actors.last,
            let record = tenant.users.first(where: { $0.name == person }), !record.registered
        else { return nil }
        return page == "signIn"
            ? "\(person) has no account yet: put { \"press\": \"signUp\" } before \"\(person)\" in `user`"
            : "\(person) has no account yet: sign \(person) up in a step before this one"
    }

    /// The people that `user` names.
    private var actors: [String] { LiveChanges.people(of: step.user) }

    // MARK: Sessions and claims

    /// A sign-in without a page, because the browser has a session: what the person was to do did not happen.
    private func session(_ mismatches: [Mismatch]) -> String? {
        guard step.verb == .acquireToken || step.verb == .open, step.user != nil, outcome["pages"] == [],
            outcome["result"] != nil, step.parameters["prompt"] == nil, let number = outcome["requests"]?[0]?["number"],
            let origin = log.last(where: {
                $0["endpoint"] == "page" && $0["method"] == "POST" && $0["number"] != number
                    && $0["step"]?.stringValue != step.title
            })
        else { return nil }
        let name = origin["step"]?.stringValue.map { " from step \($0)" } ?? ""
        let place = step.verb == .acquireToken ? "`acquireToken`" : "`query` of `open`"
        return "the browser has a session\(name), so no page is shown: add \"prompt\": \"login\" to \(place)"
    }

    /// Claims of every token, which no policy chooses.
    private static let protocolClaims: Set<String> = [
        "iss", "aud", "exp", "nbf", "iat", "auth_time", "nonce", "ver", "at_hash", "c_hash", "tfp", "acr", "azp", "scp",
        "sub",
        "jti", "tid", "rt_hash", "s_hash", "roles",
    ]

    /// A claim that a token does not have, because the policy does not send it.
    private func claims(_ mismatches: [Mismatch]) -> String? {
        for mismatch in mismatches where mismatch.found == nil {
            let place = mismatch.pointer.tokens
            guard place.count == 4, place[0] == "result", ["idToken", "accessToken"].contains(place[1]),
                place[2] == "claims", let claims = outcome["result", place[1], "claims"]?.objectValue
            else { continue }
            let id = claims["tfp"]?.stringValue ?? claims["acr"]?.stringValue
            guard let policy = id.flatMap({ tenant.policy(id: $0) }), !Self.protocolClaims.contains(place[3]) else {
                continue
            }
            let sent = claims.keys.filter { !Self.protocolClaims.contains($0) }
            let setting =
                policy.type == .custom
                ? "claims are the output claims of the relying party of \(policy.id)"
                : "claims are set in policies.\(policy.name).claims"
            return "the policy sends \(sent.isEmpty ? "no claims" : namesList(sent)); \(setting)"
        }
        return nil
    }

    /// A redirect URI that the registration does not have (AADB2C90006).
    private func refused(_ code: String?) -> String? {
        guard code == B2CErrorCode.c90006.id, let name = clientName, let app = tenant.app(named: name) else {
            return nil
        }
        let registered = app.registration.redirectUris
        let known = registered.native + registered.spa + registered.web
        let write = known.first.map { "write `\"redirectUri\": \"\($0)\"` in `client`" } ?? "remove `redirectUris`"
        return "the tenant does not know this redirect URI of the app `\(app.name)`: \(write), or add the URI to "
            + "`redirectUris` of `registration`"
    }

    private var clientName: String? {
        let client = step.client ?? scenario.app
        return scenario.clients.first { $0.name == client }?.app ?? client
    }

    // MARK: Silent calls

    /// A silent call in a script in which nobody signs in.
    private func signedOut(_ mismatches: [Mismatch]) -> String? {
        guard mismatches.contains(where: { $0.pointer.tokens.first == "error" }),
            ["interactionRequired", "noAccount"].contains(outcome["error"]?["kind"]?.stringValue),
            step.expect?["error"] == nil, step.expectIn.isEmpty,
            !scenario.allSteps.contains(where: { Self.signsIn.contains($0.verb) }),
            let person = tenant.users.first(where: \.registered)
        else { return nil }
        return
            "nobody has signed in: add the step `{ \"acquireToken\": {}, \"user\": \"\(person.name)\" }` before this one"
    }

    /// The verbs after which a cache can have an account.
    private static let signsIn: Set<Verb> = [.acquireToken, .resume, .open, .deliver, .importCache]
}
