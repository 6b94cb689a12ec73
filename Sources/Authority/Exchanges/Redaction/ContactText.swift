import Diagnostics

/// Finds e-mail addresses and telephone numbers in a text of any form, percent-encoded or not. Each byte is looked at a
/// fixed number of times.
package enum ContactText {
    /// The text with `<email>` and `<phone>` in place of them. Addresses at `example.com` are stand-ins already.
    ///
    /// - Parameter isKnown: Whether an address or a number, as it is written, stays because it has a stand-in.
    package static func masked(_ text: String, isKnown: (String) -> Bool = { _ in false }) -> String {
        let bytes = Array(text.utf8)
        var pieces = TextPieces()
        /// Where the part before the next mark may begin.
        var start = 0
        var place = 0
        while place < bytes.count {
            if let length = atLength(bytes, place) {
                let end = endOfPart(bytes, from: place + length)
                let domain = withoutDots(bytes, place + length..<end)
                var first = place
                while first > start, isPartByte(bytes[first - 1]) { first -= 1 }
                if first < place, isDomain(bytes[domain]),
                    !isKnown(String(decoding: bytes[first..<domain.upperBound], as: UTF8.self))
                {
                    pieces.put("<email>", at: first..<domain.upperBound)
                }
                start = max(place + length, pieces.end)
                place = start
            } else if let end = endOfPhone(bytes, at: place),
                !isKnown(String(decoding: bytes[place..<end], as: UTF8.self))
            {
                pieces.put("<phone>", at: place..<end)
                (start, place) = (end, end)
            } else {
                place += 1
            }
        }
        return pieces.text(in: bytes) ?? text
    }

    /// How many bytes an at sign has here; `nil` where there is none.
    private static func atLength(_ bytes: [UInt8], _ place: Int) -> Int? {
        if bytes[place] == UInt8(ascii: "@") { return 1 }
        return bytes[place...].starts(with: "%40".utf8) ? 3 : nil
    }

    private static func endOfPart(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, isPartByte(bytes[end]), atLength(bytes, end) == nil { end += 1 }
        return end
    }

    /// Without the full stops of the sentence behind it.
    private static func withoutDots(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return range.lowerBound..<end
    }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains(UInt8(ascii: ".")) && String(decoding: bytes, as: UTF8.self).lowercased() != "example.com"
    }

    /// An international number: `+` and at least eight digits (ITU-T E.164).
    private static func endOfPhone(_ bytes: [UInt8], at place: Int) -> Int? {
        let isEncoded = bytes[place...].starts(with: "%2B".utf8) || bytes[place...].starts(with: "%2b".utf8)
        guard isEncoded || bytes[place] == UInt8(ascii: "+") else { return nil }
        let start = place + (isEncoded ? 3 : 1)
        var end = start
        while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
        return end - start >= 8 ? end : nil
    }

    private static func isPartByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && !"'\"()<>@/?&=,;:".utf8.contains(byte)
    }

    // MARK: Addresses alone

    /// The parts of a text that is an e-mail address; `nil` if it is not one.
    package static func address(_ text: String) -> (local: Substring, domain: Substring)? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].contains(".") else { return nil }
        return (parts[0], parts[1])
    }

    /// The e-mail addresses of a text with their bytes, as policies and scripts write them.
    package static func addresses(in text: String) -> [(range: Range<Int>, text: String)] {
        let bytes = Array(text.utf8)
        var found: [(range: Range<Int>, text: String)] = []
        for (at, byte) in bytes.enumerated() where byte == UInt8(ascii: "@") {
            var start = at
            while start > 0, isLocalByte(bytes[start - 1]) { start -= 1 }
            var end = at + 1
            while end < bytes.count, isDomainByte(bytes[end]) { end += 1 }
            while end > at + 1, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
            guard start < at, bytes[(at + 1)..<end].contains(UInt8(ascii: ".")) else { continue }
            found.append((start..<end, String(decoding: bytes[start..<end], as: UTF8.self)))
        }
        return found
    }

    private static func isLocalByte(_ byte: UInt8) -> Bool {
        isDomainByte(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
