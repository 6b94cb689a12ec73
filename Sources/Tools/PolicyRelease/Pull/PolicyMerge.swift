import Diagnostics
import Markup
import TrustFramework

/// A policy of a tenant merged into its file: what means the same stays as it is written, byte for byte.
struct PolicyMerge {
    /// The file, and what it builds to.
    private let text: PolicyText
    /// What the file builds to.
    private let local: XMLTree
    /// The tenant's policy.
    private let tenant: XMLTree
    /// The same elements with settings in the place of the tenant's values, for elements that the file does not have.
    private let template: XMLTree
    /// How a line ends in the file.
    private let lineEnd: [UInt8]

    /// - Parameter template: The tenant's policy with settings; as many elements as `tenant`.
    init(_ text: PolicyText, tenant: SourceText, template: SourceText) throws(InvalidInput) {
        self.text = text
        local = try XMLTree(policy: text.source)
        self.tenant = try XMLTree(policy: tenant, limit: .max)
        let templates = try XMLTree(policy: template, limit: .max)
        self.template = templates.nodes.count == self.tenant.nodes.count ? templates : self.tenant
        let feed = text.file.firstIndex(of: UInt8(ascii: "\n"))
        lineEnd = feed.map { $0 > 0 && text.file[$0 - 1] == 0x0D } == true ? [0x0D, 0x0A] : [0x0A]
    }

    /// The file with what the tenant has.
    func merged() -> [UInt8] {
        let root = local.tags.tags[0]
        return text.file[..<text.place(root.start)] + element(0, 0) + text.file[text.place(root.end)...]
    }

    /// An element of the file as the tenant has it.
    private func element(_ own: Int, _ other: Int) -> [UInt8] {
        let tag = local.tags.tags[own]
        if PolicyMeaning.isSame(own, of: local, other, of: tenant) { return Array(text.written(tag.start..<tag.end)) }
        let (node, wanted) = (local.nodes[own], tenant.nodes[other])
        let isLeaf = node.children.isEmpty
        let needsBody = !wanted.children.isEmpty || !PolicyMeaning.text(wanted).isEmpty
        guard isLeaf == wanted.children.isEmpty || !isLeaf && !needsBody, !tag.endsItself || !needsBody,
            !node.children.contains(where: isMadeBySetting)
        else { return rendered(other, indentation(own)) }
        var result = startTag(own, other)
        guard !tag.endsItself else { return result }
        if !isLeaf {
            result += children(own, other)
        } else if PolicyMeaning.text(node) == PolicyMeaning.text(wanted) {
            result += text.written(tag.body)
        } else {
            let body = tenant.tags.tags[other].body
            result += replaced(tag.body, by: lines(tenant.source.bytes[body]))
        }
        return result + text.written(tag.body.upperBound..<tag.end)
    }

    /// Whether the tags of an element are in the value of a setting, so that the file has no place of its own for it.
    private func isMadeBySetting(_ own: Int) -> Bool {
        let tag = local.tags.tags[own]
        return text.changes.contains { $0.range.contains(tag.start) || $0.range.contains(tag.end - 1) }
    }

    // MARK: Values

    /// What the file has for a range of its built text, with another value. Only what differs is replaced, so a placeholder
    /// stays where the tenant has its value.
    private func replaced(_ range: Range<Int>, by value: [UInt8]) -> [UInt8] {
        let old = text.bytes[range]
        let most = min(old.count, value.count)
        var head = 0
        while head < most, old[range.lowerBound + head] == value[head] { head += 1 }
        var tail = 0
        while tail < most - head, old[range.upperBound - 1 - tail] == value[value.count - 1 - tail] { tail += 1 }
        var low = range.lowerBound + head
        var high = range.upperBound - tail
        // A placeholder stays whole or goes.
        for change in text.changes where change.range.lowerBound >= range.lowerBound {
            if change.range.lowerBound < low, low < change.range.upperBound { low = change.range.lowerBound }
            if change.range.lowerBound < high, high < change.range.upperBound { high = change.range.upperBound }
        }
        high = min(high, range.upperBound)
        let new = value[(low - range.lowerBound)..<(value.count - (range.upperBound - high))]
        let start = text.place(low)
        let end = max(start, text.place(high))
        let first = text.place(range.lowerBound)
        return text.file[first..<start] + Array(new) + text.file[end..<max(end, text.place(range.upperBound))]
    }

