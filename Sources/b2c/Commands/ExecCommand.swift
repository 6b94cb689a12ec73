import ArgumentParser
import CommandKit
import Diagnostics
import JSON
import TenantFiles

/// `b2c exec`.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Runs a command beside a server of its own, whose addresses it finds in its environment.",
        discussion: """
            Starts mock-server at a free port, waits until it answers, sets B2C_URL, B2C_AUTHORITY, B2C_ISSUER, \
            B2C_CLIENT_ID and others, runs the command, ends the server and returns the command's exit code.

              b2c exec -- pytest                             with the embedded tenant
              b2c exec --tenant contoso.json --env node -- npm test
              b2c exec -- env                                shows all variables
            """)

    @Option(name: .long, help: ArgumentHelp("The tenant file; without one an embedded tenant.", valueName: "file"))
    var tenant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also set the variables that this stack reads: dotnet, node, python or spring. Repeatable.",
            valueName: "stack"))
    var env: [EnvironmentPreset] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app whose client id is set, or the API, for the tests of one. (default: the first app)",
            valueName: "name"))
    var app: String?

    @Option(
        name: .long, help: ArgumentHelp("The policy whose authority is set. (default: the app's)", valueName: "name"))
    var policy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the variables to this file: NAME=VALUE, each with a NUL byte behind it.", valueName: "file"))
    var variablesFile: String?

    @Flag(name: .long, help: "Serve https, by the certificate authority of this machine.")
    var tls = false

    @Flag(name: .long, help: "Print the server's log of requests to the error output.")
    var log = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
    var command: [String] = []

    func run() async throws {
        guard !command.isEmpty else {
            throw Failure.usage("name a command after --, such as: b2c exec -- pytest")
        }
        let program = try MockServerLauncher.path()
        var arguments = [program, "serve", "--port", "0", "--control-port", "0", "--end-with-parent"]
        if let tenant { arguments += ["--tenant", tenant] }
        if tls { arguments.append("--tls") }
        if !log { arguments.append("--quiet") }
        let server = try await ServedProcess.start(arguments)
        let code: Int32
        do {
            code = try await run(beside: server, program)
        } catch {
            await server.end()
            throw error
        }
        await server.end()
        Machine.exit(code: code)
    }

    private func run(beside server: ServedProcess, _ program: String) async throws -> Int32 {
        var authority: String?
        if tls {
            switch await Subprocess.output(of: [program, "certificate", "path"]) {
            case .success(let text): authority = text.split(separator: "\n").first.map(String.init)
            case .failure(let problem): throw Failure.machine("\(problem.text)")
            }
        }
        let control = try ServerControl(server.url, authorityFile: authority)
        let answer = try await control.call("GET", "/tenant")
        let served: Tenant
        do throws(InvalidInput) {
            served = try Tenant(json: answer["written"] ?? [:])
        } catch {
            throw Failure.input("\(error.diagnostics.map(\.message).joined(separator: "; "))")
                as any Error
        }
        let facts = try await ServedFacts.read(control, served, app: app, policy: policy)
        var variables = facts.variables
        for preset in env { variables += preset.variables(facts) }
        if let variablesFile {
            let text = variables.map { "\($0.0)=\($0.1)\0" }.joined()
            do throws(FileSystem.Problem) {
                try FileSystem.write(Array(text.utf8), to: variablesFile)
            } catch {
                throw Failure.machine("\(variablesFile) cannot be written: \(error.text)")
                    as any Error
            }
        }
        return try await Subprocess.foreground(command, setting: variables, for: B2C.name)
    }
}

