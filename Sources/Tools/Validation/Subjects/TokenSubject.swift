import Determinism
import Diagnostics
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// Checks one token as an API or an app would, and says more than they do.
public struct TokenSubject: Sendable {
    /// What the token is held against. What is not given is not checked.
    public struct TokenExpectation: Sendable {
        /// The published keys; without them the signature is not checked, which is said.
        public var keys: JWKSet?
        /// The tenant whose token it should be.
        public var tenant: Tenant?
        /// The issuer of the policy's discovery document.
        public var issuer: String?
        /// Audiences that are right.
        public var audiences: [String]
        /// Policies that are right, in any letter case.
        public var policies: [String]
        /// Scopes of which an access token needs all.
        public var scopes: [String]
        /// The moment it is used.
        public var now: Timestamp
        /// Tolerance in both directions.
        public var skew: TimeSpan

        public init(
            keys: JWKSet? = nil, tenant: Tenant? = nil, issuer: String? = nil, audiences: [String] = [],
            policies: [String] = [], scopes: [String] = [], now: Timestamp, skew: TimeSpan = .minutes(5)
        ) {
            self.keys = keys
            self.tenant = tenant
            self.issuer = issuer
            self.audiences = audiences
            self.policies = policies
            self.scopes = scopes
            self.now = now
            self.skew = skew
        }
    }

    /// What was looked at, in order: the rule, the result, in words for a person.
    public struct Check: Sendable, Hashable {
        public enum Outcome: String, Sendable { case passed, failed, notChecked }
        public var rule: String
        public var outcome: Outcome
        public var text: String
    }

    private let expected: TokenExpectation
    /// The checks in the order in which they were made.
    public private(set) var checks: [Check] = []

    /// Checks a token in compact form.
    public init(_ token: String, expected: TokenExpectation) {
        self.expected = expected
        let compact = String(token.unicodeScalars.filter { $0.value > 0x20 }.map(Character.init))
        guard let jws = JWS(compact: compact), let claims = jws.claims else {
            let dots = compact.utf8.count { $0 == UInt8(ascii: ".") }
            let why =
                compact.hasPrefix("m1.") || dots == 4
                ? "this is an opaque text such as a refresh token or a code, which only B2C can read"
                : "this has \(dots + 1) parts, or they are no base64url of JSON objects"
            add("B2C-TOK-001", .failed, why)
            return
        }
        add("B2C-TOK-001", .passed, "header and payload are JSON")
        checkTypes(claims)
        checkSignature(jws)
        checkIssuer(claims)
        checkAudience(claims)
        checkPolicy(claims)
        checkTimes(claims)
        checkScopes(claims)
    }

    /// The checks that failed, as findings about a file or argument.
    public func findings(at location: SourceLocation?) -> [Finding] {
        checks.filter { $0.outcome == .failed }.map { Finding($0.rule, $0.text, at: location) }
    }

    private mutating func add(_ rule: String, _ outcome: Check.Outcome, _ text: String) {
        checks.append(Check(rule: rule, outcome: outcome, text: text))
    }

    // MARK: Checks

    private static let numbers = ["exp", "nbf", "iat", "auth_time"]
    private static let texts = ["iss", "sub", "aud", "tfp", "acr", "nonce", "scp", "azp", "oid", "ver"]

    private mutating func checkTypes(_ claims: JSONObject) {
        var wrong: [String] = []
        for name in Self.numbers {
            if let value = claims[name], value.doubleValue == nil { wrong.append("`\(name)` is \(value.typeName)") }
        }
        for name in Self.texts {
            if let value = claims[name], value.stringValue == nil { wrong.append("`\(name)` is \(value.typeName)") }
        }
        for name in ["iss", "aud", "exp"] where claims[name] == nil { wrong.append("`\(name)` is missing") }
        if wrong.isEmpty {
            add("B2C-TOK-009", .passed, "claims have their types")
        } else {
            add("B2C-TOK-009", .failed, wrong.joined(separator: ", "))
        }
    }

    private mutating func checkSignature(_ jws: JWS) {
        let algorithm = jws.header["alg"]?.stringValue ?? ""
        guard algorithm == "RS256" else {
            add("B2C-TOK-002", .failed, "it is signed with \(algorithm.isEmpty ? "no algorithm" : algorithm)")
            return
        }
        add("B2C-TOK-002", .passed, "RS256")
        guard let keys = expected.keys else {
            add("B2C-TOK-003", .notChecked, "no keys were given, so the signature was not checked")
            return
        }
        switch jws.verify(in: keys) {
        case .success: add("B2C-TOK-003", .passed, "the signature fits the key \(jws.header["kid"]?.stringValue ?? "")")
        case .failure(.unknownKey(let kid)):
            let known = keys.keys.compactMap(\.kid)
            add(
                "B2C-TOK-003", .failed,
                "no key has the kid \(kid ?? "(none)"); the keys are \(known.isEmpty ? "none" : namesList(known)):"
                    + " another policy's keys, or they were rotated")
        case .failure(let error): add("B2C-TOK-003", .failed, "\(error)")
        }
    }

