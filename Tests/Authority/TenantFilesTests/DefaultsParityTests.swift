import Foundation
import TenantFiles
import Testing

/// Each setting of `authority.defaults` has its row in docs/parity.md, which `b2c policy log --learn` names.
struct DefaultsParityTests {
    private static let page: String = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("docs/parity.md")
        return (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }()

    @Test(arguments: PolicyDefaults.settings.map { [$0.field.name, $0.field.doc] })
    func `a setting has one row with its meaning`(_ setting: [String]) throws {
        let section = try #require(Self.page.components(separatedBy: "## Settings of the policy engine\n").last)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
        let own = rows.filter { $0.hasPrefix("| `\(setting[0])`: ") }
        #expect(own.count == 1)
        #expect(own.first?.hasPrefix("| `\(setting[0])`: \(setting[1]) | ") == true, "\(own)")
    }
}
