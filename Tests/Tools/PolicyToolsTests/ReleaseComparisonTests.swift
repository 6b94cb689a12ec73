import Diagnostics
import Exploration
import JSON
import PolicyRelease
import ScenarioRunner
import TestSupport
import Testing
import TrustFramework

@testable import PolicyTools

/// What `b2c policy plan` and `b2c policy drift` say of a tenant and a folder, without a network.
struct ReleaseComparisonTests {
    /// The sample policies of a folder: names of files in `scenarios/policies`, with what is replaced in each.
    private struct Folder {
        var texts: [(file: String, text: String)] = []

        init(_ names: [String]) throws {
            for name in names {
                let bytes = try TestFiles.bytes("scenarios/policies/\(name).xml")
                texts.append(("policies/\(name).xml", String(decoding: bytes, as: UTF8.self)))
            }
        }

        func replacing(_ name: String, _ find: String, with text: String) throws -> Folder {
            var folder = self
            let place = try #require(texts.firstIndex { $0.file == "policies/\(name).xml" })
            try #require(texts[place].text.contains(find), "\(name) has no \(find)")
            folder.texts[place].text = texts[place].text.replacing(find, with: text, maxReplacements: 1)
            return folder
        }

        /// The line of the first place of a text, from 1.
        func line(of find: String, in name: String) throws -> Int {
            let text = try #require(texts.first { $0.file == "policies/\(name).xml" }).text
            let range = try #require(text.firstRange(of: find))
            return text[..<range.lowerBound].count(where: \.isNewline) + 1
        }

        var built: BuiltPolicies {
            BuiltPolicies(
                tenant: "contoso.onmicrosoft.com", environment: nil,
                policies: texts.map { file, text in
                    let bytes = Array(text.utf8)
                    return BuiltPolicy(
                        id: PolicyReader.peekPolicyID(bytes) ?? "", base: PolicyParent.id(of: bytes), file: file,
                        bytes: bytes, source: SourceText(file: file, bytes: bytes),
                        isRelyingParty: text.contains("<RelyingParty"))
                }, settings: [])
        }

        var tenant: TenantSnapshot {
            TenantSnapshot(
                organization: TenantOrganization(
                    id: "9d3bd4c5-b3b1-4a51-9f1d-6a5a1c3d6c11", domains: ["contoso.onmicrosoft.com"]),
                policies: built.policies.map { TenantPolicy(id: $0.id, bytes: $0.bytes) })
        }
    }

    private static let limits = ComparisonLimits(limits: ExplorationLimits(), seconds: 300)
    private static let structure = ComparisonLimits(
        limits: ExplorationLimits(), seconds: 300, structureOnly: true)

    /// What the service refuses is not asked: the sample policies inherit from a base that is built in.
    private static func release(
        _ new: Folder, over old: Folder, deletes: Bool = false, limits: ComparisonLimits = limits
    ) async throws -> ReleaseComparison {
        try await ReleaseComparison(
            new.built, in: old.tenant, deletes: deletes, limits: limits, refusals: { _, _, _ in [] })
    }

    // MARK: Who notices

    @Test func `a precondition that loses the second factor names the person and the line`() async throws {
        let old = try Folder(["Base", "PhoneFactor", "Loyalty"])
        let new = try old.replacing(
            "PhoneFactor", "<Value>isActiveMFASession</Value>", with: "<Value>strongAuthenticationPhoneNumber</Value>")
        let release = try await Self.release(new, over: old)
        #expect(release.refused.isEmpty && release.unchanged == ["B2C_1A_loyalty"])
        let row = try #require(release.rows.first, "\(release.signIns)")
        #expect(row.policy == "B2C_1A_PhoneFactor" && row.isWeaker)
        #expect(row.kinds.contains(.newPathWithoutSecondFactor))
        #expect(row.who.hasPrefix("a local account with a phone number"), "\(row.who)")
        #expect(row.after.contains("no second factor"), "\(row)")
        let line = try new.line(of: "<Value>strongAuthenticationPhoneNumber</Value>", in: "PhoneFactor")
        let cause = try #require(row.causes.first)
        #expect(cause.place?.file == "policies/PhoneFactor.xml")
        #expect([line - 1, line].contains(cause.place?.line ?? 0), "\(cause)")
        #expect(cause.element == "Precondition of step 4")
        #expect(release.kinds.isSuperset(of: [.weakerSignIn, .newPathWithoutSecondFactor]))
        let text = ReleaseReport(release, forbidden: [.weakerSignIn, .lostClaim]).text
        #expect(text.hasPrefix("1 of 3 policies changes. "), "\(text)")
        #expect(text.contains("! weaker"), "\(text)")
        #expect(text.contains("because policies/PhoneFactor.xml:"), "\(text)")
        #expect(text.contains("no change: B2C_1A_loyalty"), "\(text)")
        #expect(text.contains("forbidden: weaker-sign-in, lost-claim\n"), "\(text)")
        #expect(text.contains("  update  B2C_1A_PhoneFactor  policies/PhoneFactor.xml"), "\(text)")
    }

