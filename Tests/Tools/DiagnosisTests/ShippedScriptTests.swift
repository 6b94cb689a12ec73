import Diagnosis
import Foundation
import JSON
import TestSupport
import Testing

/// The index of the shipped scenarios says what is in their files.
@Suite struct ShippedScriptTests {
    /// Members whose texts people search for, anywhere in a step.
    private static let telling: Set<String> = [
        "b2cCode", "oauthError", "suberror", "kind", "press", "window", "network", "webview", "prompt",
        "thirdPartyCookies",
    ]

    /// `B2C_RECORD=1` writes it.
    @Test func `the index is made from the scenarios`() throws {
        let text = try Self.rows().joined(separator: "\n") + "\n"
        let url = TestFiles.root().appendingPathComponent("Sources/Tools/Diagnosis/Search/Files/scripts.tsv")
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" { try Data(text.utf8).write(to: url) }
        let index = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        #expect(index == text, "\(lineDifference(expected: index, found: text)); record it with B2C_RECORD=1")
    }

    @Test func `every recipe names shipped scenarios`() {
        #expect(Recipe.all.count >= 40)
        for recipe in Recipe.all {
            #expect(!recipe.text.isEmpty && !recipe.steps.isEmpty && !recipe.scripts.isEmpty, "\(recipe.title)")
            for path in recipe.scripts { #expect(ShippedScript.named(path)?.path == path, "\(path)") }
        }
        #expect(Set(Recipe.all.map(\.title)).count == Recipe.all.count)
    }

    @Test(arguments: [
        ("sign-in/window-closed", "sign-in/window-closed"),
        ("scenarios/sign-in/window-closed.json", "sign-in/window-closed"),
        ("S0-R13", "tutorials/S0-R13-interactive-opens-the-browser-even-with-a-session"),
        ("B106-revoked", "bugs/B106-revoked-by-a-new-password"), ("window-closed", nil), ("-42004", nil), ("S0", nil),
    ])
    func `a scenario has its path as name`(_ row: (text: String, path: String?)) {
        #expect(ShippedScript.named(row.text)?.path == row.path)
    }

    /// One line for each scenario: its path, its name, and what else it is about.
    private static func rows() throws -> [String] {
        let folder = TestFiles.root().appendingPathComponent("scenarios")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".json") }.sorted().compactMap { file in
            let script = try JSONParser.parse(Array(Data(contentsOf: folder.appendingPathComponent(file))))
            guard let name = script["name"]?.stringValue, script["steps"] != nil else { return nil }
            var words: [String] = []
            // Where it was reported is not what it is about.
            let about = script["description"]?.stringValue ?? ""
            words.append(about.replacing(##/^Reported in [^ ]+( and #\d+)?[.:] /##, with: ""))
            for (name, _) in script["cases"]?.objectValue?.members ?? [] { words.append(name) }
            for part in ["steps", "cases", "configure", "faults"] {
                if let value = script[part] { collect(value, "", &words) }
            }
            var seen: Set<String> = []
            let text = words.filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: "; ")
            return [String(file.dropLast(".json".count)), name, text]
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.joined(separator: "\t")
        }
    }

    private static func collect(_ value: JSONValue, _ key: String, _ words: inout [String]) {
        switch value {
        case .object(let object):
            // The title of a step, and not the name of a claim.
            if key == "steps", let name = object["name"]?.stringValue { words.append(name) }
            for (name, member) in object.members { collect(member, name, &words) }
        case .array(let elements): for element in elements { collect(element, key, &words) }
        case .string(let text) where telling.contains(key) && !text.contains("{{"): words.append(text)
        default: break
        }
    }
}
