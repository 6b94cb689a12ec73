import Foundation
import Testing

/// Files that the command writes are there whole or not at all.
@Suite(.blocking) struct OutputFileTests {
    private func started(_ body: (Tool) throws -> Void) throws {
        let tool = try Tool()
        defer { tool.remove() }
        #expect(try tool.run("init").status == 0)
        try body(tool)
    }

    private func names(_ tool: Tool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    }

    /// A limit on the size of files does what a full disk does: the system takes a part and refuses the rest.
    @Test(arguments: ["--report-html", "--report-json", "--trace"])
    func `what does not fit leaves the old file`(_ option: String) throws {
        try started { tool in
            let file = option == "--trace" ? "out.har" : "out.html"
            try tool.write("old", to: file)
            let before = try names(tool)
            let path = try #require(Tool.path)
            let run = try tool.shell("ulimit -f 1; trap '' XFSZ; \(path) run --seed 7 \(option) \(file)")
            #expect(run.status == 3, "\(run.out)\(run.error)")
            #expect(run.error.contains("\(file) cannot be written: "), "\(run.error)")
            #expect(try tool.read(file) == "old")
            #expect(try names(tool) == before)
        }
    }

    @Test func `a link stays a link, and a file keeps its permissions`() throws {
        try started { tool in
            try tool.write("old", to: "kept/real.json")
            let manager = FileManager.default
            let link = tool.folder.appendingPathComponent("link.json").path
            let real = tool.folder.appendingPathComponent("kept/real.json").path
            try manager.createSymbolicLink(atPath: link, withDestinationPath: "kept/real.json")
            try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
            #expect(try tool.run("run", "--report-json", "link.json").status == 0)
            #expect(try manager.destinationOfSymbolicLink(atPath: link) == "kept/real.json")
            #expect(try tool.read("kept/real.json").hasPrefix("{"))
            #expect(try manager.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
            // A link to what is not there yet makes it.
            try manager.removeItem(atPath: real)
            #expect(try tool.run("run", "--report-json", "link.json").status == 0)
            #expect(try manager.destinationOfSymbolicLink(atPath: link) == "kept/real.json")
            #expect(try tool.read("kept/real.json").hasPrefix("{"))
        }
    }

    @Test func `a pipe and a device are written as they are`() throws {
        try started { tool in
            let path = try #require(Tool.path)
            let piped = try tool.shell("\(path) run --quiet --report-json /dev/stdout | head -c 1")
            #expect(piped.out == "{", "\(piped.error)")
            #expect(try tool.run("run", "--report-json", "/dev/null").status == 0)
            // The standard output is a file that was removed. The link is not replaced by a file.
            let gone = try tool.shell(
                "ln -s /proc/self/fd/1 out; (exec >gone; rm gone; \(path) run --quiet --report-json out); echo $?; test -L out"
            )
            #expect(gone.status == 0 && gone.out == "0\n", "\(gone.out)\(gone.error)")
            let fifo = try tool.shell(
                "mkfifo pipe; cat pipe >read & \(path) run --report-json pipe; wait; head -c 1 read; test -p pipe")
            #expect(fifo.status == 0 && fifo.out.hasSuffix("{"), "\(fifo.out)\(fifo.error)")
        }
    }

    /// A folder that takes no new files, such as one of a file that a container mounts.
    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a file whose folder takes no other one is written in place`() throws {
        try started { tool in
            try tool.write("old", to: "closed/out.json")
            let closed = tool.folder.appendingPathComponent("closed").path
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: closed)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed) }
            #expect(try tool.run("run", "--report-json", "closed/out.json").status == 0)
            #expect(try tool.read("closed/out.json").hasPrefix("{"))
        }
    }
}
