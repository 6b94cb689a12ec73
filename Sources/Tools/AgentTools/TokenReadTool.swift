import CommandFiles
import CommandKit
import Diagnostics
import Explanations
import JOSE
import JSON
import ModelContext
import PolicyTools
import Validation

/// `token_read`: the claims of a token and its checks, never the token.
struct TokenReadTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "token_read", title: "Read and check a token",
            description: """
                Shows header and claims of an ID or access token, its times relative to now, and checks its form,
                signature, issuer, audience, policy and times. What it is not given is not checked.
                The token itself and secrets in claims are never returned.
                """,
            input: AgentSchema.arguments(
                [
                    "token": AgentSchema.text("The token in compact form."),
                    "audience": AgentSchema.text("The audience that is expected."),
                    "policy": AgentSchema.text("The policy that is expected, by id, or by name in the tenant file."),
                    "keys": AgentSchema.text("A file with the policy's published keys (JWKS)."),
                    "tenant": AgentSchema.text("The tenant file whose token it should be."),
                ], required: ["token"]),
            output: AgentSchema.answer([
                "header": AgentSchema.object("The header."), "claims": AgentSchema.object("The claims."),
                "times": AgentSchema.object("When it was issued and expires, relative to now."),
                "checks": AgentSchema.list("Each with the rule, the outcome (passed, failed, notChecked) and a text."),
            ]),
            annotations: .reading,
            call: { arguments, _ in await AgentAnswer.of(context.reports) { try answer(arguments, context) } })
    }

    private static func answer(_ arguments: JSONObject, _ context: AgentContext) throws -> AgentAnswer {
        let now = context.clock.now()
        let token = String(try arguments.text("token").filter { !$0.isWhitespace })
        let subject = TokenSubject(
            token,
            expected: try TokenSubject.TokenExpectation(
                tenant: try context.path("tenant", in: arguments).map { try TenantArgument.read($0).outline },
                audiences: [arguments["audience"]?.stringValue].compactMap(\.self),
                policies: [arguments["policy"]?.stringValue].compactMap(\.self),
                keys: try context.path("keys", in: arguments), now: now))
        let failed = subject.checks.filter { $0.outcome == .failed }
        var facts: JSONObject = [
            "checks": .array(
                subject.checks.map {
                    ["rule": .string($0.rule), "outcome": .string($0.outcome.rawValue), "text": .string($0.text)]
                })
        ]
        if let jws = JWS(compact: token), let claims = jws.claims {
            facts["header"] = .object(jws.header)
            facts["claims"] = .object(claims)
            let seen = try? Symptom(text: token, policies: nil).answer(now: now, showsSecrets: false).json["facts"]
            let times = (seen?.arrayValue ?? []).filter { ["issued", "expires"].contains($0["label"]?.stringValue) }
            facts["times"] = .object(JSONObject(times.map { ($0["label"]?.stringValue ?? "", $0["text"] ?? "") }))
        }
        return AgentAnswer(
            failed.first.map { "\(failed.count) of \(subject.checks.count) checks failed: \($0.rule), \($0.text)." }
                ?? "No check failed. \(subject.checks.count { $0.outcome == .notChecked }) could not be made.",
            facts, quotesOthers: true)
    }
}