    @Test func `a claim that a token no longer has is lost for everybody, because of one line`() async throws {
        let old = try Folder(["Base", "Loyalty"])
        let new = try old.replacing("Loyalty", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />", with: "")
        let release = try await Self.release(new, over: old)
        let row = try #require(release.rows.first { $0.kinds.contains(.lostClaim) }, "\(release.signIns)")
        #expect(row.who.hasPrefix("everybody") && row.before.hasPrefix("claim name = "), "\(row)")
        #expect(row.after.hasPrefix("claim name is not sent") && !row.isWeaker, "\(row)")
        #expect(row.causes.first?.place?.file == "policies/Loyalty.xml", "\(row.causes)")
        #expect(row.causes.first?.element.contains("OutputClaim displayName") ?? false, "\(row.causes)")
        #expect(!release.kinds.contains(.weakerSignIn))
        let report = ReleaseReport(release, forbidden: [.newPage])
        #expect(report.forbidden.isEmpty)
        // The plan and the report are one file, and the plan can be read again.
        let document = try JSONDocument(file: "plan.json", bytes: Array(report.jsonText.utf8))
        #expect(try ReleasePlan(document) == release.plan)
        #expect(
            document.root["signIns"]?[0]?["notices"]?[0]?["because"]?[0]?["place", "file"] == "policies/Loyalty.xml")
        #expect(report.markdown.contains("| B2C\\_1A\\_loyalty |"), "\(report.markdown)")
        let sarif = report.findingsReport(sources: [], version: "1").text(.sarif)
        #expect(sarif.contains("\"lost-claim\"") && sarif.contains("policies/Loyalty.xml"), "\(sarif)")
    }

    @Test func `two changes are each the cause of their own row`() async throws {
        let old = try Folder(["Base", "Loyalty"])
        let new = try old.replacing("Loyalty", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />", with: "")
            .replacing(
                "Loyalty", "<InputClaim ClaimTypeReferenceId=\"email\" />",
                with: "<InputClaim ClaimTypeReferenceId=\"email\" PartnerClaimType=\"mail\" />")
        let release = try await Self.release(new, over: old)
        let lost = try #require(release.rows.first { $0.kinds.contains(.lostClaim) }, "\(release.rows)")
        #expect(lost.causes.map(\.element).allSatisfy { $0.contains("displayName") }, "\(lost.causes)")
        let service = try #require(release.rows.first { $0.party == .service }, "\(release.rows)")
        #expect(service.causes.map(\.element).allSatisfy { !$0.contains("displayName") }, "\(service.causes)")
    }

    @Test func `a tenant that has the folder changes nothing`() async throws {
        let folder = try Folder(["Base", "Loyalty"])
        let release = try await Self.release(folder, over: folder)
        #expect(release.plan.isEmpty && release.signIns.isEmpty && release.kinds.isEmpty)
        #expect(ReleaseReport(release, forbidden: []).text.hasPrefix("Nothing changes.\n"))
    }

    @Test func `new, deleted and foreign policies are named, and only --delete deletes`() async throws {
        let old = try Folder(["Base", "Loyalty"])
        let new = try Folder(["Base", "PhoneFactor"])
        let stays = try await Self.release(new, over: old, limits: Self.structure)
        #expect(stays.plan.notInFolder.map(\.id) == ["B2C_1A_loyalty"] && !stays.kinds.contains(.deletedPolicy))
        #expect(stays.signIns.map(\.status) == [.added])
        #expect(
            ReleaseReport(stays, forbidden: []).text.contains(
                "not in the folder: B2C_1A_loyalty (they stay; --delete deletes them)"))
        let deletes = try await Self.release(new, over: old, deletes: true, limits: Self.structure)
        #expect(deletes.kinds.contains(.deletedPolicy))
        #expect(deletes.rows.map(\.after) == ["the policy does not exist"])
    }

    @Test func `a policy that does not link is refused, and nothing else is said`() async throws {
        let old = try Folder(["Base", "Loyalty"])
        let new = try old.replacing(
            "Loyalty", "<ValidationTechnicalProfile ReferenceId=\"REST-Tier\" />",
            with: "<ValidationTechnicalProfile ReferenceId=\"REST-Nix\" />")
        let release = try await Self.release(new, over: old)
        let finding = try #require(release.refused.first)
        #expect(finding.location?.file == "policies/Loyalty.xml" && finding.message.contains("REST-Nix"), "\(finding)")
        #expect(release.rows.isEmpty)
        #expect(ReleaseReport(release, forbidden: []).text.hasPrefix("refused  policies/Loyalty.xml:"))
    }

    // MARK: Between uploads

    /// A claim of the base that the sign-in issues.
    private static func claim(_ id: String, of folder: Folder) throws -> Folder {
        try folder.replacing(
            "Base", "  <ClaimsProviders>",
            with: "  <BuildingBlocks><ClaimsSchema><ClaimType Id=\"\(id)\"><DisplayName>\(id)</DisplayName>"
                + "<DataType>string</DataType></ClaimType></ClaimsSchema></BuildingBlocks>\n  <ClaimsProviders>"
        )
        .replacing(
            "Loyalty", "        <OutputClaim ClaimTypeReferenceId=\"tier\" />\n      </OutputClaims>\n      <Subject",
            with:
                "        <OutputClaim ClaimTypeReferenceId=\"\(id)\" DefaultValue=\"gold\" />\n      </OutputClaims>\n      "
                + "<Subject")
    }

