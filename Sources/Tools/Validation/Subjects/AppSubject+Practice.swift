import Diagnostics
import HTTPMessages

/// What apps on MSAL do that compiles, and goes wrong later.
extension AppSubject {
    static func practice(_ app: AppProject) -> [Finding] {
        let judges: [(AppProject) -> [Finding]] = [
            authorityClass, graphEndpoint, callsOfAPIs, settings, clearedToken, strayBackticks, removedInitialisers,
            cancelledSignIn, oneValue,
        ]
        return judges.flatMap { $0(app) }
    }

    // MARK: Authorities and endpoints

    /// `MSALAADAuthority(url:)` takes https URLs with a tenant, and neither B2C's nor AD FS' paths (MSIDAADAuthority.m).
    private static func authorityClass(_ app: AppProject) -> [Finding] {
        let uses = app.scans.contains { $0.scan.has("MSALAADAuthority") }
        let isDirectoryOnly = uses && !app.scans.contains { $0.scan.has("MSALB2CAuthority") }
        var facts = isDirectoryOnly ? app.authorities : []
        for place in app.places("MSALAADAuthority", "(") {
            for token in place.scan.enclosed(from: place.index + 1) where token.kind == .text {
                guard token.text.contains("://") else { continue }
                facts.append(AppFact(value: token.text, location: place.scan.location(token)))
            }
        }
        return facts.compactMap { fact in
            guard !fact.value.contains("%@"), !fact.value.contains("\\(") else { return nil }
            let url = WebURL(fact.value)
            let first = url?.path.split(separator: "/").first.map { String($0).asciiLowercased }
            let host = url?.host ?? ""
            let why: String
            if url?.scheme != "https" {
                why = "is not https: MSAL answers with -51100"
            } else if first == "tfp" || host.hasSuffix(".b2clogin.com") {
                why = "is one of B2C: MSALAADAuthority is for directories, and refuses the path /tfp/ with -51112"
            } else if first == "adfs" || host.hasSuffix(".ciamlogin.com") {
                why = "is not a directory's: MSALAADAuthority refuses it with -51112"
            } else if first == nil {
                why = "names no tenant: MSAL answers with -51100"
            } else {
                return nil
            }
            return finding(
                "B2C-APP-031", "the authority \"\(fact.value)\" \(why)",
                host.hasSuffix(".b2clogin.com") || first == "tfp"
                    ? "Use MSALB2CAuthority." : "Write https://login.microsoftonline.com/common or the tenant's own.",
                at: fact.location)
        }
    }

    /// The root of Graph, to which code adds a version. With or without a last slash is the code's own matter.
    private static func graphEndpoint(_ app: AppProject) -> [Finding] {
        app.constants(named: "graphendpoint").compactMap { fact in
            let url = WebURL(fact.value)
            let addsVersion = app.scans.contains { entry in
                entry.scan.tokens.contains { $0.kind == .text && $0.text.contains("v1.0/") && !$0.text.contains("://") }
            }
            let parts = url?.path.split(separator: "/") ?? []
            let why: String
            if url?.scheme != "https" || url?.host == nil {
                why = "is not an https URL"
            } else if addsVersion, !parts.isEmpty {
                why = "has a path, and the code adds v1.0 once more"
            } else {
                return nil
            }
            return finding(
                "B2C-APP-032", "the Graph endpoint \"\(fact.value)\" \(why)", "Write https://graph.microsoft.com.",
                at: fact.location)
        }
    }

    // MARK: Calls of APIs

    /// The callbacks of data tasks that send a token.
    private static func callsOfAPIs(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans where entry.file.kind == .swiftSource {
            let tokens = entry.scan.tokens
            guard tokens.contains(where: { $0.kind == .text && $0.text.contains("Bearer") }) else { continue }
            for index in entry.scan.occurrences(of: ["dataTask", "("]) {
                let arguments = entry.scan.enclosed(from: index + 1)
                let open =
                    arguments.indices.first { tokens[$0].text == "{" && tokens[$0].kind == .symbol }
                    ?? (arguments.endIndex + 1)
                guard open < tokens.count, tokens[open].text == "{" else { continue }
                let body = entry.scan.enclosed(from: open)
                if let blind = ignoresStatus(body) {
                    all.append(
                        finding(
                            "B2C-APP-033", "the status of the API's answer is \(blind): a 401 is taken for a result",
                            "Look at (response as? HTTPURLResponse)?.statusCode.",
                            at: entry.scan.location(tokens[index])))
                }
                for at in body.indices.dropLast() {
                    guard tokens[at].text == "data", tokens[at].kind == .word, tokens[at + 1].text == "!",
                        at + 2 >= tokens.count || tokens[at + 2].text != "="
                    else { continue }
                    all.append(
                        finding(
                            "B2C-APP-034", "`data!` crashes when the answer has no body",
                            "Write guard let data else { ... }.", at: entry.scan.location(tokens[at])))
                }
            }
        }
        return all
    }

