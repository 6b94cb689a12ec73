import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Validation

/// What one token in a text says. The token itself is kept for masking alone.
struct TokenFacts {
    private(set) var facts: [(label: String, text: String)] = []
    private(set) var traits: [Trait] = []
    private(set) var notes: [String] = []
    private(set) var policy: String?
    /// Whether all three parts are there.
    private(set) var isWhole = false
    /// The members of header and payload, for programs.
    private(set) var header: JSONObject?
    private(set) var claims: JSONObject?
    let line: Int
    /// What may be shown in its place.
    var excerpt: String { kind + (policy.map { " of \($0)" } ?? "") }
    private(set) var kind = "token"

    /// How many dots a text ends with. They are counted in bytes: to compare the suffix of a part of a text
    /// takes a look at the whole part.
    static func dots(atEndOf bytes: some BidirectionalCollection<UInt8>) -> Int {
        var count = 0
        var end = bytes.endIndex
        while end > bytes.startIndex {
            bytes.formIndex(before: &end)
            guard bytes[end] == UInt8(ascii: ".") else { break }
            count += 1
        }
        return count
    }

    /// Reads a text that begins like a token; `nil` for what is none, such as encoded JSON of one part.
    init?(_ text: String, line: Int, now: Timestamp) {
        self.line = line
        let dots = Self.dots(atEndOf: text.utf8)
        let text = text[..<text.utf8.index(text.utf8.endIndex, offsetBy: -dots)]
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let header = Self.object(parts[0]) else {
            guard parts.count == 1, dots >= 3 || parts[0].utf8.count > 24 else { return nil }
            // Cut before the end of its first part, or no token at all.
            guard let begun = Self.beginning(parts[0]), begun.contains("\"alg\"") || begun.contains("\"typ\"") else {
                return nil
            }
            notes.append("the token in line \(line) breaks off in its header; nothing can be read of it")
            facts.append(("token", "cut in its header"))
            return
        }
        self.header = header
        // Codes and refresh tokens of B2C name no algorithm; they are encrypted in five parts, the second of them empty.
        let isSealed = parts.count == 5 && parts[1].isEmpty
        guard header["alg"] != nil || header["enc"] != nil || isSealed else { return nil }
        guard parts.count > 1 else {
            notes.append("the token in line \(line) breaks off after its header")
            facts.append(("token", "cut after its header"))
            return
        }
        if parts.count == 5 || header["enc"] != nil {
            kind = "sealed grant"
            isWhole = parts.count == 5
            if isSealed { traits.append(.sealedGrant) }
            facts.append(
                ("token", "a sealed text such as a refresh token or a code; only the service can read it"))
            return
        }
        guard let claims = Self.object(parts[1]) else {
            facts.append(("token", "cut in its payload"))
            notes.append("the token in line \(line) breaks off in its payload: \(Self.readable(parts[1]))")
            return
        }
        self.claims = claims
        isWhole = parts.count == 3 && (!parts[2].isEmpty || dots > 0 || header["alg"]?.stringValue == "none")
        if parts.count == 2 { notes.append("the token in line \(line) has no signature: it was cut, or is unsigned") }
        read(header, claims, now)
        if isWhole { judge(String(text) + String(repeating: ".", count: dots), claims, now) }
    }

    // MARK: Claims

    private mutating func read(_ header: JSONObject, _ claims: JSONObject, _ now: Timestamp) {
        let isAccess = claims["scp"] != nil
        kind = isAccess ? "access token" : "ID token"
        traits.append(isAccess ? .accessToken : .idToken)
        let algorithm = header["alg"]?.stringValue ?? "?"
        if algorithm.lowercased() == "none" { traits.append(.unsigned) }
        facts.append(
            (
                "token",
                isAccess
                    ? "an access token (it has scp), signed with \(algorithm)"
                    : "an ID token (it has no scp), signed with \(algorithm)"
            ))
        if let kid = header["kid"]?.stringValue { facts.append(("key", kid)) }
        readPolicy(claims)
        readIssuer(claims)
        readPerson(claims, isAccess)
        readTimes(claims, now)
        for name in ["aud", "scp", "nonce", "idp", "emails", "ver"] {
            guard let value = claims[name] else { continue }
            facts.append((name, value.stringValue ?? JSONWriter.compact(value)))
        }
        if claims["emails"]?.arrayValue != nil { traits.append(.emailsList) }
    }