    private mutating func checkIssuer(_ claims: JSONObject) {
        let issuer = claims["iss"]?.stringValue ?? ""
        if let wanted = expected.issuer.flatMap({ WebURL($0) })?.authority, let actual = WebURL(issuer)?.authority,
            actual != wanted
        {
            add(
                "B2C-TOK-004", .failed,
                "hosts differ: the issuer of the token is at \(actual), that of the discovery document at \(wanted)")
            return
        }
        guard let form = DiscoverySubject.IssuerURLForm(issuer) else {
            // A mock-server has an address of its own, and its document says so.
            if let wanted = expected.issuer, sameText(wanted, issuer) {
                add("B2C-TOK-004", .passed, "that of the discovery document, at an address that is not B2C's")
            } else {
                add("B2C-TOK-004", .failed, "\"\(issuer)\" is not an issuer of B2C")
            }
            return
        }
        if let wanted = expected.issuer, wanted != issuer {
            add("B2C-TOK-004", .failed, "the issuer is \(issuer); the policy's is \(wanted)")
            return
        }
        let (host, tenantID): (String, String) =
            switch form {
            case .tenant(let host, let tenant): (host, tenant)
            case .policy(let host, let tenant, _): (host, tenant)
            }
        if let tenant = expected.tenant {
            if !RedirectURIs.sameGUID(tenant.id.description, tenantID) {
                add("B2C-TOK-004", .failed, "it is of tenant \(tenantID); \(tenant.name) is \(tenant.id.description)")
                return
            }
            if !DiscoverySubject.isLoopback(host), !tenant.hosts.contains(where: { $0.asciiLowercased == host }) {
                add("B2C-TOK-004", .failed, "it was issued at \(host); the tenant has \(namesList(tenant.hosts))")
                return
            }
        }
        add("B2C-TOK-004", .passed, issuer)
    }

    private mutating func checkAudience(_ claims: JSONObject) {
        let audience = claims["aud"]?.stringValue ?? ""
        var wanted = expected.audiences
        if wanted.isEmpty, let tenant = expected.tenant {
            wanted = tenant.apps.map(\.client.clientId) + tenant.apis.map(\.clientId)
        }
        guard !wanted.isEmpty else {
            add("B2C-TOK-005", .notChecked, "no audience was given; the token's is \(audience)")
            return
        }
        if wanted.contains(audience) {
            add("B2C-TOK-005", .passed, audience)
        } else {
            let hint = claims["scp"] == nil && claims["nonce"] != nil ? "; it looks like an ID token" : ""
            add("B2C-TOK-005", .failed, "the audience is \(audience); expected is \(namesList(wanted))\(hint)")
        }
    }

    private mutating func checkPolicy(_ claims: JSONObject) {
        guard let policy = (claims["tfp"] ?? claims["acr"])?.stringValue else {
            let other =
                claims["trustFrameworkPolicy"] == nil ? "" : "; it is in trustFrameworkPolicy, not mapped to tfp"
            add("B2C-TOK-006", .failed, "neither tfp nor acr names the policy\(other)")
            return
        }
        var wanted = expected.policies
        if wanted.isEmpty, let tenant = expected.tenant { wanted = tenant.policies.map(\.id) }
        guard !wanted.isEmpty else {
            add("B2C-TOK-006", .passed, policy)
            return
        }
        if wanted.contains(where: { $0.asciiLowercased == policy.asciiLowercased }) {
            add("B2C-TOK-006", .passed, policy)
        } else {
            add("B2C-TOK-006", .failed, "the policy is \(policy); expected is \(namesList(wanted))")
        }
    }

    private mutating func checkTimes(_ claims: JSONObject) {
        func moment(_ name: String) -> Timestamp? {
            claims[name]?.doubleValue.map { Timestamp(seconds: 0) + .seconds($0) }
        }
        let now = expected.now
        if let expiry = moment("exp"), now >= expiry + expected.skew {
            add(
                "B2C-TOK-007", .failed,
                "it expired at \(expiry.rfc3339), \((now - expiry).inWords) before \(now.rfc3339)")
        } else if let start = moment("nbf"), now < start - expected.skew {
            add(
                "B2C-TOK-007", .failed,
                "it is not valid before \(start.rfc3339), and it is \(now.rfc3339): one of the clocks is wrong")
        } else if let made = moment("iat"), made > now + expected.skew {
            add(
                "B2C-TOK-007", .failed, "it was issued at \(made.rfc3339), which is to come: one of the clocks is wrong"
            )
        } else {
            add("B2C-TOK-007", .passed, moment("exp").map { "valid until \($0.rfc3339)" } ?? "no expiry")
        }
    }

    private mutating func checkScopes(_ claims: JSONObject) {
        guard !expected.scopes.isEmpty else { return }
        let granted = (claims["scp"]?.stringValue ?? "").split(separator: " ").map(String.init)
        // A script may name the scope in full, as apps ask for it.
        let missing = expected.scopes.filter { scope in
            let last = scope.split(separator: "/").last.map(String.init) ?? scope
            return !granted.contains(scope) && !granted.contains(last)
        }
        if missing.isEmpty {
            add("B2C-TOK-008", .passed, granted.joined(separator: " "))
        } else {
            let has = granted.isEmpty ? "it has none" : "it has \(granted.joined(separator: " "))"
            add("B2C-TOK-008", .failed, "the scope \(namesList(missing)) is missing; \(has)")
        }
    }
}
