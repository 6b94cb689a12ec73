import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys

extension Authority {
    /// Passes an event to a transaction's journey and answers the exchange with the result. The transaction is out of
    /// its table meanwhile and is put back if it waits.
    mutating func advance(_ transaction: consuming Transaction, _ event: JourneyEvent, _ call: Call) -> Reply {
        let stop = run(&transaction.journey, event, at: transaction.address, facts: transaction.facts, call)
        return settle(stop, transaction, call)
    }

    /// Continues the journey of a transaction or a token request, and records what it did.
    mutating func run(
        _ journey: inout Journey, _ event: JourneyEvent, at target: PolicyAddress, facts: RequestFacts, _ call: Call
    ) -> JourneyStop {
        let journeyCall = JourneyCall(
            policy: target.policy.resolved, request: facts, now: call.now,
            environment: target.configuration.environment)
        if recordsTurns, !journeyCall.policy.personality.isUserFlow {
            let turn = JourneyTurn(event, of: &journey, in: &tenancy, journeyCall)
            for entry in turn.trace { events.append(.traced(exchange: call.exchange.number, entry)) }
            turns.append(RecordedTurn(exchange: call.exchange.number, turn: turn))
            return turn.stop
        }
        var trace: [TraceEntry] = []
        let stop = journey.advance(event, in: &tenancy, journeyCall, trace: &trace)
        for entry in trace { events.append(.traced(exchange: call.exchange.number, entry)) }
        return stop
    }

    private mutating func settle(_ stop: JourneyStop, _ transaction: consuming Transaction, _ call: Call) -> Reply {
        switch stop {
        case .page(let page):
            if transaction.facts.prompt == Prompt.none.rawValue { return noSession(transaction, call) }
            return show(page, transaction, call)
        case .answer(let answer):
            return answerScript(answer, transaction, call)
        case .provider(let redirect):
            if transaction.facts.prompt == Prompt.none.rawValue { return noSession(transaction, call) }
            return sendToProvider(redirect, transaction, call)
        case .callout(let request, let timeout):
            transaction.waitsForCallout = true
            let id = transaction.id
            transactions.putBack(id, transaction, expires: transaction.expires)
            return callOut(request, timeout, PendingCallout(call: call, shape: .transaction(id)))
        case .issue(let issuance):
            return finish(transaction, issuance, call)
        case .failed(let failure):
            return end(transaction, with: Refusal(failure), call)
        case .refused(let failure):
            return turnAway(transaction, failure, call)
        }
    }

    /// `prompt=none`, and somebody would have to be asked.
    private mutating func noSession(_ transaction: consuming Transaction, _ call: Call) -> Reply {
        end(
            transaction,
            with: Refusal(.c90077, ["None"], why: "prompt is none and no session answers for the person"), call)
    }

    // MARK: stops that wait

    private mutating func show(_ page: Page, _ transaction: consuming Transaction, _ call: Call) -> Reply {
        if transaction.view != nil { transaction.stateCount += 1 }
        let view = antiForgery.view(
            (transaction.view?.number ?? 0) + 1, step: page.step, of: transaction.id, at: call.now)
        transaction.view = view
        transaction.shownBy = call.request.method == "GET" ? call.request.url.requestTarget : nil
        transaction.atProvider = false
        let id = transaction.id
        let token = view.antiForgery
        let target = transaction.address
        let draft = PageDraft(
            page: page, transactionID: id, pageViewID: random.guid(), antiForgery: token, target: target,
            isProduction: target.policy.resolved.deploymentMode == .production)
        var cookies = [CookieDraft(name: StateCookies.antiForgery, value: .text(token), scope: call.cookieScope)]
        cookies += stateCookies(&transaction, call)
        cookies += routingCookies(call)
        transactions.putBack(id, transaction, expires: transaction.expires)
        return .send(
            Draft(
                headers: .page(
                    gatewayRequestID: gatewayID(), transactionID: id.description,
                    // The domain also when the request came under the tenant's GUID (recorded).
                    reportPath: "/\(target.configuration.environment.tenantDomain)/\(target.policy.id)/client/cspreport"
                        + "?p=\(target.policy.id)",
                    nonce: draft.nonce, framing: target.policy.resolved.relyingParty.journeyFraming),
                cookies: cookies, body: .page(draft)), after: .zero)
    }

    /// The page's script gets HTTP 200 whatever the answer is (recorded).
    private mutating func answerScript(
        _ answer: PageAnswer, _ transaction: consuming Transaction, _ call: Call
    ) -> Reply {
        transaction.stateCount += 1
        let cookies = stateCookies(&transaction, call)
        transactions.putBack(transaction.id, transaction, expires: transaction.expires)
        return .send(
            Draft(
                headers: .service(gatewayRequestID: gatewayID()), cookies: cookies,
                body: .json(answer.json, contentType: "text/json; charset=utf-8"),
                refusal: answer.status == "200" ? nil : answer.message ?? answer.code?.id), after: .zero)
    }

    private mutating func sendToProvider(
        _ redirect: ProviderRedirect, _ transaction: consuming Transaction, _ call: Call
    ) -> Reply {
        if transaction.view != nil { transaction.stateCount += 1 }
        transaction.atProvider = true
        var cookies = stateCookies(&transaction, call)
        if let name = TransactionParameter.relayName(redirect.state) {
            cookies.append(
                CookieDraft(
                    name: name, value: .text(TransactionParameter.relayValue(transaction.id)), scope: call.cookieScope))
        }
        transactions.putBack(transaction.id, transaction, expires: transaction.expires)
        return .send(
            Draft(
                headers: .service(gatewayRequestID: gatewayID()), cookies: cookies,
                body: .redirect(redirect.url.description)), after: .zero)
    }

