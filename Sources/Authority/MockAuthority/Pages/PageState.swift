import B2CProtocol
import Determinism
import HTTPMessages

/// What a page request must prove before its journey hears of it: the state cookies and the anti-forgery value.
extension Authority {
    /// Takes out the transaction that a page request belongs to. The reasons to refuse are, in order: no transaction
    /// cookie (AADB2C90046), one that cannot be read, a journey cookie that is missing (90211) or altered (90212), a journey
    /// that has ended or expired (90046), and an anti-forgery value that does not fit.
    ///
    /// The address names a policy too; which policy runs is in the transaction (inferred).
    mutating func transaction(
        of call: Call, named parameter: String?, antiForgery sent: String?
    ) throws(Refusal) -> Transaction {
        guard let listCookie = call.cookies[StateCookies.transactions], !listCookie.isEmpty else {
            throw Refusal(.c90046, delivery: .page, why: "the request has no \(StateCookies.transactions) cookie")
        }
        let (id, taken) = try take(parameter, listCookie: listCookie, at: call.now)
        do throws(Refusal) {
            try checkJourneyCookie(of: id, call)
            guard let taken else {
                throw Refusal(.c90046, delivery: .page, why: "the journey \(id) has ended or expired")
            }
            if !isReload(call, of: taken) { try checkAntiForgery(sent, call, taken) }
            return taken
        } catch {
            if let taken { transactions.putBack(id, taken, expires: taken.expires) }
            throw error
        }
    }

    /// The transaction of the cookie that `tx` names; without `tx`, or with one that names none of the cookie's, the
    /// browser's current one.
    ///
    /// The service does not compare `tx` with what it issued. Published clients that sign in at real tenants send the
    /// transaction cookie's own value behind `StateProperties=`, the base64 with its padding, any text at all, or nothing.
    private mutating func take(
        _ parameter: String?, listCookie: String, at now: Timestamp
    ) throws(Refusal) -> (GUID, Transaction?) {
        let named = parameter.flatMap { TransactionParameter.read($0) }
        let taken = named.flatMap { transactions.take($0, at: now) }
        // A cookie that is as it was set need not be read.
        if let named, let taken, taken.listText == listCookie { return (named, taken) }
        let list = TransactionList(cookie: listCookie)
        if let list, let named, list.contains(named) { return (named, taken) }
        if let named, let taken { transactions.putBack(named, taken, expires: taken.expires) }
        guard let list else {
            throw Refusal(.c90212, delivery: .page, why: "the \(StateCookies.transactions) cookie is unreadable")
        }
        return (list.current, transactions.take(list.current, at: now))
    }

    private func checkJourneyCookie(of id: GUID, _ call: Call) throws(Refusal) {
        let name = StateCookies.journeyName(id)
        // Named here: a closure that names the authority copies all of it.
        let texts = texts
        let state = call.cookies.read(name) { ($0.isEmpty, texts.read(cookie: $0)) }
        guard let (isEmpty, read) = state, !isEmpty else {
            throw Refusal(.c90211, delivery: .page, why: "the request has no \(name) cookie")
        }
        guard let read, read.id == id else {
            throw Refusal(.c90212, delivery: .page, why: "the \(name) cookie is not as it was set")
        }
    }

    /// Whether a navigation is the one that showed the present page, made again, with the present page's cookie.
    func isReload(_ call: Call, of transaction: borrowing Transaction) -> Bool {
        guard call.request.method == "GET", let shownBy = transaction.shownBy, let view = transaction.view else {
            return false
        }
        return shownBy == call.request.url.requestTarget
            && call.cookies[StateCookies.antiForgery] == view.antiForgery
    }

    /// Cookie and header or query copy must both be there, be equal, and belong to the page that is showing
    /// (Microsoft docs: cookie-definitions; synchroniser token).
    private func checkAntiForgery(
        _ sent: String?, _ call: Call, _ transaction: borrowing Transaction
    ) throws(Refusal) {
        guard let cookie = call.cookies[StateCookies.antiForgery], !cookie.isEmpty else {
            throw Refusal(nil, delivery: .page, why: "the request has no \(StateCookies.antiForgery) cookie")
        }
        guard let sent, !sent.isEmpty else {
            throw Refusal(nil, delivery: .page, why: "the request has no anti-forgery value beside its cookie")
        }
        guard let view = transaction.view else {
            throw Refusal(.c90046, delivery: .page, why: "the journey shows no page")
        }
        guard sent == view.antiForgery else {
            throw Refusal(
                .c90046, delivery: .page,
                why:
                    "the anti-forgery value is not that of the page showing, step \(view.step); the page is an older one"
            )
        }
        guard cookie == sent else {
            throw Refusal(
                nil, delivery: .page,
                why: "the \(StateCookies.antiForgery) cookie differs from the value sent; another tab has replaced it")
        }
    }
}
