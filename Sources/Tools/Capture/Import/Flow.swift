import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JOSE
import JSON

/// One authorization request with everything that came of it.
struct Flow {
    /// How it ended, as far as the capture shows.
    enum Ending {
        /// An authorization code came back, which the capture may hide.
        case code(String?)
        /// Tokens came back without a code.
        case tokens
        /// An error at the redirect URI.
        case error(oauth: String, b2cCode: String?)
        /// A page that says what is wrong; the app hears nothing.
        case page(b2cCode: String?)
    }

    /// Something that the person did on a page.
    struct PersonAction {
        enum Kind {
            case submit(FormItems)
            case press(String)
            case provider(String)
            case sendCode(FormItems, voice: Bool)
            case verifyCode(FormItems)
            /// The characters of a picture, typed wrong; the page itself was not posted.
            case wrongCaptcha
        }

        var page: FlowPage?
        var exchange: CapturedExchange
        var kind: Kind
        /// Why the page's post was refused; `nil` where it was not.
        var refusal: (code: String?, message: String?)?
        /// The service is not done yet: a call that nobody has answered so far.
        var isPending = false
        /// Asked for again too soon.
        var isTooSoon = false
        /// The post did not get as far as the page's checks: its status.
        var brokenStatus: Int?
        /// Nobody took the call: what the page was shown in the end.
        var unanswered: (code: String?, message: String?)?
        /// The identity provider sent the person back with an error.
        var providerError: String?
        /// The page was left after it: it was not refused.
        var isLeft = false
        /// The box to stay signed in was ticked.
        var remembers = false

        /// What was posted, where the page itself was.
        var submitted: FormItems? {
            if case .submit(let form) = kind { form } else { nil }
        }

        /// What was typed.
        var form: FormItems? {
            switch kind {
            case .submit(let form), .sendCode(let form, _), .verifyCode(let form): form
            case .press, .provider, .wrongCaptcha: nil
            }
        }

        var isSubmit: Bool { submitted != nil }
        /// The claims exchange of the identity provider that was chosen.
        var provider: String? { if case .provider(let exchange) = kind { exchange } else { nil } }
        var isProvider: Bool { provider != nil }
        /// A button that leaves the page without sending what was typed.
        var isPress: Bool { if case .press = kind { true } else { false } }
        /// A code was asked for, in a text or in a call.
        var isSend: Bool { if case .sendCode = kind { true } else { false } }
        /// The telephone was to ring.
        var isCall: Bool { if case .sendCode(_, true) = kind { true } else { false } }
        /// A post of the page that sends codes to telephones.
        var isPhone: Bool { if case .phoneFactorVerify? = endpoint { true } else { false } }
        var endpoint: AuthorityEndpoint? { B2CAddress.parse(exchange.request.url)?.endpoint }

        /// Whether a post asks for a call instead of a text.
        static func isCall(_ form: FormItems) -> Bool { form["auth_type"]?.lowercased().contains("dial") ?? false }

        /// The page was not left after the post, and the capture lacks what the service said.
        var wasNotTaken: Bool { isSubmit && !isLeft && refusal == nil && exchange.lacksResponseBody }

        /// A page's post is answered with status 200 whatever came of it; the JSON has a status of its own.
        ///
        /// - Parameter polls: The post asks whether a call was answered. What says of a code that it is wrong says of a
        ///   call that the telephone still rings, until it comes with a code of its own.
        mutating func readAnswer(polls: Bool = false) {
            if let status = exchange.response?.status, status >= 400 { brokenStatus = status }
            guard let json = exchange.response?.json else { return }
            isTooSoon = json["status"]?.stringValue == "429"
            let status = json["status"]?.stringValue ?? json["status"]?.intValue.map { String($0) } ?? "200"
            isPending = polls && status == "449" && json["errorCode"]?.stringValue == nil
            guard status != "200", !isPending else { return }
            refusal = (json["errorCode"]?.stringValue, json["message"]?.stringValue)
        }
    }

