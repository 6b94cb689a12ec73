import B2CProtocol
import Determinism
import Testing

struct ErrorCodeTests {
    @Test func `the table holds every documented code once`() {
        let numbers = B2CErrorCode.all.map(\.number)
        // Those of Microsoft's list, and AADB2C90090, AADB2C99001, AADB2C99002 and AADB2C99027, which only reports know.
        #expect(numbers.count == 135)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers == numbers.sorted())
        for number in numbers {
            #expect(number.utf8.count == 5 && number.hasPrefix("9"))
        }
    }

    @Test func `each code has a row that can be read, and each row a code`() {
        #expect(B2CErrorCode.tableProblems == [])
    }

    @Test(arguments: B2CErrorCode.all)
    func `every code explains itself`(_ code: B2CErrorCode) {
        for text in [code.template, code.meaning, code.cause, code.remedy, code.production.text] {
            #expect(!text.isEmpty, "\(code)")
            #expect(!text.contains("  "), "\(code): \(text)")
        }
        #expect(code.meaning.hasSuffix(".") && code.cause.hasSuffix(".") && code.remedy.hasSuffix("."), "\(code)")
        #expect(B2CErrorCode.named(code.id) == code)
        #expect(B2CErrorCode.named(code.number) == code)
        #expect(B2CErrorCode.named(code.id.lowercased()) == code)
    }

    @Test(arguments: B2CErrorCode.all)
    func `every insert comes out once, and in its place`(_ code: B2CErrorCode) {
        let values = (0..<code.inserts).map { "<value \($0)>" }
        let message = code.message(values)
        for value in values {
            #expect(message.components(separatedBy: value) == 2, "\(code): \(message)")
        }
        #expect(!message.contains("{"), "\(code): \(message)")
        #expect(!code.message([]).contains("{"), "\(code) with nothing to insert")
        #expect(code.message(values + ["surplus"]) == message)
    }

    @Test(arguments: B2CErrorCode.all)
    func `what goes to the app has an OAuth error`(_ code: B2CErrorCode) {
        if code.delivery == .redirect || code.delivery == .json {
            #expect(code.oauthError != nil, "\(code)")
        }
        if let error = code.oauthError {
            #expect(error.allSatisfy { $0 == "_" || ("a"..."z").contains($0) })
        }
    }

    /// Recorded from live tenants.
    @Test(arguments: [
        ("AADB2C90006", "redirect_uri_mismatch"), ("AADB2C90047", "server_error"),
        ("AADB2C90057", "unauthorized_client"), ("AADB2C90077", "interaction_required"),
        ("AADB2C90079", "invalid_request"), ("AADB2C90080", "invalid_grant"), ("AADB2C90085", "invalid_grant"),
        ("AADB2C90088", "invalid_grant"), ("AADB2C90091", "access_denied"), ("AADB2C90118", "access_denied"),
        ("AADB2C90129", "invalid_grant"), ("AADB2C90145", "server_error"), ("AADB2C90205", "invalid_request"),
        ("AADB2C90225", "access_denied"), ("AADB2C90255", "server_error"),
    ])
    func `codes have the OAuth errors that were recorded`(_ id: String, _ error: String) {
        #expect(AADB2C.named(id)?.oauthError == error)
    }

    @Test func `grant mismatch keeps its two labels`() {
        let text = B2CErrorCode.c90088.message(["B2C_1A_V2SignIn", "B2C_1A_V2NewTenant"])
        #expect(text.contains("Actual Value : B2C_1A_V2SignIn and Expected Value : B2C_1A_V2NewTenant"))
    }

    @Test(arguments: ["", "AADB2C", "AADB2C1", "90003", "AADSTS50058", "AADB2C900061"])
    func `other names are unknown`(_ name: String) {
        #expect(B2CErrorCode.named(name) == nil)
    }

    @Test(arguments: [
        ("AADB2C90118: x", "AADB2C90118"), ("see AADB2C90091 and AADB2C90118", "AADB2C90091"),
        ("AADB2C: An exception", nil), ("AADB2C: then AADB2C12345", "AADB2C12345"), ("", nil), ("AADB2C", nil),
    ])
    func `the first code in a text is found`(_ text: String, _ code: String?) {
        #expect(AADB2C.firstCode(in: text) == code)
    }
}

struct ErrorTextTests {
    static let id = GUID("f9ba829c-0000-4000-8000-000000000001") ?? .empty
    static let time = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)

    @Test(arguments: B2CErrorCode.all)
    func `every code is read as it was written`(_ code: B2CErrorCode) throws {
        let values = (0..<code.inserts).map { "value \($0)" }
        let text = B2CErrorText(code, values, correlationID: Self.id, at: Self.time)
        let parsed = try #require(B2CErrorText(parsing: text.text))
        #expect(parsed == text)
    }

    @Test func `a description has three lines that end in CRLF`() {
        let text = B2CErrorText(.c90118, correlationID: Self.id, at: Self.time).text
        #expect(
            text == "AADB2C90118: The user has forgotten their password.\r\n"
                + "Correlation ID: f9ba829c-0000-4000-8000-000000000001\r\nTimestamp: 2026-01-15 12:00:00Z\r\n")
    }

    @Test func `descriptions of real tenants are read`() throws {
        let text =
            "AADB2C90080: expired\r\nCorrelation ID: F9BA829C-0000-4000-8000-000000000001\r\n"
            + "Timestamp: 2026-01-15 12:00:00Z\r\n"
        let parsed = try #require(B2CErrorText(parsing: text))
        #expect(parsed.code == .c90080)
        #expect(parsed.message == "expired")
        #expect(parsed.correlationID == Self.id)
        #expect(parsed.timestamp == Self.time)
    }

    @Test func `unknown and missing numbers are kept`() throws {
        let unknown = try #require(B2CErrorText(parsing: "AADB2C12345: new\nCorrelation ID: none"))
        #expect(unknown.code == nil && unknown.codeText == "AADB2C12345" && unknown.message == "new")
        #expect(unknown.correlationID == nil && unknown.timestamp == nil)
        let bare = try #require(B2CErrorText(parsing: "AADB2C: An exception has occurred."))
        #expect(bare.codeText == nil && bare.message == "An exception has occurred.")
        #expect(B2CErrorText(parsing: "invalid_grant") == nil)
    }
}

extension String {
    /// How many parts a separator makes of the text.
    fileprivate func components(separatedBy separator: String) -> Int {
        var count = 1
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(separator) {
                count += 1
                index = self.index(index, offsetBy: separator.count)
            } else {
                index = self.index(after: index)
            }
        }
        return count
    }
}
