import Diagnostics
import Testing

@Suite struct NearestNameTests {
    private let verbs = ["acquireToken", "acquireTokenSilent", "signOut", "open", "http", "steps", "policies", "ada"]

    @Test(arguments: [
        ("acquireTokn", "acquireToken"), ("AcquireToken", "acquireToken"), ("signout", "signOut"), ("opne", "open"),
        ("htpt", "http"), ("policy", "policies"), ("adaa", "ada"), ("acquireTokenSilnet", "acquireTokenSilent"),
    ])
    func `a slip of the finger finds the name`(written: String, meant: String) {
        #expect(nearestName(written, among: verbs) == meant)
    }

    @Test(arguments: [
        ("signIn", "signOut"), ("getToken", "mintToken"), ("newPassword", "oldPassword"),
        ("policyKeys", "policyIds"),
    ])
    func `a name that differs in half of a word is not near`(written: String, name: String) {
        #expect(nearestName(written, among: [name]) == nil)
        #expect(nearestName(name, among: [written]) == nil)
    }

    @Test(arguments: ["", "zzz", "close", "completelyDifferent", String(repeating: "a", count: 100_000)])
    func `a name that resembles nothing finds nothing`(written: String) {
        #expect(nearestName(written, among: verbs) == nil)
    }

    @Test func `of equally near names the first wins`() {
        #expect(nearestName("k4", among: ["k1", "k2"]) == "k1")
        #expect(nearestName("k4", among: []) == nil)
        #expect(nearestName("k4", among: [""]) == nil)
    }

    @Test func `names read as a sentence`() {
        #expect(namesList([]) == "")
        #expect(namesList(["a"]) == "a")
        #expect(namesList(["a", "b"]) == "a and b")
        #expect(namesList(["a", "b", "c"]) == "a, b and c")
        #expect(namesList(["a", "b", "c", "d"], limit: 2) == "a, b and 2 more")
        #expect(namesList(["a", "b"], limit: 0) == "a and 1 more")
    }

    @Test(arguments: [
        ("selfaserted", "selfasserted", true), ("SingUpExchange", "SignUpExchange", true), ("Emial", "email", true),
        ("signInNames.emailAdress", "signInNames.emailAddress", true), ("cat", "cut", true), ("cat", "cart", true),
        ("logonIdentifier.emailAddress", "signInNames.emailAddress", false), ("email", "EMAIL", false),
        ("selfhosted", "selfasserted", false), ("SignUpOldExchange", "SignUpExchange", false), ("cat", "dot", false),
        ("", "a", false),
    ])
    func `a slip gets the nearest name`(written: String, name: String, isOne: Bool) {
        #expect(isSlip(written, of: name) == isOne)
    }
}
