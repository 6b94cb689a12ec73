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

    /// What every token begins with.
    static let tokenStart = SecretShape.tokenStart

    /// `name=value` of URLs and forms and `"name":"value"` of JSON inside a text, also where its quotes are escaped.
    private static func assignments(_ bytes: [UInt8], _ tell: (String, SecretKind) -> Void) {
        forEachAssignment(bytes) { raw, kind in tell(PercentCoding.decode(raw, plusIsSpace: true), kind) }
    }

    /// The text with the values of parameters replaced that have a label, whatever their length.
    static func relabelled(_ text: String, _ label: (String) -> String?) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else { return text }
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
