import Foundation
import Testing

/// ARCHITECTURE.md orders the modules, Package.swift says what each may use, and the sources use that and nothing else.
/// A dependency that nobody imports makes a module wait for another one, and lets the order decay without a sign.
struct ModuleTests {
    /// The modules of ARCHITECTURE.md's table, lowest first.
    private static let order: [String] = {
        let page = Boundaries.text("ARCHITECTURE.md").split(separator: "\n")
        let section = page.drop { $0 != "## Modules" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.flatMap { row in
            row.dropFirst(2).prefix { $0 != "|" }.matches(of: /`(\w+)`/).map { String($0.1) }
        }
    }()

    private static let modules = Manifest.package.targets.filter(\.isModule)

    @Test func `the targets are found`() {
        #expect(Self.modules.count > 20)
        #expect(Manifest.package.targets.count > 50)
        #expect(Self.order.count > 20)
        let empty = Manifest.package.targets.filter { Boundaries.imported(in: $0.folder).isEmpty }.map(\.name)
        // They are C.
        let written = empty.filter { !["CAssets", "CCrypto", "CDocuments", "CLibcurl"].contains($0) }
        #expect(written == [], "no file of these targets imports anything")
    }

    @Test func `the page lists every module once`() {
        let modules = Self.modules.map(\.name) + Manifest.package.systemLibraries
        #expect(Self.order.sorted() == modules.sorted())
    }

    @Test func `Package swift has the order of the page`() {
        // Those that Package.swift does not write as `module(...)` follow: programs, and what only one of them uses.
        let names = Self.modules.map(\.name).filter { Manifest.package.names.contains("\($0)Tests") }
        let listed = names.filter { $0 != "MockServer" }
        #expect(listed == Self.order.filter { listed.contains($0) })
    }

    /// A module imports what is above it in the page's table, and never what is below.
    @Test func `a module imports lower modules only`() {
        let rank = Dictionary(Self.order.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let wrong = Boundaries.imports.filter { line in
            guard let own = rank[line.source.module], let used = rank[line.module] else { return false }
            return used >= own
        }
        #expect(wrong.map { "\($0.source.path):\($0.number): \($0.source.module) imports \($0.module)" } == [])
        let declared = Self.modules.flatMap { target in
            target.dependencies.filter { (rank[$0] ?? -1) >= (rank[target.name] ?? 0) }.map { "\(target.name): \($0)" }
        }
        #expect(declared == [], "Package.swift declares a dependency on a higher module")
    }

    @Test(arguments: Manifest.package.targets.map(\.name))
    func `a target declares what it imports and nothing else`(_ name: String) throws {
        let target = try #require(Manifest.package.targets.first { $0.name == name })
        // Modules of the system and of the toolchain need no line in Package.swift.
        let known = Set(Manifest.package.names + Manifest.package.targets.flatMap(\.dependencies))
        let imported = Boundaries.imported(in: target.folder).union(Boundaries.included(in: target.folder))
        let used = imported.intersection(known).subtracting([name])
        let declared = Set(target.dependencies)
        #expect(
            declared.subtracting(used).sorted() == [],
            "no file of \(target.folder) imports these: remove them from \(name) in Package.swift")
        #expect(
            used.subtracting(declared).sorted() == [],
            "\(target.folder) imports these: add them to \(name) in Package.swift")
        #expect(declared.count == target.dependencies.count, "Package.swift names a dependency of \(name) twice")
    }
}
