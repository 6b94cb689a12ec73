import ArgumentParser
import CommandKit
import Diagnostics
import ExtensionCalls
import HTTPMessages
import JSON
import PolicyTools
import TenantFiles
import TrustFramework

/// `b2c extension compare`.
struct ExtensionCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Sends the same person to a REST API and to the extension that replaces it.",
        discussion: """
            The API gets the input claims of its technical profile as a JSON object, without credentials. Without --policies \
            it gets the attributes of the person.

              b2c extension compare http://localhost:7071/api/claims \\
                --event tokenIssuanceStart --policies policies --profile REST-GetRoles

            A claim with the same value in another type is equal: extensions return texts. Ends with 0; with 4 if \
            the answers differ.
            """)

    @OptionGroup var options: ExtensionOptions

    @Option(
        name: .long,
        help: ArgumentHelp("The policies that have the profile: a folder, or a file of it.", valueName: "place"))
    var policies: String?

    @Option(name: .long, help: ArgumentHelp("The REST technical profile.", valueName: "id"))
    var profile: String?

    @Option(name: .long, help: ArgumentHelp("The address of the API. (default: the profile's)", valueName: "url"))
    var rest: String?

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func run() async throws {
        guard (policies == nil) == (profile == nil), rest ?? profile != nil else {
            throw Failure.usage("name the API: --policies FOLDER with --profile ID, or --rest URL")
        }
        let found = try technicalProfile()
        try await options.withCall { call, transport, generator in
            let request = try request(call.person, found)
            let comparison = try await ExtensionComparison.run(
                request, beside: call, over: transport, clock: Machine.clock, using: generator)
            if json {
                Machine.out.write(data: JSONWriter.pretty(Self.json(comparison)) + "\n")
            } else {
                Machine.out.write(Self.text(comparison))
            }
            if !comparison.isEqual { throw Failure.silent(.expectation) }
        }
    }

    // MARK: the API

    private typealias FoundProfile = (policy: ResolvedPolicy, profile: TechnicalProfile)

    private func technicalProfile() throws -> FoundProfile? {
        guard let policies, let profile else { return nil }
        let placed = try PolicySource(place: policies).read()
        var names: [String] = []
        for policy in placed.linkable where placed.wanted.map({ sameID($0, policy.id) }) ?? true {
            names += policy.profiles.filter { $0.handler == .rest }.map(\.id)
            if let handle = policy.profile(profile), policy[handle].handler == .rest {
                return (policy, policy[handle])
            }
        }
        let hint =
            nearestName(profile, among: names).map { "Did you mean \($0)?" }
            ?? (names.isEmpty ? "There is none." : "There are \(namesList(Set(names).sorted())).")
        throw Failure.usage("\(policies) has no REST technical profile \(profile). \(hint)")
    }

    private func request(_ person: UserRecord, _ found: FoundProfile?) throws -> RequestMessage {
        let address = rest ?? found?.profile.metadata["ServiceUrl"] ?? ""
        if address.contains("{") {
            throw Failure.usage("the ServiceUrl \(address) has values of a sign-in in it: give --rest")
        }
        let url = try options.address(address)
        guard let (policy, profile) = found else {
            return .post(url, json: .object(person.claims), headers: ["Accept": "application/json"])
        }
        if let place = profile.metadata["SendClaimsIn"], !sameID(place, "Body") {
            throw Failure.usage("\(profile.id) sends claims in \(place), and compare can send them in the body only")
        }
        let claims = person.claims
        var body = JSONObject()
        for input in profile.inputClaims {
            let own = claims[policy[input.claim].id]
            let value = input.alwaysUseDefaultValue ? nil : own
            body[input.wireName] = value ?? input.defaultValue.map { .string($0) }
        }
        return .post(url, json: .object(body), headers: ["Accept": "application/json"])
    }

    // MARK: the result

    private static func text(_ comparison: ExtensionComparison) -> String {
        let status = comparison.profile.response.map { "\($0.status)" }
        let failure = comparison.profile.failure?.description ?? "no answer"
        var lines = ["REST       \(status ?? failure) after \(comparison.profile.milliseconds) ms"]
        let outcome = comparison.outcome
        lines.append("extension  \(outcome.action?.type ?? "no action that the service carries out")")
        lines += outcome.errors.map { "error      \($0.message) \($0.remedy) [\($0.rule)]" }
        lines += comparison.rows.map { "\($0.kind == .equal ? "equal    " : "different")  \($0.message)" }
        lines.append(comparison.isEqual ? "The answers are equal." : "The answers differ.")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func json(_ comparison: ExtensionComparison) -> JSONValue {
        var object: JSONObject = ["equal": .bool(comparison.isEqual)]
        object["status"] = comparison.profile.response.map { .integer(Int64($0.status)) }
        object["action"] = comparison.outcome.action.map { .string($0.type) }
        object["findings"] = .array(comparison.outcome.findings.map { .object($0.json) })
        object["claims"] = .array(
            comparison.rows.map { row in
                ["claim": .string(row.claim), "kind": .string(row.kind.rawValue), "message": .string(row.message)]
            })
        return .object(object)
    }
}

extension UserRecord {
    /// The person's claims by the names of B2C's starter packs.
    fileprivate var claims: JSONObject {
        var claims = attributes
        claims["objectId"] = .string(objectId.description)
        let name = (email ?? username).map { JSONValue.string($0) }
        for key in ["signInName", "issuerUserId"] { claims[key] = claims[key] ?? name }
        for key in ["email", "signInNames.emailAddress"] {
            claims[key] = claims[key] ?? email.map { .string($0) }
        }
        claims["signInNames.userName"] = username.map { .string($0) }
        return claims
    }
}
