import Foundation
import Testing

/// Package.swift names what the tests of a module import, and nothing else: tests that wait for modules which they do not use
/// are compiled last, and one that uses an undeclared module builds only by luck.
struct TestDependencyTests {
    private static let manifest: String = {
        let file = Boundaries.root.appendingPathComponent("Package.swift")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// The calls of `module`: name of the module to what its tests use.
    private static let declared: [String: Set<String>] = {
        var found: [String: Set<String>] = [:]
        for call in manifest.split(separator: "\n    module(").dropFirst() {
            guard let name = call.firstMatch(of: /^\s*"(\w+)"/)?.1,
                let list = call.firstMatch(of: /tests:\s*\[([^\]]*)\]/)?.1
            else { continue }
            found[String(name)] = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
        }
        return found
    }()

    private static func imports(of module: String) -> Set<String> {
        let folder = Boundaries.root.appendingPathComponent("Tests/\(module)Tests")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let texts = names.filter { $0.hasSuffix(".swift") }.compactMap {
            try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        return Set(texts.flatMap { $0.matches(of: /(?m)^(?:@testable )?import (\w+)$/).map { String($0.1) } })
    }

    @Test func `the modules are found`() {
        #expect(Self.declared.count > 20)
    }

    @Test(arguments: declared.keys.sorted())
    func `tests declare what they import`(_ module: String) {
        let known = Set(Self.declared.keys).union(["TestSupport"])
        let used = Self.imports(of: module).intersection(known).subtracting([module])
        #expect(Self.declared[module] == used)
    }
}
