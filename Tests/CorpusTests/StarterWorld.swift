import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TrustFramework

@testable import Journeys

/// A tenant over some weeks: one directory, one outbox, and a person who fills every page from a list of values.
final class StarterWorld {
    /// A journey that does not end in tokens, with what was shown last.
    struct Stuck: Error, CustomStringConvertible { var description: String }

    /// What the app gets.
    struct Tokens {
        var claims: JSONObject
        var subject: String?
        var refresh: RefreshIdentity?
    }

    var now = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
    /// Profiles of the pages of the last run.
    private(set) var pages: [String] = []
    /// Orchestration steps of the last run.
    private(set) var steps: [TraceEntry.StepTrace] = []
    private var tenancy: Tenancy
    private let folder: String
    private let domain = "yourtenant.onmicrosoft.com"
    private var count = 0
    private var linked: [String: ResolvedPolicy] = [:]

    init(_ folder: String) throws {
        self.folder = folder
        tenancy = Tenancy(directory: Directory(domain: domain))
    }

    private func policy(_ file: String) throws -> ResolvedPolicy {
        if let known = linked[file] { return known }
        let policy = try CorpusChain(files: [folder + "/" + file], base: folder).link()
        linked[file] = policy
        return policy
    }

    private func call(_ policy: ResolvedPolicy, refresh: RefreshIdentity? = nil) -> JourneyCall {
        var request = RequestFacts(
            correlationID: GUID.derived(from: "request \(count)"), host: "yourtenant.b2clogin.com",
            tenantSegment: domain, policyID: policy.id, clientID: "client", redirectURI: "https://jwt.ms")
        request.refresh = refresh
        return JourneyCall(
            policy: policy, request: request, now: now,
            environment: JourneyEnvironment(tenantDomain: domain, tenantID: GUID.derived(from: domain)))
    }

    /// All mails and text messages so far.
    var sent: [OutboxMessage] { tenancy.outbox.messages }

    func account(_ subject: String) -> Account? { GUID(subject).flatMap { tenancy.directory[$0] } }

    func revoke(_ id: GUID) {
        let instant = now
        tenancy.directory.update(id) { $0.revokeRefreshTokens(at: instant) }
    }

    func refresh(_ file: String, _ identity: RefreshIdentity) throws -> Tokens {
        count += 1
        let policy = try policy(file)
        var journey = Journey(.refresh, policy: policy, random: SeededGenerator(seed: 1, stream: "refresh \(count)"))
        var trace: [TraceEntry] = []
        return try tokens(journey.advance(.begin, in: &tenancy, call(policy, refresh: identity), trace: &trace))
    }

    /// Runs an entry policy to its end.
    /// - Parameters:
    ///   - choices: Claims exchanges to choose, each where a page offers it first.
    ///   - values: What to type, by claim id; `profile/claim` for the page of one technical profile. A code that is not
    ///     among them is read from the newest message.
    func run(_ file: String, choosing choices: [String] = [], _ values: [String: String]) throws -> Tokens {
        count += 1
        let policy = try policy(file)
        var drive = Drive(
            journey: Journey(.signIn, policy: policy, random: SeededGenerator(seed: 1, stream: "run \(count)")),
            call: call(policy), values: values, choices: choices)
        let stop = try drive.run(&tenancy)
        pages = drive.pages
        steps = drive.trace.compactMap { if case .step(let step) = $0 { step } else { nil } }
        return try tokens(stop)
    }

    private func tokens(_ stop: JourneyStop) throws -> Tokens {
        switch stop {
        case .issue(let issuance):
            return Tokens(
                claims: JSONObject(issuance.claims.map { ($0.name, $0.value) }), subject: issuance.subject,
                refresh: issuance.refresh)
        case .failed(let failure): throw Stuck(description: "\(failure.text) \(failure.detail)")
        default: throw Stuck(description: "\(stop)")
        }
    }

    /// One journey under way.
    private struct Drive {
        var journey: Journey
        let call: JourneyCall
        let values: [String: String]
        var choices: [String]
        var pages: [String] = []
        var trace: [TraceEntry] = []

        /// What to type into a field of the page at hand.
        private func value(_ claim: String) -> String? {
            let page = pages.last.map { $0 + "/" + claim } ?? claim
            return (values.first { sameID($0.key, page) } ?? values.first { sameID($0.key, claim) })?.value
        }

        mutating func run(_ tenancy: inout Tenancy) throws -> JourneyStop {
            var stop = tell(.begin, &tenancy)
            for _ in 0..<20 {
                guard case .page(let page) = stop else { return stop }
                pages.append(page.technicalProfile)
                stop = try leave(page, &tenancy)
            }
            throw Stuck(description: "twenty pages and no end: \(pages)")
        }

