import B2CProtocol
import Exchanges
import JSON
import Scenarios
import TenantFiles
import Verbs

/// What to write so that a step succeeds that fails because its script says too little: the first mistakes of a new user.
struct StepHint {
    let step: Step
    let outcome: JSONValue
    let scenario: Scenario
    let tenant: Tenant

    /// One sentence with the fix; `nil` if the script says enough, or if nobody knows what to add.
    ///
    /// - Parameter mismatches: why the step fails.
    func text(_ mismatches: [Mismatch]) -> String? {
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