    /// Bytes of the tenant with the file's line ends.
    private func lines(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes where byte != 0x0D {
            if byte == 0x0A { result += lineEnd } else { result.append(byte) }
        }
        return result
    }

    private func startTag(_ own: Int, _ other: Int) -> [UInt8] {
        let tag = local.tags.tags[own]
        let (node, wanted) = (local.nodes[own], tenant.nodes[other])
        let bytes = text.bytes
        var result: [UInt8] = []
        var at = tag.start
        for (place, attribute) in node.attributes.enumerated()
        where PolicyMeaning.counts(attribute.name, attribute.value) {
            let range = tag.attributes[place]
            if let match = wanted.attributes.firstIndex(where: { $0.name == attribute.name }) {
                guard wanted.attributes[match].value != attribute.value else { continue }
                result += text.written(at..<range.value.lowerBound)
                result += replaced(
                    range.value, by: written(match, of: other, in: bytes[range.value.lowerBound - 1]))
                at = range.value.upperBound
            } else {
                var start = range.name.lowerBound
                while start > at, bytes[start - 1] <= 0x20 { start -= 1 }
                result += text.written(at..<start)
                at = range.value.upperBound + 1
            }
        }
        let end = tag.attributes.last.map { $0.value.upperBound + 1 } ?? tag.name.upperBound
        result += text.written(at..<max(at, end))
        at = max(at, end)
        for (place, attribute) in wanted.attributes.enumerated()
        where !node.attributes.contains(where: { $0.name == attribute.name }) && isNeeded(attribute, own, other) {
            result += " \(attribute.name)=\"".utf8
            result += written(place, of: other, in: UInt8(ascii: "\""))
            result.append(UInt8(ascii: "\""))
        }
        return result + text.written(at..<(tag.endsItself ? tag.end : tag.body.lowerBound))
    }

    /// Whether an attribute that only the tenant has is added: the declaration of a prefix only with an attribute that has it.
    private func isNeeded(_ attribute: (name: String, value: String), _ own: Int, _ other: Int) -> Bool {
        guard attribute.name.hasPrefix("xmlns:") else {
            return PolicyMeaning.counts(attribute.name, attribute.value)
        }
        let prefix = attribute.name.dropFirst("xmlns:".count) + ":"
        return tenant.nodes[other].attributes.contains { added in
            added.name.hasPrefix(prefix) && !local.nodes[own].attributes.contains { $0.name == added.name }
        }
    }

    /// An attribute's value as the tenant writes it, for quotes of the file.
    private func written(_ attribute: Int, of other: Int, in quote: UInt8) -> [UInt8] {
        let range = tenant.tags.tags[other].attributes[attribute].value
        let bytes = tenant.source.bytes[range]
        guard bytes.contains(quote) else { return lines(bytes) }
        return Array(
            XMLEntities.escaped(tenant.nodes[other].attributes[attribute].value, also: .attribute)
                .replacing("'", with: "&apos;").utf8)
    }

    // MARK: Children

    /// A child of an element with what is written around it.
    private struct Row {
        /// The tenant's element.
        var other: Int
        /// White space and comments before it.
        var lead: [UInt8]
        var element: [UInt8]
        /// A comment behind it on its line.
        var trail: [UInt8] = []
    }

    private func children(_ own: Int, _ other: Int) -> [UInt8] {
        let tag = local.tags.tags[own]
        let (children, wanted) = (local.nodes[own].children, tenant.nodes[other].children)
        let partner = ElementMatch.partners(of: wanted, in: tenant, among: children, in: local)
        var gaps: [ArraySlice<UInt8>] = []
        var at = tag.body.lowerBound
        for child in children {
            gaps.append(text.written(at..<local.tags.tags[child].start))
            at = local.tags.tags[child].end
        }
        gaps.append(text.written(at..<tag.body.upperBound))
        let parts = gaps.map(Self.parted)
        var result = Array(parts[0].trail)
        var rows: [Row] = []
        // Comments of elements that are gone: somebody wrote them, and they may be about more than the element.
        var kept: [UInt8] = []
        for (place, child) in children.enumerated() {
            let (lead, trail) = (Array(parts[place].lead), Array(parts[place + 1].trail))
            if let match = wanted.first(where: { partner[$0] == child }) {
                rows.append(Row(other: match, lead: kept + lead, element: element(child, match), trail: trail))
                kept = []
            } else {
                kept += Self.comments(in: lead)
            }
        }
        if ElementMatch.isOrdered(local.nodes[own].name) {
            let order = Dictionary(uniqueKeysWithValues: wanted.enumerated().map { ($0.element, $0.offset) })
            rows.sort { (order[$0.other] ?? 0) < (order[$1.other] ?? 0) }
        }
        let lead = Self.lastLine(parts[0].lead)
        for (place, child) in wanted.enumerated() where partner[child] == nil {
            let before = place > 0 ? rows.firstIndex { $0.other == wanted[place - 1] } : nil
            rows.insert(
                Row(other: child, lead: lead, element: rendered(child, lead.filter { $0 != 0x0A && $0 != 0x0D })),
                at: before.map { $0 + 1 } ?? 0)
        }
        for row in rows { result += row.lead + row.element + row.trail }
        return result + kept + parts[children.count].lead
    }