    /// A page as it was shown.
    struct FlowPage {
        var record: PageRecord
        var settings: PageSettings?

        /// It sets up an app that shows codes.
        var showsQRCode: Bool {
            settings?.fields.contains { $0.id.lowercased().contains("qrcode") } ?? false
        }

        /// It says why nobody gets in, and leads nowhere: conditional access.
        var isWall: Bool {
            record.name == "selfAsserted" && settings != nil && !record.buttons.contains("continue")
                && !record.buttons.contains("next")
        }
    }

    /// The authorization request.
    var exchange: CapturedExchange
    var form: AuthorityForm
    /// Id of the policy in lower case.
    var policy: String?
    var query: FormItems
    /// The page that shows now.
    var page: FlowPage?
    var pages: [FlowPage] = []
    var acts: [PersonAction] = []
    /// The tenant as the address has it.
    var tenant: String?
    /// Ids under which logs of the service may have it, of the requests that led on.
    private(set) var correlationIDs: [String] = []
    var providerHosts: Set<String> = []
    /// Status of the newest page of an identity provider.
    var providerStatus: Int?
    var ending: Ending?
    /// How long it took from the request to the answer at the redirect URI; `nil` before that.
    var duration: TimeSpan?
    /// Status of the answer to the authorization request.
    var status: Int?
    /// Tokens that came with the answer, by the parameters' names.
    var frontTokens: [String: JSONObject] = [:]
    /// The redemption of the code.
    var token: TokenCall?
    /// Pages whose HTML the capture lacks.
    var lacksPages = false
    /// The newest request that led on, by the last part of its path (`authorize`, `confirmed`, `authresp`), and how many
    /// of its kind came before it: where the flow ended, once it has.
    var lastRead: (word: String, before: Int)?
    var reads: [String: Int] = [:]

    var started: Timestamp { exchange.started }
    /// Where it is in the capture.
    var place: String { exchange.place }
    var isPosted: Bool { exchange.request.method == "POST" && !query.isEmpty }
    var clientSKU: String? { query["x-client-SKU"] ?? query["x-client-sku"] }
    var clientID: String? { query["client_id"] ?? token?.clientID }
    var redirectURI: String? { query["redirect_uri"] ?? token?.form["redirect_uri"] }
    var prompts: [String] { (query["prompt"] ?? "").split(separator: " ").map(String.init) }
    /// In a hidden frame, or as if: nobody was asked.
    var isSilent: Bool { prompts.contains("none") }
    /// What is in the tokens that came, wherever they came.
    var idToken: JSONObject? { token?.claims("id_token") ?? frontTokens["id_token"] }
    var accessToken: JSONObject? { token?.claims("access_token") ?? frontTokens["access_token"] }

    /// A code or tokens came back.
    var endsWell: Bool {
        switch ending {
        case .code, .tokens: true
        case .error, .page, nil: false
        }
    }

    /// The app heard nothing.
    var isLeftOpen: Bool {
        switch ending {
        case .page, nil: true
        case .code, .tokens, .error: false
        }
    }

    /// The code that it ended with, where the mock can refuse with it.
    var knownCode: String? {
        switch ending {
        case .error(_, let code?), .page(let code?): B2CErrorCode.named(code) == nil ? nil : code
        default: nil
        }
    }

    /// Some page was shown at once, whose HTML the capture lacks, and nothing more is known: a person with a session sees none.
    var stopsAtUnseenPage: Bool {
        ending == nil && pages.isEmpty && acts.isEmpty && lacksPages && status == 200
    }

    /// The person typed, and neither their pages nor what they typed is in the capture.
    var isBlind: Bool {
        lacksPages && pages.isEmpty
            && acts.contains { $0.page == nil && $0.isSubmit && $0.exchange.lacksRequestBody }
    }
    /// A new password was asked for between the sign-in page and the app, and nobody had forgotten theirs.
    var setsForcedPassword: Bool {
        let shown = pages.map(\.record.name)
        guard shown.first == "signIn", shown.contains("newPassword"), !shown.contains("verifyEmail") else {
            return false
        }
        return !acts.contains { $0.isPress }
    }

