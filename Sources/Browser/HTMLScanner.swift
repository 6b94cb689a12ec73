/// The little of HTML that a page driver without a rendering engine needs: tags with attributes, comments, and the
/// text between. It never fails; what it does not understand it passes over.
struct HTMLScanner {
    struct Tag: Equatable {
        /// Lower case; a closing tag begins with a slash.
        var name: String
        var attributes: [(name: String, value: String)]
        /// The text from the end of this tag to the next tag, with entities decoded and blanks folded.
        var textAfter: String

        subscript(name: String) -> String? {
            attributes.first { $0.name == name }?.value
        }

        static func == (a: Tag, b: Tag) -> Bool {
            a.name == b.name && a.textAfter == b.textAfter
                && a.attributes.elementsEqual(b.attributes) { $0.name == $1.name && $0.value == $1.value }
        }
    }

    private(set) var tags: [Tag] = []
    /// The texts of `<!-- -->`, trimmed.
    private(set) var comments: [String] = []

    init(_ html: String) {
        let bytes = Array(html.utf8)
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
            guard let (tag, next) = Self.tag(in: bytes, at: open) else {
                index = open + 1
                continue
            }
            tags.append(tag)
            index = next
            // What is inside these is not markup.
            if tag.name == "script" || tag.name == "style" {
                index = Self.find("</\(tag.name)", in: bytes, from: next) ?? bytes.count
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

    private static func find(_ byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == byte { return index }
            index += 1
        }
        return nil
    }

    private static func find(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if starts(text, in: bytes, at: index) { return index }
            index += 1
        }
        return nil
    }

    private static func starts(_ text: String, in bytes: [UInt8], at index: Int) -> Bool {
        var position = index
        for byte in text.utf8 {
            guard position < bytes.count, lower(bytes[position]) == byte else { return false }
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

    private static func tag(in bytes: [UInt8], at open: Int) -> (Tag, Int)? {
        var index = open + 1
        var name: [UInt8] = []
        if index < bytes.count, bytes[index] == 0x2F {
            name.append(0x2F)
            index += 1
        }
        while index < bytes.count, isNameByte(bytes[index]) {
            name.append(lower(bytes[index]))
            index += 1
        }
        guard let first = name.first(where: { $0 != 0x2F }), first >= 0x61 && first <= 0x7A || first == 0x21 else {
            return nil
        }
        var attributes: [(name: String, value: String)] = []
        while index < bytes.count, bytes[index] != 0x3E {
            if isBlank(bytes[index]) || bytes[index] == 0x2F {
                index += 1
                continue
            }
            var key: [UInt8] = []
            while index < bytes.count, isNameByte(bytes[index]) {
                key.append(lower(bytes[index]))
                index += 1
            }
            if key.isEmpty {
                index += 1
                continue
            }
            while index < bytes.count, isBlank(bytes[index]) { index += 1 }
            var value: ArraySlice<UInt8> = []
            if index < bytes.count, bytes[index] == 0x3D {
                index += 1
                while index < bytes.count, isBlank(bytes[index]) { index += 1 }
                if index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 {
                    let quote = bytes[index]
                    let end = find(quote, in: bytes, from: index + 1) ?? bytes.count
                    value = bytes[(index + 1)..<end]
                    index = min(end + 1, bytes.count)
                } else {
                    let start = index
                    while index < bytes.count, !isBlank(bytes[index]), bytes[index] != 0x3E { index += 1 }
                    value = bytes[start..<index]
                }
            }
            attributes.append((String(decoding: key, as: UTF8.self), decoded(value)))
        }
        return (
            Tag(name: String(decoding: name, as: UTF8.self), attributes: attributes, textAfter: ""),
            min(index + 1, bytes.count)
        )
    }

    /// Text with entities decoded, blanks folded to one space and trimmed.
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
        return decoded(out[...])
    }

    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// The five XML entities, the no-break space and numbers.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(0x26) else { return String(decoding: bytes, as: UTF8.self) }
        var out = ""
        var rest = bytes
        while let ampersand = rest.firstIndex(of: 0x26) {
            out += String(decoding: rest[rest.startIndex..<ampersand], as: UTF8.self)
            let after = rest[(ampersand + 1)...]
            if let end = after.prefix(10).firstIndex(of: 0x3B) {
                let name = String(decoding: after[after.startIndex..<end], as: UTF8.self)
                if let text = entities[name] {
                    out += text
                    rest = rest[(end + 1)...]
                    continue
                }
                if name.hasPrefix("#") {
                    let digits = name.dropFirst()
                    let number =
                        digits.hasPrefix("x") || digits.hasPrefix("X")
                        ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
                    if let number, let scalar = Unicode.Scalar(number) {
                        out.unicodeScalars.append(scalar)
                        rest = rest[(end + 1)...]
                        continue
                    }
                }
            }
            out += "&"
            rest = after
        }
        return out + String(decoding: rest, as: UTF8.self)
    }
}
