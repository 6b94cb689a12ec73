import Bundles
import CommandFiles
import CommandKit
import Diagnostics

/// Policies as they are or were: a folder, a policy file, a tenant file, a bundle, or one of these in a git revision.
package struct PolicyVersion {
    /// As the user named it.
    package let shown: String
    /// A path that can be read now.
    package let path: String
    /// Where what is not in the working tree was unpacked; `nil`: nothing was.
    private let unpacked: String?

    /// - Throws: ``Failure`` when there is nothing of the name.
    package init(_ text: String) async throws {
        shown = text
        let path = FilePath.relative(text, to: Machine.currentFolder)
        if let kind = FileSystem.kind(path) {
            if kind == .file, let bytes = try? FileSystem.read(path, limit: 1 << 30), ZIPReader.looksLikeArchive(bytes)
            {
                let folder = try Self.folder()
                unpacked = folder
                do {
                    self.path = try Self.unpack(bundle: bytes, text, into: folder)
                } catch {
                    FileSystem.removeFolder(folder)
                    throw error
                }
            } else {
                self.path = path
                unpacked = nil
            }
            return
        }
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw Failure.usage(
                "there is no file or folder \(text). Name a folder of policies, a policy file, a tenant file, a bundle, or "
                    + "what a git revision has, such as origin/main:policies")
        }
        let folder = try Self.folder()
        unpacked = folder
        do {
            let inside = text[text.index(after: colon)...]
            self.path = try await Self.unpack(
                revision: String(text[..<colon]), inside.isEmpty ? "." : String(inside), text, into: folder)
        } catch {
            FileSystem.removeFolder(folder)
            throw error
        }
    }

    /// Whether the files are there for later runs too.
    package var isInPlace: Bool { unpacked == nil }

    /// Removes what was unpacked.
    package func remove() {
        if let unpacked { FileSystem.removeFolder(unpacked) }
    }

    /// A file as the user would name it.
    package func shown(_ file: String) -> String {
        let whole = file.hasPrefix("/") ? file : FilePath.normalised(FilePath.join(Machine.currentFolder, file))
        guard let unpacked, whole.hasPrefix(unpacked + "/") else { return file }
        let rest = String(whole.dropFirst(unpacked.utf8.count + 1))
        let revision = shown.firstIndex(of: ":").map { shown[..<$0] } ?? shown[...]
        return "\(revision):\(rest)"
    }

    /// The place in the form that policies are read from.
    package func source(policy: String?, bases: [String] = [], _ values: PolicyValueSource = PolicyValueSource())
        -> PolicySource
    {
        let isTenant = FileSystem.kind(path) == .file && !path.lowercased().hasSuffix(".xml")
        return isTenant
            ? PolicySource(tenant: path, policy: policy)
            : PolicySource(place: path, policy: policy, bases: bases, values: values)
    }

    // MARK: Unpacking

    private static func folder() throws -> String {
        guard let folder = Machine.makeTemporaryFolder() else {
            throw Failure.machine("no folder can be made among the temporary files")
        }
        return folder
    }

    private static func unpack(bundle bytes: [UInt8], _ shown: String, into folder: String) throws -> String {
        let bundle: ReproductionBundle
        do throws(BundleProblem) {
            bundle = try ReproductionBundle.open(bytes).bundle
        } catch {
            throw Failure.input("\(shown) cannot be read as a bundle: \(error)") as any Error
        }
        try save(bundle.files.map { ($0.path, $0.bytes) }, in: folder, shown)
        var finder = FileFinder()
        finder.add(folder)
        guard let tenant = finder.files.first(where: { $0.content == .tenant }) else {
            throw Failure.input("\(shown) has no tenant file")
        }
        return tenant.path
    }

    private static func unpack(
        revision: String, _ path: String, _ shown: String, into folder: String
    ) async throws -> String {
        func git(_ arguments: [String]) async -> Result<String, Subprocess.Problem> {
            await Subprocess.output(of: ["git"] + arguments, isQuiet: true)
        }
        guard !revision.hasPrefix("-"),
            case .success = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}"])
        else {
            throw Failure.usage(
                "\(shown): there is no such file, and git does not know the revision \(revision) here. In CI, fetch it "
                    + "first: checkouts often hold one commit only")
        }
        guard case .success(let top) = await git(["rev-parse", "--show-prefix"]) else {
            throw Failure.usage("\(shown): git does not say where the repository begins")
        }
        let prefix = top.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        // As git reads it: from the top of the repository, but after a dot from here.
        let isFromHere = path == "." || path.hasPrefix("./") || path == ".." || path.hasPrefix("../")
        let inside = FilePath.normalised(FilePath.join(prefix.isEmpty || !isFromHere ? "." : prefix, path))
        guard !inside.hasPrefix("..") else {
            throw Failure.usage("\(shown) is outside of the repository")
        }
        let object = inside == "." || inside.isEmpty ? "\(revision)^{tree}" : "\(revision):\(inside)"
        guard case .success = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", object]) else {
            throw Failure.usage("\(shown): \(revision) has no file or folder \(inside)")
        }
        let archive = FilePath.join(folder, "archive.zip")
        var isWritten = false
        // Files that policies and tenant files may name. A pattern that fits nothing is an error to git.
        for patterns in [["*.xml", "*.json", "*.html"], ["*.xml", "*.json"], ["*.xml"], ["*.json"]] where !isWritten {
            let made = await git(
                [
                    "-C", top.isEmpty ? "." : Self.up(prefix), "archive", "--format=zip", "--output=\(archive)",
                    revision, "--",
                ]
                    + patterns.map { ":(icase)\($0)" })
            if case .success = made { isWritten = true }
        }
        guard isWritten, let bytes = try? FileSystem.read(archive, limit: 512 << 20) else {
            throw Failure.usage("\(shown): \(revision) has no policy or tenant file")
        }
        FileSystem.remove(archive)
        let entries: [ArchiveEntry]
        do throws(ArchiveProblem) {
            entries = try ZIPReader.entries(bytes)
        } catch {
            throw Failure.machine("\(shown) cannot be read: \(error)") as any Error
        }
        try save(entries.map { ($0.name, $0.bytes) }, in: folder, shown)
        return FilePath.join(folder, inside)
    }

    /// The way up from a folder of a repository to its top.
    private static func up(_ prefix: String) -> String {
        let depth = prefix.split(separator: "/").count
        return depth == 0 ? "." : Array(repeating: "..", count: depth).joined(separator: "/")
    }

    private static func save(_ files: [(path: String, bytes: [UInt8])], in folder: String, _ shown: String) throws {
        for (path, bytes) in files {
            let inside = FilePath.normalised(path)
            guard !inside.hasPrefix("/"), !inside.split(separator: "/").contains("..") else {
                throw Failure.input("\(shown) has a file outside of it: \(path)")
            }
            let target = FilePath.join(folder, inside)
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(target))
                try FileSystem.write(bytes, to: target)
            } catch {
                throw Failure.machine("\(target) cannot be written: \(error.text)") as any Error
            }
        }
    }
}
