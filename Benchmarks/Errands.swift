import B2CProtocol
import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import Synchronization

/// Errands done by several at the same time.
enum Load {
    struct Result {
        /// Errands a second.
        var rate: Double
        var done: Int
        /// Why errands failed. A caller goes on after a wrong answer, and gives up when its connection fails.
        var failures: [String]
        /// The share of a core's time that the client took: at 1 for each of its threads it is what is measured.
        var busy: Double
    }

    /// How often a second an errand is done by so many at the same time, each on a connection of its own. Two threads
    /// look after all connections: more would only take the cores from each other and from the server.
    ///
    /// - Parameter count: No more than so many errands; nil: as many as fit in the time.
    static func run<Work: Errand & SendableMetatype>(
        _ base: String, clients: Int, seconds: Double, atMost count: Int? = nil,
        _ errand: @escaping @Sendable (SeededGenerator) -> Work
    ) -> Result {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        guard let count else { return run(base, clients: clients, while: { clock.now < end }, errand) }
        let clients = max(1, min(clients, count))
        // The first errand of each caller begins without a question.
        let left = Atomic(count - clients)
        return run(
            base, clients: clients,
            while: { clock.now < end && left.subtract(1, ordering: .relaxed).oldValue > 0 }, errand)
    }

    private static func run<Work: Errand & SendableMetatype>(
        _ base: String, clients: Int, while hasTime: @escaping @Sendable () -> Bool,
        _ errand: @escaping @Sendable (SeededGenerator) -> Work
    ) -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let worked = coreSeconds
        let sum = Mutex((done: 0, failures: [String]()))
        let group = DispatchGroup()
        let threads = min(clients, 2)
        for thread in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                let callers = stride(from: thread, to: clients, by: threads).map { client in
                    Caller(base, errand(SeededGenerator(seed: UInt64(client) + 1)))
                }
                let mine = carryOut(callers, while: hasTime)
                sum.withLock { $0 = ($0.done + mine.done, $0.failures + mine.failures) }
            }
        }
        group.wait()
        let counts = sum.withLock { $0 }
        let passed = (clock.now - start) / .seconds(1)
        return Result(
            rate: Double(counts.done) / passed, done: counts.done, failures: counts.failures,
            busy: (coreSeconds - worked) / passed)
    }

    /// The time that cores have given this process.
    private static var coreSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Lets callers go on, whichever has an answer, until there is no time for another errand.
    private static func carryOut<Work: Errand>(
        _ callers: [Caller<Work>], while hasTime: () -> Bool
    ) -> (done: Int, failures: [String]) {
        var waiting = callers.filter { $0.begin() }
        while !waiting.isEmpty {
            var sockets = waiting.map { pollfd(fd: $0.socketNumber, events: Int16(POLLIN), revents: 0) }
            // One alone waits in reading.
            if sockets.count > 1, poll(&sockets, nfds_t(sockets.count), 10_000) <= 0 {
                for caller in waiting { caller.give(up: "nothing came for ten seconds") }
                break
            }
            let isAlone = sockets.count == 1
            waiting = zip(waiting, sockets).compactMap { caller, socket in
                guard isAlone || socket.revents != 0 else { return caller }
                return caller.goOn(while: hasTime) ? caller : nil
            }
        }
        return (callers.reduce(0) { $0 + $1.done }, callers.flatMap(\.failures))
    }
}

/// What somebody does on a connection, again and again.
protocol Errand {
    /// The next request; `nil` when all is done.
    ///
    /// - Parameter answer: To the previous request; `nil` at the beginning.
    /// - Throws: What is wrong with the answer.
    mutating func next(_ answer: LeanAnswer?) throws -> LeanRequest?
}

/// Somebody with a connection and an errand.
final class Caller<Work: Errand> {
    private let connection: LeanConnection?
    private var errand: Work
    private(set) var done = 0
    /// Why errands failed.
    private(set) var failures: [String] = []

    init(_ base: String, _ errand: Work) {
        connection = try? LeanConnection(base)
        self.errand = errand
    }

    var socketNumber: Int32 { connection?.socketNumber ?? -1 }

    func give(up reason: String) { failures.append(reason) }

    /// Sends the first request; false when that cannot be done.
    func begin() -> Bool {
        do {
            guard let request = try errand.next(nil), let connection else { throw LeanConnection.Fault.noConnection }
            try connection.send(request)
            return true
        } catch {
            give(up: "\(error)")
            return false
        }
    }

    /// Takes what has come and sends what follows; false at the end of the time or when the connection fails.
    func goOn(while hasTime: () -> Bool) -> Bool {
        do {
            guard let connection, let answer = try connection.take() else { return connection != nil }
            if let request = try errand.next(answer) {
                try connection.send(request)
                return true
            }
            done += 1
            return hasTime() && begin()
        } catch let error as SignInWorld.Unexpected {
            give(up: error.text)
            return hasTime() && begin()
        } catch {
            give(up: "\(error)")
            return false
        }
    }
}

