import B2CProtocol
import Determinism
import HTTPMessages

extension WorkforceAuthority {
    /// The end-session endpoint: everybody in the browser is signed out, or the one that `logout_hint` names. A return
    /// address must be registered by some app.
    mutating func logout(_ call: WorkforceCall) -> WorkforceDraft {
        var items = call.query
        items.append(contentsOf: call.form)
        var headers = WorkforceDraft.fields(call)
        if let id = sessionID(call), var session = sessions.take(id, at: call.now) {
            let hint = items["logout_hint"].flatMap { configuration.person(typed: $0) }
            session.accounts.removeAll { hint == nil || $0.person == hint?.user.name }
            if session.accounts.isEmpty {
                sessions.remove(id)
                headers.append(
                    "Set-Cookie",
                    Self.cookie(
                        WorkforceSession.cookieName, "", call, expires: Timestamp(seconds: 0).httpDate))
            } else {
                sessions.putBack(id, session, expires: call.now + WorkforceSession.lifetime)
            }
        }
        if let target = items["post_logout_redirect_uri"] {
            if configuration.apps.contains(where: { $0.registration(of: target) != nil }) {
                let state = items["state"].map {
                    "\(target.contains("?") ? "&" : "?")state=\(PercentCoding.encodeComponent($0))"
                }
                return WorkforceDraft(headers: headers, body: .redirect(target + (state ?? "")))
            }
            return signedOutPage(headers, refusal: "\(target) is not a registered redirect URI")
        }
        return signedOutPage(headers, refusal: nil)
    }

    private func signedOutPage(_ headers: Headers, refusal: String?) -> WorkforceDraft {
        WorkforceDraft(
            headers: headers,
            body: .html(
                PlainPage.message(
                    title: "You signed out of your account", text: "It is a good idea to close all browser windows.",
                    page: "signedOut")),
            refusal: refusal)
    }
}
