import Diagnostics
import HTTPMessages

/// Finds secrets inside texts by their looks (``SecretShape``) and by names of parameters and members: `code=...`.
package enum SecretScan {
    /// Tells of every secret in a text, in order.
    package static func find(in text: String, _ tell: (String, SecretKind) -> Void) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 4 else { return }
        SecretShape.find(in: bytes) { range, kind in tell(String(decoding: bytes[range], as: UTF8.self), kind) }
        assignments(bytes, tell)
    }

    /// Compact JWS and JWE, and the sealed grants of B2C, all begin with the Base64url of `{"`: `eyJ`.
    private static func tokens(_ bytes: [UInt8], _ tell: (String, SecretKind) -> Void) {
        var place = 0
        while place + shortestToken <= bytes.count {
            guard bytes[place] == UInt8(ascii: "e"), bytes[place + 1] == UInt8(ascii: "y"),
                bytes[place + 2] == UInt8(ascii: "J"), beginsWord(bytes, at: place)
            else {
                place += 1
                continue
            }
            var end = place
            while end < bytes.count, isTokenByte(bytes[end]) { end += 1 }
            // A token does not end in full stops: those are the ellipsis of a value that was cut, or of a sentence.
            let whole = end
            while end > place, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
            // Without a second part it is only encoded JSON, such as `client_info`, unless the rest was cut off.
            let isToken = bytes[place..<end].contains(UInt8(ascii: ".")) || whole - end >= 3
            if isToken, end - place >= shortestToken {
                tell(String(decoding: bytes[place..<end], as: UTF8.self), .token)
            }
            place = max(end, place + 1)
        }
    }

    /// What every token begins with: the Base64url of `{"`.
    static let tokenStart = "eyJ"

    private static let shortestToken = 20

    /// The state that the service hands to the browser in cookies and hidden fields: `m1.` and four parts more.
    private static func sealedState(_ bytes: [UInt8], _ tell: (String, SecretKind) -> Void) {
        var place = 0
        while place + shortestToken <= bytes.count {
            guard bytes[place] == UInt8(ascii: "m"), bytes[place + 1] == UInt8(ascii: "1"),
                bytes[place + 2] == UInt8(ascii: "."), beginsWord(bytes, at: place)
            else {
                place += 1
                continue
            }
            let end = endOfSealedState(bytes, from: place)
            if end - place >= shortestToken {
                tell(String(decoding: bytes[place..<end], as: UTF8.self), .cookie)
            }
            place = max(end, place + 1)
        }
    }

    /// The parts are base64 with padding, which URLs and forms may percent-encode.
    private static func endOfSealedState(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            if isTokenByte(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            {
                place += 1
            } else if byte == UInt8(ascii: "%"), place + 2 < bytes.count,
                ["2B", "2F", "3D"].contains(
                    String(decoding: bytes[place + 1...place + 2], as: UTF8.self).uppercased())
            {
                place += 3
            } else {
                break
            }
        }
        return place
    }

    /// `name=value` of URLs and forms and `"name":"value"` of JSON inside a text, also where its quotes are escaped.
    private static func assignments(_ bytes: [UInt8], _ tell: (String, SecretKind) -> Void) {
        forEachAssignment(bytes) { raw, kind in tell(PercentCoding.decode(raw, plusIsSpace: true), kind) }
    }

    /// The text with the values of parameters replaced that have a label, whatever their length.
    static func relabelled(_ text: String, _ label: (String) -> String?) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        forEachAssignment(bytes) { range, raw, _ in
            guard range.lowerBound >= copied,
                let label = label(raw) ?? label(PercentCoding.decode(raw, plusIsSpace: true))
            else { return }
            result += bytes[copied..<range.lowerBound] + Array(label.utf8)
            copied = range.upperBound
        }
        guard copied > 0 else { return text }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private static func forEachAssignment(_ bytes: [UInt8], _ tell: (String, SecretKind) -> Void) {
        forEachAssignment(bytes) { _, raw, kind in tell(raw, kind) }
    }

    private static func forEachAssignment(_ bytes: [UInt8], _ tell: (Range<Int>, String, SecretKind) -> Void) {
        for place in bytes.indices {
            let found: (kind: SecretKind, range: Range<Int>)? =
                switch bytes[place] {
                case UInt8(ascii: "="): parameter(bytes, at: place)
                case UInt8(ascii: ":"): member(bytes, at: place)
                default: nil
                }
            // A key's first line is no secret, and alone would be taken for one.
            guard let found, !found.range.isEmpty, !bytes[found.range].starts(with: keyBegin.dropLast()) else {
                continue
            }
            tell(found.range, String(decoding: bytes[found.range], as: UTF8.self), found.kind)
        }
    }

    private static func parameter(_ bytes: [UInt8], at equals: Int) -> (kind: SecretKind, range: Range<Int>)? {
        guard let name = name(bytes, endingAt: equals), SecretKind.parameter(name) != nil else { return nil }
        let end = bytes[(equals + 1)...].firstIndex { isParameterEnd($0) } ?? bytes.count
        let value = String(decoding: bytes[(equals + 1)..<end], as: UTF8.self)
        guard let kind = SecretKind.parameter(name, value) else { return nil }
        return kind.admitsParameter(name, value) ? (kind, (equals + 1)..<end) : nil
    }

    private static func member(_ bytes: [UInt8], at colon: Int) -> (kind: SecretKind, range: Range<Int>)? {
        guard colon > 1, bytes[colon - 1] == quote else { return nil }
        let nameEnd = bytes[colon - 2] == backslash ? colon - 2 : colon - 1
        guard let name = name(bytes, endingAt: nameEnd), SecretKind.parameter(name) != nil else { return nil }
        var start = colon + 1
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == backslash { start += 1 }
        guard start < bytes.count, bytes[start] == quote else { return nil }
        let end = bytes[(start + 1)...].firstIndex { $0 == quote || $0 == backslash } ?? bytes.count
        let value = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        guard let kind = SecretKind.parameter(name, value), kind != .code, kind.admitsParameter(name, value) else {
            return nil
        }
        return (kind, (start + 1)..<end)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    private static func name(_ bytes: [UInt8], endingAt end: Int) -> String? {
        var start = end
        while start > 0, isNameByte(bytes[start - 1]), end - start < longestName { start -= 1 }
        return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }

    private static let longestName = 40

    private static let keyBegin = Array("-----BEGIN ".utf8)
    private static let keyEnd = Array("-----END ".utf8)
    private static let keyLabel = Array("PRIVATE KEY".utf8)
    private static let hyphens = Array("-----".utf8)

    private static func first(_ sought: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while let next = bytes[place...].firstIndex(of: sought[0]), next + sought.count <= bytes.count {
            if bytes[next...].starts(with: sought) { return next }
            place = next + 1
        }
        return nil
    }

    /// Whether a token may begin here: not inside a word, but behind an encoded character such as the `%3d` of a whole URL
    /// that is percent-encoded.
    private static func beginsWord(_ bytes: [UInt8], at place: Int) -> Bool {
        guard place > 0, isTokenByte(bytes[place - 1]) else { return true }
        guard place > 2, bytes[place - 3] == UInt8(ascii: "%") else { return false }
        return bytes[place - 2..<place].allSatisfy { isHexDigit($0) }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool { isNameByte(byte) || byte == UInt8(ascii: ".") }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isParameterEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: ";"), UInt8(ascii: "\\"), 0...0x20:
            true
        default: false
        }
    }
}
