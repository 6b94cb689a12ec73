import JOSE

/// Writes ZIP archives whose entries are stored as they are. Nothing in them depends on the machine or the hour, so equal
/// entries give equal bytes.
public enum ZIPWriter {
    /// The archive, entries in the order given.
    ///
    /// - Throws: ``ArchiveProblem`` where a name cannot be in an archive or comes twice, or the limits are passed.
    public static func bytes(
        _ entries: [ArchiveEntry], limits: ArchiveLimits = .usual
    ) throws(ArchiveProblem) -> [UInt8] {
        try check(entries, limits)
        var output: [UInt8] = []
        output.reserveCapacity(
            entries.reduce(ZIPRecord.endSize) {
                $0 + $1.bytes.count + 2 * $1.name.utf8.count + ZIPRecord.localSize + ZIPRecord.centralSize
            })
        var directory: [UInt8] = []
        for entry in entries {
            let offset = output.count
            let sum = CRC32.sum(of: entry.bytes)
            add(ZIPRecord.localSignature, to: &output)
            addCommon(entry, sum: sum, to: &output)
            output += Array(entry.name.utf8)
            output += entry.bytes

            add(ZIPRecord.centralSignature, to: &directory)
            // Made on a Unix: the upper half of the attributes below is a file mode, which unpacking programs set.
            add(UInt16(0x0314), to: &directory)
            addCommon(entry, sum: sum, to: &directory)
            add(UInt16(0), to: &directory)
            add(UInt16(0), to: &directory)
            add(UInt16(0), to: &directory)
            add(UInt32(0o100644) << 16, to: &directory)
            add(UInt32(offset), to: &directory)
            directory += Array(entry.name.utf8)
        }
        let start = output.count
        output += directory
        add(ZIPRecord.endSignature, to: &output)
        add(UInt32(0), to: &output)
        add(UInt16(entries.count), to: &output)
        add(UInt16(entries.count), to: &output)
        add(UInt32(directory.count), to: &output)
        add(UInt32(start), to: &output)
        add(UInt16(0), to: &output)
        return output
    }

    private static func check(_ entries: [ArchiveEntry], _ limits: ArchiveLimits) throws(ArchiveProblem) {
        // Above these the archive would need the 64-bit form.
        let most = min(limits.entries, 0xFFFE)
        guard entries.count <= most else {
            throw ArchiveProblem("an archive takes \(most) entries, and these are \(entries.count)")
        }
        var names: Set<String> = []
        var total = 0
        for entry in entries {
            if let complaint = EntryName.complaint(entry.name) { throw ArchiveProblem(complaint, entry: entry.name) }
            if entry.name.hasSuffix("/") { throw ArchiveProblem("its name is a folder's", entry: entry.name) }
            guard names.insert(entry.name).inserted else {
                throw ArchiveProblem("its name is there twice", entry: entry.name)
            }
            guard entry.bytes.count <= limits.entryBytes else {
                throw ArchiveProblem(
                    "it has \(entry.bytes.count) bytes, and an entry may have \(limits.entryBytes)", entry: entry.name)
            }
            total += entry.bytes.count + 2 * entry.name.utf8.count + 128
        }
        guard total <= min(limits.totalBytes, Int(UInt32.max) - 1) else {
            throw ArchiveProblem("the archive would have more than \(limits.totalBytes) bytes: put less into it")
        }
    }

    /// What both headers of an entry hold, from the version that is needed to the length of the extra field.
    private static func addCommon(_ entry: ArchiveEntry, sum: UInt32, to output: inout [UInt8]) {
        add(UInt16(20), to: &output)
        add(UInt16(ZIPRecord.utf8Flag), to: &output)
        add(UInt16(0), to: &output)
        // Midnight of 1 January 1980, the first moment that the format can express.
        add(UInt16(0), to: &output)
        add(UInt16(0x0021), to: &output)
        add(sum, to: &output)
        add(UInt32(entry.bytes.count), to: &output)
        add(UInt32(entry.bytes.count), to: &output)
        add(UInt16(entry.name.utf8.count), to: &output)
        add(UInt16(0), to: &output)
    }

    private static func add(_ value: UInt16, to output: inout [UInt8]) {
        output.append(UInt8(truncatingIfNeeded: value))
        output.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    private static func add(_ value: UInt32, to output: inout [UInt8]) {
        add(UInt16(truncatingIfNeeded: value), to: &output)
        add(UInt16(truncatingIfNeeded: value >> 16), to: &output)
    }
}