    /// It ended before the person did anything, though a page had come: the page itself reported something.
    var isRefusedUntouched: Bool {
        acts.isEmpty && ending != nil && !endsWell && ["confirmed", "error"].contains(lastRead?.word)
    }

    /// The capture ends at an identity provider.
    var isAtProvider: Bool {
        guard ending == nil, let last = acts.last else { return false }
        return last.isProvider && last.providerError == nil && lastRead?.word != "authresp"
    }

    /// A person who came back from an identity provider was asked for more.
    var asksAfterProvider: Bool {
        guard let last = acts.lastIndex(where: \.isProvider) else { return false }
        return acts[last...].contains { $0.isSubmit && ($0.page == nil || $0.page?.record.name == "signUp") }
    }

    /// The link to sign up was followed.
    var signsUp: Bool { acts.contains { if case .press("signUp") = $0.kind { true } else { false } } }

    /// Distinguishes the posts of a page that sends codes by itself (page layouts of old, which post codes and form to one address)
    /// from one another where their bodies are missing: a code was asked for, typed, and then the form went.
    ///
    /// - Returns: Whether there are such posts.
    mutating func tellCodes() -> Bool {
        var found = false
        var start = acts.startIndex
        while start < acts.endIndex {
            var end = start
            while end < acts.endIndex, isUntold(acts[end]) { end += 1 }
            if end - start > 1 {
                found = true
                for index in start..<end where index < end - 1 || !acts[index].isLeft {
                    acts[index].kind =
                        index == start ? .sendCode(FormItems(), voice: false) : .verifyCode(FormItems())
                }
            }
            start = max(end, start + 1)
        }
        return found
    }

    /// A post without a body, from a page with a field that proves an address by itself.
    private func isUntold(_ act: PersonAction) -> Bool {
        act.isSubmit && act.exchange.lacksRequestBody
            && (act.page?.settings?.fields.contains { $0.verify } ?? false)
    }

    /// Notes something that the person did on the page that shows.
    ///
    /// - Parameter polls: See ``Act/readAnswer(polls:)``.
    mutating func act(_ kind: PersonAction.Kind, _ exchange: CapturedExchange, polls: Bool = false) {
        var act = PersonAction(page: page, exchange: exchange, kind: kind)
        if act.form != nil { act.readAnswer(polls: polls) }
        acts.append(act)
    }

    /// What an answer to the browser brings: a page, the way back to the app, a form that posts itself, an error.
    mutating func read(_ exchange: CapturedExchange) {
        if ending == nil {
            let word = exchange.request.url.path.split(separator: "/").last.map { $0.lowercased() } ?? ""
            lastRead = (word, reads[word, default: 0])
            reads[word, default: 0] += 1
        }
        for id in CorrelationIDs.of(exchange) { correlationIDs.note(id) }
        guard let response = exchange.response else { return }
        if status == nil { status = response.status }
        if let target = response.headers["Location"], response.isRedirect || response.status == 200 {
            guard let uri = redirectURI, RedirectURIRules.isAnswer(target, to: uri),
                let url = WebURL(Self.readable(target))
            else { return }
            var parameters = url.queryItems
            parameters.append(contentsOf: url.fragmentItems)
            end(with: parameters, at: exchange.started)
            return
        }
        if exchange.lacksResponseBody {
            lacksPages = true
            page = nil
            return
        }
        guard let shown = exchange.shownPage else { return }
        if let post = shown.autoPost {
            if let uri = redirectURI, RedirectURIRules.isAnswer(post.action, to: uri) {
                end(with: post.form, at: exchange.started)
            }
            return
        }
        let page = FlowPage(record: shown.record, settings: shown.settings)
        self.page = page
        pages.append(page)
        if shown.record.name == "error" { ending = .page(b2cCode: shown.record.b2cCode) }
    }

