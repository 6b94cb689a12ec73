import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JOSE
import JSON

/// What happened, as steps of an app: sign-ins with what the person did on their pages, silent calls, sign-outs, calls of
/// APIs. Still with everything secret and personal in it.
struct CapturedFlow {
    /// One step.
    enum Item {
        case flow(Flow)
        case token(TokenCall)
        case logout(LogoutCall)
        case api(CapturedExchange)
        case userInfo(CapturedExchange, policy: String?)

        /// The first request of it.
        private var exchange: CapturedExchange {
            switch self {
            case .flow(let flow): flow.exchange
            case .token(let call): call.exchange
            case .logout(let call): call.exchange
            case .api(let exchange), .userInfo(let exchange, _): exchange
            }
        }

        var started: Timestamp { exchange.started }
        /// Where it is in the capture.
        var place: String { exchange.place }
        var flow: Flow? { if case .flow(let flow) = self { flow } else { nil } }
        /// The request for tokens.
        var tokenCall: TokenCall? { if case .token(let call) = self { call } else { flow?.token } }
        /// Whether tokens are what it is about.
        var asksForTokens: Bool { flow != nil || tokenCall != nil }
        /// The app, where a request for tokens names it.
        var clientID: String? { flow?.clientID ?? tokenCall?.clientID }
        /// What is in the ID token that it brought.
        var idToken: JSONObject? { flow?.idToken ?? tokenCall?.claims("id_token") }

        /// When the last request of it left.
        var end: Timestamp {
            max(started, flow?.token?.exchange.started ?? started, flow?.acts.last?.exchange.started ?? started)
        }
    }

    private(set) var items: [Item] = []
    private(set) var notes: [String] = []

    /// Positions in `items` of flows that may still go on, newest last.
    private var open: [Int] = []
    /// The newest flow whose answer goes to a place.
    private var newestAt: [String: Int] = [:]
    /// The newest flow of each transaction, and of each policy.
    private var transactions: [String: Int] = [:]
    private var policies: [String?: Int] = [:]
    /// What a request for tokens finds its flow by.
    private enum Clue: Hashable {
        /// A code came back that was not redeemed.
        case code(String)
        /// Some code came back, known or not, of an app or of one that is not named.
        case waiting
        case waitingOf(client: String?)
        /// The capture does not show the end.
        case unfinished(policy: String?)
        /// An answer may come to a place: of a flow with this state or without one, or of one that has no answer yet.
        case answered(place: String, state: String?)
        case unanswered(place: String)
        /// The code was redeemed with this form, and the network or the server failed.
        case sentInVain(FormItems)
    }
    /// Positions of flows in their order. What does not fit any more is taken out when it is met: a look at all flows for
    /// each request takes quadratic time.
    private var flows: [Clue: [Int]] = [:]
    private var missing: Set<String> = []
    /// How many flows were looked at for requests for tokens, for tests of how the work grows.
    private(set) var steps = 0

    init(_ traffic: inout Traffic) {
        var answerPlaces: Set<String> = []
        for item in traffic.items {
            guard case .authority(let address) = item.subject, address.endpoint == .authorize else { continue }
            let query = Self.parameters(item.exchange)
            if let uri = query["redirect_uri"] { answerPlaces.formUnion(RedirectURIRules.answerPlaces(of: uri)) }
        }
        for item in traffic.items {
            switch item.subject {
            case .api: items.append(.api(item.exchange))
            case .authority(let address): take(item, address)
            case .other:
                let text = item.exchange.request.url.description
                if answerPlaces.contains(RedirectURIRules.place(of: text)) {
                    if !takeCallback(item.exchange) { traffic.leaveOut(item.exchange) }
                } else if !takeProvider(item.exchange) {
                    traffic.leaveOut(item.exchange)
                }
            }
        }
        for index in items.indices {
            if var flow = self[index], flow.tellCodes() {
                notes.append(
                    "\(flow.place): what was posted on the page with the code is not in the capture; it is taken for a code "
                        + "that was asked for, then typed, and then the form.")
                self[index] = flow
            }
            // A page at which everything ends was refused, though the answer may be missing.
            guard let flow = self[index], flow.ending == nil, flow.acts.last?.wasNotTaken ?? false else { continue }
            change(at: index) { $0.acts[flow.acts.count - 1].refusal = (nil, nil) }
        }
    }