    /// White space and comments between elements: what belongs to the element before it, since it is on its line, and what
    /// to the element behind it.
    private static func parted(_ gap: ArraySlice<UInt8>) -> (trail: ArraySlice<UInt8>, lead: ArraySlice<UInt8>) {
        var at = gap.startIndex
        var end = gap.startIndex
        while at < gap.endIndex {
            if gap[at...].starts(with: "<!--".utf8) {
                at = endOfComment(gap, at)
                end = at
            } else if gap[at] == 0x20 || gap[at] == 0x09 {
                at += 1
            } else {
                return gap[at] == 0x0A || gap[at] == 0x0D ? (gap[..<end], gap[end...]) : (gap[..<gap.startIndex], gap)
            }
        }
        // No line ends: what is there is before the next element of the same line.
        return (gap[..<gap.startIndex], gap)
    }

    /// What is before an element that is gone, without the white space that leads to it; nothing if that is all.
    private static func comments(in lead: [UInt8]) -> [UInt8] {
        guard let last = lead.lastIndex(where: { $0 > 0x20 }) else { return [] }
        return Array(lead[...last])
    }

    /// The line end and the indentation before an element.
    private static func lastLine(_ lead: ArraySlice<UInt8>) -> [UInt8] {
        guard let feed = lead.lastIndex(of: 0x0A), lead[feed...].allSatisfy({ $0 <= 0x20 }) else { return [] }
        let start = feed > lead.startIndex && lead[feed - 1] == 0x0D ? feed - 1 : feed
        return Array(lead[start...])
    }

    private static func endOfComment(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
        var at = start + 4
        while at < bytes.endIndex, !bytes[at...].starts(with: "-->".utf8) { at += 1 }
        return min(at + 3, bytes.endIndex)
    }

    // MARK: Elements that the file does not have

    /// White space before an element on its line.
    private func indentation(_ own: Int) -> [UInt8] {
        let before = text.file[..<text.place(local.tags.tags[own].start)]
        return Array(before.suffix(while: { $0 == 0x20 || $0 == 0x09 }))
    }

    /// One level of indentation of the file.
    private var unit: [UInt8] {
        guard let child = local.nodes[0].children.first else { return [0x20, 0x20] }
        let unit = indentation(child)
        return unit.isEmpty ? [0x20, 0x20] : unit
    }

    /// An element of the tenant, one element a line.
    private func rendered(_ other: Int, _ indentation: [UInt8]) -> [UInt8] {
        let tag = template.tags.tags[other]
        let bytes = template.source.bytes
        let children = template.nodes[other].children
        guard !children.isEmpty else { return lines(bytes[tag.start..<tag.end]) }
        let deeper = indentation + unit
        var result = lines(bytes[tag.start..<tag.body.lowerBound])
        var at = tag.body.lowerBound
        func addComments(to end: Int) {
            while at < end {
                guard bytes[at...].starts(with: "<!--".utf8) else {
                    at += 1
                    continue
                }
                let start = at
                at = Self.endOfComment(bytes[..<end], at)
                result += lineEnd + deeper + lines(bytes[start..<at])
            }
        }
        for child in children {
            addComments(to: template.tags.tags[child].start)
            result += lineEnd + deeper + rendered(child, deeper)
            at = template.tags.tags[child].end
        }
        addComments(to: tag.body.upperBound)
        return result + lineEnd + indentation + lines(bytes[tag.body.upperBound..<tag.end])
    }
}

extension ArraySlice<UInt8> {
    /// The longest end of which all bytes fulfil a condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var start = endIndex
        while start > startIndex, condition(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
