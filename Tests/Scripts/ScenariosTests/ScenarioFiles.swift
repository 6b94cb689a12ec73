import Diagnostics
import Foundation
import JSON
import Scenarios
import TestSupport

/// Scenario files of the tests, read as if they lay in the folder of the shipped scripts.
enum ScenarioFiles {
    /// Paths of the JSON files of a folder of the corpus, sorted.
    static func corpus(_ folder: String) throws -> [String] {
        let path = TestFiles.root().appendingPathComponent("Tests/Corpus/Scenarios/\(folder)").path
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }.sorted()
            .map { "Tests/Corpus/Scenarios/\(folder)/\($0)" }
    }

    static let tenants = TenantLibrary { path in try? TestFiles.bytes(path) }

    /// Reads a file of the repository under the name `scenarios/NAME.json`.
    static func read(_ path: String) throws(InvalidInput) -> Scenario {
        try read(name(of: path), bytes: (try? TestFiles.bytes(path)) ?? [])
    }

    static func read(_ name: String, bytes: [UInt8]) throws(InvalidInput) -> Scenario {
        try ScenarioReader.read(file: "scenarios/\(name)", bytes: bytes, tenants: tenants)
    }

    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// What is said about a text, one finding a paragraph; empty when it is accepted.
    static func findings(_ name: String, _ bytes: [UInt8]) -> String {
        do throws(InvalidInput) {
            _ = try read(name, bytes: bytes)
            return ""
        } catch {
            let source = SourceText(file: "scenarios/\(name)", bytes: bytes)
            return DiagnosticRenderer(color: false, sources: [source]).render(error.diagnostics)
        }
    }

    /// Single changes of a file: a key dropped, a value of another type, a key added; each with its description.
    static func mutants(of root: JSONValue) -> [(JSONValue, String)] {
        var result: [(JSONValue, String)] = []
        for pointer in places(in: root, .root) {
            guard let value = root.value(at: pointer) else { continue }
            for other in [JSONValue.null, true, 7, 1.5, "word", "{{x}}", "a {{x}} b", [], [:]] where other != value {
                guard !pointer.tokens.isEmpty else { continue }
                var changed = root
                changed.set(other, at: pointer)
                result.append((changed, "\(pointer) = \(other)"))
            }
            if value.objectValue != nil {
                for name in ["extra", "$extra", "$not"] {
                    var more = root
                    more.set(1, at: pointer.appending(name))
                    result.append((more, "\(pointer) + \(name)"))
                }
            }
            if !pointer.tokens.isEmpty {
                var less = root
                less.set(nil, at: pointer)
                result.append((less, "- \(pointer)"))
            }
        }
        return result
    }

    private static func places(in value: JSONValue, _ pointer: JSONPointer) -> [JSONPointer] {
        switch value {
        case .object(let object):
            [pointer] + object.members.flatMap { places(in: $0.value, pointer.appending($0.key)) }
        case .array(let elements):
            [pointer] + elements.enumerated().flatMap { places(in: $1, pointer.appending($0)) }
        default: [pointer]
        }
    }
}