    /// The parameters of an authorization request, which may be posted as well.
    static func parameters(_ exchange: CapturedExchange) -> FormItems {
        if exchange.request.method == "POST", let form = exchange.request.form { return form }
        return exchange.request.url.queryItems
    }

    // MARK: The authority

    private mutating func take(_ item: Traffic.Item, _ address: B2CAddress) {
        let exchange = item.exchange
        guard exchange.request.method != "OPTIONS" else { return }
        switch address.endpoint {
        case .authorize: begin(item, address)
        case .token: takeToken(item, address)
        case .logout:
            items.append(.logout(LogoutCall(exchange: exchange, policy: item.policy)))
        case .userinfo: items.append(.userInfo(exchange, policy: item.policy))
        case .selfAsserted: takePost(item)
        case .phoneFactorVerify: takePhone(item)
        case .displayControlAction(_, let action): takeControl(item, action)
        case .pageAction(_, let action): takeNavigation(item, action)
        case .authResponse: takeAnswer(item)
        case .discovery, .keys:
            if let status = exchange.response?.status, status >= 400 {
                notes.append(
                    "\(exchange.place): \(address.endpoint.word) of \(item.policy ?? "no policy") was answered with HTTP "
                        + "\(status); the mock's own answer is used.")
            }
        case .tokenV1, .clientTrace, .staticAsset, .instanceDiscovery, .userRealm, .saml, .workforcePage: break
        }
    }

    private mutating func begin(_ item: Traffic.Item, _ address: B2CAddress) {
        let query = Self.parameters(item.exchange)
        var flow = Flow(exchange: item.exchange, form: address.form, policy: item.policy, query: query)
        flow.tenant = address.tenantSegment.isEmpty ? nil : address.tenantSegment
        flow.read(item.exchange)
        items.append(.flow(flow))
        open.append(items.count - 1)
        policies[flow.policy] = items.count - 1
        for place in query["redirect_uri"].map({ Set(RedirectURIRules.answerPlaces(of: $0)) }) ?? [] {
            newestAt[place] = items.count - 1
            file(items.count - 1, under: .answered(place: place, state: query["state"]))
            file(items.count - 1, under: .unanswered(place: place))
        }
        file(flow, at: items.count - 1)
    }

    /// The flow that a request of a page belongs to: the one with its transaction, else the newest of its policy.
    private func flow(_ item: Traffic.Item) -> Int? {
        if let transaction = item.exchange.request.url.queryItems["tx"], let found = transactions[transaction] {
            return found
        }
        return item.policy == nil ? open.last : policies[item.policy]
    }

    /// Notes what requests may find a flow by from now on.
    private mutating func file(_ flow: Flow, at index: Int) {
        // A flow is filed after each page of it.
        if let transaction = flow.page?.settings?.transId {
            transactions[transaction] = max(transactions[transaction] ?? index, index)
        }
        if let token = flow.token {
            if token.isDown { file(index, under: .sentInVain(token.form)) }
        } else if case .code(let code) = flow.ending {
            if let code { file(index, under: .code(code)) }
            file(index, under: .waiting)
            file(index, under: .waitingOf(client: flow.query["client_id"]))
        } else if flow.ending == nil {
            file(index, under: .unfinished(policy: flow.policy))
        }
    }

    private mutating func file(_ index: Int, under clue: Clue) {
        // What is filed again is one of the newest.
        let before = flows[clue]?.lastIndex { $0 <= index }
        guard before.flatMap({ flows[clue]?[$0] }) != index else { return }
        flows[clue, default: []].insert(index, at: before.map { $0 + 1 } ?? 0)
    }

    /// The newest flow that a clue leads to and that is still as the clue says.
    private mutating func newest(_ clue: Clue, _ fits: (Flow) -> Bool) -> Int? {
        while let index = flows[clue]?.last {
            steps += 1
            if let flow = self[index], fits(flow) { return index }
            flows[clue]?.removeLast()
        }
        return nil
    }

