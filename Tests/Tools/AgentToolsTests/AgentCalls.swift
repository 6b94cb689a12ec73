import AgentTools
import CommandFiles
import CommandKit
import Determinism
import JSON
import ModelContext
import Testing

/// Calls of tools, with a folder of their own below the current one. Every answer is held against the tool's schema.
struct AgentCalls {
    private struct StillClock: WallClock {
        func now() -> Timestamp { Timestamp(seconds: 1_800_000_000) }
    }

    static let password = "Canary-7391-Horse"

    let folder: String
    let catalog: ContextCatalog

    /// - Parameter name: Names the folder: a test has one that no other has.
    init(_ name: String) throws {
        try LocalFolder.make()
        folder = FilePath.join(LocalFolder.name, "agent-\(name)")
        FileSystem.removeFolder(folder)
        try FileSystem.makeFolder(folder)
        let root = try #require(FileSystem.real(Machine.currentFolder))
        catalog = AgentCatalog.catalog(AgentWorkspace(root: root, allowsLive: false), clock: StillClock())
        try save(
            """
            { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
              "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" },
                "platform": { "bundleId": "com.contoso.tasks" } } },
              "users": { "ada": { "email": "ada@example.test", "password": "\(Self.password)" } } }
            """, to: "tenant.json")
    }

    @discardableResult
    func save(_ text: String, to name: String) throws -> String {
        let path = FilePath.join(folder, name)
        try FileSystem.write(Array(text.utf8), to: path)
        return path
    }

    /// A scenario in which Ada signs in and the token is expected to be of a policy.
    func script(_ policy: String = "B2C_1_susi", named name: String = "Ada signs in", to file: String) throws -> String
    {
        try save(
            """
            { "name": "\(name)", "tenant": "tenant.json", "app": "ios", "steps": [
              { "id": "in", "acquireToken": {}, "user": "ada",
                "expect": { "result": { "idToken": { "claims": { "tfp": "\(policy)" } } } } } ] }
            """, to: file)
    }

    func call(
        _ name: String, _ arguments: JSONObject, _ call: ContextCall = ContextCall()
    ) async throws -> ContextAnswer {
        let tool = try #require(catalog.tools.first { $0.name == name })
        #expect(ContextSchema.problems(of: .object(arguments), in: tool.input) == [])
        let answer = await tool.call(arguments, call)
        #expect(ContextSchema.problems(of: .object(answer.structured), in: tool.output) == [])
        return answer
    }

    /// Everything that an answer says and links to.
    func everything(_ answer: ContextAnswer) -> String {
        JSONWriter.compact(.object(answer.structured))
            + answer.links.map { catalog.read($0.uri)?.text ?? "" }.joined(separator: "\n")
    }
}