/// Reads a document.
struct DocumentErrand: Errand {
    let path: String

    func next(_ answer: LeanAnswer?) throws -> LeanRequest? {
        guard let answer else { return LeanRequest(target: path) }
        guard answer.status == 200 else { throw SignInWorld.Unexpected(text: "\(answer.status)") }
        return nil
    }
}

/// Signs in with a password and redeems the code.
struct SignInErrand: Errand {
    private enum Step {
        case authorize, page, posted, confirmed, redeemed
    }

    /// Who signs in where.
    struct App: Sendable {
        var clientId: String
        var redirectUri: String
        var scope: String
        /// What an ID token is verified by; not at all without.
        var keys: JWKSet?
    }

    private static let tenant = "/contoso.onmicrosoft.com/B2C_1_susi"
    private let app: App
    private let grant: CodeGrant
    private var step = Step.authorize
    private var csrf = ""
    private var place = ""
    private var api = ""
    private var cookies = Cookies()
    private let session: String?

    /// - Parameter session: The cookies of a person who is signed in; nil: nobody is.
    init(app: App, random: SeededGenerator, session: String? = nil) {
        self.app = app
        self.session = session
        grant = CodeGrant(app, random)
    }

    mutating func next(_ answer: LeanAnswer?) throws -> LeanRequest? {
        guard let answer else {
            step = session == nil ? .page : .confirmed
            cookies = Cookies()
            return LeanRequest(
                target: "\(Self.tenant)/oauth2/v2.0/authorize?\(grant.query)", cookies: session ?? "")
        }
        switch step {
        case .authorize: throw SignInWorld.Unexpected(text: "an answer to nothing")
        case .page:
            cookies.take(answer)
            csrf = try member("csrf", of: answer.body)
            place = "tx=\(try member("transId", of: answer.body))&p=B2C_1_susi"
            api = try member("api", of: answer.body)
            var form = FormItems()
            form.append("request_type", "RESPONSE")
            form.append("email", "ada@example.test")
            form.append("password", "Analytical-1843")
            step = .posted
            return LeanRequest(
                method: "POST", target: "\(Self.tenant)/SelfAsserted?\(place)", cookies: cookies.text,
                headers: "X-CSRF-TOKEN: \(csrf)\r\n", form: form.encoded)
        case .posted:
            cookies.take(answer)
            step = .confirmed
            return LeanRequest(
                target: "\(Self.tenant)/api/\(api)/confirmed?rememberMe=false&csrf_token=\(csrf)&\(place)",
                cookies: cookies.text)
        case .confirmed:
            step = .redeemed
            return try grant.redemption(answer, at: "\(Self.tenant)/oauth2/v2.0/token")
        case .redeemed:
            try checkTokens(answer, of: app)
            return nil
        }
    }

    /// The cookies of one visit.
    private struct Cookies {
        private var pairs: [(name: String, pair: String)] = []

        mutating func take(_ answer: LeanAnswer) {
            for field in answer.cookies {
                let bytes = field.utf8
                guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = String(field[..<equals])
                let pair = String(field[..<(bytes[equals...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex)])
                pairs.removeAll { $0.name == name }
                if name.utf8.count + 1 < pair.utf8.count { pairs.append((name, pair)) }
            }
        }

        var text: String {
            var text = ""
            for index in pairs.indices {
                if index > 0 { text += "; " }
                text += pairs[index].pair
            }
            return text
        }
    }
}

/// Signs in at oidc-provider-mock: its form, a name, the code. No password is asked.
struct ProviderMockErrand: Errand {
    private let app: SignInErrand.App
    private let grant: CodeGrant
    private var step = 0
    private let seesForm: Bool

    /// - Parameter seesForm: Whether the form is asked for before it is sent.
    init(app: SignInErrand.App, random: SeededGenerator, seesForm: Bool = true) {
        self.app = app
        self.seesForm = seesForm
        grant = CodeGrant(app, random, secret: "secret")
    }

    private var filledForm: LeanRequest {
        LeanRequest(method: "POST", target: "/oauth2/authorize?\(grant.query)", form: "sub=ada%40example.test")
    }

