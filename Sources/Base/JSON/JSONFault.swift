import CJansson
import Diagnostics

/// Why bytes are not JSON that we read: the byte offset, and the message.
struct JSONFault: Error, Hashable {
    /// What kind of fault it is; the raw value ends the rule id.
    enum Kind: String {
        case syntax = "001"
        case duplicateKey = "002"
        case tooDeep = "003"
        case tooLarge = "004"
        case encoding = "005"
        case numberRange = "006"
        case byteOrderMark = "007"
    }

    var kind = Kind.syntax
    var offset: Int
    var length = 1
    var message: String
    var remedy: String?

    func diagnostic(in source: SourceText, pointer: String? = nil) -> Diagnostic {
        Diagnostic(
            rule: "B2C-JSON-\(kind.rawValue)", message, remedy: remedy,
            at: source.location(at: offset, byteLength: length, pointer: pointer))
    }

    /// 3 where the text begins with the UTF-8 byte order mark, else 0.
    static func byteOrderMarkLength(_ bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// What must be known before any parser is let loose: that the text is neither too large nor too deep.
    static func outOfBounds(_ bytes: [UInt8]) -> JSONFault? {
        guard bytes.count <= JSONLimits.bytes else {
            return JSONFault(
                kind: .tooLarge, offset: 0,
                message: "the text has \(bytes.count) bytes; at most \(JSONLimits.bytes) are read",
                remedy: "Split it, or check that this is the file you meant.")
        }
        let tooDeep: Int? = bytes.withUnsafeBufferPointer { buffer in
            var depth = 0
            var inString = false
            var offset = 0
            while offset < buffer.count {
                let byte = buffer[offset]
                if inString {
                    if byte == UInt8(ascii: "\\") {
                        offset += 1
                    } else if byte == UInt8(ascii: "\"") {
                        inString = false
                    }
                } else if byte == UInt8(ascii: "\"") {
                    inString = true
                } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    depth += 1
                    if depth > JSONLimits.depth { return offset }
                } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                    depth -= 1
                }
                offset += 1
            }
            return nil
        }
        return tooDeep.map { offset in
            JSONFault(
                kind: .tooDeep, offset: offset,
                message: "arrays and objects are nested more than \(JSONLimits.depth) deep here",
                remedy: "Flatten the structure; no file that a person writes needs so many levels.")
        }
    }

    /// The fault of a text that jansson refused. Our own walk finds it; jansson's words serve where the walk finds
    /// nothing, which would be a difference between the two grammars.
    static func explaining(_ bytes: [UInt8], _ error: json_error_t) -> JSONFault {
        if let fault = wrongEncoding(bytes) { return fault }
        if let fault = JSONFaultFinder.fault(in: bytes) { return fault }
        let words = withUnsafeBytes(of: error.text) { text in
            String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        let offset = byteOrderMarkLength(bytes) + max(Int(error.position) - 1, 0)
        return JSONFault(offset: min(offset, bytes.count), message: "this is not JSON: \(words)")
    }

    private static func wrongEncoding(_ bytes: [UInt8]) -> JSONFault? {
        let start = Array(bytes.prefix(4))
        let zeros = start.map { $0 == 0 }
        let name: String
        if start.starts(with: [0xFF, 0xFE, 0, 0]) || zeros == [false, true, true, true] {
            name = "UTF-32 (little-endian)"
        } else if start.starts(with: [0, 0, 0xFE, 0xFF]) || zeros == [true, true, true, false] {
            name = "UTF-32 (big-endian)"
        } else if start.starts(with: [0xFF, 0xFE]) || zeros == [false, true, false, true] {
            name = "UTF-16 (little-endian)"
        } else if start.starts(with: [0xFE, 0xFF]) || zeros == [true, false, true, false] {
            name = "UTF-16 (big-endian)"
        } else {
            return nil
        }
        return JSONFault(
            kind: .encoding, offset: 0, message: "the text is encoded in \(name); JSON is UTF-8 (RFC 8259 section 8.1)",
            remedy: "Save the file as UTF-8.")
    }
}