    mutating func callOut(_ request: RequestMessage, _ timeout: TimeSpan, _ pending: PendingCallout) -> Reply {
        nextCallout += 1
        let id = CalloutID(number: nextCallout)
        callouts[id] = pending
        return .callOut(id, request, timeout: timeout)
    }

    /// An event that does not fit the state of the journey: nothing changes.
    private mutating func turnAway(
        _ transaction: consuming Transaction, _ failure: JourneyFailure, _ call: Call
    ) -> Reply {
        let id = transaction.id
        let locales = transaction.facts.uiLocales
        transactions.putBack(id, transaction, expires: transaction.expires)
        return errorPage(
            Refusal(failure), call, correlationID: id, uiLocales: locales,
            status: call.request.method == "POST" ? 400 : 200)
    }

    // MARK: ends

    /// Ends the transaction with a refusal, returned to where the refusal says.
    mutating func end(_ transaction: consuming Transaction, with refusal: Refusal, _ call: Call) -> Reply {
        if let what = refusal.notSimulated {
            events.append(.notSimulated(exchange: call.exchange.number, what: what))
        }
        let cookies = endCookies(transaction, call)
        let id = transaction.id
        let request = transaction.request
        transactions.remove(id)
        return deliver(refusal, call, request: request, correlationID: id, cookies: cookies)
    }

    // MARK: cookies

    /// The transaction list and the journey's state, rewritten whenever the journey moves.
    private func stateCookies(_ transaction: inout Transaction, _ call: Call) -> [CookieDraft] {
        var list = listed(in: call, of: transaction)
        list.add(transaction.listed)
        transaction.listText = list.text
        transaction.listsOthers = list.listed.count > 1
        let spent = transaction.spentRelay
        transaction.spentRelay = nil
        return (spent.map { [expiredCookie($0, in: call.cookieScope, at: call.now)] } ?? []) + [
            CookieDraft(name: StateCookies.transactions, value: .text(transaction.listText), scope: call.cookieScope),
            CookieDraft(
                name: StateCookies.journeyName(transaction.id),
                value: .sealed(StateText(texts: texts, id: transaction.id, round: transaction.stateCount)),
                scope: call.cookieScope),
        ]
    }

    /// What the service routes by, where the browser does not have it (Microsoft docs: cookie-definitions). Slice and data
    /// center were recorded with documents of a policy; that a page brings them is inferred. What the other two of the list
    /// hold, `ctx` and `rp`, is not known; a site that lists its cookies has neither (Dynamics 365 Commerce docs: cookie
    /// compliance).
    private func routingCookies(_ call: Call) -> [CookieDraft] {
        [(StateCookies.slice, PageDraft.slice), (StateCookies.dataCenter, PageDraft.dataCenter)]
            .filter { call.cookies[$0.0] == nil }
            .map { CookieDraft(name: $0.0, value: .text($0.1), scope: call.cookieScope) } + regionCookie(call)
    }

    /// The tenant's region, for an hour. Clients that were only ever at the token endpoint have it too (published requests
    /// of Postman).
    private func regionCookie(_ call: Call) -> [CookieDraft] {
        guard call.cookies[StateCookies.region] == nil else { return [] }
        return [
            CookieDraft(
                name: StateCookies.region, value: .text("EU"), scope: call.cookieScope,
                expires: (call.now + .hours(1)).cookieDate)
        ]
    }

    /// Every answer of the token endpoint takes the transactions away (recorded).
    func tokenCookies(_ call: Call) -> [CookieDraft] {
        [expiredCookie(StateCookies.transactions, in: call.cookieScope, at: call.now)] + regionCookie(call)
    }

    /// The journey's cookies go at the end; the list stays as long as the browser has other transactions.
    func endCookies(_ transaction: borrowing Transaction, _ call: Call) -> [CookieDraft] {
        let id = transaction.id
        // A transaction that ends with the request that began it has set no cookie.
        guard transaction.view != nil || transaction.atProvider || transaction.waitsForCallout else { return [] }
        var list = listed(in: call, of: transaction)
        list.listed.removeAll { $0.id == id }
        var cookies = [
            expiredCookie(StateCookies.journeyName(id), in: call.cookieScope, at: call.now)
        ]
        if let spent = transaction.spentRelay {
            cookies.append(expiredCookie(spent, in: call.cookieScope, at: call.now))
        }
        if let last = list.listed.last {
            list.current = last.id
            cookies.append(
                CookieDraft(name: StateCookies.transactions, value: .text(list.text), scope: call.cookieScope))
        } else {
            cookies.append(expiredCookie(StateCookies.transactions, in: call.cookieScope, at: call.now))
        }
        return cookies
    }

    /// The transactions that the browser's cookie lists. Almost always it is this one alone: then nothing has to
    /// be read.
    private func listed(in call: Call, of transaction: borrowing Transaction) -> TransactionList {
        let none = TransactionList(listed: [], current: transaction.id)
        guard let cookie = call.cookies[StateCookies.transactions], !cookie.isEmpty else { return none }
        if cookie == transaction.listText, !transaction.listsOthers { return none }
        return TransactionList(cookie: cookie) ?? none
    }
}
