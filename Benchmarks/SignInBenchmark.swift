import B2CProtocol
import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import TrustFramework

/// A whole sign-in in process: authorize, page, post, confirmed, code, token, both tokens verified.
enum SignInBenchmark {
    static let builtIn = #"{ "id": "B2C_1_susi", "type": "signUpOrSignIn" }"#
    static let custom = #"{ "id": "B2C_1A_signup_signin", "type": "custom", "file": "SignUpOrSignin.xml" }"#

    static func tenantText(_ policy: String) -> String {
        """
        { "name": "contoso",
          "policies": { "susi": \(policy) },
          "apis": { "tasks": { "scopes": ["read"] } },
          "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" },
                             "platform": { "bundleId": "com.contoso.tasks" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada" } } }
        """
    }

    /// So many sign-ins and nothing else: what a profiler is pointed at.
    static func loop(_ count: Int) {
        guard var world = try? SignInWorld(seed: 1) else { return failed() }
        for _ in 0..<count {
            do { try world.signIn() } catch { return failed() }
        }
    }

    private static func failed() {
        print("the sign-in does not work: nothing to measure")
        exit(4)
    }

    /// So many slices of each figure, taken in turns: what else the machine does then falls on all of them alike. The
    /// medians count.
    private static let rounds = 8

    static func run(seconds: Double, _ targets: inout Targets) {
        let key = TestKeys.key(0)
        let payload = [UInt8](repeating: 0x61, count: 700)
        let jws = JWS.sign(header: ["alg": "RS256"], claims: ["sub": "ada"], key: key)
        guard var one = try? SignInWorld(seed: 1), (try? one.signIn()) != nil else {
            return failed()
        }
        let slice = seconds / Double(rounds)
        var signed: [Double] = []
        var verified: [Double] = []
        var single: [Double] = []
        var shares: [Double] = []
        var besides: [Double] = []
        var multiples: [Double] = []
        for _ in 0..<rounds {
            let signatures = rate(seconds: slice) { _ = key.sign(payload) }
            let verifications = rate(seconds: slice / 4) { _ = JWS(compact: jws)?.verify(with: key.jwk) }
            let signIns = rate(seconds: slice) { _ = try? one.signIn() }
            signed.append(signatures)
            verified.append(verifications)
            single.append(signIns)
            shares.append(signIns / (signatures / 2))
            besides.append(1 / signIns - 2 / signatures)
            // Unlike the share of the limit it does not depend on how fast a processor signs.
            multiples.append((1 / signIns - 2 / signatures) * verifications)
        }
        let signatures = median(signed)
        let verifications = median(verified)
        Benchmarks.line("RS256 signer", SignatureProvider.current)
        Benchmarks.line("signatures/s, one core", Benchmarks.number(signatures))
        Benchmarks.line("verifications/s, one core", Benchmarks.number(verifications))
        Benchmarks.line(
            "limit: sign-ins/s, one core", Benchmarks.number(signatures / 2), "two signatures, nothing else")
        let floor = 1 / (2 / signatures + 2 / verifications)
        Benchmarks.line("floor with two verifications", Benchmarks.number(floor))
        let share = median(shares)
        Benchmarks.line(
            "sign-ins/s in process, one core", Benchmarks.number(median(single)),
            "\(Benchmarks.number(100 * share)) % of the limit "
                + targets.wanted("66 % of the limit per core", share >= 0.66))
        Benchmarks.line(
            "a sign-in besides its two signatures", "\(Benchmarks.number(1_000_000 * median(besides))) us",
            "\(Benchmarks.number(1_000_000 * 2 / verifications)) us of them two verifications")
        let multiple = median(multiples)
        Benchmarks.line(
            "the same, in signature verifications", Benchmarks.number(multiple, digits: 1),
            targets.wanted("16 verifications in process", multiple <= 16))

        var double: [Double] = []
        var gains: [Double] = []
        for _ in 0..<rounds {
            let alone = rates(seconds: slice) { _ = try? one.signIn() }.wall
            let both = twoCores(seconds: slice)
            double.append(both)
            gains.append(both / alone)
        }
        let gain = median(gains)
        Benchmarks.line(
            "sign-ins/s in process, two cores", Benchmarks.number(median(double)),
            "\(Benchmarks.number(gain, digits: 2)) times one core "
                + targets.wanted("1.8 times as many on two cores", gain >= 1.8))
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// How often something can be done in a second of a core's time; warmed up before. What else the machine does takes
    /// time from this thread, which does not count, and room in the caches, which does.
    static func rate(seconds: Double, _ body: () -> Void) -> Double {
        rates(seconds: seconds, body).core
    }

    /// The same, and how often in a second of the clock on the wall.
    private static func rates(seconds: Double, _ body: () -> Void) -> (core: Double, wall: Double) {
        for _ in 0..<20 { body() }
        let clock = ContinuousClock()
        let start = clock.now
        let core = coreSeconds()
        var count = 0
        while true {
            for _ in 0..<10 { body() }
            count += 10
            let spent = (clock.now - start) / .seconds(1)
            if spent >= seconds { return (Double(count) / (coreSeconds() - core), Double(count) / spent) }
        }
    }

    /// The time that cores have given this thread.
    private static func coreSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Two threads, a world each.
    private static func twoCores(seconds: Double) -> Double {
        final class Counter: @unchecked Sendable {
            var rates = [0.0, 0.0]
            let lock = NSLock()
        }
        let counter = Counter()
        let group = DispatchGroup()
        for index in 0..<2 {
            group.enter()
            Thread.detachNewThread {
                if var world = try? SignInWorld(seed: UInt64(index) + 10) {
                    let mine = rates(seconds: seconds) { _ = try? world.signIn() }.wall
                    counter.lock.withLock { counter.rates[index] = mine }
                }
                group.leave()
            }
        }
        group.wait()
        return counter.rates[0] + counter.rates[1]
    }
}

/// An authority with one app and one person, and the client's half of a sign-in by hand.
struct SignInWorld {
    struct Unexpected: Error { var text: String }

