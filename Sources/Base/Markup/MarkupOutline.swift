import Diagnostics

/// The elements of an XML text that may be broken, as far as they can be told: for editors. Nothing is lost by a fault:
/// what follows it is read as if it were not there. Every offset is inside of the text.
package struct MarkupOutline: Sendable {
    package struct Attribute: Sendable {
        package var name: Range<Int>
        /// Between the quotes; of a value that is never closed up to the end of its line or the next `<` or `>`.
        package var value: Range<Int>
    }

    package struct Element: Sendable {
        package var name: Range<Int>
        /// Offset of `<`.
        package var start: Int
        /// Offset behind the start tag.
        package var tagEnd: Int
        package var attributes: [Attribute]
        /// Indices of elements.
        package var parent: Int?
        package var children: [Int]
        /// Between start tag and end tag; empty for `<a/>`.
        package var body: Range<Int>
        /// Offset behind the end tag; without one where the element ends for lack of it.
        package var end: Int
        package var endsItself: Bool
        /// Whether it has its end tag, or needs none.
        package var isClosed: Bool
    }

    /// What is typed at an offset.
    package enum Spot: Sendable {
        /// Behind `<`; `typed` is the name so far.
        case elementName(parent: Int?, typed: Range<Int>)
        /// Behind `</`; the element that ends here.
        case endTag(of: Int?, typed: Range<Int>)
        case attributeName(element: Int, typed: Range<Int>)
        /// `attribute` is the index in the element's list; `typed` is the whole value between the quotes.
        case attributeValue(element: Int, attribute: Int, typed: Range<Int>)
        /// Content of an element; `typed` is the text around the offset, without blanks.
        case text(element: Int?, typed: Range<Int>)
        /// A comment, an instruction, CDATA, and where a tag takes nothing, such as behind a closing quote.
        case other
    }

    package let source: SourceText
    /// In the order of their start tags.
    package let elements: [Element]
    /// Comments, from `<!--` to behind `-->`.
    package let comments: [Range<Int>]

    private let marks: [MarkupScanner.Mark]

    package init(_ source: SourceText) {
        var scanner = MarkupScanner(source.bytes)
        scanner.scan()
        self.source = source
        elements = scanner.elements
        comments = scanner.comments
        marks = scanner.marks
    }

    /// The name of an element.
    package func name(_ element: Int) -> String { source.text(elements[element].name) }

    /// The value of an attribute, character references resolved; `nil` if there is none.
    package func value(_ element: Int, _ attribute: String) -> String? {
        valueRange(element, attribute).map(unescaped)
    }

    /// The value of an attribute, character references resolved.
    package func value(of attribute: Attribute) -> String { unescaped(attribute.value) }

    private func unescaped(_ range: Range<Int>) -> String { XMLEntities.unescaped(source.text(range)) }

    /// The bytes of the value of an attribute.
    package func valueRange(_ element: Int, _ attribute: String) -> Range<Int>? {
        elements[element].attributes.first { source.bytes[$0.name].elementsEqual(attribute.utf8) }?.value
    }

    /// The element's own text without blanks and comments around it, character references resolved, and its bytes; `nil`
    /// if it has none, or has comments or elements between.
    package func text(_ element: Int) -> (text: String, range: Range<Int>)? {
        guard elements[element].children.isEmpty else { return nil }
        let range = withoutBlanks(elements[element].body)
        guard !range.isEmpty else { return nil }
        guard source.bytes[range].contains(UInt8(ascii: "<")) else { return (unescaped(range), range) }
        var pieces: [(text: String, range: Range<Int>)] = []
        func add(_ range: Range<Int>, as text: (Range<Int>) -> String) {
            let inner = withoutBlanks(range)
            if !inner.isEmpty { pieces.append((text(inner), inner)) }
        }
        let (start, end) = ("<![CDATA[", "]]>")
        var offset = range.lowerBound
        for mark in marks[index(ofMarkFrom: offset)...].prefix(while: { $0.range.lowerBound < range.upperBound }) {
            guard case .other = mark.kind, mark.isClosed, pieces.count < 2 else { return nil }
            add(offset..<mark.range.lowerBound, as: unescaped)
            if source.bytes[mark.range].starts(with: start.utf8) {
                add(
                    (mark.range.lowerBound + start.utf8.count)..<(mark.range.upperBound - end.utf8.count),
                    as: source.text)
            }
            offset = mark.range.upperBound
        }
        add(offset..<max(offset, range.upperBound), as: unescaped)
        return pieces.count == 1 ? pieces[0] : nil
    }

    /// The innermost element whose range, start tag to end tag, has an offset inside.
    package func element(at offset: Int) -> Int? {
        let offset = min(max(offset, 0), source.bytes.count)
        return innermost(startingBefore: offset + 1) { offset < $0.end || !$0.isClosed && offset == $0.end }
    }

    /// An element and those around it, innermost first.
    package func path(_ element: Int) -> [Int] {
        Array(sequence(first: element) { elements[$0].parent })
    }

    /// What is typed at an offset; offsets outside of the text are its nearest end.
    package func spot(at offset: Int) -> Spot {
        let offset = min(max(offset, 0), source.bytes.count)
        if let mark = mark(before: offset), offset < mark.range.upperBound + (mark.isClosed ? 0 : 1) {
            return spot(at: offset, in: mark)
        }
        let element = innermost(startingBefore: offset) {
            !$0.endsItself && $0.tagEnd <= offset && offset <= $0.body.upperBound
        }
        let next = index(ofMarkFrom: offset)
        let start = next > 0 ? marks[next - 1].range.upperBound : 0
        let end = next < marks.count ? marks[next].range.lowerBound : source.bytes.count
        let typed = withoutBlanks(min(start, end)..<end)
        return .text(
            element: element,
            typed: typed.lowerBound <= offset && offset <= typed.upperBound ? typed : offset..<offset)
    }

    private func spot(at offset: Int, in mark: MarkupScanner.Mark) -> Spot {
        let behind = mark.range.lowerBound + 1
        switch mark.kind {
        case .other: return .other
        case .lone(let parent): return .elementName(parent: parent, typed: behind..<behind)
        case .end(let element, let name):
            return offset > behind && offset <= name.upperBound ? .endTag(of: element, typed: name) : .other
        case .start(let index):
            let element = elements[index]
            if offset <= element.name.upperBound { return .elementName(parent: element.parent, typed: element.name) }
            for (place, attribute) in element.attributes.enumerated() {
                if attribute.name.lowerBound <= offset, offset <= attribute.name.upperBound {
                    return .attributeName(element: index, typed: attribute.name)
                }
                if attribute.value.lowerBound <= offset, offset <= attribute.value.upperBound {
                    return .attributeValue(element: index, attribute: place, typed: attribute.value)
                }
            }
            // A name needs a blank before it, and the place behind `=` is that of a value.
            let before = source.bytes[..<offset].last { !MarkupScanner.isBlank($0) }
            let isName = MarkupScanner.isBlank(source.bytes[offset - 1]) && before != UInt8(ascii: "=")
            return isName ? .attributeName(element: index, typed: offset..<offset) : .other
        }
    }

    /// The innermost element that begins before an offset and meets a condition which holds for all around it too.
    private func innermost(startingBefore offset: Int, where holds: (Element) -> Bool) -> Int? {
        let place = elements.partition { $0.start >= offset }
        guard place > 0 else { return nil }
        return path(place - 1).first { holds(elements[$0]) }
    }

    /// The first mark that begins at an offset or behind it.
    private func index(ofMarkFrom offset: Int) -> Int { marks.partition { $0.range.lowerBound >= offset } }

    /// The last mark that begins before an offset.
    private func mark(before offset: Int) -> MarkupScanner.Mark? {
        let next = index(ofMarkFrom: offset)
        return next > 0 ? marks[next - 1] : nil
    }

    private func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, MarkupScanner.isBlank(source.bytes[start]) { start += 1 }
        while start < end, MarkupScanner.isBlank(source.bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}

extension Array {
    /// The first place of a sorted list from which on a condition holds.
    fileprivate func partition(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
