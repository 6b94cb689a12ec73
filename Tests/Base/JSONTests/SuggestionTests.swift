import JSON
import Testing

@Suite struct SuggestionTests {
    private static let verbs = ["acquireToken", "acquireTokenSilent", "signOut", "mintToken", "advanceClock", "http"]

    @Test(
        arguments: [
            ("aquireToken", "acquireToken"), ("acquire_token", "acquireToken"), ("signIn", "acquireToken"),
            ("getToken", "acquireToken"), ("login-popup", "acquireToken"), ("refresh", "acquireTokenSilent"),
            ("logout", "signOut"), ("wait", "advanceClock"), ("advanceTime", "advanceClock"), ("request", "http"),
            ("getHttp", "http"), ("xyzzy", nil), ("", nil),
        ] as [(String, String?)])
    func `a word leads to the name that it means`(written: String, meant: String?) {
        #expect(Suggestion(for: written, among: Self.verbs)?.name == meant)
    }

    @Test func `a word means what is possible at its place`() {
        #expect(Suggestion(for: "login", among: ["signIn", "cancel"])?.name == "signIn")
        #expect(Suggestion(for: "click", among: ["on", "press"])?.question() == "Did you mean `press`?")
        #expect(Suggestion(for: "click", among: Self.verbs) == nil)
        let reset = Suggestion(for: "resetPassword", among: Self.verbs)
        #expect(reset?.question() == "Did you mean `acquireToken` with \"policy\": \"reset\"?")
    }

    @Test(arguments: [
        ("type", "kind"), ("$regex", "$matches"), ("exists", "$exists"), ("$typ", "$type"), ("errorCode", "code"),
    ])
    func `a dollar sign makes another kind of name`(written: String, meant: String) {
        let names = ["kind", "code", "$type", "$exists", "$matches"]
        #expect(Suggestion(for: written, among: names)?.name == meant)
    }

    @Test func `a slip counts before what a word means elsewhere`() {
        let synonyms = Synonyms([("verbs", nil, "request")])
        #expect(Suggestion(for: "request", among: ["verbs", "requests"], synonyms: synonyms)?.name == "requests")
        #expect(Suggestion(for: "request", among: ["verbs"], synonyms: synonyms)?.name == "verbs")
    }
}