/// The addresses and ids of a server that a command is run beside.
struct ServedFacts: Sendable {
    var url: String
    var controlURL: String
    var domain: String
    var tenantID: String
    /// Id of the policy on the wire; `nil` for a plain directory tenant.
    var policy: String?
    /// Ids of the other policies, by kind.
    var editPolicy: String?
    var resetPolicy: String?
    var authority: String
    var issuer: String
    var metadata: String
    var keys: String
    var clientID: String
    var secret: String?
    var redirectURI: String?
    /// Client ids by name of the app or API.
    var clientIDs: [(name: String, id: String)]
    var audience: String?
    var scopes: [String]
    var authorityFile: String?

    /// Asks a server.
    ///
    /// - Parameters:
    ///   - app: An app or an API.
    static func read(_ control: ServerControl, _ tenant: Tenant, app: String?, policy: String?) async throws
        -> ServedFacts
    {
        let names = tenant.apps.map(\.name) + tenant.apis.map(\.name)
        let chosen = app.flatMap { tenant.app(named: $0) } ?? (app == nil ? tenant.apps.first : nil)
        let api = app.flatMap { name in tenant.apis.first { $0.name == name } } ?? tenant.apis.first
        if let app, chosen == nil, api?.name != app {
            throw Failure.usage("there is no app \(app). \(hint(app, names))")
        }
        var id: String?
        if tenant.kind == .b2c {
            let name = policy ?? chosen?.client.policy ?? tenant.policies.first?.name
            guard let name, let settings = tenant.policy(named: name) ?? tenant.policy(id: name) else {
                throw Failure.usage(
                    "there is no policy \(policy ?? ""). \(hint(policy ?? "", tenant.policies.map(\.name)))")
            }
            id = settings.id
        }
        let place: String = id.map { "\(tenant.domain)/\($0)" } ?? "\(tenant.id)"
        let base = "\(control.origin)/\(place)"
        let metadata = base + "/v2.0/.well-known/openid-configuration"
        let document = try await control.fetch("GET", metadata)
        let usesAPI = chosen == nil
        return ServedFacts(
            url: control.origin, controlURL: control.address, domain: tenant.domain, tenantID: "\(tenant.id)",
            policy: id, editPolicy: tenant.policies.first { $0.type == .profileEditing }?.id,
            resetPolicy: tenant.policies.first { $0.type == .passwordReset }?.id, authority: base,
            issuer: document["issuer"]?.stringValue ?? "", metadata: metadata,
            keys: document["jwks_uri"]?.stringValue ?? "",
            clientID: usesAPI ? api?.clientId ?? "" : chosen?.registration.clientId ?? "",
            secret: nil, redirectURI: chosen?.redirectURI,
            clientIDs: tenant.apps.map { ($0.name, $0.registration.clientId) }
                + tenant.apis.map { ($0.name, $0.clientId) },
            audience: api?.clientId, scopes: api.map { api in api.scopes.map { api.scopeName($0) } } ?? [],
            authorityFile: control.authorityFile)
    }

    static func hint(_ name: String, _ names: [String]) -> String {
        nearestName(name, among: names).map { "Did you mean \($0)?" }
            ?? (names.isEmpty ? "The tenant has none." : "The tenant has \(namesList(names)).")
    }

    /// What every command gets.
    var variables: [(String, String)] {
        var list = [
            ("B2C_URL", url), ("B2C_CONTROL_URL", controlURL), ("B2C_AUTHORITY", authority), ("B2C_ISSUER", issuer),
            ("B2C_METADATA_URL", metadata), ("B2C_JWKS_URL", keys), ("B2C_TENANT_DOMAIN", domain),
            ("B2C_TENANT_ID", tenantID), ("B2C_CLIENT_ID", clientID),
        ]
        if let policy { list.append(("B2C_POLICY", policy)) }
        if let redirectURI { list.append(("B2C_REDIRECT_URI", redirectURI)) }
        if let audience { list.append(("B2C_AUDIENCE", audience)) }
        if !scopes.isEmpty { list.append(("B2C_SCOPES", scopes.joined(separator: " "))) }
        for (name, id) in clientIDs { list.append(("B2C_CLIENT_ID_" + Self.variable(name), id)) }
        if let file = authorityFile {
            list.append(("B2C_CA_FILE", file))
            // What programs of these stacks read before they trust a certificate: Node.js, Python's requests, OpenSSL.
            for name in ["NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"] { list.append((name, file)) }
        }
        return list
    }

