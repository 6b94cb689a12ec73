import B2CScenarioTesting
import Foundation
import TestSupport
import Testing

/// Scenario files as test cases of another package.
struct ScenarioTestTests {
    /// The shipped scenarios of one folder, as another package has its own.
    static let shipped = Result {
        try ScenarioTest.all(in: TestFiles.root().appendingPathComponent("scenarios/silent"))
    }

    @Test(arguments: try shipped.get()) func `a shipped scenario runs as a test case`(_ test: ScenarioTest) async throws
    {
        try await test.run()
    }

    /// A folder with files; it is removed afterwards.
    private func withFolder(_ files: [String: String], _ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "b2c-scenario-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try await body(folder)
    }

    private static let tenant = """
        { "name": "contoso", "policies": { "susi": { "type": "signUpOrSignIn" } },
          "apps": { "ios": { "client": { "policy": "susi" } } },
          "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada" } } }
        """

    private static func script(_ name: String, more: String = "") -> String {
        """
        { "name": "\(name)", "tenant": "tenants/t.json", "app": "ios", \(more)
          "steps": [ { "acquireToken": {}, "user": "ada",
            "expect": { "result": { "idToken": { "claims": { "name": "{{name}}" } } } } } ] }
        """
    }

    @Test func `each case is a test, and a failure says what b2c run says`() async throws {
        let cases = #""cases": { "good": { "set": { "name": "Ada" } }, "bad": { "set": { "name": "Eve" } } },"#
        try await withFolder(["tenants/t.json": Self.tenant, "a.json": Self.script("A", more: cases)]) { folder in
            let tests = try ScenarioTest.all(in: folder)
            #expect(tests.map(\.description) == ["a.json: A [good]", "a.json: A [bad]"])
            #expect(try await tests[0].run() == nil)
            let error = await #expect(throws: ScenarioTestError.self) { try await tests[1].run() }
            let text = error?.description ?? ""
            #expect(text.contains("expected \"Eve\"") && text.contains("actual   \"Ada\""), "\(text)")
            #expect(!text.contains("Analytical-1843"))
        }
    }

    @Test func `a file that is wrong is an error with its place`() async throws {
        let wrong = Self.script("A").replacing("acquireToken", with: "acquireTokn")
        try await withFolder(["tenants/t.json": Self.tenant, "a.json": wrong]) { folder in
            let error = #expect(throws: ScenarioTestError.self) { try ScenarioTest.all(in: folder) }
            #expect(error?.description.contains("Did you mean `acquireToken`?") == true, "\(error?.description ?? "")")
            #expect(error?.description.contains("a.json:2:") == true)
        }
        try await withFolder(["tenants/t.json": Self.tenant]) { folder in
            #expect(throws: ScenarioTestError.self) { try ScenarioTest.all(in: folder) }
        }
    }
}
