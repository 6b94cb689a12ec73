import B2CProtocol
import Diagnostics
import HTTPMessages

/// Takes an address apart: requests to an authority, answers at a redirect URI.
enum AddressReader {
    static func read(_ text: String, line: Int, into facts: inout SymptomFacts) {
        let isCut = text.hasSuffix("...") || text.hasSuffix("…") || endsInEscape(text)
        if isCut { facts.note("the address in line \(line) breaks off: what comes after is not known") }
        guard let url = WebURL(text) else {
            if text.contains("?") || text.contains("#") {
                facts.note(
                    "the address in line \(line) cannot be read as a URL; its parameters were looked for all the same")
                let rest = text.split(whereSeparator: { $0 == "?" || $0 == "#" }).dropFirst().joined(separator: "&")
                if isParameters(Substring(rest)) {
                    read(parameters: FormItems(parsing: rest), line: line, isCut: isCut, into: &facts)
                }
            }
            return
        }
        var items = url.queryItems
        items.append(contentsOf: url.fragmentItems)
        let host = url.host ?? ""
        if isAuthority(host) {
            request(Seen(url, items, line: line), into: &facts)
        } else if isAnswer(items) {
            facts.add("redirect URI", String(text.prefix { $0 != "?" && $0 != "#" }), line: line)
            read(parameters: items, line: line, isCut: isCut, into: &facts)
        } else if let address = B2CAddress.parse(url),
            isRequest(items) || address.policy?.asciiLowercased.hasPrefix("b2c_1") == true
        {
            request(Seen(url, items, line: line), into: &facts)
        }
    }

    /// Hosts of B2C and of directory tenants; a custom domain is known by its path.
    private static func isAuthority(_ host: String) -> Bool {
        host.hasSuffix(".b2clogin.com") || host.hasPrefix("login.microsoftonline.") || host.hasSuffix("b2clogin.cn")
            || host == "login.windows.net" || host == "sts.windows.net"
    }

    private static func isAnswer(_ items: FormItems) -> Bool {
        items["error"] != nil || items["code"] != nil || items["id_token"] != nil || items["access_token"] != nil
    }

    private static func isRequest(_ items: FormItems) -> Bool {
        items["client_id"] != nil || items["grant_type"] != nil || items["response_type"] != nil
    }

    private static let names: Set<String> = [
        "error", "error_description", "code", "state", "id_token", "access_token", "client_id", "redirect_uri",
        "grant_type", "response_type", "scope", "post_logout_redirect_uri",
    ]

    /// Whether a text is parameters of these protocols, so that `a=b` of any program is not taken for one.
    static func isParameters(_ text: Substring) -> Bool {
        let found = text.split(separator: "&").map { $0.prefix { $0 != "=" } }.filter { names.contains(String($0)) }
        return found.count >= 2 || (found.count == 1 && (found[0] == "error" || found[0] == "grant_type"))
    }

    private static func endsInEscape(_ text: String) -> Bool {
        let end = text.utf8.suffix(2)
        return end.last == UInt8(ascii: "%") || end.first == UInt8(ascii: "%")
    }

    // MARK: Answers

    /// The parameters of an answer or a form.
    ///
    /// - Parameter isCut: whether more may have followed, so that what is not among them may have been there.
    static func read(parameters items: FormItems, line: Int, isCut: Bool = false, into facts: inout SymptomFacts) {
        if isRequest(items) {
            parameters(items, endpoint: nil, line: line, into: &facts)
            return
        }
        if let error = items["error"] {
            facts.addError(error.asciiLowercased, line)
            facts.add(.responseError, line, "error=\(error)")
            facts.add("answers with", error, line: line)
            if let description = items["error_description"] {
                let text = B2CErrorText(parsing: description)
                facts.add(
                    "description", text.map { "\($0.codeText ?? "AADB2C"): \($0.message)" } ?? description, line: line)
                if let id = text?.correlationID { facts.add("correlation id", "\(id)", line: line) }
                if let time = text?.timestamp { facts.add("time of the service", time.b2cText, line: line) }
            } else if error == "access_denied" {
                facts.note("the answer in line \(line) has no error_description, which would hold the AADB2C code")
            }
        } else if items["code"] != nil {
            facts.add(.responseCode, line, "an answer with a code")
            facts.add("answers with", "a code", line: line)
        }
        if items["error"] != nil || items["code"] != nil || items["id_token"] != nil {
            if let state = items["state"], !state.isEmpty {
                facts.add("state", state.utf8.count > 40 ? "\(state.utf8.count) characters" : state, line: line)
            } else if !isCut, items["error_description"] != nil || items["error"] == nil {
                // An error alone is also what a header or a log names.
                facts.add(.responseWithoutState, line, "an answer without state")
                facts.add("state", "none", line: line)
            }
        }
    }

