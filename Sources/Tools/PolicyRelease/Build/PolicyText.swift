import Diagnostics
import TrustFramework

/// A policy file, and the text that it builds to.
struct PolicyText {
    /// The file as UTF-8.
    let file: [UInt8]
    /// What is uploaded: settings and tenant filled in, without a byte order mark.
    let bytes: [UInt8]
    /// Which parts of `bytes` replace which parts of `file`, in order.
    let changes: [SourceText.Change]
    /// `bytes`, with positions of the file.
    let source: SourceText

    /// - Parameters:
    ///   - settings: Values for `{Settings:NAME}`.
    ///   - tenant: Replaces `yourtenant.onmicrosoft.com`; `nil` leaves it.
    init(path: String, bytes read: [UInt8], settings: [(name: String, value: String)], tenant: String?) {
        let file = Self.utf8(read)
        var edits: [(range: Range<Int>, text: [UInt8])] = []
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { edits.append((0..<3, [])) }
        let placeholders = PolicySettingsText.places(in: file)
        for place in placeholders {
            guard let setting = settings.first(where: { sameID($0.name, place.name) }) else { continue }
            edits.append((place.whole, Self.named(Array(setting.value.utf8), tenant)))
        }
        if let tenant {
            edits += TenantPlaceholder.places(in: file).filter { place in
                !placeholders.contains { $0.whole.overlaps(place) }
            }.map { ($0, Array(tenant.utf8)) }
        }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        var changes: [SourceText.Change] = []
        var copied = 0
        for edit in edits {
            bytes += file[copied..<edit.range.lowerBound]
            changes.append(
                SourceText.Change(range: bytes.count..<(bytes.count + edit.text.count), original: edit.range))
            bytes += edit.text
            copied = edit.range.upperBound
        }
        bytes += file[copied...]
        self.file = file
        self.bytes = bytes
        self.changes = changes
        source = SourceText(
            bytes: bytes, madeFrom: SourceText(file: path, bytes: file), changes: changes)
    }

    /// Where a place between two bytes of `bytes` is in `file`. The end of a change is behind what it replaces.
    func place(_ offset: Int) -> Int {
        guard let change = changes.last(where: { $0.range.lowerBound <= offset }) else { return offset }
        return offset < change.range.upperBound
            ? change.original.lowerBound : change.original.upperBound + (offset - change.range.upperBound)
    }

    /// The text of the file that a range of `bytes` is made from.
    func written(_ range: Range<Int>) -> ArraySlice<UInt8> {
        let start = place(range.lowerBound)
        return file[start..<max(start, place(range.upperBound))]
    }

    private static func named(_ text: [UInt8], _ tenant: String?) -> [UInt8] {
        guard let tenant else { return text }
        var result: [UInt8] = []
        var copied = 0
        for place in TenantPlaceholder.places(in: text) {
            result += text[copied..<place.lowerBound]
            result += tenant.utf8
            copied = place.upperBound
        }
        return result + text[copied...]
    }

    // MARK: UTF-16

    /// A file of UTF-16 with a byte order mark as UTF-8, as its declaration then says too. Other bytes stay: who reads them
    /// says what is wrong.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count.isMultiple(of: 2) else { return bytes }
        let units = stride(from: 2, to: bytes.count, by: 2).map { at -> UInt16 in
            let (high, low) = isLittle ? (bytes[at + 1], bytes[at]) : (bytes[at], bytes[at + 1])
            return UInt16(high) << 8 | UInt16(low)
        }
        guard let text = String(validating: units, as: UTF16.self) else { return bytes }
        return declaredUTF8(Array(text.utf8))
    }

    private static func declaredUTF8(_ bytes: [UInt8]) -> [UInt8] {
        let head = bytes.prefix(256)
        guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return bytes }
        let declaration = String(decoding: head[..<end], as: UTF8.self)
        guard let name = declaration.firstMatch(of: /encoding\s*=\s*["'](?<name>[^"']*)["']/)?.name else {
            return bytes
        }
        return Array((declaration[..<name.startIndex] + "utf-8" + declaration[name.endIndex...]).utf8) + bytes[end...]
    }
}
