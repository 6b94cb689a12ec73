import Diagnostics
import HTTPMessages
import TenantFiles

/// What the app's own code does with MSAL.
extension AppSubject {
    static func code(_ app: AppProject) -> [Finding] {
        let judges: [(AppProject) -> [Finding]] = [
            imports, scopeFindings, authorities, knownAuthorities, silentParameters, pastAPIs, identifiers, logs,
            carelessness,
        ]
        return judges.flatMap { $0(app) }
    }

    private static func imports(_ app: AppProject) -> [Finding] {
        app.scans.compactMap { entry in
            let scan = entry.scan
            guard
                let first = scan.tokens.first(where: {
                    $0.kind == .word && $0.text.hasPrefix("MSAL") && $0.text.utf8.count > 4
                        && $0.text.dropFirst(4).first?.isUppercase == true
                })
            else { return nil }
            let isImported =
                !scan.occurrences(of: ["import", "MSAL"]).isEmpty
                || scan.tokens.contains { $0.kind == .word && ($0.text == "MSAL" || $0.text == "MSAL_") }
                || entry.file.kind == .objectiveCSource && scan.has("import")
            guard !isImported else { return nil }
            return finding(
                "B2C-APP-001", "\(first.text) is used without importing MSAL", "Add import MSAL.",
                at: scan.location(first),
                fix: Fix(
                    file: entry.file.path, title: "Import MSAL",
                    edits: [Fix.Edit(offset: importPlace(scan), length: 0, replacement: "import MSAL\n")], isSafe: true)
            )
        }
    }

    /// Before the first import, else at the start.
    private static func importPlace(_ scan: CodeScan) -> Int {
        scan.occurrences(of: ["import"]).first.map { scan.tokens[$0].range.lowerBound } ?? 0
    }

    private static let reserved = ["openid", "profile", "offline_access"]

    private static func scopeFindings(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        let isB2C = isB2C(app)
        for scope in app.scopes {
            if reserved.contains(scope.value.lowercased()) {
                all.append(
                    finding(
                        "B2C-APP-014", "MSAL adds \(scope.value) itself and refuses it in a list",
                        "Take it out.", at: scope.location))
            } else if isPlaceholder(scope.value) || scope.value.contains("<") {
                all.append(
                    finding(
                        "B2C-APP-020", "the scope \"\(scope.value)\" was left as the template has it",
                        "Write https://TENANT.onmicrosoft.com/API/PERMISSION.", at: scope.location))
            } else if isB2C, !scope.value.contains("://"), !RedirectURIs.isGUID(scope.value),
                !scope.value.contains("\\(")
            {
                all.append(
                    finding(
                        "B2C-APP-016", "\"\(scope.value)\" names no API",
                        "Write https://TENANT.onmicrosoft.com/API/\(scope.value).", at: scope.location))
            }
        }
        return all
    }

    /// Whether the app signs in at B2C, as opposed to a directory tenant.
    static func isB2C(_ app: AppProject) -> Bool {
        app.scans.contains { entry in
            entry.scan.has("MSALB2CAuthority")
                || entry.scan.tokens.contains {
                    $0.kind == .text && ($0.text.contains("b2clogin.com") || $0.text.lowercased().contains("/tfp/"))
                }
        }
    }

    private static func authorities(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans {
            for token in entry.scan.tokens where token.kind == .text {
                let text = token.text
                let lower = text.lowercased()
                guard lower.contains("b2clogin.com") || lower.contains("/tfp/") || lower.contains("/b2c_1") else {
                    continue
                }
                guard lower.contains("://"), !lower.contains("/oauth2/"), !lower.contains(".well-known") else {
                    continue
                }
                let place = entry.scan.location(token)
                let filled = text.split(separator: "%@", omittingEmptySubsequences: false).joined(separator: "x")
                guard lower.hasPrefix("https://") else {
                    all.append(
                        finding(
                            "B2C-APP-015", "the authority \"\(text)\" is not https", "Begin with https://.", at: place))
                    continue
                }
                let path = filled.dropFirst("https://".count).drop { $0 != "/" }
                let parts = path.split(separator: "/").map(String.init)
                if parts.first?.lowercased() == "tfp" {
                    if parts.count < 3 {
                        all.append(
                            finding(
                                "B2C-APP-015", "after /tfp/ tenant and policy are expected",
                                "Write https://HOST/tfp/TENANT/POLICY.", at: place))
                    }
                } else if parts.count >= 2, parts[1].lowercased().hasPrefix("b2c_1"),
                    !entry.scan.has("MSALB2CAuthority")
                {
                    all.append(
                        finding(
                            "B2C-APP-015", "without /tfp/ MSALAuthority takes this for a directory tenant",
                            "Write https://HOST/tfp/TENANT/POLICY, or use MSALB2CAuthority.", at: place))
                }
            }
        }
        return all
    }

