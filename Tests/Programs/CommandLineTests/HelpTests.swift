import TestSupport
import Testing

/// Help of every command, on a terminal of 80 columns.
@Suite(.blocking) struct HelpTests {
    /// Every command with its subcommands, as help lists them.
    private func commands(_ tool: Tool, below path: [String] = []) throws -> [[String]] {
        let help = try tool.run(path + ["--help"], environment: ["COLUMNS": "80"]).out
        // One list, or one for each group.
        let lists = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst()
        guard !lists.isEmpty else { return [path] }
        let names = lists.flatMap { list in
            list.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
                .compactMap { line in line.hasPrefix("    ") ? nil : line.split(separator: " ").first.map(String.init) }
        }
        #expect(!names.isEmpty)
        return try [path] + names.flatMap { try commands(tool, below: path + [$0]) }
    }

    @Test func `every help fits 80 columns and names b2c`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let all = try commands(tool)
        #expect(all.count > 20, "\(all)")
        for path in all {
            for flag in ["--help", "--help-all"] {
                let help = try tool.run(path + [flag], environment: ["COLUMNS": "80"])
                #expect(help.status == 0 && help.error.isEmpty, "\(path): \(help.error)")
                let wide = help.out.split(separator: "\n").filter { $0.count > 80 }
                #expect(wide.isEmpty, "\(path): \(wide.joined(separator: "\n"))")
                // What goes on in the first column is the end of an example that did not fit.
                let lines = help.out.split(separator: "\n", omittingEmptySubsequences: false)
                let broken = zip(lines, lines.dropFirst()).filter { line, next in
                    (line.hasPrefix("  b2c ") || line.hasPrefix("  curl ")) && !next.isEmpty && !next.hasPrefix("  ")
                }
                #expect(broken.isEmpty, "\(path): \(broken.map(\.0).joined(separator: "\n"))")
                #expect(help.out.contains("USAGE: b2c"), "\(path): \(help.out)")
            }
        }
    }

    @Test func `help of run begins with examples and the usual options`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let brief = try tool.run("run", "--help").out
        let whole = try tool.run("run", "--help-all").out
        func options(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.hasPrefix("  -") } }
        let head = brief.components(separatedBy: "\nUSAGE:")[0]
        #expect(head.split(separator: "\n").count { $0.hasPrefix("  b2c run") } == 3)
        #expect(options(brief).count == 10, "\(brief)")
        #expect(Set(options(brief)).isSubset(of: Set(options(whole))))
        #expect(options(whole).count > 50)
        #expect(
            brief.split(separator: "\n").last
                == "  b2c run --help-all      all options, with their environment variables")
        #expect(try tool.run("help", "run").out == brief)
        // Behind the mark it is an argument.
        #expect(try tool.run("run", "--", "--help-all").status == 2)
    }

    @Test func `usage in an error fits too`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        for arguments in [["policy", "show", "--nonsense"], ["serve", "--nonsense"], ["certificate", "nonsense"]] {
            let error = try tool.run(arguments, environment: ["COLUMNS": "80"]).error
            #expect(error.contains("Usage: b2c \(arguments[0])"), "\(error)")
            #expect(error.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(error)")
        }
    }
}
