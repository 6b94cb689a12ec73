import Foundation
import Testing

/// The rules that keep the design's promises, read off the sources themselves: which module may import which, and which
/// calls would let the wall clock or the system's randomness into a run that must be reproducible.
struct Boundaries {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file of the product.
    struct Source {
        var module: String
        var path: String
        /// Its lines without comments, so that a rule may be named in prose.
        var code: [(number: Int, line: String)]
    }

    /// Every Swift file, in a stable order.
    static let sources: [Source] = {
        let base = root.appendingPathComponent("Sources")
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
            guard let text = try? String(contentsOf: base.appendingPathComponent(name), encoding: .utf8) else {
                return nil
            }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.element.drop(while: { $0 == " " }).hasPrefix("//") }
            return Source(
                module: String(name.prefix { $0 != "/" }), path: "Sources/\(name)",
                code: lines.map { ($0.offset + 1, String($0.element)) })
        }
    }()

    /// The lines with `import` as a word, which are few.
    static let imports = sources.flatMap { source in
        source.code.filter { $0.line.utf8.contains(UInt8(ascii: "i")) && $0.line.contains("import") }
            .map { (source: source, number: $0.number, words: $0.line.split(separator: " ")) }
            .filter { $0.words.contains("import") }
    }

    @Test func `the sources are found`() {
        #expect(Self.sources.count > 50)
    }

    @Test(arguments: [
        (library: "CJansson", home: ["JSON"]),
        (library: "CLibcurl", home: ["CurlHTTP", "b2c"]),
        (library: "Crypto", home: ["JOSE"]),
        (library: "CryptoExtras", home: ["JOSE"]),
        (library: "_CryptoExtras", home: ["JOSE"]),
        (library: "FoundationXML", home: ["TrustFramework"]),
        (library: "ArgumentParser", home: ["b2c"]),
        (library: "MockAuthority", home: ["AuthorityHosting", "ScenarioRunner", "B2CTesting", "b2c"]),
        (
            library: "Journeys",
            home: ["MockAuthority", "AuthorityHosting", "Validation", "Exploration", "ScenarioRunner", "b2c"]
        ),
        (library: "Exploration", home: ["b2c"]),
        (library: "Clients", home: ["ScenarioRunner", "Diagnosis", "b2c"]),
        (library: "Bundles", home: ["b2c"]),
        (library: "Diagnosis", home: ["b2c"]),
        (library: "Browser", home: ["Clients", "Scenarios", "Capture", "ScenarioRunner", "B2CTesting", "b2c"]),
        (library: "Capture", home: ["b2c"]),
    ])
    func `a module is imported only where it belongs`(_ rule: (library: String, home: [String])) {
        #expect(Self.imports.count > 50)
        let wrong = Self.imports.filter { line in
            line.words.last == Substring(rule.library) && !rule.home.contains(line.source.module)
        }
        #expect(wrong.map { "\($0.source.path):\($0.number)" } == [], "\(rule.library) belongs to \(rule.home)")
    }

    /// What reads the machine's clock, zone, language or randomness, or orders things differently in each process.
    static let forbidden: [String] = [
        "Date()", "Date.now", "UUID()", "SystemRandomNumberGenerator", ".random(in:", ".randomElement(", ".shuffle()",
        "Task.sleep", "ContinuousClock", "SuspendingClock", "DateFormatter", "ISO8601DateFormatter", "Locale.current",
        "TimeZone.current", "Hasher()", "JSONEncoder", "ProcessInfo.processInfo.systemUptime", "fatalError(", "try!",
        "XMLDocument(",
    ]

    /// The one place that may ask the machine: the executable, which seeds a run when nobody gave a seed.
    static let exempt: [String] = ["Sources/b2c/Machine.swift"]

    @Test(arguments: forbidden)
    func `time and randomness are injected`(_ call: String) {
        let places = Self.sources.filter { !Self.exempt.contains($0.path) }.flatMap { source in
            source.code.filter { $0.line.contains(call) }.map { "\(source.path):\($0.number)" }
        }
        #expect(places == [], "\(call)")
    }
}