    /// Whether parameters are those of an answer to an app.
    static func isAnswer(_ parameters: FormItems) -> Bool {
        ["code", "error", "id_token", "access_token"].contains { parameters[$0] != nil }
    }

    /// The way back to the app.
    mutating func end(with parameters: FormItems, at moment: Timestamp) {
        guard Self.isAnswer(parameters) else { return }
        duration = moment - started
        if let error = parameters["error"] {
            ending = .error(oauth: error, b2cCode: CapturedPage.b2cCode(in: parameters["error_description"] ?? ""))
            return
        }
        for name in ["id_token", "access_token"] {
            if let claims = parameters[name].flatMap({ JWS(compact: $0)?.claims }) { frontTokens[name] = claims }
        }
        ending = parameters["code"].map { .code($0) } ?? .tokens
    }

    /// A URL with labels of masked secrets can be read once the characters that a URL may not have are escaped.
    private static func readable(_ text: String) -> String {
        text.replacing(" ", with: "%20").replacing("<", with: "%3C").replacing(">", with: "%3E")
    }
}

/// A request at the token endpoint.
struct TokenCall {
    var exchange: CapturedExchange
    /// Id of the policy in lower case.
    var policy: String?
    var form: FormItems
    /// The same request, sent before in vain: the library tried again by itself.
    var earlier: [CapturedExchange] = []

    var grant: String? { form["grant_type"] }
    var clientID: String? {
        form["client_id"] ?? BasicCredentials(exchange.request.headers["Authorization"])?.user
    }
    var hasSecret: Bool {
        form["client_secret"] != nil || form["client_assertion"] != nil
            || (exchange.request.headers["Authorization"]?.lowercased().hasPrefix("basic") ?? false)
    }
    var json: JSONValue? { exchange.response?.json }
    var error: String? { json?["error"]?.stringValue }
    var b2cCode: String? { json?["error_description"]?.stringValue.flatMap { CapturedPage.b2cCode(in: $0) } }
    var isGood: Bool { exchange.response?.status == 200 && error == nil }
    /// The network or the server failed, which libraries try again after a moment.
    var isDown: Bool { (exchange.response?.status ?? 599) >= 500 }

    /// Takes in a request that is this one, sent again.
    ///
    /// - Returns: Whether it is.
    mutating func takeAgain(_ call: TokenCall) -> Bool {
        let span: TimeSpan = exchange.response == nil ? .seconds(30) : .seconds(5)
        guard isDown, form == call.form, policy == call.policy,
            call.exchange.started - (earlier.last ?? exchange).started < span
        else { return false }
        earlier.append(exchange)
        exchange = call.exchange
        return true
    }

    /// What is in a token of the answer.
    func claims(_ name: String) -> JSONObject? {
        exchange.tokens[name]?.claims ?? json?[name]?.stringValue.flatMap { JWS(compact: $0)?.claims }
    }
}

/// A sign-out in the browser.
struct LogoutCall {
    var exchange: CapturedExchange
    var policy: String?
    /// The page that it ended on, where it did not lead on.
    var page: PageRecord?

    var query: FormItems { exchange.request.url.queryItems }
    /// Where it leads to.
    var target: String? { query["post_logout_redirect_uri"] }

    init(exchange: CapturedExchange, policy: String?) {
        self.exchange = exchange
        self.policy = policy
        guard exchange.response?.status == 200, !exchange.lacksResponseBody, let shown = exchange.shownPage,
            shown.autoPost == nil
        else { return }
        page = shown.record
    }
}

extension CapturedExchange {
    /// The page in the answer; `nil` where it has none.
    fileprivate var shownPage: CapturedPage? {
        guard let response, response.headers.mediaType?.contains("html") ?? false, !response.body.isEmpty else {
            return nil
        }
        return CapturedPage(response, at: request.url)
    }
}
