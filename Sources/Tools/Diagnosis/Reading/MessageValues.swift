/// Compares the values that messages quote: what a token says and what the app expects, where a call was blocked, when
/// a grant was issued. A difference in the text proves a cause; a code alone does not.
enum MessageValues {
    static func read(_ places: PhraseIndex.Places, _ text: SymptomText, into facts: inout SymptomFacts) {
        for phrase in audiencePhrases {
            for place in places.all(phrase).prefix(most) { audience(text, place, &facts) }
        }
        for phrase in issuerPhrases {
            for place in places.all(phrase).prefix(most) { issuer(text, place, &facts) }
        }
        for phrase in issuerPairs {
            for place in places.all(phrase).prefix(most) { issuerPair(text, place, &facts) }
        }
        for (phrase, trait) in verdicts {
            if let place = places[phrase] { facts.add(trait, text.line(ofPlain: place), phrase) }
        }
        for place in places.all(key).prefix(most) { signingKey(text, place, &facts) }
        for place in places.all(grant).prefix(most) { lifetime(text, place, &facts) }
        for place in places.all(blocked).prefix(most) { crossOrigin(text, place, &facts) }
        for place in places.all(failedToLoad).prefix(most) {
            let window = text.window(place)
            guard window.contains("no 'access-control-allow-origin' header"),
                let mark = window.firstRange(of: "failed to load ")
            else { continue }
            let address = window[mark.upperBound...].prefix { $0 != " " }
            note(String(address.hasSuffix(":") ? address.dropLast() : address), text.line(ofPlain: place), &facts)
        }
    }

    private static let audiencePhrases = ["audiences: '*", "audience: '*"]
    private static let issuerPhrases = ["issuer: '*", "unexpected iss value*", "jwt issuer invalid. expected:*"]
    /// Messages of other libraries that quote both issuers.
    private static let issuerPairs = [
        "wrong issuer from token*", "expected iss claim to be*", "id token issued by a different provider*",
        "invalid issuer. expected*", "issuer (iss) claim value*", "requested issuer (*",
    ]
    /// The last words of the messages that say what else was checked when the key was not found (IDX10516 and others).
    private static let verdicts: [(phrase: String, trait: Trait)] = [
        ("valid issuer: 'false'", .issuerInvalid), ("valid lifetime: 'false'", .lifetimeInvalid),
    ]
    private static let key = "kid: '*"
    private static let grant = "grant issued time:*"
    private static let blocked = "blocked by cors policy"
    /// Older browsers: `Failed to load https://...: No 'Access-Control-Allow-Origin' header is present`.
    private static let failedToLoad = "failed to load http*"
    /// So many messages of a kind are compared.
    private static let most = 20

    /// What is looked up.
    static var phrases: [String] {
        audiencePhrases + issuerPhrases + issuerPairs + verdicts.map(\.phrase) + [key, grant, blocked, failedToLoad]
    }

    // MARK: Audiences

    private static func audience(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let window = text.window(place)
        guard window.contains("did not match"), let token = quoted("audience", window) ?? quoted("audiences", window)
        else { return }
        let line = text.line(ofPlain: place)
        guard !isHidden(token, line, &facts) else { return }
        let given = list(token)
        let expected = list(quoted("validaudience", window)) + list(quoted("validaudiences", window))
        guard !given.isEmpty else { return }
        guard !expected.isEmpty else {
            if !window.contains("[pii") { facts.add(.noExpectedAudience, line, "no expected audience is named") }
            return
        }
        func both(_ same: (String) -> String) -> Bool {
            given.contains { one in expected.contains { same(one) == same($0) } }
        }
        if both({ $0 }) {
            facts.add(.audienceLooksSame, line, "the audiences look the same")
        } else if both(trimmed) {
            facts.add(.audienceHasSpace, line, "the audiences differ in a space")
            facts.add("compare", "the audiences differ in a space alone", line: line)
        } else if both(plainAudience) {
            facts.add(.audienceForm, line, "the audiences differ in form")
            facts.add("compare", "one audience is the plain id and one is the address of the same app", line: line)
        } else if given.contains(where: isGraph) {
            facts.add(.audienceOfGraph, line, "the token is for Microsoft Graph")
            facts.add("compare", "the token's audience is Microsoft Graph", line: line)
        } else {
            facts.add(.audienceDiffers, line, "the token is for \(given[0]), expected is \(expected[0])")
            facts.add("compare", "the token is for \(given[0]), expected is \(expected[0])", line: line)
        }
    }

