import Diagnostics
import Testing
import Validation

struct UploadCheckTests {
    @Test func `nothing of the sample is refused`() {
        let chain = PolicySample.files.map { ($0.0, Array($0.1.utf8)) }
        for count in 1...chain.count {
            let found = UploadCheck.findings(
                of: "B2C_1A_susi", chain: Array(chain.prefix(count)), tenantDomain: BrokenSet.tenant,
                keySets: BrokenSet.keys)
            #expect(found == [], "\(count) files: \(found.map(\.text))")
        }
    }

    @Test func `there are forty broken sets`() {
        #expect(BrokenSet.all.count >= 40)
        #expect(Set(BrokenSet.all.map(\.name)).count == BrokenSet.all.count)
    }

    @Test(arguments: BrokenSet.all) func `a mistake is refused at its line in the service's words`(_ set: BrokenSet) {
        #expect(set.isPlanted)
        let found = set.findings
        let fitting = found.filter { $0.diagnostic.rule == set.rule }
        #expect(!fitting.isEmpty, "\(found.map { "\($0.diagnostic)" })")
        guard let first = fitting.first else { return }
        #expect(first.diagnostic.location?.file == set.file)
        #expect(first.diagnostic.location?.line == set.line, "\(first.diagnostic)")
        #expect(first.text.hasPrefix(set.begins), "\(first.text)")
        #expect(found.allSatisfy { $0.diagnostic.severity == .error })
    }

    @Test func `a chain without its root is refused`() throws {
        let chain = PolicySample.files.dropFirst().map { ($0.0, Array($0.1.utf8)) }
        let found = UploadCheck.findings(
            of: "B2C_1A_susi", chain: chain, tenantDomain: BrokenSet.tenant, keySets: nil)
        #expect(found.map(\.diagnostic.rule) == ["B2C-POL-006"])
        #expect(
            found.first?.text
                == "Policy with 'policyId': B2C_1A_Base cannot be found in the directory 'contoso.onmicrosoft.com'.")
        #expect(found.first?.diagnostic.location?.file == "extensions.xml")
    }

    /// What the service finds only when a person comes to the step does not stop an upload.
    @Test func `a refresh journey that does not exist passes`() {
        let base = PolicySample.base.replacing(
            "<Item Key=\"token_lifetime_secs\">3600</Item>",
            with: "<Item Key=\"token_lifetime_secs\">3600</Item><Item Key=\"RefreshTokenUserJourneyId\">Refrehs</Item>")
        let chain = [("base.xml", base), ("extensions.xml", PolicySample.extensions), ("susi.xml", PolicySample.party)]
        let found = UploadCheck.findings(
            of: "B2C_1A_susi", chain: chain.map { ($0.0, Array($0.1.utf8)) }, tenantDomain: BrokenSet.tenant,
            keySets: nil)
        #expect(found == [], "\(found.map(\.text))")
    }

    @Test func `the message has the number of its errors and nothing between them`() throws {
        let broken = PolicySample.party
            .replacing("ClaimTypeReferenceId=\"tenantId\"", with: "ClaimTypeReferenceId=\"tenant\"")
            .replacing("UserJourneyReferenceId=\"Refresh\"", with: "UserJourneyReferenceId=\"Refreshing\"")
        let chain = [
            ("base.xml", PolicySample.base), ("extensions.xml", PolicySample.extensions), ("susi.xml", broken),
        ]
        let found = UploadCheck.findings(
            of: "B2C_1A_susi", chain: chain.map { ($0.0, Array($0.1.utf8)) }, tenantDomain: BrokenSet.tenant,
            keySets: nil)
        let tail = "but neither the policy nor any of its base policies contain such an element."
        #expect(
            UploadCheck.message(found, policyID: "B2C_1A_susi", tenantDomain: BrokenSet.tenant)
                == "Validation failed: 2 validation error(s) found in policy \"B2C_1A_SUSI\" of tenant "
                + "\"contoso.onmicrosoft.com\".Policy \"B2C_1A_susi\" of tenant \"contoso.onmicrosoft.com\" makes a "
                + "reference to UserJourney with id \"Refreshing\" \(tail)Policy \"B2C_1A_susi\" of tenant "
                + "\"contoso.onmicrosoft.com\" makes a reference to ClaimType with id \"tenant\" \(tail)")
    }

    @Test func `no files are refused nothing`() {
        #expect(UploadCheck.findings(of: "x", chain: [], tenantDomain: "t", keySets: []) == [])
    }
}
