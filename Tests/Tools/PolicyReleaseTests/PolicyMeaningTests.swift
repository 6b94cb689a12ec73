import PolicyRelease
import Testing
import TrustFramework

/// Which files mean the same.
struct PolicyMeaningTests {
    private static let policy = BuildPack.policy(
        "B2C_1A_A", tenant: BuildPack.tenant, body: "  <X B=\"2\" A=\"1\">\n    <Y>a &amp; b</Y>\n    <Z />\n  </X>\n")

    static let same: [(String, String)] = [
        ("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>", ""), ("B=\"2\" A=\"1\"", "A='1'   B='2'"),
        ("<Z />", "<Z></Z>"), ("<Z />", "<Z>\n </Z>"), ("<Z />", "<!-- z --><Z/>"), ("\n", "\r\n"),
        ("a &amp; b", "<![CDATA[a & b]]>"), ("<?xml", "\u{FEFF}<?xml"), ("    <Y>", "<Y>"),
        (" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"", ""),
    ]

    @Test(arguments: same) func `formatting has no meaning`(_ from: String, _ to: String) {
        let other = Self.policy.replacing(from, with: to)
        #expect(other != Self.policy)
        #expect(PolicyMeaning.digest(Array(other.utf8)) == PolicyMeaning.digest(Array(Self.policy.utf8)))
    }

    static let different: [(String, String)] = [
        ("a &amp; b", "a &amp;  b"), ("A=\"1\"", "A=\"1 \""), ("A=\"1\"", ""), ("<Z />", ""), ("<Z />", "<Z/><Z/>"),
        ("<Z />", "<Z>z</Z>"), ("B2C_1A_A", "B2C_1A_B"), ("<Z />\n  </X>", "</X>\n  <Z/>"),
        ("<Y>a &amp; b</Y>\n    <Z />", "<Z /><Y>a &amp; b</Y>"),
    ]

    @Test(arguments: different) func `elements, order, attributes and texts have`(_ from: String, _ to: String) {
        let other = Self.policy.replacing(from, with: to)
        #expect(other != Self.policy)
        #expect(PolicyMeaning.digest(Array(other.utf8)) != PolicyMeaning.digest(Array(Self.policy.utf8)))
    }

    @Test func `a canonical text is its own canonical text`() {
        let canonical = PolicyMeaning.canonical(Array(Self.policy.utf8))
        // Its namespace is what every policy has, so it is not repeated.
        #expect(PolicyMeaning.canonical(canonical) == canonical)
        #expect(PolicyMeaning.digest(canonical).hasPrefix("sha256:"))
        #expect(PolicyMeaning.digest(canonical).count == 71)
    }

    @Test(arguments: ["", "<a>", "no XML", "<!DOCTYPE a><a/>"]) func `what is not XML is its own meaning`(
        _ text: String
    ) {
        #expect(PolicyMeaning.canonical(Array(text.utf8)) == Array(text.utf8))
    }
}