    /// Every policy that is used must be among the known authorities. The names are followed through
    /// `let x = getAuthority(forPolicy: kPolicy)`.
    private static func knownAuthorities(_ app: AppProject) -> [Finding] {
        guard isB2C(app) || !app.places("forPolicy").isEmpty else { return [] }
        let configurations = app.places("MSALPublicClientApplicationConfig")
        guard let configuration = configurations.first else { return [] }
        let lists = app.places("knownAuthorities", "=")
        guard let list = lists.first else {
            let trusted = app.authorities.contains { $0.value.contains("login.microsoftonline.com") }
            if trusted { return [] }
            return [
                finding(
                    "B2C-APP-017", "knownAuthorities is not set",
                    "Set it to the authorities of all policies that the app uses.",
                    at: configuration.scan.location(configuration.scan.tokens[configuration.index]))
            ]
        }
        let named = list.scan.enclosed(from: list.index + 2).filter { $0.kind == .word }.map(\.text)
        // Policies whose authority some variable holds.
        var policyOf: [(variable: String, policy: String)] = []
        var used: [(policy: String, location: SourceLocation)] = []
        for entry in app.scans {
            for index in entry.scan.occurrences(of: ["forPolicy", ":"]) {
                var at = index + 2
                let tokens = entry.scan.tokens
                while at + 1 < tokens.count, tokens[at].text == "self", tokens[at + 1].text == "." { at += 2 }
                guard at < tokens.count, tokens[at].kind == .word, tokens[at].text != "String" else { continue }
                let policy = tokens[at].text
                // The declaration of the function itself has a type here.
                if at + 1 < tokens.count, tokens[at + 1].text == ":" { continue }
                used.append((policy, entry.scan.location(tokens[at])))
                var back = index - 1
                while back > 0, tokens[back].text != "=", tokens[back].text != "{", tokens[back].text != "}" {
                    back -= 1
                }
                if back > 0, tokens[back].text == "=", tokens[back - 1].kind == .word {
                    policyOf.append((tokens[back - 1].text, policy))
                }
            }
        }
        let known = Set(policyOf.filter { named.contains($0.variable) }.map(\.policy))
        guard !known.isEmpty else { return [] }
        var reported: Set<String> = []
        return used.compactMap { policy, location in
            guard !known.contains(policy), reported.insert(policy).inserted else { return nil }
            return finding(
                "B2C-APP-017", "the authority of \(policy) is not among the known authorities",
                "Add it to knownAuthorities.", at: location)
        }
    }

    private static func silentParameters(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans {
            let tokens = entry.scan.tokens
            for index in entry.scan.occurrences(of: ["MSALSilentTokenParameters", "("]) {
                var back = index - 1
                while back > 0, tokens[back].text == "=" || tokens[back].text == "try" { back -= 1 }
                guard back >= 0, tokens[back].kind == .word else { continue }
                let variable = tokens[back].text
                // The same variable until it is made again.
                for at in (index + 1)..<max(tokens.count - 2, index + 1) {
                    if tokens[at].text == "let" || tokens[at].text == "var", tokens[at + 1].text == variable { break }
                    guard tokens[at].text == variable, tokens[at + 1].text == ".", tokens[at + 2].text == "loginHint"
                    else { continue }
                    all.append(
                        finding(
                            "B2C-APP-018", "MSALSilentTokenParameters has no loginHint: this does not compile",
                            "Remove it; the account names the person.", at: entry.scan.location(tokens[at + 2])))
                }
            }
            for index in entry.scan.occurrences(of: ["MSALWebviewParameters", "(", ")"]) {
                all.append(
                    finding(
                        "B2C-APP-026", "the parameters have no view to be shown in",
                        "Write MSALWebviewParameters(authPresentationViewController:).",
                        at: entry.scan.location(tokens[index])))
            }
        }
        return all
    }

