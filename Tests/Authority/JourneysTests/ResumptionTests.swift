import Determinism
import Foundation
import HTTPMessages
import JSON
import Journeys
import Testing

/// A journey is a value: written out and read back at every stop it goes on as if nothing had happened.
@Suite struct ResumptionTests {
    struct Script: Sendable {
        var name: String
        var flow: JSONValue
        var drive: @Sendable (Run) -> Void
    }

    static let scripts: [Script] = [
        Script(name: "sign-in", flow: [:]) { run in
            run.submit(["email": "ada@example.test", "password": "wrong"])
            run.tell(.reloaded)
            run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
        },
        Script(name: "sign-up", flow: ["claims": ["displayName", "newUser"]]) { run in
            run.tell(.signUp(hint: "nina@example.test"))
            run.submit(SignUpTests.form)
            run.prove("emailVerificationControl", "nina@example.test")
            run.fill(SignUpTests.form)
        },
        Script(name: "legacy sign-up", flow: ["emailVerification": "legacy", "type": "signUp"]) { run in
            run.tell(
                .submitted([
                    "request_type": "VERIFICATION_REQUEST", "claim_id": "email", "claim_value": "nina@example.test",
                ]))
            run.tell(
                .submitted([
                    "request_type": "VALIDATION_REQUEST", "claim_id": "email", "claim_value": "nina@example.test",
                    "user_input": run.world.code(to: "nina@example.test"),
                ]))
            run.fill(SignUpTests.form)
        },
        Script(name: "reset in flow", flow: ["forgotPassword": "inFlow"]) { run in
            run.tell(.chose("ForgotPassword"))
            run.prove("emailVerificationControl", "ada@example.test")
            run.fill(["email": "ada@example.test"])
            run.fill(["newPassword": "Difference-1822", "reenterPassword": "Difference-1822"])
        },
        Script(name: "SMS", flow: ["mfa": ["when": "always"]]) { run in
            run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
            run.tell(.submitted(["request_type": "VERIFICATION_REQUEST", "auth_type": "onewaysms", "id": "1"]))
            run.tell(
                .submitted([
                    "request_type": "VALIDATION_REQUEST", "verification_code": run.world.code(to: "+442079460000"),
                ]))
            run.confirm()
        },
        Script(name: "authenticator", flow: ["mfa": ["when": "always", "method": "totp"]]) { run in
            run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
            run.fill([:])
            run.submit(["otpCode": "000000"])
        },
        Script(name: "provider", flow: ["providers": ["facebook"]]) { run in
            run.tell(.chose("FacebookExchange"))
            run.tell(
                .providerReturned(
                    AuthorizationResponse(parameters: ["state": run.redirect?.state ?? "", "code": "c"])))
            run.answer(["access_token": "at"])
            run.answer(["id": "1", "name": "Fay"])
            run.fill(["displayName": "Fay"])
        },
        Script(name: "edit", flow: ["type": "profileEditing", "attributes": ["city"]]) { run in
            run.fill(["email": "ada@example.test", "password": "Analytical-1843"])
            run.fill(["city": "Turin"])
        },
    ]

    private static func play(_ script: Script, recodes: Bool) throws -> (
        log: [String], trace: [String], journey: Journey
    ) {
        let world = try World(flow: script.flow)
        world.recodes = recodes
        let run = world.begin()
        script.drive(run)
        return (run.log, run.records.map { JSONWriter.compact(.object($0)) }, run.journey)
    }

    @Test(arguments: scripts.indices) func `a decoded journey goes on identically`(_ index: Int) throws {
        let script = Self.scripts[index]
        let plain = try Self.play(script, recodes: false)
        let recoded = try Self.play(script, recodes: true)
        #expect(recoded.log.filter { $0 == "recoded" }.count == plain.log.count, "\(script.name)")
        #expect(recoded.log.filter { $0 != "recoded" } == plain.log, "\(script.name)")
        #expect(recoded.trace == plain.trace)
        #expect(recoded.journey == plain.journey)
        #expect(plain.log.last?.hasPrefix("issue ") == true || script.name == "authenticator", "\(plain.log)")
    }

    @Test(arguments: scripts.indices) func `the same seed gives the same journey`(_ index: Int) throws {
        let first = try Self.play(Self.scripts[index], recodes: false)
        let second = try Self.play(Self.scripts[index], recodes: false)
        #expect(first.log == second.log)
        #expect(first.trace == second.trace)
    }

    @Test func `request facts are stored with the journey`() throws {
        let world = try World(flow: [:])
        var request = world.request(world.policy("flow"))
        request.query = ["a": "1", "b": "x y"]
        request.idTokenHint = ["sub": "s"]
        request.maxAge = 5
        request.refresh = RefreshIdentity(
            identity: "i", claimType: "objectId", issuedAt: world.now, authTime: world.now,
            claims: [KeptClaim("n", .integer(1))])
        let data = try JSONEncoder().encode(request)
        let again = try JSONDecoder().decode(RequestFacts.self, from: data)
        #expect(again.query["b"] == "x y")
        #expect(again.idTokenHint?["sub"] == "s")
        #expect(again.refresh == request.refresh)
        #expect(again.maxAge == 5)
    }

    @Test func `another version of the policy is refused`() throws {
        let world = try World(["policies": ["flow": [:], "other": ["type": "signIn"]]])
        let run = world.begin()
        var trace: [TraceEntry] = []
        let stop = run.journey.advance(
            .reloaded, in: &world.tenancy, world.call(world.policy("other"), run.request), trace: &trace)
        guard case .refused = stop else {
            Issue.record("\(stop)")
            return
        }
    }
}
