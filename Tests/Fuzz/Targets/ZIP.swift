@testable import Bundles

extension FuzzTarget {
    static let zip = FuzzTarget(
        name: "zip", meaning: "ZIP archives, packed data, and bundles of runs",
        longest: 4096,
        words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "manifest.json", "../", "\u{8}\u{0}"],
        seeds: {
            let entries = [
                ArchiveEntry(name: "manifest.json", bytes: Array(#"{"version": 2, "seed": "1"}"#.utf8)),
                ArchiveEntry(name: "a/b.txt", bytes: Array("hello".utf8)), ArchiveEntry(name: "empty", bytes: []),
            ]
            // The word "hello" packed with fixed codes, and a stored block.
            let packed: [UInt8] = [5, 0, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
            let stored: [UInt8] = [2, 0, 0x01, 0x02, 0x00, 0xFD, 0xFF, 0x41, 0x42]
            return [(try? ZIPWriter.bytes(entries)) ?? [], (try? ZIPWriter.bytes([])) ?? [], packed, stored]
        },
        run: { bytes in
            tryArchive(bytes)
            tryPacked(bytes)
            do throws(BundleProblem) {
                _ = try ReproductionBundle.open(bytes, allowAltered: true)
            } catch {
                check(!error.description.isEmpty, "a bundle that is refused has a reason")
            }
        })

    private static let limits = ArchiveLimits(entries: 16, entryBytes: 4096, totalBytes: 8192)

    private static func tryArchive(_ bytes: [UInt8]) {
        do throws(ArchiveProblem) {
            let entries = try ZIPReader.entries(bytes, limits: limits)
            check(entries.count <= limits.entries, "an archive has no more entries than allowed")
            check(entries.allSatisfy { $0.bytes.count <= limits.entryBytes }, "an entry has no more bytes than allowed")
            check(
                entries.reduce(0) { $0 + $1.bytes.count } <= limits.totalBytes,
                "all entries have no more bytes than allowed")
            check(entries.allSatisfy { EntryName.complaint($0.name) == nil }, "an entry has a name that is allowed")
            let again = try ZIPReader.entries(try ZIPWriter.bytes(entries))
            check(again == entries, "an archive that is written again holds the same")
        } catch {
            check(!error.description.isEmpty, "an archive that is refused has a reason")
        }
    }

    /// Two bytes that say how much there must be, and packed data.
    private static func tryPacked(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let size = Int(bytes[0]) | Int(bytes[1]) << 8
        do throws(Inflate.Problem) {
            let content = try Inflate.bytes(bytes[2...], size: size)
            check(content.count == size, "packed data gives as many bytes as were agreed")
        } catch {
            check(!error.rawValue.isEmpty, "packed data that is refused has a reason")
        }
    }
}
