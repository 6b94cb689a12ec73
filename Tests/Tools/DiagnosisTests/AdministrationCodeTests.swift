import Testing

@testable import Diagnosis

/// Codes that Graph and the portal return when policies, policy keys and app registrations are written.
@Suite struct AdministrationCodeTests {
    private static let codes: [String] = {
        let ranges: [ClosedRange<Int>] = [
            90_220...90_220, 90_228...90_228, 90_252...90_253, 90_256...90_259, 90_277...90_277, 90_288...90_288,
            95_000...95_020, 95_023...95_044, 95_052...95_053, 95_059...95_059, 99_006...99_006, 99_009...99_009,
            99_011...99_011, 99_015...99_017,
        ]
        return ranges.flatMap { $0.map { "AADB2C\($0)" } }
    }()

    @Test(arguments: codes) func `each code is known by itself`(_ code: String) throws {
        let cause = try #require(explained(code).causes.first?.cause, "\(code)")
        #expect(cause.signs.contains { $0.phrases.contains(code.lowercased()) }, "\(cause.id)")
        #expect(cause.cause.hasSuffix(".") && cause.fix.hasSuffix("."))
    }

    @Test func `an answer of Graph is known by its code`() {
        let answer =
            #"{"error":{"code":"AADB2C95028","message":"Can't create trustframework key set with name 'B2C_1A_K' because it"#
            + #" already exists.","innerError":{"date":"2026-01-01T00:00:00","request-id":"x"}}}"#
        #expect(explained(answer).causes.first?.cause.id == "AADB2C95028")
    }
}
