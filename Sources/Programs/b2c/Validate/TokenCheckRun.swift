import ArgumentParser
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JOSE
import PolicyTools
import Reports
import TenantFiles
import Validation

/// What a token is held against.
struct TokenOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The policy's published keys (jwks_uri) as a file.", valueName: "file"))
    var keys: String?

    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("An audience that is right.", valueName: "id"))
    var audience: [String] = []

    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A policy that is right.", valueName: "name"))
    var policy: [String] = []

    @Option(name: .long, parsing: .singleValue, help: ArgumentHelp("A scope that is needed.", valueName: "scope"))
    var scope: [String] = []

    @Option(name: .long, help: ArgumentHelp("The moment it is used, RFC 3339. (default: now)", valueName: "time"))
    var at: String?

    @Option(name: .long, help: ArgumentHelp("Tolerance of clocks, ISO 8601.", valueName: "duration"))
    var skew: String = "PT5M"
}

/// Checks one token and prints each check. The token itself is never printed.
struct TokenCheckRun {
    var options: TokenOptions
    var discovery: DiscoveryOptions
    var common: CommonOptions
    var tenant: Tenant?
    var format: FindingsFormat

    func run(_ argument: String) async throws {
        let (token, place) = try text(argument)
        var expected = try TokenSubject.TokenExpectation(
            tenant: tenant, audiences: options.audience, policies: options.policy, scopes: options.scope,
            keys: options.keys, now: try moment(), skew: try span())
        if let text = discovery.discovery {
            let source = try await DiscoverySource(
                text, discovery, color: common.style(for: Machine.error).usesColor)
            expected.issuer = source.document?.root["issuer"]?.stringValue
            if expected.keys == nil { expected.keys = source.keys.flatMap { JWKSet(json: $0.root) } }
            // Without the document the token would be held against nothing.
            guard source.findings.allSatisfy({ $0.diagnostic.severity != .error }) else {
                Machine.error.write(source.findings.map { $0.diagnostic.description + "\n" }.joined())
                throw Failure.silent(.expectation)
            }
        }
        let subject = TokenSubject(token, expected: expected)
        let findings = subject.findings(at: SourceLocation(file: place))
        if format == .text {
            for check in subject.checks {
                let word =
                    switch check.outcome {
                    case .passed: "ok  "
                    case .failed: "FAIL"
                    case .notChecked: "--  "
                    }
                let demand = Rules.named(check.rule)?.demand ?? ""
                Machine.out.write("\(word) \(check.rule)  \(demand)\n       \(check.text)\n")
            }
        } else {
            let result = ValidationResult(findings: findings)
            format.write(FindingsReport(result, sources: [], version: ToolVersion.text).text(format), to: Machine.out)
        }
        if !findings.isEmpty { throw Failure.silent(.expectation) }
    }

    /// The token, and what to call where it came from.
    private func text(_ argument: String) throws -> (token: String, place: String) {
        if argument == "-" { return (Machine.readInput(limit: 1 << 20), "standard input") }
        guard !argument.hasPrefix("ey"), FileSystem.kind(argument) == .file else {
            // A path that was mistyped is never shown: it might be the token after all.
            if argument.utf8.count < 120, argument.split(separator: ".").count != 3 {
                Machine.error.write("b2c: --token names no file here, so the text itself is checked\n")
            }
            return (argument, "--token")
        }
        do throws(FileSystem.Problem) {
            return (String(decoding: try FileSystem.read(argument, limit: 1 << 20), as: UTF8.self), argument)
        } catch {
            throw Failure.input("\(argument) cannot be read: \(error.text)")
        }
    }

    private func moment() throws -> Timestamp {
        guard let text = options.at else { return Machine.clock.now() }
        guard let moment = Timestamp(rfc3339: text) else {
            throw Failure.usage("--at is \"\(text)\", and must be a moment such as 2026-01-31T09:00:00Z")
        }
        return moment
    }

    private func span() throws -> TimeSpan {
        guard let span = TimeSpan(iso8601: options.skew), span >= .zero else {
            throw Failure.usage("--skew is \"\(options.skew)\", and must be a duration such as PT5M")
        }
        return span
    }
}