        private mutating func tell(_ event: JourneyEvent, _ tenancy: inout Tenancy) -> JourneyStop {
            var stop = journey.advance(event, in: &tenancy, call, trace: &trace)
            while true {
                switch stop {
                case .provider(let redirect):
                    let answer = AuthorizationResponse(parameters: ["state": redirect.state, "code": "c"])
                    stop = journey.advance(.providerReturned(answer), in: &tenancy, call, trace: &trace)
                case .callout(let request, _):
                    let isToken = request.url.path.contains("access_token")
                    let json: JSONValue =
                        isToken
                        ? ["access_token": "a"]
                        : [
                            "id": "fb-77", "first_name": "Fay", "last_name": "Book", "name": "Fay Book",
                            "email": "fay@example.com",
                        ]
                    stop = journey.advance(.finished(.answered(.json(200, json))), in: &tenancy, call, trace: &trace)
                default: return stop
                }
            }
        }

        private mutating func leave(_ page: Page, _ tenancy: inout Tenancy) throws -> JourneyStop {
            if let choice = choices.first {
                if page.signUpExchange.map({ sameID($0, choice) }) == true {
                    choices.removeFirst()
                    return tell(.signUp(hint: nil), &tenancy)
                }
                if page.providers.contains(where: { sameID($0.id, choice) }) {
                    choices.removeFirst()
                    return tell(.chose(choice), &tenancy)
                }
            }
            if page.api == .phoneFactor { return try phone(page, &tenancy) }
            var form: FormItems = ["request_type": "RESPONSE"]
            for field in page.fields {
                if field.displayFields.isEmpty {
                    if field.verify { try prove(field, &tenancy) }
                    fill(field, tenancy, &form)
                } else {
                    for inner in field.displayFields { fill(inner, tenancy, &form) }
                    try prove(control: field, form, &tenancy)
                }
            }
            return try confirm(tell(.submitted(form), &tenancy), page, &tenancy)
        }

        private func fill(_ field: PageField, _ tenancy: Tenancy, _ form: inout FormItems) {
            let code = sameID(field.id, "verificationCode") ? tenancy.outbox.messages.last?.code : nil
            let value = value(field.id) ?? field.prefilled ?? code
            if !field.isReadOnly, let value { form[field.id] = value }
        }

        private mutating func prove(_ field: PageField, _ tenancy: inout Tenancy) throws {
            let address = value(field.id) ?? field.prefilled ?? ""
            var form: FormItems = [
                "request_type": "VERIFICATION_REQUEST", "claim_id": field.id, "claim_value": address,
            ]
            _ = try accepted(tell(.submitted(form), &tenancy))
            form["request_type"] = "VALIDATION_REQUEST"
            form["user_input"] = tenancy.outbox.newest(to: address)?.code ?? ""
            _ = try accepted(tell(.submitted(form), &tenancy))
        }

        private mutating func prove(control: PageField, _ given: FormItems, _ tenancy: inout Tenancy) throws {
            guard control.controlType == "VerificationControl", let code = control.displayFields.last?.id else {
                return
            }
            var form = given
            _ = try accepted(tell(.action(control: control.id, name: "SendCode", form), &tenancy))
            form[code] = tenancy.outbox.messages.last?.code ?? ""
            _ = try accepted(tell(.action(control: control.id, name: "VerifyCode", form), &tenancy))
        }

        private mutating func phone(_ page: Page, _ tenancy: inout Tenancy) throws -> JourneyStop {
            let number = page.phones.isEmpty ? "UserAsserted" : "1"
            _ = try accepted(
                tell(
                    .submitted([
                        "request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": number,
                        "number": "+15557654321",
                    ]), &tenancy))
            let code = tenancy.outbox.messages.last?.code ?? ""
            return try confirm(
                tell(.submitted(["request_type": "VALIDATION_REQUEST", "verification_code": code]), &tenancy), page,
                &tenancy)
        }

        private func accepted(_ stop: JourneyStop) throws -> JourneyStop {
            if case .answer(let answer) = stop, answer.status == "200" { return stop }
            throw Stuck(description: "\(pages): \(stop)")
        }

        private mutating func confirm(
            _ stop: JourneyStop, _ page: Page, _ tenancy: inout Tenancy
        ) throws -> JourneyStop {
            guard case .answer(let answer) = stop else { return stop }
            guard answer.status == "200" else {
                let fields = page.fields.flatMap { [$0.id] + $0.displayFields.map(\.id) }
                throw Stuck(description: "\(page.technicalProfile) \(fields): \(answer.message ?? answer.status)")
            }
            return tell(.confirmed(rememberMe: false), &tenancy)
        }
    }
}
