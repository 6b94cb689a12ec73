import Foundation
import Testing

/// ARCHITECTURE.md names files and what is declared in them: both must exist, so that a newcomer can follow it.
struct ArchitectureTests {
    private static let page = Boundaries.text("ARCHITECTURE.md")

    @Test func `every linked file exists`() {
        let links = Self.page.matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }
        #expect(links.count > 40)
        let missing = links.filter {
            !FileManager.default.fileExists(atPath: Boundaries.root.appendingPathComponent($0).path)
        }
        #expect(missing == [])
    }

    @Test func `every path in code style exists`() {
        let paths = Self.page.matches(of: /`((?:Sources|Tests|docs|scenarios|mock-server)\/?[^`\s]*)`/).map {
            String($0.1)
        }
        #expect(paths.count > 8)
        let missing = paths.filter { path in
            path != "mock-server"
                && !FileManager.default.fileExists(atPath: Boundaries.root.appendingPathComponent(path).path)
        }
        #expect(missing == [])
    }

    /// A name in code style before a link, as in `` `advance` ([Journey.swift](Sources/...)) ``, is declared in that file.
    @Test func `every name is declared in its file`() throws {
        let names = Self.page.matches(of: /`(\w+)` \(\[[^\]]+\]\(([^)]+)\)/)
        #expect(names.count > 40)
        for match in names {
            let (name, path) = (String(match.1), String(match.2))
            let declaration = try Regex("\\b(func|struct|enum|class|actor|protocol|extension) `?\(name)\\b")
            let declares = Boundaries.text(path).contains(declaration)
            #expect(declares, "\(name) is not declared in \(path)")
        }
    }
}
