import CJansson
import Diagnostics

/// Reads JSON that a peer sent or a program made. The top may be any value; of equal keys the last wins, as in most
/// readers. For files that people write use ``JSONDocument``, which is stricter and knows places.
public enum JSONParser {
    /// - Throws: ``InvalidInput`` with the place and the cause, if the bytes are not JSON, are nested deeper than
    ///   ``JSONLimits/depth``, or are more than ``JSONLimits/bytes``.
    public static func parse(_ bytes: [UInt8]) throws(InvalidInput) -> JSONValue {
        try parse(bytes, file: "JSON text")
    }

    /// The same for a text.
    public static func parse(_ text: String) throws(InvalidInput) -> JSONValue {
        try parse(Array(text.utf8), file: "JSON text")
    }

    /// The same, with the name that places in findings bear.
    public static func parse(_ bytes: [UInt8], file: String) throws(InvalidInput) -> JSONValue {
        // The fast reader reads what programs write; jansson reads everything else.
        if let value = JSONMessageReader.read(bytes) { return value }
        switch read(bytes) {
        case .success(let value): return value
        case .failure(let fault): throw InvalidInput(fault.diagnostic(in: SourceText(file: file, bytes: bytes)))
        }
    }

    /// Bounds first, so that jansson's recursion stays shallow, then jansson. Where that refuses, our own walk over the
    /// text finds the place and the words.
    static func read(_ bytes: [UInt8]) -> Result<JSONValue, JSONFault> {
        if let fault = JSONFault.outOfBounds(bytes) { return .failure(fault) }
        var error = json_error_t()
        // After a number jansson takes a NUL byte for the end of its buffer and reads on behind it.
        if bytes.contains(0) { return .failure(JSONFault.explaining(bytes, error)) }
        let parsed = bytes.withUnsafeBytes { buffer in
            let skipped = JSONFault.byteOrderMarkLength(bytes)
            let flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
            return json_loadb(
                buffer.baseAddress?.advanced(by: skipped).assumingMemoryBound(to: CChar.self), buffer.count - skipped,
                flags, &error)
        }
        guard let parsed else { return .failure(JSONFault.explaining(bytes, error)) }
        defer { json_decref(parsed) }
        return .success(convert(parsed))
    }

    private static func convert(_ node: UnsafeMutablePointer<json_t>) -> JSONValue {
        switch node.pointee.type {
        case JSON_OBJECT:
            var object = JSONObject()
            object.reserveCapacity(json_object_size(node))
            // jansson iterates members in the order of the text (since 2.8).
            var iterator = json_object_iter(node)
            while let current = iterator {
                if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
                    object.append(String(cString: key), convert(value))
                }
                iterator = json_object_iter_next(node, current)
            }
            return .object(object)
        case JSON_ARRAY:
            let count = json_array_size(node)
            var elements: [JSONValue] = []
            elements.reserveCapacity(count)
            for index in 0..<count {
                if let element = json_array_get(node, index) { elements.append(convert(element)) }
            }
            return .array(elements)
        case JSON_STRING:
            guard let text = json_string_value(node) else { return .string("") }
            let utf8 = UnsafeRawBufferPointer(start: text, count: json_string_length(node))
            return .string(String(decoding: utf8, as: UTF8.self))
        case JSON_INTEGER: return .integer(Int64(json_integer_value(node)))
        case JSON_REAL: return .number(json_real_value(node))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }
}