    private var authority: Authority
    private let app: AppSettings
    private let tenant: Tenant
    private var keys = JWKSet(keys: [])
    private let base: String
    private var random: SeededGenerator
    private var exchange = 0
    private let now = Timestamp(seconds: 1_768_478_400)

    /// - Parameter customPolicies: The files of a starter pack to sign in through; default: a built-in flow.
    init(seed: UInt64, customPolicies: [(file: String, bytes: [UInt8])]? = nil) throws {
        let policy = customPolicies == nil ? SignInBenchmark.builtIn : SignInBenchmark.custom
        tenant = try Tenant(json: try JSONParser.parse(SignInBenchmark.tenantText(policy)))
        let files = customPolicies ?? []
        let policies = try PolicyLibrary.load(
            tenant: tenant,
            files: PolicyFiles(
                read: { path in files.first { $0.file == path }?.bytes }, list: { _ in files.map(\.file).sorted() }))
        random = SeededGenerator(seed: seed)
        authority = Authority(tenant: tenant, policies: policies, seed: random.stream("world"), now: now)
        app = tenant.apps[0]
        base = "https://\(tenant.host)/\(tenant.domain)/\(tenant.policies[0].id)"
        let answer = try send(.get(Self.url("\(base)/discovery/v2.0/keys")))
        guard let json = answer.json, let read = JWKSet(json: json) else { throw Unexpected(text: "keys") }
        keys = read
    }

    private static func url(_ text: String) throws -> WebURL {
        guard let url = WebURL(text) else { throw Unexpected(text: text) }
        return url
    }

