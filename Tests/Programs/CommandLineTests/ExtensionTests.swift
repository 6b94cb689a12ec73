import TestSupport
import Testing

private let address = "http://localhost:7071/api/claims"

/// What `b2c extension` refuses before it calls anything.
@Suite(.blocking) struct ExtensionTests {
    @Test(arguments: [
        (["call", address, "--event", "tokenIssuanceStat"], "Did you mean tokenIssuanceStart?"),
        (["call", address, "--event", "x"], "Events are tokenIssuanceStart"),
        (["call", "nowhere", "--event", "emailOtpSend"], "nowhere is not an address"),
        (["call", "https://api.contoso.test/x", "--event", "emailOtpSend"], "give --allow-remote"),
        (["call", address, "--event", "emailOtpSend", "--timeout", "199"], "milliseconds from 200 to 2000"),
        (["call", address, "--event", "emailOtpSend", "--retries", "2"], "expected 0 or 1"),
        (["call", address, "--event", "emailOtpSend", "--token-version", "3"], "expected 1 or 2"),
        (["call", address, "--event", "emailOtpSend", "--user", "adda"], "no person adda. Did you mean ada?"),
        (["call", address, "--event", "emailOtpSend", "--app", "iso"], "has no app iso"),
        (["call", address, "--event", "emailOtpSend", "--input", "{"], "is not a JSON object"),
        (["call", address, "--event", "passwordSubmit"], "passwordSubmit needs --key"),
        (["call", address, "--event", "passwordSubmit", "--key", "ec.pem"], "ec.pem has no RSA key"),
        (["call", address, "--event", "passwordSubmit", "--key", "text"], "text has no RSA key"),
        (["call", address, "--event", "emailOtpSend", "--server", "x"], "x is not the address of a server"),
        (["test", address, "--event", "emailOtpSend", "--case", "wrong-caler"], "Did you mean wrong-caller?"),
        (["compare", address, "--event", "emailOtpSend"], "--policies FOLDER with --profile ID, or --rest URL"),
        (["compare", address, "--event", "emailOtpSend", "--profile", "REST-x"], "--policies FOLDER"),
        (["cal", address], "Did you mean b2c extension call?"),
    ])
    func `what cannot be called is said in a sentence`(_ arguments: [String], _ piece: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write("no key", to: "text")
        try tool.write(
            """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
            6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
            -----END PUBLIC KEY-----
            """, to: "ec.pem")
        let run = try tool.run(["extension"] + arguments)
        #expect(run.status == 1 && run.out.isEmpty, "\(run.status) \(run.out)")
        #expect(run.error.contains(piece), "\(run.error)")
    }

    @Test func `a server that does not answer is named with what starts one`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run(
            "extension", "call", address, "--event", "emailOtpSend", "--server", "http://localhost:1")
        #expect(run.status == 3 && run.error.contains("b2c serve"), "\(run.error)")
    }
}
