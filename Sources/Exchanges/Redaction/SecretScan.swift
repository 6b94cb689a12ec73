import Diagnostics
import HTTPMessages

/// Finds secrets inside texts by their looks (``SecretShape``) and by names of parameters and members: `code=...`.
package enum SecretScan {
    /// The value of a parameter or a member whose name says that it is a secret.
    struct Assignment {
        /// Bytes of the text.
        let range: Range<Int>
        /// As it is written there.
        let value: String
        let kind: SecretKind

        /// Without percent-encoding.
        var decoded: String { PercentCoding.decode(value, plusIsSpace: true) }
    }

    /// Calls `tell` for every secret in a text, in order.
    package static func find(in text: String, _ tell: (String, SecretKind) -> Void) {
        let bytes = Array(text.utf8)
        guard mayHaveSecrets(bytes) else { return }
        find(in: bytes, assignments(in: bytes), tell)
    }

    static func find(in bytes: [UInt8], _ assignments: [Assignment], _ tell: (String, SecretKind) -> Void) {
        SecretShape.find(in: bytes) { range, kind in tell(String(decoding: bytes[range], as: UTF8.self), kind) }
        for assignment in assignments { tell(assignment.decoded, assignment.kind) }
    }

    static func mayHaveSecrets(_ bytes: [UInt8]) -> Bool { bytes.count >= 4 }

    /// What every token begins with.
    static let tokenStart = SecretShape.tokenStart

    /// The text with the values of parameters replaced that have a label, whatever their length; `nil` where none has one.
    ///
    /// - Parameter assignments: Those of the text.
    static func relabelled(_ text: String, _ assignments: [Assignment], _ ledger: SecretLedger) -> String? {
        var result: [UInt8] = []
        var copied = 0
        var bytes: [UInt8] = []
        for assignment in assignments where assignment.range.lowerBound >= copied {
            guard let label = ledger.label(of: assignment.value) ?? ledger.label(of: assignment.decoded) else {
                continue
            }
            if bytes.isEmpty { bytes = Array(text.utf8) }
            result += bytes[copied..<assignment.range.lowerBound]
            result += label.utf8
            copied = assignment.range.upperBound
        }
        guard copied > 0 else { return nil }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// `name=value` of URLs and forms and `"name":"value"` of JSON inside a text, also where its quotes are escaped.
    static func assignments(in bytes: [UInt8]) -> [Assignment] {
        var all: [Assignment] = []
        for place in bytes.indices {
            let byte = bytes[place]
            guard byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") else { continue }
            // A key's first line is public, but looks like a secret when it is alone.
            guard let found = byte == UInt8(ascii: "=") ? parameter(bytes, at: place) : member(bytes, at: place),
                !found.range.isEmpty, !bytes[found.range].starts(with: keyBegin.dropLast())
            else { continue }
            all.append(
                Assignment(
                    range: found.range, value: String(decoding: bytes[found.range], as: UTF8.self), kind: found.kind))
        }
        return all
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
