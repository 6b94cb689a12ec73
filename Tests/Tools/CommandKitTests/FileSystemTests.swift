import CommandKit
import Foundation
import Testing

/// Files as both programs read and write them.
struct FileSystemTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "b2c-kit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try FileSystem.read(path), as: UTF8.self)
    }

    struct Written: Sendable {
        var name: String
        /// The permission bits of a file that is there before.
        var before: UInt32?
        var mode: UInt32?
        var after: UInt32
    }

    @Test(arguments: [
        Written(name: "asked for, new", mode: 0o600, after: 0o600),
        Written(name: "asked for, there", before: 0o644, mode: 0o600, after: 0o600),
        Written(name: "wider than the mask", mode: 0o666, after: 0o666),
        Written(name: "as it was", before: 0o640, after: 0o640),
    ])
    func `a file that is written has the bits that were asked for, else those it had`(row: Written) throws {
        try inFolder { folder in
            let path = folder + "/a"
            if let before = row.before {
                try FileSystem.write(Array("old".utf8), to: path, mode: before)
            }
            try FileSystem.write(Array("new".utf8), to: path, mode: row.mode)
            #expect(try text(path) == "new", "\(row.name)")
            #expect(FileSystem.mode(path) == row.after, "\(row.name)")
            #expect(try FileSystem.names(in: folder) == ["a"], "no draft is left")
        }
    }

    @Test func `a link stays a link, and leads to the new content`() throws {
        try inFolder { folder in
            try FileSystem.write(Array("old".utf8), to: folder + "/file")
            for (name, target) in [("link", "file"), ("dangling", "none")] {
                let path = "\(folder)/\(name)"
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
                try FileSystem.write(Array("new".utf8), to: path, mode: 0o600)
                #expect(FileSystem.isLink(path))
                #expect(try text("\(folder)/\(target)") == "new")
                #expect(FileSystem.mode("\(folder)/\(target)") == 0o600)
            }
        }
    }

    /// `tenant` has links, `alias` is a link to it, `other` is beside it.
    @Test(arguments: [
        ("tenant/a", "elsewhere", nil), ("tenant/in", "elsewhere", nil), ("tenant/below", "elsewhere", nil),
        ("tenant/out", "elsewhere", "other/a"), ("tenant/twice", "elsewhere", "other/a"),
        ("tenant/out", ".", nil), ("tenant/gone", "elsewhere", nil),
        ("alias/a", "elsewhere", nil), ("alias/in", "elsewhere", nil), ("alias/out", "elsewhere", "other/a"),
    ])
    func `a link that leaves its folder and the current one is noticed`(
        path: String, current: String, target: String?
    ) throws {
        try inFolder { folder in
            for name in ["tenant/inner", "other", "elsewhere"] { try FileSystem.makeFolder("\(folder)/\(name)") }
            for name in ["tenant/a", "tenant/inner/a", "other/a"] { try FileSystem.make("\(folder)/\(name)") }
            for (link, target) in [
                ("tenant/in", "a"), ("tenant/below", "inner/a"), ("tenant/out", "../other/a"), ("tenant/twice", "out"),
                ("tenant/gone", "../other/b"), ("alias", "tenant"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(link)", withDestinationPath: target)
            }
            let found = FileSystem.linkOutside("\(folder)/\(path)", current: "\(folder)/\(current)")
            #expect(found == target.map { "\(FileSystem.real(folder) ?? "")/\($0)" })
        }
    }

    @Test(arguments: [(EMFILE, true), (ENFILE, true), (EIO, true), (ENOENT, false), (EACCES, false), (EISDIR, false)])
    func `trouble of the machine is distinguished from that of a file`(code: Int32, isOfMachine: Bool) {
        let problem = FileSystem.Problem(errno: code)
        #expect(problem.isOfMachine == isOfMachine)
        #expect(problem.text.contains("`ulimit -n`") == (code == EMFILE), "\(problem.text)")
    }

    @Test func `a file that cannot be replaced stays as it was`() throws {
        try inFolder { folder in
            let path = folder + "/folder"
            try FileSystem.makeFolder(path)
            #expect(throws: FileSystem.Problem.self) { try FileSystem.write([1], to: path) }
            #expect(throws: FileSystem.Problem.self) { try FileSystem.write([1], to: folder + "/none/a") }
            #expect(try FileSystem.names(in: folder) == ["folder"], "no draft is left")
        }
    }

    @Test func `a device is written in place and keeps its bits`() throws {
        let before = FileSystem.mode("/dev/null")
        try FileSystem.write(Array("x".utf8), to: "/dev/null", mode: 0o600)
        #expect(FileSystem.mode("/dev/null") == before)
        #expect(FileSystem.kind("/dev/null") == .other)
    }

    @Test(arguments: ["pipe", "/dev/zero", "."])
    func `a pipe, a device and a folder cannot be read as files`(name: String) throws {
        try inFolder { folder in
            try #require(mkfifo(folder + "/pipe", 0o600) == 0)
            let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
            #expect(throws: FileSystem.Problem.self) { try FileSystem.read(path) }
        }
    }

    @Test func `a stamp is the same as long as the file is`() throws {
        try inFolder { folder in
            let path = folder + "/a"
            #expect(FileSystem.stamp(path) == nil)
            try FileSystem.write(Array("one".utf8), to: path)
            let first = FileSystem.stamp(path)
            #expect(first != nil && first == FileSystem.stamp(path))
            #expect(first?.isFolder == false)
            #expect(FileSystem.stamp(folder)?.isFolder == true)
            // Of the same size, and perhaps of the same moment.
            try FileSystem.write(Array("two".utf8), to: folder + "/b")
            #expect(rename(folder + "/b", path) == 0)
            #expect(FileSystem.stamp(path) != first)
        }
    }

    @Test func `a file is published once`() throws {
        try inFolder { folder in
            for (draft, isFirst) in [("one", true), ("two", false)] {
                try FileSystem.make("\(folder)/\(draft)")
                #expect(try FileSystem.publish("\(folder)/\(draft)", as: folder + "/a") == isFirst)
            }
            #expect(try FileSystem.names(in: folder) == ["a"])
            #expect(FileSystem.mode(folder + "/a") == 0o600)
        }
    }

    @Test func `a durable file replaces the one that was there`() throws {
        try inFolder { folder in
            try FileSystem.write(Array("old".utf8), to: folder + "/a", mode: 0o644)
            try FileSystem.writeDurably(Array("new".utf8), to: folder + "/a", mode: 0o600)
            #expect(try text(folder + "/a") == "new" && FileSystem.mode(folder + "/a") == 0o600)
            #expect(try FileSystem.names(in: folder) == ["a"])
        }
    }

    @Test func `a file is locked once, until the process ends`() throws {
        try inFolder { folder in
            // Locks of one process exclude each other too: each has a description of its own.
            let locks = try ["lock", "lock", "other"].map { try FileSystem.lockForever("\(folder)/\($0)") }
            #expect(locks == [true, false, true])
        }
    }

    @Test func `the last folder alone has the bits that were asked for`() throws {
        try inFolder { folder in
            try FileSystem.makeFolder(folder + "/a/b", mode: 0o700)
            #expect(FileSystem.mode(folder + "/a/b") == 0o700)
            #expect(FileSystem.mode(folder + "/a") != 0o700)
            try FileSystem.makeFolder(folder + "/a/b")
            try FileSystem.write([], to: folder + "/file")
            #expect(throws: FileSystem.Problem.self) { try FileSystem.makeFolder(folder + "/file") }
        }
    }

    @Test(arguments: [
        (path: "a", folder: ".", resolved: "a"), (path: "a", folder: "b/c", resolved: "b/c/a"),
        (path: "/a", folder: "b", resolved: "/a"), (path: "a", folder: "/", resolved: "/a"),
    ])
    func `paths are resolved from a folder`(row: (path: String, folder: String, resolved: String)) {
        #expect(FilePath.resolve(row.path, in: row.folder) == row.resolved)
    }

    @Test(arguments: ["a/b", "/b", "b"])
    func `a path has a folder and a name`(path: String) {
        #expect(FilePath.name(path) == "b")
        #expect(FilePath.normalised(FilePath.join(FilePath.folder(path), FilePath.name(path))) == path)
        #expect(FilePath.absolute(path).hasPrefix("/") && FilePath.absolute(path).hasSuffix("/b"))
    }
}