    private static func pastAPIs(_ app: AppProject) -> [Finding] {
        app.places("UIWebView").map { place in
            finding(
                "B2C-APP-019", "UIWebView is gone from iOS, and the App Store refuses it", "Use WKWebView.",
                at: place.scan.location(place.scan.tokens[place.index]))
        }
    }

    /// Reading parts of an account identifier.
    private static func identifiers(_ app: AppProject) -> [Finding] {
        let reading = ["components", "split", "hasPrefix", "hasSuffix", "range", "contains", "prefix", "suffix"]
        var all: [Finding] = []
        for entry in app.scans {
            let tokens = entry.scan.tokens
            for index in tokens.indices.dropLast(3) where tokens[index].kind == .word {
                let name = tokens[index].text
                guard name == "objectId" || name == "identifier" || name == "homeAccountId" else { continue }
                var at = index + 1
                while at < tokens.count, tokens[at].text == "?" || tokens[at].text == "!" { at += 1 }
                guard at + 1 < tokens.count, tokens[at].text == ".", reading.contains(tokens[at + 1].text) else {
                    continue
                }
                // `identifier` alone is a common word; it is an account's only behind one.
                let isAccount =
                    name != "identifier" || index > 1 && tokens[index - 2].text.lowercased().contains("account")
                guard isAccount else { continue }
                all.append(
                    finding(
                        "B2C-APP-023", "`\(name)` is taken apart by \(tokens[at + 1].text)",
                        "Compare identifiers whole; ask for the account of a policy by its authority.",
                        at: entry.scan.location(tokens[index])))
            }
        }
        return all
    }

    private static func logs(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans {
            for name in ["NSLog", "print", "os_log", "debugPrint", "NSString"] {
                for index in entry.scan.occurrences(of: [name, "("]) {
                    let inside = entry.scan.enclosed(from: index + 1)
                    let tellsToken = inside.contains {
                        $0.kind == .word && ($0.text == "accessToken" || $0.text == "idToken")
                            || $0.kind == .text && $0.text.contains("\\(") && $0.text.contains("accessToken")
                    }
                    guard tellsToken, name != "NSString" else { continue }
                    all.append(
                        finding(
                            "B2C-APP-024", "an access token is written to the log", "Log that there is one, not which.",
                            at: entry.scan.location(entry.scan.tokens[index])))
                }
            }
        }
        return all
    }

    private static func carelessness(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans {
            let scan = entry.scan
            for index in scan.occurrences(of: ["as", "!", "Error"]) {
                all.append(castFinding(scan.location(scan.tokens[index])))
            }
            for token in scan.tokens where token.kind == .text && token.text.contains("as! Error") {
                all.append(castFinding(scan.location(token)))
            }
            for index in scan.occurrences(of: ["assert", "(", "true"]) {
                all.append(
                    finding(
                        "B2C-APP-027", "assert(true) never fires", "Write assertionFailure, or handle the case.",
                        at: scan.location(scan.tokens[index])))
            }
            for index in scan.occurrences(of: ["initWithClientId"]) {
                let rest = scan.tokens[index...].prefix { $0.text != "]" && $0.text != ";" }
                guard let error = rest.firstIndex(where: { $0.text == "error" }), error + 2 < scan.tokens.count,
                    scan.tokens[error + 2].text == "nil"
                else { continue }
                all.append(
                    finding(
                        "B2C-APP-028", "why the client could not be made is thrown away",
                        "Pass an NSError and stop when there is no client.", at: scan.location(scan.tokens[error])))
            }
            all += fallThrough(scan)
        }
        return all
    }

