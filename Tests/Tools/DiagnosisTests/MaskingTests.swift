import Diagnosis
import Testing

/// Numbers, names of policies and ids that people need are shown; secrets are not.
@Suite struct MaskingTests {
    private func shown(_ text: String) -> String {
        let diagnosis = explained(text)
        let evidence = diagnosis.causes.flatMap { $0.evidence.map(\.text) }
        return (evidence + diagnosis.facts.map(\.text) + diagnosis.notes).joined(separator: "\n")
    }

    @Test(arguments: [
        (
            "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALInternalErrorCodeKey=-42008}",
            "Code=-50000"
        ),
        ("Error Domain=NSURLErrorDomain Code=-1009, \"offline\" from acquireTokenSilent", "Code=-1009"),
        ("msalerrordomain Code=-42402. only one interactive session", "Code=-42402"),
        ("code=ERR_NETWORK network_error: Network request failed", "ERR_NETWORK"),
        ("request failed, code=invalid_grant: AADB2C90080: expired", "code=invalid_grant"),
        ("code=AADSTS7000215: Invalid client secret provided", "AADSTS7000215"),
        ("Code=IDX10223 lifetime: IDX10223: the token expired", "IDX10223"),
        ("{\"ResetPasswordPolicyId\":\"B2C_1_reset\"} AADB2C90118", "B2C_1_reset"),
        ("PasswordReset=B2C_1_reset&x=1 AADB2C90118", "PasswordReset=B2C_1_reset"),
        ("access_token: missing, AADB2C90055 must specify a resource", "access_token: missing"),
        (
            "AADB2C90118 Correlation ID: 2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a at line 4711 of https://localhost:44321/cb",
            "2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a"
        ),
    ])
    func `what names an error is shown`(_ row: (text: String, part: String)) {
        #expect(shown(row.text).contains(row.part), "\(shown(row.text))")
    }

    @Test(arguments: [
        ("https://app.test/cb?code=Zx81QpLm2w&state=1 AADB2C90118", "Zx81QpLm2w"),
        ("AADB2C90081 client_secret=Q8f~xYz12345", "Q8f~xYz12345"),
        ("AADB2C90225 Password: 123456", "123456"), ("AADB2C90225 password=4711", "4711"),
        ("AADB2C90080 refresh_token: abcdef123456", "abcdef123456"),
        ("AADB2C90118 code=abcdefgh&state=2", "abcdefgh"),
    ])
    func `what is a secret is not`(_ row: (text: String, secret: String)) {
        #expect(!shown(row.text).contains(row.secret), "\(shown(row.text))")
    }
}