    /// How the closure passes over the response; `nil` when it looks at it.
    private static func ignoresStatus(_ body: ArraySlice<CodeScan.Token>) -> String? {
        guard let start = body.firstIndex(where: { $0.text == "in" && $0.kind == .word }) else { return nil }
        var names: [String] = []
        var depth = 0
        var expects = true
        for token in body[..<start] where token.kind != .text {
            if token.text == "(" { continue }
            if token.text == "<" || token.text == "[" { depth += 1 }
            if token.text == ">" || token.text == "]" { depth -= 1 }
            if token.text == ",", depth == 0 {
                expects = true
            } else if expects, token.kind == .word {
                names.append(token.text)
                expects = false
            }
        }
        guard names.count >= 2 else { return nil }
        if names[1] == "_" { return "thrown away" }
        let isUsed = body[start...].contains { $0.kind == .word && $0.text == names[1] || $0.text == "statusCode" }
        return isUsed ? nil : "not looked at"
    }

    // MARK: Settings

    /// Settings of the samples for B2C and for directories, by their constants' names.
    private static let settingNames = [
        "kTenantName", "kAuthorityHostName", "kClientID", "kRedirectUri", "kSignupOrSigninPolicy", "kEditProfilePolicy",
        "kResetPasswordPolicy", "kGraphURI", "kScopes", "kEndpoint", "kGraphEndpoint", "kAuthority",
    ]

    private static func settings(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for name in settingNames {
            var firstUse: SourceLocation?
            var isDeclared = false
            for entry in app.scans {
                let tokens = entry.scan.tokens
                for (index, token) in tokens.enumerated() where token.kind == .word && token.text == name {
                    let before = index > 0 ? tokens[index - 1].text : ""
                    let after = index + 1 < tokens.count ? tokens[index + 1].text : ""
                    if ["let", "var", "define", "*", "const"].contains(before) || after == "=" {
                        isDeclared = true
                    } else if firstUse == nil {
                        firstUse = entry.scan.location(token)
                    }
                }
            }
            guard !isDeclared, let firstUse else { continue }
            all.append(
                finding(
                    "B2C-APP-035", "the setting \(name) is used and nothing here declares it",
                    "Declare it with the value of your tenant and app registration.", at: firstUse))
        }
        for fact in app.constants(named: "authorityhost") + app.constants(named: "hostname") {
            guard !isPlaceholder(fact.value), fact.value.contains("/") || fact.value.contains(":") else { continue }
            let host = WebURL(fact.value)?.host
            all.append(
                finding(
                    "B2C-APP-035", "\"\(fact.value)\" is not a host name: the authority is put together from it",
                    host.map { "Write \"\($0)\"." } ?? "Write a host such as contoso.b2clogin.com.", at: fact.location,
                    corrected: host))
        }
        for fact in app.constants(named: "tenantname") where !isPlaceholder(fact.value) {
            guard !fact.value.contains(".") || fact.value.contains("/"), !RedirectURIs.isGUID(fact.value) else {
                continue
            }
            all.append(
                finding(
                    "B2C-APP-035", "\"\(fact.value)\" is not a tenant's domain name",
                    "Write it in full, such as contoso.onmicrosoft.com.", at: fact.location))
        }
        for (name, fact) in app.policies where isB2C(app) && name.hasSuffix("Policy") {
            guard !isPlaceholder(fact.value), !fact.value.contains("%@"), !fact.value.isEmpty,
                !fact.value.lowercased().hasPrefix("b2c_1")
            else { continue }
            all.append(
                finding(
                    "B2C-APP-035", "\"\(fact.value)\" is not a policy's name",
                    "Policies are called B2C_1_NAME or B2C_1A_NAME.",
                    at: fact.location))
        }
        return all + template(app)
    }

