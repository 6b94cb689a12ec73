import JOSE

/// Reads ZIP archives, distrusting everything in them: they come by mail.
///
/// Stored and deflated entries are read. Everything else (encryption, other methods, the 64-bit form, several parts) is
/// refused by name, and so is an archive whose two descriptions of an entry differ, whose entries overlap, or that has
/// bytes where none belong.
public enum ZIPReader {
    /// The entries in the order of the directory; folders are omitted.
    ///
    /// - Throws: ``ArchiveProblem`` with the first thing that is wrong.
    public static func entries(
        _ bytes: [UInt8], limits: ArchiveLimits = .usual
    ) throws(ArchiveProblem) -> [ArchiveEntry] {
        let end = try end(of: bytes)
        let records = try directory(bytes, end, limits)
        try checkPlaces(bytes, records, end)
        var entries: [ArchiveEntry] = []
        for record in records where !record.name.hasSuffix("/") {
            entries.append(ArchiveEntry(name: record.name, bytes: try content(bytes, record)))
        }
        return entries
    }

    /// Whether bytes begin as a ZIP archive does, an empty one included.
    public static func looksLikeArchive(_ bytes: [UInt8]) -> Bool {
        let start = number(bytes, 0, 4)
        return start == Int(ZIPRecord.localSignature) || start == Int(ZIPRecord.endSignature)
    }

    // MARK: End

    private struct End {
        var place: Int
        var count: Int
        var directory: Int
    }

    private static func end(of bytes: [UInt8]) throws(ArchiveProblem) -> End {
        guard bytes.count >= ZIPRecord.endSize else {
            throw ArchiveProblem(
                looksLikeArchive(bytes)
                    ? "the archive is cut off: its directory is missing" : "this is not a ZIP archive")
        }
        // A comment of up to 65,535 bytes may follow, in which the signature may occur by chance.
        let last = bytes.count - ZIPRecord.endSize
        var near: (place: Int, rest: Int)?
        for place in stride(from: last, through: max(0, last - 0xFFFF), by: -1)
        where number(bytes, place, 4) == Int(ZIPRecord.endSignature) {
            let rest = last - place - number(bytes, place + 20, 2)
            if rest == 0 { return try end(bytes, at: place) }
            if near == nil { near = (place, rest) }
        }
        if let near, near.rest > 0 {
            throw ArchiveProblem("\(near.rest) bytes follow the end of the archive")
        }
        if near != nil { throw ArchiveProblem("the archive is cut off in its comment") }
        throw ArchiveProblem(
            looksLikeArchive(bytes) ? "the archive is cut off: its directory is missing" : "this is not a ZIP archive")
    }

    private static func end(_ bytes: [UInt8], at place: Int) throws(ArchiveProblem) -> End {
        let count = number(bytes, place + 10, 2)
        let size = number(bytes, place + 12, 4)
        let directory = number(bytes, place + 16, 4)
        let locator = place - ZIPRecord.zip64LocatorSize
        if count == 0xFFFF || size == 0xFFFF_FFFF || directory == 0xFFFF_FFFF
            || locator >= 0 && number(bytes, locator, 4) == Int(ZIPRecord.zip64LocatorSignature)
        {
            throw ArchiveProblem("the archive is in the 64-bit form (ZIP64), which is not read")
        }
        guard number(bytes, place + 4, 2) == 0, number(bytes, place + 6, 2) == 0, number(bytes, place + 8, 2) == count
        else { throw ArchiveProblem("the archive is one of several parts, which are not read") }
        guard directory + size == place else {
            throw ArchiveProblem(
                directory + size > place
                    ? "the archive's directory is cut off"
                    : "the archive has \(place - directory - size) bytes that belong to no entry")
        }
        return End(place: place, count: count, directory: directory)
    }

    // MARK: Directory

    private struct Record {
        var name: String
        var flags: Int
        var method: Int
        var sum: Int
        var packed: Int
        var size: Int
        var offset: Int
    }

    private static func directory(
        _ bytes: [UInt8], _ end: End, _ limits: ArchiveLimits
    ) throws(ArchiveProblem) -> [Record] {
        guard end.count <= limits.entries else {
            throw ArchiveProblem("the archive has \(end.count) entries, and may have \(limits.entries)")
        }
        var records: [Record] = []
        var names: Set<String> = []
        var total = 0
        var place = end.directory
        for index in 0..<end.count {
            guard place + ZIPRecord.centralSize <= end.place else {
                throw ArchiveProblem(
                    "the archive's directory ends after \(index) of \(end.count) entries")
            }
            guard number(bytes, place, 4) == Int(ZIPRecord.centralSignature) else {
                throw ArchiveProblem("the archive's directory is damaged at its entry \(index + 1)")
            }
            let nameEnd = place + ZIPRecord.centralSize + number(bytes, place + 28, 2)
            let next = nameEnd + number(bytes, place + 30, 2) + number(bytes, place + 32, 2)
            guard next <= end.place else {
                throw ArchiveProblem("the archive's directory ends within its entry \(index + 1)")
            }
            let record = Record(
                name: try name(bytes[(place + ZIPRecord.centralSize)..<nameEnd]), flags: number(bytes, place + 8, 2),
                method: number(bytes, place + 10, 2), sum: number(bytes, place + 16, 4),
                packed: number(bytes, place + 20, 4), size: number(bytes, place + 24, 4),
                offset: number(bytes, place + 42, 4))
            guard names.insert(record.name).inserted else {
                throw ArchiveProblem("its name is there twice", entry: record.name)
            }
            try check(record, limits)
            total += record.size
            guard total <= limits.totalBytes else {
                throw ArchiveProblem(
                    "with it the archive unpacks to more than \(limits.totalBytes) bytes", entry: record.name)
            }
            records.append(record)
            place = next
        }
        guard place == end.place else { throw ArchiveProblem("the archive's directory has bytes behind its entries") }
        return records
    }

