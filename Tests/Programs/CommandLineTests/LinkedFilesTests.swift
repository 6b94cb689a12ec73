import Foundation
import TestSupport
import Testing

/// Links in a folder that somebody else made: what they lead to outside of it is not shown.
@Suite(.blocking) struct LinkedFilesTests {
    private static let secret = "secret-word of another"

    /// A folder `work` whose links lead to a file beside it.
    private func inFolder(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try tool.write(Self.secret + "\n", to: "other/target")
        try tool.write("{}", to: "work/empty.json")
        try tool.write(
            """
            { "name": "contoso", "policies": { "x": { "id": "B2C_1A_x", "type": "custom", "file": "x.xml" } } }
            """, to: "work/t.json")
        for name in ["link.json", "x.xml", "b2c-tenant.json"] {
            try FileManager.default.createSymbolicLink(
                atPath: tool.folder.appendingPathComponent("work/\(name)").path, withDestinationPath: "../other/target")
        }
        try body(tool)
    }

    @Test(arguments: [
        ("'B2C' check link.json", "link.json"), ("'B2C' check t.json", "x.xml"), ("'B2C' run t.json", ""),
        ("'B2C' policy list --tenant link.json", "link.json"), ("'B2C' validate link.json x.xml .", ""),
        ("'B2C' run --target link.json .", "link.json"), ("'B2C' policy trace --tenant t.json --policy x", "x.xml"),
        ("'SERVER' --port 0 --tenant link.json", "link.json"), ("'SERVER' --port 0 --tenant t.json", "x.xml"),
    ])
    func `a finding names the link and does not show its target`(command: String, link: String) throws {
        try inFolder { tool in
            let path = Tool.path ?? ""
            let server = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("mock-server")
                .path
            if command.contains("SERVER"), !Tool.hasServer { return }
            let run = try tool.shell(
                "cd work && " + command.replacing("SERVER", with: server).replacing("B2C", with: path))
            let said = run.out + run.error
            #expect(!said.contains("secret"), "\(said)")
            if !link.isEmpty {
                #expect(run.status != 0 && said.contains("\(link) is a link to"), "\(said)")
                #expect(said.contains("other/target, outside"), "\(said)")
            }
        }
    }

    /// From above, the file is one of those that the person works with.
    @Test func `lines of a link within the current folder are shown`() throws {
        try inFolder { tool in
            let run = try tool.run("check", "work/link.json")
            #expect(run.status == 2 && run.error.contains(Self.secret), "\(run.error)")
        }
    }
}
