import CommandFiles
import CommandKit
import Determinism
import Testing

/// The files of folders as an editor has them.
struct WorkspaceFilesTests {
    private static let policy = #"<TrustFrameworkPolicy PolicyId="B2C_1A_A">{Settings:Name}</TrustFrameworkPolicy>"#
    private static let settings = #"{ "Environments": [ { "Name": "Test", "PolicySettings": { "Name": "Ada" } } ] }"#

    @Test func `a settings file that is being typed keeps the values it had`() throws {
        let (folder, files) = try Self.files(["A.xml": Self.policy, "appsettings.json": Self.settings])
        defer { FileSystem.removeFolder(folder) }
        let path = FilePath.join(folder, "appsettings.json")
        for (text, value, problems) in [
            (nil, "Ada", 0), (Self.settings.replacing("[ {", with: "[ {{"), "Ada", 1),
            (Self.settings.replacing("Ada", with: "Eve"), "Eve", 0), (#"{ "Environments": [ ] }"#, "Eve", 1),
        ] as [(String?, String, Int)] {
            if let text { files.open(path, Array(text.utf8)) }
            let found = files.project(values: PolicyValueSource(), now: Timestamp(seconds: 0))
            #expect(found.project.policySettings.byFolder.values.map { $0.map(\.value) } == [["Test", value]])
            #expect(found.problems.count == problems, "\(text ?? "")")
        }
    }

    @Test func `many changes lead to one look at the disk, and none to none`() throws {
        let (folder, files) = try Self.files(["A.xml": Self.policy])
        defer { FileSystem.removeFolder(folder) }
        let first = try #require(files.files(since: 0))
        #expect(first.files.count == 1)
        #expect(files.files(since: first.number) == nil)
        try FileSystem.write(Array(Self.policy.utf8), to: FilePath.join(folder, "B.xml"))
        #expect(files.files(since: first.number) == nil)
        for _ in 1...400 { files.refresh() }
        let second = try #require(files.files(since: first.number))
        #expect(second.files.count == 2)
        #expect(files.files(since: second.number) == nil)
    }

    @Test func `a folder that does not exist yet has no findings, and counts once it does`() throws {
        let (folder, files) = try Self.files([:], below: "later")
        defer { FileSystem.removeFolder(folder) }
        let found = files.project(values: PolicyValueSource(), now: Timestamp(seconds: 0)).project
        #expect(found.files.isEmpty && found.unreadable.isEmpty)
        try FileSystem.makeFolder(FilePath.join(folder, "later"))
        try FileSystem.write(Array(Self.policy.utf8), to: FilePath.join(folder, "later/A.xml"))
        files.refresh()
        #expect(files.files.count == 1)
    }

    /// A new folder with files, and what an editor has that opened it, or a folder below it.
    private static func files(
        _ texts: [String: String], below root: String = "."
    ) throws -> (folder: String, files: WorkspaceFiles) {
        let folder = try #require(Machine.makeTemporaryFolder())
        for (name, text) in texts { try FileSystem.write(Array(text.utf8), to: FilePath.join(folder, name)) }
        return (folder, WorkspaceFiles(roots: [FilePath.join(folder, root)]))
    }
}
