import Foundation
import TestSupport
import Testing
import Validation

struct RuleTests {
    @Test func `ids are unique, numbered in order, and of their family`() {
        for family in Rule.Family.allCases {
            let ids = Rules.all.filter { $0.family == family }.map(\.id)
            #expect(ids == ids.sorted(), "\(family)")
            #expect(Set(ids).count == ids.count, "\(family)")
        }
        #expect(Rules.named("b2c-uri-003")?.id == "B2C-URI-003")
        for rule in Rules.all {
            #expect(rule.demand.hasSuffix(".") && rule.reason.hasSuffix("."), "\(rule.id)")
            #expect(!rule.bad.isEmpty && !rule.good.isEmpty && rule.bad != rule.good, "\(rule.id)")
        }
    }

    /// `B2C_RECORD=1` writes them.
    @Test func `the pages in docs say what the table says`() throws {
        let folder = TestFiles.root().appending(path: "docs/rules")
        var pages = Rules.all.map { ("\($0.id).md", RulePage.markdown($0)) }
        pages.append(("README.md", RulePage.index))
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in pages { try Data(text.utf8).write(to: folder.appending(path: name)) }
            return
        }
        for (name, text) in pages {
            let written = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(written == text, "docs/rules/\(name) differs from the table")
        }
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(there == pages.map(\.0).sorted())
    }
}
