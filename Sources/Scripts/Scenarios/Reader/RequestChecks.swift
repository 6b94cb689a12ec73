import Diagnostics
import Exchanges
import JSON
import Verbs

/// Checks what a script sends itself: names of parameters that are almost known ones, claims requests, and domain hints
/// of providers that the tenant does not have. A name that an expectation of the step uses too is taken as intended.
struct RequestChecks {
    let context: ReadContext
    private var findings: Findings { context.findings }

    func run() {
        for step in context.allSteps {
            let pointer = step.pointer.appending(step.verb.rawValue)
            switch step.record {
            case let call as AcquireToken:
                let extra = pointer.appending("extraQueryParameters")
                checkNames(call.extraQueryParameters, WireNames.authorize, of: step, at: extra)
                checkDomain(call.extraQueryParameters["domain_hint"], of: step, at: extra.appending("domain_hint"))
                checkDomain(
                    call.domainHint.map { .string($0) }, of: step, at: pointer.appending("domainHint"))
                checkClaims(call.claimsRequest, at: pointer.appending("claimsRequest"))
            case let call as AcquireTokenSilent:
                checkClaims(call.claimsRequest, at: pointer.appending("claimsRequest"))
            case let call as any WireCall: checkWire(call.request, of: step, at: pointer)
            case let call as CreateClient:
                checkNames(
                    call.value["extraQueryParameters"]?.objectValue, WireNames.authorize, of: step,
                    at: pointer.appending("extraQueryParameters"))
            case let call as Configure: checkPatch(call.parameters, at: pointer)
            default: break
            }
        }
        for patch in context.walk.outsideSteps(.configure) { checkPatch(patch.value, at: patch.pointer) }
        if let inPlace = context.root["tenant"], inPlace.objectValue != nil {
            checkPatch(inPlace, at: JSONPointer(tokens: ["tenant"]))
        }
    }

    // MARK: Places

    private func checkWire(_ request: WireRequest, of step: Step, at pointer: JSONPointer) {
        guard let endpoint = request.addressed, let known = WireNames.names(of: endpoint.rawValue) else { return }
        let query = pointer.appending("query")
        checkNames(request.query, known, of: step, at: query)
        checkNames(request.form, known, of: step, at: pointer.appending("form"))
        guard endpoint == .authorize else { return }
        checkDomain(request.query?["domain_hint"], of: step, at: query.appending("domain_hint"))
        checkClaims(request.query?["claims"], at: query.appending("claims"))
    }

    private func checkPatch(_ patch: JSONValue?, at pointer: JSONPointer) {
        for (name, app) in patch?["apps"]?.objectValue?.members ?? [] {
            let place = JSONPointer(tokens: pointer.tokens + ["apps", name, "client", "extraQueryParameters"])
            let extra = app["client"]?["extraQueryParameters"]
            checkNames(extra?.objectValue, WireNames.authorize, of: nil, at: place)
            checkDomain(extra?["domain_hint"], of: nil, at: place.appending("domain_hint"))
        }
    }

    // MARK: Names

    private func checkNames(_ object: JSONObject?, _ known: [String], of step: Step?, at pointer: JSONPointer) {
        for (name, value) in object?.members ?? [] {
            guard !value.isNull, let near = WireNames.near(name, among: known), !isMeant(name, step),
                context.names.policyClaims?.mayRead(parameter: name) != true
            else { continue }
            findings.add(
                .nearParameter, "nothing reads the parameter `\(name)`", remedy: "Did you mean `\(near)`?",
                at: pointer.appending(name), key: true, severity: .warning)
        }
    }

    /// Whether the step expects something of this name or value, so that the script sends it on purpose.
    private func isMeant(_ text: String, _ step: Step?) -> Bool {
        guard let step else { return false }
        return ([step.expect] + step.expectIn.map(\.expectation)).contains { $0.map { Self.names(text, $0) } ?? false }
    }

    private static func names(_ text: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string(let other): sameText(text, other)
        case .array(let elements): elements.contains { names(text, $0) }
        case .object(let object): object.members.contains { sameText($0.key, text) || names(text, $0.value) }
        default: false
        }
    }

    // MARK: Claims requests

    private func checkClaims(_ value: JSONValue?, at pointer: JSONPointer) {
        guard let value else { return }
        guard case .string(let text) = value else { return checkClaims(value, at: pointer) { $0 } }
        // The members of a text have no place of their own.
        guard !Template.mayHoldReference(text), let parsed = try? JSONParser.parse(text), parsed.objectValue != nil
        else { return }
        checkClaims(parsed, at: pointer) { _ in pointer }
    }

    private func checkClaims(_ request: JSONValue, at pointer: JSONPointer, place: (JSONPointer) -> JSONPointer) {
        for (name, claims) in request.objectValue?.members ?? [] {
            let inside = pointer.appending(name)
            guard WireNames.claimsRequest.contains(name) else {
                findings.lacks(
                    .nearParameter, "a claims request", name, among: WireNames.claimsRequest, plural: "members",
                    at: place(inside), key: true, severity: .warning)
                continue
            }
            for (claim, wish) in claims.objectValue?.members ?? [] {
                if let near = context.names.claimNear(claim) {
                    findings.add(
                        .nearClaim, "no policy of the tenant sends the claim `\(claim)`",
                        remedy: "Did you mean `\(near)`?", at: place(inside.appending(claim)), key: true,
                        severity: .warning)
                }
                for member in wish.objectValue?.keys ?? [] where !WireNames.requestedClaim.contains(member) {
                    findings.lacks(
                        .nearParameter, "a requested claim", member, among: WireNames.requestedClaim,
                        plural: "members", at: place(inside.appending(claim).appending(member)), key: true,
                        severity: .warning)
                }
            }
        }
    }

    // MARK: Domains

    private func checkDomain(_ value: JSONValue?, of step: Step?, at pointer: JSONPointer) {
        guard let domain = value?.stringValue, !domain.isEmpty, !Template.mayHoldReference(domain),
            !isMeant(domain, step), context.names.whole.kind != .workforce
        else { return }
        let providers = context.names.everything(in: "providers").objectValue?.members ?? []
        guard !providers.contains(where: { Interpolation.isNeeded(in: $0.value["domain"] ?? .null) }) else { return }
        let own = providers.compactMap { $0.value["domain"]?.stringValue }
        let policies = context.names.policyClaims?.domains
        guard let policies, !own.contains(where: { sameText($0.lowercased(), domain.lowercased()) }),
            !policies.contains(where: { sameText($0.lowercased(), domain.lowercased()) })
        else { return }
        if let name = providers.first(where: { sameText($0.key, domain) }) {
            findings.add(
                .unknownDomain, "no identity provider has the domain `\(domain)`",
                remedy: "`\(name.key)` is the name of a provider: write its domain, "
                    + "`\(name.value["domain"]?.stringValue ?? "")`.",
                at: pointer, severity: .warning)
            return
        }
        findings.add(
            .unknownDomain, "no identity provider has the domain `\(domain)`",
            remedy: Findings.remedy(domain, own + policies.filter { !own.contains($0) }, "domains"), at: pointer,
            severity: .warning)
    }
}
