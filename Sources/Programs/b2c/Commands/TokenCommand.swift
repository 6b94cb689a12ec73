import ArgumentParser
import AuthorityHosting
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JOSE
import JSON
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework
import Verbs

/// `b2c token`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Signs a person in and prints one token on one line; changed or broken, if you ask for that.",
        discussion: """
            Alone it signs in within this process, with the keys of the tenant file. With --server a running server signs, \
            and the token has its issuer and its clock.

              b2c token --as ada                               an access token
              b2c token --as ada --tenant contoso.json --id    an ID token
              b2c token --as ada --server http://localhost:9400 --expired
              curl -H "Authorization: Bearer $(b2c token --as ada --wrong-key)" $API/tasks
            """)

    @Option(
        name: .customLong("as"), help: ArgumentHelp("Who signs in. (default: the first person)", valueName: "person"))
    var person: String?

    @Option(name: .long, help: ArgumentHelp("The app that asks. (default: the first app)", valueName: "app"))
    var app: String?

    @Option(name: .long, help: ArgumentHelp("The policy, by name or id. (default: the app's)", valueName: "policy"))
    var policy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A scope to ask for. Repeatable. (default: the app's, else those of the first API)", valueName: "scope"))
    var scope: [String] = []

    @Flag(name: .long, help: "Print the ID token. (default: the access token)")
    var id = false

    @Option(name: .long, help: ArgumentHelp("The tenant file; without one an embedded tenant.", valueName: "file"))
    var tenant: String?

    @Option(
        name: .long, help: ArgumentHelp("A running server, which signs with its keys. (B2C_URL)", valueName: "url"))
    var server: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The PEM file by which an https server is trusted. (B2C_CA_FILE)", valueName: "file"))
    var ca: String?

    @OptionGroup(title: "What is wrong with it") var changes: TokenChanges

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try changes.check()
        let control = try serverAddress.map {
            try ServerControl($0, authorityFile: ca ?? Machine.environment("B2C_CA_FILE"))
        }
        let source = try await source(control)
        let names = try names(source)
        let now: Timestamp
        if let control {
            let clock = try await control.call("GET", "/clock")
            now = clock["now"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? Machine.clock.now()
        } else {
            now = Machine.clock.now()
        }
        let token = try await signedIn(source, names, now)
        guard let control else {
            Machine.out.write(data: token + "\n")
            return
        }
        Machine.out.write(data: try await minted(token, by: control, for: names, of: source, at: now) + "\n")
    }

    /// The server that signs, by the option or the environment; `nil`: this process signs.
    private var serverAddress: String? { server ?? Machine.environment("B2C_URL") }

    // MARK: What there is

    /// A tenant, and how messages name it.
    private struct Source {
        var json: JSONValue
        var tenant: Tenant
        var shown: String
        /// The folder of the tenant file: paths in it are relative to that.
        var folder: String
    }

    private func source(_ control: ServerControl?) async throws -> Source {
        if let tenant {
            let file = try TenantArgument.read(tenant)
            return Source(json: file.json, tenant: file.outline, shown: tenant, folder: FilePath.folder(tenant))
        }
        let json: JSONValue
        let shown: String
        if let control {
            json = try await control.call("GET", "/tenant?secrets=show")["written"] ?? [:]
            shown = control.origin
        } else {
            json = try JSONParser.parse(Array(StarterTenant.text.utf8))
            shown = StarterTenant.name
        }
        do throws(InvalidInput) {
            return Source(json: json, tenant: try Tenant(json: json), shown: shown, folder: ".")
        } catch {
            throw Failure.input("\(shown): \(error.diagnostics.map(\.message).joined(separator: "; "))")
                as any Error
        }
    }

    private struct Names {
        var person: UserRecord
        var app: AppSettings
        var policy: PolicySettings?
        var scopes: [String]
    }

    private func names(_ source: Source) throws -> Names {
        let tenant = source.tenant
        guard let person = person.map({ tenant.user(named: $0) }) ?? tenant.users.first else {
            throw unknown("person", person, of: source, known: tenant.users.map(\.name))
        }
        guard let app = app.map({ tenant.app(named: $0) }) ?? tenant.apps.first else {
            throw unknown("app", app, of: source, known: tenant.apps.map(\.name))
        }
        var chosen: PolicySettings?
        if tenant.kind == .b2c {
            let name = policy ?? app.client.policy ?? tenant.policies.first?.name ?? ""
            guard let found = tenant.policy(named: name) ?? tenant.policy(id: name) else {
                throw unknown("policy", name, of: source, known: tenant.policies.map(\.name))
            }
            if found.type == .custom, self.tenant == nil, serverAddress != nil {
                throw Failure.usage(
                    "\(found.id) is a custom policy: name the tenant file of the server with --tenant, too")
            }
            chosen = found
        }
        var scopes = scope.isEmpty ? app.client.scopes : scope
        if scopes.isEmpty, let api = tenant.apis.first { scopes = api.scopes.map { api.scopeName($0) } }
        // An app may ask for a token for itself (Microsoft docs: access-tokens).
        if scopes.isEmpty { scopes = [app.registration.clientId] }
        return Names(person: person, app: app, policy: chosen, scopes: scopes)
    }

    private func unknown(_ what: String, _ name: String?, of source: Source, known: [String]) -> Failure {
        guard let name, !name.isEmpty else { return Failure.usage("\(source.shown) has no \(what)") }
        return Failure.usage("\(source.shown) has no \(what) \(name). \(ServedFacts.hint(name, known))")
    }

    // MARK: The token

    /// A token of a sign-in in this process: as it was issued where a server changes it, else changed.
    private func signedIn(_ source: Source, _ names: Names, _ now: Timestamp) async throws -> String {
        let kind: SignIn.TokenKind = id ? .idToken : .accessToken
        var signIn = SignIn(
            person: names.person, policy: names.policy, scopes: names.scopes,
            on: ScenarioDraft(name: "token", tenant: .inPlace(source.json), app: names.app.name, clock: now),
            file: FilePath.join(source.folder, "token.json"))
        if serverAddress == nil, var order = changes.order(at: now) {
            order.from = signIn.reference(to: kind)
            signIn.after.append(Step(MintToken(order)))
        }
        let options = RunOptions(
            seed: try EnvironmentOption.number("B2C_SEED", as: UInt64.self) ?? 1,
            readFile: { try? FileSystem.read($0) },
            policies: PolicyShelf(files: .disk))
        let outcome: SignIn.Outcome
        do throws(InvalidInput) {
            outcome = try await signIn.play(options: options)
        } catch {
            let text = error.diagnostics.filter { $0.severity == .error }.map(\.message).joined(separator: "; ")
            throw Failure.input("\(text)") as any Error
        }
        let changed = outcome.steps.dropFirst().first.map { $0["result", "token"]?.stringValue }
        if let token = changed ?? outcome.token(kind) { return token }
        let reason = outcome.errorText ?? outcome.failure ?? outcome.problem ?? "the answer has none"
        throw Failure.expectation("\(names.person.name) gets no \(id ? "ID" : "access") token: \(reason)")
    }

    /// The same token, with a server's issuer and its id of the person, signed by the server.
    private func minted(
        _ token: String, by control: ServerControl, for names: Names, of source: Source, at now: Timestamp
    ) async throws -> String {
        guard let jws = JWS(compact: token), let claims = jws.claims else {
            throw Failure.machine("the token cannot be read")
        }
        var patch = JSONObject()
        let path = names.policy.map { "\(source.tenant.domain)/\($0.id)" } ?? "\(source.tenant.id)"
        let metadata = try await control.fetch(
            "GET", "\(control.origin)/\(path)/v2.0/.well-known/openid-configuration")
        patch["iss"] = metadata["issuer"]
        // The account that signs in there has an id of its own.
        let row = try await control.call(
            "GET", "/users/\(PercentCoding.encodeComponent(names.person.name))?secrets=show")
        if let own = row["objectId"]?.stringValue, let ours = claims["oid"] ?? claims["sub"] {
            for name in ["oid", "sub"] where claims[name] == ours { patch[name] = .string(own) }
        }
        var order = changes.order(at: now) ?? MintOrder()
        order.from = token
        order.claims = JSONValue.object(patch).merging(patch: order.claims)
        let answer = try await control.call("POST", "/tokens", MintToken(order).parameters)
        return answer["token"]?.stringValue ?? ""
    }
}

