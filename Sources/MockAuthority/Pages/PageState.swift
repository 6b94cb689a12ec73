import B2CProtocol
import Determinism
import HTTPMessages

/// What a page request must prove before its journey hears of it: the state cookies and the anti-forgery value.
extension Authority {
    /// Takes out the transaction that a page request belongs to. The reasons to refuse are, in order: no transaction
    /// cookie (AADB2C90046), one that lists no such transaction, a journey cookie that is missing (90211) or altered
    /// (90212), a journey that has ended or expired (90046), and an anti-forgery value that does not fit.
    mutating func transaction(of call: Call, antiForgery sent: String?) throws(Refusal) -> Transaction {
        guard let listCookie = call.cookies[StateCookies.transactions], !listCookie.isEmpty else {
            throw Refusal(.c90046, delivery: .page, why: "the request has no \(StateCookies.transactions) cookie")
        }
        let id = try transactionID(of: call, listCookie: listCookie)
        let name = StateCookies.journeyName(id)
        guard let state = call.cookies[name], !state.isEmpty else {
            throw Refusal(.c90211, delivery: .page, why: "the request has no \(name) cookie")
        }
        guard let read = texts.read(cookie: state), read.id == id else {
            throw Refusal(.c90212, delivery: .page, why: "the \(name) cookie is not as it was set")
        }
        guard let transaction = transactions.take(id, at: call.now) else {
            throw Refusal(.c90046, delivery: .page, why: "the journey \(id) has ended or expired")
        }
        if isReload(call, of: transaction) { return transaction }
        do throws(Refusal) {
            try checkAntiForgery(sent, call, transaction)
        } catch {
            transactions.putBack(id, transaction, expires: transaction.expires)
            throw error
        }
        return transaction
    }

    /// Whether a navigation is the one that showed the present page, made again, with the present page's cookie.
    func isReload(_ call: Call, of transaction: borrowing Transaction) -> Bool {
        guard call.request.method == "GET", let shownBy = transaction.shownBy, let view = transaction.view else {
            return false
        }
        return shownBy == call.request.url.requestTarget
            && call.cookies[StateCookies.antiForgery] == antiForgery.value(transaction: transaction.id, view: view)
    }

    /// The transaction that `tx` names; scripts were seen to leave it out, then it is the browser's current one.
    private func transactionID(of call: Call, listCookie: String) throws(Refusal) -> GUID {
        guard let parameter = call.request.url.queryItems["tx"] else {
            guard let list = TransactionList(cookie: listCookie) else {
                throw Refusal(.c90212, delivery: .page, why: "the \(StateCookies.transactions) cookie is unreadable")
            }
            return list.current
        }
        guard let id = TransactionParameter.read(parameter) else {
            throw Refusal(.c90046, delivery: .page, why: "tx is no transaction: \(parameter)")
        }
        if let row = transactions.row(id, at: call.now),
            TransactionList(listed: [row.listed], current: id).text == listCookie
        {
            return id
        }
        guard let list = TransactionList(cookie: listCookie) else {
            throw Refusal(.c90212, delivery: .page, why: "the \(StateCookies.transactions) cookie is unreadable")
        }
        guard list.contains(id) else {
            throw Refusal(
                .c90046, delivery: .page, why: "the \(StateCookies.transactions) cookie lists no transaction \(id)")
        }
        return id
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
        let current = antiForgery.value(transaction: transaction.id, view: view)
        guard sent == current else {
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
