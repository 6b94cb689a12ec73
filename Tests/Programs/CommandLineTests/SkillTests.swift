import Foundation
import JSON
import TestSupport
import Testing

/// docs/skill: each command, option, rule and file that the skill names exists, and each evaluation has the results that
/// it states.
@Suite(.blocking) struct SkillTests {
    private static let folder = "docs/skill"
    private static let pages = [
        "SKILL.md", "references/scenarios.md", "references/policies.md", "references/errors.md",
        "references/release.md",
    ]

    private static func text(_ page: String) throws -> String {
        String(decoding: try TestFiles.bytes("\(folder)/\(page)"), as: UTF8.self)
    }

    private static func evaluations() throws -> [JSONValue] {
        try JSONParser.parse(try TestFiles.bytes("\(folder)/evaluations.json"))["evaluations"]?.arrayValue ?? []
    }

    @Test func `the skill is short, has a name and a description, and its links lead somewhere`() throws {
        let skill = try Self.text("SKILL.md")
        let lines = skill.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 150 && lines.first == "---")
        let front = lines.dropFirst().prefix { $0 != "---" }
        #expect(front.map { $0.prefix { $0 != ":" } } == ["name", "description", "license"])
        #expect(front.first == "name: b2c" && front.allSatisfy { $0.count < 1_000 })
        for page in Self.pages {
            let base = TestFiles.root().appendingPathComponent("\(Self.folder)/\(page)").deletingLastPathComponent()
            for link in try Self.text(page).matches(of: /\]\(([^)\s]+)\)/) {
                let file = base.appendingPathComponent(String(link.1))
                #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(link.1)")
            }
            #expect(page == "SKILL.md" || skill.contains("](\(page))"), "SKILL.md does not link to \(page)")
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: TestFiles.root().appendingPathComponent("\(Self.folder)/references").path)
        #expect(Set(names.map { "references/\($0)" }) == Set(Self.pages.dropFirst()))
    }

    /// Commands of blocks and of inline code.
    private static func commands() throws -> Set<String> {
        var commands: Set<String> = []
        for page in pages {
            for match in try text(page).matches(of: /(?m)(?:^ *|`)(b2c [^`\n]+)/) {
                commands.insert(match.1.replacing(/\s+#.*$/, with: "").trimmingCharacters(in: .whitespaces))
            }
        }
        return commands
    }

    @Test func `every command and option of the skill exists`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let commands = try Self.commands()
        #expect(commands.count > 50)
        var helps: [[String]: String] = [:]
        for command in commands {
            let words = command.split(separator: " ").dropFirst().map(String.init)
            guard words.first != "COMMAND" else { continue }
            // As many words as are the name of a command: `policy explore` of `policy explore policies`.
            var (path, help): ([String], String) = ([], "")
            for word in words.prefix(3) {
                let longer = path + [word]
                if helps[longer] == nil { helps[longer] = try Self.help(longer, tool) }
                guard let found = helps[longer], !found.isEmpty else { break }
                (path, help) = (longer, found)
            }
            #expect(!help.isEmpty && !help.contains("SUBCOMMANDS:"), "b2c has no such command: \(command)")
            // Text in quotes has no options.
            let plain = command.replacing(/'[^']*'|"[^"]*"/, with: "")
            for option in plain.matches(of: /(?:^| )(--?[a-z][a-z-]*)/) {
                #expect(
                    help.contains(try Regex("(^|[ ,\\[/])\(option.1)([ ,\\]/=\n]|$)")), "\(command): \(option.1)")
            }
        }
    }

    /// The whole help of a command; empty if there is no such command.
    private static func help(_ path: [String], _ tool: Tool) throws -> String {
        let help = try tool.run(path + ["--help"])
        guard help.status == 0, help.out.contains("USAGE: b2c \(path.joined(separator: " "))") else { return "" }
        return help.out + (try tool.run(path + ["--help-all"]).out)
    }

    @Test func `every rule and code of the skill is explained`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        var names: Set<String> = []
        for page in Self.pages + ["evaluations.json"] {
            for match in try Self.text(page).matches(of: /B2C-[A-Z]+-[0-9]{3}|AADB2C[0-9]{5}/) {
                names.insert(String(match.0))
            }
        }
        #expect(names.count > 20)
        for name in names {
            let outcome = try tool.run("explain", name)
            #expect(outcome.status == 0 && outcome.out.hasPrefix(name), "\(name): \(outcome.out)\(outcome.error)")
        }
    }

    @Test func `ten evaluations name what a good answer has`() throws {
        let evaluations = try Self.evaluations()
        #expect(evaluations.count == 10)
        #expect(Set(evaluations.compactMap { $0["id"]?.stringValue }).count == 10)
        for evaluation in evaluations {
            let id = try #require(evaluation["id"]?.stringValue)
            let expected = (evaluation["expected"]?.arrayValue ?? []).compactMap(\.stringValue)
            #expect(!expected.isEmpty, "\(id)")
            #expect(evaluation["task"]?.stringValue?.isEmpty == false, "\(id)")
        }
    }

    @Test(arguments: 0..<10) func `the commands of an evaluation print what it expects`(_ number: Int) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let evaluation = try #require(try Self.evaluations().dropFirst(number).first)
        let id = evaluation["id"]?.stringValue ?? ""
        for (path, file) in evaluation["files"]?.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
            try tool.write(try Self.contents(of: file), to: path)
        }
        let path = (try #require(Tool.path) as NSString).deletingLastPathComponent
        var printed = ""
        for check in evaluation["checks"]?.arrayValue ?? [] {
            let command = try #require(check["run"]?.stringValue)
            let outcome = try tool.shell("PATH='\(path)':$PATH; exec 2>&1\n\(command)")
            #expect(.integer(Int64(outcome.status)) == check["status"], "\(id): \(command)\n\(outcome.out)")
            for text in (check["prints"]?.arrayValue ?? []).compactMap(\.stringValue) {
                #expect(outcome.out.contains(text), "\(id): \(command) does not print \(text), but\n\(outcome.out)")
            }
            printed += outcome.out
        }
        for text in (evaluation["expected"]?.arrayValue ?? []).compactMap(\.stringValue) {
            #expect(printed.contains(text), "\(id): no command prints \(text)")
        }
    }

    /// A text, or a file of the repository with texts replaced, each of which occurs.
    private static func contents(of file: JSONValue) throws -> String {
        if let text = file["text"]?.stringValue { return text }
        let copied = try #require(file["copy"]?.stringValue)
        var text = String(decoding: try TestFiles.bytes(copied), as: UTF8.self)
        for pair in file["replace"]?.arrayValue ?? [] {
            let (old, new) = (try #require(pair[0]?.stringValue), try #require(pair[1]?.stringValue))
            try #require(text.contains(old), "\(copied) has no \(old)")
            text = text.replacing(old, with: new)
        }
        return text
    }
}
