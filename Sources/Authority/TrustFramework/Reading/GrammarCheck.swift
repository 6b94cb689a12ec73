import Diagnostics
import Markup

/// Holds a tree against the grammar and says everything that is wrong with it.
struct GrammarCheck: PolicyCheck {
    let tree: XMLTree
    let unknown: PolicyReader.UnknownElementHandling
    private(set) var findings: [Diagnostic] = []

    init(_ tree: XMLTree, unknown: PolicyReader.UnknownElementHandling) {
        self.tree = tree
        self.unknown = unknown
    }

    /// So many findings are listed; a file with more is hardly a policy.
    static let mostFindings = 500

    mutating func check(_ node: Int, as rule: ElementRule) {
        guard !rule.opaque, findings.count < Self.mostFindings else { return }
        checkAttributes(node, rule)
        checkText(node, rule)
        checkChildren(node, rule)
    }

    private mutating func checkAttributes(_ node: Int, _ rule: ElementRule) {
        let element = tree.nodes[node]
        for (place, attribute) in element.attributes.enumerated() {
            if attribute.name.hasPrefix("xmlns") || attribute.name.utf8.contains(UInt8(ascii: ":")) { continue }
            guard let known = rule.attributes.first(where: { $0.name == attribute.name }) else {
                let names = rule.attributes.map(\.name)
                report(
                    "B2C-POL-002", "<\(element.name)> has no attribute \(attribute.name)",
                    remedy: suggestion(attribute.name, names, none: "It takes no attributes."),
                    at: tree.location(ofName: place, of: node), severity: unknown == .fail ? .error : .warning)
                continue
            }
            if let problem = problem(attribute.value, known.value) {
                if isToken(attribute.value) || isUnfilledGUID(attribute.value, known.value) {
                    report(
                        "B2C-POL-012", "\(attribute.name)=\"\(attribute.value)\" looks like a placeholder",
                        remedy: "Fill it in before the policy is used.", at: tree.location(ofValue: place, of: node),
                        severity: .warning)
                    continue
                }
                report(
                    problem.rule, "\(attribute.name)=\"\(attribute.value)\" of <\(element.name)>: \(problem.message)",
                    remedy: problem.remedy, at: tree.location(ofValue: place, of: node))
            }
        }
        for wanted in rule.attributes
        where wanted.required && !element.attributes.contains(where: { $0.name == wanted.name }) {
            report("B2C-POL-002", "<\(element.name)> needs the attribute \(wanted.name)", at: tree.location(of: node))
        }
    }

    private mutating func checkText(_ node: Int, _ rule: ElementRule) {
        let element = tree.nodes[node]
        let text = trimmed(element.text)
        guard let kind = rule.text else {
            // A placeholder may stand for elements.
            if !text.isEmpty, !PolicySettingsText.isPresent(in: text) {
                report(
                    "B2C-POL-002", "<\(element.name)> cannot hold text, but holds \"\(text.prefix(40))\"",
                    at: tree.location(of: node))
            }
            return
        }
        if let problem = problem(text, kind) {
            report(
                problem.rule, "\"\(text)\" in <\(element.name)>: \(problem.message)", remedy: problem.remedy,
                at: tree.location(of: node))
        }
    }

    private mutating func checkChildren(_ node: Int, _ rule: ElementRule) {
        let element = tree.nodes[node]
        var last = -1
        for child in element.children {
            guard findings.count < Self.mostFindings else { return }
            let name = tree.nodes[child].name
            guard let place = rule.children.firstIndex(where: { $0.name == name }) else {
                let names = rule.children.map(\.name)
                report(
                    "B2C-POL-002", "<\(element.name)> has no element <\(name)>",
                    remedy: suggestion(name, names, none: "It takes no elements."), at: tree.location(of: child),
                    severity: unknown == .fail ? .error : .warning)
                continue
            }
            if place < last {
                report(
                    "B2C-POL-002", "<\(name)> of <\(element.name)> must come before <\(rule.children[last].name)>",
                    remedy: "The schema fixes the order: \(namesList(rule.children.map(\.name), limit: 40)).",
                    at: tree.location(of: child))
            } else if place == last, !rule.children[place].many {
                report("B2C-POL-002", "<\(name)> occurs twice in <\(element.name)>", at: tree.location(of: child))
            }
            last = max(last, place)
            check(child, as: rule.children[place].rule)
        }
    }

