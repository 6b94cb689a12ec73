import AuthorityHosting
import B2CProtocol
import CommandKit
import Diagnostics

/// Loads the tenant file again when it or a file of its policies has changed; a wrong one is refused with its findings,
/// and the previous tenant is served on.
struct TenantWatch: Watch {
    /// How often it looks.
    static let pause = Duration.milliseconds(400)

    /// The tenant file; `nil`: the embedded tenant, which stays as it is.
    let path: String?
    let policies: ServedPolicies
    let world: ServerWorld
    /// Prints a line.
    let say: @Sendable (String) -> Void

    /// What changed, in messages.
    private var shown: String { path ?? policies.folder ?? StarterTenant.name }

    func run() async {
        var look = Look()
        while !Task.isCancelled {
            await take(&look)
            do { try await Task.sleep(for: Self.pause) } catch { return }
        }
    }

    /// Looks once, and loads what has changed. What the machine cannot read now is looked at again.
    func take(_ look: inout Look) async {
        var trouble: String?
        do throws(FileSystem.Problem) {
            if look.hasChanged(try stamps()), case .later(let text) = await load() {
                trouble = text
                look.forget()
            }
        } catch {
            trouble = "the files of \(shown) cannot be listed now: \(error.text)"
        }
        // Said once, as long as it lasts.
        if let trouble, !look.isTroubled {
            say("mock-server: \(trouble). The tenant stays as it is, and its files are looked at again")
        }
        look.isTroubled = trouble != nil
    }

    /// What happened to changed files.
    enum Loading: Equatable {
        case loaded, refused
        /// The machine could not read them; why.
        case later(String)
    }

    /// Reads the files and goes on with them, if they are good.
    func load() async -> Loading {
        do {
            try await world.reload(try TenantLoading.tenant(at: path, policies: policies))
        } catch {
            if let failure = error as? Failure, let text = failure.text {
                if failure.status == .machine { return .later(text) }
                say("mock-server: \(text)")
            }
            if let findings = error as? InvalidInput {
                _ = TenantLoading.failure(findings)
                say("mock-server: what was changed at run time does not fit the file any more")
            }
            say(
                "mock-server: \(shown) has changed and cannot be served: the previous tenant stays until the file is fixed"
            )
            return .refused
        }
        world.note("reload", ["file": .string(shown)])
        say("mock-server: \(shown) has changed and was loaded again")
        return .loaded
    }

    /// Size and time of everything that the tenant is made of, by path.
    ///
    /// - Throws: Why the machine cannot list a folder. One that is not there has no files.
    func stamps() throws(FileSystem.Problem) -> [String: FileSystem.Stamp] {
        let own = path.map { FilePath.folder($0) } ?? "."
        var paths = Set([path].compactMap(\.self))
        let tenant = world.declared.tenant
        var folders: [String] = []
        if let folder = policies.folder { folders.append(FilePath.absolute(folder)) }
        if tenant.policies.contains(where: { $0.file != nil }) || !tenant.policyFolders.isEmpty {
            folders += (try? TenantLoading.folders(of: tenant, in: own)) ?? []
        }
        if let file = tenant.policySettingsFile { paths.insert(FilePath.resolve(file, in: own)) }
        for folder in Set(folders) {
            do throws(FileSystem.Problem) {
                for name in try FileSystem.names(in: folder) where name.lowercased().hasSuffix(".xml") {
                    paths.insert(folder + "/" + name)
                }
            } catch  where error.isOfMachine {
                throw error
            } catch {}
        }
        var stamps: [String: FileSystem.Stamp] = [:]
        for path in paths { stamps[path] = FileSystem.stamp(path) }
        return stamps
    }

    /// What was there when it was last looked at.
    ///
    /// An editor writes a file in parts, so a change counts once two looks in a row find the same.
    struct Look {
        /// `nil` before the first look.
        private var loaded: [String: FileSystem.Stamp]?
        private var seen: [String: FileSystem.Stamp]?
        /// The machine could not read the last time.
        fileprivate(set) var isTroubled = false

        /// Whether there is something to load: new since the last time it was loaded, and no longer changing.
        mutating func hasChanged(_ stamps: [String: FileSystem.Stamp]) -> Bool {
            defer { seen = stamps }
            if loaded == nil { loaded = stamps }
            guard stamps != loaded, stamps == seen else { return false }
            loaded = stamps
            return true
        }

        /// What was seen last was not loaded after all.
        fileprivate mutating func forget() { loaded = [:] }
    }
}