    private mutating func readPolicy(_ claims: JSONObject) {
        if let name = claims["tfp"]?.stringValue {
            policy = name
            traits.append(.policyInTFP)
        } else if let name = claims["acr"]?.stringValue {
            policy = name
            traits.append(.policyInACR)
        } else {
            traits.append(.noPolicyClaim)
            facts.append(("policy", "neither tfp nor acr names it"))
        }
        let lower = policy?.asciiLowercased ?? ""
        if lower.contains("reset") { traits.append(.resetToken) }
        if lower.contains("edit") { traits.append(.editToken) }
    }

    private mutating func readIssuer(_ claims: JSONObject) {
        guard let issuer = claims["iss"]?.stringValue else {
            facts.append(("issuer", "missing"))
            return
        }
        let form: String
        if issuer.contains("/tfp/") {
            traits.append(.policyIssuer)
            form = "names the policy, so each policy has its own"
        } else if issuer.contains("sts.windows.net") || issuer.contains("login.microsoftonline.com") {
            traits.append(.directoryIssuer)
            form = "is of a directory tenant, not of B2C"
        } else {
            form = "names the tenant alone, the same for all its policies"
        }
        facts.append(("issuer", "\(issuer)  (\(form))"))
    }

    private mutating func readPerson(_ claims: JSONObject, _ isAccess: Bool) {
        if let subject = claims["sub"]?.stringValue {
            facts.append(("sub", subject))
            if subject.hasPrefix("Not supported currently") { traits.append(.constantSubject) }
        }
        if let object = claims["oid"]?.stringValue, object != claims["sub"]?.stringValue {
            facts.append(("oid", object))
        }
        guard !isAccess else { return }
        if claims["tid"] == nil { traits.append(.noTenantClaim) }
        if claims["preferred_username"] == nil { traits.append(.noUserName) }
    }

    private mutating func readTimes(_ claims: JSONObject, _ now: Timestamp) {
        func moment(_ name: String) -> Timestamp? {
            claims[name]?.doubleValue.map { Timestamp(seconds: 0) + .seconds($0) }
        }
        let expiry = moment("exp")
        if let issued = moment("iat") ?? moment("nbf") {
            facts.append(
                ("issued", "\(issued.rfc3339), \(Self.span(now - issued)) \(issued > now ? "to come" : "ago")"))
            if issued > now + .minutes(10) { traits.append(.tokenFromFuture) }
            if let expiry, (expiry - issued) <= .minutes(5), expiry > issued { traits.append(.fiveMinutes) }
        }
        if let start = moment("nbf"), start > now { traits.append(.tokenNotYetValid) }
        if let expiry {
            let isOver = expiry <= now
            if isOver { traits.append(.tokenExpired) }
            facts.append(
                (
                    "expires",
                    "\(expiry.rfc3339), \(isOver ? "\(Self.span(now - expiry)) ago" : "in \(Self.span(expiry - now))")"
                ))
        }
    }

    /// How an API would check it.
    private mutating func judge(_ token: String, _ claims: JSONObject, _ now: Timestamp) {
        let subject = TokenSubject(token, expected: .init(now: now))
        let failed = subject.checks.filter { $0.outcome == .failed }
        if failed.isEmpty {
            facts.append(
                ("an API", "finds its form and times right; signature, audience and scopes need `b2c validate --token`")
            )
        }
        for check in failed { facts.append(("an API refuses it", "\(check.rule): \(check.text)")) }
    }

    /// Days, hours, minutes, seconds: the two greatest that are not zero.
    static func span(_ span: TimeSpan) -> String {
        var rest = span.wholeSeconds.magnitude
        var parts: [String] = []
        for (unit, name) in [(UInt64(86_400), "d"), (3_600, "h"), (60, "min"), (1, "s")] where parts.count < 2 {
            let count = rest / unit
            rest %= unit
            if count > 0 { parts.append("\(count) \(name)") } else if !parts.isEmpty { break }
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }

    // MARK: Parts

    private static func object(_ part: String) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONParser.parse(bytes) else { return nil }
        return value.objectValue
    }

    /// As much of an encoded text as can be decoded.
    private static func beginning(_ part: String) -> String? {
        let whole = part.utf8.count - part.utf8.count % 4
        return Base64URL.decode(String(part.prefix(whole))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names that can be read in a payload that was cut.
    private static func readable(_ part: String) -> String {
        guard let text = beginning(part) else { return "nothing can be read of it" }
        let names = text.split(separator: "\"").filter { piece in
            piece.utf8.count < 20 && piece.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
        }
        let known = [
            "exp", "nbf", "iat", "iss", "aud", "sub", "tfp", "acr", "scp", "nonce", "ver", "auth_time", "oid", "azp",
        ]
        let seen = known.filter { name in names.contains { $0 == name } }
        return seen.isEmpty ? "no claim is whole" : "of its claims \(seen.joined(separator: ", ")) can be seen"
    }
}