    private static func plainAudience(_ text: String) -> String {
        var text = trimmed(text)
        if text.hasPrefix("api://") { text.removeFirst(6) }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    private static func isGraph(_ audience: String) -> Bool {
        audience.hasPrefix("00000003-0000-0000-c000-000000000000") || audience.contains("graph.microsoft.com")
            || audience.contains("graph.windows.net")
    }

    // MARK: Issuers

    private static func issuer(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let window = text.window(place)
        let line = text.line(ofPlain: place)
        let token: String
        var expected: [String]
        if window.hasPrefix("unexpected iss value") {
            // openid-client: `unexpected iss value, expected X, got: Y`.
            guard let wanted = word(after: "expected ", window.dropFirst(20)), let got = word(after: "got: ", window)
            else { return }
            token = got
            expected = [wanted]
        } else if window.hasPrefix("jwt issuer") {
            facts.add(.issuerInvalid, line, "the issuer is not the expected one")
            return
        } else {
            // `ValidIssuer: 'x'` begins with another word, so this is the token's.
            guard let value = quoted("issuer", window) else { return }
            token = value
            expected = list(quoted("validissuer", window)) + list(quoted("validissuers", window))
            expected += list(quoted("currentconfiguration.issuer", window))
            guard !isHidden(token, line, &facts) else { return }
            if !window.contains("did not match") {
                if window.contains("does not match any of the valid issuers") {
                    facts.add(.issuerUnnamed, line, "the expected issuers are not named")
                }
                return
            }
        }
        guard token.contains("://"), !window.contains("[pii") || !expected.isEmpty else { return }
        compare(
            Issuer(token), with: expected.filter { $0.contains("://") }.map { Issuer($0) }, line: line, into: &facts)
    }

    /// Two issuers, of which the message calls one expected and the other found.
    private static func issuerPair(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let window = text.window(place, upTo: min(place + 600, text.plain.count))
        func address(after marks: [String]) -> String? {
            for mark in marks {
                guard let found = window.firstRange(of: mark) else { continue }
                let value = window[found.upperBound...].drop { " '\"(:".contains($0) }
                    .prefix { !" '\"),;".contains($0) }
                if value.contains("://") { return String(value) }
            }
            return nil
        }
        guard
            let wanted = address(after: [
                "expected value of", "expected:", "expected ", "claim to be:", "iss\" value in id_token",
            ]),
            let got = address(after: ["got:", "got ", "received ", "but was:", "claim value ", "requested issuer "]),
            wanted != got
        else { return }
        compare(Issuer(got), with: [Issuer(wanted)], line: text.line(ofPlain: place), into: &facts)
    }

    private static func compare(_ token: Issuer, with expected: [Issuer], line: Int, into facts: inout SymptomFacts) {
        guard let first = expected.first else {
            facts.add(.issuerUnnamed, line, "no expected issuer is named")
            return
        }
        let found: (trait: Trait, text: String)
        if expected.contains(where: { $0.key == token.key }) {
            found = (.issuerSlash, "the issuers differ in a slash, a space or letter case alone")
        } else if token.isDirectory, !expected.contains(where: \.isDirectory) {
            found = (.issuerOfDirectory, "the token is of a directory tenant (\(token.host)), not of B2C")
        } else if !token.isDirectory, expected.allSatisfy(\.isDirectory) {
            found = (.issuerExpectedOfDirectory, "expected is the issuer of a directory tenant (\(first.host))")
        } else if token.isDirectory, let near = expected.first(where: { $0.isDirectory && $0.tenant == token.tenant }) {
            found = (.issuerVersion, "the versions differ: the token has \(token.key), expected is \(near.key)")
        } else if let near = expected.first(where: { $0.tenant == token.tenant && $0.policy == token.policy }) {
            found = (.issuerOfOtherHost, "the hosts differ: the token has \(token.host), expected is \(near.host)")
        } else if let near = expected.first(where: { $0.tenant == token.tenant && $0.host == token.host }),
            token.policy == nil || near.policy == nil
        {
            found = (
                .issuerForm,
                "the forms differ: the token's issuer names \(token.policy.map { "the policy \($0)" } ?? "no policy"),"
                    + " the expected one \(near.policy.map { "the policy \($0)" } ?? "none")"
            )
        } else if let near = expected.first(where: { $0.tenant == token.tenant && $0.host == token.host }) {
            found = (
                .issuerOfOtherPolicy,
                "the policies differ: the token has \(token.policy ?? "none"), expected is \(near.policy ?? "none")"
            )
        } else if let near = expected.first(where: { $0.host == token.host && $0.isByName != token.isByName }) {
            found = (
                .issuerIsAddress,
                "one names the tenant by its id, the other by its name: the token has \(token.key), expected is"
                    + " \(near.key)"
            )
        } else {
            found = (
                .issuerOfOtherTenant, "the tenants differ: the token has \(token.tenant), expected is \(first.tenant)"
            )
        }
        facts.add(found.trait, line, found.text)
        facts.add("compare", found.text, line: line)
    }

    /// The parts of an issuer, in small letters.
    private struct Issuer {
        var host = ""
        var tenant = ""
        var policy: String?
        /// Whether it names the tenant by its name, as addresses do and issuers of B2C never do.
        var isByName: Bool { tenant.contains(".") }
        /// The issuer without the parts in which equal issuers may differ.
        var key: String
        var isDirectory: Bool

        init(_ text: String) {
            let text = MessageValues.trimmed(text)
            key = text
            while key.hasSuffix("/") { key.removeLast() }
            let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
            var parts = rest.split(separator: "/").map(String.init)
            host = parts.isEmpty ? "" : parts.removeFirst()
            let isPolicyForm = parts.first == "tfp"
            if isPolicyForm { parts.removeFirst() }
            tenant = parts.first ?? ""
            policy = isPolicyForm && parts.count > 1 ? parts[1] : parts.first { $0.hasPrefix("b2c_1") }
            // Before b2clogin.com B2C had the same host; its issuers end in a slash, a directory's do not.
            isDirectory =
                host == "sts.windows.net"
                || (host.hasPrefix("login.microsoftonline.") && !isPolicyForm && !text.hasSuffix("/"))
        }
    }

    // MARK: Keys, times, origins

    private static func signingKey(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let window = text.window(place)
        guard let kid = quoted("kid", window), kid.utf8.count > 3, !kid.hasPrefix("[pii") else { return }
        let before = text.window(max(0, place - 2000), upTo: place)
        let tried = window.dropFirst(kid.utf8.count)
        if ["keyid: '\(kid)'", "keyid: \(kid)"].contains(where: { tried.contains($0) || before.contains($0) }) {
            facts.add(.keyAmongThose, text.line(ofPlain: place), "kid \(kid) is among the keys")
        }
    }

    private static func lifetime(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let window = text.window(place)
        guard let issued = number(after: "issued time:", window), let ends = number(after: "expiration time:", window),
            ends > issued, ends - issued < 1 << 32
        else { return }
        let line = text.line(ofPlain: place)
        let span = ends - issued
        facts.add("lifetime of the grant", "\(span) s", line: line)
        if (86_000...86_800).contains(span) { facts.add(.grantOfADay, line, "issued \(issued), ended \(ends)") }
    }

    private static func crossOrigin(_ text: SymptomText, _ place: Int, _ facts: inout SymptomFacts) {
        let before = text.window(max(0, place - 2000), upTo: place)
        guard let mark = before.ranges(of: "access to ").last,
            let open = before[mark.upperBound...].firstIndex(where: { $0 == "'" || $0 == "\"" })
        else { return }
        let address = before[before.index(after: open)...].prefix { $0 != "'" && $0 != "\"" }
        let line = text.line(ofPlain: place)
        note(String(address), line, &facts)
        noteParties(String(address), origin: origin(before[mark.upperBound...]), line: line, into: &facts)
    }

    /// The origin that the message names.
    private static func origin(_ message: Substring) -> String? {
        guard let mark = message.firstRange(of: "from origin '") else { return nil }
        return String(message[mark.upperBound...].prefix { $0 != "'" })
    }

    /// Caller and called: a page of the login host its template, or the app its own API.
    private static func noteParties(_ address: String, origin: String?, line: Int, into facts: inout SymptomFacts) {
        func isLogin(_ text: String) -> Bool {
            let host = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { !"/:?#".contains($0) } } ?? ""
            return host.hasSuffix(".b2clogin.com") || host.hasPrefix("login.microsoftonline.")
        }
        if let origin, isLogin(origin) {
            facts.add(.corsFromLoginHost, line, "\(origin) asks \(address.prefix { $0 != "?" })")
        } else if !isLogin(address), !address.contains("/oauth2/v2.0/"), !address.contains("/.well-known/") {
            facts.add(.corsAtOwnApi, line, String(address.prefix { $0 != "?" }))
        }
    }

