import AuthorityHosting
import CommandKit
import Determinism
import Foundation
import JSON
import Testing

@testable import MockServerCore

/// A tenant file that changes while it is served.
@Suite struct TenantWatchTests {
    /// A watched world over a file of its own.
    private struct Watched {
        let folder = NSTemporaryDirectory() + "b2c-watch-" + UUID().uuidString
        var path: String { folder + "/tenant.json" }
        let lines = Lines()

        init(_ text: String) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write(text)
        }

        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

        func watch() async throws -> TenantWatch {
            let tenant = try TenantLoading.tenant(at: path)
            let world = await ServerWorld(
                name: Worlds.defaultName, seed: SeededGenerator(seed: 1), tenant: tenant,
                time: WorldTime(frozenAt: Timestamp(seconds: 1_768_478_400)))
            let lines = lines
            return TenantWatch(path: path, policies: ServedPolicies(), world: world) { lines.append($0) }
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func tenant(people: [String], lifetime: String = "PT1H") -> String {
        let users = people.map { "\"\($0)\": { \"email\": \"\($0)@example.test\", \"password\": \"Analytical-1843\" }" }
        return """
            { "name": "contoso",
              "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn",
                "tokens": { "accessToken": "\(lifetime)" } } },
              "users": { \(users.joined(separator: ",")) } }
            """
    }

    private static func people(_ world: ServerWorld) async throws -> [String] {
        try ControlRoutes.value(await world.command(.inspect(.users))).objectValue?.keys.sorted() ?? []
    }

    @Test func `a good change is served, and what was changed at run time stays`() async throws {
        let files = try Watched(Self.tenant(people: ["ada", "bob"]))
        defer { files.remove() }
        let watch = try await files.watch()
        let world = watch.world
        try await world.configure(["users": ["eve": ["email": "eve@example.test"]]])
        try files.write(Self.tenant(people: ["ada", "cleo"], lifetime: "PT5M"))
        #expect(await watch.load() == .loaded)
        #expect(try await Self.people(world) == ["ada", "cleo", "eve"])
        #expect(world.tenant.tenant.policies.first?.tokens.accessToken == .minutes(5))
        #expect(files.lines.all.last?.hasSuffix("has changed and was loaded again") == true)
        await world.restart()
        #expect(try await Self.people(world) == ["ada", "cleo"], "a new beginning is the file of now")
    }

    @Test(arguments: ["", "{", "{ \"name\": \"contoso\", \"polices\": {} }", "[]"])
    func `a wrong change is refused, and the previous tenant stays`(text: String) async throws {
        let files = try Watched(Self.tenant(people: ["ada"]))
        defer { files.remove() }
        let watch = try await files.watch()
        try files.write(text)
        #expect(await watch.load() == .refused)
        #expect(try await Self.people(watch.world) == ["ada"])
        #expect(files.lines.all.last?.contains("the previous tenant stays") == true)
        try files.write(Self.tenant(people: ["ada", "bob"]))
        #expect(await watch.load() == .loaded)
        #expect(try await Self.people(watch.world) == ["ada", "bob"])
    }

    @Test func `a file that is gone is refused`() async throws {
        let files = try Watched(Self.tenant(people: ["ada"]))
        defer { files.remove() }
        let watch = try await files.watch()
        try FileManager.default.removeItem(atPath: files.path)
        #expect(await watch.load() == .refused)
        #expect(files.lines.all.first?.contains("cannot be read") == true)
        #expect(try await Self.people(watch.world) == ["ada"])
    }

    @Test func `a change counts once it has come to rest, and once`() throws {
        let files = try Watched("1")
        defer { files.remove() }
        func stamps() -> [String: FileSystem.Stamp] { FileSystem.stamp(files.path).map { ["f": $0] } ?? [:] }
        var look = TenantWatch.Look()
        _ = look.hasChanged(stamps())
        var seen = [look.hasChanged(stamps())]
        try files.write("12")
        // It may still be written.
        seen.append(look.hasChanged(stamps()))
        try files.write("123")
        for _ in 0..<3 { seen.append(look.hasChanged(stamps())) }
        #expect(seen == [false, false, false, true, false])
    }

    #if os(Linux)
        /// The first byte of this file cannot be read, as of one on a disk that fails.
        @Test func `what the machine cannot read has not changed, and is read again`() async throws {
            let files = try Watched(Self.tenant(people: ["ada"]))
            defer { files.remove() }
            let watch = try await files.watch()
            var look = TenantWatch.Look()
            await watch.take(&look)
            try FileManager.default.removeItem(atPath: files.path)
            try FileManager.default.createSymbolicLink(
                atPath: files.path, withDestinationPath: "/proc/self/mem")
            for _ in 0..<5 { await watch.take(&look) }
            let said = try #require(files.lines.all.first)
            #expect(files.lines.all.count == 1 && said.contains("cannot be read now: Input/output error"), "\(said)")
            #expect(!said.contains("changed") && said.contains("looked at again"), "\(said)")
            #expect(try await Self.people(watch.world) == ["ada"])
            try FileManager.default.removeItem(atPath: files.path)
            try files.write(Self.tenant(people: ["ada", "bob"]))
            for _ in 0..<2 { await watch.take(&look) }
            #expect(files.lines.all.count == 2 && files.lines.all[1].hasSuffix("was loaded again"))
            #expect(try await Self.people(watch.world) == ["ada", "bob"])
        }
    #endif

    @Test func `without a file the embedded tenant is served, and the banner says how to sign in`() throws {
        let tenant = try TenantLoading.tenant(at: nil)
        #expect(tenant.tenant.apps.count == 2 && tenant.tenant.apis.count == 1)
        let url = "http://127.0.0.1:9400"
        let shown = Welcome.lines(url: url, tenant: tenant, seed: 7, isEmbedded: true, showsPasswords: true)
            .joined(separator: "\n")
        for part in [
            "start page \(url)/", "b2c init", "\(url)/contoso.onmicrosoft.com/POLICY/v2.0", "B2C_1_susi",
            tenant.tenant.apis[0].clientId, "https://contoso.onmicrosoft.com/tasks/read",
            tenant.tenant.apps[0].registration.clientId, "ada@example.test", "Analytical-1843",
        ] {
            #expect(shown.contains(part), "\(part) is not in\n\(shown)")
        }
        let wide = Welcome.lines(
            url: "https://127.0.0.1:65535", tenant: tenant, seed: 999_999_999, isEmbedded: true, showsPasswords: true
        ).filter { $0.count > 80 }
        #expect(wide.isEmpty, "\(wide)")
        let distant = Welcome.lines(url: url, tenant: tenant, seed: 7, isEmbedded: true).joined(separator: "\n")
        #expect(distant.contains("ada@example.test") && !distant.contains("Analytical-1843"))
    }
}
