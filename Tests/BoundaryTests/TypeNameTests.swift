import Testing

/// One name, one type. A reader who meets a name again in another module takes it for the type that they know.
struct TypeNameTests {
    /// The names that more than one declaration has, each with the modules of those. The list only gets shorter: rename
    /// one of the types and remove the line.
    private static let known: [String] = []

    private static let keywords: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "open", "final", "indirect", "nonisolated",
    ]

    /// The name that a line declares, if it declares a type.
    private static func name(declaredBy line: Substring) -> String? {
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        guard let keyword = words.first, keywords.contains(keyword), let name = words.dropFirst().first else {
            return nil
        }
        return String(name.drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    /// The types that a file declares outside of other types. The formatter writes these at the margin, and inside of `#if`
    /// four columns from it.
    private static func names(in lines: [String]) -> [String] {
        var names: [String] = []
        var conditions = 0
        var isText = false
        for line in lines {
            if isText {
                isText = !line.hasPrefix("\"\"\"")
                continue
            }
            let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            guard indent == 0 || indent == 4 && conditions > 0 else { continue }
            if line.hasPrefix("#if") { conditions += 1 }
            if line.hasPrefix("#endif") { conditions -= 1 }
            // The text of a string that a declaration at the margin holds.
            if indent == 0, line.hasSuffix("\"\"\""), !line.hasPrefix("\"\"\"") { isText = true }
            if let name = name(declaredBy: line.dropFirst(indent)) { names.append(name) }
        }
        return names
    }

    @Test(arguments: [
        (text: "public struct A {\n    struct B {}\n}", names: ["A"]),
        (
            text: "@main struct A {}\nprivate final class B: A {}\nindirect enum C<T> {}\ntypealias D = A",
            names: ["A", "B", "C", "D"]
        ),
        (text: "#if os(Linux)\n    actor A {}\n#endif\n    actor B {}", names: ["A"]),
        (text: "let a = \"\"\"\nstruct A {\n\"\"\"\nprotocol B {}", names: ["B"]),
        (text: "extension A {}\nfunc structure() {}\nlet classes = 1", names: []),
    ])
    func `declarations at the top are found`(_ example: (text: String, names: [String])) {
        let lines = example.text.split(separator: "\n").map(String.init)
        #expect(Self.names(in: lines) == example.names)
    }

    @Test func `no two types have the same name`() {
        var modules: [String: [String]] = [:]
        for source in Boundaries.sources {
            for name in Self.names(in: source.code.map(\.line)) { modules[name, default: []].append(source.module) }
        }
        #expect(modules.count > 1000)
        let found = modules.filter { $0.value.count > 1 }
            .map { "\($0.key): \($0.value.sorted().joined(separator: ", "))" }.sorted()
        #expect(found.filter { !Self.known.contains($0) } == [], "another type has this name: choose another one")
        #expect(Self.known.filter { !found.contains($0) } == [], "only one type has this name now: remove the line")
        #expect(Self.known == Self.known.sorted())
    }
}