    // MARK: Requests

    /// A request to an authority, and where it was seen.
    private struct Seen {
        let url: WebURL
        let items: FormItems
        let line: Int
        /// The path, in lower case.
        let path: String
        /// The address as findings show it, without its parameters.
        let shown: String

        init(_ url: WebURL, _ items: FormItems, line: Int) {
            self.url = url
            self.items = items
            self.line = line
            path = url.path.asciiLowercased
            shown = "\(url.scheme)://\(url.host ?? "")\(url.path)"
        }
    }

    private static func request(_ seen: Seen, into facts: inout SymptomFacts) {
        let (url, items, path, shown, line) = (seen.url, seen.items, seen.path, seen.shown, seen.line)
        if (url.host ?? "").hasPrefix("login.microsoftonline."), !path.contains("/discovery/instance"),
            !path.contains("/userrealm"), ["/common", "/organizations", "/consumers"].contains(where: path.hasPrefix)
        {
            facts.add(.directoryAddress, line, shown)
        }
        let policy = items["p"]?.asciiLowercased ?? ""
        if (url.host ?? "").hasPrefix("login.microsoftonline."), !policy.contains("?"),
            path.hasPrefix("/tfp/") || path.contains("/b2c_1") || policy.hasPrefix("b2c_1")
        {
            facts.add(.policyAtOldHost, line, shown)
        }
        if (url.host ?? "").contains(".onmicrosoft.com.") || path.contains(".onmicrosoft.com.onmicrosoft") {
            facts.add(.doubledTenant, line, shown)
        }
        noteUndefined(seen, into: &facts)
        if path.hasPrefix("/ftp/") { facts.add(.ftpPath, line, shown) }
        if path.count(of: "/oauth2/") > 1 || path.count(of: "/v2.0/") > 2 || path.count(of: ".well-known") > 1
            || (path.contains(".well-known") && path.contains("/oauth2/"))
        {
            facts.add(.doubledPath, line, shown)
        }
        guard let address = B2CAddress.parse(url) else {
            authority(seen, into: &facts)
            return
        }
        if path.contains("/common/discovery/instance") || address.endpoint == .instanceDiscovery {
            facts.add(.instanceDiscovery, line, shown)
        }
        if address.endpoint == .userRealm { facts.add(.userRealm, line, shown) }
        if address.endpoint == .authResponse, url.path.contains(where: \.isUppercase) || hasCapitals(items) {
            facts.add(.upperCaseTenant, line, shown)
        }
        let isB2C = (url.host ?? "").hasSuffix("b2clogin.com")
        if let policy = address.policy {
            facts.addLoginAddress(host: url.host ?? "", tenant: address.tenantSegment, line)
            facts.addPolicy(policy, line)
            if address.form != .query { facts.add(.policyInAddress, line, shown) }
            if address.form == .query { facts.add(.policyInQuery, line, shown + "?p=\(policy)") }
        } else if isB2C || path.contains(".onmicrosoft.com") {
            withoutPolicy(address, seen, into: &facts)
        }
        switch address.endpoint {
        case .authorize, .token, .logout, .discovery, .authResponse:
            facts.add("request", "\(address.endpoint.word) at \(shown)", line: line)
            let policy = address.policy?.asciiLowercased ?? ""
            if policy.contains("reset") { facts.add(.resetPolicy, line, shown) }
            if policy.contains("edit") { facts.add(.editPolicy, line, shown) }
        default: break
        }
        parameters(items, endpoint: address.endpoint, line: line, into: &facts)
    }

    /// Words that an address has where a setting had no value.
    private static let noValues: Set<String> = ["undefined", "null", "nan", "[object object]", "%5bobject%20object%5d"]

