import Determinism
import Diagnostics
import Foundation
import Testing

@testable import TrustFramework

/// Damaged policies: whatever the bytes, reading ends in a document or in findings with places, and linking a document
/// never traps. `B2C_FUZZ` sets how many are tried; a failure prints the number that gives it again.
@Suite struct FuzzTests {
    static let rounds = ProcessInfo.processInfo.environment["B2C_FUZZ"].flatMap { Int($0) } ?? 400

    /// Pieces that break XML and policies in interesting ways.
    static let pieces: [String] = [
        "<", ">", "&", "&amp;", "&#0;", "&#x110000;", "&x;", "\"", "'", "/", "</", "/>", "<!--", "-->", "<![CDATA[",
        "]]>",
        "<?xml version=\"1.0\" encoding=\"latin1\"?>", "<!DOCTYPE a>", "{Settings:A}", "{Settings:", "{", "}", "\u{0}",
        "\u{FEFF}", "\u{FFFF}", "\u{1F600}", "  ", "\n", "true", "-1", "99999999999999999999", "Order=\"1\"",
        "<BasePolicy><TenantId>a.b</TenantId><PolicyId>B2C_1A_test</PolicyId></BasePolicy>", "Id=\"\"",
        "<IncludeTechnicalProfile ReferenceId=\"JwtIssuer\"/>", "{OIDC:", "{SAML:Issuer}", "<Value></Value>",
        "MatchAtLeast=\"7\"", "xmlns:x=\"y\"", "x:",
    ]

    static let seeds: [[UInt8]] = {
        var texts = [
            PolicyTexts.runnable(),
            PolicyTexts.runnable(
                blocks: """
                    <Predicates><Predicate Id="P" Method="IsLengthRange"><Parameters><Parameter Id="Minimum">1</Parameter>
                    </Parameters></Predicate></Predicates>
                    """,
                providers: """
                    <TechnicalProfile Id="A"><Protocol Name="Proprietary" Handler="\
                    \(ProfileHandler.qualified("SelfAssertedAttributeProvider"))"/><Metadata>
                    <Item Key="ContentDefinitionReferenceId">api.x</Item></Metadata><OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="surname" DefaultValue="{OIDC:LoginHint}"/></OutputClaims>
                    <ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId="A"><Preconditions>
                    <Precondition Type="ClaimEquals" ExecuteActionsIf="true"><Value>surname</Value><Value>x</Value>
                    <Action>SkipThisValidationTechnicalProfile</Action></Precondition></Preconditions>
                    </ValidationTechnicalProfile></ValidationTechnicalProfiles></TechnicalProfile>
                    """),
        ]
        if let document = try? read(PolicyTexts.runnable()) { texts.append(PolicyWriter.xml(document)) }
        return texts.map { Array($0.utf8) }
    }()

    @Test func `damaged policies are read or refused`() {
        let first = ProcessInfo.processInfo.environment["B2C_FUZZ_FROM"].flatMap { UInt64($0) } ?? 0
        var readable = 0
        for number in first..<(first + UInt64(Self.rounds)) {
            var random = SeededGenerator(seed: 0xB2C, stream: "fuzz \(number)")
            var bytes = Self.seeds[random.below(Self.seeds.count)]
            for _ in 0..<(1 + random.below(4)) { Self.damage(&bytes, &random) }
            if Self.check(bytes, number) { readable += 1 }
        }
        // Damage that leaves nothing readable would try the parser alone.
        #expect(readable > Self.rounds / 50, "\(readable) of \(Self.rounds)")
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let at = random.below(bytes.count + 1)
        switch random.below(7) {
        case 0: if at < bytes.count { bytes[at] = UInt8(truncatingIfNeeded: random.below(256)) }
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + random.below(40)))
        case 2: bytes.insert(contentsOf: pieces[random.below(pieces.count)].utf8, at: at)
        case 3:
            // An element or a part of one again.
            let end = min(bytes.count, at + random.below(400))
            bytes.insert(contentsOf: bytes[at..<end], at: random.below(bytes.count + 1))
        case 4: bytes.removeSubrange(at...)
        case 5:
            // The value of an attribute becomes another's.
            guard let open = bytes[at...].firstIndex(of: 0x22),
                let close = bytes[(open + 1)...].firstIndex(of: 0x22)
            else { return }
            bytes.replaceSubrange((open + 1)..<close, with: pieces[random.below(pieces.count)].utf8)
        default:
            let piece = Array(pieces[random.below(pieces.count)].utf8)
            for _ in 0..<random.below(200) { bytes.insert(contentsOf: piece, at: at) }
        }
    }

    /// Whether it could be read.
    private static func check(_ bytes: [UInt8], _ number: UInt64) -> Bool {
        func sound(_ error: InvalidInput) {
            #expect(error.diagnostics.contains { $0.severity == .error }, "fuzz \(number)")
            for finding in error.diagnostics {
                guard let location = finding.location else { continue }
                #expect(location.file == "fuzz.xml" && (location.line ?? 1) >= 1 && (location.column ?? 1) >= 1)
            }
        }
        _ = PolicyReader.policyID(bytes: bytes)
        let document: PolicyDocument
        do throws(InvalidInput) {
            document = try PolicyReader.read(file: "fuzz.xml", bytes: bytes)
        } catch {
            sound(error)
            return false
        }
        let text = PolicyWriter.xml(document)
        do throws(InvalidInput) {
            let again = try PolicyReader.read(file: "fuzz.xml", bytes: Array(text.utf8))
            #expect(PolicyWriter.xml(again) == text, "fuzz \(number): writing changes the policy")
        } catch {
            Issue.record(
                "fuzz \(number): what was written cannot be read: \(error.diagnostics.first?.description ?? "")")
        }
        do throws(InvalidInput) {
            _ = try PolicyLinker.link(PolicyInheritance.merge([document, document]), personality: .customPolicy)
            _ = PolicyInheritance.merge([document]).reachable()
        } catch {
            sound(error)
        }
        return true
    }
}
