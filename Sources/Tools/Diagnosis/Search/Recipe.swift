import CDocuments
import Diagnostics

/// A situation of docs/recipes.md with the steps that play it.
package struct Recipe: Sendable {
    package let title: String
    /// What happens, in a sentence or two.
    package private(set) var text = ""
    /// Members of `steps`, as the page shows them.
    package private(set) var steps = ""
    /// The shipped scenarios that show more of it, such as `sign-in/window-closed`.
    package private(set) var scripts: [String] = []

    /// All recipes in the order of the page.
    package static let all: [Recipe] = {
        let page = asset_recipes().text
        return page.components(between: "\n### ").dropFirst().map { Recipe($0) }
    }()

    private init(_ section: Substring) {
        let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
        title = lines.first.map(String.init) ?? ""
        var isCode = false
        for line in lines.dropFirst() {
            if line.hasPrefix("```") {
                isCode = !isCode && steps.isEmpty
            } else if isCode {
                steps += (steps.isEmpty ? "" : "\n") + line
            } else if line.hasPrefix("## ") {
                break
            } else if steps.isEmpty {
                if !line.isEmpty { text += (text.isEmpty ? "" : " ") + line }
            } else {
                scripts += line.components(between: "](../scenarios/").dropFirst().map {
                    String($0.prefix { $0 != ")" }.dropLast(".json".count))
                }
            }
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The texts between the places of another.
    fileprivate func components(between separator: String) -> [Substring] {
        var parts: [Substring] = []
        var start = startIndex
        while let place = self[start...].firstRange(of: separator) {
            parts.append(self[start..<place.lowerBound])
            start = place.upperBound
        }
        return parts + [self[start...]]
    }
}
