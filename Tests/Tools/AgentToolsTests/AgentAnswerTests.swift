import CommandKit
import Diagnostics
import JSON
import ModelContext
import Testing

@testable import AgentTools

/// What all answers have in common, and where tools may look.
struct AgentAnswerTests {
    @Test(arguments: ["../outside", "/etc", "policies/../../outside", "link/secret.xml", "link"])
    func `a path outside of the root is refused`(_ path: String) async throws {
        let world = try AgentWorld("Base", "Loyalty")
        let other = try AgentWorld("Base")
        try other.save("secret.xml", "<TrustFrameworkPolicy />")
        _ = await Subprocess.output(of: ["ln", "-s", other.root, FilePath.join(world.root, "link")], isQuiet: true)
        let answer = await world.call(PolicyCheckTool.tool, ["folder": .string(path)])
        #expect(answer.isError && answer.verdict.contains("outside of the root folder"), "\(answer.verdict)")
    }

    @Test(arguments: ["policies", "./policies/", "other/../policies", "none/yet.json", "."])
    func `a path inside is seen from the working folder`(_ path: String) throws {
        let world = try AgentWorld("Base")
        let found = try world.context.workspace.path(path)
        let whole = FilePath.normalised(FilePath.join(world.root, path))
        #expect(FilePath.normalised(FilePath.absolute(found)) == whole)
        #expect(try world.context.workspace.path(whole) == found)
    }

    @Test func `a long answer is cut and links to the whole`() async throws {
        let reports = AgentReports()
        let lines = (0..<2000).map { JSONValue.string("line \($0)") }
        let answer = await AgentAnswer.of(reports) {
            AgentAnswer("Many lines.", ["few": ["a", "b"], "many": .array(lines)])
        }
        #expect(JSONWriter.compact(answer.json).utf8.count <= AgentAnswer.limit)
        #expect(answer.structured["cut"] == true && answer.structured["few"] == ["a", "b"])
        let uri = try #require(answer.links.first?.uri)
        #expect(answer.structured["report"] == .string(uri))
        #expect(reports.read(uri)?.text.contains("line 1999") == true)
        #expect(reports.resources.map(\.uri) == [uri])
    }

    @Test func `only the last reports are kept`() {
        let reports = AgentReports()
        let uris = (0...AgentReports.most).map { reports.keep(AgentReports.Report(title: "\($0)", text: "{}")) }
        #expect(reports.read(uris[0]) == nil && reports.read(uris[1])?.text == "{}")
        #expect(reports.resources.count == AgentReports.most)
    }

    @Test(arguments: [
        (error: AgentRefusal("there is no folder x") as any Error & Sendable, verdict: "there is no folder x."),
        (Failure.usage("name one by --policy"), "name one by `policy`."),
        (
            InvalidInput(Diagnostic(rule: "B2C-X", "it is wrong")),
            "The files have 1 error. Fix what the findings say, and call again."
        ),
        (CancellationError(), "the call was cancelled."),
    ])
    func `what keeps a tool from its work is an error in its words`(
        _ row: (error: any Error & Sendable, verdict: String)
    ) async {
        let answer = await AgentAnswer.of(AgentReports()) { throw row.error }
        #expect(answer.isError && answer.verdict == row.verdict)
    }
}