/// What is changed of a token.
struct TokenChanges: ParsableArguments {
    @Flag(name: .long, help: "It ended ten minutes ago.")
    var expired = false

    @Flag(name: .customLong("not-yet"), help: "It begins in an hour (nbf).")
    var notYet = false

    @Flag(name: .customLong("wrong-key"), help: "A key has signed it that nobody publishes.")
    var wrongKey = false

    @Flag(name: .customLong("alg-none"), help: "It is unsigned: alg is none.")
    var algNone = false

    @Option(name: .long, help: ArgumentHelp("Another audience (aud).", valueName: "id"))
    var audience: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Another claim: JSON or text; null removes it. Repeatable.", valueName: "name=value"))
    var claim: [String] = []

    /// Refuses what contradicts itself.
    func check() throws {
        if expired, notYet { throw Failure.usage("--expired and --not-yet exclude each other") }
        if wrongKey, algNone {
            throw Failure.usage("--wrong-key and --alg-none exclude each other: one signs, one does not")
        }
        for text in claim where !text.contains("=") || text.hasPrefix("=") {
            throw Failure.usage("--claim \(text): expected a name and a value, such as --claim scp=write")
        }
    }

    /// The order to make such a token, without the one it is made from; `nil`: nothing is changed.
    func order(at now: Timestamp) -> MintOrder? {
        var order = MintOrder()
        var claims = JSONObject()
        // A token that was good for an hour, as B2C issues them.
        func span(from begin: TimeSpan, to end: TimeSpan) {
            claims["iat"] = .integer((now + begin).secondsSinceEpoch)
            claims["nbf"] = .integer((now + begin).secondsSinceEpoch)
            claims["exp"] = .integer((now + end).secondsSinceEpoch)
        }
        if expired { span(from: .minutes(-70), to: .minutes(-10)) }
        if notYet { span(from: .hours(1), to: .hours(2)) }
        if let audience { claims["aud"] = .string(audience) }
        for text in claim {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { continue }
            claims[parts[0]] = (try? JSONParser.parse(Array(parts[1].utf8))) ?? .string(parts[1])
        }
        order.claims = .object(claims)
        if wrongKey { order.key = "a key that nobody publishes" }
        if algNone { order.algorithm = .none }
        return order == MintOrder() ? nil : order
    }
}