    /// The newest flow with a code that an app may redeem.
    private mutating func waiting(for client: String?) -> Int? {
        let clues: [Clue] = client.map { [.waitingOf(client: $0), .waitingOf(client: nil)] } ?? [.waiting]
        return clues.compactMap { newest($0) { if case .code = $0.ending { $0.token == nil } else { false } } }.max()
    }

    private subscript(index: Int) -> Flow? {
        get { items.indices.contains(index) ? items[index].flow : nil }
        set {
            guard items.indices.contains(index), let newValue else { return }
            items[index] = .flow(newValue)
            file(newValue, at: index)
        }
    }

    private mutating func change(_ item: Traffic.Item, _ body: (inout Flow) -> Void) {
        guard let index = flow(item), self[index] != nil else {
            let text =
                "\(item.exchange.place): a page of \(item.policy ?? "a policy") whose authorization request is not in the capture."
            if missing.insert(text).inserted { notes.append(text) }
            return
        }
        change(at: index, body)
    }

    private mutating func change(at index: Int, _ body: (inout Flow) -> Void) {
        guard case .flow(var flow) = items[index] else { return }
        // Nothing else may hold the flow meanwhile: each change would copy its lists.
        items[index] = .api(flow.exchange)
        body(&flow)
        items[index] = .flow(flow)
        file(flow, at: index)
    }

    // MARK: Pages

    private mutating func takePost(_ item: Traffic.Item) {
        let form = item.exchange.form
        let kind: Flow.PersonAction.Kind =
            switch form["request_type"] {
            case "VERIFICATION_REQUEST": .sendCode(form, voice: false)
            case "VALIDATION_REQUEST": .verifyCode(form)
            default: .submit(form)
            }
        change(item) { flow in
            // A page that is posted again was refused, though the answer may be missing.
            if case .submit = kind, let last = flow.acts.last, last.wasNotTaken {
                flow.acts[flow.acts.count - 1].refusal = (nil, nil)
            }
            flow.act(kind, item.exchange)
        }
    }

    private mutating func takePhone(_ item: Traffic.Item) {
        let form = item.exchange.form
        let asksCode = form["request_type"] != "VALIDATION_REQUEST"
        // A call is answered, not typed: the page asks again and again whether it was.
        let polls = !asksCode && form["verification_code"] == nil
        change(item) { flow in
            let calls = flow.acts.last?.isCall ?? false
            flow.act(
                asksCode ? .sendCode(form, voice: Flow.PersonAction.isCall(form)) : .verifyCode(form), item.exchange,
                polls: polls)
            if polls, calls, let poll = flow.acts.popLast() {
                flow.acts[flow.acts.count - 1].unanswered = poll.refusal
            }
        }
    }

    private mutating func takeControl(_ item: Traffic.Item, _ action: String) {
        let exchange = item.exchange
        change(item) { flow in
            let form = exchange.form
            if action.lowercased().hasSuffix("challenge") {
                // A person who reads the picture right goes on; a new picture is fetched by the page.
                guard exchange.response?.json?["isCaptchaSolved"]?.stringValue?.lowercased() == "false" else { return }
                flow.act(.wrongCaptcha, exchange)
                return
            }
            let sends = action.lowercased().hasPrefix("send")
            flow.act(sends ? .sendCode(form, voice: false) : .verifyCode(form), exchange)
        }
    }

