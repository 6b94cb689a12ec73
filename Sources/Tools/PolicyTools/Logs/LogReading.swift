import CommandFiles
import CommandKit
import Diagnostics
import JourneyLogs

/// Reads logs of the journey recorder, for every command that has one.
package enum LogReading {
    /// Reads files, after what the service returned. All of them are one log. Findings are printed.
    ///
    /// - Parameter files: Paths; `-` is the standard input.
    /// - Throws: ``Failure`` if a file cannot be read or is not a log.
    package static func log(_ files: [String], after fetched: (file: String, bytes: [UInt8])? = nil) throws
        -> RecorderLog
    {
        var read = fetched.map { [$0] } ?? []
        for file in files {
            read.append((file, try InputFile.read(file == "-" ? "/dev/stdin" : file, limit: RecorderLog.limit)))
        }
        do throws(InvalidInput) {
            let log = try RecorderLog(files: read)
            report(log.findings)
            return log
        } catch {
            report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
    }

    /// Prints findings. They have places in files that may hold personal data, so their lines are not repeated.
    package static func report(_ findings: [Diagnostic]) {
        if let collector = FindingCollector.current { return collector.add(findings) }
        for finding in findings { Machine.error.write(VisibleText.of(finding.description, keeping: []) + "\n") }
    }
}

extension RecorderLog {
    /// The sessions of a policy, by its id in any letter case; `nil`: all.
    ///
    /// - Throws: ``Failure`` if there are none.
    package func entries(of policy: String?) throws -> [Entry] {
        let found = Self.entries(entries, of: policy)
        guard found.isEmpty else { return found }
        let known = Set(entries.compactMap(\.policyID)).sorted()
        throw Failure.input(
            known.isEmpty
                ? "the log has no session: no row of it is one of the Journey Recorder that can be read"
                : "the log has no session of \(policy ?? ""). It has sessions of \(namesList(known)).")
    }

    private static func entries(_ entries: [Entry], of policy: String?) -> [Entry] {
        guard let wanted = policy?.lowercased() else { return entries }
        return entries.filter { $0.policyID?.lowercased() == wanted }
    }

    /// One session.
    ///
    /// - Parameters:
    ///   - correlation: Its correlation id, or the beginning of one; `nil`: the only one.
    ///   - policy: Its policy; `nil`: any.
    /// - Throws: ``Failure`` if none fits, or more than one.
    package func entry(_ correlation: String?, of policy: String?) throws -> Entry {
        let entries = try entries(of: policy)
        guard let correlation else {
            if entries.count == 1 { return entries[0] }
            let ids = entries.map { "\n  \($0.correlationID) \($0.policyID ?? "")" }
            let more = ids.count > Self.listed ? "\n  and \(ids.count - Self.listed) more" : ""
            throw Failure.usage(
                "the log has \(entries.count) sessions: name one by --correlation" + ids.prefix(Self.listed).joined()
                    + more)
        }
        let found = Self.entries(self.entries(matching: correlation), of: policy)
        guard let first = found.first else {
            let near =
                nearestName(correlation, among: entries.map(\.correlationID)).map { " Did you mean \($0)?" } ?? ""
            throw Failure.input("the log has no session with the correlation id \(correlation).\(near)")
        }
        guard found.count == 1 else {
            let ids = found.map { "\($0.correlationID) \($0.policyID ?? "")" }
            throw Failure.usage(
                "\(found.count) sessions fit \(correlation): \(namesList(ids, limit: 5)). "
                    + (Set(found.map(\.correlationID)).count == 1
                        ? "Name the policy by --policy." : "Write more of the id, or name the policy by --policy.")
            )
        }
        return first
    }

    /// How many ids a message lists.
    private static let listed = 20
}
