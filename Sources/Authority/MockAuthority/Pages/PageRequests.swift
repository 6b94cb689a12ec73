import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys

/// Which handler a page's script posts to.
enum PagePost: Sendable {
    case selfAsserted, phoneFactor
    case displayControl(control: String, action: String)
}

extension Authority {
    /// A post of the page's script.
    mutating func pagePost(_ call: Call, _ target: PolicyAddress, _ kind: PagePost) -> Reply {
        if call.cookies.hasQuotedValue { return badRequest(call) }
        // The challenge of a captcha is fetched with GET; all else is posted.
        var isFetch = false
        if case .displayControl(_, let action) = kind { isFetch = action.lowercased() == "getchallenge" }
        guard call.request.method == "POST" || (isFetch && call.request.method == "GET") else {
            return notFound(call, why: "\(call.request.url.path) takes POST only")
        }
        let query = call.request.url.queryItems
        let transaction: Transaction
        do throws(Refusal) {
            transaction = try self.transaction(
                of: call, named: query["tx"], antiForgery: call.antiForgeryHeader ?? query.antiForgery)
        } catch {
            return errorPage(error, call, correlationID: correlationID(of: call), status: 400)
        }
        let form =
            call.request.method == "GET"
            ? query : call.request.form ?? FormItems(parsing: call.request.body)
        let event: JourneyEvent =
            switch kind {
            case .selfAsserted, .phoneFactor: .submitted(form)
            case .displayControl(let control, let action): .action(control: control, name: action, form)
            }
        return advance(transaction, event, call)
    }

    /// A navigation that the page's script makes.
    mutating func pageNavigation(_ call: Call, _ target: PolicyAddress, api: String, action: String) -> Reply {
        if call.cookies.hasQuotedValue { return badRequest(call) }
        guard PageAPI(rawValue: api) != nil else {
            return notFound(call, why: "there is no page handler \(api)")
        }
        let query = call.request.url.queryItems
        guard let event = event(action, query) else {
            return notFound(call, why: "there is no page action \(action)")
        }
        let transaction: Transaction
        do throws(Refusal) {
            transaction = try self.transaction(
                of: call, named: query["tx"], antiForgery: query.antiForgery ?? call.antiForgeryHeader)
        } catch {
            return errorPage(error, call, correlationID: correlationID(of: call))
        }
        return advance(transaction, isReload(call, of: transaction) ? .reloaded : event, call)
    }

    private func event(_ action: String, _ query: FormItems) -> JourneyEvent? {
        switch action {
        case "confirmed": return .confirmed(rememberMe: query["rememberMe"] == "true")
        case "unified":
            if let exchange = query["claimsexchange"] { return .chose(exchange) }
            return .signUp(hint: query["hint"])
        case "forgotPassword": return .forgotPassword
        case "error": return .cancelled(code: query["code"], description: query["desc"])
        default: return nil
        }
    }

    /// The transaction that a refused page request named, or else its browser's current one, for the error text; a fresh
    /// id when there is none.
    private mutating func correlationID(of call: Call) -> GUID {
        call.request.url.queryItems["tx"].flatMap { TransactionParameter.read($0) }
            ?? call.cookies[StateCookies.transactions].flatMap { TransactionList(cookie: $0)?.current } ?? random.guid()
    }

    /// The return address of identity providers, which names no policy: the state does.
    mutating func authorizationResponse(_ call: Call, _ address: B2CAddress) -> Reply {
        if call.cookies.hasQuotedValue { return badRequest(call) }
        let parameters = call.parameters
        guard let state = parameters["state"], let id = TransactionParameter.read(state) else {
            return errorPage(
                Refusal(.c90046, delivery: .page, why: "the provider's answer has no state of ours"), call,
                correlationID: random.guid())
        }
        guard let cookie = call.cookies[StateCookies.transactions], !cookie.isEmpty else {
            return errorPage(
                Refusal(
                    .c90046, delivery: .page,
                    why: "the provider's answer came without the \(StateCookies.transactions) cookie"),
                call, correlationID: id)
        }
        guard let journey = call.cookies[StateCookies.journeyName(id)], texts.read(cookie: journey)?.id == id else {
            return errorPage(
                Refusal(
                    .c90211, delivery: .page,
                    why: "the provider's answer came without the journey's cookie, or it was altered"),
                call, correlationID: id)
        }
        guard var transaction = transactions.take(id, at: call.now) else {
            return errorPage(
                Refusal(.c90046, delivery: .page, why: "the journey \(id) has ended or expired"), call,
                correlationID: id)
        }
        guard transaction.atProvider else {
            transactions.putBack(id, transaction, expires: transaction.expires)
            return errorPage(
                Refusal(.c90046, delivery: .page, why: "the journey waits for no provider"), call, correlationID: id)
        }
        if let order = orders.refusal(exchange: call.exchange.number) {
            return refuse(call, returningTo: transaction, as: order)
        }
        transaction.spentRelay = TransactionParameter.relayName(state).flatMap { call.cookies[$0] == nil ? nil : $0 }
        return advance(transaction, .providerReturned(AuthorizationResponse(parameters: parameters)), call)
    }
}

/// Where the anti-forgery value of a page request is. The page's script sends it in the header with its posts and in the
/// query when it navigates; a published client posts `confirmed` with the header alone. Each kind of request may have it in
/// either place (that posts may have it in the query is inferred).
extension Call {
    fileprivate var antiForgeryHeader: String? {
        request.headers["X-CSRF-TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension FormItems {
    fileprivate var antiForgery: String? { self["csrf_token"].flatMap { $0.isEmpty ? nil : $0 } }
}
