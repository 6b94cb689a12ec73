extension PolicyReader {
    /// The `PolicyId` of a text whose first start tag is `TrustFrameworkPolicy`, without reading further. What follows
    /// may be broken: this is for finding files in a folder. Code that needs the policy reads the whole file.
    public static func peekPolicyID(_ bytes: [UInt8]) -> String? { peek("PolicyId", bytes) }

    /// The `TenantId` of a text, likewise.
    public static func peekTenantID(_ bytes: [UInt8]) -> String? { peek("TenantId", bytes) }

    private static func peek(_ name: String, _ bytes: [UInt8]) -> String? {
        var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while let open = next(UInt8(ascii: "<"), in: bytes, from: at) {
            let rest = bytes[(open + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = find("-->", in: bytes, from: open + 4) else { return nil }
                at = end + 3
            } else if rest.first == UInt8(ascii: "?") {
                guard let end = find("?>", in: bytes, from: open + 2) else { return nil }
                at = end + 2
            } else {
                guard rest.starts(with: "TrustFrameworkPolicy".utf8) else { return nil }
                return attribute(name, in: bytes, from: open + 21)
            }
        }
        return nil
    }

    /// The value of an attribute of the tag that `from` lies in.
    private static func attribute(_ name: String, in bytes: [UInt8], from: Int) -> String? {
        var at = from
        while at < bytes.count {
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            let start = at
            while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: "="), bytes[at] != UInt8(ascii: ">") {
                at += 1
            }
            guard at < bytes.count, at > start, bytes[at] != UInt8(ascii: ">") else { return nil }
            let found = bytes[start..<at]
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
            at += 1
            while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'"),
                let end = next(bytes[at], in: bytes, from: at + 1)
            else { return nil }
            if found.elementsEqual(name.utf8) { return String(decoding: bytes[(at + 1)..<end], as: UTF8.self) }
            at = end + 1
        }
        return nil
    }

    private static func next(_ byte: UInt8, in bytes: [UInt8], from: Int) -> Int? {
        guard from <= bytes.count else { return nil }
        return bytes[from...].firstIndex(of: byte)
    }

    private static func find(_ text: StaticString, in bytes: [UInt8], from: Int) -> Int? {
        let wanted = Array("\(text)".utf8)
        var at = from
        while let found = next(wanted[0], in: bytes, from: at) {
            if bytes[found...].starts(with: wanted) { return found }
            at = found + 1
        }
        return nil
    }
}
