import Determinism
import Foundation
import HTTPMessages
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// A tenant, its state and a clock: what an authority would hold around journeys.
final class World {
    var tenant: Tenant
    var tenancy: Tenancy
    var now = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
    var switches = EngineSwitches()
    private var policies: [String: ResolvedPolicy] = [:]
    private var count = 0
    /// Encodes and decodes every journey at every stop.
    var recodes = false

    init(_ json: JSONValue, _ more: JSONValue = [:]) throws {
        let base: JSONValue = [
            "name": "contoso",
            "providers": ["facebook": [:], "contosoid": ["type": "oidc"]],
            "apps": [
                "ios": ["client": ["kind": "msal-ios", "policy": "flow"], "platform": ["bundleId": "com.contoso"]]
            ],
            "users": [
                "ada": [
                    "email": "ada@example.test", "username": "ada", "password": "Analytical-1843",
                    "newPassword": "Difference-1822", "displayName": "Ada", "givenName": "Ada", "surname": "Lovelace",
                    "city": "London", "phone": "+442079460000",
                ],
                "nina": [
                    "registered": false, "email": "nina@example.test", "password": "Newcomer-2026",
                    "displayName": "Nina",
                ],
            ],
        ]
        tenant = try Tenant(json: base.merging(patch: json).merging(patch: more))
        tenancy = Tenancy(directory: Directory(tenant: tenant, at: now))
        for settings in tenant.policies where settings.type != .custom {
            policies[settings.name] = try UserFlowCompiler.compile(settings, tenant: tenant)
        }
    }

    /// A world of one user flow named `flow`.
    convenience init(flow settings: JSONValue, _ more: JSONValue = [:]) throws {
        try self.init(["policies": ["flow": settings.merging(patch: ["id": "B2C_1_flow"])]], more)
    }

    /// A world of one policy written as XML files, root first.
    convenience init(xml files: [String]) throws {
        try self.init(["policies": ["unused": ["type": "signIn"]]])
        let documents = try files.map { try PolicyReader.read(file: "test.xml", bytes: Array($0.utf8)) }
        policies["flow"] = try PolicyLinker.link(PolicyInheritance.merge(documents), personality: .customPolicy)
    }

    func policy(_ name: String) -> ResolvedPolicy {
        guard let policy = policies[name] else { fatalError("no policy \(name)") }
        return policy
    }

    func call(_ policy: ResolvedPolicy, _ request: RequestFacts) -> JourneyCall {
        JourneyCall(
            policy: policy, request: request, now: now,
            environment: JourneyEnvironment(
                tenantDomain: tenant.domain, tenantID: tenant.id, secrets: PolicySecrets(), switches: switches))
    }

    func request(_ policy: ResolvedPolicy) -> RequestFacts {
        RequestFacts(
            correlationID: GUID.derived(from: "request \(count)"), host: "contoso.b2clogin.com",
            tenantSegment: "contoso.onmicrosoft.com", policyID: policy.id, clientID: "client-1",
            redirectURI: "msauth.com.contoso://auth")
    }

    /// A journey that has begun.
    func begin(
        _ name: String = "flow", _ entry: JourneyEntry = .signIn, session: SessionID? = nil,
        _ change: (inout RequestFacts) -> Void = { _ in }
    ) -> Run {
        count += 1
        let policy = policy(name)
        var request = request(policy)
        request.ssoCookieSession = session
        change(&request)
        let journey = Journey(
            entry, policy: policy, random: SeededGenerator(seed: 42, stream: "journey \(count)"))
        let run = Run(world: self, policy: policy, request: request, journey: journey)
        run.tell(.begin)
        return run
    }

    /// The code of the newest message to an address.
    func code(to address: String) -> String { tenancy.outbox.newest(to: address)?.code ?? "" }

    func advance(_ span: TimeSpan) { now = now + span }
}

/// A journey under way, with its last stop and its trace.
final class Run {
    let world: World
    let policy: ResolvedPolicy
    var request: RequestFacts
    var journey: Journey
    var stop: JourneyStop = .refused(JourneyFailure(.page, detail: "not begun"))
    var trace: [TraceEntry] = []
    /// One line a stop.
    var log: [String] = []

