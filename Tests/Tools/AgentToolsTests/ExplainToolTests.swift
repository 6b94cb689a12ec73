import JSON
import ModelContext
import Testing

/// `explain`.
struct ExplainToolTests {
    @Test(arguments: [
        ("AADB2C90118", "AADB2C90118"), ("B2C-SCN-020", "B2C-SCN-020"), ("acquireToken", "acquireToken"),
        ("client msal-ios", "client msal-ios"),
    ])
    func `a code, a rule, a key and a client are explained`(_ text: String, _ expected: String) async throws {
        let answer = try await AgentCalls("explain-\(text.filter(\.isLetter))").call("explain", ["text": .string(text)])
        #expect(!answer.isError)
        #expect(JSONWriter.compact(answer.structured["explanations"] ?? .null).contains(expected))
    }

    @Test func `a cause has its certainty, a fix and a script`() async throws {
        let answer = try await AgentCalls("explain-cause").call(
            "explain", ["text": "interaction_in_progress: Interaction is currently in progress."])
        let cause = answer.structured["causes"]?[0]
        #expect(["certain", "likely", "possible"].contains(cause?["certainty"]?.stringValue))
        #expect(cause?["fix"]?.stringValue?.isEmpty == false)
        #expect(answer.verdict.hasPrefix(cause?["certainty"]?.stringValue ?? "?"))
    }

    @Test func `secrets of a text and of a log are not repeated`() async throws {
        let calls = try AgentCalls("explain-secrets")
        let line = "POST /token client_secret=\(AgentCalls.password) -> 400 invalid_grant AADB2C90080"
        let log = try calls.save(line + "\n", to: "app.log")
        for text in [line, log] {
            let answer = try await calls.call("explain", ["text": .string(text)])
            #expect(!answer.isError && calls.everything(answer).contains("AADB2C90080"))
            #expect(!calls.everything(answer).contains(AgentCalls.password))
        }
    }

    @Test func `files outside of the root are not read, and nonsense is an error`() async throws {
        let calls = try AgentCalls("explain-refused")
        for (text, expected) in [
            ("/etc/passwd", "outside of the root"), ("qqqqqwxyz", "nothing is known"), (" ", "`text` is empty"),
            ("-", "nothing is known"),
        ] {
            let answer = try await calls.call("explain", ["text": .string(text)])
            #expect(answer.isError && answer.verdict.contains(expected), "\(answer.verdict)")
        }
    }
}
