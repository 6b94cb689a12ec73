import Diagnostics
import Markup
import TrustFramework

/// Writes an element into a policy file: where the order of the schema wants it, with the lists around it that are missing,
/// indented and with line ends as the file has them.
struct PolicyInsertion {
    /// An element around the one that is written.
    struct List {
        var name: String
        /// The element that a list of this name begins with, as it is written; `nil`: the file has one such list at most.
        var head: String?
    }

    private let outline: MarkupOutline
    private var source: SourceText { outline.source }
    /// What a level is indented by.
    let unit: String

    init(_ outline: MarkupOutline) {
        self.outline = outline
        let source = outline.source
        let child = outline.elements.first { $0.parent == 0 }.map { source.indentation(at: $0.start) } ?? ""
        let root = outline.elements.first.map { source.indentation(at: $0.start) } ?? ""
        unit = child.hasPrefix(root) && child != root ? String(child.dropFirst(root.count)) : "  "
    }

    /// - Parameters:
    ///   - lines: The element, indented from its own start tag. What follows a line feed in one of them stays as it is.
    ///   - lists: Those around it, without the root.
    /// - Returns: `nil` if the file is not a policy, or policies have no such lists.
    func edit(_ lines: [String], named name: String, in lists: [List]) -> TextEdit? {
        guard !outline.elements.isEmpty, outline.name(0) == "TrustFrameworkPolicy" else { return nil }
        var rules = [PolicyGrammar.policy]
        for list in lists {
            guard let next = rules[rules.count - 1].children.first(where: { $0.name == list.name }) else { return nil }
            rules.append(next.rule)
        }
        var (parent, missing) = (0, lists[...])
        while let list = missing.first, let found = child(of: parent, list) {
            parent = found
            missing = missing.dropFirst()
        }
        var block = lines
        for list in missing.reversed() {
            let inner = ([list.head].compactMap { $0 } + block).map { $0.isEmpty ? $0 : unit + $0 }
            block = ["<\(list.name)>"] + inner + ["</\(list.name)>"]
        }
        return edit(block, as: missing.first?.name ?? name, in: parent, rules[lists.count - missing.count])
    }

    private func child(of parent: Int, _ list: List) -> Int? {
        outline.elements[parent].children.first { child in
            outline.name(child) == list.name
                && (list.head.map { head in outline.elements[child].children.contains { text(of: $0) == head } } ?? true)
        }
    }

    private func edit(_ block: [String], as name: String, in parent: Int, _ rule: ElementRule) -> TextEdit {
        let element = outline.elements[parent]
        func place(_ name: String) -> Int? { rule.children.firstIndex { $0.name == name } }
        let order = place(name) ?? rule.children.count
        let before = element.children.last { place(outline.name($0)).map { $0 <= order } ?? false }
        let outer = source.indentation(at: element.start)
        let indent = element.children.first.map { source.indentation(at: outline.elements[$0].start) } ?? outer + unit
        let end = source.lineEnd
        let text = block.map { end + ($0.isEmpty ? "" : indent + $0.replacing("\n", with: end)) }.joined()
        if element.endsItself {
            let slash = source.bytes[element.name.upperBound..<element.tagEnd].lastIndex(of: UInt8(ascii: "/"))
            let blank = slash.map { source.bytes[..<$0].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? $0 }
            return TextEdit(
                file: source.file, range: (blank ?? element.tagEnd)..<element.tagEnd,
                replacement: ">\(text)\(end)\(outer)</\(outline.name(parent))>")
        }
        func behindBlanks(_ start: Int) -> Int {
            source.bytes[start...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? source.bytes.count
        }
        var start = before.map { outline.elements[$0].end } ?? element.tagEnd
        // A comment on the line is about what is before it.
        while let comment = outline.comments.first(where: { $0.lowerBound == behindBlanks(start) }) {
            start = comment.upperBound
        }
        // What follows on the line gets one of its own.
        let next = source.bytes[behindBlanks(start)...].first
        let isAlone = next == 0x0A || next == 0x0D || next == nil
        let rest = isAlone ? "" : end + (before == element.children.last ? outer : indent)
        return TextEdit(file: source.file, range: start..<start, replacement: text + rest)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// An element as it is written.
    func text(of element: Int) -> String {
        source.text(outline.elements[element].start..<outline.elements[element].end)
    }

    /// The lines of an element, indented from its start tag. One that begins inside of a value, such as CDATA, is a part of
    /// the line before, behind a line feed.
    ///
    /// - Parameter unit: What a level is indented by in the file that they are for.
    func lines(of element: Int, unit wanted: String) -> [String] {
        let whole = outline.elements[element]
        let indent = source.indentation(at: whole.start)
        var lines: [String] = []
        for bytes in source.bytes[whole.start..<whole.end].split(separator: 0x0A, omittingEmptySubsequences: false) {
            var line = String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)[...]
            if !lines.isEmpty, isInValue(bytes.startIndex) {
                lines[lines.count - 1] += "\n" + line
                continue
            }
            if !lines.isEmpty, line.hasPrefix(indent) { line = line.dropFirst(indent.count) }
            var steps = ""
            while line.hasPrefix(unit) {
                line = line.dropFirst(unit.count)
                steps += wanted
            }
            lines.append(steps + line)
        }
        return lines
    }

    /// Whether an offset is inside of CDATA, a comment, or the text of an attribute or element.
    private func isInValue(_ offset: Int) -> Bool {
        switch outline.spot(at: offset) {
        case .attributeValue, .other: true
        case .text(_, let typed): typed.lowerBound < offset
        default: false
        }
    }
}