    init(world: World, policy: ResolvedPolicy, request: RequestFacts, journey: Journey) {
        self.world = world
        self.policy = policy
        self.request = request
        self.journey = journey
    }

    @discardableResult func tell(_ event: JourneyEvent) -> JourneyStop {
        stop = journey.advance(event, in: &world.tenancy, world.call(policy, request), trace: &trace)
        if world.recodes, let data = try? JSONEncoder().encode(journey),
            let again = try? JSONDecoder().decode(Journey.self, from: data)
        {
            log.append(again == journey ? "recoded" : "RECODING CHANGED THE JOURNEY")
            journey = again
        }
        log.append(describe(stop))
        return stop
    }

    @discardableResult func submit(_ form: FormItems) -> JourneyStop {
        var form = form
        if form["request_type"] == nil { form.append("request_type", "RESPONSE") }
        return tell(.submitted(form))
    }

    @discardableResult func confirm(rememberMe: Bool = false) -> JourneyStop {
        tell(.confirmed(rememberMe: rememberMe))
    }

    /// Submits and goes on.
    @discardableResult func fill(_ form: FormItems, rememberMe: Bool = false) -> JourneyStop {
        submit(form)
        return confirm(rememberMe: rememberMe)
    }

    /// Proves an address in a display control.
    func prove(_ control: String, _ claim: String = "email", _ address: String) {
        tell(.action(control: control, name: "SendCode", [claim: address]))
        tell(
            .action(
                control: control, name: "VerifyCode",
                [claim: address, "emailVerificationCode": world.code(to: address)]))
    }

    @discardableResult func answer(_ json: JSONValue, status: Int = 200) -> JourneyStop {
        tell(.finished(.answered(.json(status, json))))
    }

    /// The same result to every attempt of the call that is under way.
    func finish(_ result: CalloutResult) {
        repeat { tell(.finished(result)) } while callout != nil
    }

    func fail(_ error: TransportError) { finish(.failed(error)) }

    var page: Page? { if case .page(let page) = stop { page } else { nil } }
    var answerStop: PageAnswer? { if case .answer(let answer) = stop { answer } else { nil } }
    var issuance: Issuance? { if case .issue(let issuance) = stop { issuance } else { nil } }
    var failure: JourneyFailure? { if case .failed(let failure) = stop { failure } else { nil } }
    var refusal: JourneyFailure? { if case .refused(let failure) = stop { failure } else { nil } }
    var redirect: ProviderRedirect? { if case .provider(let redirect) = stop { redirect } else { nil } }
    var callout: RequestMessage? { if case .callout(let request, _) = stop { request } else { nil } }
    var status: String? { answerStop?.status }

    /// Issued claims by name.
    var claims: JSONObject { JSONObject((issuance?.claims ?? []).map { ($0.name, $0.value) }) }
    var records: [JSONObject] { trace.map(\.json) }
    /// Profiles that ran, in order.
    var profiles: [String] {
        trace.compactMap { if case .profile(let entry) = $0, entry.skipped == nil { entry.profile } else { nil } }
    }
    /// Order of the steps that ran.
    var steps: [Int] {
        trace.compactMap { if case .step(let entry) = $0, entry.ran { entry.step } else { nil } }
    }

    func describe(_ stop: JourneyStop) -> String {
        switch stop {
        case .page(let page):
            let fields = page.fields.map { field in
                field.id + (field.prefilled.map { "=\($0)" } ?? "")
                    + (field.displayFields.isEmpty ? "" : "(\(field.displayFields.map(\.id).joined(separator: " ")))")
            }
            return
                "page \(page.api.rawValue) \(page.step) \(page.contentDefinition) [\(fields.joined(separator: ", "))]"
        case .answer(let answer): return "answer \(JSONWriter.compact(.object(answer.json)))"
        case .provider(let redirect): return "provider \(redirect.url)"
        case .callout(let request, _): return "callout \(request.method) \(request.url) \(request.text)"
        case .issue(let issuance):
            return "issue \(issuance.claims.map { "\($0.name)=\($0.value)" }.joined(separator: " "))"
        case .failed(let failure): return "failed \(failure.text)"
        case .refused(let failure): return "refused \(failure.detail)"
        }
    }
}
