import Bundles
import Determinism
import Foundation
import TestSupport
import Testing

struct ZIPTests {
    // MARK: Writing and reading

    /// Archives of random names and contents: nothing, text, noise, and what ZIP's own signatures look like.
    private func entries(_ random: inout SeededGenerator) -> [ArchiveEntry] {
        let words = ["a", "files", "é", "bundle.json", "x y", "_up", "名", "long-" + String(repeating: "n", count: 200)]
        var entries: [ArchiveEntry] = []
        for index in 0..<Int(random.next() % 6) {
            let depth = 1 + Int(random.next() % 3)
            let parts = (0..<depth).map { _ in words[Int(random.next() % UInt64(words.count))] }
            let size = [0, 1, 5, 300, 70_000][Int(random.next() % 5)]
            var bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if random.next() % 3 == 0 { bytes += [0x50, 0x4B, 0x05, 0x06, 0x50, 0x4B, 0x01, 0x02] }
            entries.append(ArchiveEntry(name: "\(index)/" + parts.joined(separator: "/"), bytes: bytes))
        }
        return entries
    }

    @Test func `what is written is read back, and equal entries give equal bytes`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            let entries = entries(&random)
            let archive = try ZIPWriter.bytes(entries)
            #expect(try ZIPReader.entries(archive) == entries)
            #expect(try ZIPWriter.bytes(entries) == archive)
            #expect(ZIPReader.looksLikeArchive(archive))
        }
    }

    @Test(arguments: [
        "../x", "a/../b", "/etc/passwd", "a\\b", "C:/x", "", "a//b", "./a", "a/.", "tab\tname", "folder/",
        String(repeating: "n", count: 2000),
    ])
    func `a name that could lead out is not written`(_ name: String) {
        #expect(throws: ArchiveProblem.self) { try ZIPWriter.bytes([ArchiveEntry(name: name, bytes: [])]) }
    }

    // MARK: Damage

    private static let sample: [ArchiveEntry] = [
        ArchiveEntry(name: "one.txt", bytes: Array("The first entry".utf8)),
        ArchiveEntry(name: "two/three.json", bytes: Array("{ \"a\": 1 }".utf8)),
    ]

    /// The sample with bytes replaced: every occurrence of a text by another of the same length.
    private func changed(_ old: String, _ new: String) throws -> [UInt8] {
        var bytes = try ZIPWriter.bytes(Self.sample)
        let from = Array(old.utf8)
        for place in 0...(bytes.count - from.count) where Array(bytes[place..<(place + from.count)]) == from {
            bytes.replaceSubrange(place..<(place + from.count), with: Array(new.utf8))
        }
        return bytes
    }

    private func complaint(_ bytes: [UInt8], _ limits: ArchiveLimits = .usual) -> String {
        do {
            _ = try ZIPReader.entries(bytes, limits: limits)
            return "read"
        } catch {
            return error.description
        }
    }

    /// Where the directory of the sample begins.
    private func directory(_ bytes: [UInt8]) -> Int {
        let end = bytes.count - 22
        return Int(bytes[end + 16]) | Int(bytes[end + 17]) << 8
    }

    @Test func `names are checked when read too`() throws {
        #expect(try complaint(changed("one.txt", "../.txt")) == "../.txt: its name leads out of the archive by `..`")
        #expect(try complaint(changed("one.txt", "/ne.txt")) == "/ne.txt: its name is an absolute path")
        #expect(try complaint(changed("one.txt", "a\\b.txt")) == "a\\b.txt: its name holds a backslash")
        #expect(
            try complaint(changed("one.txt", "o\u{1b}e.txt")) == "o\\u{1b}e.txt: its name holds a control character")
        var twice = Self.sample
        twice[1].name = "two.txt"
        var bytes = try ZIPWriter.bytes(twice)
        for place in 0..<(bytes.count - 7) where Array(bytes[place..<(place + 7)]) == Array("two.txt".utf8) {
            bytes.replaceSubrange(place..<(place + 7), with: Array("one.txt".utf8))
        }
        #expect(complaint(bytes) == "one.txt: its name is there twice")
    }

    @Test func `content is held against its sum`() throws {
        #expect(
            try complaint(changed("The first", "The worst"))
                == "one.txt: its content does not match its checksum: the file was damaged in transit, "
                + "so fetch it or copy it again, or bundle the run again")
    }

    @Test func `ends are looked at`() throws {
        let good = try ZIPWriter.bytes(Self.sample)
        #expect(complaint(good + [1, 2, 3]) == "3 bytes follow the end of the archive")
        #expect(complaint([9] + good) == "the archive has 1 bytes that belong to no entry")
        #expect(complaint(Array(good.dropLast(30))) == "the archive is cut off: its directory is missing")
        #expect(complaint([]) == "this is not a ZIP archive")
        #expect(
            complaint(Array("{ \"name\": \"no archive at all, but long enough\" }".utf8)) == "this is not a ZIP archive"
        )
        var comment = good
        comment[comment.count - 2] = 9
        #expect(complaint(comment) == "the archive is cut off in its comment")
        #expect(complaint(comment + Array("a comment".utf8)) == "read")
    }

    @Test func `the directory is looked at`() throws {
        let good = try ZIPWriter.bytes(Self.sample)
        let start = directory(good)
        let end = good.count - 22
        func with(_ changes: [(Int, UInt8)]) -> String {
            var bytes = good
            for (place, byte) in changes { bytes[place] = byte }
            return complaint(bytes)
        }
        #expect(with([(end + 8, 1), (end + 10, 1)]) == "the archive's directory has bytes behind its entries")
        #expect(with([(end + 8, 3), (end + 10, 3)]) == "the archive's directory ends after 2 of 3 entries")
        #expect(with([(end + 10, 3)]) == "the archive is one of several parts, which are not read")
        #expect(with([(start, 0)]) == "the archive's directory is damaged at its entry 1")
        #expect(with([(start + 8, 1)]) == "one.txt: it is encrypted")
        #expect(
            with([(start + 10, 12)]) == "one.txt: it is packed by method 12; only stored and deflated entries are read")
        #expect(with([(start + 24, 99)]) == "one.txt: it is stored, and its two sizes differ")
        #expect(with([(start + 42, 1)]) == "the archive has 1 bytes before its first entry")
        #expect(with([(18, 1)]) == "one.txt: its own header contradicts the archive's directory")
        #expect(with([(30, 1)]) == "one.txt: its own header gives it another name than the archive's directory")
        #expect(with([(0, 1)]) == "one.txt: it is not where the archive's directory says")
        #expect(with((0..<4).map { (end + 16 + $0, 0xFF) }).contains("ZIP64"))
        #expect(with((0..<4).map { (start + 20 + $0, 0xFF) }).contains("ZIP64"))
        #expect(with([(end + 12, 0xF0)]) == "the archive's directory is cut off")
    }

    @Test func `one entry read as two overlaps itself`() throws {
        var bytes = try ZIPWriter.bytes(Self.sample)
        let second = directory(bytes) + 46 + "one.txt".utf8.count
        for index in 0..<4 { bytes[second + 42 + index] = 0 }
        #expect(complaint(bytes) == "two/three.json: it overlaps the entry before it")
    }

    @Test func `bombs are refused before they go off`() throws {
        let many = try ZIPWriter.bytes((0..<40).map { ArchiveEntry(name: "\($0)", bytes: [1, 2, 3]) })
        let limits = ArchiveLimits(entries: 10, entryBytes: 20, totalBytes: 60)
        #expect(complaint(many, limits) == "the archive has 40 entries, and may have 10")
        let large = try ZIPWriter.bytes([ArchiveEntry(name: "large", bytes: Array(repeating: 0, count: 21))])
        #expect(complaint(large, limits) == "large: it unpacks to 21 bytes, and an entry may have 20")
        let sum = try ZIPWriter.bytes(
            (0..<5).map { ArchiveEntry(name: "\($0)", bytes: Array(repeating: 0, count: 15)) })
        #expect(complaint(sum, limits) == "4: with it the archive unpacks to more than 60 bytes")
        // A directory that promises a gigabyte from a few bytes.
        var lying = try ZIPWriter.bytes(Self.sample)
        let start = directory(lying)
        lying[start + 10] = 8
        for (index, byte) in [UInt8(0xFF), 0xFF, 0xFF, 0x0F].enumerated() { lying[start + 24 + index] = byte }
        #expect(complaint(lying) == "one.txt: its sizes cannot both be true")
    }

    // MARK: Deflate

    /// An archive with one deflated entry, assembled by hand from a packed stream.
    private func deflated(_ packed: [UInt8], of content: [UInt8], size: Int? = nil) throws -> [UInt8] {
        var bytes = try ZIPWriter.bytes([ArchiveEntry(name: "packed", bytes: content)])
        let start = 30 + 6
        bytes.replaceSubrange(start..<(start + content.count), with: packed)
        let directory = start + packed.count
        func put(_ value: Int, at place: Int) {
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        for header in [8, directory + 10] {
            bytes[header] = 8
            put(packed.count, at: header + 10)
            put(size ?? content.count, at: header + 14)
        }
        put(directory, at: bytes.count - 22 + 16)
        return bytes
    }

    @Test(arguments: 0..<DeflateSamples.all.count)
    func `deflated entries are read`(_ index: Int) throws {
        let sample = DeflateSamples.all[index]
        let packed = try #require(Data(base64Encoded: sample.packed))
        let archive = try deflated(Array(packed), of: sample.text())
        #expect(try ZIPReader.entries(archive) == [ArchiveEntry(name: "packed", bytes: sample.text())])
    }

    @Test func `a damaged stream is a sentence`() throws {
        let sample = DeflateSamples.all[2]
        let packed = Array(try #require(Data(base64Encoded: sample.packed)))
        let content = sample.text()
        #expect(try complaint(deflated(packed + [0], of: content)) == "packed: bytes follow the end of its packed data")
        #expect(
            try complaint(deflated(packed, of: content, size: content.count - 1))
                == "packed: it unpacks to more than the archive's directory says")
        #expect(
            try complaint(deflated(packed, of: content, size: content.count + 1))
                == "packed: it unpacks to less than the archive's directory says")
        #expect(try complaint(deflated(Array(packed.dropLast(4)), of: content)).hasPrefix("packed: "))
        #expect(try complaint(deflated([0x07], of: [1])) == "packed: its packed data has a block of an unknown kind")
        #expect(try complaint(deflated([0x01, 1, 0, 1, 0, 9], of: [1])).contains("stored block"))
    }

    // MARK: Fuzz

    @Test func `whatever the bytes, the reader answers`() throws {
        var random = SeededGenerator(seed: 11)
        var archives = [try ZIPWriter.bytes(Self.sample)]
        for sample in DeflateSamples.all {
            archives.append(try deflated(Array(try #require(Data(base64Encoded: sample.packed))), of: sample.text()))
        }
        var refused = 0
        for archive in archives where archive.count < 5000 {
            for _ in 0..<150 {
                var bytes = archive
                for _ in 0...Int(random.next() % 4) {
                    let place = Int(random.next() % UInt64(bytes.count))
                    switch random.next() % 4 {
                    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                    case 1: bytes[place] ^= 1 << UInt8(random.next() % 8)
                    case 2: bytes.remove(at: place)
                    default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                    }
                }
                if random.next() % 8 == 0 { bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count)))) }
                if complaint(bytes, ArchiveLimits(entries: 100, entryBytes: 1 << 20, totalBytes: 1 << 21)) != "read" {
                    refused += 1
                }
            }
        }
        #expect(refused > 300)
    }
}