    private mutating func send(_ request: RequestMessage) throws -> ResponseMessage {
        exchange += 1
        let decision = authority.handle(.request(request, ExchangeID("\(exchange)")), at: now)
        guard case .send(let draft, _) = decision.reply else { throw Unexpected(text: "reply") }
        return render(draft)
    }

    /// From the first request to two verified tokens.
    mutating func signIn() throws {
        let verifier = PKCE.verifier(&random)
        let redirect = "msauth.com.contoso.tasks://auth"
        var query = FormItems()
        query.append("client_id", app.client.clientId)
        query.append("response_type", "code")
        query.append("redirect_uri", redirect)
        query.append("scope", "\(app.client.scopes.joined(separator: " ")) openid profile offline_access")
        query.append("state", random.guid().description)
        query.append("code_challenge", PKCE.challenge(verifier))
        query.append("code_challenge_method", "S256")
        query.append("client_info", "1")
        var url = try Self.url("\(base)/oauth2/v2.0/authorize")
        url.queryItems = query
        let page = try send(.get(url))
        var cookies = CookieLine(page)
        guard let settings = PageSettings.read(html: page.body) else { throw Unexpected(text: "page") }

        let place = "tx=\(settings.transId)&p=\(settings.policy)"
        let origin = "https://\(tenant.host)\(settings.tenantPath)"
        var form = FormItems()
        form.append("request_type", "RESPONSE")
        form.append(settings.fields[0].id, "ada@example.test")
        form.append(settings.fields[1].id, "Analytical-1843")
        let posted = try send(
            .post(
                try Self.url("\(origin)/SelfAsserted?\(place)"), form: form,
                headers: ["X-CSRF-TOKEN": settings.csrf, "Cookie": cookies.text]))
        cookies.take(posted)
        let confirmed = try send(
            .get(
                try Self.url(
                    "\(origin)/api/\(settings.api)/confirmed?rememberMe=false&csrf_token=\(settings.csrf)&\(place)"),
                headers: ["Cookie": cookies.text]))
        guard let code = confirmed.location?.queryItems["code"] else { throw Unexpected(text: "code") }

        var grant = FormItems()
        grant.append("client_id", app.client.clientId)
        grant.append("grant_type", "authorization_code")
        grant.append("code", code)
        grant.append("redirect_uri", redirect)
        grant.append("code_verifier", verifier)
        grant.append("client_info", "1")
        let tokens = try send(.post(try Self.url("\(base)/oauth2/v2.0/token"), form: grant))
        let answer = tokens.json
        for name in ["id_token", "access_token"] {
            guard let text = answer?[name]?.stringValue, let jws = JWS(compact: text),
                case .success = jws.verify(in: keys)
            else { throw Unexpected(text: name) }
        }
    }
}

/// The cookies of one short visit, by name.
private struct CookieLine {
    /// Name and value as they are sent, and the length of the name.
    private var pairs: [(bytes: [UInt8], name: Int)] = []

    init(_ response: ResponseMessage) { take(response) }

    mutating func take(_ response: ResponseMessage) {
        for var field in response.headers.all("Set-Cookie") {
            field.withUTF8 { field in
                let name = ByteSearch.offset(of: UInt8(ascii: "="), in: field)
                let end = ByteSearch.offset(of: UInt8(ascii: ";"), in: field)
                guard name < end else { return }
                let spelled = UnsafeBufferPointer(rebasing: field[..<name])
                pairs.removeAll { pair in
                    pair.name == name
                        && pair.bytes.withUnsafeBufferPointer {
                            ByteSearch.areEqual(UnsafeBufferPointer(rebasing: $0[..<name]), spelled)
                        }
                }
                if name + 1 < end { pairs.append((Array(field[..<end]), name)) }
            }
        }
    }

    var text: String {
        var line = ByteText(capacity: 4096)
        for place in pairs.indices {
            if place > 0 { line.write("; ") }
            line.write(pairs[place].bytes)
        }
        return line.text
    }
}
