/// What sort of secret is at a place. The raw value begins its label in reports: `<token 1>`.
///
/// The names by which secrets are known are listed here and nowhere else: reports, logs, events, `explain`, excerpts of
/// findings, bundles, imports and the access log ask this list, so that a name which is added is masked by all of them.
package enum SecretKind: String, CaseIterable {
    case token
    case code
    case password
    case cookie
    case secret

    // MARK: Places

    /// The kind of the text at a place, known by the names that lead there; `nil` where texts are not secrets.
    ///
    /// - Parameters:
    ///   - name: the member's own name.
    ///   - path: the names and indices above it, outermost first.
    package static func at(_ name: String, under path: [String]) -> SecretKind? {
        let word = plain(name)
        if let kind = named(word: word) { return isSetting(name, word) ? nil : kind }
        switch word {
        case "code":
            // `code` is also the number of an error, so the place decides.
            return path.last.map(isCarrier) ?? false || path.contains("messages") || path.last == "message"
                ? .code : nil
        case "value":
            if path.contains("cookies") { return .cookie }
            if path.contains("fields"), let field = path.last { return fieldKind(plain(field)) }
            return nil
        default:
            guard let last = path.last, last == "fields" || isCarrier(last), !isSetting(name, word) else { return nil }
            return fieldKind(word)
        }
    }

    /// The kind of a parameter of a URL or a form, or of a member of JSON inside a text; `nil` where it is not a secret.
    ///
    /// - Parameter value: What it says, where that is known yet.
    package static func parameter(_ name: String, _ value: String? = nil) -> SecretKind? {
        let word = plain(name)
        if word == "code" { return .code }
        // A switch is named after what it switches: `showPassword`.
        if isSetting(name, word) { return nil }
        if let kind = named(word: word) { return kind }
        guard let kind = fieldKind(word) else { return nil }
        return ["true", "false"].contains(value?.lowercased()) ? nil : kind
    }

    /// The kind of secret that a name says by itself, in any place.
    package static func named(_ name: String) -> SecretKind? {
        let word = plain(name)
        return isSetting(name, word) ? nil : named(word: word)
    }

    /// The kind of a whole header value by the header's name. The code that shows `Authorization` and cookies splits
    /// them into parts, so they have no kind here.
    package static func header(_ name: String) -> SecretKind? {
        let word = plain(name)
        if publicHeaders.contains(word) { return nil }
        if let kind = named(word: word) { return kind }
        // Whatever a gateway calls its credential, it ends in one of these: `X-Gateway-Key`, `X-Auth`.
        for (end, kind) in headerEnds where word.hasSuffix(end) { return kind }
        return nil
    }

    /// Headers that are named after keys and tokens and hold none.
    private static let publicHeaders: Set<String> = [
        "secwebsocketkey", "idempotencykey", "surrogatekey", "xsurrogatekey", "partitionkey", "xmspartitionkey",
        "xmsdocumentdbpartitionkey", "xcachekey", "cachekey", "continuationtoken", "xmscontinuation",
    ]

    private static let headerEnds: [(end: String, kind: SecretKind)] = [
        ("token", .token), ("key", .secret), ("auth", .secret), ("signature", .secret), ("jwt", .token),
    ]

    /// Whether a name is that of a page's setting or text, of a claim or of metadata that holds a word for a secret and
    /// no secret (Microsoft docs: localization-string-ids, self-asserted-technical-profile, user-profile-attributes). Any
    /// other name with such a word is taken for a field.
    private static func isSetting(_ name: String, _ word: String) -> Bool {
        if settings.contains(word) { return true }
        guard word.hasPrefix("error") || word.hasPrefix("requiredfield") || word.hasPrefix("usermessageif") else {
            return false
        }
        let lower = name.lowercased()
        return lower.hasPrefix("error_") || lower.hasPrefix("requiredfield_") || lower.hasPrefix("usermessageif")
    }

    private static let settings: Set<String> = [
        "allowautofocusonpasswordfield", "continueonpasswordexpiration", "disablepasswordexpiration",
        "forcechangepasswordnextlogin", "forcechangepasswordnextsignin", "forcepasswordchange",
        "forcepasswordchangenextsignin", "forgotpassword", "forgotpasswordlink", "forgotpasswordlinklocation",
        "forgotpasswordlinkoverride", "includepasswordrequirements", "isforgotpassword", "passwordchange",
        "passwordexpired", "passwordpolicies", "passwordreset", "trimspacesinpassword",
    ]

    // MARK: Names

    /// A word is a name as ``plain(_:)`` makes it.
    private static func named(word: String) -> SecretKind? {
        if let kind = names[word] { return kind }
        // Programs put words of their own before these: `graphClientSecret`, `x-functions-key`, `mySasToken`.
        guard word.utf8.count > 6, let last = word.utf8.last, lastLetters.contains(last) else { return nil }
        for (end, kind) in ends where word.hasSuffix(end) { return kind }
        return nil
    }

    private static let names: [String: SecretKind] = {
        let groups: [(SecretKind, [String])] = [
            (
                .token,
                [
                    "accesstoken", "idtoken", "refreshtoken", "idtokenhint", "token", "assertion", "clientassertion",
                    "logouttoken", "authtoken", "sessiontoken", "securitytoken", "subjecttoken", "actortoken",
                    "bearer", "bearertoken", "jwt", "samlresponse", "samlassertion", "loginticket",
                ]
            ),
            (
                .code,
                [
                    "verificationcode", "otpcode", "otp", "onetimecode", "verificationcodeentered", "usercode",
                    "devicecode", "authorizationcode", "authcode", "onetimepassword", "onetimepasscode", "passcode",
                    "smscode", "mfacode", "otc", "totpcode",
                ]
            ),
            (
                .password,
                [
                    "password", "newpassword", "oldpassword", "currentpassword", "reenterpassword", "confirmpassword",
                    "passwd", "pwd", "passphrase",
                ]
            ),
            (
                .secret,
                [
                    "clientsecret", "secret", "secrets", "totpsecret", "codeverifier", "xcsrftoken", "csrf",
                    "csrftoken", "apikey", "privatekey", "ctx", "sig", "subscriptionkey", "functionskey", "functionkey",
                    "accesskey", "connectionstring", "xsrftoken", "requestverificationtoken",
                ]
            ),
        ]
        var names: [String: SecretKind] = [:]
        for (kind, words) in groups { for word in words { names[word] = kind } }
        return names
    }()

    private static let ends: [(end: String, kind: SecretKind)] = [
        ("accesstoken", .token), ("refreshtoken", .token), ("bearertoken", .token), ("authtoken", .token),
        ("sastoken", .token), ("sessiontoken", .token), ("apitoken", .token), ("securitytoken", .token),
        ("clientassertion", .token), ("csrftoken", .secret), ("xsrftoken", .secret),
        ("secret", .secret), ("apikey", .secret), ("accesskey", .secret), ("subscriptionkey", .secret),
        ("functionskey", .secret), ("functionkey", .secret), ("privatekey", .secret), ("secretkey", .secret),
        ("sharedkey", .secret), ("accountkey", .secret), ("masterkey", .secret), ("hostkey", .secret),
        ("connectionstring", .secret), ("amzsignature", .secret), ("accesssignature", .secret),
        ("passphrase", .password),
    ]

    private static let lastLetters = Set(ends.compactMap(\.end.utf8.last))

    /// Fields of hosted pages and of forms, by id.
    private static func fieldKind(_ word: String) -> SecretKind? {
        if has(word, "password") { return .password }
        if has(word, "verificationcode") || has(word, "verinput") || has(word, "vercode") || word == "code" {
            return .code
        }
        return nil
    }

    /// Whether a part occurs in a word, byte by byte: a search by characters took a quarter of the time of a report with
    /// all outcomes.
    private static func has(_ word: String, _ part: StaticString) -> Bool {
        let count = part.utf8CodeUnitCount
        guard word.utf8.count >= count else { return false }
        var word = word
        return word.withUTF8 { bytes in
            let sought = UnsafeBufferPointer(start: part.utf8Start, count: count)
            return (0...(bytes.count - count)).contains { start in
                bytes[start] == sought[0] && bytes[start..<(start + count)].elementsEqual(sought)
            }
        }
    }

    /// The members directly in which `code` is a grant or a one-time code.
    private static func isCarrier(_ name: String) -> Bool {
        switch name {
        case "query", "form", "fragment", "response", "fields": true
        default: false
        }
    }

    /// A name without letter case, `_`, `-` and `.`: `client_secret` and `clientSecret` are one.
    package static func plain(_ name: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
            case 0x41...0x5A: bytes.append(byte | 0x20)
            case 0x80...: return slowlyPlain(name)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func slowlyPlain(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars where scalar != "_" && scalar != "-" && scalar != "." {
            text += scalar.properties.lowercaseMapping
        }
        return text
    }

    // MARK: Values

    /// Whether a value can be a secret of this kind. `error?code=65001`, `Code=-50000` and `code=AADB2C90118` name errors:
    /// a grant is not a number, and a one-time code, which is one, travels under other names. The name of a policy or of a
    /// policy key is not a secret either, as in `PasswordReset=B2C_1_reset`, and no token is a duration.
    ///
    /// - Parameter value: The whole value, or of a long one more than ``longestWord`` bytes: they decide.
    package func admitsParameter(_ name: String, _ value: String) -> Bool {
        if Self.namesPolicy(value) { return false }
        guard value.utf8.count <= Self.longestWord else { return true }
        switch self {
        case .code: return Self.plain(name) != "code" || !Self.isErrorCode(value)
        case .token, .secret, .cookie: return !SecretValue.isMeasure(value) && !SecretValue.isSettingWord(value)
        case .password: return true
        }
    }

    /// A longer value is neither a word nor a number.
    package static let longestWord = 128

    /// Whether a value begins like the name of a policy or of a policy key.
    private static func namesPolicy(_ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            guard bytes.count >= 5, bytes[0] | 0x20 == UInt8(ascii: "b"), bytes[1] == UInt8(ascii: "2"),
                bytes[2] | 0x20 == UInt8(ascii: "c"), bytes[3] == UInt8(ascii: "_"), bytes[4] == UInt8(ascii: "1")
            else { return false }
            // An accent on the digit makes it another character.
            return bytes.count == 5 || bytes[5] < 0x80
        }
    }

    /// A number with or without a sign, a numbered error, or a word such as `ERR_NETWORK` or `invalid_grant`.
    private static func isErrorCode(_ value: String) -> Bool {
        var value = value
        if let answer = value.withUTF8(isErrorCode) { return answer }
        return isErrorCode(slowly: value)
    }

    /// The same of the bytes; `nil` where some are not ASCII.
    private static func isErrorCode(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        var isNumber = true
        var isUpper = true
        var isLower = true
        var hasJoint = false
        var count = bytes.count
        while count > 0, [0x2C, 0x2E, 0x29, 0x3A, 0x5D].contains(bytes[count - 1]) { count -= 1 }
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let value = bytes[..<count]
        for prefix in errorPrefixes where value.starts(with: prefix.utf8) {
            let rest = value.dropFirst(prefix.utf8.count)
            return !rest.isEmpty && rest.allSatisfy { isDigit($0) || prefix == "0x" && 0x61...0x66 ~= $0 | 0x20 }
        }
        for byte in value {
            switch byte {
            case 0x30...0x39: (isUpper, isLower) = (false, false)
            case 0x41...0x5A: (isNumber, isLower) = (false, false)
            case 0x61...0x7A: (isNumber, isUpper) = (false, false)
            case 0x5F: (isNumber, hasJoint) = (false, true)
            default: return false
            }
            guard isNumber || isUpper || isLower else { return false }
        }
        return isNumber || hasJoint
    }

    private static let errorPrefixes = ["AADB2C", "AADSTS", "IDX", "IDW", "-", "0x"]

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// The same by characters, of which other scripts have numbers too.
    private static func isErrorCode(slowly value: String) -> Bool {
        // A sentence goes on after it: `code=-50000,`.
        var value = value[...]
        while let last = value.last, ",.):]".contains(last) { value.removeLast() }
        for prefix in errorPrefixes where value.hasPrefix(prefix) {
            let rest = value.dropFirst(prefix.count)
            return !rest.isEmpty && rest.allSatisfy { prefix == "0x" ? $0.isHexDigit : $0.isNumber }
        }
        if value.allSatisfy(\.isNumber) { return true }
        let letters = value.filter { $0 != "_" }
        return value.contains("_") && letters.allSatisfy { $0.isASCII && $0.isLetter }
            && (letters.allSatisfy(\.isUppercase) || letters.allSatisfy(\.isLowercase))
    }
}