    mutating func next(_ answer: LeanAnswer?) throws -> LeanRequest? {
        guard let answer else {
            step = seesForm ? 0 : 1
            return seesForm ? LeanRequest(target: "/oauth2/authorize?\(grant.query)") : filledForm
        }
        step += 1
        switch step {
        case 1:
            guard answer.status == 200 else { throw SignInWorld.Unexpected(text: "\(answer.status), no form") }
            return filledForm
        case 2: return try grant.redemption(answer, at: "/oauth2/token")
        default:
            try checkTokens(answer, of: app)
            return nil
        }
    }
}

/// Signs in at glewlwyd by its JSON interface: the password, the authorization, the code.
struct GlewlwydErrand: Errand {
    private let app: SignInErrand.App
    private let grant: CodeGrant
    private let session: String?
    private var step = 0

    /// - Parameter session: The cookie of a person who is signed in; nil: nobody is.
    init(app: SignInErrand.App, random: SeededGenerator, session: String? = nil) {
        self.app = app
        self.session = session
        grant = CodeGrant(app, random, sendsNonce: true)
    }

    private func authorization(_ cookies: String) -> LeanRequest {
        LeanRequest(target: "/api/oidc/auth?\(grant.query)&g_continue", cookies: cookies)
    }

    mutating func next(_ answer: LeanAnswer?) throws -> LeanRequest? {
        guard let answer else {
            step = session == nil ? 0 : 1
            if let session { return authorization(session) }
            return LeanRequest(
                method: "POST", target: "/api/auth/",
                form: #"{"username":"ada@example.test","password":"Analytical-1843"}"#, type: "application/json")
        }
        step += 1
        switch step {
        case 1:
            guard answer.status == 200 else {
                throw SignInWorld.Unexpected(text: "\(answer.status) to the password")
            }
            return authorization(answer.cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; "))
        case 2: return try grant.redemption(answer, at: "/api/oidc/token/")
        default:
            try checkTokens(answer, of: app)
            return nil
        }
    }
}

/// What a caller sends of the authorization code grant with PKCE, made once for all its errands: the servers are measured
/// and not the making of requests.
private struct CodeGrant {
    /// Of the authorization request.
    let query: String
    /// What the token request begins with: all but the code.
    private let form: String

    init(_ app: SignInErrand.App, _ random: SeededGenerator, secret: String? = nil, sendsNonce: Bool = false) {
        var random = random
        let verifier = PKCE.verifier(&random)
        var query = FormItems()
        query.append("client_id", app.clientId)
        query.append("response_type", "code")
        query.append("redirect_uri", app.redirectUri)
        query.append("scope", app.scope)
        query.append("state", random.guid().description)
        if sendsNonce { query.append("nonce", random.guid().description) }
        query.append("code_challenge", PKCE.challenge(verifier))
        query.append("code_challenge_method", "S256")
        self.query = query.encoded
        var form = FormItems()
        form.append("client_id", app.clientId)
        form.append("grant_type", "authorization_code")
        form.append("redirect_uri", app.redirectUri)
        form.append("code_verifier", verifier)
        if let secret { form.append("client_secret", secret) }
        self.form = form.encoded
    }

    /// Asks tokens for the code of an answer.
    func redemption(_ answer: LeanAnswer, at path: String) throws -> LeanRequest {
        let pairs = answer.location?.utf8.split { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "&") } ?? []
        guard let pair = pairs.lazy.map({ Substring($0) }).first(where: { $0.hasPrefix("code=") })
        else { throw SignInWorld.Unexpected(text: "\(answer.status), no code") }
        // The code is escaped in a query as it has to be in a form.
        return LeanRequest(method: "POST", target: path, form: "\(form)&\(pair)")
    }
}

/// That an answer has an ID token, and a good one if there are keys to check it with.
private func checkTokens(_ answer: LeanAnswer, of app: SignInErrand.App) throws {
    guard let keys = app.keys else {
        _ = try member("id_token", of: answer.body)
        _ = try member("access_token", of: answer.body)
        return
    }
    guard let body = try? JSONParser.parse(answer.body), let text = body["id_token"]?.stringValue,
        let token = JWS(compact: text)
    else { throw SignInWorld.Unexpected(text: "\(answer.status), no ID token") }
    if case .failure(let error) = token.verify(in: keys) { throw SignInWorld.Unexpected(text: "\(error)") }
}

/// The text of a member of JSON that stands somewhere in an answer, as it is written. Reading all of it is not what
/// is measured.
private func member(_ name: String, of body: [UInt8]) throws -> String {
    let key = Array("\"\(name)\":\"".utf8)
    let value: String? = body.withUnsafeBufferPointer { body in
        let start = key.withUnsafeBufferPointer { ByteSearch.offset(of: $0, in: body) } + key.count
        guard start < body.count else { return nil }
        let end = ByteSearch.offset(of: UInt8(ascii: "\""), in: body, from: start)
        return String(decoding: body[start..<end], as: UTF8.self)
    }
    guard let value else { throw SignInWorld.Unexpected(text: "an answer without \(name)") }
    return value
}
