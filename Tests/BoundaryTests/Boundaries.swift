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

    /// Every Swift file of the programs and of the library, in a stable order.
    static let sources: [Source] = Manifest.package.targets.filter(\.isModule).sorted { $0.folder < $1.folder }
        .flatMap { target in
            swiftFiles(in: target.folder).map { path in
                let lines = text(path).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.element.drop(while: { $0 == " " }).hasPrefix("//") }
                return Source(
                    module: target.name, path: path, code: lines.map { ($0.offset + 1, String($0.element)) })
            }
        }

    /// The lines of the modules that import something.
    static let imports = sources.flatMap { source in
        source.code.compactMap { line in
            imported(by: line.line[...]).map { (source: source, number: line.number, module: $0) }
        }
    }

    /// A file of the repository; empty if it cannot be read.
    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    /// The Swift files of a folder and of the folders in it, sorted.
    static func swiftFiles(in folder: String) -> [String] {
        let base = root.appendingPathComponent(folder).path
        let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }

    /// The modules that the files of a folder import.
    static func imported(in folder: String) -> Set<String> {
        Set(swiftFiles(in: folder).flatMap { text($0).split(separator: "\n").compactMap { imported(by: $0) } })
    }

    /// The modules whose headers the header of a module of C includes; empty for other modules.
    static func included(in folder: String) -> Set<String> {
        let header = text("\(folder)/include/\(folder.split(separator: "/").last ?? "").h")
        return Set(header.matches(of: /#include "(\w+)\.h"/).map { String($0.1) })
    }

    /// The module that a line imports: `import JSON`, `@testable import JSON`, `public import struct JSON.Field`.
    static func imported(by line: Substring) -> String? {
        // Inside of `#if` imports are indented once. Further in there are texts of other files.
        guard line.utf8.prefix(while: { $0 == UInt8(ascii: " ") }).count <= 4,
            let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") }), "@fip".utf8.contains(first)
        else { return nil }
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") || accessLevels.contains($0) }
        guard words.first == "import" else { return nil }
        let name = words.dropFirst().drop { importKinds.contains($0) }.first
        return name.map { String($0.prefix { $0 != "." }) }
    }

    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]
    private static let importKinds: Set<Substring> = [
        "struct", "class", "enum", "func", "protocol", "typealias", "var", "let",
    ]

    @Test func `the sources are found`() {
        #expect(Self.sources.count > 800)
        #expect(Self.sources.contains { $0.module == "MockServerCore" })
    }

    @Test(arguments: [
        (library: "CJansson", home: ["JSON"]),
        (library: "CLibcurl", home: ["CurlHTTP"]),
        (library: "CCrypto", home: ["JOSE"]),
        (library: "FoundationXML", home: ["Markup"]),
        (library: "ArgumentParser", home: ["CommandKit", "CommandFiles", "PolicyTools", "b2c", "MockServerCore"]),
        (
            library: "CommandKit",
            home: [
                "CommandFiles", "PolicyTools", "PolicyMigration", "Explanations", "AgentTools", "LanguageService",
                "LanguageServer", "b2c", "MockServerCore",
            ]
        ),
        (
            library: "CommandFiles",
            home: [
                "PolicyTools", "PolicyMigration", "Explanations", "AgentTools", "LanguageService", "LanguageServer",
                "b2c",
            ]
        ),
        (library: "PolicyTools", home: ["PolicyMigration", "AgentTools", "LanguageService", "b2c"]),
        (library: "JSONRPC", home: ["ModelContext", "LanguageServer"]),
        (library: "LanguageService", home: ["LanguageServer"]),
        (library: "LanguageServer", home: ["b2c"]),
        (library: "Explanations", home: ["AgentTools", "b2c"]),
        (library: "AgentTools", home: ["b2c"]),
        (library: "PolicyRelease", home: ["PolicyTools", "b2c"]),
        (library: "NIOCore", home: ["MockServerCore"]),
        (library: "NIOPosix", home: ["MockServerCore"]),
        (library: "NIOHTTP1", home: ["MockServerCore"]),
        (library: "NIOSSL", home: ["MockServerCore"]),
        (library: "CSQLite", home: ["MockServerCore"]),
        // Reports show hosted pages with the script that the pages have.
        (
            library: "MockAuthority",
            home: ["AuthorityHosting", "ScenarioRunner", "Reports", "B2CTesting", "MockServerCore"]
        ),
        (
            library: "Journeys",
            home: [
                "MockAuthority", "AuthorityHosting", "Validation", "Exploration", "ScenarioRunner", "PolicyTools",
                "LanguageService",
            ]
        ),
        (
            library: "ExtensionCalls",
            home: [
                "AuthorityHosting", "Explanations", "MockServerCore", "PolicyMigration", "Verbs", "ScenarioRunner",
                "b2c",
            ]
        ),
        (library: "AzureSignIn", home: ["JourneyLogs", "PolicyRelease", "PolicyTools", "b2c"]),
        (
            library: "Exploration",
            home: ["PolicyTools", "PolicyMigration", "Explanations", "AgentTools", "LanguageService", "b2c"]
        ),
        (library: "Clients", home: ["ScenarioRunner", "Diagnosis", "Explanations"]),
        (library: "Bundles", home: ["PolicyTools", "b2c"]),
        // An import is a scenario, as is a path of an exploration, so both build steps; a program at a URL says what a
        // person does there.
        (
            library: "Verbs",
            home: [
                "Browser", "Clients", "Scenarios", "Capture", "Exploration", "ScenarioRunner", "MockServerCore",
                "PolicyTools", "LanguageService", "b2c",
            ]
        ),
        (
            library: "Scenarios",
            home: [
                "ScenarioRunner", "Reports", "B2CScenarioTesting", "CommandFiles", "PolicyTools", "Explanations",
                "AgentTools", "LanguageService", "b2c",
            ]
        ),
        (library: "Diagnosis", home: ["Explanations"]),
        (library: "ModelContext", home: ["AgentTools", "b2c"]),
        (
            library: "Browser",
            home: ["Capture", "Scenarios", "ScenarioRunner", "B2CTesting", "MockServerCore", "PolicyTools"]
        ),
        (library: "Capture", home: ["PolicyTools", "b2c", "MockServerCore"]),
        (library: "MockServerCore", home: ["b2c", "MockServer"]),
    ])
    func `a module is imported only where it belongs`(_ rule: (library: String, home: [String])) {
        #expect(Self.imports.count > 50)
        let wrong = Self.imports.filter { line in
            line.module == rule.library && !rule.home.contains(line.source.module)
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

    /// The place that may ask the machine, for the programs: it draws a seed when nobody gave one.
    static let exempt: [String] = ["Sources/Tools/CommandKit/Machine.swift"]

    /// `mock-server` serves peers that do not know its clock. These files wait for them, or measure how long one takes.
    static let inRealTime: [String: [String]] = [
        "ContinuousClock": ["mock-server/Sources/Server/Front.swift"],
        "Task.sleep": [
            "mock-server/Sources/Control/EventStream.swift", "mock-server/Sources/Server/MemoryKeeper.swift",
            "mock-server/Sources/Server/ParentWatch.swift", "mock-server/Sources/Server/TenantWatch.swift",
            "mock-server/Sources/Server/WorldTime.swift",
        ],
    ]

    @Test(arguments: forbidden)
    func `time and randomness are injected`(_ call: String) {
        let allowed = Self.inRealTime[call] ?? []
        let places = Self.sources.filter { !Self.exempt.contains($0.path) }.flatMap { source in
            source.code.filter { $0.line.contains(call) }.map { (path: source.path, number: $0.number) }
        }
        #expect(places.filter { !allowed.contains($0.path) }.map { "\($0.path):\($0.number)" } == [], "\(call)")
        let used = Set(places.map(\.path))
        #expect(allowed.filter { !used.contains($0) } == [], "\(call) is not there any more: remove the file here")
    }
}