    @Test func `a state that breaks a policy is avoided by another order`() async throws {
        let plain = try Folder(["Base", "Loyalty"])
        let release = try await Self.release(
            plain, over: try Self.claim("badge", of: plain), limits: Self.structure)
        #expect(release.refused.isEmpty, "\(release.refused)")
        #expect(release.avoided.count == 1 && release.avoided.first?.last == "B2C_1A_SampleBase")
        #expect(release.avoided.first?.broken.map(\.policy) == ["B2C_1A_loyalty"])
        #expect(release.plan.uploads.map(\.id) == ["B2C_1A_loyalty", "B2C_1A_SampleBase"])
        #expect(release.states.isEmpty && !release.needsStaging && !release.kinds.contains(.brokenState))
        let text = ReleaseReport(release, forbidden: [.brokenState]).text
        #expect(text.contains("this order has no broken state: B2C_1A_loyalty, B2C_1A_SampleBase"), "\(text)")
        #expect(
            text.contains("after 1 of 2 (B2C_1A_SampleBase): B2C_1A_loyalty ends in AADB2C90037 for everybody"),
            "\(text)")
    }

    @Test func `where every order breaks a policy a staged release is proposed`() async throws {
        let plain = try Folder(["Base", "Loyalty"])
        let release = try await Self.release(
            try Self.claim("rank", of: plain), over: try Self.claim("badge", of: plain), limits: Self.structure)
        #expect(release.refused.isEmpty, "\(release.refused)")
        #expect(release.needsStaging && release.avoided.isEmpty)
        #expect(release.states.map { $0.broken.map(\.policy) } == [["B2C_1A_loyalty"]])
        let report = ReleaseReport(release, forbidden: [.brokenState])
        #expect(report.forbidden == [.brokenState])
        #expect(report.text.contains("b2c policy deploy --staged PREFIX"), "\(report.text)")
        #expect(report.headline.contains("1 state between two uploads is broken."))
    }

    // MARK: Drift

    @Test func `drift is what somebody changed in the tenant, with the lines of the folder`() async throws {
        let folder = try Folder(["Base", "Loyalty"])
        let changed = try folder.replacing(
            "Loyalty", "<OutputClaim ClaimTypeReferenceId=\"displayName\" />", with: "")
        let report = try await PolicyDrift.report(
            folder.built, changed.tenant, from: "policies", limits: Self.limits)
        let row = try #require(report.rows.first { $0.kinds.contains(.lostClaim) }, "\(report.signIns)")
        let line = try folder.line(of: "<OutputClaim ClaimTypeReferenceId=\"displayName\" />", in: "Loyalty")
        #expect(row.causes.first?.place?.file == "policies/Loyalty.xml" && row.causes.first?.place?.line == line)
        #expect(report.headline == "1 of 2 policies differs in the tenant.", "\(report.headline)")
        let annotations = report.findingsReport(sources: [], version: "1").text(.github)
        #expect(annotations.contains("::warning file=policies/Loyalty.xml,line=\(line)"), "\(annotations)")
        let none = try await PolicyDrift.report(folder.built, folder.tenant, from: "policies", limits: Self.limits)
        #expect(none.plan.isEmpty && none.text.hasPrefix("The tenant has what the folder has.\n"))
    }

    // MARK: Input

    @Test func `a kind that does not exist is refused with the nearest one`() throws {
        #expect(try ChangeKind.list("lost-claim, Weaker-Sign-In") == [.lostClaim, .weakerSignIn])
        let cases = [
            ("lost-clam", "Did you mean lost-claim?"), ("x", "Kinds are weaker-sign-in"), (",", "needs a kind"),
        ]
        for (text, message) in cases {
            let error = #expect(throws: (any Error).self) { try ChangeKind.list(text) }
            #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(text)")
        }
    }

    @Test func `a path of one sign-in becomes inputs of a trace, without the policy and other people`() throws {
        let scenario: JSONObject = [
            "tenant": [:], "configure": ["users": ["visitor": ["email": "bob@example.test"]], "rest": [:]],
            "steps": [["acquireToken": ["policy": "B2C_1A_x", "prompt": "login"], "user": [["press": "continue"]]]],
        ]
        let inputs = try #require(PathRepetition.inputs(scenario))
        #expect(inputs["request"] == ["prompt": "login"])
        #expect(inputs["user"] == [["press": "continue"]])
        #expect(inputs["configure"]?["users", "visitor", "email"] == "bob@example.test")
        #expect(inputs["configure"]?["users", "ada"] == JSONValue.null)
        var twice = scenario
        let steps = scenario["steps"]?.arrayValue ?? []
        twice["steps"] = .array(steps + steps)
        #expect(PathRepetition.inputs(twice) == nil)
    }
}
