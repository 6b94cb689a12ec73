/// The part of HTML that programs without a rendering engine need: tags with attributes, comments, and the text between.
/// It never fails; what it does not understand it passes over.
package struct HTMLScanner {
    package struct Attribute: Sendable {
        /// Lower case.
        package var name: String
        /// References replaced; empty if there is none.
        package var value: String
        /// The bytes of the name.
        package var nameRange: Range<Int>
        /// The bytes of the value, without its quotes.
        package var valueRange: Range<Int>
    }

    package struct Tag: Sendable {
        /// Lower case; a closing tag begins with a slash.
        package var name: String
        package var attributes: [Attribute]
        /// The text from the end of this tag to the next tag, with references replaced and blanks folded.
        package var textAfter: String
        /// The bytes from `<` to `>`.
        package var range: Range<Int>

        package subscript(name: String) -> String? {
            attributes.first { $0.name == name }?.value
        }
    }

    package private(set) var tags: [Tag] = []
    /// The texts of `<!-- -->`, trimmed.
    package private(set) var comments: [String] = []

    package init(_ html: String) {
        let bytes = Array(html.utf8)[...]
        var index = 0
        while index < bytes.count {
            guard let open = Self.find(0x3C, in: bytes, from: index) else {
                appendText(bytes[index...])
                break
            }
            if open > index { appendText(bytes[index..<open]) }
            if Self.starts("<!--", in: bytes, at: open) {
                let end = Self.find("-->", in: bytes, from: open + 4) ?? bytes.count
                comments.append(Self.folded(bytes[min(open + 4, end)..<end]))
                index = min(end + 3, bytes.count)
                continue
            }
            guard let tag = Self.tag(in: bytes, at: open) else {
                index = open + 1
                continue
            }
            tags.append(tag)
            index = tag.range.upperBound
            // What is inside these is not markup.
            if tag.name == "script" || tag.name == "style" {
                index = Self.find("</\(tag.name)", in: bytes, from: index) ?? bytes.count
            }
        }
    }

    private mutating func appendText(_ bytes: ArraySlice<UInt8>) {
        guard !tags.isEmpty else { return }
        let text = Self.folded(bytes)
        guard !text.isEmpty else { return }
        let last = tags.count - 1
        tags[last].textAfter = tags[last].textAfter.isEmpty ? text : tags[last].textAfter + " " + text
    }

    // MARK: Bytes

    private static func find(_ byte: UInt8, in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.endIndex {
            if bytes[index] == byte { return index }
            index += 1
        }
        return nil
    }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.endIndex {
            if starts(text, in: bytes, at: index) { return index }
            index += 1
        }
        return nil
    }

    private static func starts(_ text: String, in bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
        var position = index
        for byte in text.utf8 {
            guard position < bytes.endIndex, lower(bytes[position]) == byte else { return false }
            position += 1
        }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte + 32 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        !isBlank(byte) && byte != 0x3E && byte != 0x2F && byte != 0x3D && byte != 0x3C
    }

    /// The tag that begins at an offset; `nil` if the `<` there begins none. A tag without `>` ends with the bytes, and so
    /// does a value whose quote is not closed.
    package static func tag(in bytes: ArraySlice<UInt8>, at open: Int) -> Tag? {
        var index = open + 1
        var name: [UInt8] = []
        if index < bytes.endIndex, bytes[index] == 0x2F {
            name.append(0x2F)
            index += 1
        }
        while index < bytes.endIndex, isNameByte(bytes[index]) {
            name.append(lower(bytes[index]))
            index += 1
        }
        guard let first = name.first(where: { $0 != 0x2F }), first >= 0x61 && first <= 0x7A || first == 0x21 else {
            return nil
        }
        var attributes: [Attribute] = []
        while index < bytes.endIndex, bytes[index] != 0x3E {
            if isBlank(bytes[index]) || bytes[index] == 0x2F {
                index += 1
                continue
            }
            let start = index
            var key: [UInt8] = []
            while index < bytes.endIndex, isNameByte(bytes[index]) {
                key.append(lower(bytes[index]))
                index += 1
            }
            if key.isEmpty {
                index += 1
                continue
            }
            let end = index
            while index < bytes.endIndex, isBlank(bytes[index]) { index += 1 }
            let value = valueRange(in: bytes, from: &index)
            attributes.append(
                Attribute(
                    name: String(decoding: key, as: UTF8.self), value: HTMLEntities.unescaped(bytes[value]),
                    nameRange: start..<end, valueRange: value))
        }
        return Tag(
            name: String(decoding: name, as: UTF8.self), attributes: attributes, textAfter: "",
            range: open..<min(index + 1, bytes.endIndex))
    }

    /// The value of an attribute from its equals sign on; empty without one.
    private static func valueRange(in bytes: ArraySlice<UInt8>, from index: inout Int) -> Range<Int> {
        guard index < bytes.endIndex, bytes[index] == 0x3D else { return index..<index }
        index += 1
        while index < bytes.endIndex, isBlank(bytes[index]) { index += 1 }
        guard index < bytes.endIndex, bytes[index] == 0x22 || bytes[index] == 0x27 else {
            let start = index
            while index < bytes.endIndex, !isBlank(bytes[index]), bytes[index] != 0x3E { index += 1 }
            return start..<index
        }
        let start = index + 1
        let end = find(bytes[index], in: bytes, from: start) ?? bytes.endIndex
        index = min(end + 1, bytes.endIndex)
        return start..<end
    }

    /// Text with references replaced, blanks folded to one space and trimmed.
    private static func folded(_ bytes: ArraySlice<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for byte in bytes {
            if isBlank(byte) {
                if let last = out.last, last != 0x20 { out.append(0x20) }
            } else {
                out.append(byte)
            }
        }
        if out.last == 0x20 { out.removeLast() }
        return HTMLEntities.unescaped(out[...])
    }
}
