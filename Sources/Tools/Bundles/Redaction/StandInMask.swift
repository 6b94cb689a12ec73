import Exchanges
import HTTPMessages
import JOSE
import JSON

/// Puts stand-ins in the places of secrets wherever they are in a text: as they are, in URLs and forms, in JSON and HTML
/// within it, and in Base64. Every stand-in is as long as its secret in each of these spellings.
struct StandInMask {
    private let mask: TextMask
    /// Replaced where they are a whole text, and nowhere in one.
    private var exact: [String: String] = [:]
    let isEmpty: Bool

    /// A secret with what stands for it.
    struct Pair {
        var secret: WrittenSecret
        var standIn: String
    }

    init(_ pairs: [Pair]) {
        let pairs = pairs.filter { !$0.secret.value.isEmpty }
        isEmpty = pairs.isEmpty
        var patterns: [TextMask.Spelling] = []
        for pair in pairs {
            guard !pair.secret.isShort else {
                exact[pair.secret.value] = pair.standIn
                continue
            }
            let spellings = zip(SecretSpelling.all(of: pair.secret.value), SecretSpelling.all(of: pair.standIn))
            for (secret, standIn) in spellings where secret.utf8.count == standIn.utf8.count {
                patterns.append(TextMask.Spelling(exactly: secret, label: standIn, isWhole: pair.secret.isOrdinary))
            }
        }
        mask = TextMask(patterns, isExact: true)
    }

    // MARK: Texts

    /// A text with stand-ins.
    func replaced(_ text: String) -> String {
        guard !isEmpty else { return text }
        if let whole = exact[text] { return whole }
        var bytes = Array(text.utf8)
        return replace(&bytes) ? String(decoding: bytes, as: UTF8.self) : text
    }

    /// The same for the bytes of a text; says whether there was anything.
    func replace(_ bytes: inout [UInt8], depth: Int = 0) -> Bool {
        var isChanged = mask.replace(&bytes)
        if replaceEncoded(&bytes) { isChanged = true }
        if depth < 2, replaceBase64(&bytes, depth: depth) { isChanged = true }
        return isChanged
    }

    /// `%XX` in any spelling: more may be encoded than need be, in either letter case.
    private func replaceEncoded(_ bytes: inout [UInt8]) -> Bool {
        guard bytes.contains(UInt8(ascii: "%")) else { return false }
        var plain: [UInt8] = []
        var offsets: [Int] = []
        var offset = 0
        while offset < bytes.count {
            offsets.append(offset)
            if bytes[offset] == UInt8(ascii: "%"), offset + 2 < bytes.count,
                let high = PercentCoding.hexValue(bytes[offset + 1]),
                let low = PercentCoding.hexValue(bytes[offset + 2])
            {
                plain.append(high << 4 | low)
                offset += 3
            } else {
                plain.append(bytes[offset])
                offset += 1
            }
        }
        let before = plain
        guard mask.replace(&plain) else { return false }
        for index in plain.indices where plain[index] != before[index] {
            let place = offsets[index]
            if bytes[place] == UInt8(ascii: "%") {
                let isLower = bytes[(place + 1)...(place + 2)].contains { $0 > 0x60 }
                let digits = Array((isLower ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
                bytes[place + 1] = digits[Int(plain[index] >> 4)]
                bytes[place + 2] = digits[Int(plain[index] & 15)]
            } else {
                bytes[place] = plain[index]
            }
        }
        return true
    }

    // MARK: Base64

    private func replaceBase64(_ bytes: inout [UInt8], depth: Int) -> Bool {
        var isChanged = false
        var start = 0
        while start < bytes.count {
            guard Self.isBase64(bytes[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < bytes.count, Self.isBase64(bytes[end]) { end += 1 }
            if end - start >= Self.shortestBase64, let new = encodedAnew(bytes[start..<end], depth: depth) {
                bytes.replaceSubrange(start..<end, with: new)
                isChanged = true
            }
            start = end
        }
        return isChanged
    }

    private static let shortestBase64 = 8

    static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func encodedAnew(_ run: ArraySlice<UInt8>, depth: Int) -> [UInt8]? {
        let isURL = run.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let text = run.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        guard var plain = Base64URL.decode(String(decoding: text, as: UTF8.self)), replace(&plain, depth: depth + 1)
        else { return nil }
        let new = Array(Base64URL.encode(plain).utf8)
        guard !isURL else { return new }
        return new.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
    }
}