    /// A name as a part of a variable's: capitals, digits and underscores.
    static func variable(_ name: String) -> String {
        String(
            name.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            }
        ).uppercased()
    }
}

/// The variables that libraries and templates of a stack read.
enum EnvironmentPreset: String, ExpressibleByArgument, CaseIterable {
    case dotnet, node, python, spring

    func variables(_ facts: ServedFacts) -> [(String, String)] {
        let policy = facts.policy ?? ""
        switch self {
        case .dotnet:
            // Sections of appsettings.json with `__` between them (Microsoft.Identity.Web: MicrosoftIdentityOptions; the
            // templates call the section AzureAdB2C, and AzureAd where there is one alone).
            var list: [(String, String)] = []
            for section in ["AzureAdB2C", "AzureAd"] {
                list += [
                    ("\(section)__Instance", facts.url), ("\(section)__Domain", facts.domain),
                    ("\(section)__TenantId", facts.tenantID), ("\(section)__ClientId", facts.clientID),
                    ("\(section)__SignUpSignInPolicyId", policy),
                ]
                if let edit = facts.editPolicy { list.append(("\(section)__EditProfilePolicyId", edit)) }
                if let reset = facts.resetPolicy { list.append(("\(section)__ResetPasswordPolicyId", reset)) }
            }
            // JwtBearerOptions, read from the configuration since .NET 7.
            list.append(("Authentication__Schemes__Bearer__MetadataAddress", facts.metadata))
            if let audience = facts.audience {
                list.append(("Authentication__Schemes__Bearer__ValidAudiences__0", audience))
            }
            return list
        case .node:
            // As the B2C samples of MSAL Node name them: the library itself reads none.
            var list = [
                ("APP_CLIENT_ID", facts.clientID), ("SIGN_UP_SIGN_IN_POLICY_AUTHORITY", facts.authority),
                ("AUTHORITY_DOMAIN", facts.url),
            ]
            if let redirect = facts.redirectURI { list.append(("APP_REDIRECT_URI", redirect)) }
            return list
        case .python:
            // As the B2C samples of MSAL Python name their settings: the library itself reads none.
            return [
                ("CLIENT_ID", facts.clientID), ("AUTHORITY", facts.authority),
                ("SCOPE", facts.scopes.joined(separator: " ")),
                ("SIGNUPSIGNIN_USER_FLOW", policy),
            ]
        case .spring:
            // Spring Boot's resource server: with both it takes the keys from the second and compares `iss` with the first
            // (the issuer of B2C is not the address of its metadata). Below it Spring Cloud Azure.
            var list = [
                ("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI", facts.issuer),
                ("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_JWK_SET_URI", facts.keys),
                ("SPRING_CLOUD_AZURE_ACTIVE_DIRECTORY_B2C_ENABLED", "true"),
                ("SPRING_CLOUD_AZURE_ACTIVE_DIRECTORY_B2C_BASE_URI", "\(facts.url)/\(facts.domain)/"),
                ("SPRING_CLOUD_AZURE_ACTIVE_DIRECTORY_B2C_PROFILE_TENANT_ID", facts.tenantID),
                ("SPRING_CLOUD_AZURE_ACTIVE_DIRECTORY_B2C_CREDENTIAL_CLIENT_ID", facts.clientID),
                ("SPRING_CLOUD_AZURE_ACTIVE_DIRECTORY_B2C_USER_FLOWS_SIGN_UP_OR_SIGN_IN", policy),
            ]
            if let audience = facts.audience {
                list.append(("SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_AUDIENCES", audience))
            }
            return list
        }
    }
}
