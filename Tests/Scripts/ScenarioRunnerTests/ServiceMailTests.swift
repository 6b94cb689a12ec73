import Testing

@testable import ScenarioRunner

/// Codes in what a policy asks a service to send.
@Suite struct ServiceMailTests {
    static let rows: [(body: String, code: String?)] = [
        (#"{"to": "ada@example.test", "code": "abcdefgh"}"#, "abcdefgh"),
        (#"{"to": "Ada@Example.test", "countryCode": "GB", "dynamic_template_data": {"otp": "471100"}}"#, "471100"),
        (
            #"{"personalizations": [{"to": [{"email": "ada@example.test"}]}], "text": "Your number is 471100."}"#,
            "471100"
        ),
        (#"{"to": "ada@example.test", "pin": 4711}"#, "4711"),
        ("To=%2B442079460000&Body=Use+471100+now", "471100"),
        (#"{"to": "bob@example.test", "code": "471100"}"#, nil),
        (#"{"to": "ada@example.test", "text": "Version 2.1.9 of 12345678901"}"#, nil),
        (#"{"email": "ada@example.test"}"#, nil),
        ("", nil),
    ]

    @Test(arguments: rows)
    func `the code of a message to the person is read`(_ row: (body: String, code: String?)) {
        let addresses = ["ada@example.test", "+442079460000"]
        #expect(ServiceMail(body: Array(row.body.utf8))?.code(to: addresses) == row.code)
    }
}