/// Words that follow the name of a secret but are not secrets.
package enum SecretValue {
    /// A word that a setting named after a token has, as in `"accessToken": "optional"`, and that is never a token.
    package static func isSettingWord(_ value: String) -> Bool { settingWords.contains(value.lowercased()) }

    private static let settingWords: Set<String> = [
        "always", "ifpresent", "never", "none", "off", "optional", "required",
    ]

    /// A number of at most ten digits, a duration or a time of day: `3600`, `3600s`, `PT24H`, `P14D`, `01:00:00`,
    /// `1.5 h`, `12ms`. Lifetimes are next to tokens in logs and settings.
    package static func isMeasure(_ value: String) -> Bool {
        var text = value[...]
        while let last = text.last, ",.);]".contains(last) { text.removeLast() }
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= 24 else { return false }
        if first == UInt8(ascii: "P") || first == UInt8(ascii: "p") { return isISODuration(bytes) }
        var place = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? 1 : 0
        var digits = 0
        while place < bytes.count {
            switch bytes[place] {
            case 0x30...0x39: digits += 1
            case UInt8(ascii: "."), UInt8(ascii: ":"): if digits == 0 { return false }
            default: return digits > 0 && digits <= 10 && units.contains(unit(bytes[place...]))
            }
            place += 1
        }
        return digits > 0 && (digits <= 10 || bytes.contains(UInt8(ascii: ":")))
    }

    private static let units: Set<String> = [
        "ms", "us", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minute", "minutes", "h", "hr", "hrs",
        "hour", "hours", "d", "day", "days", "w", "week", "weeks", "milliseconds", "b", "kb", "mb", "bytes",
    ]

    private static func unit(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.drop { $0 == 0x20 }.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// `PT1H30M`, `P14D` (ISO 8601).
    private static func isISODuration(_ bytes: [UInt8]) -> Bool {
        var hasDigit = false
        for byte in bytes.dropFirst() {
            switch byte | 0x20 {
            case 0x30...0x39: hasDigit = true
            case UInt8(ascii: "t"), UInt8(ascii: "y"), UInt8(ascii: "m"), UInt8(ascii: "w"), UInt8(ascii: "d"),
                UInt8(ascii: "h"), UInt8(ascii: "s"), UInt8(ascii: "."):
                continue
            default: return false
            }
        }
        return hasDigit
    }

    /// Whether a text looks like a token, a key or a cookie, and not like a word, a figure or an address.
    package static func isMadeByAMachine(_ text: String) -> Bool {
        text.utf8.count >= 20 && text.utf8.contains { (0x30...0x39).contains($0) }
            && text.utf8.contains { (0x41...0x5A).contains($0 & 0xDF) } && !text.contains("://")
            && !text.contains("{") && !text.utf8.contains { $0 <= 0x20 }
    }
}
