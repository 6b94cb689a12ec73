import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy build`.
@Suite(.blocking) struct PolicyBuildCommandTests {
    private static func policy(_ id: String, base: String? = nil, more: String = "") -> String {
        let parent = base.map {
            "<BasePolicy><TenantId>{Settings:Tenant}</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>"
        }
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
              PolicySchemaVersion="0.3.0.0" TenantId="{Settings:Tenant}" PolicyId="\(id)"
              PublicPolicyUri="http://{Settings:Tenant}/\(id)"\(more)>\(parent ?? "")</TrustFrameworkPolicy>

            """
    }

    private func started(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.policy("B2C_1A_Child", base: "B2C_1A_Base"), to: "policies/A.xml")
        try tool.write("\u{FEFF}" + Self.policy("B2C_1A_Base"), to: "policies/B.xml")
        try tool.write("<other/>", to: "policies/other.xml")
        try tool.write(
            """
            {"Environments": [{"Name": "Test", "Tenant": "contoso.onmicrosoft.com", "PolicySettings": {}},
              {"Name": "Live", "Tenant": "fabrikam.onmicrosoft.com", "PolicySettings": {}}]}
            """, to: "policies/appsettings.json")
        try body(tool)
    }

    private func names(_ tool: Tool, _ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.appendingPathComponent(folder).path).sorted()
    }

    @Test func `a folder is built for an environment`() throws {
        try started { tool in
            let run = try tool.run("policy", "build", "policies", "--environment", "Live", "--output", "out/Live")
            #expect(run.status == 0, "\(run.error)")
            #expect(run.error.isEmpty)
            #expect(
                run.out == """
                    ORDER  ID            FILE   PARENT
                    1      B2C_1A_Base   B.xml
                    2      B2C_1A_Child  A.xml  B2C_1A_Base
                    wrote 2 policies to out/Live

                    """)
            #expect(try names(tool, "out/Live") == ["A.xml", "B.xml"])
            let base = try tool.read("out/Live/B.xml")
            #expect(base == Self.policy("B2C_1A_Base").replacing("{Settings:Tenant}", with: "fabrikam.onmicrosoft.com"))
            #expect(try names(tool, "policies") == ["A.xml", "B.xml", "appsettings.json", "other.xml"])
            let again = try tool.run("policy", "build", "policies", "--environment", "Test", "--output", "out/Live")
            #expect(again.status == 0, "\(again.error)")
            #expect(try tool.read("out/Live/B.xml").contains("contoso.onmicrosoft.com"))
        }
    }

    @Test func `pipelines read the order as JSON`() throws {
        try started { tool in
            let run = try tool.run("policy", "build", "policies", "--output", "out", "--json")
            #expect(run.status == 0, "\(run.error)")
            let json = try JSONParser.parse(run.out)
            #expect(json["environment"] == "Test")
            #expect(json["tenant"] == "contoso.onmicrosoft.com")
            #expect(json["policies"]?[0]?["id"] == "B2C_1A_Base")
            #expect(json["policies"]?[0]?["parent"] == .null)
            #expect(json["policies"]?[1]?["order"] == 2)
            #expect(json["policies"]?[1]?["file"] == "A.xml")
            #expect(json["policies"]?[1]?["parent"] == "B2C_1A_Base")
            #expect(json["policies"]?[1]?["digest"]?.stringValue?.hasPrefix("sha256:") == true)
        }
    }

    @Test func `nothing is written when something is missing`() throws {
        try started { tool in
            try tool.write(Self.policy("B2C_1A_{Settings:Nme}"), to: "policies/C.xml")
            let run = try tool.run("policy", "build", "policies", "--output", "out")
            #expect(run.status == 2)
            #expect(run.error.contains("policies/C.xml:2:"), "\(run.error)")
            #expect(run.error.contains("{Settings:Nme} has no value in environment Test"))
            #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("out").path))
        }
    }

    @Test func `production refuses development mode`() throws {
        try started { tool in
            try tool.write(Self.policy("B2C_1A_C", more: " DeploymentMode=\"Development\""), to: "policies/C.xml")
            let run = try tool.run("policy", "build", "policies", "--output", "out", "--production")
            #expect(run.status == 2)
            #expect(run.error.contains("DeploymentMode is Development"))
            #expect(try tool.run("policy", "build", "policies", "--output", "out").status == 0)
        }
    }

    @Test func `files of somebody else are not touched`() throws {
        try started { tool in
            try tool.write("<mine/>", to: "out/Mine.xml")
            let refused = try tool.run("policy", "build", "policies", "--output", "out")
            #expect(refused.status == 1)
            #expect(refused.error.contains("out/Mine.xml is not from a build of these policies"))
            #expect(try names(tool, "out") == ["Mine.xml"])
            let forced = try tool.run("policy", "build", "policies", "--output", "out", "--force")
            #expect(forced.status == 0, "\(forced.error)")
            #expect(try names(tool, "out") == ["A.xml", "B.xml", "Mine.xml"])
            #expect(try tool.read("out/Mine.xml") == "<mine/>")
            for arguments in [[], ["--force"]] {
                let same = try tool.run(
                    ["policy", "build", "policies", "--output", "policies/../policies"] + arguments)
                #expect(same.status == 1)
                #expect(same.error.contains("has the source files"))
            }
        }
    }

    @Test(arguments: [
        (["nowhere", "--output", "out"], "there is no folder nowhere", 1),
        (["policies", "--output", "out", "--environment", "Tset"], "there is no environment \"Tset\"", 2),
        (["policies", "--output", "policies/A.xml"], "is not a folder", 1),
        (["empty", "--output", "out"], "empty has no policy files", 1),
        (["policies", "--output", "out", "--settings", "none.json"], "there is no settings file none.json", 2),
    ])
    func `bad arguments are one sentence`(_ arguments: [String], _ words: String, _ status: Int32) throws {
        try started { tool in
            try tool.write("", to: "empty/readme.txt")
            let run = try tool.run(["policy", "build"] + arguments)
            #expect(run.status == status)
            #expect(run.error.contains(words), "\(run.error)")
        }
    }
}
