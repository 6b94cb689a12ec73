import LanguageService
import Testing

/// Which policy inherits from which.
struct PolicyFamiliesTests {
    typealias P = PolicyWorkspace

    @Test func `a base is beside the policy, above it, or the only one of its id`() {
        let files = [
            "a/Base.xml": P.policy("B2C_1A_Base"), "a/Ext.xml": P.policy("B2C_1A_Ext", base: "b2c_1a_BASE"),
            "a/b/Party.xml": P.policy("B2C_1A_Party", base: "B2C_1A_Ext"), "c/Base.xml": P.policy("B2C_1A_Base"),
            "c/Other.xml": P.policy("B2C_1A_Other", base: "B2C_1A_Party"),
            "d/Lost.xml": P.policy("B2C_1A_Lost", base: "B2C_1A_Base"),
        ]
        let families = P.of(files).families
        #expect(families.chain("a/b/Party.xml") == ["a/Base.xml", "a/Ext.xml", "a/b/Party.xml"])
        #expect(families.chain("c/Other.xml").first == "a/Base.xml")
        #expect(families.chain("d/Lost.xml") == ["d/Lost.xml"])
        #expect(families.children("a/Base.xml") == ["a/Ext.xml"])
        #expect(families.descendants("a/Base.xml") == ["a/Ext.xml", "a/b/Party.xml", "c/Other.xml"])
        #expect(families.policyID("c/Base.xml") == "B2C_1A_Base")
        #expect(families.chain("none.xml") == ["none.xml"])
    }

    @Test func `files come, change and go in any order`() {
        var workspace = P.of(["b.xml": P.policy("B", base: "A"), "c.xml": P.policy("C", base: "B")])
        #expect(workspace.families.chain("c.xml") == ["b.xml", "c.xml"])
        workspace.set(P.file("a.xml", P.policy("A")))
        #expect(workspace.families.chain("c.xml") == ["a.xml", "b.xml", "c.xml"])
        workspace.set(P.file("a.xml", P.policy("Z")))
        #expect(workspace.families.chain("c.xml") == ["b.xml", "c.xml"])
        workspace.set(P.file("b.xml", P.policy("B", base: "Z")))
        #expect(workspace.families.chain("c.xml") == ["a.xml", "b.xml", "c.xml"])
        workspace.remove("b.xml")
        #expect(workspace.families.chain("c.xml") == ["c.xml"])
        #expect(workspace.families.children("a.xml").isEmpty)
    }

    @Test(
        arguments: [
            "<TrustFrameworkPolicy PolicyId=\"\"><BasePolicy><PolicyId></PolicyId></BasePolicy>", "<Trust", "",
            "<TrustFrameworkPolicy PolicyId=\"B\"><BasePol",
        ])
    func `a policy that is broken right now keeps its place`(_ text: String) {
        var workspace = P.of(["a.xml": P.policy("A"), "b.xml": P.policy("B", base: "A")])
        workspace.set(P.file("b.xml", text))
        #expect(workspace.families.chain("b.xml") == ["a.xml", "b.xml"])
        #expect(workspace.families.policyID("b.xml") == "B")
        workspace.set(P.file("b.xml", P.policy("B")))
        #expect(workspace.families.chain("b.xml") == ["b.xml"])
    }

    @Test func `circles and deep chains end`() {
        var files = ["a.xml": P.policy("A", base: "B"), "b.xml": P.policy("B", base: "A")]
        files["self.xml"] = P.policy("S", base: "S")
        for level in 1...30 { files["l\(level).xml"] = P.policy("L\(level)", base: "L\(level - 1)") }
        let families = P.of(files).families
        #expect(families.chain("a.xml") == ["b.xml", "a.xml"])
        #expect(families.descendants("a.xml") == ["b.xml"])
        #expect(families.chain("self.xml") == ["self.xml"])
        #expect(families.chain("l30.xml").count == 10)
        #expect(families.descendants("l1.xml").count == 29)
    }

    @Test func `ids with the same placeholder are equal`() {
        let families = P.of([
            "a.xml": P.policy("{Settings:Prefix}_Base"), "b.xml": P.policy("B", base: "{settings:PREFIX}_base"),
        ]).families
        #expect(families.chain("b.xml") == ["a.xml", "b.xml"])
    }
}