    mutating func record(_ finding: Diagnostic, corrected: String?) {
        findings.append(finding)
        if findings.count == Self.mostFindings {
            report(
                "B2C-POL-002", "more than \(Self.mostFindings) findings in this file: the rest is not listed",
                at: finding.location)
        }
    }

    private func suggestion(_ name: String, _ names: [String], none: String) -> String {
        if names.isEmpty { return none }
        return didYouMean(nearestName(name, among: names)) ?? "Expected one of \(namesList(names, limit: 40))."
    }

    private typealias Problem = (rule: String, message: String, remedy: String?)

    private func problem(_ text: String, _ kind: ElementRule.Value) -> Problem? {
        // The value of a placeholder is not known here, and another finding says that it has none.
        if PolicySettingsText.isPresent(in: text) { return nil }
        switch kind {
        case .text: return nil
        case .nonEmpty: return text.isEmpty ? ("B2C-POL-002", "it must not be empty", nil) : nil
        case .boolean:
            return ["true", "false", "1", "0"].contains(text)
                ? nil
                : ("B2C-POL-002", "expected true or false", didYouMean(nearestName(text, among: ["true", "false"])))
        case .integer(let range):
            guard let number = Int(text) else { return ("B2C-POL-002", "expected a whole number", nil) }
            return range.contains(number)
                ? nil : ("B2C-POL-002", "expected a number from \(range.lowerBound) to \(range.upperBound)", nil)
        case .oneOf(let words):
            if words.contains(text) { return nil }
            let expected = words.count == 1 ? "expected \(words[0])" : "expected one of \(namesList(words, limit: 20))"
            return ("B2C-POL-004", expected, didYouMean(nearestName(text, among: words)))
        case .culture:
            return isCulture(text) ? nil : ("B2C-POL-003", "expected a language such as en or pt-BR", nil)
        case .guid: return isPlaceholder(text) || isGUID(text) ? nil : ("B2C-POL-003", "expected a GUID", nil)
        case .policyID:
            let allowed = text.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            return isPlaceholder(text) || (allowed && !text.isEmpty && !text.hasSuffix("."))
                ? nil : ("B2C-POL-003", "a policy's id consists of letters, digits, _, - and .", nil)
        case .tenantID:
            let allowed = text.utf8.allSatisfy { isWord($0) && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
            return isPlaceholder(text) || TenantPlaceholder.isOne(text)
                || (allowed && (3...63).contains(text.utf8.count))
                ? nil : ("B2C-POL-003", "a tenant's name has 3 to 63 letters, digits and dots", nil)
        case .version:
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts.allSatisfy { $0.count == 1 && Int($0) != nil }
                ? nil : ("B2C-POL-003", "expected 0.3.0.0", nil)
        }
    }

    /// Names that a deployment tool fills in before upload; noted elsewhere, no error here.
    private func isPlaceholder(_ text: String) -> Bool {
        text.contains("{") || text.lowercased().contains("your") || text.contains("__")
    }

    /// A text in the place of a GUID that nobody would take for one, such as `tenant-object-id`: a template to be filled in.
    private func isUnfilledGUID(_ text: String, _ kind: ElementRule.Value) -> Bool {
        guard case .guid = kind else { return false }
        return text.isEmpty || text.contains { $0 != "-" && !$0.isHexDigit }
    }

    /// `APPINSIGHTS_LOGGINGMODE`: a name that a deployment replaces as a whole.
    private func isToken(_ text: String) -> Bool {
        text.contains("_")
            && text.utf8.allSatisfy { isWord($0) && !($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")) }
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func isGUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    private func isCulture(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (1...3).contains(first.count), parts.count <= 3 else { return false }
        return first.allSatisfy { $0 >= "a" && $0 <= "z" }
            && parts.dropFirst().allSatisfy { part in
                (2...4).contains(part.count) && part.utf8.allSatisfy { isWord($0) && $0 != UInt8(ascii: "_") }
            }
    }
}

/// A text without the blanks around it.
func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
}