    private static func name(_ bytes: ArraySlice<UInt8>) throws(ArchiveProblem) -> String {
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw ArchiveProblem("its name is not UTF-8", entry: String(decoding: bytes, as: UTF8.self))
        }
        if let complaint = EntryName.complaint(name) { throw ArchiveProblem(complaint, entry: name) }
        return name
    }

    private static func check(_ record: Record, _ limits: ArchiveLimits) throws(ArchiveProblem) {
        func fail(_ text: String) throws(ArchiveProblem) { throw ArchiveProblem(text, entry: record.name) }
        if record.flags & 1 != 0 || record.flags & 1 << 6 != 0 || record.flags & 1 << 13 != 0 {
            try fail("it is encrypted")
        }
        if record.packed == 0xFFFF_FFFF || record.size == 0xFFFF_FFFF || record.offset == 0xFFFF_FFFF {
            try fail("it is in the 64-bit form (ZIP64), which is not read")
        }
        switch record.method {
        case 0:
            if record.packed != record.size { try fail("it is stored, and its two sizes differ") }
        case 8:
            // The format cannot pack 1,032 bytes into less than one.
            if record.size > 1032 * record.packed + 64 { try fail("its sizes cannot both be true") }
        default:
            try fail("it is packed by method \(record.method); only stored and deflated entries are read")
        }
        if record.size > limits.entryBytes {
            try fail("it unpacks to \(record.size) bytes, and an entry may have \(limits.entryBytes)")
        }
        if record.name.hasSuffix("/"), record.size > 0 { try fail("it is a folder and has content") }
    }

    // MARK: Content

    /// Every entry has its own bytes: the same ones read many times are how a small file becomes a huge one.
    private static func checkPlaces(
        _ bytes: [UInt8], _ records: [Record], _ end: End
    ) throws(ArchiveProblem) {
        var free = 0
        for record in records.sorted(by: { $0.offset < $1.offset }) {
            guard record.offset >= free else {
                throw ArchiveProblem("it overlaps the entry before it", entry: record.name)
            }
            if free == 0, record.offset > 0 {
                throw ArchiveProblem("the archive has \(record.offset) bytes before its first entry")
            }
            free = try data(bytes, record, before: end.directory).upperBound
        }
        if records.isEmpty, end.directory > 0 { throw ArchiveProblem("the archive has bytes before its directory") }
    }

    /// Where the data of an entry lies, once both descriptions of it agree.
    private static func data(
        _ bytes: [UInt8], _ record: Record, before end: Int
    ) throws(ArchiveProblem) -> Range<Int> {
        func problem(_ text: String) -> ArchiveProblem { ArchiveProblem(text, entry: record.name) }
        let header = record.offset
        guard header + ZIPRecord.localSize <= end, number(bytes, header, 4) == Int(ZIPRecord.localSignature) else {
            throw problem("it is not where the archive's directory says")
        }
        let nameStart = header + ZIPRecord.localSize
        let nameEnd = nameStart + number(bytes, header + 26, 2)
        let start = nameEnd + number(bytes, header + 28, 2)
        guard start <= end, bytes[nameStart..<nameEnd].elementsEqual(record.name.utf8) else {
            throw problem("its own header gives it another name than the archive's directory")
        }
        let isDescribedLater = record.flags & ZIPRecord.descriptorFlag != 0
        let isSame =
            number(bytes, header + 8, 2) == record.method
            && (isDescribedLater
                || number(bytes, header + 14, 4) == record.sum && number(bytes, header + 18, 4) == record.packed
                    && number(bytes, header + 22, 4) == record.size)
        guard isSame else { throw problem("its own header contradicts the archive's directory") }
        guard start + record.packed <= end else { throw problem("its data is cut off") }
        return start..<(start + record.packed)
    }

    private static func content(_ bytes: [UInt8], _ record: Record) throws(ArchiveProblem) -> [UInt8] {
        let header = record.offset
        let start = header + ZIPRecord.localSize + number(bytes, header + 26, 2) + number(bytes, header + 28, 2)
        let packed = bytes[start..<(start + record.packed)]
        let content: [UInt8]
        if record.method == 0 {
            content = Array(packed)
        } else {
            do throws(Inflate.Problem) {
                content = try Inflate.bytes(packed, size: record.size)
            } catch {
                throw ArchiveProblem(error.rawValue, entry: record.name)
            }
        }
        guard Int(CRC32.sum(of: content)) == record.sum else {
            throw ArchiveProblem(
                "its content does not match its checksum: the file was damaged in transit, so fetch it "
                    + "or copy it again, or bundle the run again", entry: record.name)
        }
        return content
    }

    /// A number of up to four bytes, the lowest first; 0 where there are not so many.
    private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
        guard place >= 0, place + size <= bytes.count else { return 0 }
        var value = 0
        for index in (0..<size).reversed() { value = value << 8 | Int(bytes[place + index]) }
        return value
    }
}