    private static func noteUndefined(_ seen: Seen, into facts: inout SymptomFacts) {
        let host = (seen.url.host ?? "").asciiLowercased.split(separator: ".").first.map(String.init) ?? ""
        let parts = seen.path.split(separator: "/").map(String.init)
        let isEmpty =
            noValues.contains(host)
            || parts.contains { part in
                noValues.contains(part) || part.hasPrefix("undefined.onmicrosoft")
                    || part.hasSuffix("}")
                        && (part.hasPrefix("{") || part.hasPrefix("${"))
            }
        if isEmpty || host.hasPrefix("yourtenant") || host.hasPrefix("your-tenant") {
            facts.add(.undefinedInAddress, seen.line, seen.shown)
        }
    }

    private static func withoutPolicy(_ address: B2CAddress, _ seen: Seen, into facts: inout SymptomFacts) {
        switch address.endpoint {
        case .authorize, .logout, .keys: facts.add(.noPolicy, seen.line, seen.shown)
        case .token: facts.add(.tokenWithoutPolicy, seen.line, seen.shown)
        case .discovery: facts.add(.tenantMetadata, seen.line, seen.shown)
        default: break
        }
    }

    /// An address without an endpoint: mostly the authority as it was configured.
    private static func authority(_ seen: Seen, into facts: inout SymptomFacts) {
        let (url, items, shown, line) = (seen.url, seen.items, seen.shown, seen.line)
        let parts = url.path.split(separator: "/").map(String.init)
        let lower = parts.map(\.asciiLowercased)
        // .../{guid}/v2.0/oauth2/v2.0/token: the issuer was taken for the authority.
        if lower.suffix(3) == ["oauth2", "v2.0", "token"], lower.dropLast(3).last == "v2.0" {
            facts.add(.tokenWithoutPolicy, line, shown)
            facts.add("request", "token at \(shown)", line: line)
        } else if let policy = parts.first(where: { $0.asciiLowercased.hasPrefix("b2c_1") }) {
            facts.addPolicy(policy, line)
            facts.addLoginAddress(host: url.host ?? "", tenant: lower.first { $0 != "tfp" } ?? "", line)
            facts.add("authority", shown, line: line)
            facts.add(.policyInAddress, line, shown)
            if lower.first != "tfp" { facts.add(.authorityWithoutTFP, line, shown) }
        } else if let policy = items["p"], !policy.isEmpty {
            facts.addPolicy(policy, line)
        } else if (url.host ?? "").hasSuffix("b2clogin.com"), parts.count == (lower.first == "tfp" ? 2 : 1),
            lower.last?.contains(".onmicrosoft.com") == true
        {
            facts.add(.noPolicy, line, shown)
            facts.add("authority", "\(shown) (without a policy)", line: line)
        }
    }

    private static func hasCapitals(_ items: FormItems) -> Bool {
        items["redirect_uri"].map { $0.contains("oauth2/authresp") && $0.contains(where: \.isUppercase) } ?? false
    }

    // MARK: Parameters of requests

    private static func parameters(
        _ items: FormItems, endpoint: AuthorityEndpoint?, line: Int, into facts: inout SymptomFacts
    ) {
        if let client = items["client_id"] { facts.add("client", client, line: line) }
        if let uri = items["redirect_uri"] { redirect(uri, line, &facts) }
        let grant = items["grant_type"]
        if let grant {
            facts.add("grant", grant, line: line)
            if grant == "password" { facts.add(.passwordGrant, line, "grant_type=password") }
        }
        let type = items["response_type"].map { ScopeList(parsing: $0).scopes } ?? []
        if !type.isEmpty { facts.add("response_type", type.joined(separator: " "), line: line) }
        if let mode = items["response_mode"] { facts.add("response_mode", mode, line: line) }
        if type.contains("id_token") || type.contains("token") {
            facts.add(.frontTokens, line, "response_type=\(type.joined(separator: " "))")
        }
        if let scope = items["scope"] {
            scopes(scope, type: type, client: items["client_id"], line: line, into: &facts)
        }
        if type.contains("code"), items["code_challenge"] == nil {
            facts.add(.noChallenge, line, "response_type=\(type.joined(separator: " ")) without code_challenge")
        }
        if !type.isEmpty, items["state"] == nil { facts.add(.noStateInRequest, line, "no state in the request") }
        prompts(items, type: type, line: line, into: &facts)
        if endpoint == .logout { logout(items, line, &facts) }
    }

