import ArgumentParser
import AuthorityHosting
import CommandFiles
import CommandKit
import CurlHTTP
import Determinism
import Diagnostics
import ExtensionCalls
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// What `b2c extension` calls, with which person and how.
struct ExtensionOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The address of the function.", valueName: "url"))
    var url: String

    @Option(name: .long, help: ArgumentHelp("The event, such as tokenIssuanceStart.", valueName: "name"))
    var event: String

    @Option(name: .long, help: ArgumentHelp("The tenant file; without one an embedded tenant.", valueName: "file"))
    var tenant: String?

    @Option(name: .long, help: ArgumentHelp("Who signs in. (default: the first person)", valueName: "person"))
    var user: String?

    @Option(name: .long, help: ArgumentHelp("The app signed in to. (default: the first app)", valueName: "app"))
    var app: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The application id of the extension's app: aud of the token. (default: the one that b2c exec sets)",
            valueName: "id"))
    var audience: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A running server, whose issuer the function trusts. (default: one that is started for the call)",
            valueName: "url"))
    var server: String?

    @Option(
        name: .long, help: ArgumentHelp("The PEM file by which an https function is trusted.", valueName: "file"))
    var ca: String?

    @Flag(
        name: .long,
        help: "Call a host other than localhost: it gets a token and personal data, so name it on purpose.")
    var allowRemote = false

    @Option(name: .long, help: ArgumentHelp("How long the service waits: 200 to 2000.", valueName: "ms"))
    var timeout = 1000

    @Option(name: .long, help: ArgumentHelp("Calls after a failed one: 0 or 1.", valueName: "n"))
    var retries = 1

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What encrypts the password of passwordSubmit: certificate or public key (PEM), JWK or JWK set.",
            valueName: "file"))
    var key: String?

    @Flag(name: .long, help: "Encrypt the password as JSON, not as an unsigned JWT.")
    var plain = false

    @Option(name: .long, help: ArgumentHelp("How the key is encrypted.", valueName: "alg"))
    var alg = JWE.KeyAlgorithm.rsaOAEP256

    @Option(name: .long, help: ArgumentHelp("How the password is encrypted.", valueName: "enc"))
    var enc = JWE.ContentEncryption.a256GCM

    @Option(name: .long, help: ArgumentHelp("Version of the caller's token: 1 or 2.", valueName: "n"))
    var tokenVersion = 2

    @Option(name: .long, help: ArgumentHelp("Whose issuer and keys the caller has.", valueName: "host"))
    var host = ExtensionIssuer.Host.external

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Attributes or claims besides those of the person: JSON, or a file of it.", valueName: "file|json"))
    var input: String?

    @Option(name: .long, help: ArgumentHelp("The password that is typed. (default: the person's)", valueName: "text"))
    var password: String?

    @Option(name: .long, help: ArgumentHelp("The one-time code of emailOtpSend. (default: drawn)", valueName: "text"))
    var code: String?

    @OptionGroup var common: CommonOptions

    // MARK: the call

    /// Does something with the call that the options describe, beside a server that publishes the caller's keys.
    ///
    /// - Throws: ``Failure`` for options that do not fit together, and for a server that does not answer.
    func withCall(
        _ body: (ExtensionCall, CurlTransport, SeededGenerator) async throws -> Void
    ) async throws {
        let (draft, generator) = try call()
        let started = server == nil ? try await Self.startServer() : nil
        do {
            let control = try ServerControl(started?.url ?? server ?? "")
            var call = draft
            call.issuer.origin = WebURL(control.origin)
            let metadata = "\(call.issuer.issuer(host))/.well-known/openid-configuration"
            _ = try await control.fetch("GET", metadata)
            if started != nil {
                Machine.error.write(
                    "The caller's keys are at \(metadata) during this call. A function that checks tokens needs the "
                        + "address before: start `b2c serve`, configure the function, and give --server.\n")
            }
            try await body(call, CurlTransport(CurlOptions(trust: ca.map { .file($0) } ?? .system)), generator)
        } catch let error as JOSEError {
            await started?.end()
            throw Failure.usage("--key \(key ?? ""): \(error)")
        } catch {
            await started?.end()
            throw error
        }
        await started?.end()
    }

    private static func startServer() async throws -> ServedProcess {
        try await ServedProcess.start(
            [try MockServerLauncher.path(), "serve"]
                + ["--port", "0", "--control-port", "0", "--end-with-parent", "--quiet"])
    }

    private func call() throws -> (ExtensionCall, SeededGenerator) {
        let event = try chosenEvent()
        let url = try address(url)
        let limits = ExtensionCall.timeouts
        guard limits.contains(.milliseconds(Int64(timeout))) else {
            throw Failure.usage("--timeout \(timeout): expected milliseconds from 200 to 2000, as the service allows")
        }
        guard (0...1).contains(retries) else {
            throw Failure.usage("--retries \(retries): expected 0 or 1, as the service repeats a call once at most")
        }
        guard (1...2).contains(tokenVersion) else {
            throw Failure.usage("--token-version \(tokenVersion): expected 1 or 2")
        }
        if event == .passwordSubmit, key == nil {
            throw Failure.usage(
                "passwordSubmit needs --key: a file with the certificate or the public key of the extension's app")
        }
        let (tenant, shown) = try self.chosenTenant()
        func unknown(_ what: String, _ name: String?, _ known: [String]) -> Failure {
            .usage("\(shown) has no \(what)" + (name.map { " \($0). \(ServedFacts.hint($0, known))" } ?? ""))
        }
        guard let person = user.map({ tenant.user(named: $0) }) ?? tenant.users.first else {
            throw unknown("person", user, tenant.users.map(\.name))
        }
        let app = app.map { tenant.app(named: $0) } ?? tenant.apps.first
        if let name = self.app, app == nil { throw unknown("app", name, tenant.apps.map(\.name)) }
        let audience = audience ?? ExtensionIssuer(tenantID: "\(tenant.id)").audience
        let seed = try EnvironmentOption.number("B2C_SEED", as: UInt64.self)
        var generator = SeededGenerator(
            seed: seed ?? UInt64(bitPattern: Machine.clock.now().milliseconds), stream: "extension")
        var call = ExtensionCall(
            event, url: url, person: person, app: app, tenant: tenant, audience: audience, origin: nil,
            using: &generator)
        call.token?.host = host
        call.token?.version = tokenVersion
        call.timeout = .milliseconds(Int64(timeout))
        call.retries = retries
        call.inputs = try inputs()
        call.password = password ?? call.password
        call.oneTimeCode = code ?? call.oneTimeCode
        if let key {
            let text = String(decoding: try InputFile.read(key), as: UTF8.self)
            let set = (try? JSONParser.parse(text))?["keys"]?.arrayValue ?? []
            let written = set.first { $0["use"] == "enc" } ?? set.first
            guard var encryption = ExtensionEncryption(written: written ?? .string(text)) else {
                throw Failure.usage(
                    "--key \(key) has no RSA key: expected a certificate or a public key in PEM, a JWK or a JWK set")
            }
            (encryption.algorithm, encryption.content, encryption.isNested) = (alg, enc, !plain)
            call.encryption = encryption
        }
        return (call, generator)
    }

    /// The event of that name, in any letter case.
    func chosenEvent() throws -> ExtensionEvent {
        let all = ExtensionEvent.allCases
        if let event = all.first(where: { $0.rawValue.lowercased() == event.lowercased() }) { return event }
        let names = all.map(\.rawValue)
        let hint = nearestName(event, among: names).map { "Did you mean \($0)?" } ?? "Events are \(namesList(names))."
        throw Failure.usage("there is no event \(event). \(hint)")
    }

    /// An address that may be called.
    func address(_ text: String) throws -> WebURL {
        guard let url = WebURL(called: text) else {
            throw Failure.usage("\(text) is not an address: expected one such as http://localhost:7071/api/extension")
        }
        guard url.isLoopback || allowRemote else {
            throw Failure.usage(
                "\(url.authority) is not this machine, and would get a token and personal data: give --allow-remote")
        }
        return url
    }

    private func chosenTenant() throws -> (Tenant, shown: String) {
        if let tenant { return (try TenantArgument.read(tenant).outline, tenant) }
        let json = try JSONParser.parse(Array(StarterTenant.text.utf8))
        return (TenantFile.outline(of: json), StarterTenant.name)
    }

    private func inputs() throws -> JSONObject {
        guard let input else { return [:] }
        let isText = input.first { !$0.isWhitespace } == "{"
        let bytes = isText ? Array(input.utf8) : try InputFile.read(input)
        guard let object = (try? JSONParser.parse(bytes))?.objectValue else {
            throw Failure.usage(
                "--input \(isText ? "" : "\(input) ")is not a JSON object, such as {\"city\":\"London\"}")
        }
        return object
    }
}

extension JWE.KeyAlgorithm: ExpressibleByArgument {}
extension JWE.ContentEncryption: ExpressibleByArgument {}
extension ExtensionIssuer.Host: ExpressibleByArgument {}