    private mutating func takeNavigation(_ item: Traffic.Item, _ action: String) {
        let exchange = item.exchange
        let query = exchange.request.url.queryItems
        change(item) { flow in
            switch action.lowercased() {
            case "confirmed":
                if let last = flow.acts.indices.last { flow.acts[last].isLeft = true }
                if query["rememberMe"] == "true", let last = flow.acts.lastIndex(where: { $0.isSubmit }) {
                    flow.acts[last].remembers = true
                }
            case "unified":
                if query["local"] == "signup" {
                    flow.act(.press("signUp"), exchange)
                } else if let exchangeID = query["claimsexchange"] {
                    let forgot =
                        flow.page?.settings?.config("forgotPasswordLinkOverride") == exchangeID
                        || exchangeID.lowercased().contains("forgotpassword")
                    flow.act(forgot ? .press("forgotPassword") : .provider(exchangeID), exchange)
                }
            case "forgotpassword": flow.act(.press("forgotPassword"), exchange)
            case "error":
                // With another code the page itself reports what is wrong with it; nobody pressed anything.
                // The page's own script cancels with the code of the message, or with the word.
                let code = query["code"]?.lowercased() ?? "cancel"
                if ["aadb2c90091", "cancel"].contains(code) { flow.act(.press("cancel"), exchange) }
            default: break
            }
            flow.read(exchange)
        }
    }

    private mutating func takeAnswer(_ item: Traffic.Item) {
        let exchange = item.exchange
        let error = Self.parameters(exchange)["error"]
        change(item) { flow in
            if let error, let last = flow.acts.last, last.isProvider {
                flow.acts[flow.acts.count - 1].providerError = error
            }
            flow.read(exchange)
        }
    }

    // MARK: Elsewhere

    /// A page of an identity provider belongs to the flow that went there; what was typed is not looked at.
    private mutating func takeProvider(_ exchange: CapturedExchange) -> Bool {
        guard let index = open.last, let flow = self[index], flow.ending == nil, flow.acts.last?.isProvider ?? false,
            exchange.request.url.scheme.hasPrefix("http")
        else { return false }
        change(at: index) { flow in
            flow.providerHosts.insert(exchange.request.url.host ?? "")
            flow.providerStatus = exchange.response?.status
        }
        return true
    }

    /// The answer as it reached the app.
    private mutating func takeCallback(_ exchange: CapturedExchange) -> Bool {
        let url = exchange.request.url
        var parameters = exchange.request.form ?? url.queryItems
        parameters.append(contentsOf: url.fragmentItems)
        guard Flow.isAnswer(parameters) else {
            // The page of the app itself, or where a sign-out leads.
            return exchange.request.url.scheme.hasPrefix("http") == false
        }
        guard let index = asking(at: RedirectURIRules.place(of: url.description), state: parameters["state"]) else {
            return false
        }
        if self[index]?.ending == nil {
            change(at: index) { $0.end(with: parameters, at: exchange.started) }
        }
        return true
    }

    /// The newest flow to which an answer at a place may belong.
    private mutating func asking(at place: String, state: String?) -> Int? {
        guard let state else { return newestAt[place] }
        let known = [state, nil].compactMap { newest(.answered(place: place, state: $0)) { _ in true } }
        return (known + [newest(.unanswered(place: place)) { $0.ending == nil }].compactMap { $0 }).max()
    }

    // MARK: Tokens

    private mutating func takeToken(_ item: Traffic.Item, _ address: B2CAddress) {
        let form = item.exchange.form
        let call = TokenCall(exchange: item.exchange, policy: item.policy, form: form)
        if call.grant == "authorization_code" || (call.grant == nil && item.exchange.lacksRequestBody) {
            let again = flows[.sentInVain(call.form), default: []].last { index in
                steps += 1
                var before = self[index]?.token
                return before?.takeAgain(call) ?? false
            }
            if let again, var flow = self[again], flow.token?.takeAgain(call) ?? false {
                self[again] = flow
                return
            }
            let named = form["code"].flatMap { code in
                newest(.code(code)) {
                    if case .code(let found) = $0.ending { $0.token == nil && found == code } else { false }
                }
            }
            // The answer itself may be out of the capture's sight: a system browser, an app of its own scheme.
            if let index = named ?? waiting(for: call.clientID)
                ?? newest(.unfinished(policy: item.policy), { $0.token == nil && $0.ending == nil })
            {
                change(at: index) { flow in
                    flow.token = call
                    if flow.ending == nil { flow.ending = .code(nil) }
                }
                return
            }
        }
        if let last = items.last, case .token(var before) = last, before.takeAgain(call) {
            items[items.count - 1] = .token(before)
            return
        }
        items.append(.token(call))
    }
}
