import Exchanges
import Testing

struct StandInRegisterTests {
    @Test func `values are numbered by kind and keep their stand-ins`() {
        var register = StandInRegister()
        register["known"] = "<known>"
        let given = [("a", "x"), ("b", "x"), ("c", "y"), ("a", "y"), ("A", "x"), ("known", "x")].map { value, kind in
            register.standIn(for: value, kind: kind) { "<\(kind) \($0)>" }
        }
        #expect(given == ["<x 1>", "<x 2>", "<y 1>", "<x 1>", "<x 3>", "<known>"])
    }

    @Test func `a unique stand-in passes over those that were given, letter case aside`() {
        var register = StandInRegister(foldsCase: true)
        let given = ["a", "b", "A", "c"].map {
            register.standIn(for: $0, isUnique: true) { ["", "x", "X", "y", "z"][$0] }
        }
        #expect(given == ["x", "y", "x", "z"])
        #expect(register["B"] == "y")
    }
}