    /// The text that `String(format:)` makes the authority of: host, tenant and policy.
    private static func template(_ app: AppProject) -> [Finding] {
        app.constants(named: "endpoint").compactMap { fact in
            let parts = fact.value.split(separator: "%@", omittingEmptySubsequences: false)
            guard parts.count > 1, isB2C(app), fact.value.lowercased().hasPrefix("https://") else { return nil }
            if parts.count != 4 {
                return finding(
                    "B2C-APP-015", "\"\(fact.value)\" has \(parts.count - 1) places to fill in",
                    "Host, tenant and policy go in: https://%@/tfp/%@/%@.", at: fact.location)
            }
            guard !fact.value.lowercased().contains("/tfp/") else { return nil }
            return Finding(
                "B2C-APP-015", "\"\(fact.value)\" lacks /tfp/: every class but MSALB2CAuthority drops the policy",
                remedy: "Write https://%@/tfp/%@/%@.", at: fact.location, severity: .warning,
                corrected: "https://%@/tfp/%@/%@")
        }
    }

    /// The same setting in two files of one app.
    private static func oneValue(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for name in settingNames {
            var first: (value: String, location: SourceLocation)?
            for entry in app.scans {
                let texts = entry.scan.constants.filter { $0.name == name }.map { ($0.token.text, $0.token) }
                let lists = entry.scan.lists.filter { $0.name == name }.compactMap { list in
                    list.tokens.first.map { (list.tokens.map(\.text).sorted().joined(separator: " "), $0) }
                }
                for (value, token) in texts + lists {
                    guard let known = first else {
                        first = (value, entry.scan.location(token))
                        continue
                    }
                    guard known.value != value, known.location.file != entry.file.path else { continue }
                    all.append(
                        finding(
                            "B2C-APP-041", "\(name) has another value here than in \(known.location)",
                            "Keep one declaration, or make them agree.", at: entry.scan.location(token)))
                }
            }
        }
        return all
    }

    // MARK: Signing in and out

    /// A function that removes the account and leaves its token in the variable that API calls read.
    private static func clearedToken(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans where entry.file.kind == .swiftSource {
            let tokens = entry.scan.tokens
            guard !entry.scan.occurrences(of: ["accessToken", "="]).isEmpty else { continue }
            for function in entry.scan.occurrences(of: ["func"]) {
                guard let open = tokens[function...].firstIndex(where: { $0.text == "{" && $0.kind == .symbol }) else {
                    continue
                }
                let body = entry.scan.enclosed(from: open)
                let removal = body.indices.first { at in
                    guard at > 1, at + 1 < tokens.count, tokens[at + 1].text == "(", tokens[at - 1].text == "." else {
                        return false
                    }
                    if tokens[at].text == "signout" { return true }
                    var receiver = at - 2
                    while receiver > 0, tokens[receiver].text == "?" || tokens[receiver].text == "!" { receiver -= 1 }
                    return tokens[at].text == "remove" && tokens[receiver].text.lowercased().contains("application")
                }
                guard let removal else { continue }
                let isCleared = body.indices.dropLast().contains {
                    tokens[$0].text == "accessToken" && tokens[$0 + 1].text == "="
                }
                guard !isCleared else { continue }
                all.append(
                    finding(
                        "B2C-APP-036", "the account goes, and accessToken keeps its token",
                        "Set accessToken to nil or an empty text here.", at: entry.scan.location(tokens[removal])))
            }
        }
        return all
    }

    /// An alert over a failed sign-in, in an app that never asks whether the person cancelled it.
    private static func cancelledSignIn(_ app: AppProject) -> [Finding] {
        let words = ["userCanceled", "MSALErrorUserCanceled"]
        let asks = app.scans.contains { entry in
            words.contains(where: entry.scan.has)
                || entry.scan.tokens.contains { $0.kind == .number && $0.text == "50005" }
        }
        guard !asks, app.scans.contains(where: { $0.scan.has("MSALInteractiveTokenParameters") }) else { return [] }
        for entry in app.scans {
            // The file that starts the sign-in, by itself or through a class of the app's own.
            let starts = entry.scan.tokens.contains {
                $0.kind == .word
                    && ($0.text.contains("Interactively") || $0.text == "acquireToken"
                        || $0.text == "acquireTokenWithParameters")
            }
            guard starts,
                let alert = entry.scan.tokens.first(where: {
                    $0.kind == .word && ($0.text == "UIAlertController" || $0.text == "NSAlert")
                })
            else { continue }
            return [
                finding(
                    "B2C-APP-040", "an alert is shown for every error, a sign-in that the person cancelled too",
                    "Say nothing for MSALErrorUserCanceled (-50005).", at: entry.scan.location(alert))
            ]
        }
        return []
    }

    // MARK: What does not compile

