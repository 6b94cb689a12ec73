import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JSON

extension Authority {
    /// Refuses a request because a fault rule says so, with the code it names. Without a delivery in the rule, the
    /// endpoint reports the error as it reports others.
    mutating func refuse(
        _ call: Call, _ target: PolicyAddress, _ endpoint: AuthorityEndpoint, as order: RefusalOrders
    ) -> Reply {
        refuse(call, target, endpoint, as: Refusal(ordered: order), by: order.delivery)
    }

    /// Refuses a request of a policy that cannot run: it no longer fits its parents. Documents and keys are still served.
    /// That apps get AADB2C90037 then is inferred.
    mutating func refuse(
        _ call: Call, _ target: PolicyAddress, _ endpoint: AuthorityEndpoint, fault: String
    ) -> Reply {
        refuse(call, target, endpoint, as: Refusal(.c90037, why: fault), by: nil)
    }

    private mutating func refuse(
        _ call: Call, _ target: PolicyAddress, _ endpoint: AuthorityEndpoint, as refusal: Refusal,
        by delivery: RefusalOrders.RefusalDelivery?
    ) -> Reply {
        var refusal = refusal
        let correlationID = random.guid()
        switch delivery ?? Self.usualDelivery(at: endpoint, of: refusal.code) {
        case .json:
            return endpoint.isPageScript
                ? scriptError(refusal, call) : tokenError(refusal, call, at: target, correlationID: correlationID)
        case .page:
            refusal.delivery = .page
            return errorPage(refusal, call, correlationID: correlationID)
        case .redirect:
            switch endpoint {
            case .authorize: return refuseAuthorization(refusal, call, at: target, correlationID: correlationID)
            case .pageAction, .selfAsserted, .phoneFactorVerify, .displayControlAction:
                return refuseJourney(refusal, call, correlationID)
            default:
                refusal.delivery = .page
                return errorPage(refusal, call, correlationID: correlationID)
            }
        }
    }

    /// The same at the return address of identity providers: the request names no policy, its transaction does.
    mutating func refuse(
        _ call: Call, returningTo transaction: consuming Transaction, as order: RefusalOrders
    ) -> Reply {
        var refusal = Refusal(ordered: order)
        let correlationID = transaction.id
        switch order.delivery ?? Self.usualDelivery(at: .authResponse, of: refusal.code) {
        case .redirect: return end(transaction, with: refusal, call)
        case .json: return tokenError(refusal, call, at: transaction.address, correlationID: correlationID)
        case .page:
            refusal.delivery = .page
            return errorPage(refusal, call, correlationID: correlationID)
        }
    }

    private static func usualDelivery(
        at endpoint: AuthorityEndpoint, of code: B2CErrorCode?
    ) -> RefusalOrders.RefusalDelivery {
        switch endpoint {
        case .authorize, .pageAction, .authResponse: code?.delivery == .page ? .page : .redirect
        case .logout: .page
        default: .json
        }
    }

    /// What the page's script shows to the person; the journey goes on (a live page's script in
    /// p0l0/pygruenbeck_cloud, tests/responses/login_step_1.txt).
    private mutating func scriptError(_ refusal: Refusal, _ call: Call) -> Reply {
        refuse(call, refusal.why)
        let body: JSONObject = [
            "status": "400", "errorCode": .string(refusal.code?.id ?? ""), "message": .string(refusal.text),
        ]
        return .send(
            Draft(
                headers: .service(gatewayRequestID: gatewayID()),
                body: .json(body, contentType: "application/json; charset=utf-8"), refusal: refusal.why),
            after: .zero)
    }

    /// At the redirect URI, as soon as the checks have established that it is the app's.
    private mutating func refuseAuthorization(
        _ refusal: Refusal, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) -> Reply {
        let parameters = call.request.method == "POST" ? call.request.form ?? FormItems() : call.request.url.queryItems
        let checkCall = AuthorizeCheck.Inputs(configuration: target.configuration, policy: target.policy, now: call.now)
        var request: AuthorizeRequest
        do throws(Refusal) {
            request = try AuthorizeCheck.begin(parameters, checkCall)
        } catch {
            return errorPage(error, call, correlationID: correlationID)
        }
        for check in AuthorizeCheck.all {
            do throws(Refusal) {
                try check.run(&request, checkCall)
            } catch {
                // A reason of its own counts only where it decides that the app must not be told.
                if error.delivery != .redirect {
                    return deliver(error, call, request: request, correlationID: correlationID)
                }
            }
        }
        return deliver(refusal, call, request: request, correlationID: correlationID)
    }

    /// Ends the journey of a page that is showing, and sends the error to the app.
    private mutating func refuseJourney(_ refusal: Refusal, _ call: Call, _ correlationID: GUID) -> Reply {
        let query = call.request.url.queryItems
        do throws(Refusal) {
            let transaction = try transaction(
                of: call, named: query["tx"],
                antiForgery: call.request.headers["X-CSRF-TOKEN"] ?? query["csrf_token"])
            return end(transaction, with: refusal, call)
        } catch {
            return errorPage(error, call, correlationID: correlationID)
        }
    }
}

extension AuthorityEndpoint {
    /// Whether the script of a page asks there, which reads JSON and follows nothing.
    fileprivate var isPageScript: Bool {
        switch self {
        case .selfAsserted, .phoneFactorVerify, .displayControlAction: true
        default: false
        }
    }
}

extension RefusalOrders {
    /// Why the request was refused, for the developer.
    var why: String { "a fault rule asked for \(code)" }
}

extension Refusal {
    /// The refusal that a fault rule describes. A code that the table lacks has the rule's own text.
    init(ordered order: RefusalOrders) {
        let known = B2CErrorCode.named(order.code)
        let text = order.description.map { $0.hasPrefix(order.code) ? Self.afterCode($0, order.code) : $0 }
        self.init(
            known, message: known == nil ? "\(order.code): \(text ?? "An exception has occurred.")" : text,
            why: order.why)
    }

    private static func afterCode(_ text: String, _ code: String) -> String {
        String(text.dropFirst(code.count).drop { $0 == ":" || $0 == " " })
    }
}
