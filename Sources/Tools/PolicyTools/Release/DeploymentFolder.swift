import CommandFiles
import CommandKit
import HTTPMessages
import JSON
import PolicyRelease

/// `.b2c/deploy/TENANT`: the journal of deployments to a tenant, and a bundle of each.
package struct DeploymentFolder {
    /// Which policies of a bundle.
    package enum Side: String {
        /// What the tenant had.
        case before
        /// What is uploaded.
        case after
    }

    package let path: String
    private var journalPath: String { FilePath.join(path, "journal.json") }

    /// Makes the folder, and keeps other deployments to the tenant away until this process ends.
    package init(_ tenant: TenantOrganization) throws {
        let name = tenant.domains.first ?? tenant.id
        path = FilePath.join(LocalFolder.name, "deploy/\(Self.fileName(name.isEmpty ? "tenant" : name))")
        let lock = FilePath.join(path, "lock")
        let isFree: Bool
        do throws(FileSystem.Problem) {
            try LocalFolder.make()
            try FileSystem.makeFolder(path, mode: 0o700)
            isFree = try FileSystem.lockForever(lock)
        } catch {
            throw Failure.machine("\(path) cannot be written: \(error.text)") as any Error
        }
        guard isFree else {
            throw Failure.machine(
                "another b2c policy deploy to \(name) is running in this folder. Wait until it ends.")
        }
    }

    /// A name without characters that lead to another folder.
    private static func fileName(_ text: String) -> String {
        let name = PercentCoding.encodeComponent(text.lowercased())
        return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
    }

    // MARK: Journal

    package func journal() throws -> DeploymentJournal {
        guard FileSystem.kind(journalPath) != nil else { return DeploymentJournal() }
        let bytes = try read(journalPath)
        guard let json = try? JSONParser.parse(bytes), let journal = DeploymentJournal(json: json) else {
            throw Failure.input(
                "\(journalPath) is not a journal that b2c wrote. Check with b2c policy plan what the tenant has, then "
                    + "move the file away.")
        }
        return journal
    }

    /// Returns once it is on the disk.
    package func save(_ journal: DeploymentJournal) throws(Failure) {
        try write(Array((JSONWriter.pretty(.object(journal.json)) + "\n").utf8), to: journalPath)
    }

    // MARK: Bundles

    /// A name that no bundle has.
    func bundleName(_ name: String) -> String {
        var free = name
        var number = 2
        while FileSystem.kind(FilePath.join(path, free)) != nil {
            free = "\(name)-\(number)"
            number += 1
        }
        return free
    }

    /// Writes a bundle. `bundle.json` is written last: a bundle that has it is whole.
    package func keep(_ record: DeploymentRecord, before: [String: [UInt8]], after: [String: [UInt8]]) throws {
        for (side, policies) in [(Side.before, before), (.after, after)] {
            let folder = folder(record, side)
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(folder, mode: 0o700)
            } catch {
                throw Failure.machine("\(folder) cannot be written: \(error.text)") as any Error
            }
            for (id, bytes) in policies.sorted(by: { $0.key < $1.key }) {
                try write(bytes, to: file(record, side, id))
            }
        }
        var json: JSONObject = ["version": 1]
        for (key, value) in record.json.members { json[key] = value }
        try write(
            Array((JSONWriter.pretty(.object(json)) + "\n").utf8),
            to: FilePath.join(path, "\(record.bundle)/bundle.json"))
    }

    /// The policies of a bundle, by the ids of its steps.
    package func policies(_ record: DeploymentRecord, _ side: Side) throws -> [String: [UInt8]] {
        guard FileSystem.kind(FilePath.join(path, "\(record.bundle)/bundle.json")) == .file else {
            throw Failure.input(
                "\(FilePath.join(path, record.bundle)) is not a whole bundle: bundle.json is missing. Restore the "
                    + "folder, or deploy the former policies from your repository.")
        }
        var policies: [String: [UInt8]] = [:]
        for step in record.steps where (side == .before ? step.before : step.after) != nil {
            policies[step.id] = try read(file(record, side, step.id))
        }
        return policies
    }

    /// The file of a policy in a bundle.
    package func file(_ record: DeploymentRecord, _ side: Side, _ id: String) -> String {
        FilePath.join(folder(record, side), PercentCoding.encodeComponent(id) + ".xml")
    }

    private func folder(_ record: DeploymentRecord, _ side: Side) -> String {
        FilePath.join(path, "\(record.bundle)/\(side.rawValue)")
    }

    private func read(_ file: String) throws(Failure) -> [UInt8] {
        do throws(FileSystem.Problem) {
            return try FileSystem.read(file)
        } catch {
            throw .input("\(file) cannot be read: \(error.text)")
        }
    }

    private func write(_ bytes: [UInt8], to file: String) throws(Failure) {
        do throws(FileSystem.Problem) {
            try FileSystem.writeDurably(bytes, to: file, mode: 0o600)
        } catch {
            throw .machine("\(file) cannot be written: \(error.text)")
        }
    }
}
