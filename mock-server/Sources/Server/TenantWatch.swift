import AuthorityHosting
import B2CProtocol
import CommandKit
import Diagnostics

/// Loads the tenant file again when it or a file of its policies has changed; a wrong one is refused with its findings,
/// and the previous tenant is served on.
struct TenantWatch: Watch {
    /// How often it looks.
    static let pause = Duration.milliseconds(400)

    /// The tenant file.
    let path: String
    /// A further folder of policies.
    let policies: String?
    let world: ServerWorld
    /// Prints a line.
    let say: @Sendable (String) -> Void

    func run() async {
        var watch = Look(stamps: stamps())
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.pause) } catch { return }
            guard watch.hasChanged(stamps()) else { continue }
            await load()
        }
    }

    /// Reads the files and goes on with them, if they are good.
    ///
    /// - Returns: Whether they are.
    @discardableResult
    func load() async -> Bool {
        do {
            try await world.reload(try TenantLoading.tenant(at: path, policies: policies))
        } catch {
            if let failure = error as? Failure, let text = failure.text { say("mock-server: \(text)") }
            if let findings = error as? InvalidInput {
                _ = TenantLoading.failure(findings)
                say("mock-server: what was changed at run time does not fit the file any more")
            }
            say(
                "mock-server: \(path) has changed and cannot be served: the previous tenant stays until the file is fixed"
            )
            return false
        }
        world.note("reload", ["file": .string(path)])
        say("mock-server: \(path) has changed and was loaded again")
        return true
    }

    /// Size and time of everything that the tenant is made of, by path.
    func stamps() -> [String: FileSystem.Stamp] {
        var paths: Set = [path]
        let tenant = world.tenant.tenant
        var folders: [String] = []
        if let policies { folders.append(FilePath.absolute(policies)) }
        if tenant.policies.contains(where: { $0.file != nil }) || !tenant.policyFolders.isEmpty {
            folders += (try? TenantLoading.folders(of: tenant, in: FilePath.folder(path))) ?? []
        }
        if let file = tenant.policySettingsFile { paths.insert(FilePath.resolve(file, in: FilePath.folder(path))) }
        for folder in Set(folders) {
            for name in (try? FileSystem.names(in: folder)) ?? [] where name.lowercased().hasSuffix(".xml") {
                paths.insert(folder + "/" + name)
            }
        }
        var stamps: [String: FileSystem.Stamp] = [:]
        for path in paths { stamps[path] = FileSystem.stamp(path) }
        return stamps
    }

    /// What was there when it was last looked at.
    ///
    /// An editor writes a file in parts, so a change counts once two looks in a row find the same.
    struct Look {
        private var loaded: [String: FileSystem.Stamp]
        private var seen: [String: FileSystem.Stamp]

        init(stamps: [String: FileSystem.Stamp]) {
            loaded = stamps
            seen = stamps
        }

        /// Whether there is something to load: new since the last time it was loaded, and no longer changing.
        mutating func hasChanged(_ stamps: [String: FileSystem.Stamp]) -> Bool {
            defer { seen = stamps }
            guard stamps != loaded, stamps == seen else { return false }
            loaded = stamps
            return true
        }
    }
}