    private static func strayBackticks(_ app: AppProject) -> [Finding] {
        app.scans.filter { $0.file.kind == .objectiveCSource }.compactMap { entry in
            guard let token = entry.scan.tokens.first(where: { $0.kind == .symbol && $0.text == "`" }) else {
                return nil
            }
            return finding(
                "B2C-APP-038", "Objective-C has no backtick: this does not compile", "Take it out.",
                at: entry.scan.location(token),
                fix: Fix(
                    file: entry.file.path, title: "Take the backtick out",
                    edits: [Fix.Edit(offset: token.range.lowerBound, length: token.range.count, replacement: "")],
                    isSafe: true))
        }
    }

    /// Initialisers that MSAL 2 took out, and view parameters that have no view.
    private static func removedInitialisers(_ app: AppProject) -> [Finding] {
        var all: [Finding] = []
        for entry in app.scans {
            let tokens = entry.scan.tokens
            func add(_ index: Int) {
                all.append(
                    finding(
                        "B2C-APP-039", "`\(tokens[index].text)` is gone from MSAL 2",
                        "Use initWithAuthPresentationViewController, in Swift authPresentationViewController.",
                        at: entry.scan.location(tokens[index])))
            }
            for index in entry.scan.occurrences(of: ["initWithParentViewController"]) { add(index) }
            for index in entry.scan.occurrences(of: ["MSALWebviewParameters", "(", "parentViewController"]) {
                add(index + 2)
            }
            for pattern in [
                ["MSALWebviewParameters", "alloc", "]", "init", "]"], ["MSALWebviewParameters", "new", "]"],
            ] {
                for index in entry.scan.occurrences(of: pattern) {
                    all.append(
                        finding(
                            "B2C-APP-026", "the parameters have no view to be shown in",
                            "Use initWithAuthPresentationViewController.", at: entry.scan.location(tokens[index])))
                }
            }
        }
        return all
    }

    // MARK: Across apps

    /// Apps that share a keychain group must be signed by one team: the group's name begins with the team's id.
    static func teams(_ apps: [AppProject]) -> [Finding] {
        var first: AppFact?
        var all: [Finding] = []
        for app in apps {
            let shares = app.entitlements.contains { entry in
                (entry.list["keychain-access-groups"]?.item.items ?? []).contains { item in
                    item.text.map { $0.hasSuffix("adalcache") || $0.hasSuffix("universalstorage") } ?? false
                }
            }
            guard shares else { continue }
            for team in app.buildSetting("DEVELOPMENT_TEAM") where !team.value.isEmpty && !team.value.contains("$") {
                guard let known = first else {
                    first = team
                    continue
                }
                guard known.value != team.value else { continue }
                all.append(
                    finding(
                        "B2C-APP-037",
                        "the team \"\(team.value)\" signs here, and \"\(known.value)\" in \(known.location)",
                        "Sign apps that share a keychain group with one team.", at: team.location,
                        corrected: known.value))
            }
        }
        return all
    }

    /// Xamarin projects beside native apps: the versions from which sign-ins are shared (Microsoft docs: migrate-objc-adal-msal).
    static func dotnetProjects(_ project: Project) -> [Finding] {
        var all: [Finding] = []
        for file in project.files(.dotnetProject) {
            let lines = file.lines
            guard lines.contains(where: { $0.contains("Xamarin") || $0.contains("-ios") || $0.contains("-mac") }) else {
                continue
            }
            for (name, least) in [
                ("Microsoft.Identity.Client", [2, 4, 0]),
                ("Microsoft.IdentityModel.Clients.ActiveDirectory", [4, 4, 0]),
            ] {
                for (number, line) in lines.enumerated() {
                    guard line.contains("\"\(name)\"") else { continue }
                    let own = [line] + lines.dropFirst(number + 1).prefix(1).filter { $0.contains("<Version>") }
                    guard let version = own.lazy.compactMap(version(in:)).first,
                        version.lexicographicallyPrecedes(least)
                    else { continue }
                    all.append(
                        finding(
                            "B2C-APP-013", "\(name) shares sign-ins with MSAL from \(dotted(least)) on",
                            "Ask for \(dotted(least)) or later.", at: file.location(line: number + 1, of: name)))
                }
            }
        }
        return all
    }

    private static func dotted(_ version: [Int]) -> String { version.map(String.init).joined(separator: ".") }

    /// The numbers after `Version="` or `<Version>`.
    private static func version(in line: String) -> [Int]? {
        for mark in ["Version=\"", "<Version>"] {
            guard let range = line.range(ofASCII: Array(mark.utf8)) else { continue }
            let text = line[range.upperBound...].prefix { $0.isNumber || $0 == "." }
            let numbers = text.split(separator: ".").compactMap { Int($0) }
            if !numbers.isEmpty { return numbers }
        }
        return nil
    }
}
