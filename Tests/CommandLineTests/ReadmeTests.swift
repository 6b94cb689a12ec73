import Foundation
import TestSupport
import Testing

/// The first five minutes as README.md tells them, with its own words typed in.
@Suite(.blocking) struct ReadmeTests {
    /// The code blocks of one language between two headings.
    private func blocks(_ language: String, from heading: String, to next: String) throws -> [String] {
        let text = String(decoding: try TestFiles.bytes("README.md"), as: UTF8.self)
        let start = try #require(text.range(of: heading))
        let end = try #require(text.range(of: next, range: start.upperBound..<text.endIndex))
        return text[start.upperBound..<end.lowerBound].components(separatedBy: "```\(language)\n").dropFirst().map {
            String($0.components(separatedBy: "\n```")[0])
        }
    }

    @Test func `the five-minute script works as typed`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let path = try #require(Tool.path)
        let shell = try blocks("sh", from: "## Your first script", to: "## Commands")
        let json = try blocks("json", from: "## Your first script", to: "## Commands")
        try #require(shell.count == 5 && json.count == 3)

        func type(_ lines: String, in folder: String = "demo") throws -> Tool.Outcome {
            try tool.shell("PATH='\((path as NSString).deletingLastPathComponent)':$PATH; cd ./\(folder)\n" + lines)
        }
        let first = try type(shell[0], in: "")
        #expect(first.status == 0 && first.out.contains("1 scenario in 1 file: 1 passed"), "\(first.out)\(first.error)")

        let failing = try type(shell[1])
        #expect(failing.status == 4)
        for line in [
            "      wanted \"Eve\"", "      found  \"Ada\"",
            "step signIn (acquireToken) at scenarios/first-sign-in.json:8",
        ] {
            #expect(failing.out.contains(line), "\(failing.out)")
        }

        #expect(try type(shell[2]).status == 0)
        let script = try tool.read("demo/scenarios/first-sign-in.json")
        #expect(script.contains(json[0].components(separatedBy: "\n")[3].trimmingCharacters(in: .whitespaces)))
        let end = try #require(script.range(of: "\n  ]\n", options: .backwards))
        func add(_ step: String) throws -> Tool.Outcome {
            let longer = script.replacingCharacters(in: end, with: ",\n\(step)\n  ]\n")
            try tool.write(longer, to: "demo/scenarios/first-sign-in.json")
            return try type("b2c run")
        }
        let forgotten = try add(json[1])
        #expect(forgotten.status == 4 && forgotten.out.contains("AADB2C90118"), "\(forgotten.out)\(forgotten.error)")

        #expect(try type(shell[3]).out.contains("forgotten password"))
        let expected = try add(String(json[1].dropLast(2)) + ",\n  " + json[2] + "\n}")
        #expect(expected.status == 0, "\(expected.out)\(expected.error)")

        let traced = try type(shell[4])
        #expect(traced.status == 0 && traced.out.contains("step 1 "), "\(traced.error)")
    }
}
