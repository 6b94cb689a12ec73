/// Textual encoding of keys (RFC 7468).
package enum PEM {
    /// The first block of a text.
    package static func read(_ text: String) -> (label: String, bytes: [UInt8])? {
        var label: String?
        var body: [UInt8] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if let open = label {
                if line.hasPrefix("-----END ") {
                    guard line.hasPrefix("-----END \(open)-----"), let bytes = decode(body) else { return nil }
                    return (open, bytes)
                }
                body.append(contentsOf: line.utf8.filter { $0 != 32 && $0 != 9 })
            } else if line.hasPrefix("-----BEGIN "), let end = line.dropFirst(11).firstIndex(of: "-") {
                label = String(line[line.index(line.startIndex, offsetBy: 11)..<end])
            }
        }
        return nil
    }

    private static func decode(_ body: [UInt8]) -> [UInt8]? {
        Base64.decode(String(decoding: body, as: UTF8.self))
    }

    package static func write(_ label: String, _ bytes: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var rest = Base64.encode(bytes)[...]
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }
}