    /// A call of a script to an address that answered without a CORS header.
    private static func note(_ address: String, _ line: Int, _ facts: inout SymptomFacts) {
        let path = address.prefix { $0 != "?" }
        if path.hasSuffix("/token") {
            facts.add(.corsAtToken, line, String(path))
            return
        }
        facts.add(.corsElsewhere, line, String(path))
        if path.hasSuffix("/authorize") { facts.add(.corsAtAuthorize, line, String(path)) }
        if path.hasSuffix("/openid-configuration") { facts.add(.corsAtMetadata, line, String(path)) }
    }

    // MARK: Pieces

    /// The value in quotation marks after `name:`, where the name is a whole word.
    private static func quoted(_ name: String, _ window: Substring) -> String? {
        var rest = window[...]
        while let mark = rest.firstRange(of: "\(name): '") {
            let isWhole =
                mark.lowerBound == window.startIndex
                || !(window[window.index(before: mark.lowerBound)].isLetter)
            if isWhole { return String(window[mark.upperBound...].prefix { $0 != "'" }) }
            rest = rest[mark.upperBound...]
        }
        return nil
    }

    private static func word(after mark: String, _ window: Substring) -> String? {
        guard let found = window.firstRange(of: mark) else { return nil }
        let value = window[found.upperBound...].prefix { $0 != " " && $0 != "," && $0 != "'" && $0 != "\"" }
        return value.isEmpty ? nil : String(value)
    }

    private static func number(after mark: String, _ window: Substring) -> Int? {
        guard let found = window.firstRange(of: mark) else { return nil }
        return Int(window[found.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map(String.init).map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }
            .filter { $0 != "null" && $0 != "" && !$0.hasPrefix("[pii") && !$0.hasPrefix("microsoft.identitymodel") }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func isHidden(_ value: String, _ line: Int, _ facts: inout SymptomFacts) -> Bool {
        guard value.hasPrefix("[pii") else { return false }
        facts.note(
            "the message in line \(line) hides its values; set IdentityModelEventSource.ShowPII to true while developing,"
                + " and explain the new text")
        return true
    }
}
