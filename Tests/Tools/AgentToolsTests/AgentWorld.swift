import CommandKit
import JSON
import ModelContext
import TestSupport
import Testing

@testable import AgentTools

/// A root folder with sample policies in `policies`, and what the tools of a server with this root answer.
final class AgentWorld: Sendable {
    let root: String
    let context: AgentContext

    /// - Parameter names: Files of `scenarios/policies`, without ending.
    init(_ names: String...) throws {
        let folder = try #require(Machine.makeTemporaryFolder())
        root = try #require(FileSystem.real(folder))
        context = AgentContext(
            workspace: AgentWorkspace(root: root, allowsLive: false), reports: AgentReports(), clock: Machine.clock)
        for name in names {
            try save(
                "policies/\(name).xml",
                String(decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self))
        }
    }

    deinit { FileSystem.removeFolder(root) }

    func save(_ path: String, _ text: String) throws {
        let whole = FilePath.join(root, path)
        try FileSystem.makeFolder(FilePath.folder(whole))
        try FileSystem.write(Array(text.utf8), to: whole)
    }

    func text(_ path: String) throws -> String {
        String(decoding: try FileSystem.read(FilePath.join(root, path)), as: UTF8.self)
    }

    /// Changes a file, and returns the line of the change, from 1.
    @discardableResult
    func replace(_ find: String, with replacement: String, in path: String) throws -> Int {
        let text = try text(path)
        let range = try #require(text.firstRange(of: find), "\(path) has no \(find)")
        try save(path, text.replacingCharacters(in: range, with: replacement))
        return text[..<range.lowerBound].count(where: \.isNewline) + 1
    }

    /// Calls a tool. Arguments and answer must fit its schemas.
    func call(_ make: (AgentContext) -> ContextTool, _ arguments: JSONObject) async -> ContextAnswer {
        let tool = make(context)
        #expect(ContextSchema.problems(of: .object(arguments), in: tool.input) == [])
        let answer = await tool.call(arguments, ContextCall())
        #expect(ContextSchema.problems(of: .object(answer.structured), in: tool.output) == [])
        return answer
    }

    /// An answer before it was cut.
    func whole(_ answer: ContextAnswer) -> JSONValue {
        guard answer.structured["cut"] == true, let uri = answer.structured["report"]?.stringValue,
            let report = context.reports.read(uri), let json = try? JSONParser.parse(report.text)
        else { return answer.json }
        return json
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

extension ContextAnswer {
    var verdict: String { structured["verdict"]?.stringValue ?? "" }
    var json: JSONValue { .object(structured) }

    func list(_ name: String) -> [JSONValue] { structured[name]?.arrayValue ?? [] }
}
