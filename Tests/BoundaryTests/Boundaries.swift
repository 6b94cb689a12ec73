import Foundation
import Testing

/// The rules that keep the design's promises, read off the sources themselves: who may import whom, and which
/// calls would let the wall clock or the system's randomness into a run that must be reproducible.
struct Boundaries {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file of the product with its module's name, in a stable order.
    static let sources: [(module: String, path: String, text: String)] = {
        let base = root.appendingPathComponent("Sources")
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
            guard let text = try? String(contentsOf: base.appendingPathComponent(name), encoding: .utf8) else {
                return nil
            }
            return (String(name.prefix { $0 != "/" }), "Sources/\(name)", text)
        }
    }()

    /// The lines of a file without comments, so that a rule may be named in prose.
    static func code(_ text: String) -> [(number: Int, line: Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.drop(while: { $0 == " " }).hasPrefix("//") }
            .map { ($0.offset + 1, $0.element) }
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
        (library: "MockAuthority", home: ["AuthorityHosting", "ScenarioRunner", "b2c"]),
        (library: "Journeys", home: ["MockAuthority", "AuthorityHosting", "Validation", "ScenarioRunner", "b2c"]),
        (library: "Clients", home: ["ScenarioRunner", "Diagnosis", "b2c"]),
        (library: "Bundles", home: ["b2c"]),
        (library: "Diagnosis", home: ["b2c"]),
        (library: "Browser", home: ["Clients", "Scenarios", "Capture", "ScenarioRunner", "b2c"]),
        (library: "Capture", home: ["b2c"]),
    ])
    func `a module is imported only where it belongs`(_ rule: (library: String, home: [String])) {
        for source in Self.sources where !rule.home.contains(source.module) {
            for (number, line) in Self.code(source.text) {
                let words = line.split(separator: " ")
                #expect(
                    !(words.contains("import") && words.last == Substring(rule.library)),
                    "\(source.path):\(number) imports \(rule.library), which belongs to \(rule.home)")
            }
        }
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
        for source in Self.sources where !Self.exempt.contains(source.path) {
            for (number, line) in Self.code(source.text) {
                #expect(!line.contains(call), "\(source.path):\(number) uses \(call)")
            }
        }
    }
}