    private static func castFinding(_ location: SourceLocation) -> Finding {
        finding(
            "B2C-APP-025", "a text is cast to Error by force: this crashes when there is no error",
            "Write error.map { ... } or a text of its own.", at: location)
    }

    /// The branch for `interactionRequired` that starts an interactive call and does not return: what follows reports
    /// an error beside it.
    private static func fallThrough(_ scan: CodeScan) -> [Finding] {
        scan.tokens.indices.compactMap { index in
            guard scan.tokens[index].text == "interactionRequired", scan.tokens[index].kind == .word else { return nil }
            var open = index
            while open < scan.tokens.count, scan.tokens[open].text != "{", open - index < 12 { open += 1 }
            guard open < scan.tokens.count, scan.tokens[open].text == "{" else { return nil }
            let body = scan.enclosed(from: open)
            guard !body.contains(where: { $0.text == "return" && $0.kind == .word }),
                body.count > 0
            else { return nil }
            // Only where something follows that would run as well.
            let end = body.endIndex
            var next = end
            while next < scan.tokens.count, scan.tokens[next].text == "}" { next += 1 }
            guard next < scan.tokens.count, scan.tokens[next].text != "else", scan.tokens[next].text != "catch",
                scan.tokens[next].text != "func", scan.tokens[next].text != ")"
            else { return nil }
            return finding(
                "B2C-APP-029", "the branch for interactionRequired does not return: what follows runs as well",
                "End it with return.", at: scan.location(scan.tokens[index]))
        }
    }

    // MARK: Against registration and tenant file

    /// Whether the registration that lies beside the app has what the app sends. Without a redirect URI of its own MSAL
    /// sends `msauth.BUNDLE://auth`.
    static func registration(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for id in app.clientIDs {
            guard let own = app.registrations.first(where: { RedirectURIs.sameGUID($0.clientID ?? "", id.value) })
            else {
                continue
            }
            var sent = app.redirectURIs.filter { !isPlaceholder($0.value) }
            if sent.isEmpty, app.redirectURIs.isEmpty, let bundle = app.bundleID {
                sent = [AppFact(value: AppleRedirectURI.standard(bundle: bundle.value), location: id.location)]
            }
            for uri in sent {
                all += RedirectURIs.agreement(
                    sent: uri.value, at: uri.location, registered: own.redirectURIs, where: own.file)
            }
        }
        return all
    }

    static func tenant(_ app: AppProject) -> [Finding] {
        guard let tenant = app.tenant else { return [] }
        var all: [Finding] = []
        let known = tenant.apps
        for id in app.clientIDs where RedirectURIs.isGUID(id.value) {
            guard let own = known.first(where: { RedirectURIs.sameGUID($0.client.clientId, id.value) }) else {
                all.append(
                    finding(
                        "B2C-APP-030", "the tenant has no app with the client id \"\(id.value)\"",
                        known.isEmpty
                            ? nil : "It has \(namesList(known.map { "\($0.client.clientId) (\($0.name))" })).",
                        at: id.location))
                continue
            }
            let registered = own.registration.redirectUris.all.map { PlacedURI(uri: $0.uri, platform: $0.platform) }
            for uri in app.redirectURIs where !isPlaceholder(uri.value) {
                all += RedirectURIs.agreement(
                    sent: uri.value, at: uri.location, registered: registered,
                    where: "the registration of \(own.name)")
            }
        }
        for (_, policy) in app.policies where !isPlaceholder(policy.value) && !policy.value.contains("%@") {
            guard policy.value.lowercased().hasPrefix("b2c_1"), tenant.policy(id: policy.value) == nil else { continue }
            let ids = tenant.policies.map(\.id)
            all.append(
                finding(
                    "B2C-APP-030", "the tenant has no policy \"\(policy.value)\"",
                    nearestName(policy.value, among: ids).map { "Did you mean \"\($0)\"?" }
                        ?? "It has \(namesList(ids)).", at: policy.location,
                    corrected: nearestName(policy.value, among: ids)))
        }
        return all
    }
}
