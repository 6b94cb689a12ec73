import CommandFiles
import CommandKit
import Testing

/// Which files a folder's scenario and tenant files are, by their content.
struct FileFinderTests {
    @Test(arguments: [
        ("a.json", #"{ "name": "signs in", "tenant": "t.json", "steps": [] }"#, FoundFile.Content.scenario),
        ("t.json", #"{ "name": "contoso", "policies": { "susi": { "type": "signUpOrSignIn" } } }"#, .tenant),
        ("b2c.json", #"{ "seed": 7 }"#, .project),
    ])
    func `a file in a folder is found by what it holds`(
        _ name: String, _ text: String, _ content: FoundFile.Content
    ) throws {
        let finder = try Self.finder(name, text)
        #expect(finder.files.map(\.content) == [content])
        #expect(finder.findings.isEmpty)
    }

    @Test(arguments: [
        ("package.json", #"{ "name": "app", "version": "1.0.0" }"#), ("notes.txt", "tenant"),
    ])
    func `other files of a folder are passed over`(_ name: String, _ text: String) throws {
        #expect(try Self.finder(name, text).files.isEmpty)
    }

    @Test func `a file that does not exist is a finding`() {
        var finder = FileFinder()
        finder.add("there-is-none.json")
        #expect(finder.findings.map(\.message) == ["there is no file or folder there-is-none.json"])
    }

    private static func finder(_ name: String, _ text: String) throws -> FileFinder {
        let folder = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(folder) }
        try FileSystem.write(Array(text.utf8), to: FilePath.join(folder, name))
        var finder = FileFinder()
        finder.add(folder)
        return finder
    }
}
