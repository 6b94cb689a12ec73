import CommandKit
import Testing

/// What a command prints that did not succeed.
struct FailureTests {
    struct Row: Sendable {
        var failure: Failure
        var status: Int32
        var printed: String?
    }

    @Test(arguments: [
        Row(failure: .usage("no"), status: 1, printed: "b2c: no\n"),
        Row(failure: .input("no"), status: 2, printed: "b2c: no\n"),
        Row(failure: .machine("no"), status: 3, printed: "b2c: no\n"),
        Row(failure: .expectation("no"), status: 4, printed: "b2c: no\n"),
        Row(failure: .whole(.input, "a.json:1:2: no"), status: 2, printed: "a.json:1:2: no\n"),
        Row(failure: .silent(.machine), status: 3),
    ])
    func `a sentence follows the name of the program`(row: Row) {
        #expect(row.failure.printed(by: "b2c") == row.printed)
        #expect(row.failure.status.rawValue == row.status)
    }
}
