import Diagnostics

/// A file in an archive.
public struct ArchiveEntry: Hashable, Sendable {
    /// Its name: parts between `/`, none of them `..`.
    public var name: String
    /// Its content.
    public var bytes: [UInt8]

    /// A file under a name.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Why an archive cannot be read or written.
public struct ArchiveProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The entry it is about; `nil` where it is about the archive as a whole.
    public var entry: String?
    /// What is wrong, as a sentence without its end.
    public var text: String

    init(_ text: String, entry: String? = nil) {
        self.text = text
        self.entry = entry
    }

    /// The entry and what is wrong with it.
    public var description: String { entry.map { "\(Self.shown($0)): \(text)" } ?? text }

    /// A name that may come from anybody, without what could move a terminal's cursor.
    private static func shown(_ name: String) -> String {
        let text = VisibleText.of(String(name.prefix(200)), keeping: [])
        return text.isEmpty ? "an entry without a name" : text
    }
}

/// How much an archive may hold.
public struct ArchiveLimits: Sendable {
    /// Most entries.
    public var entries: Int
    /// Most bytes of one entry, unpacked.
    public var entryBytes: Int
    /// Most bytes of all entries together, unpacked.
    public var totalBytes: Int

    /// Limits that the caller sets.
    public init(entries: Int, entryBytes: Int, totalBytes: Int) {
        self.entries = entries
        self.entryBytes = entryBytes
        self.totalBytes = totalBytes
    }

    /// 10,000 entries, 256 MB each, 512 MB together.
    public static let usual = ArchiveLimits(entries: 10_000, entryBytes: 256 << 20, totalBytes: 512 << 20)
}

/// The records of a ZIP file (PKWARE APPNOTE 6.3.10, section 4.3), as far as both sides need them.
enum ZIPRecord {
    static let localSignature: UInt32 = 0x0403_4B50
    static let centralSignature: UInt32 = 0x0201_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    static let zip64LocatorSignature: UInt32 = 0x0706_4B50
    static let localSize = 30
    static let centralSize = 46
    static let endSize = 22
    static let zip64LocatorSize = 20
    /// Names are UTF-8 (general purpose bit 11).
    static let utf8Flag = 1 << 11
    /// Sizes and sum are behind the data (general purpose bit 3).
    static let descriptorFlag = 1 << 3
}

/// Rules for the names of entries, the same for reading and writing.
enum EntryName {
    /// Why a name is refused; `nil` for a good one. A folder's name ends with `/`.
    static func complaint(_ name: String) -> String? {
        if name.isEmpty { return "its name is empty" }
        if name.utf8.count > 1024 { return "its name has more than 1,024 bytes" }
        if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "its name holds a control character" }
        if name.utf8.contains(UInt8(ascii: "\\")) { return "its name holds a backslash" }
        if name.hasPrefix("/") { return "its name is an absolute path" }
        var parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        if let first = parts.first, first.utf8.count == 2, first.hasSuffix(":") {
            return "its name begins with a drive"
        }
        if parts.contains("..") { return "its name leads out of the archive by `..`" }
        if parts.contains("") || parts.contains(".") { return "its name has a part that is empty or `.`" }
        return nil
    }
}
