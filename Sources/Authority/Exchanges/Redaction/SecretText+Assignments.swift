import Diagnostics
import HTTPMessages

/// Secrets as reports learn them: less than ``spots(in:)``, because a value that is learnt is masked everywhere.
extension SecretText {
    /// The value of a parameter or a member whose name says that it is a secret.
    struct SecretAssignment {
        /// Bytes of the text.
        let range: Range<Int>
        /// As it is written there.
        let value: String
        let kind: SecretKind

        /// Without percent-encoding.
        var decoded: String { PercentCoding.decode(value, plusIsSpace: true) }
    }

    /// Calls `tell` for every secret in a text that its looks (``SecretShape``) or the name of a parameter or a member
    /// give away, with its bytes in the text; `nil` for one that is encoded there.
    package static func find(in text: String, _ tell: (String, SecretKind, Range<Int>?) -> Void) {
        let bytes = Array(text.utf8)
        find(in: bytes, assignments(in: bytes), tell)
    }

    static func find(
        in bytes: [UInt8], _ assignments: [SecretAssignment], _ tell: (String, SecretKind, Range<Int>?) -> Void
    ) {
        SecretShape.find(in: bytes) { range, kind in
            tell(String(decoding: bytes[range], as: UTF8.self), kind, range)
        }
        for assignment in assignments {
            let decoded = assignment.decoded
            tell(decoded, assignment.kind, decoded == assignment.value ? assignment.range : nil)
        }
    }

    /// `name=value` of URLs and forms and `"name":"value"` of JSON inside a text, also where its quotes are escaped.
    ///
    /// The value of a parameter may have parameters in it, which are within one another to the same end:
    /// `password=token=x`. Of such a nest the outermost are returned, which have all of its text, and the innermost. To
    /// keep each suffix of a text would take its square.
    static func assignments(in bytes: [UInt8]) -> [SecretAssignment] {
        var all: [SecretAssignment] = []
        func append(_ range: Range<Int>, _ kind: SecretKind) {
            all.append(SecretAssignment(range: range, value: String(decoding: bytes[range], as: UTF8.self), kind: kind))
        }
        var end = 0
        var depth = 0
        var innermost: (range: Range<Int>, kind: SecretKind)?
        func closeNest() {
            if let innermost { append(innermost.range, innermost.kind) }
            innermost = nil
            depth = 0
        }
        for place in bytes.indices {
            switch bytes[place] {
            case UInt8(ascii: "="):
                guard let name = name(bytes, endingAt: place) else { continue }
                if place >= end {
                    closeNest()
                    end = bytes[(place + 1)...].firstIndex { isParameterEnd($0) } ?? bytes.count
                }
                guard let kind = kind(bytes, name, place + 1..<end) else { continue }
                depth += 1
                if depth < deepestNest {
                    append(place + 1..<end, kind)
                } else {
                    innermost = (place + 1..<end, kind)
                }
            case UInt8(ascii: ":"):
                guard let (name, range) = member(bytes, at: place), let kind = kind(bytes, name, range), kind != .code
                else { continue }
                closeNest()
                append(range, kind)
            default: continue
            }
        }
        closeNest()
        return all
    }

    /// So many values within one another are kept.
    private static let deepestNest = 4

    /// The kind of secret that a value is under a name.
    private static func kind(_ bytes: [UInt8], _ name: String, _ range: Range<Int>) -> SecretKind? {
        // A key's first line is public, but looks like a secret when it is alone.
        guard !range.isEmpty, !bytes[range].starts(with: keyBegin.dropLast()) else { return nil }
        // Of a long value no more than says that it is long.
        let value = String(decoding: bytes[range].prefix(SecretKind.longestWord + 1), as: UTF8.self)
        guard let kind = SecretKind.parameter(name, value), kind.admitsParameter(name, value) else { return nil }
        return kind
    }

    private static func member(_ bytes: [UInt8], at colon: Int) -> (name: String, range: Range<Int>)? {
        guard colon > 1, bytes[colon - 1] == quote else { return nil }
        let nameEnd = bytes[colon - 2] == backslash ? colon - 2 : colon - 1
        guard let name = name(bytes, endingAt: nameEnd) else { return nil }
        var start = colon + 1
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == backslash { start += 1 }
        guard start < bytes.count, bytes[start] == quote else { return nil }
        let end = bytes[(start + 1)...].firstIndex { $0 == quote || $0 == backslash } ?? bytes.count
        return (name, (start + 1)..<end)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The name that ends at a place, if it is that of a secret.
    private static func name(_ bytes: [UInt8], endingAt end: Int) -> String? {
        var start = end
        while start > 0, isNameByte(bytes[start - 1]), end - start < longestName { start -= 1 }
        guard start < end else { return nil }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        return SecretKind.parameter(name) == nil ? nil : name
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
