import JOSE
import JSON
import ModelContext
import Testing

/// `token_read`.
struct TokenReadToolTests {
    /// A token that is unsigned or has a signature of no key.
    private static func token(_ claims: JSONObject, algorithm: String = "RS256", signature: String = "c2lnbmF0dXJl")
        -> String
    {
        func part(_ object: JSONObject) -> String { Base64URL.encode(Array(JSONWriter.compact(.object(object)).utf8)) }
        return "\(part(["alg": .string(algorithm), "kid": "k1"])).\(part(claims)).\(signature)"
    }

    private static let claims: JSONObject = [
        "iss": "https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/", "aud": "app-1",
        "exp": 1_800_003_600, "nbf": 1_800_000_000, "iat": 1_800_000_000, "tfp": "B2C_1_susi", "sub": "ada",
        "idp_access_token": .string(AgentCalls.password),
    ]

    @Test func `claims, times and checks are shown, and neither the token nor secrets`() async throws {
        let calls = try AgentCalls("token-good")
        let token = Self.token(Self.claims)
        let answer = try await calls.call("token_read", ["token": .string(token), "audience": "app-1"])
        #expect(!answer.isError && answer.verdict.hasPrefix("No check failed."))
        #expect(answer.structured["claims"]?["tfp"] == "B2C_1_susi" && answer.structured["header"]?["kid"] == "k1")
        #expect(answer.structured["times"]?["expires"]?.stringValue?.hasSuffix("in 1 h") == true)
        let outcomes = answer.structured["checks"]?.arrayValue?.compactMap { $0["outcome"]?.stringValue } ?? []
        #expect(outcomes.contains("passed") && outcomes.contains("notChecked"))
        let text = calls.everything(answer)
        #expect(!text.contains(AgentCalls.password))
        for part in token.split(separator: ".") { #expect(!text.contains(part)) }
    }

    @Test func `a check that fails is a verdict`() async throws {
        let calls = try AgentCalls("token-bad")
        let wrong = try await calls.call(
            "token_read", ["token": .string(Self.token(Self.claims)), "audience": "app-2", "policy": "B2C_1_other"])
        #expect(!wrong.isError && wrong.verdict.hasPrefix("2 of ") && wrong.verdict.contains("app-2"))
        let opaque = try await calls.call("token_read", ["token": .string(AgentCalls.password)])
        #expect(!opaque.isError && opaque.verdict.contains("B2C-TOK-001"))
        #expect(!calls.everything(opaque).contains(AgentCalls.password))
        let path = try calls.save("{}", to: "keys.json")
        let keys = try await calls.call("token_read", ["token": "a.b.c", "keys": .string(path)])
        #expect(keys.isError && keys.verdict.contains("is not a key set"))
        let outside = try await calls.call("token_read", ["token": "a.b.c", "tenant": "/etc/passwd"])
        #expect(outside.isError && outside.verdict.contains("outside of the root"))
    }
}
