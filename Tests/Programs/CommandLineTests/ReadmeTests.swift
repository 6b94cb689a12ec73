import Foundation
import JSON
import TestSupport
import Testing

/// README.md and the guides, with their own words typed in.
///
/// A page is worked through from top to bottom in one empty folder:
///
/// - A block of code after `<!-- file: PATH -->` is written to that file.
/// - `<!-- copy: PATH to FOLDER -->` copies a folder of this repository.
/// - In a `console` block the lines that begin with `$ ` are typed into one shell, and each prints the lines below it,
///   in that order; `...` stands for lines that the page omits.
@Suite(.blocking) struct ReadmeTests {
    static let pages: [String] = {
        let folder = TestFiles.root().appendingPathComponent("docs").path
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".md")
        }
        let guides = names.sorted().map { "docs/\($0)" }
        return (["README.md"] + guides).filter { page in
            (try? TestFiles.bytes(page)).map { String(decoding: $0, as: UTF8.self).contains("```console") } ?? false
        }
    }()

    /// What a page asks for, in its order.
    enum Part {
        case file(path: String, text: String)
        case copy(from: String, to: String)
        case console([(command: String, shown: [String])])
    }

    /// The parts of a page that something is done with.
    static func parts(of page: String) throws -> [Part] {
        let text = String(decoding: try TestFiles.bytes(page), as: UTF8.self)
        var parts: [Part] = []
        var file: String?
        var block: (language: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if let open = block {
                guard line == "```" else {
                    block?.lines.append(line)
                    continue
                }
                block = nil
                if let path = file {
                    parts.append(.file(path: path, text: open.lines.joined(separator: "\n") + "\n"))
                    file = nil
                } else if open.language == "console" {
                    parts.append(.console(commands(open.lines)))
                }
            } else if line.hasPrefix("```") {
                block = (String(line.dropFirst(3)), [])
            } else if let match = line.wholeMatch(of: /<!-- file: (\S+) -->/) {
                file = String(match.1)
            } else if let match = line.wholeMatch(of: /<!-- copy: (\S+) to (\S+) -->/) {
                parts.append(.copy(from: String(match.1), to: String(match.2)))
            }
        }
        #expect(file == nil && block == nil, "\(page) ends within a block")
        return parts
    }

    private static func commands(_ lines: [String]) -> [(command: String, shown: [String])] {
        var list: [(command: String, shown: [String])] = []
        for line in lines {
            if line.hasPrefix("$ ") {
                list.append((String(line.dropFirst(2)), []))
            } else if !list.isEmpty, !line.isEmpty, line.trimmingCharacters(in: .whitespaces) != "..." {
                list[list.count - 1].shown.append(line)
            }
        }
        return list
    }

    /// Seeds are drawn when none is given, and wall time differs.
    private static func withoutChance(_ text: String) -> String {
        text.replacing(/seed [0-9]+/, with: "seed N").replacing(/, [0-9.]+ s\)/, with: ")")
    }

    @Test(arguments: pages) func `a page works as typed`(_ page: String) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let program = try #require(Tool.path)
        let path = (program as NSString).deletingLastPathComponent
        let parts = try Self.parts(of: page)
        try #require(!parts.isEmpty)
        for part in parts {
            switch part {
            case .file(let path, let text): try tool.write(text, to: path)
            case .copy(let source, let name):
                try FileManager.default.copyItem(
                    at: TestFiles.root().appendingPathComponent(source), to: tool.folder.appendingPathComponent(name))
            case .console(let commands):
                for (command, shown) in commands {
                    // The shell's folder is kept from block to block, as for a reader who reads on.
                    let outcome = try tool.shell(
                        """
                        PATH='\(path)':$PATH; here=$PWD; if [ -f .folder ]; then cd "$(cat .folder)"; fi
                        exec 2>&1
                        \(command)
                        status=$?; pwd > "$here/.folder"; exit $status
                        """)
                    if shown.isEmpty { #expect(outcome.status == 0, "\(page): `\(command)`\n\(outcome.out)") }
                    var rest = Self.withoutChance(outcome.out).components(separatedBy: "\n")[...]
                    for line in shown.map(Self.withoutChance) {
                        // What a page shows of a line may end earlier.
                        let place = rest.firstIndex {
                            $0 == line || line.hasSuffix("...") && $0.hasPrefix(line.dropLast(3))
                        }
                        guard let place else {
                            Issue.record("\(page): `\(command)` does not print\n\(line)\nbut\n\(outcome.out)")
                            break
                        }
                        rest = rest[rest.index(after: place)...]
                    }
                }
            }
        }
    }

    /// Scripts and tenant files that documents show are run, or at least checked, by the test above: a block with all that a
    /// script needs has a file name.
    @Test func `every whole script of the documents is run`() throws {
        let documents = TestFiles.root().appendingPathComponent("docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: documents.path).filter { $0.hasSuffix(".md") }
        // docs/reproduce.md is run by SeedsTests.
        let others = names.map { "docs/\($0)" }.filter { !Self.pages.contains($0) && $0 != "docs/reproduce.md" }
        for page in others {
            let text = String(decoding: try TestFiles.bytes(page), as: UTF8.self)
            for block in text.components(separatedBy: "```json\n").dropFirst() {
                let code = block.components(separatedBy: "\n```")[0]
                let value = try? JSONParser.parse(Array(code.utf8))
                #expect(value?["steps"] == nil || value?["tenant"] == nil, "\(page) shows a script that nothing runs")
            }
        }
        for page in Self.pages {
            let files = try Self.parts(of: page).compactMap { part -> String? in
                if case .file(_, let text) = part { text } else { nil }
            }
            let text = String(decoding: try TestFiles.bytes(page), as: UTF8.self)
            for block in text.components(separatedBy: "```json\n").dropFirst() {
                let code = block.components(separatedBy: "\n```")[0]
                let value = try? JSONParser.parse(Array(code.utf8))
                guard value?["name"] != nil, value?["steps"] ?? value?["policies"] != nil else { continue }
                #expect(files.contains(code + "\n"), "\(page) shows a file that nothing runs: \(code.prefix(80))")
            }
        }
    }

    @Test func `the README is short, and its picture shows what it quotes`() throws {
        let text = String(decoding: try TestFiles.bytes("README.md"), as: UTF8.self)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
        let picture = String(decoding: try TestFiles.bytes("docs/images/terminal.svg"), as: UTF8.self)
        let pieces = picture.matches(of: />([^<]+)<\/tspan>/).map {
            $0.1.replacing("&quot;", with: "\"").replacing("&#x27;", with: "'").replacing("&gt;", with: ">")
        }
        #expect(pieces.count > 10)
        for piece in pieces { #expect(text.contains(piece), "the picture shows \(piece)") }
    }

    /// Links between documents, with the headings that they name.
    @Test func `links of the documents lead somewhere`() throws {
        let root = TestFiles.root()
        let folder = root.appendingPathComponent("docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        var seen = 0
        for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] + names.map({ "docs/\($0)" }) {
            let text = String(decoding: try TestFiles.bytes(page), as: UTF8.self)
            for match in text.matches(of: /\]\(([^)\s]+)\)/) {
                let link = String(match.1)
                guard !link.contains("://") else { continue }
                seen += 1
                let pieces = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let base = root.appendingPathComponent(page)
                let file =
                    pieces[0].isEmpty ? base : base.deletingLastPathComponent().appendingPathComponent(pieces[0])
                #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(link)")
                guard pieces.count == 2, file.pathExtension == "md" else { continue }
                let target = try String(contentsOf: file, encoding: .utf8)
                let anchors = target.split(separator: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
                #expect(anchors.contains(pieces[1]), "\(page): \(link)")
            }
        }
        #expect(seen > 300)
    }

    /// The name by which GitHub links to a heading.
    private static func anchor(_ heading: Substring) -> String {
        String(
            heading.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { letter -> Character? in
                if letter == " " { return "-" }
                return letter.isLetter || letter.isNumber || letter == "-" || letter == "_" ? letter : nil
            })
    }
}