    private static func redirect(_ uri: String, _ line: Int, _ facts: inout SymptomFacts) {
        facts.add("redirect URI", uri, line: line)
        guard let url = WebURL(uri) else { return }
        if url.scheme == "http", !url.isLoopback { facts.add(.httpRedirect, line, "redirect_uri=\(uri)") }
        if uri.asciiLowercased.contains("/oauth2/nativeclient") {
            facts.add(.httpsRedirectOfApp, line, "redirect_uri=\(uri)")
        }
        if uri.asciiLowercased.contains("/oauth2/authresp"), uri.contains(where: \.isUppercase) {
            facts.add(.upperCaseTenant, line, "redirect_uri=\(uri)")
        }
    }

    private static func scopes(
        _ text: String, type: [String], client: String?, line: Int, into facts: inout SymptomFacts
    ) {
        let all = ScopeList(parsing: text).scopes
        guard !all.isEmpty else { return }
        facts.add("scopes", all.joined(separator: " "), line: line)
        let named = all.filter { !ScopeList.isReserved($0) && $0 != "email" }
        let seen = "scope=\(all.joined(separator: " "))"
        if named.isEmpty {
            facts.add(.openIDScopesOnly, line, seen)
            if type.contains("token") { facts.add(.tokenWithoutResource, line, seen) }
        }
        if let client, named.contains(client) { facts.add(.clientIDScope, line, seen) }
        if type.contains("code"), !all.contains("offline_access") { facts.add(.noOfflineAccess, line, seen) }
        func isShort(_ scope: String) -> Bool {
            !scope.contains("/") && scope != client && !isGUID(scope) && !scope.contains("{")
        }
        if let first = named.first(where: isShort) { facts.add(.shortScope, line, "scope \(first)") }
        if let graph = named.first(where: {
            $0.asciiLowercased.contains("graph.microsoft.com") || $0.asciiLowercased == "user.read"
        }) {
            facts.add(.graphScope, line, "scope \(graph)")
        }
        let resources = Set(
            named.lazy.filter { !isShort($0) }.map { scope in
                let parts = scope.split(separator: "/")
                return (scope.contains("/") ? parts.dropLast().joined(separator: "/") : scope).asciiLowercased
            })
        if resources.count > 1 { facts.add(.twoResources, line, seen) }
    }

    private static func isGUID(_ text: String) -> Bool {
        text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]
    }

    private static func prompts(_ items: FormItems, type: [String], line: Int, into facts: inout SymptomFacts) {
        if let prompt = items["prompt"] {
            facts.add("prompt", prompt, line: line)
            if prompt == "none" { facts.add(.promptNone, line, "prompt=none") }
            if prompt == "select_account" { facts.add(.promptSelectAccount, line, "prompt=select_account") }
        }
        if let hint = items["login_hint"], hint.hasPrefix("Missing from the token response") {
            facts.add(.placeholderHint, line, "login_hint=\(hint)")
        }
        if items["id_token_hint"] != nil, !type.isEmpty { facts.add(.hintInRequest, line, "id_token_hint") }
        if items["ui_locales"] == nil, !type.isEmpty {
            for name in ["lang", "locale", "mkt", "language", "hl", "ui_locale"] {
                if let value = items[name] { facts.add(.languageParameter, line, "\(name)=\(value)") }
            }
        }
    }

    private static func logout(_ items: FormItems, _ line: Int, _ facts: inout SymptomFacts) {
        if items["id_token_hint"] == nil {
            facts.add(.logoutWithoutHint, line, "a sign-out request without id_token_hint")
        }
        if let target = items["post_logout_redirect_uri"] {
            facts.add("returns to", target, line: line)
            if let url = WebURL(target), url.scheme == "http", !url.isLoopback {
                facts.add(.httpLogoutTarget, line, "post_logout_redirect_uri=\(target)")
            }
        }
    }
}

extension String {
    /// How often a piece is in the text, without overlaps.
    fileprivate func count(of piece: String) -> Int {
        split(separator: piece, omittingEmptySubsequences: false).count - 1
    }
}
