import Foundation
import Testing

/// The files of the scripts that ship. That all of them pass is held by the tests of the command.
struct ShippedScriptTests {
    /// Every scenario file below `scenarios`, by bytes.
    static let files: [String] = {
        let base = Running.root.appendingPathComponent("scenarios")
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            name.hasSuffix(".json")
                && !["schemas/", "targets/", "tenants/", "policies/"].contains {
                    name.hasPrefix($0) || name.contains("/" + $0)
                }
        }.map { "scenarios/\($0)" }.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }()

    @Test(arguments: files)
    func `every shipped script begins with its schema and its name`(_ file: String) throws {
        let text = String(decoding: try #require(Running.bytes(file)), as: UTF8.self)
        let up = String(repeating: "../", count: file.split(separator: "/").count - 2)
        #expect(text.hasPrefix("{\n  \"$schema\": \"\(up)schemas/scenario.schema.json\",\n  \"name\": \""))
    }
}
